//! Structure: what a string says, shown as `render` shows it.

use super::{render, runs_rm, simple};
use crate::shell::ast::Dialect;
use crate::shell::read;

fn says(dialect: Dialect, source: &str) -> String {
    let script = read(source.as_bytes(), dialect);
    assert_eq!(script.error, None, "{source}");
    render::list(&script.list)
}

fn check(dialect: Dialect, rows: &[(&str, &str)]) {
    for (source, expected) in rows {
        assert_eq!(says(dialect, source), *expected, "{source}");
    }
}

#[test]
fn shows_what_other_readers_hide() {
    for source in [
        "echo {a;rm V;b}",
        "( (rm V) )",
        "echo `echo \\`rm V\\` `",
        "cat <<A; cat <<B\na\nA\n$(rm V)\nB",
        "echo $((rm V); true)",
        "((rm V); true)",
        "!(rm V)",
        "! (rm V)",
        "X=([$(rm V)]=a)",
        "echo ${X#$(rm V)}",
        "time (rm V)",
        "time ! rm V",
        "coproc rm V",
        "r\\\nm V",
        "cat <<E\\\nF\nx\nEF\nrm V",
        "cat <<EOF\n`rm V`\nEOF",
        "echo ${ rm V; }",
        "echo ${|rm V; }",
        "a | ! rm V",
        "a | time rm V",
        "$'\\x72\\x6d' V; rm V",
        "x=$(cat <<'EOF'\n$(\nEOF\n); rm V",
        "git commit -m \"$(cat <<'EOF'\n:-)\nEOF\n)\"; rm V",
        "cat <<A $(echo\nrm V\n)\nA",
        "cat <<EOF\na\nE\\\nOF\nrm V",
        "echo $(cat <<X\nb\nX)\nrm V",
        "a=$(c <<X)\n'\nX\nrm V",
        "cat <<A $(cat <<B)\n'\nB\n'\nA\nrm V",
        "if\\\n true; then rm V; fi",
        "true &\\\n& rm V",
        "echo $\\\n(rm V)",
        "cat <<\\\nEOF\n$(rm V)\nEOF",
        "echo \"$\\\n{X:-$(rm V)}\"",
        "declare -A X=([a]=$(rm V))",
        "declare X[$(rm V)]=a",
        "X[1 + $(rm V)]+=a",
        "echo ${X[$(rm V)]:$(a):b}",
        "echo ${X:a:$(rm V)}",
        "echo ${X/a/$(rm V)}",
        "echo ${!X[$(rm V)]}",
        "echo $[ $(rm V) ]",
        "for ((i=$(rm V); i; i++)); do a; done",
        "[[ a =~ ($(rm V)) ]]",
        "[[ $(rm V) == b && -f <(a) ]]",
        "case $(rm V) in a) b ;; esac",
        "case a in $(rm V)) b ;; esac",
        "select x in $(rm V); do a; done",
        "f() { a; } > $(rm V)",
        "a <<< $(rm V)",
        "a {fd}> >(rm V)",
        "echo @(a|$(rm V))",
        "echo \"${X:-\"$(rm V)\"}\"",
        "echo \"${X:-'$(rm V)'}\"",
        "echo ${(f)X/$(rm V)}",
        "cat <<-E\n\t$(rm V)\n\tE",
        "while false; do :; done <<E | until rm V; do a; done\nb\nE",
        "{ a; } <<E && (rm V)\nb\nE",
        "echo a #\\\nrm V",
        "echo a#b; rm V",
        "X=(a # '\n); rm V",
        "function f { rm V; }",
        "function f () (rm V)",
        "a;rm V&b",
    ] {
        for dialect in [Dialect::Bash, Dialect::Unknown, Dialect::Zsh] {
            let is_left_open = source.contains("<<X)") || source.contains("<<B)");
            if dialect == Dialect::Zsh && is_left_open {
                continue;
            }
            assert!(runs_rm(source, dialect), "{dialect:?}: {source}");
        }
    }
}

