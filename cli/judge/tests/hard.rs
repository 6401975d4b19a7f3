//! The hard cases by their numbers: what each shell would be aimed at, and the rules that refuse it.

use std::collections::BTreeSet;

use super::{disk, with_environment};
use crate::{judge::string_on, report::Report, shell::ast::Dialect};

/// Shells, what they aim at (`?` for what cannot be known, with the rule), and the rules.
type Said<'a> = (&'a str, &'a str, &'a str);
/// Its number, a variable, the string, and what is said of it. `sh` is dash or bash. Where nothing is said of an unknown
/// shell, it is all that is said of the others.
type Case<'a> = (u16, &'a str, &'a str, &'a [Said<'a>]);

const SHELLS: [(&str, Dialect); 3] = [
    ("bash", Dialect::Bash),
    ("sh", Dialect::Sh),
    ("zsh", Dialect::Zsh),
];
const LAST: u16 = 147;
/// The variable of a case in which HOME is not set.
const HOMELESS: &str = "HOME is unset";

#[rustfmt::skip]
const CASES: &[Case<'_>] = &[
    (1, "", r#"rm -rf "$X"/sub"#, &[("all", "/sub", "empty-variable-expansion")]),
    (2, "X=/d", r#"rm -rf "$X"/sub"#, &[("all", "/d/sub", "out-of-scope")]),
    (3, "", "rm -rf '$X'/sub", &[("all", "/w/$X/sub", "allow")]),
    (4, "X=a b", "rm -rf $X/sub", &[("bash sh", "/w/a | /w/b/sub", "allow"), ("zsh", "/w/a b/sub", "allow")]),
    (5, "", r#"rm -rf "$X/"*"#, &[("all", "/*", "empty-variable-expansion")]),
    (6, "", "rm -rf $X/*", &[("all", "/*", "empty-variable-expansion")]),
    (7, "", "rm -rf $X", &[("all", "?empty-variable-expansion", "empty-variable-expansion")]),
    (8, "", r#"rm -rf "$X""#, &[("all", "?empty-variable-expansion", "empty-variable-expansion")]),
    (9, "", r#"rm -rf "${X:?}"/sub; rm -rf y"#, &[("all", "", "allow")]),
    (10, "", r#"(rm -rf "${X:?}"/*) || rm -rf y"#, &[("all", "/w/y", "allow")]),
    (11, "", r#"X=$(curl u); rm -rf "${X:?}"/*"#, &[("all", "?unresolvable-target", "unresolvable-target")]),
    (12, "", "rm -rf ${X:-/d}/y", &[("all", "/d/y", "out-of-scope")]),
    (12, "X=", "rm -rf ${X:-/d}/y", &[("all", "/d/y", "out-of-scope")]),
    (13, "X=", "rm -rf ${X-/d}/y", &[("all", "/y", "empty-variable-expansion")]),
    (14, "", "rm -rf ${X:=/d}; rm -rf $X/z", &[("all", "/d | /d/z", "floor-path out-of-scope")]),
    (15, "", "rm -rf ${X:+/d}/y", &[("all", "/y", "empty-variable-expansion")]),
    (16, "", r#"set -u; rm -rf "$X"/sub; rm y"#, &[("all", "", "allow")]),
    (17, "", "X=/d rm -rf $X/y", &[("all", "/y", "empty-variable-expansion")]),
    (18, "X=/e", "X=/d rm -rf $X/y", &[("all", "/e/y", "out-of-scope")]),
    (19, "", r#"X=/d; X= rm -rf "$X""#, &[("all", "/d", "floor-path")]),
    (20, "", "X=/d; (X=/e; rm $X); rm $X", &[("all", "/e | /d", "floor-path")]),
    (21, "", "X=/d; echo | X=/e; rm -rf $X", &[("bash sh", "/d", "floor-path"), ("zsh", "/e", "floor-path")]),
    (22, "", r#"X=/d & rm -rf "$X"/y"#, &[("all", "/y", "empty-variable-expansion")]),
    (23, "", "X=/d; coproc X=/e; rm $X", &[("all", "/d", "floor-path")]),
    (24, "", "X=$(X=/e; echo /q); rm -rf $X", &[("all", "/q", "floor-path")]),
    (25, "X=/o", "false && X=/d; rm -rf $X", &[("all", "/o", "floor-path")]),
    (26, "X=/o", "test -d q && X=/d; rm -rf $X", &[("all", "/o | /d", "floor-path")]),
    (27, "", r#"if [ -n "$Q" ]; then X=/d; else X=/e; fi; rm $X"#, &[("all", "/e", "floor-path")]),
    (27, "", r#"Q=$(date); if [ -n "$Q" ]; then X=/d; else X=/e; fi; rm $X"#, &[("all", "/d | /e", "floor-path")]),
    (28, "", "for i in a b; do rm $i; done; rm $i", &[("all", "/w/a | /w/b", "allow")]),
    (29, "X=p q", r#"for i in "$X"; do rm $i; done"#, &[
        ("bash sh", "/w/p | /w/q", "allow"),
        ("zsh", "/w/p q", "allow"),
    ]),
    // `*/` follows the link: what is in the home goes.
    (30, "", r#"for d in */; do rm -rf "$d"; done"#, &[("all", "/w/a | /w/b | /h | /w/x y", "floor-path")]),
    (31, "", r#"while read -r l; do rm "$l"; done < list"#, &[
        ("all", "?unresolvable-target", "unresolvable-target"),
    ]),
    (32, "", r#"while read -r l; do rm "$l"; done <<< "p q""#, &[("all", "/w/p q", "allow")]),
    (33, "", r#"find . -name "*.o" | while read f; do rm "$f"; done"#, &[("all", "/w", "allow")]),
    (34, "", "cd a && rm -rf sub", &[("all", "/w/a/sub", "allow")]),
    (35, "", "cd nope && rm -rf sub", &[("all", "", "allow")]),
    (35, "", "git clone u nope; cd nope && rm -rf sub", &[("all", "/w/nope/sub", "allow")]),
    (36, "", "cd nope; rm -rf *", &[("all", "/w/*", "glob-breadth")]),
    (36, "", "git clone u nope; cd nope; rm -rf *", &[("all", "/w/nope/* | /w/*", "glob-breadth")]),
    // `a` is there, so `cd` does not fail; where it may, both directories count.
    (37, "", "cd a && rm x || rm y", &[("all", "/w/a/x | /w/a/y", "allow")]),
    (37, "", "git clone u n; cd n && rm x || rm y", &[("all", "/w/n/x | /w/n/y | /w/y", "allow")]),
    (38, "", r#"cd "$X"; rm -rf *"#, &[("all", "/w/*", "glob-breadth")]),
    (39, "", "cd $X; rm -rf *", &[("all", "/h/Documents", "empty-variable-expansion")]),
    (40, "", "(cd a); rm x", &[("all", "/w/x", "allow")]),
    (41, "", "{ cd a; }; rm x", &[("all", "/w/a/x", "allow")]),
    (42, "", "{ cd a; } | cat; rm x", &[("all", "/w/x", "allow")]),
    (43, "", "echo | cd a; rm y", &[("bash sh", "/w/y", "allow"), ("zsh", "/w/a/y", "allow")]),
    (44, "", "cd a & rm x", &[("all", "/w/x", "allow")]),
    // A shell that was started by hand knows no previous directory; the agent's may.
    (45, "", "cd -; rm -rf x", &[
        ("bash sh", "?unresolvable-target | /w/x", "unresolvable-target"),
        ("zsh", "/w/x", "allow"),
    ]),
    (45, "OLDPWD=/d", "cd -; rm -rf x", &[("bash sh", "/d/x", "out-of-scope"), ("zsh", "/w/x", "allow")]),
    (46, "", "cd a; rm ~-/y", &[("bash zsh", "/w/y", "allow"), ("sh", "/w/y | /w/a/~-/y", "allow")]),
    (47, "", "cd link; rm -rf ../x", &[("all", "/x", "floor-path")]),
    (48, "", "cd link && cd .. && rm -rf x", &[("all", "/w/x", "allow")]),
    (49, "", "CDPATH=/t; cd home; rm x", &[("all", "/t/home/x", "out-of-scope")]),
    (50, "", "cd() { :; }; cd a; rm x", &[("all", "/w/x", "allow")]),
    (51, "", "f() { cd a; }; f; rm x", &[("all", "/w/a/x", "allow")]),
    (52, "", "f() ( cd a ); f; rm x", &[("all", "/w/x", "allow")]),
    (53, "", "pushd a; rm x; popd; rm y", &[
        ("bash zsh", "/w/a/x | /w/y", "allow"),
        ("sh", "/w/a/x | /w/x | /w/y", "allow"),
    ]),
    (54, "", "PWD=/zz; rm $PWD/x", &[("all", "/zz/x", "out-of-scope")]),
    (55, "", r#"cd "$(git rev-parse --show-toplevel)" && rm -rf build"#, &[("all", "/w/build", "allow")]),
    (56, "", "mkdir -p t && cd t && rm -rf *", &[("all", "/w/t/*", "allow")]),
    (57, "", "rm -rf {a,b}/x", &[
        ("bash zsh", "/w/a/x | /w/b/x", "allow"),
        ("sh", "/w/a/x | /w/b/x | /w/{a,b}/x", "allow"),
    ]),
    (58, "X=/d e", r#"rm -rf {a,"$X"}"#, &[
        ("bash zsh", "/w/a | /d e", "floor-path"),
        ("sh", "/w/a | /d e | /w/{a,/d e}", "floor-path"),
    ]),
    (59, "X=1", "rm {$X..3}", &[("bash sh", "/w/{1..3}", "allow"), ("zsh", "/w/1 | /w/2 | /w/3", "allow")]),
    (60, "", "X={a,b}; rm $X", &[("all", "/w/{a,b}", "allow")]),
    (61, "", "rm -rf {/,/tmp/x}", &[
        ("bash zsh", "/ | /tmp/x", "floor-path"),
        ("sh", "/ | /tmp/x | /w/{/,/tmp/x}", "floor-path"),
    ]),
    (62, "", r#"rm "~/x""#, &[("all", "/w/~/x", "allow")]),
    (63, "", "rm ~'/x'", &[("bash sh", "/w/~/x", "allow"), ("zsh", "/h/x", "tilde-ambiguous")]),
    (64, "", "X=~/q; rm $X", &[("all", "/h/q", "out-of-scope")]),
    (65, "", r#"X="~/q"; rm $X"#, &[("all", "/w/~/q", "allow")]),
    (66, "", "rm ${X:-~/y}", &[("all", "/h/y", "out-of-scope")]),
    (67, "", "foo --dir=~/x", &[("all", "", "allow")]),
    (67, "", "rm --dir=~/x", &[("all", "?no-targets", "no-targets")]),
    (68, "", "rm a=~/x", &[
        ("bash", "/w/a=/h/x", "allow"),
        ("sh", "/w/a=/h/x | /w/a=~/x", "allow"),
        ("zsh", "/w/a=~/x", "allow"),
    ]),
    (69, "", "HOME=/d; rm ~/x", &[("all", "/d/x", "tilde-ambiguous")]),
    (70, "", "HOME=; rm -rf ~/x", &[("all", "/x", "tilde-ambiguous")]),
    (71, HOMELESS, "rm -rf $HOME/x", &[
        ("bash sh", "/x", "empty-variable-expansion"),
        ("zsh", "/h/x", "out-of-scope"),
    ]),
    // zsh runs no such command, unless its options say otherwise; it is judged as if it ran.
    (72, "", "rm ~nosuch/x", &[("all", "/w/~nosuch/x", "allow")]),
    (73, "", "rm *", &[("all", "/w/*", "glob-breadth")]),
    (74, "", "rm -rf .*", &[("all", "/w/.*", "glob-breadth")]),
    (75, "", r#"rm "*".log"#, &[("all", "/w/*.log", "allow")]),
    (76, "", r#"X="*.log"; rm $X"#, &[("bash sh", "/w/f1.log", "allow"), ("zsh", "/w/*.log", "allow")]),
    (77, "", "set -f; rm *.log", &[("bash sh", "/w/*.log", "allow"), ("zsh", "/w/f1.log", "allow")]),
    // The same of a glob without a match.
    (78, "", "rm *.zip", &[("all", "/w/*.zip", "allow")]),
    (79, "D=", r#"shopt -s nullglob; rm -rf "$D"/*"#, &[("all", "/*", "empty-variable-expansion")]),
    (80, "", r"rm $'\x2fetc'", &[("bash zsh", "/etc", "floor-path"), ("sh", r"/etc | /w/$\x2fetc", "floor-path")]),
    (81, "", r"$'\x72\x6d' -rf x", &[("all", "/w/x", "allow")]),
    (82, "", r#"r\m -rf x ; r""m -rf y ; \rm -rf z"#, &[("all", "/w/x | /w/y | /w/z", "allow")]),
    (83, "", "X=rm; $X -rf y", &[("all", "/w/y", "allow")]),
    (84, "", r#"X="rm -rf /d"; $X"#, &[("bash sh", "/d", "floor-path"), ("zsh", "", "allow")]),
    (85, "X=a/b", "IFS=/; rm -rf $X", &[("bash sh", "/w/a | /w/b", "allow"), ("zsh", "/w/a/b", "allow")]),
    (86, "", r#"A=(p "q r"); rm "${A[@]}""#, &[("all", "/w/p | /w/q r", "allow")]),
    (87, "", r#"A=(p "q r"); rm ${A[@]}"#, &[
        ("bash sh", "/w/p | /w/q | /w/r", "allow"),
        ("zsh", "/w/p | /w/q r", "allow"),
    ]),
    (88, "", "A=(p q); rm $A", &[("bash sh", "/w/p", "allow"), ("zsh", "/w/p | /w/q", "allow")]),
    // dash and zsh stop at it.
    (89, "", "X=Y; Y=/d; rm ${!X}", &[("all", "/d", "floor-path")]),
    (90, "X=/d", r#"rm -rf "${X%/*}""#, &[("all", "?empty-variable-expansion", "empty-variable-expansion")]),
    (90, "X=d", r#"rm -rf "${X%/*}""#, &[("all", "/w/d", "allow")]),
    (90, "", r#"X=$(curl u); rm -rf "${X%/*}""#, &[("all", "?unresolvable-target", "unresolvable-target")]),
    (91, "X=/", r#"rm -rf "${X%/}"/sub"#, &[("all", "/sub", "empty-variable-expansion")]),
    (92, "X=/d/e", "rm ${X:0:2}", &[("all", "/d", "floor-path")]),
    (93, "X=/d", r#"rm -rf "$X-y" "$X_y""#, &[
        ("all", "/d-y | ?empty-variable-expansion", "floor-path empty-variable-expansion"),
    ]),
    (94, "X=/d", "rm $X[0]", &[
        ("bash sh", "/d*", "glob-no-match"),
        ("zsh", "?empty-variable-expansion", "empty-variable-expansion"),
    ]),
    (95, "X=/d/e", r#"rm -rf "$X:h""#, &[("bash sh", "/d/e:h", "out-of-scope"), ("zsh", "/d", "floor-path")]),
    (96, "X=root", "rm -rf ~$X", &[("bash sh", "/w/~root", "allow"), ("zsh", "/root", "tilde-ambiguous")]),
    // An error to all but zsh; judged as if it were none.
    (97, "", "rm -rf *(/)", &[("all", "/w/*", "glob-breadth")]),
    (98, "", r#"f() { rm -rf "$1"/x; }; f /d"#, &[("all", "/d/x", "out-of-scope")]),
    (99, "", "f() { local X=/e; rm $X; }; X=/d; f; rm $X", &[("all", "/e | /d", "floor-path")]),
    (100, "", "rm() { echo no; }; rm -rf /", &[("all", "", "allow")]),
    (100, "", "rm() { echo no; }; command rm -rf /", &[("all", "/", "floor-path")]),
    (100, "", "rm() { echo no; }; /bin/rm -rf /", &[("all", "/", "floor-path")]),
    (101, "", "alias rm=\"rm -i\"\nrm -rf x", &[("all", "/w/x", "allow")]),
    (102, "X=/d", r#"unset X; rm -rf "$X"/y"#, &[("all", "/y", "empty-variable-expansion")]),
    (103, "", r#"X=/d; read X < f1.log; rm -rf "$X"/y"#, &[("all", "?unresolvable-target", "unresolvable-target")]),
    (103, "", r#"X=/d; read X < f; rm -rf "$X"/y"#, &[
        ("all", "?unresolvable-target | /d/y", "unresolvable-target out-of-scope"),
    ]),
    (104, "", "printf -v X %s /d; rm $X", &[
        ("bash zsh", "/d", "floor-path"),
        ("sh", "/d | ?empty-variable-expansion", "floor-path empty-variable-expansion"),
    ]),
    (105, "X=p q", r#"eval "rm -rf $X""#, &[("all", "/w/p | /w/q", "allow")]),
    (106, "X=p q", r#"eval 'rm -rf "$X"'"#, &[("all", "/w/p q", "allow")]),
    (107, "", "X='$(rm -rf /d)'; echo $X", &[("all", "", "allow")]),
    // dash and zsh look no further than the text.
    (108, "", "X='a[$(rm -rf /d)]'; echo $((X))", &[("all", "/d", "floor-path")]),
    (109, "X=/d", "trap 'rm -rf $X' EXIT; X=/e", &[("all", "/e", "floor-path")]),
    (109, "X=/d", r#"trap "rm -rf $X" EXIT; X=/e"#, &[("all", "/d", "floor-path")]),
    (110, "", "set -e; false; rm x", &[("all", "", "allow")]),
    (111, "", "exit; rm -rf /", &[("all", "", "allow")]),
    (112, "", "! true || rm x", &[("all", "/w/x", "allow")]),
    (113, "", "cat <<'EOF' > f\nrm -rf /\nEOF", &[("all", "", "allow")]),
    (113, "", "cat <<'EOF' > f1.log\nrm -rf /\nEOF", &[("all", "/w/f1.log", "allow")]),
    (114, "", "cat <<EOF\n$(rm -rf d)\nEOF", &[("all", "/w/d", "allow")]),
    (115, "", "cat <<EOF\n`rm -rf d`\nEOF", &[("all", "/w/d", "allow")]),
    (116, "", "cat <<A; cat <<B\na\nA\n$(rm d)\nB", &[("all", "/w/d", "allow")]),
    (117, "", "bash <<'EOF'\nrm -rf d\nEOF", &[("all", "/w/d", "allow")]),
    (118, "D=/srv", "ssh h <<EOF\nrm -rf $D\nEOF", &[("all", "", "allow")]),
    (119, "", "git commit -m \"$(cat <<'EOF'\nrm -rf / :-)\nEOF\n)\"", &[("all", "", "allow")]),
    (120, "", "echo {a;rm -rf d;b}", &[("all", "/w/d", "allow")]),
    (121, "", "( (rm -rf d) )", &[("all", "/w/d", "allow")]),
    (122, "", "((rm -rf d); true)", &[("all", "/w/d", "allow")]),
    // Arithmetic, but dash runs `rm` in two subshells.
    (123, "", "((rm - rf))", &[("bash zsh", "", "allow"), ("sh", "/w/- | /w/rf", "allow")]),
    (124, "", "!(rm -rf d)", &[("all", "/w/d", "allow")]),
    // On one line bash finds an error, unless the option was set before.
    (125, "", "shopt -s extglob; rm -rf !(keep)", &[
        ("bash", "/w/!(keep)", "glob-breadth"),
        ("sh", "/w/!(keep) | /w/*", "glob-breadth"),
        ("zsh", "/w/*", "glob-breadth"),
    ]),
    (125, "", "shopt -s extglob\nrm -rf !(keep)", &[
        ("bash", "/w/!(keep)", "glob-breadth"),
        ("sh", "/w/!(keep) | /w/*", "glob-breadth"),
        ("zsh", "/w/*", "glob-breadth"),
    ]),
    (126, "", r"echo `echo \`rm d\``", &[("all", "/w/d", "allow")]),
    (127, "", r#"echo "${x:-'}";rm -rf d #'}""#, &[("bash", "", "allow"), ("sh zsh", "/w/d", "allow")]),
    (128, "", "rm -rf d\n)", &[("all", "/w/d", "allow")]),
    // bash reads the line as a whole and runs none of it; refused all the same.
    (129, "", "rm -rf d; )", &[("all", "?unparseable-command", "unparseable-command")]),
    (130, "", "cmd &> f", &[("all", "", "allow")]),
    (130, "", "cmd &> f1.log", &[("all", "/w/f1.log", "allow")]),
    (130, "", "cmd &> /h/.bashrc", &[("all", "/h/.bashrc", "out-of-scope")]),
    (131, "", r#"X=$(curl u); > "$X""#, &[("all", "?unresolvable-target", "unresolvable-target")]),
    (132, "", "xargs rm -rf < list", &[("all", "?no-targets", "no-targets")]),
    (133, "", r"printf '%s\0' a b | xargs -0 rm -rf", &[("all", "/w/a | /w/b", "allow")]),
    (134, "", "find a -type d -exec rm -rf {} +", &[("all", "/w/a", "allow")]),
    (135, "D=", r#"find "$D" -delete"#, &[("all", "?empty-variable-expansion", "empty-variable-expansion")]),
    (135, "", "find $D -delete", &[("all", "/w", "floor-path")]),
    (136, "", "find -L link -delete", &[("all", "/h", "floor-path")]),
    (137, "", "sudo -u u env -C /a X=1 rm -rf b", &[("all", "/a/b", "out-of-scope")]),
    (138, "", "git -C /a clean -fdx", &[("all", "", "allow")]),
    (138, "", "git -C /d clean -fdx", &[("all", "/d", "floor-path")]),
    (139, "", r#"sh -c 'rm -rf "$1"/x' _ /d"#, &[("all", "/d/x", "out-of-scope")]),
    (140, "D=/x", r#"docker exec c sh -c "rm -rf $D""#, &[("all", "", "allow")]),
    (141, "", "curl -s u | sudo bash", &[("all", "?guard", "guard")]),
    (142, "", "rm -rf a/../../b", &[("all", "/b", "floor-path")]),
    (142, "", "rm -rf link/../b", &[("all", "/b", "floor-path")]),
    (143, "", "rm -rf /w/./a//sub/", &[("all", "/w/a/sub", "allow")]),
    (144, "", "rm -rf -- -rf", &[("all", "/w/-rf", "allow")]),
    (145, "", r"rm été $'\u00e9t\u00e9'", &[
        ("bash zsh", "/w/été", "allow"),
        ("sh", r"/w/été | /w/$\u00e9t\u00e9", "allow"),
    ]),
    (146, "", "rm a\r", &[("all", "/w/a\r", "allow")]),
    // No shell gets to see the NUL.
    (147, "", "rm -rf d\0x", &[("all", "?unparseable-command", "unparseable-command")]),
];

fn judge(variable: &str, dialect: Dialect, source: &str) -> Report {
    let mut environment = vec![("HOME", "/h")];
    match variable.split_once('=') {
        Some(pair) => environment.push(pair),
        None if variable == HOMELESS => environment.clear(),
        None => assert_eq!(variable, "", "a variable has a value"),
    }
    let mut fs = disk();
    fs.add("/t/home", "dir");
    with_environment(&fs, &environment, dialect, |place| {
        string_on(place, source.as_bytes(), &[])
    })
}

/// What a report aims at and by which rules it refuses, each once.
fn said(report: &Report) -> (Vec<String>, Vec<String>) {
    let (mut targets, mut rules) = (Vec::new(), Vec::new());
    for target in report.actions.iter().flat_map(|action| &action.targets) {
        let rule = target.refusal.as_ref().map(|refusal| refusal.rule.id());
        let path = match (&target.resolved, rule) {
            (Some(path), _) => String::from_utf8_lossy(path).into_owned(),
            (None, rule) => format!("?{}", rule.unwrap_or_default()),
        };
        for (list, one) in [
            (&mut targets, Some(path)),
            (&mut rules, rule.map(str::to_owned)),
        ] {
            list.extend(one.filter(|one| !list.contains(one)));
        }
    }
    (targets, rules)
}

/// What a case says of one shell.
fn expected(case: &Case<'_>, shell: &str) -> Option<(Vec<String>, Vec<String>)> {
    let says = |shells: &str| shells == "all" || shells.split(' ').any(|name| name == shell);
    let (_, targets, rules) = case.3.iter().find(|(shells, ..)| says(shells))?;
    let list = |text: &str, between: &str| {
        let words = text
            .split(between)
            .filter(|word| !word.is_empty() && *word != "allow");
        words.map(str::to_owned).collect()
    };
    Some((list(targets, " | "), list(rules, " ")))
}

#[test]
fn every_case_is_judged_as_each_shell_would_run_it() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (number, variable, source, _) = case;
        for (shell, dialect) in SHELLS {
            let expected = expected(case, shell).unwrap_or_else(|| panic!("{number}: {shell}"));
            let got = said(&judge(variable, dialect, source));
            if got != expected {
                wrong.push(format!("{number}: {source:?} {variable} {shell}\n    expected {expected:?}\n    got      {got:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn an_unknown_shell_is_every_one_of_them() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (number, variable, source, _) = case;
        let all = |lists: Vec<(Vec<String>, Vec<String>)>| {
            let (targets, rules): (Vec<_>, Vec<_>) = lists.into_iter().unzip();
            let set = |lists: Vec<Vec<String>>| lists.concat().into_iter().collect::<BTreeSet<_>>();
            (set(targets), set(rules))
        };
        let said_of = |shell| expected(case, shell);
        let expected = match said_of("unknown") {
            Some(one) if case.3[0].0 != "all" => all(vec![one]),
            _ => all(SHELLS
                .iter()
                .filter_map(|(shell, _)| said_of(shell))
                .collect()),
        };
        let got = all(vec![said(&judge(variable, Dialect::Unknown, source))]);
        if got != expected {
            wrong.push(format!(
                "{number}: {source:?} {variable}\n    expected {expected:?}\n    got      {got:?}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_number_is_there_and_in_its_place() {
    let numbers: Vec<u16> = CASES.iter().map(|(number, ..)| *number).collect();
    assert!(numbers.is_sorted());
    let missing: Vec<u16> = (1..=LAST)
        .filter(|number| !numbers.contains(number))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
