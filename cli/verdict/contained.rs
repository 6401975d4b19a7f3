//! Targets that are not wholly known: allowed where whatever they turn out to be lies inside the scope.

use blastradius_policy::{Act, Below, Canonical, Fs, Kind, PathBuffer, Rule, canonicalise};

use super::{
    Court,
    aim::{Aim, Base},
    wording,
};
use crate::{
    interp::{PLACEHOLDER, Segment, Unknown},
    report::{Evidence, Refusal, Target},
};

/// Names looked at when a tree is searched for denied places or links.
const MOST_LOOKED_AT: usize = 50_000;

impl Court<'_> {
    /// Judges a target that has an unknown stretch.
    pub(super) fn contained(&mut self, act: Act, aim: &Aim) -> Option<Target> {
        let why = aim
            .text
            .why_unknown()
            .map_or_else(String::new, |unknown| unknown.why.to_string());
        if let Some(found) =
            aim.text.segments.iter().position(|segment| {
                matches!(segment, Segment::Unknown(Unknown { found: Some(_), .. }))
            })
        {
            return self.found(act, aim, found, &why);
        }
        let Some(shape) = shape(aim) else {
            return self.unresolved(act, aim, &why);
        };
        let Base::At(start) = aim.base_for() else {
            return self.unresolved(act, aim, &aim.base_why());
        };
        let mut buffer = PathBuffer::new();
        let Ok(path) = canonicalise(&self.fs, &start, &shape, false, &mut buffer) else {
            return self.unresolved(act, aim, &why);
        };
        let parent = first_unknown_parent(path);
        let policy = self.place.session.policy;
        let could_be_vital =
            path.name() == PLACEHOLDER.as_bytes() && parent == policy.project() && takes(act);
        if could_be_vital || parent.is_some_and(|parent| policy.denies_below(parent) != Below::No) {
            return self.unresolved(act, aim, &why);
        }
        let refusal = wording::of_policy(policy, act, blastradius_policy::By::Command, path, None);
        let (refusal, decided_by) =
            refusal.map_or((None, None), |(refusal, by)| (Some(refusal), by));
        let shown = shown(path.as_bytes(), &why);
        Some(wording::target(
            act,
            aim,
            Some(shown),
            refusal,
            Evidence {
                decided_by,
                ..Evidence::default()
            },
        ))
    }

    /// What `find` found below a start point.
    fn found(&mut self, act: Act, aim: &Aim, at: usize, why: &str) -> Option<Target> {
        let mut root = Vec::new();
        for segment in &aim.text.segments[..at] {
            match segment {
                Segment::Known(bytes) => root.extend_from_slice(bytes),
                Segment::Unknown(_) => return self.unresolved(act, aim, why),
            }
        }
        let Segment::Unknown(Unknown {
            found: Some(found), ..
        }) = &aim.text.segments[at]
        else {
            return None;
        };
        let climbs = aim.text.segments[at + 1..]
            .iter()
            .any(|segment| match segment {
                Segment::Known(bytes) => bytes.windows(2).any(|pair| pair == b".."),
                Segment::Unknown(_) => true,
            });
        if climbs {
            return self.unresolved(act, aim, why);
        }
        let act = match (takes(act), found.tested) {
            (_, true) => Act::Select,
            (true, false) => Act::RemoveTree,
            (false, false) => Act::Sweep,
        };
        let Base::At(start) = aim.base_for() else {
            return self.unresolved(act, aim, &aim.base_why());
        };
        let mut buffer = PathBuffer::new();
        let follow = found.follow || root.ends_with(b"/");
        let Ok(path) = canonicalise(&self.fs, &start, &root, follow, &mut buffer) else {
            return self.unresolved(act, aim, why);
        };
        let aim = aim.clone().through_links(found.follow);
        self.judge_path(act, &aim, path)
    }

    /// A deny line that only the disk can tell about: whether it matches anything below.
    pub(super) fn denied_below(&self, path: Canonical<'_>) -> Option<(Refusal, Option<String>)> {
        let policy = self.place.session.policy;
        let Below::Possible(pattern) = policy.denies_below(path) else {
            return None;
        };
        let mut budget = MOST_LOOKED_AT;
        let found = walk(&self.fs, path.as_bytes(), &mut budget, &mut |name, kind| {
            let below = Canonical::new(name)?;
            let (refusal, _) = wording::of_policy(
                policy,
                Act::Remove,
                blastradius_policy::By::Command,
                below,
                Some(kind),
            )?;
            (refusal.rule == Rule::Denied).then(|| name.to_vec())
        });
        let pattern = String::from_utf8_lossy(pattern).into_owned();
        let reason = match found {
            Some(name) => format!(
                "{} lies below it, and is denied by {pattern}",
                wording::shown(&name)
            ),
            None if budget == 0 => {
                format!("there are too many names below it to rule out {pattern}")
            }
            None => return None,
        };
        Some((wording::refusal(Rule::Denied, vec![reason]), Some(pattern)))
    }

    /// Links below a tree that is searched through them: what they name must be in the scope too.
    pub(super) fn leads_outside(&self, path: Canonical<'_>) -> Option<(Refusal, Option<String>)> {
        let policy = self.place.session.policy;
        let mut budget = MOST_LOOKED_AT;
        walk(&self.fs, path.as_bytes(), &mut budget, &mut |name, kind| {
            if kind != Kind::Symlink {
                return None;
            }
            let mut buffer = PathBuffer::new();
            let target = canonicalise(&self.fs, b"/", name, true, &mut buffer).ok()?;
            let (mut refusal, by) = wording::of_policy(
                policy,
                Act::RemoveTree,
                blastradius_policy::By::Command,
                target,
                None,
            )?;
            refusal
                .reasons
                .insert(0, format!("the link {} is followed", wording::shown(name)));
            Some((refusal, by))
        })
    }
}