/// bash runs the `rm V` of each. It is found, or else nobody may take the string for understood.
#[test]
fn hides_nothing_behind_quotes_that_seem_to_go_on() {
    for source in [
        "echo \"${x:-'$('}\"; rm V #')}'}\"",
        "echo \"${x:-'`'}\"; rm V #'`}'}\"",
        "echo \"${x:-'${'}\"; rm V #'}}'}\"",
        "echo \"${x:-'\"'}\"; rm V #\"'}\"",
        "echo \"${x:-\"'\"}\"; rm V #'}\"",
        "echo \"${x:-$('$(')}\"; rm V #'}\"",
        "echo ${x:-'$('}; rm V #')}'}",
        "echo \"${x#'$('}\"; rm V #')}'}\"",
        "echo \"$(( '$(' ))\"; rm V #')))\"",
        "echo \"$[ '$(' ]\"; rm V #')]\"",
        "echo \"${x['$(']}\"; rm V #')]}\"",
        "echo \"${x[']']}\"; rm V #']}\"",
        "echo \"${x:'}'}\"; rm V #'}\"",
        "echo \"${x@'}'}\"; rm V #'}\"",
        "echo \"${x:1:'}'}\"; rm V #'}\"",
        "echo \"${x?'}'}\"; rm V #'}\"",
        "echo \"${bad.'}'}\"; rm V #'}\"",
        "echo $[ 'a]' ]; rm V #']",
        "echo $(( \"a))\" )); rm V #\"))",
        "a[ # ]; rm V",
        "a[\n# ]=1; rm V\n]",
        "a[ # ]x; rm V",
        "X=1 a[ # ]; rm V",
        ">f a[ # ]; rm V",
        "a[ <<E ]; rm V\nE",
        "declare a[ ; rm V ]=1; rm V",
        "a[<(rm V)]x",
        "[[ x =~ a<(rm V) ]]",
        "[[ x =~ (<(rm V)) ]]",
        "a['$(rm V)']=1",
        "a=(['$(rm V)']=1)",
        "echo ${a['$(rm V)']} \"${a['`rm V`']}\"",
        "(('$(rm V)'))",
        "for (('$(rm V)'; 0;)); do :; done",
        "echo $[ '$(rm V)' ]",
        "echo $(( '$(rm V)' )) \"$(( '$(rm V)' ))\"",
        "echo $(( $'$(rm V)' ))",
        "echo $(( $'\\x24(rm V)' ))",
        "echo ${x:'$(rm V)':1}",
        "echo ${x:1:'$(rm V)'}",
        "cat <<E\n${x:-'$(rm V)'}\nE",
        "X=([ # ]); rm V",
        "declare X=([ # ]=1); rm V",
        "echo \"${x:-$'\\''}\"; rm V; echo \"'}\"",
        "echo ${x:-'a\\'}; rm V #'}",
        "echo \"${x:-'a\\'}\"; rm V #'}\"",
        "echo \"${x:-\\'}\"; rm V #'}\"",
        "echo ${x:-#}; rm V #}",
        "echo ${x:-(}; rm V #)}",
        "echo ${x:-{}; rm V #}}",
        "echo \"${x:-{}\"; rm V #}}\"",
    ] {
        let script = read(source.as_bytes(), Dialect::Bash);
        let is_seen = simple(&script).iter().any(|command| command == "rm V");
        assert!(is_seen, "{source}");
    }
    for source in [
        "true || echo \"${x:-'$('}\"; rm V #')}'}\"",
        "echo ${x[a}; rm V #]}",
        "echo \"${x[a}\"; rm V #]}\"",
        "((a $(b <<E\nrm V\nE\n)) )",
        "echo ${ a # }; rm V\n}",
        "echo $((cat <<E; );b)\nrm V\nE",
        "x=(1)#; rm V",
        "declare x=(1)#; rm V",
        "echo $(( \\$(rm V) ))",
    ] {
        let script = read(source.as_bytes(), Dialect::Bash);
        let is_doubted = script
            .doubts
            .iter()
            .any(|doubt| doubt.span.end == source.len());
        let is_seen = simple(&script).iter().any(|command| command == "rm V");
        assert!(script.error.is_some() || is_doubted || is_seen, "{source}");
    }
}

