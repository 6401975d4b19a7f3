//! From a question to an answer.

use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use super::answer::{Answer, Refusal};
use super::question::{self, Asked, Envelope, Question, unreadable};
use super::{document, powershell};
use crate::args::Agent;
use crate::environment::{Effective, Environment, Options, TrustFile};
use crate::judge::{self, Session};
use crate::library;
use crate::message::{
    Context, Decision, Failure, Panel, Style, decision, refusal_without_command, sentences,
};
use crate::report::Report;
use crate::run::log;
use crate::shell::ast::Dialect;

/// No agent sends more; a flood must not be read to its end.
const INPUT_MAX: u64 = 4 << 20;

/// Reads the question on stdin and decides.
pub(super) fn decide(agent: Option<Agent>) -> Answer {
    let question = match read_question(agent) {
        Ok(question) => question,
        Err(failure) => {
            log_doubt(&failure);
            return doubt(agent, &failure);
        }
    };
    if question.commands.is_empty() {
        return Answer::NoOpinion(question.envelope);
    }
    judge_question(&question)
}

fn read_question(agent: Option<Agent>) -> Result<Question, Failure> {
    let mut input = Vec::new();
    std::io::stdin()
        .lock()
        .take(INPUT_MAX + 1)
        .read_to_end(&mut input)
        .map_err(|error| unreadable(&format!("cannot be read: {error}")))?;
    if input.len() as u64 > INPUT_MAX {
        let mebibytes = INPUT_MAX >> 20;
        return Err(
            Failure::new(format!("the hook's input is longer than {mebibytes} MiB"))
                .hint("put what is long into a file first, and keep it out of the command"),
        );
    }
    if input.trim_ascii().is_empty() {
        return Err(unreadable("is empty"));
    }
    let json = document::read(&input)
        .map_err(|error| unreadable(&format!("is not proper JSON: {error}")))?;
    question::read(&json, agent)
}

fn judge_question(question: &Question) -> Answer {
    let environment = Environment::of_process();
    let options = Options {
        presets: Vec::new(),
        start: question.directory.clone(),
    };
    let effective = match Effective::find(&environment, &options, &TrustFile::of(&environment)) {
        Ok(effective) => effective,
        Err(failure) => {
            let command = question.commands.first().map(Asked::text);
            return refuse(question.envelope, question.event.clone(), command, &failure);
        }
    };
    let policy = effective.policy();
    let session = Session {
        policy: &policy,
        environment: &environment.variables,
        cwd: question::existing(question.directory.as_deref()),
        dialect: dialect(&environment),
        strict: false,
        lower_layers: library::SEES_COMMANDS && effective.is_inherited(),
        explain: false,
    };
    for command in &question.commands {
        let began = Instant::now();
        let report = match command {
            Asked::Shell(text) => judge::string(&session, text.as_bytes(), &[]),
            Asked::PowerShell(text) => powershell::judge(text),
        };
        if report.is_refused() {
            return refuse_report(question, command, &session, &report, began.elapsed());
        }
    }
    Answer::NoOpinion(question.envelope)
}

fn refuse_report(
    question: &Question,
    command: &Asked,
    session: &Session<'_>,
    report: &Report,
    elapsed: Duration,
) -> Answer {
    let context = Context::of(session, command.text().as_bytes(), elapsed);
    let asked_by = match question.envelope {
        Envelope::ClaudeCode => "claude-code",
        Envelope::Cursor => "cursor",
        Envelope::Unknown => "hook",
    };
    log(
        session.policy,
        Decision {
            object: decision(&context, report),
            asked_by,
        },
    );
    Answer::Refuse(Refusal {
        envelope: question.envelope,
        event: question.event.clone(),
        reason: sentences(report),
        panel: Panel::of_report(context.command, report, Style::of_stderr()),
    })
}

/// Logs the refusal of an input that could not be read. Where there is no policy there is no log.
fn log_doubt(failure: &Failure) {
    let environment = Environment::of_process();
    if let Ok(effective) = Effective::here(&environment) {
        let policy = effective.policy();
        let object = refusal_without_command(&policy.id().to_string(), failure.what());
        log(
            &policy,
            Decision {
                object,
                asked_by: "hook",
            },
        );
    }
}

/// The refusal of something that could not be judged.
pub(super) fn doubt(agent: Option<Agent>, failure: &Failure) -> Answer {
    refuse(Envelope::of_agent(agent), None, None, failure)
}

fn refuse(
    envelope: Envelope,
    event: Option<String>,
    command: Option<&str>,
    failure: &Failure,
) -> Answer {
    let reason = failure.what();
    let instead = failure
        .remedy()
        .unwrap_or("run `blastradius doctor`, which says what does not hold");
    Answer::Refuse(Refusal {
        envelope,
        event,
        reason: format!("blastradius: refused: {reason}. Instead: {instead}"),
        panel: Panel::of_doubt(
            command.map(str::as_bytes),
            reason,
            instead,
            Style::of_stderr(),
        ),
    })
}

/// The shell that the agent's tool starts: agents look for another one if the user's own is neither of these.
fn dialect(environment: &Environment) -> Dialect {
    let shell = ["CLAUDE_CODE_SHELL", "SHELL"]
        .iter()
        .find_map(|name| environment.get(name));
    match shell
        .and_then(|shell| Path::new(shell).file_name())
        .and_then(|name| name.to_str())
    {
        Some("bash") => Dialect::Bash,
        Some("zsh") => Dialect::Zsh,
        _ => Dialect::Unknown,
    }
}
