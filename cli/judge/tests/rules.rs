//! The table of rules: what each row says is refused, and the remedy beside it that passes.

use std::path::Path;

use blastradius_policy::{NoTrust, Origin, Policy, PolicyText, ROWS, discover, fake::FakeFs};

use crate::{
    git::Nobody,
    interp::Place,
    judge::{Session, string_on},
    report::Report,
    shell::ast::Dialect,
};

/// What an example says of its surroundings comes after `#`.
const REMARK: &str = " # ";

fn disk(remark: &str) -> FakeFs {
    let mut fs = FakeFs::new(&[
        ("/home/dev/proj/.git/HEAD", "file ref"),
        ("/home/dev/proj/.git/objects/ab", "dir"),
        ("/home/dev/proj/.git/index.lock", "file"),
        ("/home/dev/proj/src/a.txt", "file x"),
        ("/home/dev/proj/src/b.txt", "file x"),
        ("/home/dev/proj/build/obj/x", "file x"),
        ("/home/dev/proj/build/mnt", "dir"),
        ("/home/dev/proj/dist/x", "file x"),
        ("/home/dev/proj/a.o", "file x"),
        ("/home/dev/proj/b.o", "file x"),
        ("/home/dev/proj/x.log", "file x"),
        ("/home/dev/proj/list", "file x"),
        ("/home/dev/proj/secrets/key.pem", "file x"),
        ("/home/dev/proj/.blastradius", "file # nothing\n"),
        ("/home/dev/Documents/thesis", "file x"),
        ("/home/dev/.bashrc", "file x"),
        ("/etc/passwd", "file x"),
        ("/etc/hosts", "file x"),
        ("/usr/lib/python3/x", "file x"),
        ("/tmp/scratch/x", "file x"),
        ("/dev/sda", "block"),
    ]);
    for number in 0..101 {
        fs.add(&format!("/home/dev/proj/many/{number}"), "file x");
    }
    match remark.split_once(' ') {
        Some(("with", line)) if line.starts_with("deny ") => {
            fs.add("/home/dev/proj/.blastradius", &format!("file {line}\n"));
        }
        Some(("with", "a file system mounted at build/mnt")) => fs.add(
            "/proc/self/mountinfo",
            "file 36 35 98:0 / /home/dev/proj/build/mnt rw - ext4 /dev/sdb rw\n",
        ),
        Some(("while", _)) => fs.add("/home/dev/proj/.blastradius", "file alow ./**\n"),
        Some(other) => panic!("a remark that no test understands: {other:?}"),
        None => {}
    }
    fs
}

fn judge(example: &str) -> Report {
    let (source, remark) = example.split_once(REMARK).unwrap_or((example, ""));
    let fs = disk(remark);
    let mut text = Box::new(PolicyText::new());
    let origin = Origin {
        start: b"/home/dev/proj",
        homes: &[b"/home/dev"],
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
    discover(&fs, &origin, &NoTrust, &mut text).expect("the scope is small");
    let policy = Policy::parse(text.as_bytes()).expect("it was just written");
    let session = Session {
        policy: &policy,
        environment: &[(b"HOME".to_vec(), b"/home/dev".to_vec())],
        cwd: Some(Path::new("/home/dev/proj")),
        dialect: Dialect::Bash,
        strict: false,
        lower_layers: false,
        explain: false,
    };
    let place = Place {
        session: &session,
        fs: &fs,
        home: Some(b"/home/dev"),
        git: &Nobody,
        background: crate::case::Background::none(),
    };
    string_on(&place, source.as_bytes(), &[])
}

#[test]
fn every_row_says_what_happens() {
    let mut wrong = Vec::new();
    for row in ROWS {
        for (example, instead) in row.refused {
            if judge(instead).is_refused() {
                wrong.push(format!(
                    "{}: the remedy {instead} is refused",
                    row.rule.id()
                ));
            }
            let report = judge(example);
            let by_rule = report.refusals().any(|(_, target)| {
                target
                    .refusal
                    .as_ref()
                    .is_some_and(|refusal| refusal.rule == row.rule)
            });
            if !by_rule {
                wrong.push(format!("{}: {example} is not refused by it", row.rule.id()));
            }
        }
        for example in row.allowed {
            if judge(example).is_refused() {
                wrong.push(format!("{}: {example} is refused", row.rule.id()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