#[test]
fn keeps_data_inert() {
    for source in [
        "echo 'rm V'",
        "echo \"rm V\"",
        "echo a # ; rm V",
        "cat <<'EOF'\n$(rm V)\nEOF",
        "cat <<\"EOF\"\n`rm V`\nEOF",
        "cat <<\\EOF > f\nrm V\nEOF",
        "cat <<EOF\nrm V\n\\$(rm V)\nEOF",
        "cat <<-'EOF'\n\t$(rm V)\n\tEOF",
        "echo '$(rm V)' \\$\\(rm V\\)",
        "echo \"\\$(rm V)\" \"\\`rm V\\`\"",
        "git commit -m \"$(cat <<'EOF'\nrm V :-)\nEOF\n)\"",
        "((rm - V))",
        "echo \"${x:-'}\";rm V #'}\"",
        "echo $'a\\';rm V #'",
        "[[ a || rm V ]]",
        "echo ${x#'$(rm V)'} \"${x/'$(rm V)'}\"",
        "[[ '$(rm V)' -eq 1 ]]",
        "[[ a =~ (;rm V) ]]",
        "echo ${X:-;rm V}",
        "echo rm V",
        "X=(rm V)",
        "case rm in V) a ;; esac",
        "cat <<A\n;rm V\nA\n",
    ] {
        assert!(!runs_rm(source, Dialect::Bash), "{source}");
    }
}

#[test]
fn reads_lists_and_pipelines() {
    check(
        Dialect::Bash,
        &[
            ("", ""),
            (" \n# a\n", ""),
            ("a", "a;"),
            ("a b; c & d\ne", "a b; c& d; e;"),
            ("a && b || c |& d\n", "a && b || c | d;"),
            ("a &&\n\n# x\nb", "a && b;"),
            ("a |\nb", "a | b;"),
            ("! a | b", "! a | b;"),
            ("! ! a", "a;"),
            ("!", "! ;"),
            ("time -p a | b", "time a | b;"),
            ("time", "time ;"),
            ("! time a", "! time a;"),
            ("time -f %e a", "time -f %e a;"),
            ("a\r\nb", "a\r; b;"),
            ("a &>>f", "a &>>f;"),
            ("a 2>&1 >f <>g >|h >>i <&3-", "a 2>&1 >f <>g >|h >>i <&3-;"),
            ("a {fd}>f {b", "a {b fd>f;"),
            ("2>f a 3b 4 >f", "a 3b 4 2>f >f;"),
            (">f", ">f;"),
            ("a <<<b", "a <<<b;"),
            ("a <(b) >(c)", "a <(b;) <(c;);"),
        ],
    );
}

#[test]
fn reads_compound_commands() {
    check(
        Dialect::Bash,
        &[
            ("(a;b)>f", "(a; b;) >f;"),
            ("{ a; } 2>&1 | b", "{a;} 2>&1 | b;"),
            ("{(a)}", "{(a;);};"),
            (
                "if a; then b; elif c; then d; else e; fi",
                "if a; then b; if c; then d; else e; fi;",
            ),
            ("while a; do b; done", "while a; do b; done;"),
            ("until a\ndo b\ndone", "until a; do b; done;"),
            ("for x in a b; do c; done", "for x in a b do c; done;"),
            ("for x\ndo c; done", "for x do c; done;"),
            ("for x; do c; done", "for x do c; done;"),
            ("for x in; do c; done", "for x in do c; done;"),
            ("for x in a; { c; }", "for x in a do c; done;"),
            (
                "for ((i=0; i<3; i++)); do a; done",
                "for ((i=0; i<3; i++)) do a; done;",
            ),
            ("for (( ; ; )) { a; }", "for (( ; ; )) do a; done;"),
            ("select x in a; do c; done", "select x in a do c; done;"),
            ("case $x in esac", "case ${x} in esac;"),
            (
                "case x in a|b) c;; (d) ;; e) f;& g) h;;& *) i; esac",
                "case x in a|b) c;;; d) ;; e) f;;& g) h;;& *) i;;; esac;",
            ),
            ("case x in\n\na)\nb\n;;\nesac", "case x in a) b;;; esac;"),
            ("f() { a; }", "f() {a;};"),
            ("f ( )\n( a ) >g", "f() (a;) >g;"),
            ("function f { a; }", "f() {a;};"),
            ("function f() { a; }", "f() {a;};"),
            ("a-b() { c; }", "a-b() {c;};"),
            ("coproc a b", "coproc COPROC a b;"),
            ("coproc N { a; }", "coproc N {a;};"),
            ("coproc (a)", "coproc COPROC (a;);"),
            ("[[ -f a && ( b < c ) ]]", "[[ -f a && ( b < c ) ]];"),
            ("[[ a =~ ^(b|c d)$ ]]", "[[ a =~ ^(b|c d)$ ]];"),
            ("((a + 1)) && b", "((a + 1)) && b;"),
            ("((a);b)", "((a;); b;);"),
            ("echo if then; echo { }", "echo if then; echo { };"),
            ("'if' a; \\then b", "'if' a; 't'hen b;"),
        ],
    );
}

