//! Repositories inside the project whose history is nowhere else.

use blastradius_policy::{Act, By, Canonical, Kind, Rule, Subject, takes_only_history};

use super::{Court, wording};
use crate::report::Refusal;

impl Court<'_> {
    /// Refuses the removal of a repository that has commits and no remote. Where the calls are judged, they are
    /// left to: what was made since the session began may go, and only there is that known.
    pub(super) fn takes_only_history(
        &self,
        path: Canonical<'_>,
        kind: Option<Kind>,
    ) -> Option<(Refusal, Option<String>)> {
        let subject = Subject {
            path,
            act: Act::RemoveTree,
            by: By::Command,
            kind,
        };
        let policy = self.place.session.policy;
        if self.leaves_unknown() || !takes_only_history(policy, &self.fs, &subject) {
            return None;
        }
        let reason = "it is a repository with commits and no remote: its history is nowhere else";
        let mut refusal = wording::refusal(Rule::VcsMetadata, vec![reason.to_owned()]);
        "move it aside instead of removing it, or push it somewhere first"
            .clone_into(&mut refusal.instead);
        Some((refusal, None))
    }
}
