//! Ordinary work under `run` is what it is without: the same output, status and tree.
//!
//! Each row runs twice at the same path, unguarded and guarded.

mod house;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use house::{House, Outcome, tools, tree};

/// A piece of work in the project, which is empty but for what `before` puts there.
struct Work {
    name: &'static str,
    needs: &'static [&'static str],
    before: &'static str,
    script: &'static str,
}

const GIT: &[Work] = &[
    Work {
        name: "git init, commit, amend, branch",
        needs: &["git"],
        before: "",
        script: r#"set -e
            git init -q . && echo a > a && git add . && git commit -qm one
            echo b > a && git commit -qam two && git commit -q --amend -m three
            git checkout -qb side && git rm -q a && git commit -qm gone
            git checkout -q - && git branch -D side && git mv a b && git commit -qm moved
            git reset -q --hard HEAD~1 && git tag t && git tag -d t && git log --oneline && git status --short"#,
    },
    Work {
        name: "git clone, fetch, push",
        needs: &["git"],
        before: "git init -q origin && cd origin && echo a > a && git add . && git commit -qm one && git config receive.denyCurrentBranch ignore",
        script: r#"set -e
            git clone -q origin copy && cd copy && echo b > b && git add . && git commit -qm two
            git push -q && git fetch --prune && git pull -q --rebase && git log --oneline"#,
    },
    Work {
        name: "git rebase, merge, stash, cherry-pick",
        needs: &["git"],
        before: r#"git init -q . && echo a > a && git add . && git commit -qm one && git checkout -qb side &&
            echo b > b && git add . && git commit -qm two && git checkout -q - && echo c > c && git add . && git commit -qm three"#,
        script: r#"set -e
            git checkout -q side && git rebase -q - && git checkout -q - && git merge -q side
            echo x >> a && git stash -q && git stash pop -q && git checkout -q -- a
            git reset -q --hard HEAD~1 && git cherry-pick ORIG_HEAD > /dev/null && git log --oneline && git fsck"#,
    },
    Work {
        name: "git gc",
        needs: &["git"],
        before: "git init -q . && for n in 1 2 3 4 5 6; do echo $n > f && git add . && git commit -qm $n; done",
        script: "git gc -q --prune=now && git repack -adq && git prune && git log --oneline && git count-objects -v",
    },
    Work {
        name: "git worktree, clean, submodule-like nesting",
        needs: &["git"],
        before: "git init -q . && echo 'out/' > .gitignore && git add . && git commit -qm one && mkdir out && touch out/x y",
        script: r#"set -e
            git worktree add -q ../proj/wt -b wt && echo z > wt/z && git -C wt add . && git -C wt commit -qm z
            git worktree remove --force wt && git branch -D wt && git clean -fdxq && ls -A"#,
    },
];

const BUILDS: &[Work] = &[
    Work {
        name: "cargo build, test, clean",
        needs: &["cc"],
        before: r#"mkdir src && printf '[package]\nname = "tiny"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml &&
            printf 'fn main() { println!("hello"); }\n#[test]\nfn one() {}\n' > src/main.rs"#,
        script: "set -e
            cargo build --offline -q && ./target/debug/tiny && cargo build --offline -q --release && touch src/main.rs
            cargo build --offline -q && cargo test --offline -q && cargo clean -q && ls -A",
    },
    Work {
        name: "make with a compiler",
        needs: &["make", "gcc", "ar"],
        before: r#"printf 'int f(void){return 0;}\n' > f.c && printf 'int f(void);int main(void){return f();}\n' > m.c &&
            printf 'all: m\nm: m.o libf.a\n\tgcc -o m m.o libf.a\n\tstrip m\nlibf.a: f.o\n\tar rcs $@ $<\nclean:\n\trm -rf *.o *.a m\ninstall: m\n\tinstall -D m out/bin/m\n' > Makefile"#,
        script: "set -e
            make && touch f.c && make && make install && ./out/bin/m && make clean && ls -A",
    },
    Work {
        name: "configure-like temporaries",
        needs: &["gcc"],
        before: "",
        script: r#"set -e
            d=$(mktemp -d) && echo 'int main(void){return 0;}' > "$d/conftest.c" && gcc -o "$d/conftest" "$d/conftest.c"
            "$d/conftest" && rm -rf "$d" && echo > conftest.x && rm -f conftest* && ls -A"#,
    },
    Work {
        name: "npm ci",
        needs: &["node", "npm"],
        before: r#"mkdir dep packed && printf '{"name":"dep","version":"1.0.0"}' > dep/package.json && echo 'module.exports = 1' > dep/index.js &&
            printf '{"name":"packed","version":"1.0.0","bin":"cli.js"}' > packed/package.json && printf '#!/usr/bin/env node\nconsole.log(2)\n' > packed/cli.js &&
            (cd packed && npm pack --silent > /dev/null) && mv packed/packed-1.0.0.tgz . &&
            printf '{"name":"app","version":"1.0.0","scripts":{"build":"rm -rf dist && mkdir dist && packed > dist/out"},"dependencies":{"dep":"file:./dep","packed":"file:./packed-1.0.0.tgz"}}' > package.json &&
            npm install --offline --silent --no-audit --no-fund"#,
        script: "set -e
            npm ci --offline --no-audit --no-fund && npm run --silent build && cat dist/out && node -p 'require(\"dep\")'
            npm run --silent build && npm uninstall --offline --silent --no-audit --no-fund packed && ls node_modules",
    },
];

