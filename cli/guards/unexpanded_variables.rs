//! `unexpanded-variables-in-destructive-paths`: the work of two rules of deletion, as the guard that people know.

use blastradius_policy::Rule;

use super::{Check, Example, Guard, Tool};

pub(super) const GUARD: Guard = Guard {
    id: "unexpanded-variables-in-destructive-paths",
    title: "a destructive path with a variable that is empty, or that cannot be known",
    prevents: "an rm -rf \"$BUILD_DIR\"/* in a shell where BUILD_DIR was never set: it began at /",
    tools: &[Tool::Shell],
    check: Check::Rules(&[
        Rule::EmptyVariableExpansion,
        Rule::UnresolvableTarget,
        Rule::FloorPath,
    ]),
    refused: &[
        Example::shell("rm -rf \"$BUILD_DIR\"/*").saying("BUILD_DIR is unset"),
        Example::shell("rm -rf $OUT/build").saying("OUT is unset"),
        Example::shell("D=; rm -rf \"$D/x\"").saying("D is empty"),
        Example::shell("rm -rf \"$(cat list)\"").saying("depends on"),
        Example::shell("D=/; rm -rf \"${D:?}\"").saying("root of the file system"),
        Example::shell("mv \"$SRC\"/* /tmp").saying("SRC is unset"),
    ],
    allowed: &[
        Example::shell("D=build; rm -rf \"$D\"/*"),
        Example::shell("rm -rf \"${OUT:-build}\""),
        Example::shell("rm -rf \"${OUT:?}\"/*"),
        Example::shell("D=$(mktemp -d) && rm -rf \"$D\""),
        Example::shell("echo \"$BUILD_DIR\"/*"),
    ],
};
