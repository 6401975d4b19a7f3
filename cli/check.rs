//! `check` and `explain`: judge, and run nothing.

use std::path::{Path, PathBuf};

use crate::args;
use crate::environment::{Effective, Environment, Options, TrustFile, working_directory};
use crate::exit::Exit;
use crate::judge::Session;
use crate::library;
use crate::message::{
    Context, Explanation, Failure, Panel, Style, decision, escape_path, one_line, print, say,
};
use crate::report::Report;
use crate::shell::ast::Dialect;
use crate::subject::Subject;

/// How a verdict is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Panel,
    Line,
    Json,
    Steps,
}

/// `check`
///
/// # Errors
/// When the directory does not exist or the policy cannot be found.
pub fn check(arguments: args::Check) -> Result<Exit, Failure> {
    let form = match (arguments.json, arguments.quiet) {
        (true, _) => Form::Json,
        (false, true) => Form::Line,
        (false, false) => Form::Panel,
    };
    judge(arguments.judged, form)
}

/// `explain`
///
/// # Errors
/// When the directory does not exist or the policy cannot be found.
pub fn explain(arguments: args::Judged) -> Result<Exit, Failure> {
    judge(arguments, Form::Steps)
}

fn judge(arguments: args::Judged, form: Form) -> Result<Exit, Failure> {
    let strict = arguments.subject.strict;
    let Some(subject) = Subject::take(arguments.subject) else {
        say("blastradius: nothing to judge: give -c STRING, or -- PROGRAM ARG...\n");
        return Ok(Exit::Usage);
    };
    let cwd = match &arguments.cwd {
        Some(folder) => Some(existing(folder)?),
        None => working_directory(),
    };
    let environment = Environment::of_process();
    let options = Options {
        start: cwd.clone(),
        ..Options::default()
    };
    let effective = Effective::find(&environment, &options, &TrustFile::of(&environment))?;
    let policy = effective.policy();
    let session = Session {
        policy: &policy,
        environment: &environment.variables,
        cwd: cwd.as_deref(),
        dialect: Dialect::Unknown,
        strict,
        lower_layers: library::SEES_COMMANDS && effective.is_inherited(),
        explain: form == Form::Steps,
    };
    let (report, elapsed) = subject.judge(&session, &environment)?;
    for failure in &report.failures {
        say(&format!("blastradius: {failure}\n"));
    }
    let typed = subject.typed();
    let context = Context::of(&session, &typed, elapsed);
    show(form, &session, &context, &report)
}

fn show(
    form: Form,
    session: &Session<'_>,
    context: &Context<'_>,
    report: &Report,
) -> Result<Exit, Failure> {
    match form {
        Form::Json => print(serde_json::Value::Object(decision(context, report)).to_string())?,
        Form::Steps => print(Explanation::of(session, context, report).trim_end())?,
        Form::Line if report.is_refused() => say(&format!("{}\n", one_line(report))),
        Form::Panel if report.is_refused() => say(&Panel::of_report(
            context.command,
            report,
            Style::of_stderr(),
        )),
        Form::Line | Form::Panel => {}
    }
    Ok(if report.is_refused() {
        Exit::Refused
    } else {
        Exit::Done
    })
}

/// A directory named on the command line, made absolute.
///
/// # Errors
/// When it is none.
pub fn existing(folder: &Path) -> Result<PathBuf, Failure> {
    let name = escape_path(folder);
    let path = folder
        .canonicalize()
        .map_err(|error| Failure::new(format!("{name}: {error}")))?;
    if path.is_dir() {
        Ok(path)
    } else {
        Err(Failure::new(format!("{name} is not a directory")))
    }
}
