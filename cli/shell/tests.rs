//! Which commands a string holds, by shell and construct.

use std::time::{Duration, Instant};

use super::{
    ast::{CommandKind, Dialect, Piece, Word},
    read,
    walk::for_each_command,
};

/// Every simple command, as its words; pieces that are not literal are `$`.
fn commands(source: &[u8], dialect: Dialect) -> (Vec<String>, bool) {
    let script = read(source, dialect);
    let mut out = Vec::new();
    for_each_command(&script, &mut |command| {
        if let CommandKind::Simple { words, .. } = &command.kind {
            out.push(words.iter().map(spelled).collect::<Vec<_>>().join(" "));
        }
    });
    (out, script.error.is_none())
}

fn spelled(word: &Word) -> String {
    word.pieces
        .iter()
        .map(|piece| match piece {
            Piece::Literal { bytes, .. } => String::from_utf8_lossy(bytes).into_owned(),
            _ => "$".to_owned(),
        })
        .collect()
}

/// What runs `rm V` although it does not look so, in bash.
#[test]
fn hides_no_command() {
    for source in [
        "rm V",
        "echo {a;rm V;b}",
        "( (rm V) )",
        "((rm V); true)",
        "echo `echo \\`rm V\\` `",
        "cat <<A; cat <<B\na\nA\n$(rm V)\nB",
        "x=$(cat <<'EOF'\n$(\nEOF\n); rm V",
        "echo $((rm V); true)",
        "!(rm V)",
        "X=([$(rm V)]=a)",
        "echo ${X#$(rm V)}",
        "time (rm V)",
        "time ! rm V",
        "coproc rm V",
        "r\\\nm V",
        "cat <<E\\\nF\nx\nEF\nrm V",
        "cat <<EOF\n`rm V`\nEOF",
        "echo ${ rm V; }",
        "\"rm\" V",
        "r''m V",
        "$'\\x72m' V",
        "2>/dev/null rm V",
        "X=1 rm V",
        "if a; then rm V; fi",
        "if a; then b; elif rm V; then c; fi",
        "while rm V; do a; done",
        "for x in $(rm V); do a; done",
        "for ((i=0;i<$(rm V);i++)); do a; done",
        "case x in x) rm V;; esac",
        "case x in (x) rm V; esac",
        "case x in a|$(rm V)) a;; esac",
        "f() { rm V; }",
        "function f { rm V; }",
        "function f() ( rm V )",
        "echo \"$(rm V)\"",
        "echo \"`rm V`\"",
        "echo ${X:-$(rm V)}",
        "echo \"${X:-\"$(rm V)\"}\"",
        "echo ${X/$(rm V)/b}",
        "echo ${X:$(rm V):1}",
        "echo ${A[$(rm V)]}",
        "echo $(( $(rm V) + 1 ))",
        "echo $[ $(rm V) ]",
        "a[$(rm V)]=1",
        "export X=$(rm V)",
        "declare -a X=($(rm V))",
        "[[ -n $(rm V) ]]",
        "[[ a =~ ^($(rm V)|b)$ ]]",
        "cat <(rm V)",
        "echo a > >(rm V)",
        "echo a >$(rm V)",
        "cat <<<$(rm V)",
        "cat <<-EOF\n\t$(rm V)\n\tEOF\n",
        "cat <<EOF && rm V\nx\nEOF",
        "cat <<EOF | rm V; a\nx\nEOF",
        "a && b || rm V &",
        "a |& rm V",
        "{ rm V; } > f",
        "select x in a; do rm V; done",
        "until rm V; do a; done",
        "! ! rm V",
        "# it's\nrm V",
        "a # \"\nrm V",
        "echo a\\\n; rm V",
        "a=$(cat <<X\nbody\nX\n); rm V",
        "echo '\n'; rm V",
        "{fd}>f rm V",
    ] {
        let (found, fine) = commands(source.as_bytes(), Dialect::Bash);
        assert!(
            fine && found.iter().any(|command| command == "rm V"),
            "{source:?}: {found:?}"
        );
    }
}

