//! `install` and `uninstall`: our entry in an agent's settings.

mod edit;
mod entry;
mod file;
mod settings;
#[cfg(test)]
mod tests;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use entry::{Edit, Unsafe};
use file::SettingsFile;

use crate::args;
use crate::environment::{Effective, Environment, working_directory};
use crate::exit::Exit;
use crate::message::{Failure, escape, escape_path, print, say};

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// `install`
///
/// # Errors
/// When the settings cannot be found, edited safely or written; then the lines to add stand on stdout.
pub fn install(arguments: &args::Install) -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    let path = settings_path(&environment, arguments.global)?;
    let binary = own_path(&environment)?;
    match put_in(&path, &binary) {
        Ok(done) => {
            say(&done);
            Ok(Exit::Done)
        }
        Err(reason) => {
            print(entry::lines(&binary))?;
            Err(Failure::new(format!("{} was left as it is: {reason}", escape_path(&path)))
                .hint("mend that and run this again, or add the lines above by hand: each list to the list of the same name, if there is one"))
        }
    }
}

/// `uninstall`
///
/// # Errors
/// When the settings cannot be found, edited safely or written.
pub fn uninstall(arguments: &args::Install) -> Result<Exit, Failure> {
    let environment = Environment::of_process();
    if environment.is_guarded() {
        say(
            "blastradius: refused: the guard is not taken out from inside a guarded session\n  run `blastradius uninstall` yourself, outside the agent\n",
        );
        return Ok(Exit::Refused);
    }
    let path = settings_path(&environment, arguments.global)?;
    match take_out(&path) {
        Ok(done) => {
            say(&done);
            Ok(Exit::Done)
        }
        Err(reason) => Err(Failure::new(format!(
            "{} was left as it is: {reason}",
            escape_path(&path)
        ))
        .hint("take out by hand the entry of hooks.PreToolUse whose command is blastradius")),
    }
}

/// The settings file that Claude Code would read.
pub(crate) fn settings_path(environment: &Environment, global: bool) -> Result<PathBuf, Failure> {
    if global {
        let folder = match (
            environment.directory("CLAUDE_CONFIG_DIR"),
            environment.directory("HOME"),
        ) {
            (Some(folder), _) => folder.to_owned(),
            (None, Some(home)) => home.join(".claude"),
            (None, None) => {
                return Err(Failure::new(
                    "HOME is not set, so that the user's settings cannot be found",
                )
                .hint("set HOME or CLAUDE_CONFIG_DIR to an absolute path"));
            }
        };
        return Ok(folder.join("settings.json"));
    }
    let effective = Effective::here(environment)?;
    let policy = effective.policy();
    let project = policy.project().map(|project| path_of(project.as_bytes()));
    let folder = project.or_else(working_directory).ok_or_else(|| {
        Failure::new("the working directory was removed, so that there is no project")
            .hint("cd into the project")
    })?;
    Ok(folder.join(".claude/settings.json"))
}

/// Whether our entry stands in a settings file, and whether it can take effect.
pub(crate) fn installed(path: &Path) -> Option<Result<String, &'static str>> {
    let content = match std::fs::read_to_string(path) {
        Ok(content) => content,
        Err(error) => {
            let absent = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
            return (!absent).then_some(Err("it cannot be read as text"));
        }
    };
    let text = content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&content);
    let binary = entry::binary(text)?;
    if entry::hooks_are_off(text) {
        return Some(Err("\"disableAllHooks\" is true in it"));
    }
    Some(if Path::new(&binary).is_file() {
        Ok(binary)
    } else {
        Err("the program that it names does not exist")
    })
}

