//! A verdict with every step, as `explain` prints it.

use blastradius_policy::{
    BEFORE_SCOPE, By, Canonical, EntryKind, Fs as _, Ground, Judgement, Rule, Subject,
};

use super::json::Context;
use super::panel::rule_name;
use super::{escape, escape_path, quote_words};
use crate::disk::Disk;
use crate::judge::Session;
use crate::loss;
use crate::report::{Action, Report, Target};

/// The text of `explain`.
pub struct Explanation<'a> {
    session: &'a Session<'a>,
    text: String,
}

impl<'a> Explanation<'a> {
    /// Every command, action, target, verdict and note.
    #[must_use]
    pub fn of(session: &'a Session<'a>, context: &Context<'_>, report: &Report) -> String {
        let mut explanation = Self {
            session,
            text: String::new(),
        };
        let unknown = || "unknown".to_owned();
        explanation.line(0, &format!("command  {}", escape(context.command)));
        explanation.line(
            0,
            &format!("cwd      {}", context.cwd.map_or_else(unknown, escape)),
        );
        explanation.line(
            0,
            &format!(
                "project  {}",
                context.project.map_or_else(|| "none".to_owned(), escape)
            ),
        );
        explanation.line(0, &format!("policy   {}", context.policy));
        explanation.steps(report);
        explanation.text.push('\n');
        if report.actions.is_empty() {
            explanation.line(0, "nothing in it is known to destroy anything");
        }
        for action in &report.actions {
            explanation.action(action);
        }
        for note in &report.notes {
            explanation.words(0, "note", note);
        }
        for near in &report.near {
            explanation.words(0, "near", &format!("{}: {}", near.rule, near.reason));
        }
        explanation.text.push('\n');
        let verdict = if report.is_refused() {
            "refuse"
        } else {
            "allow"
        };
        explanation.line(
            0,
            &format!("verdict  {verdict} ({} µs)", context.elapsed.as_micros()),
        );
        explanation.text
    }

    /// The commands in order, each with its directory where that is another than before.
    fn steps(&mut self, report: &Report) {
        let mut last = self.session.cwd.map(std::path::Path::to_owned);
        for (at, step) in report.steps.iter().enumerate() {
            let label = if at == 0 { "runs" } else { "" };
            let command = escape(&quote_words(&step.argv));
            let place = match &step.cwd {
                _ if step.cwd == last => String::new(),
                Some(cwd) => format!("   (in {})", escape_path(cwd)),
                None => "   (in a directory that is not known)".to_owned(),
            };
            self.line(0, &format!("{label:<8} {command}{place}"));
            last.clone_from(&step.cwd);
        }
    }

    fn action(&mut self, action: &Action) {
        let words = if action.argv.is_empty() {
            action.program.clone()
        } else {
            quote_words(&action.argv)
        };
        self.line(0, &escape(&words));
        if let Some(cwd) = &action.cwd {
            self.line(1, &format!("in       {}", escape_path(cwd)));
        }
        for target in &action.targets {
            self.target(target);
        }
    }

    fn target(&mut self, target: &Target) {
        let path = target
            .resolved
            .as_deref()
            .map_or_else(|| "no path that is known".to_owned(), escape);
        self.line(
            1,
            &format!(
                "{} of {} -> {path}",
                target.operation(),
                escape(&target.spelled)
            ),
        );
        let evidence = &target.evidence;
        for (label, names) in [("unset", &evidence.unset), ("empty", &evidence.empty)] {
            if !names.is_empty() {
                self.words(2, label, &names.join(" "));
            }
        }
        if let Some(matches) = evidence.matches {
            self.line(2, &format!("matches  {matches}"));
        }
        if let Some(decided_by) = &evidence.decided_by {
            self.words(2, "by", decided_by);
        }
        if target.refusal.is_none() {
            for origin in &evidence.origins {
                self.words(2, "since", &origin.to_string());
            }
        }
        if let Some(path) = target.resolved.as_deref().and_then(Canonical::new) {
            self.words(2, "loses", &loss::of(path, target.act));
            self.rules(path, target);
        }
        match &target.refusal {
            None => self.line(2, "allowed"),
            Some(refusal) => {
                for reason in &refusal.reasons {
                    self.words(2, "reason", reason);
                }
                let who = refusal.rule.overridable().words();
                self.line(2, &format!("refused  {} ({who})", rule_name(refusal)));
                self.words(2, "instead", &refusal.instead);
            }
        }
    }

    /// What each rule says of a path, in their order, up to the line that allows it or the end.
    fn rules(&mut self, path: Canonical<'_>, target: &Target) {
        let kind = Disk.lstat(path.as_bytes()).ok().map(|meta| meta.kind);
        let subject = Subject {
            path,
            act: target.act,
            by: By::Command,
            kind,
        };
        let policy = self.session.policy;
        let judgement = policy.judge(&subject);
        if judgement == Judgement::Allow(Ground::Harmless) {
            return self.line(2, "rules    none applies: nothing can be lost by it");
        }
        let mut passed: Vec<&str> = Vec::new();
        let mut struck = None;
        for rule in BEFORE_SCOPE {
            match policy.strikes(rule, &subject) {
                None => passed.push(rule.id()),
                Some(by) => {
                    struck = Some((rule, by));
                    break;
                }
            }
        }
        if !passed.is_empty() {
            self.line(2, &format!("rules    not {}", passed.join(", not ")));
        }
        let scope = match (struck, judgement) {
            (Some((rule, b"")), _) => rule.id().to_owned(),
            (Some((rule, by)), _) => format!("{}: {}", rule.id(), escape(by)),
            (None, Judgement::Allow(Ground::Entry(entry))) => {
                let word = match entry.kind {
                    EntryKind::AllowDefault | EntryKind::AllowProject | EntryKind::AllowUser => {
                        "allow"
                    }
                    _ => "state",
                };
                format!("{word} {}", escape(entry.pattern))
            }
            (None, Judgement::Refuse { rule, .. }) if rule != Rule::PolicyInDoubt => {
                "no allow line matches".to_owned()
            }
            (None, _) => "the policy is in doubt".to_owned(),
        };
        self.line(2, &format!("         {scope}"));
    }

    /// What was said in words may quote names, too.
    fn words(&mut self, depth: usize, label: &str, words: &str) {
        self.line(depth, &format!("{label:<8} {}", escape(words.as_bytes())));
    }

    fn line(&mut self, depth: usize, text: &str) {
        for _ in 0..depth {
            self.text.push_str("  ");
        }
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }
}
