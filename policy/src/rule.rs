//! The rules: one row each.

/// A rule that refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// `floor-path`
    FloorPath,
    /// `system-path`
    SystemPath,
    /// `empty-variable-expansion`
    EmptyVariableExpansion,
    /// `tilde-ambiguous`
    TildeAmbiguous,
    /// `empty-target`
    EmptyTarget,
    /// `no-targets`
    NoTargets,
    /// `glob-no-match`
    GlobNoMatch,
    /// `glob-breadth`
    GlobBreadth,
    /// `out-of-scope`
    OutOfScope,
    /// `denied`
    Denied,
    /// `project-root`
    ProjectRoot,
    /// `vcs-metadata`
    VcsMetadata,
    /// `guard-file`
    GuardFile,
    /// `unresolvable-target`
    UnresolvableTarget,
    /// `unparseable-command-*`
    UnparseableCommand,
    /// `mount-crossing`
    MountCrossing,
    /// `self-overwrite`
    SelfOverwrite,
    /// `policy-in-doubt`: the policy itself cannot be read.
    PolicyInDoubt,
    /// `guard`: one of the command layer's guards, whose id a refusal carries in its place.
    Guard,
}

/// Who can lift a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overridable {
    /// Nobody: no flag, no file, no variable.
    No,
    /// A line in the project file or the user file.
    Config,
    /// An `allow` line in the user file.
    UserFile,
    /// Only by taking the `deny` line away.
    EditDeny,
    /// An `allow` line that spells this very path.
    ExplicitAllow,
    /// A `guard` line in the user file.
    GuardLine,
}

impl Overridable {
    /// Whether a line of configuration can lift the rule.
    #[must_use]
    pub const fn by_config(self) -> bool {
        !matches!(self, Self::No)
    }

    /// The words in brackets after a rule's id: `cannot be overridden`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::No => "cannot be overridden",
            Self::Config => "a line in .blastradius can allow it",
            Self::UserFile => "a line in the user file can allow it",
            Self::EditDeny => "a deny line decides: edit it",
            Self::ExplicitAllow => "an allow line for this very path can allow it",
            Self::GuardLine => "a guard line in the user file can lift it",
        }
    }
}

/// One rule, with what a person needs to know about it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The rule.
    pub rule: Rule,
    /// One line: what is refused.
    pub summary: &'static str,
    /// Who can lift it.
    pub overridable: Overridable,
    /// The next step that would be allowed.
    pub instead: &'static str,
    /// Commands it refuses, each with what one types who does what `instead` says; nothing where that is for the user
    /// to do.
    pub refused: &'static [(&'static str, &'static str)],
    /// Commands beside them that pass.
    pub allowed: &'static [&'static str],
}

impl Rule {
    /// Every rule, in the order of the table.
    pub const ALL: [Self; 19] = [
        Self::FloorPath,
        Self::SystemPath,
        Self::EmptyVariableExpansion,
        Self::TildeAmbiguous,
        Self::EmptyTarget,
        Self::NoTargets,
        Self::GlobNoMatch,
        Self::GlobBreadth,
        Self::OutOfScope,
        Self::Denied,
        Self::ProjectRoot,
        Self::VcsMetadata,
        Self::GuardFile,
        Self::UnresolvableTarget,
        Self::UnparseableCommand,
        Self::MountCrossing,
        Self::SelfOverwrite,
        Self::PolicyInDoubt,
        Self::Guard,
    ];

    /// Its row in the table.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Its stable id, which does not need the table: that is not for every process to carry.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::FloorPath => "floor-path",
            Self::SystemPath => "system-path",
            Self::EmptyVariableExpansion => "empty-variable-expansion",
            Self::TildeAmbiguous => "tilde-ambiguous",
            Self::EmptyTarget => "empty-target",
            Self::NoTargets => "no-targets",
            Self::GlobNoMatch => "glob-no-match",
            Self::GlobBreadth => "glob-breadth",
            Self::OutOfScope => "out-of-scope",
            Self::Denied => "denied",
            Self::ProjectRoot => "project-root",
            Self::VcsMetadata => "vcs-metadata",
            Self::GuardFile => "guard-file",
            Self::UnresolvableTarget => "unresolvable-target",
            Self::UnparseableCommand => "unparseable-command",
            Self::MountCrossing => "mount-crossing",
            Self::PolicyInDoubt => "policy-in-doubt",
            Self::SelfOverwrite => "self-overwrite",
            Self::Guard => "guard",
        }
    }

    /// One line: what it refuses.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Who can lift it.
    #[must_use]
    pub fn overridable(self) -> Overridable {
        self.row().overridable
    }

    /// The next step that would be allowed.
    #[must_use]
    pub fn instead(self) -> &'static str {
        self.row().instead
    }

    /// The rule with that id; `unparseable-command-pipe` and its like are all one rule.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        if id.starts_with("unparseable-command") {
            return Some(Self::UnparseableCommand);
        }
        Self::ALL.into_iter().find(|rule| rule.id() == id)
    }
}

