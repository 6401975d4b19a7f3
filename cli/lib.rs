//! The command layer and everything else behind the `blastradius` binary.

pub mod args;
pub mod case;
pub mod check;
mod credential;
pub mod disk;
pub mod doctor;
pub mod environment;
pub mod exit;
mod git;
pub mod guards;
pub mod hook;
pub mod install;
mod interp;
pub mod judge;
#[cfg(target_os = "linux")]
mod kernel;
mod ledger;
pub mod library;
pub mod log;
pub mod log_command;
pub mod loss;
pub mod message;
pub mod policy_command;
pub mod report;
pub mod run;
pub mod shell;
pub mod stack;
pub mod subject;
pub mod trust;
pub mod unseen;
mod verdict;

use std::ffi::OsString;

use clap::CommandFactory as _;

use args::{Agent, Arguments, Command};
use exit::Exit;
use message::{Failure, complain, escape, print, say};

/// Does what the command line says.
pub fn main(words: impl IntoIterator<Item = OsString>) -> Exit {
    let words: Vec<OsString> = words.into_iter().collect();
    if words.len() <= 1 {
        return report(
            print(Arguments::command().render_help().to_string().trim_end()).map(|()| Exit::Done),
        );
    }
    if args::is_installed_hook(&words) {
        return hook::answer(Some(Agent::ClaudeCode));
    }
    match args::parse(words) {
        Ok(command) => report(dispatch(command)),
        Err(error) if error.use_stderr() => {
            say(&usage_error(&error.render().to_string()));
            Exit::Usage
        }
        Err(help) => report(print(help.render().to_string().trim_end()).map(|()| Exit::Done)),
    }
}

/// A usage error as all our messages are: under our name, and with the words it quotes made safe to print.
fn usage_error(rendered: &str) -> String {
    let text = rendered.strip_prefix("error: ").unwrap_or(rendered);
    let lines: Vec<String> = text.lines().map(|line| escape(line.as_bytes())).collect();
    format!("blastradius: {}\n", lines.join("\n").trim_end())
}

fn dispatch(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Run(run) => run::run(run),
        Command::Check(check) => check::check(check),
        Command::Explain(judged) => check::explain(judged),
        Command::Hook(hook) => Ok(hook::answer(hook.agent)),
        Command::Install(install) => install::install(&install),
        Command::Uninstall(install) => install::uninstall(&install),
        Command::Library(library) => library::command(&library),
        Command::Policy(scope) => policy_command::policy(scope),
        Command::Doctor => doctor::doctor(),
        Command::Trust => trust::trust(),
        Command::Log(log) => log_command::log(&log),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "blastradius", &mut script);
            print(script.trim_ascii_end())?;
            Ok(Exit::Done)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Arguments::command())
                .render(&mut page)
                .map_err(|error| {
                    Failure::new(format!("the manual page cannot be written: {error}"))
                })?;
            print(page.trim_ascii_end())?;
            Ok(Exit::Done)
        }
    }
}

fn report(outcome: Result<Exit, Failure>) -> Exit {
    outcome.unwrap_or_else(|failure| {
        complain(&failure);
        Exit::Failed
    })
}
