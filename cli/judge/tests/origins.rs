//! What a refusal says of how its target came to be.

use super::assert_rows;
use crate::report::Report;

/// What is said of the first refused target.
fn said(report: &Report) -> String {
    let Some((_, target)) = report.refusals().next() else {
        return "allow".to_owned();
    };
    let origins: Vec<String> = target
        .evidence
        .origins
        .iter()
        .map(ToString::to_string)
        .collect();
    let reasons = &target.refusal.as_ref().expect("it is refused").reasons;
    assert!(
        origins.iter().all(|origin| reasons.contains(origin)),
        "{reasons:?} do not say {origins:?}"
    );
    origins.join("; ")
}

#[test]
fn says_how_a_target_came_to_be() {
    assert_rows(
        &[
            (
                &[],
                "X=/d; rm -rf \"$X/y\"",
                "X is from the assignment at column 1",
            ),
            (
                &[],
                "true; export X=/d && rm -rf $X/y",
                "X is from the assignment at column 14",
            ),
            (
                &[],
                "X=/d\nY=\"$X/e\"\nrm -rf ${Y%/}",
                "Y is from the assignment at line 2, column 1; \
                 X is from the assignment at line 1, column 1",
            ),
            // The value that counts, not the one before it.
            (
                &[],
                "X=/e; X=/d; rm -rf $X/y",
                "X is from the assignment at column 7",
            ),
            (
                &[],
                "é=1; X=/d; rm -rf $X/y",
                "X is from the assignment at column 6",
            ),
            (&[("X", "/d")], "rm -rf $X/y", "X is from the environment"),
            (
                &[],
                "true; for d in a /d; do rm -rf \"$d\"; done",
                "d is from the loop at column 7",
            ),
            (
                &[],
                "X=\"/d /e\"; rm -rf $X",
                "X is from the assignment at column 1",
            ),
            (
                &[],
                "A=(a /d); rm -rf \"${A[1]}\"",
                "A is from the assignment at column 1",
            ),
            (
                &[],
                "true && cd /h && rm -rf Documents",
                "the working directory was changed at column 9",
            ),
            (
                &[],
                "D=/h; cd $D; cd Documents/..; rm -rf Documents",
                "the working directory was changed at column 14; \
                 the working directory was changed at column 7; D is from the assignment at column 1",
            ),
            (&[], "cd a; rm -rf /d", ""),
            (
                &[],
                "f() { X=/d; }; f; rm -rf $X",
                "X is from the assignment at column 7",
            ),
            // In a text of its own, where that text stands.
            (
                &[],
                "true; sh -c 'X=/d; rm -rf $X'",
                "X is from the assignment at column 7",
            ),
            (&[], "rm -rf link/Documents", "link is a link to /h"),
            (&[], "rm -rf link", "allow"),
            (
                &[],
                "X=link; rm -rf $X/Documents",
                "X is from the assignment at column 1; link is a link to /h",
            ),
        ],
        said,
    );
}
