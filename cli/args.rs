//! The command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use blastradius_policy::Preset;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

/// Refuses deletions and overwrites outside a declared scope, at the moment of execution.
#[derive(Debug, Parser)]
#[command(
    name = "blastradius",
    version,
    override_usage = "blastradius [run] [OPTIONS] [--] PROGRAM [ARG]...\n       blastradius [run] [OPTIONS] -c STRING\n       blastradius COMMAND",
    after_help = "Exit status: the program's own; 77 refused; 2 usage; 125 blastradius itself failed;\n126 found but not executable; 127 not found.",
    subcommand_value_name = "COMMAND",
    max_term_width = 100
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge a command, then run it with everything below it guarded
    Run(Run),
    /// Judge a command and run nothing: exit 0 allowed, 77 refused
    Check(Check),
    /// Judge a command and show every step
    Explain(Judged),
    /// Answer one question of an agent's hook, read from stdin
    Hook(Hook),
    /// Add the hook to an agent's settings
    Install(Install),
    /// Take the hook out of an agent's settings
    Uninstall(Install),
    /// Put libblastradius.so in place and print its path
    Library(Library),
    /// Print the policy in force and where each line comes from
    Policy(Scope),
    /// Try every layer and say which hold: exit 0 all well, 1 something does not hold
    Doctor,
    /// Show what the project file asks for outside the project, and ask whether to trust it
    Trust,
    /// Show what was refused, and what nearly was
    Log(Log),
    /// Print a completion script
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// `run`
#[derive(Debug, Args)]
#[command(
    override_usage = "blastradius [run] [OPTIONS] [--] PROGRAM [ARG]...\n       blastradius [run] [OPTIONS] -c STRING"
)]
pub struct Run {
    /// Layers to put on, with commas between them: command, libc, kernel, landlock (all without this option, landlock
    /// only in place of kernel)
    #[arg(
        long,
        value_name = "LAYERS",
        value_delimiter = ',',
        hide_possible_values = true
    )]
    pub layers: Vec<Layer>,
    /// Fail instead of running without this layer
    #[arg(long, value_name = "LAYER", hide_possible_values = true)]
    pub require: Vec<Layer>,
    /// Print a refusal in one line
    #[arg(long)]
    pub quiet: bool,
    /// Switch on a preset, such as system-packages
    #[arg(long, value_name = "NAME", value_parser = preset)]
    pub preset: Vec<Preset>,
    /// Trust the project file for this run
    #[arg(long)]
    pub trust_project: bool,
    /// What to run.
    #[command(flatten)]
    pub subject: Subject,
}

/// `check`
#[derive(Debug, Args)]
#[command(
    override_usage = "blastradius check [OPTIONS] [--] PROGRAM [ARG]...\n       blastradius check [OPTIONS] -c STRING"
)]
pub struct Check {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Print a refusal in one line
    #[arg(long)]
    pub quiet: bool,
    /// What to judge.
    #[command(flatten)]
    pub judged: Judged,
}

/// What `check` and `explain` share.
#[derive(Debug, Args)]
#[command(
    override_usage = "blastradius explain [OPTIONS] [--] PROGRAM [ARG]...\n       blastradius explain [OPTIONS] -c STRING"
)]
pub struct Judged {
    /// Judge as if in this directory
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// What to judge.
    #[command(flatten)]
    pub subject: Subject,
}

/// A command: words, or a string for a shell.
#[derive(Debug, Args)]
pub struct Subject {
    /// Refuse lists, pipelines and substitutions, whatever is in them
    #[arg(long)]
    pub strict: bool,
    /// A shell string
    #[arg(
        short = 'c',
        value_name = "STRING",
        conflicts_with = "words",
        allow_hyphen_values = true
    )]
    pub string: Option<OsString>,
    /// The program and its arguments, taken as they are
    #[arg(value_name = "PROGRAM", trailing_var_arg = true)]
    pub words: Vec<OsString>,
}

/// `hook`
#[derive(Debug, Args)]
pub struct Hook {
    /// Whose hook; told from the question if it is left out
    pub agent: Option<Agent>,
}

/// `install` and `uninstall`
#[derive(Debug, Args)]
pub struct Install {
    /// Claude Code
    #[arg(long, required = true)]
    pub claude_code: bool,
    /// In the user's settings, not the project's
    #[arg(long)]
    pub global: bool,
}

/// `library`
#[derive(Debug, Args)]
pub struct Library {
    /// Write a copy into this directory instead, for a container image
    #[arg(long, value_name = "DIR")]
    pub copy: Option<PathBuf>,
}