/// The table, in the order of [`Rule::ALL`].
pub const ROWS: [Row; 19] = [
    Row {
        rule: Rule::FloorPath,
        summary: "the root, a home, a system directory or a directory that holds one",
        overridable: Overridable::No,
        instead: "name the files inside the project that should go",
        refused: &[
            ("rm -rf /", "rm -rf build dist"),
            ("rm -rf /home/dev", "rm -rf /home/dev/proj/build"),
            ("rm -rf /etc", "rm -rf dist"),
            ("mv /usr /tmp/usr", "mv dist /tmp/usr"),
            (
                "dd if=/dev/zero of=/dev/sda",
                "dd if=/dev/zero of=build/image count=1",
            ),
        ],
        allowed: &[
            "rm -rf build",
            "rm -rf /tmp/scratch",
            "find /tmp -name '*.o' -delete",
        ],
    },
    Row {
        rule: Rule::SystemPath,
        summary: "a file below a system directory",
        overridable: Overridable::UserFile,
        instead: "copy the file into the project and change it there, or ask the user to do it",
        refused: &[
            ("rm /etc/hosts", ""),
            ("rm -rf /usr/lib/python3", ""),
            (
                "echo x > /etc/passwd",
                "cp /etc/passwd passwd && echo x > passwd",
            ),
        ],
        allowed: &["cp /etc/hosts hosts", "cat /etc/hosts"],
    },
    Row {
        rule: Rule::EmptyVariableExpansion,
        summary: "a variable in a destructive target is unset or empty",
        overridable: Overridable::No,
        instead: "set the variable in the same command, or write the absolute path",
        refused: &[
            (
                "rm -rf \"$CLEANUP_DIR\"/*",
                "CLEANUP_DIR=/tmp/scratch; rm -rf \"$CLEANUP_DIR\"/*",
            ),
            (
                "rm -rf \"$AGENT_TMP/session-$SID\"",
                "rm -rf /tmp/scratch/session-1",
            ),
        ],
        allowed: &[
            "D=/tmp/scratch; rm -rf \"$D\"/*",
            "rm -rf \"${TMPDIR:-/tmp}/cache\"",
        ],
    },
    Row {
        rule: Rule::TildeAmbiguous,
        summary: "a destructive target that is not in the scope begins with an unquoted `~`",
        overridable: Overridable::No,
        instead: "write the absolute path; for a file called ~ write ./~",
        refused: &[
            ("rm -f ~/", "rm -f ./~"),
            ("rm -rf ~/Library", "rm -rf /home/dev/proj/build"),
        ],
        allowed: &["rm -f ./~", "ls ~/Library"],
    },
    Row {
        rule: Rule::EmptyTarget,
        summary: "a destructive target is an empty string",
        overridable: Overridable::No,
        instead: "leave the empty word out, or write the path that was meant",
        refused: &[
            ("rm -rf \"\"", "rm -rf build"),
            ("rm -rf '' build", "rm -rf build"),
        ],
        allowed: &["rm -rf build"],
    },
    Row {
        rule: Rule::NoTargets,
        summary: "a destructive command whose targets are not in its words",
        overridable: Overridable::No,
        instead: "name the paths on the command line",
        refused: &[
            ("xargs rm < list.txt", "rm a.o b.o"),
            ("rm -rf", "rm -rf build"),
        ],
        allowed: &["rm a.o b.o", "rm --help"],
    },
    Row {
        rule: Rule::GlobNoMatch,
        summary: "a glob that matches nothing and is outside the scope as it is spelled",
        overridable: Overridable::No,
        instead: "list the directory first, then name what is there",
        refused: &[("rm -rf /home/dev/old-*", "ls -d /home/dev/old-*")],
        allowed: &["rm -f *.pyc"],
    },
    Row {
        rule: Rule::GlobBreadth,
        summary: "a glob that expands to too many names, or sweeps the project root",
        overridable: Overridable::Config,
        instead: "name the directory whose contents should go, or use a narrower glob",
        refused: &[
            ("rm -rf *", "rm -rf build dist"),
            ("rm many/*", "rm -r many"),
        ],
        allowed: &["rm *.log", "rm -rf build/*", "rm -rf many"],
    },
    Row {
        rule: Rule::OutOfScope,
        summary: "a path that no allow line covers",
        overridable: Overridable::Config,
        instead: "work inside the scope (by default the project and /tmp), or ask the user to do it",
        refused: &[
            ("rm -rf /home/dev/Documents", "rm -rf /home/dev/proj/build"),
            ("echo x > /home/dev/.bashrc", "echo x > build/bashrc"),
        ],
        allowed: &[
            "rm -rf build",
            "rm -rf /tmp/scratch",
            "echo x >> /home/dev/.bashrc",
        ],
    },
    Row {
        rule: Rule::Denied,
        summary: "a path that a deny line covers, or a directory that holds one",
        overridable: Overridable::EditDeny,
        instead: "name the other files one by one, leaving out what is denied",
        refused: &[
            (
                "rm -rf secrets # with deny ./secrets/**",
                "rm -rf build dist # with deny ./secrets/**",
            ),
            (
                "rm secrets/key.pem # with deny ./secrets/**",
                "rm a.o b.o # with deny ./secrets/**",
            ),
        ],
        allowed: &["rm -rf build", "cat secrets/key.pem"],
    },
    Row {
        rule: Rule::ProjectRoot,
        summary: "the project root itself is removed, moved or emptied",
        overridable: Overridable::ExplicitAllow,
        instead: "name the directories inside the project that should go",
        refused: &[
            ("rm -rf ../proj", "rm -rf build dist"),
            ("mv /home/dev/proj /tmp/proj", "mv build /tmp/proj"),
        ],
        allowed: &["rm -rf build dist", "git clean -fdx"],
    },
    Row {
        rule: Rule::VcsMetadata,
        summary: "the repository's history is removed, moved or emptied",
        overridable: Overridable::ExplicitAllow,
        instead: "use git itself: git reset, git gc, git branch -d",
        refused: &[
            ("rm -rf .git", "git gc"),
            ("rm -rf .git/objects", "git gc --prune=now"),
            ("mv .git /tmp/git", "git clone . /tmp/git"),
        ],
        allowed: &["rm .git/index.lock", "git gc"],
    },
    Row {
        rule: Rule::GuardFile,
        summary: "a file of the guard itself: its configuration, log or library",
        overridable: Overridable::No,
        instead: "ask the user to change it",
        refused: &[
            ("rm .blastradius", ""),
            ("echo 'allow /**' >> .blastradius", ""),
        ],
        allowed: &["cat .blastradius"],
    },
    Row {
        rule: Rule::UnresolvableTarget,
        summary: "a destructive target that cannot be known before the command runs",
        overridable: Overridable::No,
        instead: "find out the path first, then write it out as an absolute path",
        refused: &[
            (
                "rm -rf \"$(cat list)\"",
                "cat list; rm -rf /home/dev/proj/build",
            ),
            (
                "read -r x < list; rm -rf \"$x\"",
                "rm -rf /home/dev/proj/build",
            ),
        ],
        allowed: &["find . -name '*.o' -delete", "echo $(date)"],
    },
    Row {
        rule: Rule::UnparseableCommand,
        summary: "a string that is not valid shell and may destroy",
        overridable: Overridable::No,
        instead: "close the quote or bracket, or run the parts as separate commands",
        refused: &[("rm -rf \"unterminated", "rm -rf \"unterminated\"")],
        allowed: &["rm -rf \"terminated\""],
    },
    Row {
        rule: Rule::MountCrossing,
        summary: "a recursive removal that would enter another file system",
        overridable: Overridable::ExplicitAllow,
        instead: "unmount it first, or name the directories beside the mount point",
        refused: &[(
            "rm -rf build # with a file system mounted at build/mnt",
            "rm -rf build/obj # with a file system mounted at build/mnt",
        )],
        allowed: &["rm -rf build/obj"],
    },
    Row {
        rule: Rule::SelfOverwrite,
        summary: "a command that empties what it reads, or moves several files to one name",
        overridable: Overridable::No,
        instead: "write to another name first, then move that into place",
        refused: &[
            (
                "sed s/a/b/ src/a.txt > src/a.txt",
                "sed s/a/b/ src/a.txt > new && mv new src/a.txt",
            ),
            (
                "for f in src/a.txt src/b.txt; do mv \"$f\" nowhere; done",
                "mv src/a.txt new && mv new nowhere",
            ),
        ],
        allowed: &[
            "sed s/a/b/ src/a.txt > new && mv new src/a.txt",
            "for f in src/a.txt src/b.txt; do mv \"$f\" \"$f.bak\"; done",
        ],
    },
    Row {
        rule: Rule::PolicyInDoubt,
        summary: "the policy cannot be read, so nothing destructive passes",
        overridable: Overridable::No,
        instead: "ask the user to mend the file and line that are named",
        refused: &[(
            "rm -rf build # while .blastradius holds a misspelt line",
            "",
        )],
        allowed: &["ls build", "echo x >> build/log"],
    },
    Row {
        rule: Rule::Guard,
        summary: "what one of the guards below refuses, under its own id",
        overridable: Overridable::GuardLine,
        instead: "do what the guard says instead",
        refused: &[
            (
                "git push --force origin main",
                "git push --force-with-lease origin main",
            ),
            ("git commit --no-verify -m x", "git commit -m x"),
        ],
        allowed: &[
            "git push --force-with-lease origin main",
            "git commit -m 'about --no-verify'",
        ],
    },
];

#[cfg(test)]
mod tests;
