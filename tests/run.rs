//! `run`: outside the scope nothing is lost, inside it everything works, whichever program does it.
//!
//! Each row is a script that destroys something below `$DIR`. It runs four times on equal trees:
//!
//! - unguarded and guarded with `$DIR` in the project: output, status and tree must be the same;
//! - unguarded with `$DIR` outside, which shows that the row destroys at all; and guarded, where every file must
//!   still hold what it held: once as a string for both layers, once as a script file with the libc layer alone.

mod house;

use std::path::Path;
use std::process::Command;

use house::{House, Outcome, tools, tree};

/// What one program does to `$DIR`.
struct Row {
    name: &'static str,
    needs: &'static [&'static str],
    /// Runs first, unguarded. `$SPARE` is a directory of the project.
    before: &'static str,
    script: &'static str,
}

impl Row {
    /// What the repository holds and no commit does is kept by the command layer; the calls do not know of commits.
    fn discards_work(&self) -> bool {
        self.before == REPOSITORY && self.name != "git stash"
    }
}

const fn row(name: &'static str, needs: &'static [&'static str], script: &'static str) -> Row {
    prepared(name, needs, "", script)
}

const fn prepared(
    name: &'static str,
    needs: &'static [&'static str],
    before: &'static str,
    script: &'static str,
) -> Row {
    Row {
        name,
        needs,
        before,
        script,
    }
}

/// A repository in `$DIR` with one commit, one change and one file that it does not know.
const REPOSITORY: &str = r#"cd "$DIR" && git init -q . && git add . && git commit -q -m one &&
    echo changed > c.txt && echo precious > unknown"#;

