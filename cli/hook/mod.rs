//! `hook`: one question of an agent, one answer.
//!
//! The decision is made on a thread of its own, and only an answer that arrives in time can be "no opinion": a
//! panic, a question that takes for ever or a thread that cannot be started all end in a refusal.

mod answer;
mod document;
mod powershell;
mod question;

use std::io::Read as _;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use answer::{Answer, Refusal};
use question::{Asked, Envelope, Question};

use crate::args::Agent;
use crate::environment::{Effective, Environment, Options, TrustFile};
use crate::exit::Exit;
use crate::judge::{self, Session};
use crate::message::{Context, Decision, Panel, Style, decision, sentences};
use crate::report::Report;
use crate::run::log;
use crate::shell::ast::Dialect;

/// How long an agent is told to wait for the hook. Past it most agents run the command.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// How long a decision may take; well below [`TIMEOUT`], so that the refusal still counts.
const DEADLINE: Duration = Duration::from_secs(30);

/// Room for the deepest nesting that the shell reader accepts.
const STACK: usize = 64 << 20;

/// No agent sends more; a flood must not be read to its end.
const INPUT_MAX: u64 = 4 << 20;

/// Answers the question on stdin.
#[must_use]
pub fn answer(agent: Option<Agent>) -> Exit {
    // The refusal says what a person can use; a backtrace would only bury it.
    std::panic::set_hook(Box::new(|_| {}));
    let (sender, receiver) = mpsc::channel();
    let decider = thread::Builder::new().stack_size(STACK).spawn(move || {
        // The receiver is gone only after the deadline, when the refusal is already out.
        sender.send(decide(agent)).ok();
    });
    let answer = match decider.map(|_| receiver.recv_timeout(DEADLINE)) {
        Ok(Ok(answer)) => answer,
        Ok(Err(RecvTimeoutError::Timeout)) => doubt(
            agent,
            None,
            &format!("no verdict within {} seconds", DEADLINE.as_secs()),
        ),
        Ok(Err(RecvTimeoutError::Disconnected)) => doubt(
            agent,
            None,
            "blastradius failed while it judged the command",
        ),
        Err(error) => doubt(
            agent,
            None,
            &format!("blastradius could not start: {error}"),
        ),
    };
    answer.give()
}

fn decide(agent: Option<Agent>) -> Answer {
    let question = match read_question(agent) {
        Ok(question) => question,
        Err(reason) => return doubt(agent, None, &reason),
    };
    if question.commands.is_empty() {
        return Answer::NoOpinion(question.envelope);
    }
    judge_question(&question)
}

fn read_question(agent: Option<Agent>) -> Result<Question, String> {
    let mut input = Vec::new();
    std::io::stdin()
        .lock()
        .take(INPUT_MAX + 1)
        .read_to_end(&mut input)
        .map_err(|error| format!("the hook's input cannot be read: {error}"))?;
    if input.len() as u64 > INPUT_MAX {
        return Err(format!(
            "the hook's input is longer than {} MiB",
            INPUT_MAX >> 20
        ));
    }
    if input.trim_ascii().is_empty() {
        return Err("the hook's input is empty".to_owned());
    }
    let json = document::read(&input)
        .map_err(|error| format!("the hook's input is no proper JSON: {error}"))?;
    question::read(&json, agent)
        .map_err(|problem| format!("the hook's input makes no sense: {problem}"))
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
            return refuse(
                question.envelope,
                question.event.clone(),
                command,
                failure.what(),
                failure.remedy(),
            );
        }
    };
    let policy = effective.policy();
    let session = Session {
        policy: &policy,
        environment: &environment.variables,
        cwd: question::existing(question.directory.as_deref()),
        dialect: dialect(&environment),
        strict: false,
        lower_layers: effective.is_inherited() && environment.library_is_loaded(),
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
    let context = Context {
        policy: session.policy.id().to_string(),
        command: command.text().as_bytes(),
        cwd: session.cwd.map(|path| path.as_os_str().as_encoded_bytes()),
        project: session.policy.project().map(|project| project.as_bytes()),
        elapsed,
    };
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

/// The refusal of something that could not be judged.
fn doubt(agent: Option<Agent>, command: Option<&str>, reason: &str) -> Answer {
    refuse(Envelope::of_agent(agent), None, command, reason, None)
}

fn refuse(
    envelope: Envelope,
    event: Option<String>,
    command: Option<&str>,
    reason: &str,
    remedy: Option<&str>,
) -> Answer {
    let instead = remedy.unwrap_or("send the command again as one JSON object; if it stays like this, run `blastradius doctor`");
    Answer::Refuse(Refusal {
        envelope,
        event,
        reason: format!("blastradius refused this command: {reason}. Instead: {instead}"),
        panel: Panel::of_doubt(
            command.map(str::as_bytes),
            reason,
            instead,
            Style::of_stderr(),
        ),
    })
}

/// The shell that the agent's tool starts.
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
        Some("sh" | "dash" | "ash") => Dialect::Sh,
        _ => Dialect::Unknown,
    }
}
