//! Hostile strings: each is answered soon, and none that may destroy is allowed because it could not be followed.

use std::{path::Path, thread, time::Duration};

use blastradius_cli::{
    judge::{self, Session},
    shell::ast::Dialect,
    stack::STACK,
};
use blastradius_policy::{NoTrust, Origin, Policy, PolicyText, discover, fake::FakeFs};
use rustix::time::{ClockId, clock_gettime};

/// How long an answer may take on a processor of its own.
const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1_500 } else { 50 });

/// A build with assertions is slow: it tries the largest alone, and the dialect that is all of them.
const COUNTS: &[usize] = if cfg!(debug_assertions) {
    &[100_000]
} else {
    &[1_000, 10_000, 100_000]
};
const DIALECTS: &[Dialect] = if cfg!(debug_assertions) {
    &[Dialect::Unknown]
} else {
    &[Dialect::Bash, Dialect::Unknown]
};

/// What destroys, wherever it is hidden.
const RM: &str = "rm -rf /h/Documents";

fn disk() -> FakeFs {
    FakeFs::new(&[
        ("/w/.git/HEAD", "file ref"),
        ("/w/a/b/c/d/e/f", "dir"),
        ("/w/build", "dir"),
        ("/w/f1.log", "file x"),
        ("/w/f2.log", "file x"),
        ("/w/loop", "link loop"),
        ("/w/self", "link ."),
        ("/h/Documents/thesis", "file x"),
        ("/etc/passwd", "file x"),
    ])
}

/// Processor time of this thread so far: a busy machine does not change it.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Whether a string is refused, and how long that took; on the stack that judging has.
fn judged(source: &str, dialect: Dialect) -> (bool, Duration) {
    let judge = || {
        let disk = disk();
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
            launched: false,
            guard_files: &[],
            presets: &[],
        };
        discover(&disk, &origin, &NoTrust, &mut text).unwrap();
        let session = Session {
            policy: &Policy::parse(text.as_bytes()).unwrap(),
            environment: &[(b"HOME".to_vec(), b"/h".to_vec())],
            cwd: Some(Path::new("/w")),
            dialect,
            strict: false,
            lower_layers: false,
            explain: false,
        };
        let began = used();
        let report = judge::string_against(&session, &disk, source.as_bytes());
        (report.is_refused(), used() - began)
    };
    thread::scope(|scope| {
        let judging = thread::Builder::new().stack_size(STACK);
        judging.spawn_scoped(scope, judge).unwrap().join().unwrap()
    })
}

/// Constructs that hold others, each with what opens and what closes it.
const NESTED: &[(&str, &str)] = &[
    ("( ", ")"),
    ("{ ", ";}"),
    ("$(", ")"),
    ("\"$(", ")\""),
    ("`", "`"),
    ("<(", ")"),
    (">(", ")"),
    ("${a:-", "}"),
    ("\"${a:-", "}\""),
    ("${a/", "/b}"),
    ("${a:", "}"),
    ("$((", "))"),
    ("((", "))"),
    ("$[", "]"),
    ("if ", ";then b;fi"),
    ("if a;then ", ";fi"),
    ("if a;then b;else ", ";fi"),
    ("while ", ";do b;done"),
    ("while a;do ", ";done"),
    ("until a;do ", ";done"),
    ("for a in b;do ", ";done"),
    ("for ((;;));do ", ";done"),
    ("select a in b;do ", ";done"),
    ("case a in a) ", ";;esac"),
    ("case $(", ") in a) b;;esac"),
    ("f() { ", ";}"),
    ("f() ", ""),
    ("function f { ", ";}"),
    ("coproc ", ""),
    ("time ", ""),
    ("! ", ""),
    ("[[ -n $(", ") ]]"),
    ("[[ ( ", " ) ]]"),
    ("a=(", ")"),
    ("a=([", "]=b)"),
    ("a[", "]=b"),
    ("a=$(", ")"),
    ("{a,", "}"),
    ("{", "}"),
    ("a <<E\n$(", ")\nE\n"),
    ("a <<< $(", ")"),
    ("a > $(", ")"),
    ("a && ", ""),
    ("a | ", ""),
    ("a; ", ""),
    ("a & ", ""),
    ("a\n", ""),
    ("@(", ")"),
    ("sudo ", ""),
    ("env ", ""),
    ("command ", ""),
    ("eval ", ""),
    ("xargs ", ""),
    ("exec ", ""),
    ("find . -exec ", " ;"),
    ("sh -c ", ""),
    ("trap ", " EXIT"),
    ("watch ", ""),
];

