//! The grammar of `.blastradius` and of the user file: one line, one statement.

use crate::Preset;
use crate::glob::BadGlob;
use crate::number;

/// Longest file that is read.
pub(crate) const FILE_MAX: usize = 16 * 1024;

/// Which file a line stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Project,
    User,
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement<'c> {
    Allow(&'c str),
    Deny(&'c str),
    State(&'c str),
    GlobBreadth(u32),
    Preset(Preset, bool),
    /// For the command layer alone.
    Declared(Declared<'c>),
}

/// A line that only the command layer goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared<'c> {
    /// `guard ID off`
    GuardOff(&'c str),
    /// `guard ID on`: what the user file loosens does not count here.
    GuardOn(&'c str),
    /// `guard ID allow PATTERN`
    GuardAllow(&'c str, &'c str),
    /// `log all`
    LogAll,
    /// `limit session-removals N`
    SessionRemovals(u32),
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault<'c> {
    UnknownWord(&'c str),
    NoPattern(&'static str),
    UnknownLimit(&'c str),
    NoNumber(&'c str),
    UnknownPreset(&'c str),
    PresetInProject,
    /// A word after `guard` or `log`.
    UnknownSetting(&'static str, &'c str),
    GuardInProject,
    LogInProject,
    Control,
    NotUtf8,
    Glob(&'c str, BadGlob),
    /// `~name`, `$NAME`, `<name>`: nothing is known by that name here.
    UnknownBegin(&'c str),
    /// `~` without a home.
    NoHome,
    /// `..` after a wildcard, where no directory is known to go up from.
    DotsAfterWildcard(&'c str),
    TooLong,
}

impl Fault<'_> {
    /// Says it in words, piece by piece.
    pub(crate) fn tell(self, to: &mut dyn FnMut(&str)) {
        let mut tell = |pieces: &[&str]| pieces.iter().for_each(|piece| to(piece));
        match self {
            Self::UnknownWord(word) => tell(&[
                "unknown word \"",
                word,
                "\" (expected allow, deny, state, limit, preset, guard, log)",
            ]),
            Self::NoPattern(word) => tell(&[word, " needs a pattern"]),
            Self::UnknownLimit(name) => {
                tell(&[
                    "unknown limit \"",
                    name,
                    "\" (expected glob-breadth, session-removals)",
                ]);
            }
            Self::NoNumber(text) => tell(&["\"", text, "\" is no number (limit NAME N)"]),
            Self::UnknownPreset(text) => {
                tell(&["unknown preset \"", text, "\" (expected "]);
                let mut comma = "";
                for preset in Preset::ALL {
                    tell(&[comma, preset.name()]);
                    comma = ", ";
                }
                tell(&["; then off, or nothing)"]);
            }
            Self::PresetInProject => tell(&["preset belongs in the user file"]),
            Self::UnknownSetting(expected, text) => {
                tell(&["\"", text, "\" is not understood (expected ", expected, ")"]);
            }
            Self::GuardInProject => {
                tell(&[
                    "a project file can only turn a guard on: the rest belongs in the user file",
                ]);
            }
            Self::LogInProject => tell(&["log belongs in the user file"]),
            Self::Control => tell(&["control character"]),
            Self::NotUtf8 => tell(&["not UTF-8"]),
            Self::Glob(pattern, bad) => tell(&[BAD_PATTERN, pattern, "\": ", bad.words()]),
            Self::UnknownBegin(pattern) => tell(&[
                BAD_PATTERN,
                pattern,
                "\": only ~, $HOME and <repo> are known",
            ]),
            Self::NoHome => tell(&["~ is not known: there is no home"]),
            Self::DotsAfterWildcard(pattern) => {
                tell(&[BAD_PATTERN, pattern, "\": .. after a wildcard"]);
            }
            Self::TooLong => tell(&["the path is too long"]),
        }
    }
}

const BAD_PATTERN: &str = "bad pattern \"";

/// A fault with the number of its line, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mistake<'c> {
    pub(crate) line: usize,
    pub(crate) fault: Fault<'c>,
}

/// Reads the statements of a file, line by line.
pub(crate) fn statements(
    content: &[u8],
    source: Source,
) -> impl Iterator<Item = Result<(usize, Statement<'_>), Mistake<'_>>> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    content
        .split(|&byte| byte == b'\n')
        .enumerate()
        .filter_map(move |(at, line)| {
            let line_number = at + 1;
            match statement(line, source) {
                Ok(found) => found.map(|statement| Ok((line_number, statement))),
                Err(fault) => Some(Err(Mistake {
                    line: line_number,
                    fault,
                })),
            }
        })
}

fn statement(line: &[u8], source: Source) -> Result<Option<Statement<'_>>, Fault<'_>> {
    let line = core::str::from_utf8(line).map_err(|_| Fault::NotUtf8)?;
    let line = without_comment(line).trim_matches([' ', '\t', '\r']);
    if line.is_empty() {
        return Ok(None);
    }
    if line
        .chars()
        .any(|character| character.is_control() && character != '\t')
    {
        return Err(Fault::Control);
    }
    let (word, rest) = split_word(line);
    let pattern = |word| {
        if rest.is_empty() {
            Err(Fault::NoPattern(word))
        } else {
            Ok(rest)
        }
    };
    Ok(Some(match word {
        "allow" => Statement::Allow(pattern("allow")?),
        "deny" => Statement::Deny(pattern("deny")?),
        "state" => Statement::State(pattern("state")?),
        "limit" => limit(rest)?,
        "preset" if source == Source::Project => return Err(Fault::PresetInProject),
        "preset" => preset(rest)?,
        "guard" => Statement::Declared(guard(rest, source)?),
        "log" if source == Source::Project => return Err(Fault::LogInProject),
        "log" if rest == "all" => Statement::Declared(Declared::LogAll),
        "log" => return Err(Fault::UnknownSetting("log all", rest)),
        _ => return Err(Fault::UnknownWord(word)),
    }))
}

/// A comment begins at a `#` that opens the line or follows white space.
fn without_comment(line: &str) -> &str {
    let begins = |at: usize| at == 0 || matches!(line.as_bytes()[at - 1], b' ' | b'\t');
    match line.match_indices('#').find(|(at, _)| begins(*at)) {
        Some((at, _)) => &line[..at],
        None => line,
    }
}

fn split_word(text: &str) -> (&str, &str) {
    match text.split_once([' ', '\t']) {
        Some((word, rest)) => (word, rest.trim_start_matches([' ', '\t'])),
        None => (text, ""),
    }
}

fn limit(text: &str) -> Result<Statement<'_>, Fault<'_>> {
    let (name, value) = split_word(text);
    let limits: fn(u32) -> Statement<'static> = match name {
        "glob-breadth" => Statement::GlobBreadth,
        "session-removals" => |most| Statement::Declared(Declared::SessionRemovals(most)),
        _ => return Err(Fault::UnknownLimit(name)),
    };
    let value_read = number(value.as_bytes()).and_then(|value| u32::try_from(value).ok());
    value_read.map(limits).ok_or(Fault::NoNumber(value))
}

fn guard(text: &str, source: Source) -> Result<Declared<'_>, Fault<'_>> {
    let (id, setting) = split_word(text);
    let (word, pattern) = split_word(setting);
    let found = match (word, pattern) {
        ("off", "") => Declared::GuardOff(id),
        ("on", "") => Declared::GuardOn(id),
        ("allow", pattern) if !pattern.is_empty() => Declared::GuardAllow(id, pattern),
        _ => {
            return Err(Fault::UnknownSetting(
                "guard ID off, on or allow PATTERN",
                text,
            ));
        }
    };
    match (found, source) {
        (Declared::GuardOn(_), _) | (_, Source::User) => Ok(found),
        _ => Err(Fault::GuardInProject),
    }
}

/// The lines of a file that only the command layer goes by, with their numbers. A line that cannot be read is left
/// out: it puts the whole policy in doubt elsewhere.
pub fn declared(content: &[u8], of_user: bool) -> impl Iterator<Item = (usize, Declared<'_>)> {
    let source = match of_user {
        true => Source::User,
        false => Source::Project,
    };
    statements(content, source).filter_map(|found| match found {
        Ok((line, Statement::Declared(declared))) => Some((line, declared)),
        _ => None,
    })
}

fn preset(text: &str) -> Result<Statement<'_>, Fault<'_>> {
    let (name, value) = split_word(text);
    let on = match value {
        "" => true,
        "off" => false,
        _ => return Err(Fault::UnknownPreset(text)),
    };
    let preset = Preset::from_name(name.as_bytes()).ok_or(Fault::UnknownPreset(text))?;
    Ok(Statement::Preset(preset, on))
}
