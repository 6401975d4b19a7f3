//! One repository, and what git says of it.

use super::{Answer, Ask, Pairs, Question, Silence, Word};

/// A repository as a command line names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repository {
    /// Where git runs.
    pub(crate) directory: Vec<u8>,
    /// `--git-dir`
    pub(crate) git_dir: Option<Vec<u8>>,
    /// `--work-tree`, or `core.worktree`
    pub(crate) work_tree: Option<Vec<u8>>,
    /// `core.excludesFile`
    pub(crate) excludes: Option<Vec<u8>>,
    /// Options that say how pathspecs are read.
    pub(crate) pathspecs: Vec<Vec<u8>>,
    variables: Pairs,
}

/// Variables that decide which repository and which settings git finds. No other reaches it: those that name
/// programs, files to trace into and settings could make a question do more than ask.
const VARIABLES: &[&str] = &[
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "SUDO_UID",
];

impl Repository {
    /// The repository that git finds from a directory. `None` if a variable that decides is not known.
    pub(crate) fn seen_from(
        directory: &[u8],
        variable: &dyn Fn(&[u8]) -> Option<Word>,
    ) -> Option<Self> {
        let mut variables = Vec::new();
        for name in VARIABLES {
            if let Some(value) = variable(name.as_bytes()) {
                variables.push((name.as_bytes().to_vec(), value?));
            }
        }
        Some(Self {
            directory: directory.to_vec(),
            variables,
            ..Self::default()
        })
    }

    /// `-C`
    pub(crate) fn enter(&mut self, directory: &[u8]) {
        if !directory.is_empty() {
            self.directory = self.at(directory);
        }
    }

    /// A path as git takes it.
    pub(crate) fn at(&self, path: &[u8]) -> Vec<u8> {
        if path.starts_with(b"/") {
            path.to_vec()
        } else {
            [&self.directory, b"/".as_slice(), path].concat()
        }
    }

    /// The repository at a directory, whatever was said about this one (a linked work tree, a submodule).
    pub(crate) fn other(&self, directory: Vec<u8>) -> Self {
        let settled = |name: &[u8]| {
            let own = [
                &b"GIT_DIR"[..],
                b"GIT_WORK_TREE",
                b"GIT_COMMON_DIR",
                b"GIT_INDEX_FILE",
            ];
            !own.contains(&name)
        };
        Self {
            directory,
            excludes: self.excludes.clone(),
            variables: (self.variables.iter())
                .filter(|(name, _)| settled(name))
                .cloned()
                .collect(),
            ..Self::default()
        }
    }

    /// Asks git for what `words` print here, where no content is compared and so no filter can run.
    pub(crate) fn ask_plainly<W: AsRef<[u8]>>(&self, git: &dyn Ask, words: &[W]) -> Answer {
        git.ask(&self.question(Vec::new(), words))
    }

    /// Whether git succeeds, as [`Self::ask_plainly`].
    pub(crate) fn holds_plainly<W: AsRef<[u8]>>(
        &self,
        git: &dyn Ask,
        words: &[W],
    ) -> Result<bool, Silence> {
        is_success(self.ask_plainly(git, words))
    }

    /// Asks git for what `words` print here.
    pub(crate) fn ask<W: AsRef<[u8]>>(&self, git: &dyn Ask, words: &[W]) -> Answer {
        let settings = self.harmless(git)?;
        git.ask(&self.question(settings, words))
    }

    /// The lines or names of an answer, which `end` ends.
    pub(crate) fn list<W: AsRef<[u8]>>(
        &self,
        git: &dyn Ask,
        words: &[W],
        end: u8,
    ) -> Result<Vec<Vec<u8>>, Silence> {
        let answer = self.ask(git, words)?;
        Ok(answer
            .split(|byte| *byte == end)
            .filter(|line| !line.is_empty())
            .map(<[u8]>::to_vec)
            .collect())
    }

    /// Whether git succeeds.
    pub(crate) fn holds<W: AsRef<[u8]>>(
        &self,
        git: &dyn Ask,
        words: &[W],
    ) -> Result<bool, Silence> {
        is_success(self.ask(git, words))
    }

    /// The top of the work tree, and the directory of the command below it.
    pub(crate) fn top(&self, git: &dyn Ask) -> Result<(Vec<u8>, Vec<u8>), Silence> {
        let answer = self.ask_plainly(git, &["rev-parse", "--show-toplevel", "--show-prefix"])?;
        let mut lines = answer.split(|byte| *byte == b'\n');
        let top = lines.next().unwrap_or_default().to_vec();
        if top.is_empty() {
            return Err(Silence::Failed);
        }
        Ok((top, lines.next().unwrap_or_default().to_vec()))
    }

    /// Settings under which git runs none of the filters that the repository names: it would run them to compare
    /// a file that was touched, and they may do anything. What they would have made of such a file is not known then,
    /// and it counts as changed.
    fn harmless(&self, git: &dyn Ask) -> Result<Pairs, Silence> {
        let words = [
            "config",
            "-z",
            "--name-only",
            "--get-regexp",
            r"^filter\..*\.(clean|smudge|process|required)$",
        ];
        let names = match git.ask(&self.question(Vec::new(), &words)) {
            Ok(names) => names,
            // There is none.
            Err(Silence::Failed) => Vec::new(),
            Err(silence) => return Err(silence),
        };
        let mut settings: Pairs = names
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
            .map(|name| {
                let value = if name.ends_with(b".required") {
                    "false"
                } else {
                    ""
                };
                (name.to_vec(), value.into())
            })
            .collect();
        if let Some(excludes) = &self.excludes {
            settings.push((b"core.excludesFile".to_vec(), excludes.clone()));
        }
        Ok(settings)
    }

    fn question<W: AsRef<[u8]>>(&self, settings: Pairs, words: &[W]) -> Question {
        let mut all = vec![b"--no-pager".to_vec()];
        for (option, value) in [
            (&b"--git-dir="[..], &self.git_dir),
            (b"--work-tree=", &self.work_tree),
        ] {
            all.extend(value.as_ref().map(|value| [option, value].concat()));
        }
        all.extend(self.pathspecs.iter().cloned());
        all.extend(words.iter().map(|word| word.as_ref().to_vec()));
        Question {
            directory: self.directory.clone(),
            variables: self.variables.clone(),
            settings,
            words: all,
        }
    }
}

fn is_success(answer: Answer) -> Result<bool, Silence> {
    match answer {
        Ok(_) => Ok(true),
        Err(Silence::Failed) => Ok(false),
        Err(silence) => Err(silence),
    }
}