const SHELL: &[Row] = &[
    row("rm", &[], r#"rm -rf "$DIR""#),
    row("rm of one file", &[], r#"rm "$DIR/c.txt""#),
    row("rm of a glob", &[], r#"rm -rf "$DIR"/*"#),
    row("rm below cd", &[], r#"cd "$DIR" && rm -rf sub c.txt"#),
    row("sh -c", &[], r#"sh -c 'rm -rf "$DIR"'"#),
    row("sh -c in sh -c", &[], r#"sh -c "sh -c 'rm -rf \"\$DIR\"'""#),
    row(
        "bash function",
        &["bash"],
        r#"bash -c 'f() { rm -rf "$@"; }; f "$DIR"'"#,
    ),
    row("eval", &[], r#"eval 'rm -rf "$DIR"'"#),
    row(
        "a script file",
        &[],
        "printf 'rm -rf \"$DIR\"\\n' > \"$SPARE/s\" && sh \"$SPARE/s\"",
    ),
    row("a script on stdin", &[], r#"echo 'rm -rf "$DIR"' | sh"#),
    row(
        "a script in a here-document",
        &[],
        "sh <<'EOF'\nrm -rf \"$DIR\"\nEOF",
    ),
    row("env -i", &["env"], r#"env -i PATH="$PATH" rm -rf "$DIR""#),
    row(
        "env -u",
        &["env"],
        r#"env -u LD_PRELOAD -u BLASTRADIUS_POLICY rm -rf "$DIR""#,
    ),
    row(
        "unset",
        &[],
        r#"unset LD_PRELOAD BLASTRADIUS_POLICY; rm -rf "$DIR""#,
    ),
    row(
        "nohup",
        &["nohup"],
        r#"nohup rm -rf "$DIR" < /dev/null 2> /dev/null; test ! -e "$DIR""#,
    ),
    row("timeout", &["timeout"], r#"timeout 60 rm -rf "$DIR""#),
    row("setsid", &["setsid"], r#"setsid -w rm -rf "$DIR""#),
    row("the background", &[], r#"rm -rf "$DIR" & wait"#),
    row("redirection", &[], r#"echo new > "$DIR/c.txt""#),
    row("empty redirection", &[], r#": > "$DIR/c.txt""#),
    row(
        "redirection of exec",
        &[],
        r#"exec 3> "$DIR/c.txt"; echo new >&3"#,
    ),
    row(
        "redirection with noclobber lifted",
        &[],
        r#"set -C; echo new >| "$DIR/c.txt""#,
    ),
    row("opened for both", &[], r#"echo new 1<> "$DIR/c.txt""#),
];

const TOOLS: &[Row] = &[
    row("unlink", &["unlink"], r#"unlink "$DIR/c.txt""#),
    row("rmdir", &["rmdir"], r#"rmdir "$DIR/empty""#),
    row(
        "xargs rm",
        &["xargs"],
        r#"find "$DIR" -type f -print0 | xargs -0 rm"#,
    ),
    row(
        "xargs in the directory",
        &["xargs"],
        r#"cd "$DIR" && printf "sub\nc.txt\n" | xargs rm -r"#,
    ),
    row(
        "find -delete",
        &["find"],
        r#"find "$DIR" -name '*.txt' -delete"#,
    ),
    row("find -delete of all", &["find"], r#"find "$DIR" -delete"#),
    row(
        "find -exec",
        &["find"],
        r#"find "$DIR" -type f -exec rm {} +"#,
    ),
    row(
        "find -exec sh",
        &["find"],
        r#"find "$DIR" -type f -exec sh -c 'rm "$1"' x {} \;"#,
    ),
    row("mv away", &[], r#"mv "$DIR/c.txt" "$SPARE/c.txt""#),
    row("mv of the directory", &[], r#"mv "$DIR" "$SPARE/moved""#),
    row(
        "mv over",
        &[],
        r#"echo new > "$SPARE/n" && mv "$SPARE/n" "$DIR/c.txt""#,
    ),
    row("mv within", &[], r#"mv "$DIR/c.txt" "$DIR/d.txt""#),
    row(
        "cp over",
        &[],
        r#"echo new > "$SPARE/n" && cp "$SPARE/n" "$DIR/c.txt""#,
    ),
    row(
        "cp --remove-destination",
        &[],
        r#"echo new > "$SPARE/n" && cp --remove-destination "$SPARE/n" "$DIR/c.txt""#,
    ),
    row(
        "install",
        &["install"],
        r#"echo new > "$SPARE/n" && install -m 644 "$SPARE/n" "$DIR/c.txt""#,
    ),
    row("ln -sf", &[], r#"ln -sf /nowhere "$DIR/c.txt""#),
    row("tee", &["tee"], r#"echo new | tee "$DIR/c.txt""#),
    row(
        "dd",
        &["dd"],
        r#"dd if=/dev/zero of="$DIR/c.txt" bs=1 count=1 status=none"#,
    ),
    row(
        "dd without truncation",
        &["dd"],
        r#"dd if=/dev/zero of="$DIR/c.txt" bs=1 count=1 conv=notrunc status=none"#,
    ),
    row("truncate", &["truncate"], r#"truncate -s 0 "$DIR/c.txt""#),
    row("shred", &["shred"], r#"shred -u -n 1 -s 16 "$DIR/c.txt""#),
    row(
        "sort -o",
        &["sort"],
        r#"sort -u -o "$DIR/c.txt" "$DIR/a.o" "$DIR/c.txt""#,
    ),
    prepared(
        "split",
        &["split"],
        r#"echo old > xaa && mv xaa "$DIR/xaa""#,
        r#"printf '1\n2\n' | split -l 1 - "$DIR/x""#,
    ),
    row("sed -i", &["sed"], r#"sed -i 's/line/LINE/' "$DIR/c.txt""#),
    row(
        "awk",
        &["awk"],
        r#"awk -v f="$DIR/c.txt" 'BEGIN { print "new" > f }'"#,
    ),
    row("gzip", &["gzip"], r#"gzip -n "$DIR/c.txt""#),
    row(
        "rsync --delete",
        &["rsync"],
        r#"rsync -r --delete "$SPARE/" "$DIR/""#,
    ),
    row(
        "patch",
        &["patch"],
        "printf '1c\\nnew\\n.\\n' | patch -s -e \"$DIR/c.txt\"",
    ),
    row(
        "ex",
        &["ex"],
        r#"ex -u NONE -i NONE -n -s -c '%s/line/LINE/' -c x "$DIR/c.txt""#,
    ),
    prepared(
        "tar over",
        &["tar"],
        r#"echo new > c.txt && tar -cf "$SPARE/a.tar" --mtime=@0 c.txt && rm c.txt"#,
        r#"tar -xf "$SPARE/a.tar" -C "$DIR""#,
    ),
    row(
        "tar --remove-files",
        &["tar"],
        r#"tar -cf "$SPARE/b.tar" --mtime=@0 --remove-files -C "$DIR" c.txt"#,
    ),
    row(
        "tar -cf over",
        &["tar"],
        r#"tar -cf "$DIR/c.txt" --mtime=@0 -C "$SPARE" kept"#,
    ),
    prepared(
        "make with an unset variable",
        &["make"],
        r#"printf 'clean:\n\trm -rf $(UNSET)$(DIR)/sub\n' > Makefile"#,
        "make -s clean",
    ),
    prepared(
        "make of a whole directory",
        &["make"],
        r#"printf 'clean:\n\t@rm -rf $(DIR)\n' > Makefile"#,
        "make -s clean",
    ),
    prepared(
        "git checkout",
        &["git"],
        REPOSITORY,
        r#"git -C "$DIR" checkout -q -- ."#,
    ),
    prepared(
        "git restore",
        &["git"],
        REPOSITORY,
        r#"git -C "$DIR" restore c.txt"#,
    ),
    prepared(
        "git reset",
        &["git"],
        REPOSITORY,
        r#"git -C "$DIR" reset -q --hard"#,
    ),
    prepared(
        "git clean",
        &["git"],
        REPOSITORY,
        r#"git -C "$DIR" clean -fdxq"#,
    ),
    prepared(
        "git rm",
        &["git"],
        REPOSITORY,
        r#"git -C "$DIR" rm -qf c.txt"#,
    ),
    prepared(
        "git stash",
        &["git"],
        REPOSITORY,
        r#"git -C "$DIR" stash -q -u"#,
    ),
];

const LANGUAGES: &[Row] = &[
    row(
        "python rmtree",
        &["python3"],
        r#"python3 -c 'import os, shutil; shutil.rmtree(os.environ["DIR"])'"#,
    ),
    row(
        "python unlink",
        &["python3"],
        r#"python3 -c 'import os; os.unlink(os.environ["DIR"] + "/c.txt")'"#,
    ),
    row(
        "python unlink below a descriptor",
        &["python3"],
        r#"python3 -c 'import os; os.unlink("c.txt", dir_fd=os.open(os.environ["DIR"], os.O_RDONLY))'"#,
    ),
    row(
        "python open",
        &["python3"],
        r#"python3 -c 'import os; open(os.environ["DIR"] + "/c.txt", "w").write("new")'"#,
    ),
    row(
        "python open for update",
        &["python3"],
        r#"python3 -c 'import os; open(os.environ["DIR"] + "/c.txt", "r+").truncate(1)'"#,
    ),
    row(
        "python replace",
        &["python3"],
        r#"python3 -c 'import os; d = os.environ["DIR"]; s = os.environ["SPARE"] + "/n"; open(s, "w").write("new"); os.replace(s, d + "/c.txt")'"#,
    ),
    row(
        "python rename",
        &["python3"],
        r#"python3 -c 'import os; d = os.environ["DIR"]; os.rename(d + "/sub", d + "/renamed")'"#,
    ),
    row(
        "python truncate",
        &["python3"],
        r#"python3 -c 'import os; os.truncate(os.environ["DIR"] + "/c.txt", 0)'"#,
    ),
    row(
        "python system",
        &["python3"],
        r#"python3 -c 'import os, sys; sys.exit(os.system("rm -rf \"$DIR\"") >> 8)'"#,
    ),
    row(
        "python subprocess without environment",
        &["python3"],
        r#"python3 -c 'import os, subprocess, sys; sys.exit(subprocess.run(["/bin/rm", "-rf", os.environ["DIR"]], env={}).returncode)'"#,
    ),
    row(
        "python popen",
        &["python3"],
        r#"python3 -c 'import os; os.popen("rm -rf \"$DIR\"").read()'"#,
    ),
    row(
        "node rmSync",
        &["node"],
        r#"node -e 'fs.rmSync(process.env.DIR, { recursive: true })'"#,
    ),
    row(
        "node rm",
        &["node"],
        r#"node -e 'fs.promises.rm(process.env.DIR, { recursive: true, force: true }).catch(e => { console.log(e.code); process.exit(1) })'"#,
    ),
    row(
        "node writeFileSync",
        &["node"],
        r#"node -e 'fs.writeFileSync(process.env.DIR + "/c.txt", "new")'"#,
    ),
    row(
        "node renameSync",
        &["node"],
        r#"node -e 'fs.renameSync(process.env.DIR + "/c.txt", process.env.DIR + "/d.txt")'"#,
    ),
    row(
        "node truncateSync",
        &["node"],
        r#"node -e 'fs.truncateSync(process.env.DIR + "/c.txt")'"#,
    ),
    row(
        "node createWriteStream",
        &["node"],
        r#"node -e 'fs.createWriteStream(process.env.DIR + "/c.txt").on("error", e => process.exit(1)).end("new")'"#,
    ),
    row(
        "node execSync",
        &["node"],
        r#"node -e 'child_process.execSync("rm -rf \"$DIR\"")'"#,
    ),
    row(
        "node spawn without environment",
        &["node"],
        r#"node -e 'process.exit(child_process.spawnSync("/bin/rm", ["-rf", process.env.DIR], { env: {}, stdio: "inherit" }).status)'"#,
    ),
    row(
        "perl unlink",
        &["perl"],
        r#"perl -e 'unlink("$ENV{DIR}/c.txt") or exit 1'"#,
    ),
    row(
        "perl open",
        &["perl"],
        r#"perl -e 'open(my $f, ">", "$ENV{DIR}/c.txt") or exit 1; print $f "new"'"#,
    ),
    row(
        "perl rename",
        &["perl"],
        r#"perl -e 'rename("$ENV{DIR}/c.txt", "$ENV{DIR}/d.txt") or exit 1'"#,
    ),
    row(
        "perl truncate",
        &["perl"],
        r#"perl -e 'truncate("$ENV{DIR}/c.txt", 0) or exit 1'"#,
    ),
    row(
        "perl remove_tree",
        &["perl"],
        r#"perl -MFile::Path=remove_tree -e 'remove_tree($ENV{DIR})'"#,
    ),
    row(
        "perl -i",
        &["perl"],
        r#"perl -pi -e 's/line/LINE/' "$DIR/c.txt""#,
    ),
    row(
        "perl system",
        &["perl"],
        r#"perl -e 'delete $ENV{LD_PRELOAD}; exit(system("rm", "-rf", $ENV{DIR}) >> 8)'"#,
    ),
    row(
        "ruby",
        &["ruby"],
        r#"ruby -rfileutils -e 'FileUtils.rm_rf(ENV["DIR"])'"#,
    ),
];

#[test]
fn shells() {
    every(SHELL);
}

#[test]
fn tools() {
    every(TOOLS);
}

#[test]
fn languages() {
    every(LANGUAGES);
}

fn every(rows: &[Row]) {
    let mut faults = String::new();
    for row in rows {
        if !tools::has(row.name, row.needs) {
            continue;
        }
        for fault in inside(row).into_iter().chain(outside(row)) {
            faults.push_str(&format!("\n{}: {fault}", row.name));
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// How the script is started.
#[derive(Clone, Copy, PartialEq)]
enum Guard {
    None,
    /// As a string, judged by both layers.
    Both,
    /// As a file, which the command layer knows nothing of, with the libc layer alone.
    Libc,
}

/// A tree with `$DIR` in it: `home/proj/build` or `home/notes/dir`.
fn stage(row: &Row, folder: &str) -> House {
    let house = House::new();
    for file in ["a.o", "c.txt", "sub/b", "sub/deep/d", "-dash", "with space"] {
        house.write(&format!("{folder}/{file}"), format!("line of {file}\n"));
    }
    std::fs::create_dir_all(house.path(folder).join("empty")).unwrap();
    house.write("home/proj/spare/kept", "spare\n");
    let prepared = sh(&house, folder, row.before).output().unwrap();
    assert!(prepared.status.success(), "{}: {prepared:?}", row.name);
    house
}

fn sh(house: &House, folder: &str, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    surroundings(house, &house.path(folder), command)
}

fn start(house: &House, folder: &str, script: &str, guard: Guard) -> Outcome {
    let directory = house.path(folder);
    let command = match guard {
        Guard::None => return clean(house, sh(house, folder, script).output().unwrap().into()),
        Guard::Both => house.command(&["run", "-c", script]),
        Guard::Libc => {
            house.write("home/proj/spare/row.sh", script);
            house.command(&["run", "--layers", "libc", "--", "sh", "spare/row.sh"])
        }
    };
    let output = surroundings(house, &directory, command).output().unwrap();
    clean(house, output.into())
}

fn surroundings(house: &House, directory: &Path, mut command: Command) -> Command {
    command
        .current_dir(house.project())
        .env_clear()
        .env("HOME", house.home())
        .env("PATH", tools::PATH)
        .env("DIR", directory)
        .env("SPARE", house.project().join("spare"))
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "dev")
        .env("GIT_AUTHOR_EMAIL", "dev@example.com")
        .env("GIT_COMMITTER_NAME", "dev")
        .env("GIT_COMMITTER_EMAIL", "dev@example.com")
        .stdin(std::process::Stdio::null());
    command
}

/// Equal trees have different names.
fn clean(house: &House, mut outcome: Outcome) -> Outcome {
    let root = house.path("");
    let root = root.to_str().unwrap();
    outcome.stdout = outcome.stdout.replace(root, "/ROOT/");
    outcome.stderr = outcome.stderr.replace(root, "/ROOT/");
    outcome
}

/// The project without what differs between two runs of the same work: git's own files hold times, and the script
/// file is the test's.
fn work(house: &House) -> tree::Tree {
    let mut tree = tree::read(&house.project());
    tree.retain(|name, _| {
        !name.ends_with("row.sh") && !name.components().any(|part| part.as_os_str() == ".git")
    });
    tree
}

fn inside(row: &Row) -> Vec<String> {
    let folder = "home/proj/build";
    let bare = stage(row, folder);
    let expected = start(&bare, folder, row.script, Guard::None);
    if expected.status != Some(0) {
        return vec![format!("fails unguarded: {expected:?}")];
    }
    let mut faults = Vec::new();
    for (name, guard) in [("both layers", Guard::Both), ("libc", Guard::Libc)] {
        let guarded = stage(row, folder);
        let outcome = start(&guarded, folder, row.script, guard);
        if guard == Guard::Both && row.discards_work() {
            if !outcome.stderr.contains("uncommitted-work-is-not-discarded") {
                faults.push(format!("inside, {name}: work is discarded: {outcome:?}"));
            }
            continue;
        }
        if (outcome.status, &outcome.stdout, &outcome.stderr)
            != (expected.status, &expected.stdout, &expected.stderr)
        {
            faults.push(format!(
                "inside, {name}: {outcome:?} instead of {expected:?}"
            ));
        }
        let (found, wanted) = (work(&guarded), work(&bare));
        if found != wanted {
            faults.push(format!(
                "inside, {name}: another tree: {:?} and {:?}",
                tree::lost(&wanted, &found),
                tree::lost(&found, &wanted)
            ));
        }
    }
    faults
}

fn outside(row: &Row) -> Vec<String> {
    let folder = "home/notes/dir";
    let mut faults = Vec::new();
    for (name, guard) in [
        ("unguarded", Guard::None),
        ("both layers", Guard::Both),
        ("libc", Guard::Libc),
    ] {
        let house = stage(row, folder);
        let before = tree::read(&house.path("home/notes"));
        let outcome = start(&house, folder, row.script, guard);
        let lost = tree::lost(&before, &tree::read(&house.path("home/notes")));
        if guard == Guard::None {
            if lost.is_empty() {
                faults.push(format!("destroys nothing unguarded: {outcome:?}"));
            }
            continue;
        }
        if !lost.is_empty() {
            faults.push(format!("outside, {name}: lost {lost:?}: {outcome:?}"));
        }
        let said = outcome.stderr.contains("blastradius: refused")
            || outcome.stderr.starts_with("blastradius  BLOCKED\n");
        if !said && !row.script.contains("2> /dev/null") {
            faults.push(format!("outside, {name}: nothing was said: {outcome:?}"));
        }
    }
    faults
}