/// What is read to its end and runs nothing of what it holds: a name that begins so, subscripts, arguments that are
/// no part of a shell's string.
const DATA: &[&str] = &["((", "{", "{a,", "a=([", "a[", "sh -c ", "trap "];

fn is_data(open: &str) -> bool {
    DATA.contains(&open)
}

#[test]
fn refuses_what_is_nested_too_deeply() {
    let rows = COUNTS.iter().flat_map(|&depth| {
        NESTED
            .iter()
            .filter(|(open, _)| !is_data(open))
            .flat_map(move |(open, close)| {
                let opened = open.repeat(depth);
                [
                    format!("{opened}{RM}{}", close.repeat(depth)),
                    format!("{opened}{RM}"),
                    format!("{opened}\n{RM}\n"),
                ]
            })
    });
    assert_answered(rows.collect(), Some(true));
}

#[test]
fn goes_on_behind_a_text_that_eval_cannot_read() {
    let long = "a;".repeat(100_000);
    let rows = [
        format!("eval ')'; {RM}"),
        format!("x='{long}'; eval \"$x\"; {RM}"),
    ];
    assert_answered(rows.into(), Some(true));
    assert_answered(vec!["eval ')'; rm -rf build".to_owned()], Some(false));
}

/// Arithmetic to bash, but subshells to dash, however deep.
#[test]
fn refuses_parentheses_that_another_shell_runs() {
    for depth in [4, 10, 1_000] {
        let source = format!("{}{RM}{}", "(".repeat(depth), ")".repeat(depth));
        assert!(judged(&source, Dialect::Unknown).0, "{depth}");
    }
}

#[test]
fn answers_what_is_nested_and_harmless() {
    let rows = COUNTS.iter().flat_map(|&depth| {
        NESTED.iter().flat_map(move |(open, close)| {
            let opened = open.repeat(depth);
            [
                format!("{opened}a{}", close.repeat(depth)),
                opened.clone(),
                format!("{opened}\na\n"),
            ]
        })
    });
    assert_answered(rows.collect(), None);
}

/// Many small things in a row, with what destroys at the end.
#[test]
fn follows_or_refuses_long_lists() {
    let mut rows = Vec::new();
    for (part, join) in [
        ("true", ";"),
        ("true", "\n"),
        ("a", "&&"),
        ("a", "||"),
        ("a", "|"),
        ("a", "&"),
        ("cd a", ";"),
        ("cd a", "||"),
        ("cd a && b", "\n"),
        ("a=1", ";"),
        ("a=1", " "),
        ("export a=1", "\n"),
        ("a=$a$a", ";"),
        ("a+=aaaa", ";"),
        ("a=(\"${a[@]}\" b)", "\n"),
        ("set -- \"$@\" \"$@\" a", "\n"),
        ("mkdir a", ";"),
        ("ln -s a b", ";"),
        ("mv f1.log f3.log", ";"),
        ("touch x", ";"),
        ("rm -f build/x", ";"),
        ("rm -f *.log", "\n"),
        ("a > build/x", ";"),
        ("f() { a; }", "\n"),
        ("f() { f; f; }; f", "\n"),
        ("trap a EXIT", ";"),
        ("pushd a", ";"),
        ("read x", ";"),
        ("(cd a)", ";"),
        ("[[ a ]]", "&&"),
        ("[ -d a ] && cd a", "\n"),
        ("if a; then cd a; else b=$c; fi", "\n"),
        ("case $x in a) y=1;; b) y=2;; esac", "\n"),
        ("for i in 1 2; do x=$i; done", "\n"),
        ("while a; do x=$x.; done", "\n"),
        ("x=$(a)", ";"),
        ("x=$((x + 1))", ";"),
        ("echo {1..9}", ";"),
        ("cat <<E\na\nE", "\n"),
        ("cat <<E\n$(a)\nE", "\n"),
        ("sh <<E\ncd a\nE", "\n"),
        ("eval 'a=$a.'", "\n"),
        ("sh -c 'cd a'", "\n"),
        ("a <<< b", ";"),
        ("a `b`", ";"),
        ("a <(b)", ";"),
        ("((a))", ";"),
    ] {
        for &count in COUNTS {
            rows.push(format!("{}\n{RM}", vec![part; count].join(join)));
        }
    }
    assert_answered(rows, Some(true));
}

