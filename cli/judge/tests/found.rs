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

/// What `mktemp` makes is there, new and without links, although its name is not known.
#[test]
fn works_in_a_directory_that_mktemp_makes() {
    let rows: &[Row] = &[
        (
            &[],
            "cd \"$(mktemp -d)\" && npm init -y && rm -rf node_modules",
            "allow",
        ),
        (&[], "D=$(mktemp -d) && cd \"$D\" && rm -rf *", "allow"),
        (&[], "T=$(mktemp -d); (cd \"$T\" && rm README.md)", "allow"),
        (&[], "T=$(mktemp -d); cd \"$T\"; rm -rf *", "allow"),
        (&[], "pushd \"$(mktemp -d)\"; rm -rf *; popd", "allow"),
        (&[], "cd \"$(mktemp -d)\" && rm -rf \"$PWD\"/x ./y", "allow"),
        (
            &[],
            "D=$(mktemp -d); mkdir \"$D/a\"; cd \"$D/a\" && rm -rf *",
            "allow",
        ),
        (&[], "cd \"$(mktemp -d ./x.XXXX)\" && rm -rf *", "allow"),
        (
            &[],
            "cd \"$(mktemp -d /h/x.XXXX)\" && rm -rf *",
            "glob-no-match",
        ),
        (
            &[],
            "cd \"$(mktemp -d -p /h)\" && rm -rf *",
            "glob-no-match",
        ),
        (&[], "cd \"$(mktemp -dp /h)\" && rm -rf *", "glob-no-match"),
        (
            &[("TMPDIR", "/h")],
            "cd \"$(mktemp -d)\" && rm -rf x",
            "out-of-scope",
        ),
        (&[], "cd \"$(mktemp -d)/..\" && rm -rf *", "allow"),
        (&[], "cd \"$(mktemp -d)/x\"; rm -rf *", "glob-breadth"),
        (
            &[],
            "cd \"$(mktemp -d)\"; rm -rf ../../h/Documents",
            "out-of-scope",
        ),
        (
            &[],
            "D=$(mktemp -d); ln -s /h \"$D/l\"; rm -rf \"$D\"/l/*",
            "out-of-scope",
        ),
        (
            &[],
            "D=$(mktemp -d); ln -s /h \"$D/l\"; cd \"$D\"; rm -rf l/*",
            "glob-no-match",
        ),
        (
            &[],
            "D=$(mktemp -d); cd \"$D\"; ln -s /h l; cd /w; rm -rf \"$D/l/Documents\"",
            "out-of-scope",
        ),
        (
            &[],
            "D=$(mktemp -d); ln -s /h \"$D/l\"; cd \"$D/l\" && rm -rf Documents",
            "out-of-scope",
        ),
        (
            &[],
            "D=$(mktemp -d); rm -rf \"$D\"; cd \"$D\"; rm -rf *",
            "glob-breadth",
        ),
        (
            &[],
            "cd \"$(mktemp -du)\"; rm -rf *",
            "unresolvable-target glob-breadth",
        ),
        (&[], "cd \"$(mktemp -d)$X\"; rm -rf a/x", "allow"),
        (
            &[],
            "cd \"$(mktemp -d -p .)/..\" && rm -rf *",
            "glob-breadth",
        ),
        (
            &[],
            "cd \"$(mktemp -d -p .)\"; cd ..; rm -rf *",
            "glob-breadth",
        ),
        (&[], "mkdir -p t; rm -rf t; cd t; rm -rf *", "glob-breadth"),
        (&[], "mkdir -p t; rm -rf t/x; cd t; rm -rf *", "allow"),
    ];
    assert_rows(rows, rules_of);
    let rows: &[Row] = &[
        (&[], "cd /tmp && rm -rf * x", "/tmp/scratch /tmp/x"),
        (
            &[],
            "cd \"$(mktemp -d)/..\" && rm -rf * x",
            "/tmp/scratch /tmp/x",
        ),
        (
            &[],
            "cd \"$(mktemp -d)\"; cd ..; rm -rf * x",
            "/tmp/scratch /tmp/x",
        ),
        (
            &[],
            "cd \"$(mktemp -d)\"; rm -rf x ../y",
            "/tmp/tmp.<a name that mktemp makes up>/x /tmp/y",
        ),
    ];
    assert_rows(rows, targets);
}

