//! How a refused target came to be: who set its variables, where its directory was changed, which links it goes through.

use std::fmt;

use blastradius_policy::{Fs, Kind, PathBuffer, canonicalise};

use super::{
    Court, Disk,
    aim::{Aim, Base},
    wording::shown,
};
use crate::{
    interp::{self, Setter},
    report::{Origin, Position, Target},
};

/// Links that are named; more of them help nobody.
const MOST_LINKS: usize = 3;
/// The longest text of a link.
const LONGEST: usize = 4096;

impl Court<'_> {
    /// Adds to a refusal, and for `explain` to every target, how it came to be.
    pub(super) fn tell_origins(&self, aim: &Aim, target: &mut Target) {
        if target.refusal.is_none() && !self.place.session.explain {
            return;
        }
        let own = aim.trace.origins.iter();
        let mut origins: Vec<Origin> = own
            .chain(aim.cwd_trace.origins.iter())
            .map(|origin| self.reported(origin))
            .collect();
        origins.extend(links(aim, &self.fs));
        if let Some(refusal) = target.refusal.as_mut() {
            let reasons = origins.iter().map(Origin::to_string);
            refusal.reasons.extend(reasons);
        }
        target.evidence.origins = origins;
    }

    fn reported(&self, origin: &interp::Origin) -> Origin {
        let at = origin.at.and_then(|at| position(&self.heard, at));
        let by = match origin.by {
            Setter::ChangeOfDirectory => return Origin::Directory { at },
            Setter::Assignment => "assignment",
            Setter::Loop => "loop",
            Setter::Environment => "environment",
        };
        let name = shown(&origin.name);
        Origin::Variable { name, by, at }
    }
}

fn position(string: &[u8], at: usize) -> Option<Position> {
    let before = string.get(..at)?;
    let mut lines = before.split(|byte| *byte == b'\n');
    let last = lines.next_back().unwrap_or_default();
    Some(Position {
        line: lines.count() + 1,
        column: String::from_utf8_lossy(last).chars().count() + 1,
        only_line: !string.trim_ascii().contains(&b'\n'),
    })
}

/// The links among the components of a target's own spelling.
fn links(aim: &Aim, fs: &Disk<'_>) -> Vec<Origin> {
    let (Some(path), Base::At(base)) = (aim.text.bytes(), aim.base_for()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let ends = path
        .iter()
        .enumerate()
        .filter_map(|(at, byte)| (*byte == b'/').then_some(at))
        .chain(aim.follow.then_some(path.len()));
    for end in ends.filter(|end| *end > 0) {
        let mut buffer = PathBuffer::new();
        // Without its last component followed, this is where the component itself lies.
        let Ok(here) = canonicalise(fs, &base, &path[..end], false, &mut buffer) else {
            break;
        };
        let is_link = fs
            .lstat(here.as_bytes())
            .is_ok_and(|meta| meta.kind == Kind::Symlink);
        let mut to = [0; LONGEST];
        if is_link && let Ok(length) = fs.readlink(here.as_bytes(), &mut to) {
            found.push(Origin::Link {
                path: shown(&path[..end]),
                to: shown(to.get(..length).unwrap_or_default()),
            });
        }
        if found.len() == MOST_LINKS {
            break;
        }
    }
    found
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |f: &mut fmt::Formatter<'_>, at: &Option<Position>| match at {
            Some(at) => write!(f, " at {at}"),
            None => Ok(()),
        };
        match self {
            Self::Variable { name, by, at } => {
                write!(f, "{name} is from the {by}")?;
                place(f, at)
            }
            Self::Directory { at } => {
                f.write_str("the working directory was changed")?;
                place(f, at)
            }
            Self::Link { path, to } => write!(f, "{path} is a link to {to}"),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.only_line {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}", self.column)
    }
}