#[test]
fn follows_or_refuses_many_names() {
    let many =
        |count: usize, part: &dyn Fn(usize) -> String| -> String { (0..count).map(part).collect() };
    let mut rows = Vec::new();
    for &count in COUNTS {
        rows.extend([
            many(count, &|n| format!("a{n}=b;")) + RM,
            many(count, &|n| format!("a{n}=b ")) + RM,
            many(count, &|n| format!("a{n}=b\ncd a||x\n")) + RM,
            many(count, &|n| format!("export a{n}=b;")) + RM,
            many(count, &|n| format!("f{n}() {{ f{}; }}\n", n + 1)) + "f0;" + RM,
            many(count, &|n| format!("if a; then x{n}=1; fi\n")) + RM,
            many(count, &|n| format!("a && x{n}=1\n")) + RM,
            many(count, &|n| format!("[ -n \"$x{n}\" ] || x{n}=1\n")) + RM,
            many(count, &|n| format!("mkdir d{n};")) + RM,
            many(count, &|n| format!("mkdir d{n} && cd d{n};")) + RM,
            many(count, &|n| format!("ln -s /h l{n};")) + RM,
            many(count, &|n| format!("mv f1.log m{n};")) + RM,
            many(count, &|n| format!("rm -f build/{n};")) + RM,
            many(count, &|n| format!("rm -f /h/{n};")) + RM,
            format!("rm -f {}", many(count, &|n| format!("build/{n} "))) + ";" + RM,
            many(count, &|n| format!("trap 'a{n}' EXIT;")) + RM,
            many(count, &|n| format!("a <(b{n});")) + RM,
            many(count, &|n| format!("alias a{n}='b';")) + RM,
            format!(
                "case x in {}*) {RM};; esac",
                many(count, &|n| format!("p{n}|"))
            ),
            format!(
                "case x in {} *) {RM};; esac",
                many(count, &|n| format!("p{n}) a;;"))
            ),
            format!(
                "case $(a) in {} *) {RM};; esac",
                many(count, &|n| format!("p{n}) x=1;;"))
            ),
            format!(
                "case $(a) in {} *) {RM};; esac",
                many(count, &|n| format!("p{n}) x{n}=1;;"))
            ),
            format!(
                "for i in {}; do a; done; {RM}",
                many(count, &|n| format!("p{n} "))
            ),
            format!(
                "for i in {}; do x=$x$i; done; {RM}",
                many(count, &|n| format!("p{n} "))
            ),
            format!(
                "a {}\n{}{RM}",
                many(count, &|n| format!("<<E{n} ")),
                many(count, &|n| format!("E{n}\n"))
            ),
            format!("x=({}); {RM}", many(count, &|n| format!("p{n} "))),
            format!("a {}; {RM}", many(count, &|n| format!("${{x{n}:-b}} "))),
            format!("a {}; {RM}", many(count, &|n| format!(">f{n} "))),
        ]);
    }
    assert_answered(rows, Some(true));
}