/// Names that end at a zero byte are names like others.
#[test]
fn reads_what_find_prints() {
    let rows: &[Row] = &[
        (
            &[],
            "find b -name '*.o' -print0 | while IFS= read -r -d '' f; do rm -f \"$f\"; done",
            "allow",
        ),
        (
            &[],
            "find b -name '*.o' -print0 | while IFS= read -r -d $'\\0' f; do rm -f \"$f\"; done",
            "allow",
        ),
        (
            &[],
            "while IFS= read -r -d '' f; do rm -f \"$f\"; done < <(find b -name '*.o' -print0)",
            "allow",
        ),
        (
            &[],
            "while read -r f; do rm -f \"$f\"; done < <(find b -type f)",
            "allow",
        ),
        (
            &[],
            "find /h -print0 | while IFS= read -r -d '' f; do rm -f \"$f\"; done",
            "floor-path",
        ),
        (
            &[],
            "while IFS= read -rd '' f; do rm -f \"$f\"; done < <(find /h -name x -print0)",
            "out-of-scope",
        ),
        (
            &[],
            "find b -name x | while IFS= read -r -d : f; do rm -f \"$f\"; done",
            "unresolvable-target",
        ),
        (
            &[],
            "printf 'a\\0/h/Documents\\0' | while IFS= read -r -d '' f; do rm -rf \"$f\"; done",
            "out-of-scope",
        ),
        (&[], "find b c -name x -print0 | xargs -0 rm -f", "allow"),
        (
            &[],
            "mapfile -t f < <(find b -type f); rm -f \"${f[@]}\"",
            "allow",
        ),
        (
            &[],
            "mapfile -d '' -t f < <(find b -name x -print0); rm -f -- \"${f[@]}\"",
            "allow",
        ),
        (
            &[],
            "readarray -td '' f < <(find b -name x -print0); for x in \"${f[@]}\"; do rm \"$x\"; done",
            "allow",
        ),
        (
            &[],
            "mapfile -t f < <(find /h -name x); rm -f \"${f[@]}\"",
            "out-of-scope",
        ),
        (
            &[],
            "mapfile -t f < <(find b -name x); rm -rf \"$f\"/x",
            "unresolvable-target",
        ),
        (
            &[],
            "mapfile -t f < <(find b -name x); rm -rf \"${f[@]}/../..\"",
            "unresolvable-target",
        ),
        (
            &[],
            "mapfile -t f < <(find b -name x); f=/h; rm -rf \"${f[@]}\"",
            "floor-path",
        ),
        (
            &[],
            "find b /h -name x -print0 | xargs -0 rm -f",
            "out-of-scope",
        ),
        (
            &[],
            "find b /h -name x -print0 | xargs rm -f",
            "unresolvable-target",
        ),
    ];
    assert_rows(rows, rules_of);
}

/// Values that a shell expands or evaluates once more.
#[test]
fn follows_what_is_expanded_again() {
    const X: &str = "x='$(rm -rf /h/Documents)'; ";
    const A: &str = "x='a[$(rm -rf /h/Documents)]'; ";
    for (before, source, expected) in [
        (X, "echo \"${x@P}\"", "out-of-scope"),
        (X, "echo \"${x@Q}\"", "allow"),
        (X, "echo \"$x\"", "allow"),
        (X, "PS4=$x; set -x; true", "out-of-scope"),
        (X, "set -x; PS4=$x; true", "out-of-scope"),
        (X, "set -o xtrace; PS4=$x; cd a", "out-of-scope"),
        (X, "PS4=$x; true", "allow"),
        (X, "PS4=$x; set -x; set +x", "out-of-scope"),
        (X, "export PS4=$x; bash -x -c true", "out-of-scope"),
        (X, "export PS4=$x; bash -xc true", "out-of-scope"),
        (X, "export PS4=$x; bash -c true", "allow"),
        ("", "PS4='+ $(date) '; set -x; rm -rf a", "allow"),
        (A, "printf -v \"$x\" b", "out-of-scope"),
        (A, "printf '%s' \"$x\"", "allow"),
        (A, "read \"$x\" < f", "out-of-scope"),
        (A, "unset \"$x\"", "out-of-scope"),
        (A, "test -v \"$x\"", "out-of-scope"),
        (A, "[ -v \"$x\" ]", "out-of-scope"),
        (A, "[ -n \"$x\" ]", "allow"),
        (A, "[[ -v $x ]]", "out-of-scope"),
        (A, "[[ -n $x ]]", "allow"),
        (A, "[[ $x -eq 1 ]]", "out-of-scope"),
        (A, "[[ $x == 1 ]]", "allow"),
        (A, "echo \"${!x}\"", "out-of-scope"),
        (A, "z=abc; echo \"${z:x}\"", "out-of-scope"),
        (A, "z=abc; echo \"${z:1:x}\"", "out-of-scope"),
        (A, "z=abc; echo \"${z:$x}\"", "out-of-scope"),
        (A, "echo $(($x))", "out-of-scope"),
        (A, "y=x; echo $((y))", "out-of-scope"),
        (A, "echo \"${b[x]}\"", "out-of-scope"),
        (A, "b[x]=1", "out-of-scope"),
        (A, "let \"$x\"", "out-of-scope"),
        (A, "declare \"$x=1\"", "out-of-scope"),
        (A, "declare -n r=\"$x\"", "out-of-scope"),
        (A, "declare r=\"$x\"", "allow"),
        (A, "unset 'b[1]'", "allow"),
    ] {
        let source = format!("{before}{source}");
        let got = rules_of(&judge(&[], Dialect::Bash, &source));
        assert_eq!(got, expected, "{source}");
    }
}

