//! Strings with what they would destroy, on a disk in memory.

use std::path::Path;

use blastradius_policy::{NoTrust, Origin, Policy, PolicyText, discover, fake::FakeFs};

use super::{Session, argv_on, string_on};
use crate::{git::Nobody, interp::Place, report::Report, shell::ast::Dialect};

mod arrays;
mod builtins;
mod changes;
mod code;
mod conditions;
mod failures;
mod files;
mod found;
mod hard;
mod origins;
mod readings;
mod rules;
mod wrappers;

/// The disk of the hard cases: `/w` is the project, `/h` the home.
fn disk() -> FakeFs {
    FakeFs::new(&[
        ("/w/.git/HEAD", "file ref"),
        ("/w/a/sub/x", "file x"),
        ("/w/b", "dir"),
        ("/w/x y", "dir"),
        ("/w/f1.log", "file x"),
        ("/w/f2.log", "file x"),
        ("/w/.env", "file x"),
        ("/w/-rf", "file x"),
        ("/w/link", "link /h"),
        ("/w/b/repo/.git/config", "file [core]"),
        ("/w/b/repo/.git/refs/heads/main", "file 1f"),
        ("/w/b/bad.sh", "file #!/bin/sh\nrm -rf /h/Documents\n"),
        (
            "/w/b/unset.sh",
            "file #!/usr/bin/env bash\nrm -rf \"$NEVER/\"\n",
        ),
        (
            "/w/b/good.sh",
            "file #!/bin/bash -e\nrm -rf build \"$(cat list)\"\n",
        ),
        ("/w/b/argument.sh", "file rm -rf \"$1/sub\"\n"),
        ("/w/b/cd.sh", "file #!/bin/sh\ncd nowhere\nrm -rf *\n"),
        ("/w/b/set.sh", "file D=/h/Documents; return 0\n"),
        ("/w/b/half.sh", "file #!/bin/sh\nrm -rf 'never closed\n"),
        ("/w/b/program.py", "file #!/usr/bin/python3\nrm -rf /\n"),
        (
            "/w/b/make/Makefile",
            "file OUT = out\nHOMES := /h\nall: build\nbuild: ; mkdir $(OUT)\nclean:\n\trm -rf $(OUT)\n\
             unset:\n\t@rm -rf $(BUILD_DIR)/*\nwipe: clean\n\trm -rf \\\n\t  $(HOMES)/Documents\n\
             computed:\n\trm -rf $(addprefix /h/,x)\nshell:\n\trm -rf $(shell echo /h)/Documents\n\
             self:\n\t$(MAKE) wipe\ntop:\n\tcd nowhere; rm -rf *\n",
        ),
        (
            "/w/b/node/package.json",
            r#"file {"scripts": {"clean": "rimraf dist", "wipe": "rm -rf /h/Documents", "rm": "rm -rf",
                "test": "true", "posttest": "rm -rf ../../../h/Documents"}}"#,
        ),
        ("/h/Documents/thesis", "file x"),
        ("/h/.bashrc", "file x"),
        (
            "/etc/passwd",
            "file root:x:0:0::/root:/bin/sh\nsvc:x:9:9::/srv/svc:/bin/sh\n",
        ),
        ("/tmp/scratch/a", "file x"),
        ("/usr/bin/env", "file x"),
        ("/dev/null", "other"),
        ("/dev/sda", "block"),
        ("/d/sub", "dir"),
    ])
}

