//! What of a decision is worth a line although nothing was refused.

use blastradius_policy::{Policy, Rule};

use crate::report::{Near, Report};

/// What rules of deletion looked at and let pass by little.
#[must_use]
pub fn near_rules(policy: &Policy<'_>, report: &Report) -> Vec<Near> {
    let mut near = Vec::new();
    let most = policy.glob_breadth();
    let passed = report
        .actions
        .iter()
        .flat_map(|action| &action.targets)
        .filter(|target| target.refusal.is_none());
    for target in passed {
        if let Some(matches) = target.evidence.matches
            && matches.saturating_mul(2) >= most as usize
        {
            near.push(Near::of(
                Rule::GlobBreadth.id(),
                format!("{matches} names match, and the limit is {most}"),
            ));
        }
        if target.spelled.first() == Some(&b'~') {
            near.push(Near::of(
                Rule::TildeAmbiguous.id(),
                "the target is in the scope".to_owned(),
            ));
        }
    }
    near.dedup();
    near
}