/// Commands that builtins are given, and names for programs.
#[test]
fn follows_what_builtins_run() {
    for (dialect, source, expected) in [
        (
            Dialect::Bash,
            "mapfile -C 'rm -rf /h/Documents #' -c 1 < f",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "readarray -tC 'rm -rf /h/Documents #' a < f",
            "out-of-scope",
        ),
        (
            Dialect::Unknown,
            "mapfile -C 'rm -rf /h/Documents #' -c 1 < f",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "mapfile -C 'echo' -c 1 a < f; rm -rf b/x",
            "allow",
        ),
        (
            Dialect::Bash,
            "mapfile -C rm -c 1 a < f",
            "unresolvable-target",
        ),
        (
            Dialect::Bash,
            "mapfile -C 'cd /h; :' -c 1 a < f; rm -rf Documents",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "compgen -C 'rm -rf /h/Documents #' x",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "compgen -W '$(rm -rf /h/Documents)' x",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "f() { rm -rf /h/Documents; }; compgen -F f x",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "complete -C 'rm -rf /h/Documents #' x",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "complete -W 'a b' x; compgen -A file",
            "allow",
        ),
        (
            Dialect::Bash,
            "hash -p /bin/rm foo; foo -rf /h/Documents",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "hash -p /bin/rm foo; command foo -rf /h/Documents",
            "out-of-scope",
        ),
        (Dialect::Bash, "hash -p /bin/rm foo; foo -rf a", "allow"),
        (
            Dialect::Bash,
            "hash foo=/bin/rm; foo -rf /h/Documents",
            "allow",
        ),
        (
            Dialect::Zsh,
            "hash foo=/bin/rm; foo -rf /h/Documents",
            "out-of-scope",
        ),
        (
            Dialect::Unknown,
            "hash foo=/bin/rm; foo -rf /h/Documents",
            "out-of-scope",
        ),
        (
            Dialect::Bash,
            "hash -p /bin/echo rm; rm -rf /h/Documents",
            "out-of-scope",
        ),
        (Dialect::Bash, "hash -r; hash rm; rm -rf a", "allow"),
    ] {
        assert_eq!(rules_of(&judge(&[], dialect, source)), expected, "{source}");
    }
}

