//! What cannot be judged by its words: texts that cannot be read, programs that are not known.

use blastradius_policy::{Act, Rule};

use super::{Court, wording};
use crate::{
    interp::State,
    report::{Action, Evidence, Target},
};

impl Court<'_> {
    /// A shell or a text that could not be read to its end.
    pub(crate) fn unreadable(&mut self, text: &[u8], detail: &str, message: &str) {
        if let Some(file) = self.files.last() {
            // Not everything that a shell is given is a script to its end.
            let file = wording::shown(file.as_bytes());
            self.note(format!("{file} could not be read to its end: {message}"));
            return;
        }
        let spelled = text[..text.len().min(200)].to_vec();
        let mut refusal = wording::refusal(Rule::UnparseableCommand, vec![message.to_owned()]);
        refusal.detail = Some(detail.to_owned());
        let target = Target {
            act: Act::Remove,
            spelled: spelled.clone(),
            resolved: None,
            refusal: Some(refusal),
            evidence: Evidence::default(),
        };
        self.actions.push(Action {
            program: b"sh".to_vec(),
            argv: vec![spelled],
            exact: false,
            cwd: None,
            targets: vec![target],
        });
    }

    /// A shell is given a text that cannot be known and may destroy.
    pub(crate) fn unresolved_script(&mut self, text: &[u8], why: &str) {
        if self.leaves_unknown() {
            self.note(format!(
                "a shell runs {why}: what it does is judged only as it happens"
            ));
            return;
        }
        let target = wording::unresolvable(Act::Remove, text.to_vec(), why);
        self.actions.push(Action {
            program: b"sh".to_vec(),
            argv: vec![text.to_vec()],
            exact: false,
            cwd: None,
            targets: vec![target],
        });
    }

    /// Which program runs is not known, and its options say that it removes.
    pub(crate) fn unresolved_program(
        &mut self,
        argv: &[Vec<u8>],
        spelled: &[u8],
        why: &str,
        state: &State,
    ) {
        if self.leaves_unknown() {
            self.note(format!(
                "which program runs depends on {why}: it is judged only as it happens"
            ));
            return;
        }
        let target = wording::unresolvable(Act::RemoveTree, spelled.to_vec(), why);
        let mut action = Self::action(spelled, &[], &state.cwd, vec![target]);
        action.argv = argv.to_vec();
        self.actions.push(action);
    }

    /// `blastradius uninstall` and `trust` are for a person, not for a command that is judged.
    pub(crate) fn guard_command(&mut self, argv: &[Vec<u8>]) {
        let refusal = wording::refusal(
            Rule::GuardFile,
            vec!["the guard is not taken away or widened from inside".to_owned()],
        );
        let target = Target {
            act: Act::Overwrite,
            spelled: argv.join(&b' '),
            resolved: None,
            refusal: Some(refusal),
            evidence: Evidence::default(),
        };
        self.actions.push(Action {
            program: b"blastradius".to_vec(),
            argv: argv.to_vec(),
            exact: false,
            cwd: None,
            targets: vec![target],
        });
    }
}
