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
    /// `policy-in-doubt`: the policy itself cannot be read.
    PolicyInDoubt,
}