#[test]
fn reads_assignments() {
    check(
        Dialect::Bash,
        &[
            ("X=1 Y= a Z=2", "X=1 Y= a Z=2;"),
            ("X+=1", "X+=1;"),
            ("X=(a 'b' [1]=c [x y]+=d)", "X=(a 'b' [1]=c [x y]=d);"),
            ("X=(\na # b\nc)", "X=(a c);"),
            ("a[1]=2 b[c d]+=e", "a[1]=2 b[c d]+=e;"),
            ("a[1] b", "a[1] b;"),
            ("declare -a X=(a 'b') Y=c", "declare -a X=(a 'b') Y=c;"),
            ("local X=([a]=b)", "local X=([a]=b);"),
            ("1X=a", "1X=a;"),
            ("X=a$b", "X=a${b};"),
        ],
    );
}

#[test]
fn reads_here_documents() {
    check(
        Dialect::Bash,
        &[
            ("a <<E\nb $c\nE\nd", "a <<{'b '\"${c}\"'⏎'}; d;"),
            ("a <<'E'\nb $c\nE", "a <<'{'b $c⏎'};"),
            ("a <<-E\n\tb\n\t\tc\n\tE\nd", "a <<{'b⏎c⏎'}; d;"),
            (
                "a <<E <<F; b <<G\n1\nE\n2\nF\n3\nG\n",
                "a <<{'1⏎'} <<{'2⏎'}; b <<{'3⏎'};",
            ),
            ("a <<E\nE\n", "a <<{};"),
            ("a <<E\nb", "a <<{'b'};"),
            ("a <<E", "a <<{};"),
            ("a <<E\n\\$b \\\" \\\nc\nE", "a <<{'$b \\\" c⏎'};"),
            ("a <<E | b\nc\nE", "a <<{'c⏎'} | b;"),
            ("a <<\"E F\"\nb\nE F\n", "a <<'{'b⏎'};"),
            ("a <<$'E'\nb\nE\n", "a <<'{'b⏎'};"),
            ("a <<E\n\"b\" 'c'\nE", "a <<{'\"b\" 'c'⏎'};"),
            ("a 3<<E\nb\nE", "a 3<<{'b⏎'};"),
            ("a <<''\nb\n\nc", "a <<'{'b⏎'}; c;"),
            ("a <<E\n$(b <<F\nc\nF\n)\nE", "a <<{\"$(b <<{'c⏎'};)\"'⏎'};"),
        ],
    );
}

#[test]
fn reads_as_sh_does() {
    check(
        Dialect::Sh,
        &[
            ("a &> f", "a& >f;"),
            ("a $'b\\'c", "a $'b\\'c;"),
            ("a $\"b\"", "a $'b';"),
            ("a \"${x:-'}\"; b #'}\"", "a \"${x:-'''}\"; b;"),
            ("a \"${x:-it's}\"; b", "a \"${x:-'it's'}\"; b;"),
            ("f() a", "f() a;"),
            ("cat <<E\n`a \\\"b\\\"`\nE", "cat <<{\"$(a 'b';)\"'⏎'};"),
        ],
    );
}

#[test]
fn reads_as_zsh_does() {
    check(
        Dialect::Zsh,
        &[
            ("a >! f", "a >|f;"),
            ("a >>| f", "a >>f;"),
            ("a =(b)", "a <(b;);"),
            ("a\\", "a'';"),
            ("rm *(/)", "rm *(/);"),
            ("rm (a|b)c", "rm (a|b)c;"),
            ("rm a<1-9>b", "rm a<1-9>b;"),
            ("a &| b", "a& b;"),
            ("a &! b", "a& b;"),
            ("f() a", "f() a;"),
            ("f() { a *(.) }; }", "f() {a *(.) };};"),
            ("X=(*(/))", "X=(*(/));"),
            ("a \"${x#'}\"; b", "a \"${x?bad'}\"; b;"),
            (
                "case x in a) b ;| c) d ;; esac",
                "case x in a) b;;& c) d;;; esac;",
            ),
            ("a $(b <<E)\nc\nE", "a $(b <<{};); c; E;"),
            ("a $=x \"$~x\" $^ $+", "a ${x?bad} \"${x?bad}\" ${?bad} $+;"),
            (
                "a ${(f)x} ${${x}:h} $x[1]",
                "a ${?bad(f)x} ${?bad${x}:h} ${x}[1];",
            ),
        ],
    );
}