/// What only looks like `rm V`.
#[test]
fn takes_no_data_for_a_command() {
    for source in [
        "echo 'rm V'",
        "echo \"; rm V\"",
        "echo a # ; rm V",
        "cat <<'EOF'\nrm V\n$(rm V)\nEOF",
        "cat <<\\EOF\n`rm V`\nEOF",
        "cat <<EOF\nrm V\n\\$(rm V)\nEOF",
        "echo \\; rm V",
        "echo a\\\n rm V",
        "((rm - V))",
        "x='$(rm V)'",
        "git commit -m \"$(cat <<'EOF'\nrm V :-)\nEOF\n)\"",
        "echo $'a\\'; rm V'",
        "case rm V in esac",
    ] {
        let (found, _) = commands(source.as_bytes(), Dialect::Bash);
        assert!(
            !found.iter().any(|command| command == "rm V"),
            "{source:?}: {found:?}"
        );
    }
}

#[test]
fn keeps_what_runs_before_an_error() {
    for (source, expected) in [
        ("rm V\n)", vec!["rm V"]),
        ("echo a; echo b )", vec![]),
        ("a\nb\nc 'd", vec!["a", "b"]),
        ("a; if", vec![]),
        ("a\0b", vec![]),
    ] {
        let (found, fine) = commands(source.as_bytes(), Dialect::Bash);
        assert!(!fine, "{source:?}");
        assert_eq!(found, expected, "{source:?}");
    }
}

#[test]
fn reads_as_the_dialect_does() {
    for (source, dialect, expected) in [
        ("echo $'a'", Dialect::Bash, "echo a"),
        ("echo $'a'", Dialect::Sh, "echo $a"),
        ("a &> f", Dialect::Bash, "a"),
        ("echo \"${x:-'}\"; rm V #'}\"", Dialect::Sh, "echo $|rm V"),
        ("echo \"${x:-'}\"; rm V #'}\"", Dialect::Bash, "echo $"),
        ("rm *(/)", Dialect::Zsh, "rm *(/)"),
        ("rm =(ls)", Dialect::Zsh, "rm $|ls"),
        ("echo a >! f", Dialect::Zsh, "echo a"),
    ] {
        let (found, fine) = commands(source.as_bytes(), dialect);
        assert!(fine, "{source:?}");
        assert_eq!(found.join("|"), expected, "{source:?}");
    }
}

/// None of these recurses without bound, or takes more than linear time.
#[test]
fn answers_soon_whatever_it_is_given() {
    let repeated = |text: &str, count: usize| text.repeat(count);
    let inputs = [
        repeated("(", 100_000),
        repeated("(", 10_000) + "a" + &repeated(")", 10_000),
        repeated("$(", 10_000),
        repeated("\"$(echo ", 1000),
        repeated("<(", 1000),
        repeated("{ ", 10_000),
        repeated("if ", 2000),
        repeated("${a:-", 20_000),
        repeated("$((", 20_000),
        repeated("((", 20_000),
        repeated("time ", 1000) + "a",
        repeated("coproc ", 1000) + "a",
        repeated("! ", 10_000) + "a",
        repeated("{", 20_000),
        repeated("true;", 100_000),
        repeated("`", 10_001),
        repeated("[[ ( ", 5000),
        repeated("case x in (", 2000),
        repeated("a[", 20_000),
        repeated("cat <<A <<B\n", 5000),
        "x=\"$(cat <<EOF\n".to_owned() + &repeated("some text\n", 100_000) + "EOF\n)\"",
        repeated("'", 100_001),
        repeated("a", 1 << 20),
        repeated("f() { ", 5000),
    ];
    for input in inputs {
        let began = Instant::now();
        let script = read(input.as_bytes(), Dialect::Unknown);
        let took = began.elapsed();
        drop(script);
        // Far above what it takes, far below what anything but linear work would.
        let limit = Duration::from_secs(2);
        assert!(
            took < limit,
            "{}...: {took:?}",
            &input[..input.len().min(20)]
        );
    }
}