fn with_policy<T>(
    fs: &FakeFs,
    variables: &[(&str, &str)],
    dialect: Dialect,
    run: impl FnOnce(&Place<'_>) -> T,
) -> T {
    let mut environment = vec![("HOME", "/h")];
    environment.extend(variables);
    with_environment(fs, &environment, dialect, run)
}

fn with_environment<T>(
    fs: &FakeFs,
    variables: &[(&str, &str)],
    dialect: Dialect,
    run: impl FnOnce(&Place<'_>) -> T,
) -> T {
    let mut text = Box::new(PolicyText::new());
    let origin = Origin {
        start: b"/w",
        homes: &[b"/h"],
        tmpdir: None,
        config_home: None,
        state_home: None,
        runtime_dir: None,
        uid: 1000,
        session_start: (0, 0),
        launched: true,
        guard_files: &[],
        presets: &[],
    };
    discover(fs, &origin, &NoTrust, &mut text).expect("the scope is small");
    let policy = Policy::parse(text.as_bytes()).expect("it was just written");
    let environment: Vec<_> = variables
        .iter()
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
        .collect();
    let session = Session {
        policy: &policy,
        environment: &environment,
        cwd: Some(Path::new("/w")),
        dialect,
        strict: false,
        lower_layers: false,
        explain: false,
    };
    run(&Place {
        session: &session,
        fs,
        home: Some(b"/h"),
        git: &Nobody,
        background: crate::case::Background::none(),
    })
}

fn judge(variables: &[(&str, &str)], dialect: Dialect, source: &str) -> Report {
    with_policy(&disk(), variables, dialect, |place| {
        string_on(place, source.as_bytes(), &[])
    })
}

/// Every resolved target of `rm`, in order; `?` for one that is not known, with the rule where no path is.
fn targets(report: &Report) -> String {
    let mut out = Vec::new();
    for action in report
        .actions
        .iter()
        .filter(|action| action.program == b"rm")
    {
        for target in &action.targets {
            out.push(match (&target.resolved, &target.refusal) {
                (Some(path), _) => String::from_utf8_lossy(path).into_owned(),
                (None, Some(refusal)) => format!("?{}", refusal.rule.id()),
                (None, None) => "?".to_owned(),
            });
        }
    }
    out.join(" ")
}

/// Variables, a string, and what is expected of it.
type Row<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

/// Judges every row as bash, and names all that differ at once.
fn assert_rows(rows: &[Row<'_>], said: fn(&Report) -> String) {
    let mut wrong = Vec::new();
    for (variables, source, expected) in rows {
        let got = said(&judge(variables, Dialect::Bash, source));
        if got != *expected {
            wrong.push(format!(
                "{source:?} {variables:?}\n    expected {expected}\n    got      {got}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} rows:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

/// Variables, command, what `rm` is aimed at; the hard cases are in `hard`.
#[test]
fn resolves_what_bash_would() {
    let rows: &[Row] = &[
        (&[], "X=/d; sh -c 'rm $X/y'", "/y"),
        (&[], "export X=/d; sh -c 'rm $X/y'", "/d/y"),
        (&[], "X=/d sh -c 'rm $X/y'", "/d/y"),
        (&[], "case ${X:-q} in q) rm a;; *) rm b;; esac", "/w/a"),
        (&[], "echo a b | while read x y; do rm $y; done", "/w/b"),
        (
            &[],
            "D=$(mktemp -d) && rm -rf \"$D\"",
            "/tmp/tmp.<a name that mktemp makes up>",
        ),
        (&[], "rm -rf /tmp/x.$$", "/tmp/x.<a process id>"),
        (&[], "set -- x ../q y; rm \"${@:2:1}\"", "/q"),
        (&[], "A=(x /d); rm \"${A[@]:1}\"", "/d"),
        (&[], "A=(d e); rm \"${A[@]/#/../}\"", "/d /e"),
        (&[], "rm /d/${#X}", "/d/0"),
        (&[], "rm ${X:-\"p q\" r}", "/w/p q /w/r"),
        (&[], "set -- a b; IFS=/; rm \"$*\"", "/w/a/b"),
    ];
    assert_rows(rows, targets);
}

/// The rules that refuse a string, in order; `allow` for none.
fn rules_of(report: &Report) -> String {
    let mut rules: Vec<&str> = report
        .refusals()
        .filter_map(|(_, target)| target.refusal.as_ref())
        .map(|refusal| refusal.rule.id())
        .collect();
    rules.dedup();
    if rules.is_empty() {
        "allow".to_owned()
    } else {
        rules.join(" ")
    }
}

#[test]
fn refuses_by_the_right_rule() {
    let rows: &[Row] = &[
        (&[], "rm -f ~/", "tilde-ambiguous"),
        (&[], "rm -rf *", "glob-breadth"),
        (&[], "rm -rf ./*", "glob-breadth"),
        (&[], "rm -rf [!x]*", "glob-breadth"),
        (&[], "rm -rf !(keep)", "glob-breadth"),
        (&[], "rm -rf a/!(keep)", "allow"),
        (&[], "rm -rf /h/!(keep)", "out-of-scope"),
        (&[], "rm -f *.log", "allow"),
        (&[], "rm -f *.zip", "allow"),
        (&[], "cd a && rm -rf *", "allow"),
        (&[], "mkdir -p t; cd t; rm -rf *", "allow"),
        (&[], "cd $X; rm -rf a", "empty-variable-expansion"),
        (&[], "eval rm -rf '~'", "tilde-ambiguous"),
        (&[], "rm -rf $HOME", "floor-path"),
        (&[], "rm -rf $HOME/ .profile", "floor-path"),
        (&[], "rm -rf ~/Library", "tilde-ambiguous"),
        (&[], "rm -rf ~root", "tilde-ambiguous"),
        (&[], "rm -rf \"\"", "empty-target"),
        (&[], "rm -rf", "no-targets"),
        (&[], "rm -rf .", "floor-path"),
        (&[], "rm -rf .git", "vcs-metadata"),
        (&[], "rm -rf b/repo && git clone x b/repo", "vcs-metadata"),
        (&[], "mv b/repo b/repo.old", "allow"),
        (&[], "rm -rf b/repo/src", "allow"),
        (&[], "rm -rf link/", "floor-path"),
        (&[], "rm -rf link", "allow"),
        (&[], "rm -rf link/Documents", "out-of-scope"),
        (&[], "echo x > /etc/passwd", "system-path"),
        (&[], "echo x > ~/.bashrc", "tilde-ambiguous"),
        (&[], "echo x > /h/.bashrc", "out-of-scope"),
        (&[], "echo x >> ~/.bashrc", "allow"),
        (&[], "echo x > /dev/null", "allow"),
        (&[], "echo x > ~/new", "allow"),
        (&[], "dd if=/dev/zero of=/dev/sda", "floor-path"),
        (&[], "> \"$(curl x)\"", "unresolvable-target"),
        (&[], "rm $(git ls-files -o)", "unresolvable-target"),
        (&[], "find . -name '*.o' | xargs rm", "allow"),
        (&[], "rm $(find a -name x)", "unresolvable-target"),
        (&[], "rm -f $(ls *.log)", "allow"),
        (&[], "ls *.log | xargs rm", "allow"),
        (&[], "ls /h | xargs rm", "no-targets"),
        (&[], "ls | xargs rm -rf", "no-targets"),
        (
            &[("D", "/h")],
            "rm -rf $D{a,b}/x",
            "empty-variable-expansion",
        ),
        (&[("D", "a")], "rm -rf ${D}{1,2}/x", "allow"),
        (&[], "rm${IFS}-rf${IFS}/h", "floor-path"),
        (&[], "find ~ -name '*.o' | xargs rm", "out-of-scope"),
        (&[], "find . -name '*.o' -delete", "allow"),
        (&[], "find . -delete", "floor-path"),
        (&[], "find -L . -name x -delete", "floor-path"),
        (&[], "git clean -fdx", "allow"),
        (&[], "git -C / clean -fdx", "floor-path"),
        (&[], "git reset --hard HEAD~1", "allow"),
        (&[], "$(echo rm) -rf /h/Documents", "out-of-scope"),
        (&[], "$(curl x) -rf /h/Documents", "unresolvable-target"),
        (&[], "$(npm bin)/eslint .", "allow"),
        (&[], "kill $(lsof -t -i:3000)", "allow"),
        (&[], "rm -rf \"unterminated", "unparseable-command"),
        (&[], "echo \"unterminated", "allow"),
        (&[], "mv a /tmp/a", "allow"),
        (&[], "mv f1.log /h/.bashrc", "out-of-scope"),
        (&[], "mv f1.log /h/", "allow"),
        (&[], "cp f1.log /h/.bashrc", "out-of-scope"),
        (&[], "cp -r a /h/backup", "allow"),
        (&[], "mv /h/Documents /tmp/x", "out-of-scope"),
        (&[], "tee /h/.bashrc < /dev/null", "out-of-scope"),
        (&[], "truncate -s0 f1.log", "allow"),
        (&[], "echo rm -rf / | sh", "floor-path"),
        (&[], "blastradius uninstall --claude-code", "guard-file"),
        (&[], "ssh h 'rm -rf /srv'", "allow"),
        (&[], "rm -rf /tmp", "floor-path"),
        (&[], "rm -rf /tmp/scratch", "allow"),
        (&[], "sudo rm -rf /etc", "floor-path"),
        (&[], "xargs rm", "no-targets"),
        (&[], "bash <(echo rm -rf /h)", "floor-path"),
        (&[], "source <(echo rm -rf /h)", "floor-path"),
        (&[], ". /dev/stdin <<< 'rm -rf /h'", "floor-path"),
        (&[], "diff <(sort a) <(sort b)", "allow"),
        (&[], "ls / | xargs -I{} rm -rf /{}", "unresolvable-target"),
        (&[], "make clean; make", "allow"),
        (
            &[],
            "while read -r l; do :; done <<< x; rm -rf /h/x",
            "out-of-scope",
        ),
        (
            &[],
            "echo x | { read l; read m || rm /h/Documents; }",
            "out-of-scope",
        ),
        (&[], "break; rm -rf /h/Documents", "out-of-scope"),
        (&[], "CDPATH=/d cd sub && rm -rf x", "out-of-scope"),
        (&[], "return; rm -rf /h/Documents", "out-of-scope"),
        (&[], "trap -- 'rm -rf /h/Documents' EXIT", "out-of-scope"),
        (&[], "setsid -f rm -rf /h/Documents", "out-of-scope"),
        (&[], "su - root -c 'rm -rf /h/Documents'", "out-of-scope"),
        (
            &[],
            "systemd-run -p A=b rm -rf /h/Documents",
            "out-of-scope",
        ),
        (&[], "fish -c 'rm -rf /h/Documents'", "out-of-scope"),
    ];
    assert_rows(rows, rules_of);
}

#[test]
fn strict_takes_one_plain_command() {
    for (source, expected) in [
        ("rm -rf a", "allow"),
        ("rm -rf a; ls", "semicolon"),
        ("ls && rm -rf a", "logical-and"),
        ("ls || rm -rf a", "logical-or"),
        ("ls | cat", "pipe"),
        ("ls &", "background"),
        ("ls\nls", "newline"),
        ("echo $(date)", "command-substitution"),
        ("(ls)", "subshell"),
        ("if a; then b; fi", "compound-command"),
        ("git commit -m 'a; b'", "allow"),
        ("rm -f *.zip", "glob-no-match"),
        ("rm -f *.log", "glob-breadth"),
        ("rm -rf ~/x", "tilde-ambiguous"),
    ] {
        let report = with_policy(&disk(), &[], Dialect::Bash, |place| {
            let strict = Session {
                strict: true,
                ..*place.session
            };
            let place = Place {
                session: &strict,
                ..*place
            };
            string_on(&place, source.as_bytes(), &[])
        });
        let refusal = report
            .refusals()
            .next()
            .and_then(|(_, target)| target.refusal.as_ref());
        let got = match refusal {
            None => "allow",
            Some(refusal) => refusal.detail.as_deref().unwrap_or(refusal.rule.id()),
        };
        assert_eq!(got, expected, "{source:?}");
    }
}

#[test]
fn words_are_never_read_again() {
    for (words, expected) in [
        (&["rm", "-rf", "it's", "/h", "it's"][..], "floor-path"),
        (&["rm", "-rf", "$X"], "allow"),
        (&["rm", "[ab].txt"], "allow"),
        (&["rm", "~"], "allow"),
        (&["rm", "-rf", "line1\nline2"], "allow"),
        (&["git", "commit", "-m", "fix; rm -rf /"], "allow"),
        (&["sh", "-c", "rm -rf /h"], "floor-path"),
        (&["rm", "/tmp/a b/../../etc/passwd"], "system-path"),
    ] {
        let argv: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let report = with_policy(&disk(), &[], Dialect::Bash, |place| argv_on(place, &argv));
        assert_eq!(rules_of(&report), expected, "{words:?}");
    }
}

#[test]
fn what_doubles_is_given_up_on() {
    let doubles = "x=$x$x; ".repeat(64);
    let source = format!("x=aa; {doubles} rm -rf /h");
    assert_eq!(
        rules_of(&judge(&[], Dialect::Bash, &source)),
        "unparseable-command"
    );
    let source = "set -- a b; while :; do set -- $@ $@; done; rm -rf /h";
    assert_eq!(
        rules_of(&judge(&[], Dialect::Bash, source)),
        "unparseable-command"
    );
    assert_eq!(rules_of(&judge(&[], Dialect::Bash, &doubles)), "allow");
}

/// Strings that shells read differently: whatever one that may be meant would run is judged, and nothing else.
#[test]
fn judges_what_any_possible_shell_would_run() {
    use Dialect::{Bash, Sh, Unknown, Zsh};
    for (dialect, source, expected) in [
        (Sh, "((rm -rf /h))", "floor-path"),
        (Unknown, "((rm -rf /h))", "floor-path"),
        (Bash, "((rm -rf /h))", "allow"),
        (Bash, "sh -c '((rm -rf /h))'", "floor-path"),
        (Bash, "dash -c '((rm -rf /h))'", "floor-path"),
        (Bash, "bash -c '((rm -rf /h))'", "allow"),
        (Unknown, "cd a; ((rm -rf sub))", "allow"),
        (Unknown, "((rm - rf))", "allow"),
        (Unknown, "((a > /etc/passwd))", "system-path"),
        (Unknown, "n=$(nproc); ((n > $X)); ((n >> 2))", "allow"),
        (
            Unknown,
            "for ((i = 0; i < 3; i++)); do rm -f a; done",
            "allow",
        ),
        (Unknown, "echo `((rm -rf /h))`", "unparseable-command"),
        (Unknown, "echo `((i++))`", "allow"),
        (Unknown, "[[ a || rm == /h ]]", "floor-path"),
        (Bash, "[[ a || rm == /h ]]", "allow"),
        (Unknown, "[[ $a > $b && -n $c ]] || rm -f a/x", "allow"),
        (Unknown, "[[ $(git status) == rm ]]", "allow"),
        (Unknown, "echo $'\\'; rm -rf /h #'", "floor-path"),
        (Sh, "echo $'\\'; rm -rf /h #'", "floor-path"),
        (Bash, "echo $'\\'; rm -rf /h #'", "allow"),
        (Unknown, "echo $'it\\'s'; rm -rf a", "allow"),
        (Unknown, "echo \"${x:-'}\"; rm -rf /h #'}\"", "floor-path"),
        (Unknown, "echo \"${x:-'}\"; rm -rf a #'}\"", "allow"),
        (Zsh, "echo \"${x:-'}\"; rm -rf /h #'}\"", "floor-path"),
        (Bash, "echo \"${x:-'}\"; rm -rf /h #'}\"", "allow"),
        (Bash, "echo \"${x:-'$(rm -rf /h)'}\"", "floor-path"),
        (Bash, "cat <<E\n${x:-'$(rm -rf /h)'}\nE\n", "floor-path"),
        (Unknown, "echo a >!/etc/passwd", "system-path"),
        (Bash, "echo a >!/etc/passwd", "allow"),
        (Zsh, "ls *(e:'rm -rf /h':)", "unparseable-command"),
        (Zsh, "ls *(+rm)", "unparseable-command"),
        (Zsh, "ls *(.) *(om[1]) file-*.rm(.)", "allow"),
        (Zsh, "echo $x[$(rm -rf /h)]", "floor-path"),
        (
            Bash,
            "cat <<'E' $(true\nrm -rf /h\nE\n)\nb\nE\n",
            "floor-path",
        ),
        (Bash, "[[ a =~ (a <(rm -rf /h)) ]]", "floor-path"),
        (Unknown, "a[ 1 ]=b", "allow"),
        (Zsh, "echo ${x/a/$(rm -rf /h)}", "floor-path"),
        (Zsh, "echo ${x:$(rm -rf /h):2} ${x:1:2}", "floor-path"),
        (Zsh, "echo ${(e)x:-$(rm -rf /h)}", "floor-path"),
        (Zsh, "echo ${#X#$(rm -rf /h)}", "floor-path"),
        (Sh, "f() { time { a; }\nrm -rf /h\n}", "floor-path"),
        (Unknown, "time { a; rm -f b; }; rm -rf a", "allow"),
        (
            Bash,
            "echo \"${x:-'$(echo \"$'\"; rm -rf /h; echo \"'\")'}\"",
            "unparseable-command",
        ),
        (Zsh, "repeat 1 rm -rf /h", "floor-path"),
        (Unknown, "repeat 1 rm -rf /h", "floor-path"),
        (Bash, "repeat 1 rm -rf /h", "allow"),
        (
            Zsh,
            "repeat 2 { cd a; rm -rf sub; }; rm -rf /h",
            "floor-path",
        ),
        (Zsh, "repeat 2; do rm -rf a; done && rm -rf b/x", "allow"),
        (Zsh, "repeat 0 rm -rf /h", "allow"),
        (Zsh, "repeat $(nproc) cd nope && rm -rf *", "allow"),
        (Zsh, "repeat 3 cd .. ; rm -rf h/Documents", "out-of-scope"),
        (Zsh, "foreach i (a b) rm -rf /h; end", "unparseable-command"),
        (Bash, "echo ${x/a/$(rm -rf /h)}", "allow"),
        (Sh, "$'rm' -rf /h", "floor-path"),
        (Sh, "$\"rm\" -rf /h", "floor-path"),
        (Zsh, "{rm -rf /h}", "unparseable-command"),
        (Unknown, "{rm -rf /h}", "unparseable-command"),
        (Unknown, "{a,b} c", "allow"),
        (Sh, "cat <<'E\nF'\nE\nF\nrm -rf /h", "unparseable-command"),
    ] {
        let report = judge(&[], dialect, source);
        assert_eq!(rules_of(&report), expected, "{dialect:?}: {source:?}");
    }
}

/// Operands of parameters of which nothing is known.
#[test]
fn judges_operands_that_may_be_expanded() {
    let mut wrong = Vec::new();
    for (source, expected) in [
        ("X=$(date); echo ${X:-$(rm -rf /h)}", "floor-path"),
        ("X=$(date); echo \"${X:-$(rm -rf /h)}\"", "floor-path"),
        ("X=$(date); echo ${X:=$(rm -rf /h)}", "floor-path"),
        ("X=$(date); echo ${X:+$(rm -rf /h)}", "floor-path"),
        ("X=$(date); echo ${X:?$(rm -rf /h)}", "floor-path"),
        ("X=$(date); echo ${X#$(rm -rf /h)}", "floor-path"),
        ("X=$(date); echo ${X/a/$(rm -rf /h)}", "floor-path"),
        ("X=$(date); echo ${X:$(rm -rf /h):1}", "floor-path"),
        ("X=$(date); echo ${X:1:$(rm -rf /h)}", "floor-path"),
        ("X=$(date); echo ${X[$(rm -rf /h)]}", "floor-path"),
        ("X=$(date); echo ${#X[$(rm -rf /h)]}", "floor-path"),
        ("X=$(date); echo ${!X[$(rm -rf /h)]}", "floor-path"),
        ("X=$(date); echo ${X^$(rm -rf /h)}", "floor-path"),
        (
            "X=$(date); : ${X:-${Y:?$(rm -rf /h)}}; rm -rf a",
            "floor-path",
        ),
        ("echo ${X:?$(rm -rf /h)}", "floor-path"),
        ("echo ${X:+$(rm -rf /h)}", "allow"),
        ("X=a; echo ${X:-$(rm -rf /h)}", "allow"),
        ("X=a; echo ${X:+$(rm -rf /h)}", "floor-path"),
        ("echo $@ ${@:-$(rm -rf /h)}", "floor-path"),
        ("A=(a b); echo ${A[@]#$(rm -rf /h)}", "floor-path"),
        ("A=(a b); echo \"${A[@]/a/$(rm -rf /h)}\"", "floor-path"),
        ("A=(a b); echo ${A[*]:$(rm -rf /h)}", "floor-path"),
        ("A=(a b); echo ${#A[$(rm -rf /h)]}", "floor-path"),
        ("A[$(rm -rf /h)]=1", "floor-path"),
        ("A=([$(rm -rf /h)]=1)", "floor-path"),
        ("echo $((X[$(rm -rf /h)]))", "floor-path"),
        ("((X = $(rm -rf /h)))", "floor-path"),
        (
            "for ((i = $(rm -rf /h); i < 1; i++)); do :; done",
            "floor-path",
        ),
        (
            "for ((i = 0; i < 1; i += $(rm -rf /h))); do :; done",
            "floor-path",
        ),
        ("[[ -n $(rm -rf /h) ]]", "floor-path"),
        ("[[ a == $(rm -rf /h) ]]", "floor-path"),
        ("[[ a && b =~ x$(rm -rf /h) ]]", "floor-path"),
        ("case $(rm -rf /h) in a) ;; esac", "floor-path"),
        ("case a in $(rm -rf /h)) ;; esac", "floor-path"),
        ("for i in $(rm -rf /h); do :; done", "floor-path"),
        ("select i in $(rm -rf /h); do :; done", "floor-path"),
        ("echo a >$(rm -rf /h)", "floor-path"),
        ("echo a <<<$(rm -rf /h)", "floor-path"),
        ("echo a 2>&$(rm -rf /h)", "floor-path"),
        ("$(rm -rf /h)", "floor-path"),
        ("X=$(rm -rf /h) true", "floor-path"),
        ("export X=$(rm -rf /h)", "floor-path"),
        ("declare -a X=($(rm -rf /h))", "floor-path"),
        ("local X=`rm -rf /h`", "floor-path"),
        ("echo {a,$(rm -rf /h)}", "floor-path"),
        ("echo $[$(rm -rf /h)]", "floor-path"),
        ("echo <(rm -rf /h)", "floor-path"),
        ("coproc rm -rf /h", "floor-path"),
        ("f() { :; } >$(rm -rf /h); f", "floor-path"),
        ("{ :; } 2>$(rm -rf /h)", "floor-path"),
        ("(: <$(rm -rf /h))", "floor-path"),
        ("time rm -rf /h", "floor-path"),
        ("if :; then :; fi >$(rm -rf /h)", "floor-path"),
        ("while false; do :; done <$(rm -rf /h)", "floor-path"),
        ("[[ a ]] >$(rm -rf /h)", "floor-path"),
        ("((1)) >$(rm -rf /h)", "floor-path"),
        ("case a in a) ;; esac <$(rm -rf /h)", "floor-path"),
        ("for i in a; do :; done <$(rm -rf /h)", "floor-path"),
        ("trap 'rm -rf /h' EXIT", "floor-path"),
        ("cat <<E\n$(rm -rf /h)\nE", "floor-path"),
        ("f() { cat <<E\n$(rm -rf /h)\nE\n}; f", "floor-path"),
        ("echo a | while read x; do rm -rf /h; done", "floor-path"),
    ] {
        let got = rules_of(&judge(&[], Dialect::Bash, source));
        if got.split(' ').next() != Some(expected) {
            wrong.push(format!("{source:?}: {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What may fail may be what `||` waits for.
#[test]
fn assignments_and_redirections_may_fail() {
    for (source, expected) in [
        ("X=1 || rm -rf /h", "allow"),
        ("X=$Y || rm -rf /h", "allow"),
        ("X=$(false) || rm -rf /h", "floor-path"),
        ("X=${Y:-$(false)} || rm -rf /h", "floor-path"),
        ("X=`false` || rm -rf /h", "floor-path"),
        ("X[$Y]=1 || rm -rf /h", "floor-path"),
        ("> nope/f || rm -rf /h", "floor-path"),
        ("< nope || rm -rf /h", "floor-path"),
        ("X=1 < nope || rm -rf /h", "floor-path"),
        ("true < nope || rm -rf /h", "floor-path"),
        (": > nope/f || rm -rf /h", "floor-path"),
        ("cd a 2> nope/f || rm -rf /h", "floor-path"),
        ("{ true; } < nope || rm -rf /h", "floor-path"),
        ("( true ) < nope || rm -rf /h", "floor-path"),
        ("if true; then true; fi < nope || rm -rf /h", "floor-path"),
        ("while false; do :; done < nope || rm -rf /h", "floor-path"),
        ("case a in a) true;; esac < nope || rm -rf /h", "floor-path"),
        (
            "for i in a; do true; done < nope || rm -rf /h",
            "floor-path",
        ),
        ("[[ a ]] < nope || rm -rf /h", "floor-path"),
        ("((1)) < nope || rm -rf /h", "floor-path"),
        ("f() { true; } < nope; f || rm -rf /h", "floor-path"),
        ("true 2>/dev/null || rm -rf /h", "allow"),
        ("set -e; X=$(date); rm -rf /h", "floor-path"),
    ] {
        assert_eq!(
            rules_of(&judge(&[], Dialect::Bash, source)),
            expected,
            "{source:?}"
        );
    }
}