fn put_in(path: &Path, binary: &str) -> Result<String, String> {
    let file = SettingsFile::read(path).map_err(|error| error.to_string())?;
    let (mark, text) = decode(file.content())?;
    let (verb, edited) = match entry::add(text, binary).map_err(|Unsafe(reason)| reason)? {
        Edit::Unchanged => {
            return Ok(format!(
                "blastradius: {} has the hook already\n",
                escape_path(file.path())
            ));
        }
        Edit::Added(edited) => ("added the hook to", edited),
        Edit::Updated(edited) => ("updated the hook in", edited),
    };
    file.keep_backup()
        .map_err(|error| format!("no backup could be made: {error}"))?;
    file.write(format!("{mark}{edited}").as_bytes())
        .map_err(|error| error.to_string())?;
    let mut done = format!("blastradius: {verb} {}\n", escape_path(file.path()));
    if file.content().is_some() {
        done.push_str(&format!(
            "  the file as it was first: {}\n",
            escape_path(&file.backup_path())
        ));
    }
    done.push_str("  Claude Code reads its hooks when it starts: restart it, or look at /hooks\n");
    done.push_str(&format!(
        "  Claude Code runs commands unguarded when a hook cannot be started, and has no setting against it: keep {}\n",
        escape(binary.as_bytes())
    ));
    if entry::hooks_are_off(&edited) {
        done.push_str("  \"disableAllHooks\" is true in this file: until you take that out the hook does nothing\n");
    }
    Ok(done)
}

fn take_out(path: &Path) -> Result<String, String> {
    let file = SettingsFile::read(path).map_err(|error| error.to_string())?;
    let absent = || {
        Ok(format!(
            "blastradius: there is no hook of ours in {}\n",
            escape_path(file.path())
        ))
    };
    let Some(content) = file.content() else {
        return absent();
    };
    let (mark, text) = decode(Some(content))?;
    let Some(binary) = entry::binary(text) else {
        return absent();
    };
    let backup = file.backup().map_err(|error| error.to_string())?;
    let unchanged_since = |original: Option<&[u8]>| {
        let (mark, original) = decode(original)?;
        Ok::<_, String>(match entry::add(original, &binary) {
            Ok(Edit::Added(edited)) => format!("{mark}{edited}").as_bytes() == content,
            Ok(Edit::Updated(_) | Edit::Unchanged) | Err(_) => false,
        })
    };
    let done = if unchanged_since(backup.as_deref())? {
        match &backup {
            Some(original) => {
                file.write(original).map_err(|error| error.to_string())?;
                format!(
                    "blastradius: {} is again as it was before\n",
                    escape_path(file.path())
                )
            }
            None => {
                file.remove().map_err(|error| error.to_string())?;
                format!(
                    "blastradius: removed {}, which held nothing else\n",
                    escape_path(file.path())
                )
            }
        }
    } else {
        let original = decode(backup.as_deref())?.1;
        let edited = entry::take_out(text, backup.is_some().then_some(original))
            .map_err(|Unsafe(reason)| reason)?;
        let Some(edited) = edited else {
            return absent();
        };
        file.write(format!("{mark}{edited}").as_bytes())
            .map_err(|error| error.to_string())?;
        format!(
            "blastradius: took the hook out of {}\n",
            escape_path(file.path())
        )
    };
    file.drop_backup()
        .map_err(|error| format!("the backup stays: {error}"))?;
    Ok(done)
}

/// Text and the byte order mark in front of it.
fn decode(content: Option<&[u8]>) -> Result<(&str, &str), String> {
    let text = std::str::from_utf8(content.unwrap_or_default())
        .map_err(|error| format!("it is not UTF-8 (byte {})", error.valid_up_to()))?;
    Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", text),
    })
}

/// The path of this binary that will last: the one on PATH, if it leads here, since packages move what it points to.
fn own_path(environment: &Environment) -> Result<String, Failure> {
    let running = std::env::current_exe()
        .and_then(|path| path.canonicalize())
        .map_err(|error| Failure::new(format!("the path of this program is not known: {error}")))?;
    let on_path = environment.get("PATH").and_then(|path| {
        std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join("blastradius"))
            .find(|candidate| candidate.canonicalize().is_ok_and(|real| real == running))
    });
    let path = on_path.unwrap_or(running);
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::new(format!(
            "{} is not UTF-8, and settings are",
            escape_path(&path)
        ))
        .hint("move the program to another folder")
    })
}

fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}
