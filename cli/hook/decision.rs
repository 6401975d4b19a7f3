//! From a question to an answer.

use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use super::answer::{Answer, Refusal};
use super::question::{self, Asked, Envelope, Question, unreadable};
use super::{document, powershell};
use crate::args::Agent;
use crate::case::{Background, FileDeed, Settings};
use crate::environment::{Effective, Environment, Options, TrustFile};
use crate::judge::{self, Session};
use crate::ledger::Ledger;
use crate::library;
use crate::log::near_rules;
use crate::message::{
    Context, Decision, Failure, Panel, Style, add_near, decision, refusal_without_command, say,
    sentences,
};
use crate::report::{Near, Report};
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
            // Reading loses nothing, whatever the policy is.
            let reads = |asked: &Asked| matches!(asked, Asked::File(call) if matches!(call.deed, FileDeed::Read));
            if question.commands.iter().all(reads) {
                return Answer::NoOpinion(question.envelope);
            }
            let command = question.commands.first().map(Asked::text);
            return refuse(
                question.envelope,
                question.event.clone(),
                command.as_deref(),
                &failure,
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
        lower_layers: library::SEES_COMMANDS && effective.is_inherited(),
        explain: false,
    };
    let ledger = Ledger::of(&environment, question.session.as_deref());
    let background = Background {
        settings: Settings::find(&environment, &policy),
        past: ledger.read(),
    };
    let mut passed = Vec::new();
    for command in &question.commands {
        let began = Instant::now();
        let report = match command {
            Asked::Shell(text) => judge::string_after(&session, &background, text.as_bytes()),
            Asked::File(call) => judge::file(&session, &background, call),
            Asked::PowerShell(text) => powershell::judge(text),
        };
        for failure in &report.failures {
            say(&format!("blastradius: {failure}\n"));
        }
        let decided = Decided {
            question,
            command,
            session: &session,
            report: &report,
            elapsed: began.elapsed(),
        };
        let tool = question.tool.as_deref().unwrap_or(command.kind());
        if report.is_refused() {
            // Of such a question nothing is done, also not what came before.
            ledger.note(tool, &report);
            return decided.refuse();
        }
        decided.log_what_passed(background.settings.log_all);
        passed.push((tool, report));
    }
    for (tool, report) in &passed {
        ledger.note(tool, report);
    }
    Answer::NoOpinion(question.envelope)
}

/// A command with its verdict.
struct Decided<'d> {
    question: &'d Question,
    command: &'d Asked,
    session: &'d Session<'d>,
    report: &'d Report,
    elapsed: Duration,
}

impl Decided<'_> {
    fn refuse(&self) -> Answer {
        self.log(&[]);
        let text = self.command.text();
        Answer::Refuse(Refusal {
            envelope: self.question.envelope,
            event: self.question.event.clone(),
            reason: sentences(self.report),
            panel: Panel::of_report(text.as_bytes(), self.report, Style::of_stderr()),
        })
    }

    /// What was allowed is worth a line if it nearly was not, or if every line is wanted.
    fn log_what_passed(&self, all: bool) {
        let near = near_rules(self.session.policy, self.report);
        let report = self.report;
        if all
            || !near.is_empty()
            || !report.near.is_empty()
            || !report.failures.is_empty()
            || report.unsure
        {
            self.log(&near);
        }
    }

    fn log(&self, near: &[Near]) {
        let text = self.command.text();
        let context = Context::of(self.session, text.as_bytes(), self.elapsed);
        let mut object = decision(&context, self.report);
        add_near(&mut object, near);
        log(
            self.session.policy,
            Decision {
                object,
                asked_by: match self.question.envelope {
                    Envelope::ClaudeCode => "claude-code",
                    Envelope::Cursor => "cursor",
                    Envelope::Unknown => "hook",
                },
                session: self.question.session.clone(),
            },
        );
    }
}

/// Logs the refusal of an input that could not be read. Where there is no policy there is no log.
fn log_doubt(failure: &Failure) {
    let environment = Environment::of_process();
    if let Ok(effective) = Effective::here(&environment) {
        let policy = effective.policy();
        let object = refusal_without_command(&policy.id().to_string(), failure.what());
        log(&policy, Decision::of(object, "hook"));
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