/// Whether an act takes names away.
const fn takes(act: Act) -> bool {
    matches!(act, Act::Remove | Act::RemoveTree | Act::MoveAway)
}

/// Visits everything below a directory until `visit` has an answer or the budget is spent.
fn walk<T>(
    fs: &dyn Fs,
    root: &[u8],
    budget: &mut usize,
    visit: &mut dyn FnMut(&[u8], Kind) -> Option<T>,
) -> Option<T> {
    let mut pending = vec![root.to_vec()];
    while let Some(directory) = pending.pop() {
        let mut names = Vec::new();
        // What cannot be listed cannot be removed by whoever runs this either.
        if fs
            .list(&directory, &mut |name| names.push(name.to_vec()))
            .is_err()
        {
            continue;
        }
        for name in names {
            if *budget == 0 {
                return None;
            }
            *budget -= 1;
            let path = [directory.as_slice(), b"/", name.as_slice()].concat();
            let Ok(meta) = fs.lstat(&path) else { continue };
            if let Some(answer) = visit(&path, meta.kind) {
                return Some(answer);
            }
            if meta.kind == Kind::Directory {
                pending.push(path);
            }
        }
    }
    None
}

/// The path with a placeholder for each unknown stretch; `None` if it could leave its directory.
fn shape(aim: &Aim) -> Option<Vec<u8>> {
    let mut shape = Vec::new();
    let mut component = Component::default();
    for segment in &aim.text.segments {
        match segment {
            Segment::Known(bytes) => {
                for &byte in bytes {
                    if byte == b'/' {
                        if !std::mem::take(&mut component).is_safe() {
                            return None;
                        }
                    } else {
                        component.named |= byte != b'.';
                        component.dots.push(byte);
                    }
                    shape.push(byte);
                }
            }
            Segment::Unknown(unknown) => {
                if unknown.may_hold_slash {
                    return None;
                }
                component.unknown = true;
                component.named |= !unknown.may_be_empty;
                shape.extend_from_slice(PLACEHOLDER.as_bytes());
            }
        }
    }
    component.is_safe().then_some(shape)
}

#[derive(Default)]
struct Component {
    unknown: bool,
    /// It certainly holds something that is no dot.
    named: bool,
    dots: Vec<u8>,
}

impl Component {
    /// A component with something unknown in it must be a name; `..` after one would climb out of it.
    fn is_safe(&self) -> bool {
        if self.unknown {
            self.named
        } else {
            self.dots != b".." || self.named
        }
    }
}

/// The directory in which the first unknown name lies.
fn first_unknown_parent(path: Canonical<'_>) -> Option<Canonical<'_>> {
    let bytes = path.as_bytes();
    let at = bytes
        .windows(PLACEHOLDER.len())
        .position(|window| window == PLACEHOLDER.as_bytes())?;
    let slash = bytes[..at].iter().rposition(|byte| *byte == b'/')?;
    Canonical::new(if slash == 0 { b"/" } else { &bytes[..slash] })
}

/// The path as a person reads it.
fn shown(path: &[u8], why: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(path).replace(PLACEHOLDER, &format!("<{why}>"));
    text.into_bytes()
}
