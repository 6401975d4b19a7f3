//! Tools that read and change files, without a shell.

use std::borrow::Cow;

use blastradius_policy::{Act, Kind, PathBuffer, Rule, canonicalise};

use super::{Court, wording};
use crate::{
    case::{By, Change, FileCall, FileDeed, Piece, Subject, What},
    git::Word,
    report::{Action, Evidence, Target},
};

impl Court<'_> {
    /// Judges a call: by the guards, and a change also as one of the guard's own files.
    pub(crate) fn file_call(&mut self, call: &FileCall) {
        let cwd = self
            .place
            .session
            .cwd
            .map_or(&b""[..], |cwd| cwd.as_os_str().as_encoded_bytes());
        let mut buffer = PathBuffer::new();
        let given = call.path.strip_prefix("~/").zip(self.place.home);
        let given = match given {
            Some((rest, home)) => Cow::Owned([home, b"/", rest.as_bytes()].concat()),
            None => Cow::Borrowed(call.path.as_bytes()),
        };
        if cwd.is_empty() && !given.starts_with(b"/") {
            return;
        }
        let Ok(path) = canonicalise(self.place.fs, cwd, &given, true, &mut buffer) else {
            return;
        };
        let kind = self
            .place
            .fs
            .lstat(path.as_bytes())
            .ok()
            .map(|meta| meta.kind);
        let before = || crate::case::content(self.place.fs, path.as_bytes()).unwrap_or_default();
        let (by, pieces) = match &call.deed {
            FileDeed::Read => {
                let found = self.reading(path.as_bytes());
                self.tell(call, found);
                return;
            }
            FileDeed::Remove => return,
            FileDeed::Write(Some(content)) => (
                By::Write,
                vec![Piece {
                    old: Cow::Owned(before()),
                    new: Cow::Borrowed(content.as_bytes()),
                }],
            ),
            FileDeed::Write(None) => (By::Write, Vec::new()),
            FileDeed::Edit(pieces) => (
                By::Edit,
                (pieces.iter())
                    .map(|(old, new)| Piece {
                        old: Cow::Borrowed(old.as_bytes()),
                        new: Cow::Borrowed(new.as_bytes()),
                    })
                    .collect(),
            ),
        };
        let act = if kind == Some(Kind::File) {
            Act::Overwrite
        } else {
            Act::Append
        };
        let own = wording::of_policy(self.place.session.policy, act, self.by, path, kind)
            .filter(|(refusal, _)| refusal.rule == Rule::GuardFile);
        let targets = match own {
            Some((refusal, decided_by)) => vec![Target {
                act: Act::Overwrite,
                spelled: call.path.clone().into_bytes(),
                resolved: Some(path.as_bytes().to_vec()),
                refusal: Some(refusal),
                evidence: Evidence {
                    decided_by,
                    ..Evidence::default()
                },
            }],
            None => self.file_changed(&Change {
                path: path.as_bytes(),
                what: What::Written,
                by,
                pieces: &pieces,
                is_new: kind.is_none(),
            }),
        };
        // A file that is edited stays its author's.
        if by == By::Write || kind.is_none() {
            self.trail.written.push(path.as_bytes().to_vec());
        }
        let holds_one = |piece: &Piece<'_>| !crate::credential::find(&piece.new).is_empty();
        if pieces.iter().any(holds_one)
            && crate::credential::secret_kind(path.as_bytes(), || None).is_none()
        {
            let path = path.as_bytes().to_vec();
            self.trail.secrets.push((path.clone(), path));
        }
        self.tell(call, targets);
    }

    fn reading(&mut self, path: &[u8]) -> Vec<Target> {
        let place = self.place;
        let looked = self.look(Subject::Reading(path), place.fs, &|name| {
            variable(place, name)
        });
        self.take(looked, b"read")
    }

    fn file_changed(&mut self, change: &Change<'_>) -> Vec<Target> {
        let place = self.place;
        let looked = self.look(Subject::Change(change), place.fs, &|name| {
            variable(place, name)
        });
        self.take(looked, b"write")
    }

    fn tell(&mut self, call: &FileCall, targets: Vec<Target>) {
        let mut action = Action {
            program: call.tool.clone().into_bytes(),
            argv: vec![call.path.clone().into_bytes()],
            exact: true,
            cwd: self.place.session.cwd.map(std::path::Path::to_path_buf),
            targets,
        };
        self.recall(&mut action);
        if !action.targets.is_empty() {
            self.actions.push(action);
        }
    }
}

fn variable(place: &crate::interp::Place<'_>, name: &[u8]) -> Option<Word> {
    place.variable(name).map(|value| Some(value.to_vec()))
}
