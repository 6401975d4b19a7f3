//! What was found to be missed, or refused without cause.

use super::{Dialect, Row, assert_rows, judge, rules_of, targets};

#[test]
fn goes_where_links_lead_if_asked() {
    let rows: &[Row] = &[
        (&[], "cd -P link/..; rm x", "/x"),
        (&[], "cd link; cd -P ..; rm x", "/x"),
        (&[], "cd link; cd -Pe ..; rm x", "/x"),
        (&[], "cd -P -L link/..; rm x", "/w/x"),
        (&[], "cd link/..; rm x", "/w/x"),
        (&[], "set -P; cd link; cd ..; rm x", "/x"),
        (&[], "set -o physical; cd link/..; rm x", "/x"),
        (&[], "set -P; set +P; cd link/..; rm x", "/w/x"),
        (&[], "set -P; pushd link/..; rm x", "/x"),
        (&[], "cd link; rm \"$(pwd)\"/../x", "/x"),
        (&[], "cd link; cd \"$(pwd -P)\"/..; rm x", "/x"),
        (&[], "cd link; cd \"$(/bin/pwd)\"/..; rm x", "/x"),
        (&[], "cd link; cd \"$(pwd)\"/..; rm x", "/w/x"),
        (&[("CDPATH", "/w")], "cd a; cd -P link/..; rm x", "/x"),
    ];
    assert_rows(rows, targets);
    for (dialect, source, expected) in [
        (Dialect::Zsh, "setopt CHASE_LINKS; cd link/..; rm x", "/x"),
        (Dialect::Zsh, "set -w; cd link; cd ..; rm x", "/x"),
        (Dialect::Unknown, "set -P; cd link/..; rm x", "/w/x /x"),
    ] {
        assert_eq!(targets(&judge(&[], dialect, source)), expected, "{source}");
    }
}

/// `*)` takes whatever no arm before it took.
#[test]
fn an_arm_for_everything_ends_the_case() {
    let rows: &[Row] = &[
        (
            &[],
            "case \"$(uname)\" in L*) d=a;; *) d=b;; esac; rm -rf \"$d\"/",
            "allow",
        ),
        (
            &[],
            "case \"$(uname)\" in L*) d=a;; ?*) d=b;; esac; rm -rf \"$d\"/",
            "empty-variable-expansion",
        ),
        (
            &[],
            "case \"$(uname)\" in L*) d=a;; *) d=/h;; esac; rm -rf \"$d\"/",
            "floor-path",
        ),
        (
            &[],
            "case \"$(uname)\" in *) d=a;; x) d=/h;; esac; rm -rf \"$d\"/",
            "allow",
        ),
    ];
    assert_rows(rows, rules_of);
}
