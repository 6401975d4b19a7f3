//! Answers in the words of each agent.
//!
//! A refusal is the agent's own JSON on stdout, the panel on stderr and exit status 2. The status is not decoration:
//! versions of Claude Code have ignored the JSON, every one of them takes 2 for a refusal and hands stderr to the
//! model, and Cursor does the same. No opinion is silence and exit status 0.

use serde_json::{Value, json};

use super::question::Envelope;
use crate::exit::Exit;
use crate::message::{print, say};

/// What an agent is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing: the agent goes on as it would have.
    NoOpinion(Envelope),
    /// The command must not run.
    Refuse(Refusal),
}

/// A refusal, in both its forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) envelope: Envelope,
    /// The event that is answered.
    pub(super) event: Option<String>,
    /// For the model, as text.
    pub(super) reason: String,
    /// For people.
    pub(super) panel: String,
}

impl Answer {
    /// Tells the agent.
    pub(super) fn give(&self) -> Exit {
        match self {
            Self::NoOpinion(Envelope::Cursor) => {
                // Cursor takes a permission hook without JSON for a broken one. If it cannot be told, the command
                // stays away.
                if print("{}").is_ok() {
                    Exit::Done
                } else {
                    Exit::HookRefusal
                }
            }
            Self::NoOpinion(Envelope::ClaudeCode | Envelope::Unknown) => Exit::Done,
            Self::Refuse(refusal) => {
                if let Some(json) = refusal.json() {
                    // The exit status says the same where stdout is closed.
                    print(json.to_string()).ok();
                }
                say(&refusal.panel);
                Exit::HookRefusal
            }
        }
    }
}

impl Refusal {
    fn json(&self) -> Option<Value> {
        match self.envelope {
            Envelope::ClaudeCode => Some(json!({
                "hookSpecificOutput": {
                    "hookEventName": self.event.as_deref().unwrap_or("PreToolUse"),
                    "permissionDecision": "deny",
                    "permissionDecisionReason": self.reason,
                }
            })),
            Envelope::Cursor => Some(json!({
                "permission": "deny",
                "user_message": self.reason,
                "agent_message": self.reason,
            })),
            Envelope::Unknown => None,
        }
    }
}
