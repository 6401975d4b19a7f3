//! The verdict on one target: a path, or what may become one.

use blastradius_policy::{Act, By, Canonical, Fs, Kind, PathBuffer, Rule, canonicalise};

use super::aim::{Aim, Base};
use super::{Court, globs, wording};
use crate::interp::FED;
use crate::report::{Evidence, Refusal, Target};

/// A refusal, and the line that decided.
type Refused = (Refusal, Option<String>);

impl Court<'_> {
    /// Judges one aim, and says of what is refused how it came to be. `None`: nothing would be lost, or it is left to the
    /// layers below.
    pub(super) fn judge(&mut self, act: Act, aim: &Aim, swept: &mut globs::Seen) -> Option<Target> {
        let mut target = self.judged(act, aim, swept)?;
        self.tell_origins(aim, &mut target);
        Some(target)
    }

    fn judged(&mut self, act: Act, aim: &Aim, swept: &mut globs::Seen) -> Option<Target> {
        if let Some(glob) = &aim.glob
            && let Some(verdict) = self.glob(act, aim, glob, swept)
        {
            return verdict;
        }
        if aim.text.is_empty() && aim.trace.lost_nothing() {
            return Some(wording::empty_target(act, aim.spelled.to_vec()));
        }
        if !aim.trace.lost_nothing() {
            let resolved = aim
                .resolve(&self.fs, false)
                .map(|path| path.as_bytes().to_vec());
            let resolved = if aim.text.is_empty() { None } else { resolved };
            return Some(wording::emptied(
                act,
                aim.spelled.to_vec(),
                resolved,
                &aim.trace,
            ));
        }
        if aim.text.bytes().is_none() {
            return self.contained(act, aim);
        }
        let follow = act.follows_link()
            || aim.follow
            || aim.text.bytes().is_some_and(|bytes| bytes.ends_with(b"/"));
        let Base::At(start) = aim.base_for() else {
            return self.unresolved(act, aim, &aim.base_why());
        };
        let mut buffer = PathBuffer::new();
        let path = aim.text.bytes().unwrap_or_default();
        match canonicalise(&self.fs, &start, path, follow, &mut buffer) {
            Ok(path) => {
                if matches!(
                    act,
                    Act::Replace | Act::Truncate | Act::Overwrite | Act::Append
                ) {
                    self.written.push(path.as_bytes().to_vec());
                }
                let target = self.judge_path(act, aim, path)?;
                match &aim.glob {
                    Some(glob) if target.refusal.is_none() && !Self::lists(glob, act, swept) => {
                        None
                    }
                    _ => Some(target),
                }
            }
            Err(error) => {
                let reason = format!("the path could not be resolved: {error}");
                Some(wording::target(
                    act,
                    aim,
                    None,
                    Some(wording::refusal(Rule::UnresolvableTarget, vec![reason])),
                    Evidence::default(),
                ))
            }
        }
    }

    pub(super) fn unresolved(&self, act: Act, aim: &Aim, why: &str) -> Option<Target> {
        if self.leaves_unknown() {
            return None;
        }
        if *aim.spelled == *FED {
            return Some(wording::fed(act, why));
        }
        Some(wording::unresolvable(act, aim.spelled.to_vec(), why))
    }

    /// Judges a canonical path.
    pub(super) fn judge_path(
        &mut self,
        act: Act,
        aim: &Aim,
        path: Canonical<'_>,
    ) -> Option<Target> {
        let meta = self.fs.lstat(path.as_bytes());
        let kind = meta.ok().map(|meta| meta.kind);
        if !self.loses_anything(act, path, kind, meta.ok().map(|meta| meta.size)) {
            return None;
        }
        // What is swept or picked below something that is no directory is that very file.
        let act = match (act, kind) {
            (Act::Sweep | Act::Select, Some(Kind::File | Kind::Symlink | Kind::Other)) => {
                Act::Replace
            }
            _ => act,
        };
        let refused = self.refusal(act, aim, path, kind);
        let (refusal, decided_by) = match self.said_first(aim, refused) {
            Some((refusal, by)) => (Some(refusal), by),
            None => (None, None),
        };
        let evidence = Evidence {
            decided_by,
            matches: aim.glob.as_ref().map(|glob| glob.matches),
            ..Evidence::default()
        };
        Some(wording::target(
            act,
            aim,
            Some(path.as_bytes().to_vec()),
            refusal,
            evidence,
        ))
    }

    /// What the policy says of a path, and of what lies below it.
    fn refusal(
        &mut self,
        act: Act,
        aim: &Aim,
        path: Canonical<'_>,
        kind: Option<Kind>,
    ) -> Option<Refused> {
        let refused = wording::of_policy(self.place.session.policy, act, self.by, path, kind);
        match act {
            _ if refused.is_some() => refused,
            Act::RemoveTree if aim.follow_below => self
                .leads_outside(path)
                .or_else(|| self.crosses_mount(path)),
            Act::RemoveTree => (self.crosses_mount(path).or_else(|| self.denied_below(path)))
                .or_else(|| self.takes_only_history(path, kind)),
            Act::MoveAway | Act::Sweep => self.denied_below(path),
            Act::Select if aim.follow_below => self.leads_outside(path),
            _ => None,
        }
    }

    /// How the path was come by may say more than where it lies.
    fn said_first(&self, aim: &Aim, refused: Option<Refused>) -> Option<Refused> {
        let rule = refused.as_ref().map(|(refusal, _)| refusal.rule);
        let is_of_place = matches!(
            rule,
            Some(Rule::FloorPath | Rule::OutOfScope | Rule::SystemPath)
        );
        let (rule, mut reasons) = if aim.tilde && (is_of_place || rule.is_none() && self.strict()) {
            let reason = "the target begins with an unquoted ~".to_owned();
            (Rule::TildeAmbiguous, vec![reason])
        } else if !aim.cwd_trace.lost_nothing() && rule.is_some_and(|rule| rule != Rule::FloorPath)
        {
            let mut reasons = wording::trace(&aim.cwd_trace);
            reasons.push("cd went home because of it".to_owned());
            (Rule::EmptyVariableExpansion, reasons)
        } else {
            return refused;
        };
        let by = refused.and_then(|(mut refusal, by)| {
            reasons.append(&mut refusal.reasons);
            by
        });
        Some((wording::refusal(rule, reasons), by))
    }

    /// Emptying or replacing what does not exist loses nothing. Below `/dev` a missing device may only be
    /// missing here.
    fn loses_anything(
        &self,
        act: Act,
        path: Canonical<'_>,
        kind: Option<Kind>,
        size: Option<u64>,
    ) -> bool {
        if self.by == By::Program && kind.is_none() {
            return false;
        }
        let device = path.as_bytes().starts_with(b"/dev/");
        match (act, kind) {
            (Act::Truncate | Act::Overwrite | Act::Replace | Act::Sweep | Act::Select, None) => {
                device && !is_standard_stream(path.as_bytes())
            }
            (Act::Truncate | Act::Overwrite | Act::Append, Some(Kind::Other)) => false,
            (Act::Truncate | Act::Overwrite, Some(Kind::File)) => size != Some(0),
            (Act::Append, None) => false,
            _ => true,
        }
    }
}

fn is_standard_stream(path: &[u8]) -> bool {
    [
        &b"/dev/std"[..],
        b"/dev/fd/",
        b"/dev/tty",
        b"/dev/null",
        b"/dev/tcp/",
        b"/dev/udp/",
    ]
    .iter()
    .any(|known| path.starts_with(known))
}
