//! Refusals in one line each.

use super::escape;
use super::panel::rule_name;
use crate::report::{Action, Report, Target};

/// A whole refusal in one line, as `--quiet` prints it.
#[must_use]
pub fn one_line(report: &Report) -> String {
    let mut refusals = report.refusals();
    let Some((action, target)) = refusals.next() else {
        return String::new();
    };
    let more = match refusals.count() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    format!("blastradius: {}{more}", describe(action, target))
}

/// Every refused target as one sentence, at most ten, with its remedy: for an agent that shows one string only.
#[must_use]
pub fn sentences(report: &Report) -> String {
    let mut lines = Vec::new();
    for (action, target) in report.refusals().take(10) {
        let remedy = target
            .refusal
            .as_ref()
            .map_or_else(String::new, |refusal| escape(refusal.instead.as_bytes()));
        lines.push(format!(
            "blastradius: {}. Instead: {remedy}",
            describe(action, target)
        ));
    }
    let count = report.refusals().count();
    if count > 10 {
        lines.push(format!("and {} more refused", count - 10));
    }
    lines.join("\n")
}

fn describe(action: &Action, target: &Target) -> String {
    let path = escape(target.resolved.as_deref().unwrap_or(&target.spelled));
    let program = escape(&action.program);
    let (reason, rule) = match &target.refusal {
        Some(refusal) => (
            escape(refusal.reasons.join("; ").as_bytes()),
            rule_name(refusal),
        ),
        None => (String::new(), String::new()),
    };
    let act = target.operation();
    format!("refused {act} of {path} by {program}: {reason} [{rule}]")
}