#[test]
fn follows_or_refuses_what_grows() {
    let rows = [
        "x=a; while :; do x=$x$x; done",
        "x=a; until b; do x=$x$x; done",
        "for i in {1..64}; do x=a$x$x; done",
        "for i in {1..64}; do for j in {1..64}; do for k in {1..64}; do x=$i$j$k; done; done; done",
        "for i in {1..200}; do for j in {1..200}; do a || cd a; done; done",
        "x=(a); for i in {1..64}; do x=(\"${x[@]}\" \"${x[@]}\"); done",
        "set a; for i in {1..64}; do set -- \"$@\" \"$@\"; done",
        "x=aaaaaaaa; for i in {1..64}; do x=${x//a/aa}; done",
        "x=aaaaaaaa; for i in {1..200}; do x=$x$x; y=${x%%*a*a*a*b}; done",
        "x={1..1000}{1..1000}; echo $x; a {1..1000}{1..1000}",
        "a {1..1000000000}",
        "a {1..1000}{a,b}{c,d}",
        "a {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
        "f() { f; }; f",
        "f() { f; f; }; f",
        "f() { f; f; f; f; f; f; f; f; }; f",
        "f() { f | f & }; f",
        ":(){ :|:& };:",
        "f() { g; g; }; g() { f; f; }; f",
        "f() { f \"$@\" \"$@\"; }; f a",
        "f() { x=$x$x; f; f; }; x=a; f",
        "f() { $(f)$(f); }; f",
        "f() { eval 'f; f'; }; f",
        "alias a='a a'; a",
        "x='eval \"$x\" \"$x\"'; eval \"$x\"",
        "x='eval \"$x\"; eval \"$x\"'; eval \"$x\"",
        "trap 'trap \"x\" EXIT; a' EXIT",
        "x='sh -c \"$x; $x\"'; export x; sh -c \"$x\"",
        "x=x; echo $((x)) $((x+x))",
        "x='y+y'; y='x+x'; echo $((x))",
        "x='a[$((x))]'; echo $((x))",
        "x='`echo $((x))`'; echo $((x))",
        "cat */*/*/*/*/*/* self/self/self/self/*/*/*/*",
        "cat self/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*",
        "cat ***********************************************************************b",
        "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; case $x in *a*a*a*a*a*a*a*a*a*a*b) a;; esac",
        "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; case $x in *(*(*(*(a)))) a;; esac",
        "x=$(printf '%099999d' 1); for i in {1..99}; do x=$x$x; done",
        "printf -v x '%s%s' {1..99}; for i in {1..99}; do printf -v x %s%s $x $x; done",
        "seq 1 1000000 | xargs a; yes | xargs -n1 a",
        "echo {1..999} | xargs -n1 a {1..999}",
        "echo {1..999} | while read x; do a; cd $x; done",
        "find . -exec sh -c 'find . -exec sh -c \"f {}\" \\;' \\;",
        "while a; do while b; do while c; do while d; do while e; do x=$x; done; done; done; done; done",
        "while a; do while b; do while c; do while d; do while e; do cd a; done; done; done; done; done",
        "for a in *; do for b in *; do for c in *; do for d in *; do cd $a; x=$b; done; done; done; done",
    ];
    let mut all: Vec<String> = rows.iter().map(|row| format!("{row}\n{RM}")).collect();
    let long = |part: &str, bytes: usize| part.repeat(bytes / part.len());
    for &bytes in if cfg!(debug_assertions) {
        &[250_000][..]
    } else {
        &[150_000, 250_000]
    } {
        all.extend([
            format!("a {}; {RM}", long("x", bytes)),
            format!("{}; {RM}", long("x", bytes)),
            format!("a '{}'; {RM}", long("x", bytes)),
            format!("a \"{}\"; {RM}", long("$x ", bytes)),
            format!("a \"{}\"; {RM}", long("\\\"", bytes)),
            format!("a $'{}'; {RM}", long("\\x41", bytes)),
            format!("a {}; {RM}", long("*", bytes)),
            format!("a {}; {RM}", long("[", bytes)),
            format!("a {}; {RM}", long("[a]", bytes)),
            format!("a {}; {RM}", long("*/", bytes)),
            format!("a {}; {RM}", long("../", bytes)),
            format!("a {}; {RM}", long("!(", bytes)),
            format!("a {}; {RM}", long("{a,b}", bytes)),
            format!("a {}; {RM}", long("{1..9}", bytes)),
            format!("a {}; {RM}", long("~:", bytes)),
            format!("x={}; {RM}", long("~:", bytes)),
            format!("a $(({})); {RM}", long("1+", bytes) + "1"),
            format!("a $(({})); {RM}", long("-", bytes) + "1"),
            format!("a $(({})); {RM}", long("1?", bytes) + "1"),
            format!("a $(({})); {RM}", long("(", bytes)),
            format!("a $(({})); {RM}", long("x=", bytes) + "1"),
            format!("a $(({})); {RM}", long("x[", bytes)),
            format!("a $(({})); {RM}", long("x,", bytes) + "1"),
            format!(
                "x={}; a ${{x%%*}} ${{x##*y}} ${{x//x/yy}}; {RM}",
                long("x", bytes)
            ),
            format!("x={}; case $x in *y*z) a;; esac; {RM}", long("x", bytes)),
            format!(
                "x={}; case $x in {}) a;; esac; {RM}",
                long("x", bytes / 2),
                long("*x", bytes / 2)
            ),
            format!("x='{}'; a $x; {RM}", long("x ", bytes)),
            format!("x='{}'; IFS=x; a $x; {RM}", long("x ", bytes)),
            format!("x='{}'; for i in $x; do a; done; {RM}", long("x ", bytes)),
            format!("x='{}'; eval \"$x\"; {RM}", long("a;", bytes)),
            format!("x='{}'; {RM}; eval \"$x\"; {RM}", long("(", bytes)),
            format!("sh -c '{}'; {RM}", long("a;", bytes)),
            format!("cat <<E\n{}\nE\n{RM}", long("x y\n", bytes)),
            format!("cat <<E\n{}\nE\n{RM}", long("$x\n", bytes)),
            format!("cat <<E\n{}\nE\n{RM}", long("`x`\n", bytes)),
            format!("sh <<'E'\n{}\nE\n{RM}", long("cd a\n", bytes)),
            format!(
                "cat <<'E' | while read x; do cd $x; done\n{}\nE\n{RM}",
                long("a\n", bytes)
            ),
            format!("cat <<'E' | xargs a\n{}\nE\n{RM}", long("a b\n", bytes)),
            format!(
                "cat <<'E' | xargs -n1 cd\n{}\nE\n{RM}",
                long("a b\n", bytes)
            ),
        ]);
    }
    assert_answered(all, Some(true));
}

