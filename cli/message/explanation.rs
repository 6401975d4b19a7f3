//! A verdict with every step, as `explain` prints it.

use super::json::Context;
use super::panel::rule_name;
use super::{escape, escape_path, quote_words};
use crate::report::{Action, Report, Target};

/// The text of `explain`.
pub struct Explanation {
    text: String,
}

impl Explanation {
    /// Every action, target, verdict and note.
    #[must_use]
    pub fn of(context: &Context<'_>, report: &Report) -> String {
        let mut explanation = Self {
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

    /// What was said in words may quote names, too.
    fn words(&mut self, depth: usize, label: &str, words: &str) {
        self.line(depth, &format!("{label:<8} {}", escape(words.as_bytes())));
    }

    fn line(&mut self, depth: usize, text: &str) {
        for _ in 0..depth {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }
}