/// `log`
#[derive(Debug, Args)]
pub struct Log {
    /// Print the lines as they are: one JSON object each
    #[arg(long)]
    pub json: bool,
    /// Only what was refused
    #[arg(long)]
    pub refused: bool,
    /// Only what a guard or a rule looked at and let pass
    #[arg(long)]
    pub near: bool,
    /// Only from then on: 30m, 12h, 7d, or 2026-12-01 and 2026-12-01T10:00 in UTC
    #[arg(long, value_name = "WHEN", value_parser = crate::log::instant)]
    pub since: Option<u64>,
    /// Only this session of an agent
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Go on with what comes
    #[arg(short, long)]
    pub follow: bool,
}

/// `policy`
#[derive(Debug, Args)]
pub struct Scope {
    /// The policy of this directory
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Print what each preset holds, and why
    #[arg(long)]
    pub presets: bool,
}

/// A layer of enforcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layer {
    /// The command before it runs
    Command,
    /// Every destructive libc call below it
    Libc,
    /// Every destructive system call below it
    Kernel,
    /// A wall around the system's directories, where there is no kernel layer
    Landlock,
}

/// An agent whose hook protocol is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Agent {
    /// Claude Code
    ClaudeCode,
}

/// Whether the words are those that `install` writes. An agent starts them before each of its commands, and the
/// reader of all the other command lines would take a tenth of that process's time.
#[must_use]
pub fn is_installed_hook(words: &[OsString]) -> bool {
    matches!(words, [_, command, agent] if command == "hook" && agent == "claude-code")
}

/// Reads the command line. `run` is put in where the first word is no command of ours.
///
/// # Errors
/// A usage error, or the text of `--help` and `--version`.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, clap::Error> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let mut definition = Arguments::command();
    if words
        .get(1)
        .is_some_and(|first| !is_ours(&definition, first))
    {
        words.insert(1, "run".into());
    }
    let matches = definition.try_get_matches_from_mut(words)?;
    let arguments =
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))?;
    Ok(arguments.command)
}

fn is_ours(definition: &clap::Command, word: &OsStr) -> bool {
    matches!(
        word.to_str(),
        Some("help" | "-h" | "--help" | "-V" | "--version")
    ) || definition
        .get_subcommands()
        .any(|command| command.get_name() == word)
}

fn preset(name: &str) -> Result<Preset, String> {
    Preset::from_name(name.as_bytes()).ok_or_else(|| {
        let names: Vec<_> = Preset::ALL.iter().map(|preset| preset.name()).collect();
        format!("there is no such preset; there are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[&str]) -> Result<Vec<OsString>, clap::Error> {
        let line = std::iter::once("blastradius")
            .chain(line.iter().copied())
            .map(OsString::from);
        parse(line).map(|command| match command {
            Command::Run(run) => run.subject.words,
            Command::Check(check) => check.judged.subject.words,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn nothing_of_ours_is_looked_for_in_a_program_s_words() {
        for (line, program) in [
            (&["true"][..], &["true"][..]),
            (&["--", "check"], &["check"]),
            (&["--", "--"], &["--"]),
            (&["--", "--quiet"], &["--quiet"]),
            (&["--", "git", "--", "x"], &["git", "--", "x"]),
            (&["git", "--", "x"], &["git", "--", "x"]),
            (&["git", "--help"], &["git", "--help"]),
            (
                &["--quiet", "rm", "-c", "--quiet", "-h"],
                &["rm", "-c", "--quiet", "-h"],
            ),
            (&["run", "run", "run"], &["run", "run"]),
            (&["run", "--layers", "libc", "check"], &["check"]),
            (&["run", "--layers=command,libc", "--", "a"], &["a"]),
            (&["--trust-project", "--strict", "a", ""], &["a", ""]),
            (&["check", "--json", "rm", "--json"], &["rm", "--json"]),
            (&["check", "--", "rm", "--", "-x"], &["rm", "--", "-x"]),
            (&["--"], &[]),
            (&["checks"], &["checks"]),
        ] {
            assert_eq!(words(line).unwrap(), program, "{line:?}");
        }
    }

    #[test]
    fn a_string_may_begin_with_a_dash() {
        for line in [["run", "-c", "-x"], ["check", "-c", "--help"]] {
            let line = ["blastradius"].iter().chain(&line).map(OsString::from);
            let string = match parse(line).unwrap() {
                Command::Run(run) => run.subject.string,
                Command::Check(check) => check.judged.subject.string,
                other => panic!("{other:?}"),
            };
            assert!(string.is_some_and(|string| string.as_encoded_bytes().starts_with(b"-")));
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }
}
