//! Arrays that are declared, and globs that leave nothing.

use super::{assert_rows, rules_of};

#[test]
fn knows_arrays_that_are_declared() {
    assert_rows(
        &[
            (
                &[],
                "declare -a c=(rm -rf /d/sub); \"${c[@]}\"",
                "out-of-scope",
            ),
            (
                &[],
                "readonly c=(rm -rf /d/sub); \"${c[@]}\"",
                "out-of-scope",
            ),
            (&[], "export c=(rm -rf /d/sub); ${c[*]}", "out-of-scope"),
            (
                &[],
                "declare c=(rm -rf); \"${c[@]}\" /d/sub",
                "out-of-scope",
            ),
            (
                &[],
                "f() { local -a c=(rm -rf \"$1\"); \"${c[@]}\"; }; f /d/sub",
                "out-of-scope",
            ),
            (
                &[],
                "X=/d/sub; declare c=($X b); rm -rf \"${c[0]}\"",
                "out-of-scope",
            ),
            (&[], "declare c=(a b); rm -rf \"${c[@]}\"", "allow"),
            (&[], "declare -a c=(f*.log); rm -f \"${c[@]}\"", "allow"),
            (&[], "declare x=1 c=($(rm -rf /d/sub))", "out-of-scope"),
            // What an associative array holds is not known, nor what is added to one that is not.
            (
                &[],
                "declare -A c=([a]=/d/sub); rm -rf \"${c[a]}\"",
                "unresolvable-target",
            ),
            (
                &[],
                "declare c+=(/d/sub); rm -rf \"${c[0]}\"",
                "unresolvable-target",
            ),
        ],
        rules_of,
    );
}

#[test]
fn a_glob_that_leaves_nothing_takes_nothing() {
    assert_rows(
        &[
            (&[], "shopt -s nullglob; rm -f b/*.none", "allow"),
            (
                &[],
                "shopt -s nullglob; rm -rf /h/Documents/*.none",
                "allow",
            ),
            (&[], "rm -f", "no-targets"),
            (&[], "rm -f $X", "empty-variable-expansion"),
        ],
        rules_of,
    );
}
