//! What a string does to the disk before it goes on.

use super::{assert_rows, rules_of};

#[test]
fn follows_what_the_string_has_done() {
    assert_rows(
        &[
            // Links that the string itself makes.
            (&[], "ln -s / r && rm -rf r/etc", "floor-path"),
            (
                &[],
                "ln -s /h a/r; cd a/r && rm -rf Documents",
                "out-of-scope",
            ),
            (&[], "ln -s /h r; rm -rf r/*", "glob-no-match"),
            (&[], "ln -s /h r; rm -rf r", "allow"),
            (&[], "ln -s /h/.bashrc a && > a/.bashrc", "out-of-scope"),
            (
                &[],
                "ln -t a -s /h/.bashrc && echo > a/.bashrc",
                "out-of-scope",
            ),
            (&[], "ln /h/.bashrc x && echo > x", "out-of-scope"),
            (&[], "ln -sfn b link && rm -rf link/x", "allow"),
            (&[], "ln -s b link && rm -rf link/Documents", "out-of-scope"),
            (&[], "(ln -s /h r); rm -rf r/Documents", "out-of-scope"),
            (
                &[],
                "ln -s /h r; sh -c 'rm -rf r/Documents'",
                "out-of-scope",
            ),
            // What one command takes from another, or from itself.
            (
                &[],
                "for f in f*.log; do mv \"$f\" nowhere; done",
                "self-overwrite",
            ),
            (&[], "for f in f*.log; do mv \"$f\" b; done", "allow"),
            (
                &[],
                "for f in f*.log; do mv \"$f\" \"${f%%[0-9]*}.log\"; done",
                "self-overwrite",
            ),
            (
                &[],
                "for f in f*.log; do mv \"$f\" \"${f%.log}.txt\"; done",
                "allow",
            ),
            (
                &[],
                "for f in f*.log; do mv -n \"$f\" nowhere; done",
                "allow",
            ),
            (
                &[],
                "mkdir nowhere; for f in f*.log; do mv \"$f\" nowhere/; done",
                "allow",
            ),
            (
                &[],
                "sed s/a/b/ .env > t && mv t .env; grep x .env > t && mv t .env",
                "allow",
            ),
            (&[], "sed s/a/b/ .env > .env", "self-overwrite"),
            (&[], "sort < /dev/null .env > ./.env", "self-overwrite"),
            (&[], "sed -i s/a/b/ .env", "allow"),
            (&[], "echo .env > .env", "allow"),
            (&[], "cat .env >> .env", "allow"),
        ],
        rules_of,
    );
}
