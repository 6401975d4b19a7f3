//! `run`: judge a command, then start it, with the library loaded into everything below and a supervisor that answers
//! for what the library does not see.

mod clock;
mod layers;
#[cfg(target_os = "linux")]
mod message;
#[cfg(target_os = "linux")]
mod supervised;
mod supervisor;
#[cfg(target_os = "linux")]
mod witness;
#[cfg(target_os = "linux")]
mod wrapper;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use blastradius_policy::{Policy, Unseen, contract};

#[cfg(target_os = "linux")]
pub(crate) use supervisor::become_supervised;

use crate::args;
use crate::environment::{
    Effective, Environment, Everything, Options, TrustFile, library_variable, separates_libraries,
    working_directory,
};
use crate::exit::Exit;
use crate::judge::Session;
use crate::library;
use crate::message::{
    Context, Decision, Failure, Panel, Style, append, complain, decision, escape, escape_path,
    one_line, say,
};
use crate::shell::ast::Dialect;
use crate::subject::{Program, Subject, find};
use crate::unseen;
use clock::Beginning;
use layers::Layers;

/// Runs a command under guard. Returns only when it was refused or could not be started.
///
/// # Errors
/// When a layer that was asked for cannot be put on: nothing runs with less guard than it was promised.
pub fn run(arguments: args::Run) -> Result<Exit, Failure> {
    let strict = arguments.subject.strict;
    let Some(subject) = Subject::take(arguments.subject) else {
        say("blastradius: nothing to run: give -- PROGRAM ARG..., or -c STRING\n");
        return Ok(Exit::Usage);
    };
    let environment = Environment::of_process();
    if environment.is_guarded() && (arguments.trust_project || !arguments.preset.is_empty()) {
        return Err(Failure::new("a guarded session keeps the policy it began with")
            .hint("--trust-project and --preset belong to the first `blastradius run`, outside the agent"));
    }
    let layers = Layers::of(&arguments.layers, &arguments.require);
    let options = Options {
        presets: arguments.preset,
        start: None,
    };
    let effective = if arguments.trust_project {
        Effective::find(&environment, &options, &Everything)?
    } else {
        Effective::find(&environment, &options, &TrustFile::of(&environment))?
    };
    let policy = effective.policy();
    if layers.command {
        let cwd = working_directory();
        let session = Session {
            policy: &policy,
            environment: &environment.variables,
            cwd: cwd.as_deref(),
            dialect: dialect_of_sh(&environment),
            strict,
            explain: false,
            lower_layers: layers.needs_kernel
                || library::SEES_COMMANDS && (layers.libc || environment.library_is_loaded()),
        };
        if refuses(&subject, &session, &environment, arguments.quiet)? {
            return Ok(Exit::Refused);
        }
    }
    let words = match subject {
        Subject::Words(words) => words,
        Subject::String(string) => vec![b"sh".to_vec(), b"-c".to_vec(), string],
    };
    let program = find(&environment, &words[0]);
    if program == Program::Missing {
        let name = match &words[0][..] {
            b"" => "''".to_owned(),
            name => escape(name),
        };
        say(&format!("blastradius: {name}: not found\n"));
        return Ok(Exit::NotFound);
    }
    let mut command = guarded(&words, &effective);
    // A session that began without the library does without it.
    let has_library = layers.libc && (layers.needs_libc || !supervisor::is_alone(&environment));
    if has_library {
        command.env(
            library_variable(),
            preload(&environment, &library::place(&environment)?),
        );
    }
    let beginning = Beginning::of(&policy);
    let tells = !arguments.quiet;
    let unseen = match &program {
        Program::Executable(path) => unseen::behind(&environment, path),
        _ => None,
    };
    let without_rights = match &unseen {
        Some((path, Unseen::Privileged)) if tells => Some(unseen::without_rights(path)),
        _ => None,
    };
    let session = supervisor::Session {
        policy: &policy,
        beginning,
        first: without_rights,
    };
    let has_kernel = supervisor::put_on(&mut command, &session, &layers, tells)?;
    if has_library && !has_kernel {
        if let Some((path, unseen)) = unseen {
            unseen::note(&policy, &path, unseen);
            if tells {
                say(&format!("blastradius: {}\n", unseen::line(&path, unseen)));
            }
        }
        if let (true, Program::Executable(path)) = (tells, &program) {
            warn_of_protection(path);
        }
    }
    // What is started may write to the log for long, and puts nothing aside.
    if let Some(log) = policy.log() {
        crate::log::rotate(Path::new(OsStr::from_bytes(log.as_bytes())));
    }
    beginning.pass();
    let error = command.exec();
    say(&format!("blastradius: {}: {error}\n", escape(&words[0])));
    Ok(Exit::NotExecutable)
}

/// Says what the system does not let the library see.
fn warn_of_protection(program: &Path) {
    let real = program.canonicalize();
    let real = real.as_deref().unwrap_or(program);
    if cfg!(target_os = "macos") && library::is_protected(real) {
        say(&format!(
            "blastradius: {} is a program of the system: the library is not loaded into it, nor into what it starts\n",
            escape_path(real)
        ));
    }
}

/// How the shell behind `sh` reads. Only dash is known to keep to POSIX; bash, busybox and zsh have constructs of
/// their own under this name, too.
fn dialect_of_sh(environment: &Environment) -> Dialect {
    let Program::Executable(shell) = find(environment, b"sh") else {
        return Dialect::Unknown;
    };
    match shell.canonicalize() {
        Ok(real) if real.file_name().is_some_and(|name| name == "dash") => Dialect::Sh,
        Ok(_) | Err(_) => Dialect::Unknown,
    }
}

fn refuses(
    subject: &Subject,
    session: &Session<'_>,
    environment: &Environment,
    quiet: bool,
) -> Result<bool, Failure> {
    let (report, elapsed) = subject.judge(session, environment)?;
    if !report.is_refused() {
        return Ok(false);
    }
    let typed = subject.typed();
    if quiet {
        say(&format!("{}\n", one_line(&report)));
    } else {
        say(&Panel::of_report(&typed, &report, Style::of_stderr()));
    }
    let context = Context::of(session, &typed, elapsed);
    log(
        session.policy,
        Decision::of(decision(&context, &report), "run"),
    );
    Ok(true)
}

/// Logs a refusal. A log that takes no line is worth a word and changes nothing else.
pub fn log(policy: &Policy<'_>, decision: Decision) {
    if let Some(path) = policy.log()
        && let Err(failure) = append(Path::new(OsStr::from_bytes(path.as_bytes())), decision)
    {
        complain(&failure);
    }
}

/// The command with the policy in its environment.
pub fn guarded(words: &[Vec<u8>], effective: &Effective) -> Command {
    let mut command = Command::new(OsStr::from_bytes(&words[0]));
    command
        .args(words[1..].iter().map(|word| OsStr::from_bytes(word)))
        .env(
            OsStr::from_bytes(contract::POLICY_VARIABLE),
            OsStr::from_bytes(effective.text()),
        );
    command
}

/// What the loader is told: whatever stood there already, then ours. The last one sees paths as those before it
/// have rewritten them.
#[must_use]
pub fn preload(environment: &Environment, library: &Path) -> OsString {
    let ours = library.as_os_str().as_bytes();
    let before = environment
        .get(library_variable())
        .map_or(&b""[..], OsStr::as_bytes);
    let mut list: Vec<&[u8]> = before
        .split(|byte| separates_libraries(*byte))
        .filter(|entry| !entry.is_empty() && *entry != ours)
        .collect();
    list.push(ours);
    OsString::from_vec(list.join(&b':'))
}
