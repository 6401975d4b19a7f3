//! The paths given to a sub-command, which git takes for patterns.

use super::Command;
use crate::Act;
use crate::programs::pattern::{selects, split};
use crate::programs::{Directory, Effect, Follow, Sink, Spelled};

impl Command<'_> {
    /// `act` on what a pathspec matches. git matches nothing outside the work tree.
    pub(super) fn pathspec(&self, act: Act, index: usize, sure: bool, sink: &mut Sink<'_>) {
        let repository = self.repository;
        let Some(spec) = self.argv[index].known() else {
            sink(self.whole_tree().sure(sure));
            return;
        };
        // `:/` and `:(top)`; also `:!`, since exclusions alone select all the rest.
        if spec.starts_with(b":") {
            sink(self.whole_tree().sure(sure));
            return;
        }
        let mut at = |directory: Directory| match split(spec) {
            Some((below, _)) => sink(Effect::Here {
                act: if selects(spec) { Act::Select } else { act },
                directory,
                below,
                follow: Follow::No,
                certain: sure,
            }),
            None => sink(Effect::Path {
                act,
                path: Spelled {
                    piece: index.into(),
                    directory,
                },
                follow: Follow::Never,
                certain: sure,
            }),
        };
        at(repository.directory);
        if repository.named && repository.top != repository.directory {
            at(repository.top);
        }
    }
}
