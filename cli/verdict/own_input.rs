//! Commands whose output empties what they are about to read: `sort names > names`.

use blastradius_policy::{Fs, Rule};

use super::{
    Court,
    aim::{Aim, Base, base_name},
    wording,
};
use crate::{
    interp::{Field, State},
    report::Target,
};

/// Programs that read the files that their operands name, and write to standard output.
const FILTERS: [&str; 31] = [
    "awk", "base64", "cat", "column", "comm", "cut", "egrep", "expand", "fgrep", "fmt", "fold",
    "gawk", "grep", "head", "iconv", "join", "jq", "mawk", "nl", "od", "paste", "rev", "sed",
    "shuf", "sort", "tac", "tail", "unexpand", "uniq", "xxd", "yq",
];

impl Court<'_> {
    /// Refuses to empty a file that the same command would read: the shell empties it first.
    pub(super) fn keep_own_input(&self, target: &mut Target, command: &[Field], state: &State) {
        let (Some((name, operands)), Some(emptied), None) =
            (command.split_first(), &target.resolved, &target.refusal)
        else {
            return;
        };
        let filters = (name.text.bytes()).is_some_and(|name| {
            FILTERS
                .iter()
                .any(|filter| filter.as_bytes() == base_name(name))
        });
        if !filters || !self.fs.lstat(emptied).is_ok_and(|meta| meta.size > 0) {
            return;
        }
        let reads = operands.iter().any(|operand| {
            let aim = Aim::of(
                operand,
                operand.text.clone(),
                Base::of(&state.cwd),
                false,
                state,
            );
            let path = aim.resolve(&self.fs, true);
            path.is_some_and(|path| path.as_bytes() == emptied)
        });
        if reads {
            let reason = format!(
                "the shell empties it before {} reads it",
                wording::shown(&name.text.display())
            );
            target.refusal = Some(wording::refusal(Rule::SelfOverwrite, vec![reason]));
        }
    }
}
