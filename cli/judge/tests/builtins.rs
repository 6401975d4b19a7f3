//! Builtins and words of the shell that change what comes after them.

use super::{Dialect, Row, assert_rows, judge, rules_of, targets};

#[test]
fn follows_where_the_shell_goes() {
    let rows: &[Row] = &[
        (
            &[],
            "pushd a; pushd ../b; popd; rm x; popd; rm y",
            "/w/a/x /w/y",
        ),
        (&[], "pushd a; pushd ../b; pushd +1; rm x; dirs", "/w/a/x"),
        (
            &[],
            "pushd a; pushd ../b; pushd -0; rm x; pushd; rm y",
            "/w/x /w/b/y",
        ),
        (
            &[],
            "pushd a; pushd ../b; popd +1; rm x; popd; rm y",
            "/w/b/x /w/y",
        ),
        (
            &[],
            "pushd a; pushd ../b; popd -0; rm x; popd; rm y",
            "/w/b/x /w/a/y",
        ),
        (&[], "pushd a; popd +0; rm x; popd +0; rm y", "/w/x /w/y"),
        (
            &[],
            "pushd a; popd +7; rm x; pushd +7; rm y",
            "/w/a/x /w/a/y",
        ),
        (&[], "pushd -n a; rm x; popd; rm y", "/w/x /w/a/y"),
        (&[], "pushd a; popd -n; rm x; popd; rm y", "/w/a/x /w/a/y"),
        (&[], "pushd nope; rm x; popd; rm y", "/w/x /w/y"),
        (&[], "pushd; rm x", "/w/x"),
        (
            &[],
            "pushd a && pushd +$(nproc) && rm x",
            "?unresolvable-target",
        ),
        (&[("CDPATH", "/t:/d")], "cd sub && rm x", "/d/sub/x"),
        (&[("CDPATH", ":/d")], "cd a && rm x", "/w/a/x"),
        (&[("CDPATH", "/d")], "cd ./a && rm x", "/w/a/x"),
        (&[("CDPATH", "/d")], "mkdir /d/n; cd n; rm x", "/d/n/x"),
        (&[], "cd a; X=$(cd -); rm \"$X\"/x", "/w/x"),
        // A redirection that fails keeps the command from running.
        (&[], "cd a < nope; rm x", "/w/a/x /w/x"),
        (&[], "cd a < f1.log; rm x", "/w/a/x"),
        (&[], "cd a > nope/log; rm x", "/w/a/x /w/x"),
        (&[], "cd a > log 2>&1; rm x", "/w/a/x"),
        (&[], "cd a 2> /dev/null; rm x", "/w/a/x"),
        (&[], "X=/d; unset X < nope; rm \"$X/x\"", "/x /d/x"),
        (&[], "printf -v X %s%s /d /e; rm $X", "/d/e"),
        (&[], "X=/d; read X < /dev/null; rm \"$X/x\"", "/x"),
        (
            &[],
            "rm ~svc/x ~nobody-here/x",
            "/srv/svc/x /w/~nobody-here/x",
        ),
        (&[], "for f in ${X:?}; do rm /h; done; rm /h", ""),
        (&[], "(for f in ${X:?}; do rm /h; done); rm x", "/w/x"),
        (
            &[],
            "X=$(curl u); for f in ${X:?}; do rm $f; done",
            "?unresolvable-target",
        ),
    ];
    assert_rows(rows, targets);
}

/// All names at the top of the project are a sweep, however they come to `rm`.
#[test]
fn matches_that_come_through_a_pipe_are_still_a_glob() {
    let rows: &[Row] = &[
        (&[], "printf '%s\\n' * | xargs rm -rf", "glob-breadth"),
        (
            &[],
            "printf '%s\\0' ./* | xargs -0 rm -rf --",
            "glob-breadth",
        ),
        (&[], "echo * | xargs -n1 rm -rf", "glob-breadth"),
        (
            &[],
            "printf '%s\\n' * | xargs -I{} rm -rf -- {}",
            "glob-breadth",
        ),
        (
            &[],
            "printf '%s\\n' \"$PWD\"/* | xargs rm -rf",
            "glob-breadth",
        ),
        (&[], "printf '%s\\n' *.log | xargs rm -rf", "allow"),
        (&[], "printf '%s\\n' a/* | xargs rm -rf", "allow"),
        (&[], "printf '%s\\n' * | xargs ls", "allow"),
        (
            &[],
            "printf '%s\\n' * | xargs -I{} rm -rf build/{}",
            "allow",
        ),
        (
            &[],
            "printf '%s\\n' *.log /h/.bashrc | xargs rm",
            "out-of-scope",
        ),
    ];
    assert_rows(rows, rules_of);
}

#[test]
fn judges_a_command_also_as_an_alias_makes_it() {
    use Dialect::{Bash, Sh, Unknown, Zsh};
    for (dialect, source, expected) in [
        (Sh, "alias ls='rm -rf'\nls /h", "floor-path"),
        (Zsh, "alias ls='rm -rf'\nls /h", "floor-path"),
        (Unknown, "alias ls='rm -rf'\nls /h", "floor-path"),
        (Bash, "alias ls='rm -rf'\nls /h", "allow"),
        (
            Bash,
            "shopt -s expand_aliases\nalias ls='rm -rf'\nls /h",
            "floor-path",
        ),
        (Bash, "bash -ic \"alias ls='rm -rf'\nls /h\"", "floor-path"),
        (
            Bash,
            "bash -O expand_aliases -c \"alias ls='rm -rf'\nls /h\"",
            "floor-path",
        ),
        (Bash, "dash -c \"alias ls='rm -rf'\nls /h\"", "floor-path"),
        (Sh, "alias ls='ls --color'\nls; rm -rf a", "allow"),
        (Sh, "alias a=b b='rm -rf'\na /h", "floor-path"),
        (Sh, "alias ls='rm -rf'\nunalias ls\nls /h", "allow"),
        (Sh, "alias ls='rm -rf'\n'ls' /h", "allow"),
        (Sh, "alias ls=\"$X rm\"\nls /h", "floor-path"),
        (Sh, "alias go='cd a;'\ngo rm -rf /h", "floor-path"),
        (Sh, "alias rm='rm -i'\nrm -rf b/x", "allow"),
        (Sh, "alias ls=$(curl u)\nls rm", "unparseable-command"),
        (Sh, "alias ls=$(curl u)\nls a", "allow"),
    ] {
        let report = judge(&[], dialect, source);
        assert_eq!(rules_of(&report), expected, "{dialect:?}: {source:?}");
    }
}