/// What begins and does not end.
#[test]
fn refuses_what_has_no_end() {
    let mut rows = Vec::new();
    for open in [
        "'",
        "\"",
        "`",
        "$(",
        "${",
        "${a:-",
        "$((",
        "((",
        "(",
        "{ ",
        "[[ ",
        "$'",
        "$\"",
        "<(",
        "a=(",
        "<<E\n",
        "a <<'E'\n$(",
        "if ",
        "if a; then ",
        "while ",
        "for i in ",
        "for i in a; do ",
        "case a in ",
        "case a in a) ",
        "f() { ",
        "coproc { ",
        "a[",
        "a && ",
        "a || ",
        "a | ",
        "! ",
        "\\",
        "$[",
        "@(",
        "time ",
        "select i in a; do ",
    ] {
        for fill in [0, 180_000, 900_000] {
            rows.push(format!("{open}{}{RM}", "x ".repeat(fill / 2)));
            rows.push(format!("{open}{RM}{}", " x".repeat(fill / 2)));
        }
    }
    assert_answered(rows, None);
}

/// Judges each string, and names all that take too long or get another answer than they should.
fn assert_answered(rows: Vec<String>, refused: Option<bool>) {
    let mut wrong = Vec::new();
    for source in rows {
        let shown: String = source.chars().take(80).collect();
        for &dialect in DIALECTS {
            let (answer, mut taken) = judged(&source, dialect);
            // What shares the processor's caches may have been in the way.
            for _ in 0..3 {
                if taken > LIMIT {
                    taken = taken.min(judged(&source, dialect).1);
                }
            }
            if std::env::var_os("LIMITS_SHOW").is_some() {
                let (ms, bytes) = (taken.as_micros() as f64 / 1e3, source.len());
                eprintln!("{ms:10.3} {answer:5} {bytes:7} {dialect:?} {shown:?}");
            }
            if taken > LIMIT || refused.is_some_and(|refused| refused != answer) {
                wrong.push(format!(
                    "{taken:?}, refused: {answer}, {dialect:?} {shown:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
