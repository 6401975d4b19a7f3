//! `hook`: one question of an agent, one answer.
//!
//! The decision is made on a thread of its own, and only an answer that arrives in time can be "no opinion": a
//! panic, a question that takes for ever or a thread that cannot be started all end in a refusal.

mod answer;
mod decision;
mod document;
mod files;
mod powershell;
mod question;

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use answer::Answer;
use decision::{decide, doubt};

use crate::args::Agent;
use crate::exit::Exit;
use crate::message::Failure;
use crate::stack::STACK;

/// How long an agent is told to wait for the hook. Past it most agents run the command.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// How long a decision may take; well below [`TIMEOUT`], so that the refusal still counts.
const DEADLINE: Duration = Duration::from_secs(30);

/// Answers the question on stdin.
#[must_use]
pub fn answer(agent: Option<Agent>) -> Exit {
    // The refusal says what a person can use; a backtrace would only bury it.
    std::panic::set_hook(Box::new(|_| {}));
    in_time(agent, move || decide(agent)).give()
}

/// What a decision comes to that may take too long, or fail.
fn in_time(agent: Option<Agent>, decide: impl FnOnce() -> Answer + Send + 'static) -> Answer {
    let (sender, receiver) = mpsc::channel();
    let decider = thread::Builder::new().stack_size(STACK).spawn(move || {
        // The receiver is gone only after the deadline, when the refusal is already out.
        sender.send(decide()).ok();
    });
    match decider.map(|_| receiver.recv_timeout(DEADLINE)) {
        Ok(Ok(answer)) => answer,
        Ok(Err(RecvTimeoutError::Timeout)) => {
            let failure = Failure::new(format!("no verdict within {} seconds", DEADLINE.as_secs()));
            doubt(
                agent,
                &failure.hint("run the command again, or split it into several"),
            )
        }
        Ok(Err(RecvTimeoutError::Disconnected)) => {
            let failure = Failure::new("blastradius failed while it judged the command");
            doubt(
                agent,
                &failure
                    .hint("write the command in a simpler way, and tell the user about this one"),
            )
        }
        Err(error) => doubt(
            agent,
            &Failure::new(format!("judging could not start: {error}")),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_that_fails_is_a_refusal() {
        let answer = in_time(Some(Agent::ClaudeCode), || {
            panic!("a rule of deletion fails")
        });
        let Answer::Refuse(refusal) = answer else {
            panic!("{answer:?}");
        };
        assert!(
            refusal.reason.contains("failed while it judged"),
            "{}",
            refusal.reason
        );
    }
}
