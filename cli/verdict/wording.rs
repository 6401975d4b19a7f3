//! Why something is refused, in words.

use blastradius_policy::{Act, By, Canonical, Judgement, Kind, Policy, Rule, Subject};

use super::aim::Aim;
use crate::{
    interp::{FED, Field, MADE_UP, PLACEHOLDER, Trace},
    message::escape,
    report::{Evidence, Refusal, Target},
};

/// A name as it may be shown in a message.
pub(super) fn shown(name: &[u8]) -> String {
    escape(name)
}

pub(super) fn refusal(rule: Rule, reasons: Vec<String>) -> Refusal {
    Refusal {
        rule,
        detail: None,
        operation: None,
        reasons,
        instead: rule.instead().to_owned(),
    }
}

pub(super) fn target(
    act: Act,
    aim: &Aim,
    resolved: Option<Vec<u8>>,
    refusal: Option<Refusal>,
    evidence: Evidence,
) -> Target {
    Target {
        act,
        spelled: aim.spelled.to_vec(),
        resolved: resolved.map(named),
        refusal,
        evidence,
    }
}

/// A path as a person reads it: the names that `mktemp` makes up are not known.
pub(super) fn named(path: Vec<u8>) -> Vec<u8> {
    match std::str::from_utf8(&path) {
        Ok(text) if text.contains(PLACEHOLDER) => {
            let name = format!("<{MADE_UP}>");
            text.replace(PLACEHOLDER, &name).into_bytes()
        }
        _ => path,
    }
}

/// What the policy says of one canonical path.
pub(super) fn of_policy(
    policy: &Policy<'_>,
    act: Act,
    by: By,
    path: Canonical<'_>,
    kind: Option<Kind>,
) -> Option<(Refusal, Option<String>)> {
    let Judgement::Refuse { rule, by } = policy.judge(&Subject {
        path,
        act,
        by,
        kind,
    }) else {
        return None;
    };
    let decided_by = (!by.is_empty()).then(|| shown(by));
    let mut reasons = vec![reason(policy, rule, act, path, by, kind)];
    if matches!(rule, Rule::OutOfScope | Rule::SystemPath)
        && let Some(line) = policy.untrusted(path)
    {
        reasons.push(format!(
            "the line that would allow it ({}) is not trusted: see blastradius trust",
            shown(line)
        ));
    }
    Some((refusal(rule, reasons), decided_by))
}

fn reason(
    policy: &Policy<'_>,
    rule: Rule,
    act: Act,
    path: Canonical<'_>,
    by: &[u8],
    kind: Option<Kind>,
) -> String {
    let by_shown = shown(by);
    match rule {
        Rule::FloorPath if kind == Some(Kind::BlockDevice) => {
            "the target is a block device".to_owned()
        }
        Rule::FloorPath if path.depth() == 0 => {
            "the target is the root of the file system".to_owned()
        }
        Rule::FloorPath if policy.homes().any(|home| home == path) => {
            "the target is a home directory".to_owned()
        }
        Rule::FloorPath if path.depth() == 1 => {
            "the target is at depth 1 below the root".to_owned()
        }
        Rule::FloorPath if Canonical::new(by).is_some_and(|inner| inner.is_below(path)) => {
            format!("the target contains {by_shown}")
        }
        Rule::FloorPath => "the target is on the floor: nothing may remove it".to_owned(),
        Rule::SystemPath => format!("the target lies in {by_shown}, which belongs to the system"),
        Rule::Denied if act.takes_contents() || matches!(act, Act::Sweep | Act::Select) => {
            format!("a deny line protects {by_shown}, at or below the target")
        }
        Rule::Denied => format!("a deny line protects {by_shown}"),
        Rule::ProjectRoot => "the target is the project itself".to_owned(),
        Rule::VcsMetadata => "the target is the repository's history".to_owned(),
        Rule::GuardFile => "the target is a file of the guard itself".to_owned(),
        Rule::PolicyInDoubt => format!("the policy is in doubt: {by_shown}"),
        _ => match policy.project() {
            Some(project) => format!(
                "no allow line matches it (the project is {})",
                shown(project.as_bytes())
            ),
            None => "no allow line matches it, and there is no project here".to_owned(),
        },
    }
}

/// A variable that is unset or empty stands in the target.
pub(super) fn emptied(
    act: Act,
    spelled: Vec<u8>,
    resolved: Option<Vec<u8>>,
    lost: &Trace,
) -> Target {
    let mut reasons = trace(lost);
    if let Some(path) = resolved.as_deref().and_then(Canonical::new) {
        match path.depth() {
            0 => reasons.push("the target is the root of the file system".to_owned()),
            1 => reasons.push("the target is at depth 1 below the root".to_owned()),
            _ => {}
        }
    }
    let evidence = Evidence {
        unset: lost.unset.iter().map(|name| shown(name)).collect(),
        empty: lost.empty.iter().map(|name| shown(name)).collect(),
        ..Evidence::default()
    };
    Target {
        act,
        spelled,
        resolved,
        refusal: Some(refusal(Rule::EmptyVariableExpansion, reasons)),
        evidence,
    }
}

/// One line for each variable that contributed nothing.
pub(super) fn trace(lost: &Trace) -> Vec<String> {
    let unset = lost.unset.iter().enumerate().map(|(at, name)| {
        let name = shown(name);
        if at == 0 {
            format!("{name} is unset: the expansion is an empty string")
        } else {
            format!("{name} is unset")
        }
    });
    let empty = lost.empty.iter().map(|name| {
        let name = shown(name);
        if name.starts_with('$') || name.starts_with('`') {
            format!("{name} prints nothing")
        } else {
            format!("{name} is empty")
        }
    });
    unset.chain(empty).collect()
}

pub(super) fn empty_target(act: Act, spelled: Vec<u8>) -> Target {
    let reason = "the target is an empty string".to_owned();
    Target {
        act,
        spelled,
        resolved: None,
        refusal: Some(refusal(Rule::EmptyTarget, vec![reason])),
        evidence: Evidence::default(),
    }
}

pub(super) fn without_targets(act: Act, program: &[u8], fields: &[Field]) -> Target {
    let spelled = fields
        .iter()
        .map(|field| field.text.display())
        .collect::<Vec<_>>()
        .join(&b' ');
    let reason = format!("{} is given nothing to act on", shown(program));
    Target {
        act,
        spelled,
        resolved: None,
        refusal: Some(refusal(Rule::NoTargets, vec![reason])),
        evidence: Evidence::default(),
    }
}

/// What the command is to act on comes from something that cannot be known.
pub(super) fn fed(act: Act, why: &str) -> Target {
    let reason = format!("what it acts on comes from {why}");
    Target {
        act,
        spelled: FED.to_vec(),
        resolved: None,
        refusal: Some(refusal(Rule::NoTargets, vec![reason])),
        evidence: Evidence::default(),
    }
}

pub(super) fn unresolvable(act: Act, spelled: Vec<u8>, why: &str) -> Target {
    let reason = format!("the target depends on {why}");
    Target {
        act,
        spelled,
        resolved: None,
        refusal: Some(refusal(Rule::UnresolvableTarget, vec![reason])),
        evidence: Evidence::default(),
    }
}
