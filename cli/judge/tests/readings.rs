//! A shell that is not known is every one that it may be.

use std::collections::BTreeSet;

use super::{Dialect, judge, rules_of, targets};

/// Strings that shells read or expand differently, by what makes the difference.
const DIFFER: &[&str] = &[
    "X='a b'; rm $X/sub",
    "X='*.log'; rm $X",
    "rm {a,b}/x",
    "rm {1..3}",
    "rm ~'/x'",
    "rm a=~/x",
    "cd a; rm ~-/y ~+/y",
    "rm $'\\x2fetc'",
    "echo | cd a; rm y",
    "echo b | read D; rm /h/$D",
    "X=/d; : | X=/e; rm $X",
    "set -f; rm *.log",
    "cd -; rm x",
    "pushd a; rm x",
    "pushd a > /dev/null && rm x; popd; rm y",
    "printf -v X %s /d; rm $X",
    "declare X=/d; rm $X",
    "X=/d; X+=/e; rm $X",
    "alias ls=rm\nls x",
    "X=/d/e; rm $X:h",
    "X=abc; rm $X[2]",
    "X=root; rm ~$X",
    "X=/h/Documents; rm ~X/x",
    "A=(p 'q r'); rm $A",
    "((rm - rf))",
    "[[ a || rm == b ]]",
    "echo \"${x:-'}\"; rm d #'}\"",
    "rm x >!f1.log",
    "repeat 2 rm x",
    "setopt nullglob; rm *.zip x",
    "shopt -s dotglob; rm b/* x",
    "let X=1; rm $X",
    "time { rm a; }",
    "function f { rm x; }; f",
    "rm **/x",
    "rm .*",
];

#[test]
fn an_unknown_shell_does_what_any_of_them_does() {
    let mut wrong = Vec::new();
    for source in DIFFER {
        let all = |dialect| -> BTreeSet<String> {
            let report = judge(&[], dialect, source);
            let targets = report.actions.iter().flat_map(|action| &action.targets);
            targets
                .map(|target| match &target.resolved {
                    Some(path) => String::from_utf8_lossy(path).into_owned(),
                    None => "?".to_owned(),
                })
                .collect()
        };
        let each = [Dialect::Bash, Dialect::Sh, Dialect::Zsh].map(all);
        let union: BTreeSet<String> = each.iter().flatten().cloned().collect();
        let unknown = all(Dialect::Unknown);
        if !union.is_subset(&unknown) {
            wrong.push(format!("{source:?}\n    {each:?}\n    unknown {unknown:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What another shell does is no reason to refuse what they all do well.
#[test]
fn everyday_strings_pass_whatever_the_shell() {
    for source in [
        "rm -rf build dist && mkdir build",
        "D=$(mktemp -d) && cd \"$D\" && rm -rf \"$D\"",
        "for f in a b; do rm -f \"$f.o\"; done",
        "find . -name '*.o' | xargs rm -f",
        "cd a && rm -rf * && cd ..",
        "rm -f *.log 2>&1 | tail -5",
        "mkdir -p t; cd t; rm -rf *",
        "V=1.2; rm -rf \"dist/app-$V\" dist/app-${V}.tar.gz",
        "[[ -d build ]] && rm -rf build",
        "rm -f /tmp/x.$$ >/dev/null 2>&1 || true",
        "cat > f1.log <<'E'\nrm -rf /\nE",
        "git commit -m \"rm -rf {a,b} ~ | cd -\"",
        "printf '%s\\n' a b | while read -r f; do rm -f \"$f\"; done",
        "set -euo pipefail; rm -rf build",
        "time rm -rf build",
        "rm -f f{1,2}.log",
        "A=(a b); rm -rf \"${A[@]}\"",
        "export X=a; rm -rf \"./$X\"",
    ] {
        let report = judge(&[], Dialect::Unknown, source);
        assert_eq!(
            rules_of(&report),
            "allow",
            "{source:?}: {}",
            targets(&report)
        );
    }
}
