//! What a command leaves behind that later ones are judged by, in the same string and in the same session.

use blastradius_policy::{Act, Kind, Rule};

use super::{Court, Given, wording};
use crate::{
    case::{RefusedBefore, is_at_or_below},
    credential, guards,
    interp::{Cwd, Taint, Text},
    report::{Action, Refusal, Target},
};

impl Court<'_> {
    /// What was printed into a file may be what a secret file holds.
    pub(crate) fn keeps_secret(&mut self, path: &[u8], printed: &Text) {
        let origin = printed.taints().find_map(|origin| match origin {
            Taint::Secret(file) => Some(file.to_vec()),
            Taint::Network | Taint::File(_) => None,
        });
        if let Some(file) = origin {
            self.trail.secrets.push((path.to_vec(), file));
        }
    }

    /// `cp`, `mv` and `ln` of a secret file.
    pub(super) fn note_secrets(&mut self, given: &Given<'_>) {
        let copies: [&[u8]; 5] = [b"cp", b"mv", b"ln", b"install", b"rsync"];
        if !copies.contains(&given.name) {
            return;
        }
        let Cwd::At(cwd) = &given.state.cwd else {
            return;
        };
        let words: Vec<&[u8]> = (given.fields.iter().skip(1))
            .filter_map(|field| field.text.bytes())
            .filter(|word| !word.starts_with(b"-"))
            .collect();
        let Some((target, sources)) = words.split_last() else {
            return;
        };
        for source in sources {
            let Some(source) = self.real(cwd, source) else {
                continue;
            };
            let known = self
                .place
                .background
                .past
                .secrets
                .iter()
                .chain(&self.trail.secrets);
            let held = known
                .clone()
                .find(|(path, _)| *path == source)
                .map(|(_, file)| file.clone());
            let content = || crate::case::content(self.place.fs, &source);
            let held =
                held.or_else(|| credential::secret_kind(&source, content).map(|_| source.clone()));
            let Some((held, target)) = held.zip(self.real(cwd, target)) else {
                continue;
            };
            let inside = self
                .place
                .fs
                .lstat(&target)
                .is_ok_and(|meta| meta.kind == Kind::Directory);
            let target = match inside {
                true => [&target, b"/".as_slice(), crate::case::file_name(&source)].concat(),
                false => target,
            };
            self.trail.secrets.push((target, held));
        }
    }

    pub(super) fn note_words(&mut self, given: &Given<'_>) {
        /// So many words of so many commands are enough to know them by.
        const WORDS: usize = 6;
        const COMMANDS: usize = 64;
        if self.earlier.len() < COMMANDS {
            let words = given
                .fields
                .iter()
                .take(WORDS)
                .map(|field| field.text.bytes().unwrap_or_default().to_vec());
            self.earlier.push(words.collect());
        }
    }

    /// Counts what is removed, and refuses where a limit for the session is set and passed.
    pub(super) fn count_removals(&mut self, targets: &mut [Target]) {
        let removes = |act| {
            matches!(
                act,
                Act::Remove | Act::RemoveTree | Act::Sweep | Act::Select
            )
        };
        for target in targets {
            if target.refusal.is_some() || !removes(target.act) {
                continue;
            }
            self.trail.removed += 1;
            let background = self.place.background;
            let before = background.past.removed;
            if let Some(most) = background.settings.session_removals
                && before + self.trail.removed > u64::from(most)
            {
                target.refusal = Some(Refusal {
                    rule: Rule::Guard,
                    detail: Some("session-removals".to_owned()),
                    operation: None,
                    reasons: vec![format!(
                        "this session has removed {before} things, and the limit is {most}"
                    )],
                    instead: "ask the user to look at what is gone so far, or to raise the limit"
                        .to_owned(),
                });
            }
        }
    }

    /// Says of a refused target that it was refused before.
    pub(super) fn recall(&self, action: &mut Action) {
        for target in &mut action.targets {
            let (Some(refusal), Some(path)) = (&mut target.refusal, &target.resolved) else {
                continue;
            };
            let past = &self.place.background.past;
            let same = |known: &&RefusedBefore| {
                // What a guard refuses is not about what lies below.
                let exact = refusal.rule == Rule::Guard || guards::is_settable(&known.rule).is_ok();
                let (a, b) = (path.as_slice(), known.path.as_slice());
                a == b || !exact && (is_at_or_below(a, b) || is_at_or_below(b, a))
            };
            if let Some(known) = past.refused.iter().rev().find(same) {
                let program = wording::shown(&known.program);
                refusal.reasons.push(match known.program == action.program {
                    true => format!("the same target was refused before in this session [{}]", known.rule),
                    false => format!(
                        "the same target was refused before in this session, by {program} [{}]: another program does not make it right",
                        known.rule
                    ),
                });
                target.evidence.refused_before = Some(program);
            }
        }
    }
}
