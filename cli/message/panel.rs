//! The panel of a refusal.

use std::io::IsTerminal as _;

use blastradius_policy::Rule;

use super::escape;
use crate::report::{Refusal, Report};

/// More targets than these are counted, not shown.
const MOST_TARGETS: usize = 10;

/// More of a command than this is cut off: it was the agent's own, and the targets follow.
const MOST_COMMAND: usize = 600;

const CLOSING: &str = "If this is intentional, run it yourself outside the agent.";

/// How a panel may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text alone.
    Plain,
    /// With the headline in colour.
    Colour,
}

impl Style {
    /// Colour only for a terminal on stderr whose owner has not asked for none.
    #[must_use]
    pub fn of_stderr() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::env::var_os("TERM").is_some_and(|terminal| terminal != "dumb");
        if wanted && std::io::stderr().is_terminal() {
            Self::Colour
        } else {
            Self::Plain
        }
    }
}

/// A refusal as a person reads it.
pub struct Panel {
    text: String,
    style: Style,
}

impl Panel {
    /// The panel of a report that refuses something.
    #[must_use]
    pub fn of_report(command: &[u8], report: &Report, style: Style) -> String {
        let mut panel = Self::begin(style);
        panel.row("command", &shorten(&escape(command)));
        let count = report.refusals().count();
        for (index, (_, target)) in report.refusals().take(MOST_TARGETS).enumerate() {
            if index > 0 {
                panel.gap();
            }
            match &target.resolved {
                Some(path) => panel.row("resolved", &escape(path)),
                None => panel.row("target", &shorten(&escape(&target.spelled))),
            }
            if let Some(refusal) = &target.refusal {
                panel.refusal(refusal);
            }
        }
        if count > MOST_TARGETS {
            panel.gap();
            panel.line(&format!("and {} more refused", count - MOST_TARGETS));
        }
        panel.end()
    }

    /// The panel of something that could not be judged at all.
    #[must_use]
    pub fn of_doubt(command: Option<&[u8]>, reason: &str, instead: &str, style: Style) -> String {
        let mut panel = Self::begin(style);
        if let Some(command) = command {
            panel.row("command", &shorten(&escape(command)));
            panel.gap();
        }
        panel.row("reason", &escape(reason.as_bytes()));
        panel.row("instead", &escape(instead.as_bytes()));
        panel.end()
    }

    fn begin(style: Style) -> Self {
        let headline = match style {
            Style::Plain => "BLOCKED",
            Style::Colour => "\x1b[1;31mBLOCKED\x1b[0m",
        };
        Self {
            text: format!("blastradius  {headline}\n\n"),
            style,
        }
    }

    fn refusal(&mut self, refusal: &Refusal) {
        self.gap();
        for (index, reason) in refusal.reasons.iter().enumerate() {
            self.row(
                if index == 0 { "reason" } else { "" },
                &escape(reason.as_bytes()),
            );
        }
        self.gap();
        self.row(
            "rule",
            &format!(
                "{} ({})",
                rule_name(refusal),
                refusal.rule.overridable().words()
            ),
        );
        self.row("instead", &escape(refusal.instead.as_bytes()));
    }

    fn row(&mut self, label: &str, value: &str) {
        let label = format!("{label:<8}");
        let label = match self.style {
            Style::Plain => label,
            Style::Colour => format!("\x1b[2m{label}\x1b[0m"),
        };
        self.line(&format!("{label}  {value}"));
    }

    fn line(&mut self, text: &str) {
        self.text.push_str("  ");
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn gap(&mut self) {
        self.text.push('\n');
    }

    fn end(mut self) -> String {
        self.gap();
        self.line(CLOSING);
        self.text
    }
}

/// The rule's id, with the construct for `unparseable-command-*`.
#[must_use]
pub(crate) fn rule_name(refusal: &Refusal) -> String {
    match (refusal.rule, &refusal.detail) {
        (Rule::Guard, Some(id)) => id.clone(),
        (Rule::UnparseableCommand, Some(detail)) => format!("unparseable-command-{detail}"),
        (rule, _) => rule.id().to_owned(),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MOST_COMMAND) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}