/// A loop that removes each of the names a glob matches removes what the glob would.
#[test]
fn a_loop_over_everything_is_a_sweep() {
    let rows: &[Row] = &[
        (&[], "for f in *; do rm -rf -- \"$f\"; done", "glob-breadth"),
        (&[], "for f in *; do rm -rf -- $f; done", "glob-breadth"),
        (
            &[],
            "for f in *; do rm -rf -- \"./${f}\"; done",
            "glob-breadth",
        ),
        (
            &[],
            "for f in ./*; do rm -rf -- \"$f\"; done",
            "glob-breadth",
        ),
        (
            &[],
            "for f in *; do echo \"$f\" && rm -rf -- \"$f\"; done",
            "glob-breadth",
        ),
        (
            &[],
            "for f in *; do { rm -rf -- \"$f\" || true; }; done",
            "glob-breadth",
        ),
        (
            &[],
            "cd a; for f in ../*; do rm -rf -- \"$f\"; done",
            "glob-breadth",
        ),
        (&[], "for f in *.log; do rm -f -- \"$f\"; done", "allow"),
        (&[], "for f in a/*; do rm -rf -- \"$f\"; done", "allow"),
        (
            &[],
            "for f in *; do [ \"$f\" = a ] && rm -rf -- \"$f\"; done",
            "allow",
        ),
        (
            &[],
            "for f in *; do test -L \"$f\" || continue; rm -f -- \"$f\"; done",
            "allow",
        ),
        (
            &[],
            "for f in *; do if [ -s \"$f\" ]; then :; else rm -f -- \"$f\"; fi; done",
            "allow",
        ),
        (&[], "for f in *; do rm -f -- \"$f.bak\"; done", "allow"),
        (&[], "for f in *; do rm -f -- \"a/$f\"; done", "allow"),
        (
            &[],
            "for f in *; do f=a/sub; rm -rf -- \"$f\"; done",
            "allow",
        ),
        (&[], "for f in a b; do rm -rf -- \"$f\"; done", "allow"),
    ];
    assert_rows(rows, rules_of);
}

/// `ls` and what picks among its lines: every name is judged.
#[test]
fn judges_all_of_what_may_be_listed() {
    let rows: &[Row] = &[
        (&[], "ls -t *.log | tail -n +6 | xargs -r rm -f", "allow"),
        (&[], "ls -1t *.log | head -3 | xargs rm --", "allow"),
        (
            &[],
            "ls -t /tmp/backup-* | tail -n +6 | xargs -r rm -f",
            "allow",
        ),
        (
            &[],
            "(cd a && ls -t sub/x | tail -n +4 | xargs rm --)",
            "allow",
        ),
        (
            &[],
            "(cd a && ls -t *.zip | tail -n +4 | xargs rm --)",
            "allow",
        ),
        (
            &[],
            "ls -t *.log | sort -r | sed -n '6,$p' | xargs -I{} rm -f {}",
            "allow",
        ),
        (
            &[],
            "ls -t *.log | grep -v keep | xargs -d '\\n' rm -f",
            "allow",
        ),
        (&[], "rm -f $(ls -t *.log | tail -n +6)", "allow"),
        (
            &[],
            "for f in $(ls -t *.log | tail -n +6); do rm \"$f\"; done",
            "allow",
        ),
        (
            &[],
            "touch x.log; mv a b; ls -t *.log | tail -n +6 | xargs rm -f",
            "allow",
        ),
        (&[], "ls -dt a/*/ | tail -n +4 | xargs rm -rf", "allow"),
        (
            &[],
            "ls -t /h/.bashrc f1.log | head -1 | xargs rm",
            "out-of-scope",
        ),
        (
            &[],
            "ls -t /h/*.log | tail -n +6 | xargs rm -f",
            "glob-no-match",
        ),
        (
            &[],
            "rm -f $(ls -t /h/.bash* f1.log | head -1)",
            "out-of-scope",
        ),
        (
            &[],
            "ls -dt /h/* | tail -n +6 | xargs rm -rf",
            "out-of-scope",
        ),
        (
            &[],
            "ls -dt [a-f]* | tail -n +6 | xargs rm -rf --",
            "glob-breadth",
        ),
        (&[], "rm -rf -- $(ls -dt ./[a-f]*)", "glob-breadth"),
        (&[], "ls -t a | tail -n +6 | xargs rm", "no-targets"),
        (&[], "ls -lt *.log | tail -n +6 | xargs rm", "no-targets"),
        (&[], "ls -t *.log | cut -c2- | xargs rm", "no-targets"),
        (
            &[],
            "f=$(ls -t f1.log /h/.bashrc | head -1); rm \"$f\"",
            "unresolvable-target",
        ),
        (&[], "ls -dt 'x y' /h/.bashrc | xargs rm -rf", "no-targets"),
        (
            &[],
            "for f in $(ls -t f1.log /h/.bashrc | head -1); do n=x$n; [ \"$n\" = xxx ] && rm \"$f\"; done",
            "out-of-scope",
        ),
    ];
    assert_rows(rows, rules_of);
}