const PYTHON: &[Work] = &[
    Work {
        name: "pip install into a venv",
        needs: &["python3"],
        before: r#"cat > wheel.py <<'EOF'
import sys, zipfile
for version in "1.0", "2.0":
    with zipfile.ZipFile(f"thing-{version}-py3-none-any.whl", "w") as z:
        info = f"thing-{version}.dist-info"
        z.writestr("thing/__init__.py", f"version = {version!r}\n")
        z.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: thing\nVersion: {version}\n")
        z.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        z.writestr(f"{info}/RECORD", f"thing/__init__.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
EOF
            python3 wheel.py"#,
        script: r#"set -e
            python3 -m venv venv && . venv/bin/activate
            pip install -q --no-index --disable-pip-version-check ./thing-1.0-py3-none-any.whl
            python -c 'import thing; print(thing.version)'
            pip install -q --no-index --disable-pip-version-check ./thing-2.0-py3-none-any.whl
            python -c 'import thing; print(thing.version)'
            pip uninstall -q -y --disable-pip-version-check thing && python3 -m venv --clear venv && ls"#,
    },
    Work {
        name: "pytest, or unittest where there is none",
        needs: &["python3"],
        before: r#"printf 'import os, tempfile, unittest\nclass T(unittest.TestCase):\n    def test(self):\n        with tempfile.TemporaryDirectory() as d:\n            open(os.path.join(d, "f"), "w").write("x")\n        with tempfile.NamedTemporaryFile() as f:\n            f.write(b"x")\n' > test_it.py"#,
        script: r#"if python3 -c 'import pytest' 2> /dev/null
            then python3 -m pytest -q test_it.py && python3 -m pytest -q test_it.py
            else python3 -m unittest -q test_it
            fi"#,
    },
    Work {
        name: "sqlite through python",
        needs: &["python3"],
        before: "",
        script: r#"python3 -c '
import sqlite3
for mode in "delete", "truncate", "wal":
    c = sqlite3.connect("db")
    c.execute("pragma journal_mode=" + mode)
    c.execute("create table if not exists t (x)")
    c.execute("insert into t values (1)")
    c.commit()
    c.execute("vacuum")
    print(c.execute("select count(*) from t").fetchone())
    c.close()
'"#,
    },
];

const EDITORS: &[Work] = &[
    Work {
        name: "vim with its swap file and backup",
        needs: &["vim"],
        before: "echo 'one line' > f && ln -s f link",
        script: r#"vim -u NONE -N -es -c 'set swapfile backup writebackup' -c '%s/one/two/' -c 'wq' f
            vim -u NONE -N -es -c 'set backupcopy=yes' -c '%s/two/three/' -c 'wq' link
            cat f && ls -A"#,
    },
    Work {
        name: "ex",
        needs: &["ex"],
        before: "echo 'one line' > f",
        script: "ex -s -c '%s/one/two/' -c x f; cat f",
    },
    Work {
        name: "an atomic save",
        needs: &["python3"],
        before: "echo one > f",
        script: r#"python3 -c '
import os, tempfile
fd, name = tempfile.mkstemp(dir=".")
os.write(fd, b"two\n")
os.fsync(fd)
os.close(fd)
os.link("f", "f~")
os.replace(name, "f")
os.unlink("f~")
' && cat f && ls -A"#,
    },
    Work {
        name: "an atomic save by node",
        needs: &["node"],
        before: "echo one > f",
        script: "node -e 'fs.writeFileSync(\".f.tmp\", \"two\\n\"); fs.renameSync(\".f.tmp\", \"f\")' && cat f && ls -A",
    },
    Work {
        name: "a failing command",
        needs: &[],
        before: "",
        script: "rm no-such-file; ls no-such-file; mv a b; cat < nothing; echo x > no/such/dir; exit 3",
    },
    Work {
        name: "archives",
        needs: &["tar", "gzip"],
        before: "mkdir d && echo a > d/a && echo b > d/b",
        script: "tar -czf d.tgz d && rm -r d && tar -xzf d.tgz && tar -xzf d.tgz && gzip -d d.tgz && tar -tf d.tar && ls -A",
    },
];

#[test]
fn git() {
    every(GIT);
}

#[test]
fn builds() {
    every(BUILDS);
}

#[test]
fn python() {
    every(PYTHON);
}

#[test]
fn editors_and_shells() {
    every(EDITORS);
}

fn every(works: &[Work]) {
    let mut faults = String::new();
    for work in works {
        if tools::has(work.name, work.needs)
            && let Some(fault) = compare(work)
        {
            faults.push_str(&format!("\n{}: {fault}", work.name));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

fn compare(work: &Work) -> Option<String> {
    let house = House::new();
    let (expected, wanted) = once(&house, work, false);
    if expected.status != Some(0) && work.name != "a failing command" {
        eprintln!("skipped {}: it fails unguarded: {expected:?}", work.name);
        return None;
    }
    let (outcome, found) = once(&house, work, true);
    if (outcome.status, &outcome.stdout, &outcome.stderr)
        != (expected.status, &expected.stdout, &expected.stderr)
    {
        return Some(format!("{outcome:#?} instead of {expected:#?}"));
    }
    (found != wanted).then(|| {
        let differs = |a: &tree::Tree, b: &tree::Tree| tree::lost(a, b);
        format!(
            "another tree: {:?} and {:?}",
            differs(&wanted, &found),
            differs(&found, &wanted)
        )
    })
}

/// Does the work in a fresh home at the same place.
fn once(house: &House, work: &Work, guarded: bool) -> (Outcome, tree::Tree) {
    std::fs::remove_dir_all(house.home()).unwrap();
    std::fs::create_dir_all(house.path("home/.cache")).unwrap();
    std::fs::create_dir_all(house.path("home/proj")).unwrap();
    let mut before = Command::new("sh");
    before.args(["-c", work.before]);
    let prepared = surroundings(house, before).output().unwrap();
    assert!(prepared.status.success(), "{}: {prepared:?}", work.name);
    house.write("work.sh", work.script);
    let script = house.path("work.sh");
    let script = script.to_str().unwrap();
    let command = if guarded {
        house.command(&["run", "--", "sh", script])
    } else {
        let mut command = Command::new("sh");
        command.arg(script);
        command
    };
    let outcome: Outcome = surroundings(house, command).output().unwrap().into();
    let outcome = Outcome {
        status: outcome.status,
        stdout: steady(&outcome.stdout),
        stderr: steady(&outcome.stderr),
    };
    let mut tree = tree::Tree::new();
    for (name, node) in tree::read(&house.project()) {
        tree.insert(
            PathBuf::from(steady(name.to_str().unwrap())),
            named(&name, node),
        );
    }
    (outcome, tree)
}

fn surroundings(house: &House, mut command: Command) -> Command {
    // The cargo that runs this test, not a shim that asks a home for its toolchain.
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| env!("CARGO").to_owned());
    let folder = Path::new(&cargo).parent().unwrap().to_str().unwrap();
    command
        .current_dir(house.project())
        .env_clear()
        .env("HOME", house.home())
        .env("PATH", format!("{folder}:{}", tools::PATH))
        .env("LC_ALL", "C.UTF-8")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "dev")
        .env("GIT_AUTHOR_EMAIL", "dev@example.com")
        .env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
        .env("GIT_COMMITTER_NAME", "dev")
        .env("GIT_COMMITTER_EMAIL", "dev@example.com")
        .env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z")
        .env("npm_config_update_notifier", "false")
        .env("PYTHONHASHSEED", "0")
        .stdin(Stdio::null());
    command
}

/// Of what holds times or depends on them only the name counts.
fn named(name: &Path, node: tree::Node) -> tree::Node {
    let volatile = [".git", "target", "__pycache__", ".pytest_cache", "db"];
    let is_volatile = name
        .components()
        .any(|part| volatile.iter().any(|name| part.as_os_str() == *name))
        || name.extension().is_some_and(|ending| {
            ["o", "a", "tar", "tgz", "whl"]
                .iter()
                .any(|known| ending == *known)
        });
    match node {
        tree::Node::File { mode, .. } if is_volatile => tree::Node::File {
            content: Vec::new(),
            mode,
        },
        node => node,
    }
}

/// Numbers (times, sizes) and long hexadecimal words (object names, random suffixes) become the same everywhere.
fn steady(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for letter in text.chars().chain(['\0']) {
        if letter.is_ascii_alphanumeric() {
            word.push(letter);
            continue;
        }
        let is_hash = word.len() >= 7 && word.chars().all(|letter| letter.is_ascii_hexdigit());
        if is_hash {
            out.push('#');
        } else {
            let mut in_number = false;
            for letter in word.chars() {
                if !letter.is_ascii_digit() {
                    out.push(letter);
                } else if !in_number {
                    out.push('0');
                }
                in_number = letter.is_ascii_digit();
            }
        }
        word.clear();
        if letter != '\0' {
            out.push(letter);
        }
    }
    // npm tells seconds or milliseconds.
    out.replace("0ms", "0s")
}
