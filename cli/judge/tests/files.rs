//! Scripts and recipes that a string names or writes.

use super::{assert_rows, rules_of};

#[test]
fn follows_scripts_and_recipes() {
    assert_rows(
        &[
            // Scripts: as they lie on the disk, and as the string writes them.
            (&[], "sh b/bad.sh", "out-of-scope"),
            (&[], "cd b && ./bad.sh", "out-of-scope"),
            (&[], "sudo bash -x b/bad.sh", "out-of-scope"),
            (&[], ". b/bad.sh", "out-of-scope"),
            (&[], "b/unset.sh", "empty-variable-expansion"),
            (&[], "NEVER=a b/unset.sh", "allow"),
            (&[], "b/good.sh && source b/good.sh", "allow"),
            (&[], "bash b/argument.sh a", "allow"),
            (&[], "bash b/argument.sh /h", "out-of-scope"),
            (&[], "bash b/cd.sh", "glob-breadth"),
            (&[], "source b/set.sh; rm -rf \"$D\"", "out-of-scope"),
            (
                &[],
                "bash b/set.sh; rm -rf \"a$D\"",
                "empty-variable-expansion",
            ),
            (&[], "b/half.sh; b/program.py; b/missing.sh", "allow"),
            (&[], "cp b/good.sh b/bad.sh; sh b/bad.sh", "allow"),
            (
                &[],
                "cat > x.sh <<'E'\nrm -rf /h/Documents\nE\nchmod +x x.sh; ./x.sh",
                "out-of-scope",
            ),
            (
                &[],
                "printf 'rm -rf ' > x; echo /h/Documents >> x; bash x",
                "out-of-scope",
            ),
            (
                &[],
                "printf 'rm -rf %s' /h/Documents > x; bash x",
                "out-of-scope",
            ),
            (&[], "echo 'rm -rf a' > b/bad.sh; sh b/bad.sh", "allow"),
            (&[], "echo 'rm -rf /h' > x; sh x > log", "floor-path"),
            // What filters make of a text that is known.
            (
                &[],
                "echo cm0gLXJmIC9oL0RvY3VtZW50cwo= | base64 -d | sh",
                "out-of-scope",
            ),
            (
                &[],
                "printf cm0gLXJmIC9o | base64 --decode | bash -s",
                "floor-path",
            ),
            (&[], "echo cm0gLXJmIGE= | base64 -d | sh", "allow"),
            (
                &[],
                "echo 726d202d7266202f68 | xxd -r -p | sh",
                "floor-path",
            ),
            (&[], "echo 'h/ fr- mr' | rev | sh", "floor-path"),
            (&[], "echo 'sn -sg /i' | tr 'b-z' 'a-y' | sh", "floor-path"),
            (&[], "echo 'rm -rf /h' | tee x.sh | sh", "floor-path"),
            (
                &[],
                "tee x.sh <<'E' >/dev/null && sh x.sh\nrm -rf /h\nE",
                "floor-path",
            ),
            (&[], "curl -s x | base64 -d > y", "allow"),
            // Recipes of the project.
            (&[], "make -C b/make clean && make -C b/make", "allow"),
            (
                &[],
                "cd b/make && make -j4 unset",
                "empty-variable-expansion",
            ),
            (&[], "cd b/make && make unset BUILD_DIR=out", "allow"),
            (
                &[("BUILD_DIR", "/h")],
                "make -C b/make unset",
                "out-of-scope",
            ),
            (&[], "make -C b/make wipe", "out-of-scope"),
            (&[], "make -C b/make self", "out-of-scope"),
            (&[], "make -n -C b/make wipe", "allow"),
            (&[], "make -C b/make wipe HOMES=out", "allow"),
            (&[], "make -C b/make computed", "allow"),
            (&[], "make -C b/make shell", "out-of-scope"),
            (
                &[],
                "make clean; make -C nowhere wipe; make -C b/make nothing",
                "allow",
            ),
            (
                &[],
                "cd b/node/ && npm run clean && yarn clean && pnpm run clean",
                "allow",
            ),
            (&[], "cd b/node/ && npm run wipe", "out-of-scope"),
            (&[], "npm --prefix b/node run wipe", "out-of-scope"),
            (&[], "cd b/node; npm test", "out-of-scope"),
            (
                &[],
                "cd b/node; npm run rm -- dist; npm run missing",
                "allow",
            ),
            (&[], "cd b/node; npm run rm -- /h/Documents", "out-of-scope"),
            (&[], "npm run wipe", "allow"),
        ],
        rules_of,
    );
}
