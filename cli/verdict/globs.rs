//! Globs: how much one may take at once, and what one that matches nothing means.

use std::rc::Rc;

use blastradius_policy::{Act, PathBuffer, Rule, canonicalise};

use super::{
    Court,
    aim::{Aim, Base},
    wording,
};
use crate::{
    interp::{Cwd, Glob, PLACEHOLDER},
    report::{Evidence, Target},
};

/// The globs of one command that were judged.
#[derive(Default)]
pub(super) struct Seen {
    globs: Vec<(Rc<Glob>, Act, Answer)>,
}

impl Seen {
    fn answer(&mut self, glob: &Rc<Glob>, act: Act) -> Option<&mut Answer> {
        self.globs
            .iter_mut()
            .find(|(known, of, _)| Rc::ptr_eq(known, glob) && *of == act)
            .map(|(_, _, answer)| answer)
    }

    /// Whether a glob has its verdict as a whole, so that there is no need to look at one more of its matches.
    pub(super) fn is_judged(&mut self, glob: &Rc<Glob>, act: Act) -> bool {
        self.answer(glob, act) == Some(&mut Answer::Whole)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// The glob as a whole has its verdict.
    Whole,
    /// Each match is judged by itself; an allowed one is listed already.
    Listed,
    /// The same, none is listed yet.
    Unlisted,
}

impl Court<'_> {
    /// Judges a glob when its first match comes by. `None`: judge the match by itself. `Some(None)`: nothing more
    /// to say.
    #[allow(
        clippy::option_option,
        reason = "three answers: judge on, say nothing, say this"
    )]
    pub(super) fn glob(
        &self,
        act: Act,
        aim: &Aim,
        glob: &Rc<Glob>,
        seen: &mut Seen,
    ) -> Option<Option<Target>> {
        if let Some(answer) = seen.answer(glob, act) {
            return (*answer == Answer::Whole).then_some(None);
        }
        let whole = self.whole(act, aim, glob);
        let answer = if whole.is_some() {
            Answer::Whole
        } else {
            Answer::Unlisted
        };
        seen.globs.push((glob.clone(), act, answer));
        whole.map(Some)
    }

    /// Whether an allowed match should be listed: only the first of its glob is.
    pub(super) fn lists(glob: &Rc<Glob>, act: Act, seen: &mut Seen) -> bool {
        match seen.answer(glob, act) {
            Some(answer @ Answer::Unlisted) => {
                *answer = Answer::Listed;
                true
            }
            _ => false,
        }
    }

    fn whole(&self, act: Act, aim: &Aim, glob: &Glob) -> Option<Target> {
        let evidence = Evidence {
            matches: Some(glob.matches),
            ..Evidence::default()
        };
        let policy = self.place.session.policy;
        if !aim.trace.lost_nothing() {
            let resolved = self.spelled_out(aim, glob).map(|path| shown(&path));
            return Some(wording::emptied(
                act,
                aim.spelled.to_vec(),
                resolved,
                &aim.trace,
            ));
        }
        if self.strict() && glob.matches == 0 {
            let reason = "the glob matches nothing".to_owned();
            return Some(self.refused(act, aim, glob, Rule::GlobNoMatch, reason, evidence));
        }
        let removes = matches!(act, Act::Remove | Act::RemoveTree | Act::Truncate);
        if removes && self.sweeps(&aim.start(), glob) {
            let reason = "the glob takes everything at the top of the project".to_owned();
            return Some(self.refused(act, aim, glob, Rule::GlobBreadth, reason, evidence));
        }
        let limit = policy.glob_breadth() as usize;
        if removes && glob.matches > limit {
            let reason = if glob.matches == usize::MAX {
                "the glob matches more names than can be listed".to_owned()
            } else {
                format!("the glob matches {} names, more than {limit}", glob.matches)
            };
            return Some(self.refused(act, aim, glob, Rule::GlobBreadth, reason, evidence));
        }
        if glob.matches > 0 && !aim.disk_changed {
            return None;
        }
        let Base::At(_) = aim.base_for() else {
            return self.unresolved(act, aim, &aim.base_why());
        };
        let path = self.spelled_out(aim, glob)?;
        let refusal = wording::of_policy(policy, act, self.by, path.canonical(), None);
        match refusal {
            None if glob.matches > 0 => None,
            None => Some(wording::target(
                act,
                aim,
                Some(shown(&path)),
                None,
                evidence,
            )),
            Some(_) if glob.matches > 0 => self.unresolved(
                act,
                aim,
                "what it matches once the commands before it have run",
            ),
            Some((mut refusal, by)) => {
                let mut reasons = vec![
                    "the glob matches nothing now, and what it spells is not in the scope"
                        .to_owned(),
                ];
                reasons.append(&mut refusal.reasons);
                let refusal = wording::refusal(Rule::GlobNoMatch, reasons);
                Some(wording::target(
                    act,
                    aim,
                    Some(shown(&path)),
                    Some(refusal),
                    Evidence {
                        decided_by: by,
                        ..evidence
                    },
                ))
            }
        }
    }

    fn refused(
        &self,
        act: Act,
        aim: &Aim,
        glob: &Glob,
        rule: Rule,
        reason: String,
        evidence: Evidence,
    ) -> Target {
        let shown = self.spelled_out(aim, glob).map(|path| shown(&path));
        wording::target(
            act,
            aim,
            shown,
            Some(wording::refusal(rule, vec![reason])),
            evidence,
        )
    }

    /// The glob with a placeholder for each of its pattern characters, as a canonical path.
    fn spelled_out(&self, aim: &Aim, glob: &Glob) -> Option<PathBuffer> {
        let Base::At(start) = (if glob.pattern.first() == Some(&b'/') {
            Base::At(b"/".to_vec())
        } else {
            aim.base_for()
        }) else {
            return None;
        };
        let mut path = Vec::new();
        let mut at = 0;
        while at < glob.pattern.len() {
            let active = glob.active[at];
            match glob.pattern[at] {
                b'*' | b'?' if active => path.extend_from_slice(PLACEHOLDER.as_bytes()),
                b'[' if active => match glob.pattern[at..].iter().position(|byte| *byte == b']') {
                    Some(end) => {
                        path.extend_from_slice(PLACEHOLDER.as_bytes());
                        at += end;
                    }
                    None => path.push(b'['),
                },
                byte => path.push(byte),
            }
            at += 1;
        }
        let mut buffer = PathBuffer::new();
        canonicalise(&self.fs, &start, &path, false, &mut buffer).ok()?;
        Some(buffer)
    }

    /// Whether a glob takes everything at the top of the project, seen from a directory.
    pub(crate) fn sweeps_project(&self, glob: &Glob, cwd: &Cwd) -> bool {
        match cwd {
            Cwd::At(cwd) => self.sweeps(cwd, glob),
            Cwd::Unknown(_) => self.sweeps(b"/", glob),
        }
    }

    /// Whether its last component stands at the project root and selects by nothing but dots and patterns.
    fn sweeps(&self, from: &[u8], glob: &Glob) -> bool {
        let Some(project) = self.place.session.policy.project() else {
            return false;
        };
        let trailing = glob
            .pattern
            .iter()
            .rev()
            .take_while(|byte| **byte == b'/')
            .count();
        let end = glob.pattern.len() - trailing;
        let start = glob.pattern[..end]
            .iter()
            .rposition(|byte| *byte == b'/')
            .map_or(0, |at| at + 1);
        let (component, active) = (&glob.pattern[start..end], &glob.active[start..end]);
        let selects = !self.strict() && selects(component, active);
        let has_pattern = component
            .iter()
            .zip(active)
            .any(|(byte, active)| *active && b"*?[!".contains(byte));
        if selects || !has_pattern {
            return false;
        }
        let directory = if start == 0 {
            &b"."[..]
        } else {
            &glob.pattern[..start]
        };
        if glob.active[..start]
            .iter()
            .zip(&glob.pattern[..start])
            .any(|(active, byte)| *active && b"*?[".contains(byte))
        {
            return false;
        }
        let base = if directory.first() == Some(&b'/') {
            b"/".to_vec()
        } else {
            from.to_vec()
        };
        let mut buffer = PathBuffer::new();
        canonicalise(&self.fs, &base, directory, true, &mut buffer)
            .is_ok_and(|directory| directory == project)
    }
}

/// A glob that was spelled out, as a person would write it.
fn shown(path: &PathBuffer) -> Vec<u8> {
    let path = String::from_utf8_lossy(path.as_bytes());
    path.replace(PLACEHOLDER, "*").into_bytes()
}

/// Whether a component has a literal character to select by; what `!(...)` names is what it leaves.
fn selects(component: &[u8], active: &[bool]) -> bool {
    let mut at = 0;
    while at < component.len() {
        match component[at] {
            b'*' | b'?' if active[at] => {}
            b'[' if active[at] => match component[at..]
                .iter()
                .skip(2)
                .position(|byte| *byte == b']')
            {
                Some(end) => at += end + 2,
                None => return true,
            },
            b'!' if active[at] && component.get(at + 1) == Some(&b'(') => {
                at = end_of_group(component, at + 2);
            }
            b'.' => {}
            _ => return true,
        }
        at += 1;
    }
    false
}

/// Where the parenthesis that opens before `at` closes.
fn end_of_group(component: &[u8], at: usize) -> usize {
    let mut depth = 1_usize;
    for (place, byte) in component.iter().enumerate().skip(at) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    component.len()
}
