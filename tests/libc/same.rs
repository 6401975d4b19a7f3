//! In the scope, and where nothing would be done anyway, a call answers what it answers without the library, and
//! leaves the same tree. The oracle is the same call without it.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::stage::{LIBRARY, Ran, Stage, caller, which};

/// Rows of words; `{N}` stands for a component of that length, `{/N}` for a path of that length that leads to
/// the directory it begins in.
const ROWS: &str = "
    unlink nothing
    unlink nothing/
    unlink inside
    unlink inside/
    unlink inside//
    unlink directory
    unlink directory/
    unlink directory/.
    unlink directory/..
    unlink .
    unlink ..
    unlink /
    unlink //
    unlink ./inside
    unlink directory/..//inside
    unlink to-file
    unlink to-file/
    unlink link
    unlink link/
    unlink loop
    unlink loop/x
    unlink dangling
    unlink dangling/x
    unlink {255}
    unlink {256}
    unlink {/4000}inside
    unlink {/4088}inside
    unlink {/4089}inside
    unlink {/4090}inside
    unlink {/4096}inside
    unlink {/9000}inside
    unlink inside/x
    rmdir nothing
    rmdir inside
    rmdir inside/
    rmdir directory
    rmdir directory/
    rmdir directory//
    rmdir directory/.
    rmdir full
    rmdir full/..
    rmdir .
    rmdir ./
    rmdir ..
    rmdir /
    rmdir link
    rmdir link/
    rmdir loop
    rmdir {256}
    rmdir {/4085}directory
    rmdir {/4086}directory
    rmdir {/4087}directory
    remove nothing
    remove inside
    remove inside/
    remove directory
    remove directory/
    remove full
    remove link
    remove to-file
    remove .
    unlinkat inside
    unlinkat directory
    unlinkat-directory directory
    unlinkat-directory inside
    unlinkat-flags inside
    -d directory unlinkat ../inside
    -p directory unlinkat ../inside
    -p full unlinkat file
    bad-dirfd inside
    bad-dirfd P/inside
    file-dirfd inside
    unlink-null
    unlink-wild
    rmdir-wild
    remove-wild
    rename inside moved
    rename inside moved/
    rename inside/ moved
    rename inside inside
    rename inside ./inside
    rename inside directory
    rename inside directory/
    rename inside directory/moved
    rename inside nothing/moved
    rename inside inside/x
    rename nothing moved
    rename nothing inside
    rename nothing nothing/x
    rename directory moved
    rename directory moved/
    rename directory/ moved/
    rename directory inside
    rename directory full
    rename full directory
    rename full directory/
    rename directory directory/below
    rename full full/below
    rename full/below full
    rename directory .
    rename directory ..
    rename . moved
    rename .. moved
    rename inside .
    rename link moved
    rename link/ moved
    rename to-file moved
    rename inside to-file
    rename inside link
    rename directory link
    rename loop moved
    rename inside loop/x
    rename inside {255}
    rename inside {256}
    rename {256} moved
    rename inside {/4090}moved
    rename {/4090}inside moved
    rename hard inside
    rename / moved
    rename inside /
    rename-wild moved
    rename-to-wild inside
    rename-noreplace inside moved
    rename-noreplace inside hard
    rename-noreplace inside inside
    rename-noreplace inside directory
    rename-noreplace directory full
    rename-noreplace nothing moved
    rename-noreplace nothing inside
    rename-noreplace inside dangling
    rename-noreplace inside nothing/x
    rename-exchange inside directory
    rename-exchange inside nothing
    rename-exchange inside inside
    rename-exchange full full/below
    rename-exchange full/below full
    renameat2-flags inside moved
    renameat2-both inside moved
    -d directory renameat ../inside moved
    -p directory renameat ../inside moved
    open inside wt
    open inside rt
    open inside +t
    open inside/ w
    open nothing wt
    open nothing/ wc
    open new wct
    open new/ wct
    open new wcx
    open new wctx
    open inside wcx
    open inside wctx
    open to-file wcx
    open dangling wct
    open dangling wcx
    open dangling wctn
    open dangling wt
    open loop wt
    open loop wct
    open loop wcx
    open directory w
    open directory wt
    open directory rt
    open directory wct
    open directory r
    open directory rd
    open inside rd
    open inside wd
    open inside ptd
    open inside pt
    open inside pw
    open inside wn
    open hard wt
    open fifo +t
    open directory Tw
    open directory Tr
    open directory T+c
    open inside Tw
    open /dev/null wct
    open /dev/tty wt
    open nothing/new wct
    open inside/new wct
    open {255} wct
    open {256} wct
    open {/4090}new wct
    open {/4093}new wct
    open-wild
    open-create-wild
    openat-bad-dirfd inside
    openat-bad-dirfd P/inside
    -p . openat inside wt
    -d directory openat ../inside wt
    -p directory openat new wct
    open-mode new wct 644
    open-mode new wct 2755
    open-mode new wct 2644
    open-mode new wct 6755
    open-mode new rct 2755
    open-mode new wcx 2755
    open-mode new wc 2755
    open-mode new wca 2755
    open-mode group/new wct 2755
    open-mode group/new wct 2640
    open-mode set-id wct 644
    creat new
    creat inside
    creat directory
    creat nothing/x
    fopen inside w
    fopen new wx
    fopen inside wx
    fopen directory w
    fopen nothing r+
    fopen nothing/x w
    fopen inside q
    freopen inside w
    freopen nothing/x w
    truncate inside 0
    truncate inside 2
    truncate inside 3
    truncate inside 9
    truncate inside -1
    truncate nothing 0
    truncate directory 0
    truncate to-file 0
    truncate inside/ 0
    truncate loop 0
    truncate fifo 0
    truncate set-id 0
    truncate {256} 0
    truncate {/4090}inside 0
    truncate-wild
    truncate /dev/null 0
    ftruncate inside 1
    ftruncate inside 9
    ftruncate inside -1
    ftruncate set-id 1
    ftruncate-bad
    ftruncate-read-only inside
    fallocate inside 1
    fallocate inside 3
    fallocate inside 2
    fallocate inside 256
    fallocate-bad
    link inside new
    link inside new/
    link nothing new
    link directory new
    link inside hard
    link inside nothing/x
    link to-file new
    link inside/ new
    link {256} new
    link inside {256}
    link-wild new
    link-to-wild inside
    linkat-follow to-file new
    linkat-follow loop new
    linkat-empty inside new
    symlink x new
    symlink x new/
    symlink x inside
    symlink x nothing/x
    symlink {/4096} new
    symlink-wild new
    shm_unlink nothing/x
    shm_unlink ..
    shm_open nothing/x +c
    number-unlinkat inside
    number-unlinkat directory/
    number-openat new wct
    number-openat2 inside wt
    number-openat2 new/ wct
    number-openat2 {/4090}inside wt
    fcntl-bad
";

/// What rights decide; root has them all.
const ROWS_OF_A_USER: &str = "
    unlink sealed/file
    unlink sealed/nothing
    unlink hidden/file
    unlink hidden/nothing
    unlink read-only
    rmdir sealed/directory
    rmdir hidden/directory
    rename sealed/file moved
    rename inside sealed/new
    rename inside sealed/file
    rename hidden/file moved
    rename inside hidden/new
    rename sealed moved
    rename hidden moved
    open read-only wt
    open read-only rt
    open read-only wct
    open read-only r
    open write-only wt
    open write-only rt
    open write-only +t
    open empty-read-only rt
    open empty-read-only wct
    open sealed/new wct
    open sealed/file wct
    open hidden/file wct
    open hidden/new wcx
    open set-id wt
    truncate read-only 0
    truncate write-only 0
    truncate sealed/file 0
    truncate hidden/file 0
    ftruncate read-only 0
    link sealed/file new
    link inside sealed/new
    link hidden/file new
    symlink x sealed/new
    symlink x hidden/new
    -C sealed unlink file
    -C sealed open file wct
    -d sealed unlinkat file
    open_by_handle_at inside wt
    open-mode new wct 2755
    open-mode group/new wct 2755
";

fn words(stage: &Stage, row: &str) -> Vec<OsString> {
    let mut words = stage.words(row);
    for word in &mut words {
        let text = word.to_str().unwrap();
        let Some((before, rest)) = text.split_once('{') else {
            continue;
        };
        let (length, after) = rest.split_once('}').unwrap();
        let long = match length.strip_prefix('/') {
            Some(length) => {
                let length: usize = length.parse().unwrap();
                // Single dots, and as many slashes as are left over.
                "./".repeat(length / 2) + &"/".repeat(length % 2)
            }
            None => "n".repeat(length.parse().unwrap()),
        };
        *word = format!("{before}{long}{after}").into();
    }
    words
}

/// More than a stage has.
fn furnish(stage: &Stage) {
    let project = stage.project();
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, project.join(name)).unwrap();
    };
    std::fs::create_dir_all(project.join("full/below")).unwrap();
    std::fs::create_dir(project.join("group")).unwrap();
    std::fs::write(project.join("full/file"), "old").unwrap();
    std::fs::write(project.join("set-id"), "old").unwrap();
    let mode = |name: &str, mode| {
        std::fs::set_permissions(project.join(name), PermissionsExt::from_mode(mode)).unwrap();
    };
    mode("set-id", 0o6755);
    mode("group", 0o2755);
    std::fs::hard_link(project.join("inside"), project.join("hard")).unwrap();
    link("loop", "loop");
    link("gone", "dangling");
    // Those of the stage lead outside.
    for (name, target) in [("to-file", "full/file"), ("link", "full")] {
        std::fs::remove_file(project.join(name)).unwrap();
        link(target, name);
    }
    for (directory, bits) in [("sealed", 0o555), ("hidden", 0)] {
        std::fs::create_dir_all(project.join(directory).join("directory")).unwrap();
        std::fs::write(project.join(directory).join("file"), "old").unwrap();
        mode(directory, bits);
    }
    for (file, content, bits) in [
        ("read-only", "old", 0o444),
        ("write-only", "old", 0o222),
        ("empty-read-only", "", 0o444),
    ] {
        std::fs::write(project.join(file), content).unwrap();
        mode(file, bits);
    }
    let made = std::process::Command::new("mkfifo")
        .arg(project.join("fifo"))
        .status();
    assert!(made.unwrap().success());
}

/// Names, kinds, modes, links and contents.
fn tree(directory: &Path, into: &mut String) {
    let mut entries: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let meta = entry.metadata().unwrap();
        let name = entry.file_name();
        write!(into, "{name:?} {:o} {}", meta.mode(), meta.nlink()).unwrap();
        if meta.is_file() {
            write!(into, " {:?}", std::fs::read(entry.path()).unwrap()).unwrap();
        } else if meta.is_symlink() {
            write!(into, " {:?}", std::fs::read_link(entry.path()).unwrap()).unwrap();
        }
        into.push('\n');
        if meta.is_dir() {
            tree(&entry.path(), into);
        }
    }
}

/// Makes everything readable and removable again.
fn open_up(stage: &Stage) {
    for directory in ["sealed", "hidden"] {
        let path = stage.project().join(directory);
        if path.exists() {
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        }
    }
}

/// Gives the tree to nobody.
fn give_away(stage: &Stage) {
    let done = std::process::Command::new("chown")
        .args(["-hR", "65534:65534"])
        .arg(stage.path(""))
        .status();
    assert!(done.unwrap().success());
    let set_id = stage.project().join("set-id");
    std::fs::set_permissions(set_id, PermissionsExt::from_mode(0o6755)).unwrap();
}

/// How a call ended, and the tree afterwards.
fn outcome(row: &str, guarded: bool, by_nobody: bool) -> (String, String) {
    let stage = Stage::new();
    furnish(&stage);
    let mut command = stage.unguarded(caller());
    let mut library = PathBuf::from(LIBRARY);
    if by_nobody {
        // Others may not get to where these were built.
        let program = stage.path("call");
        library = stage.path("library.so");
        std::fs::copy(caller(), &program).unwrap();
        std::fs::copy(LIBRARY, &library).unwrap();
        give_away(&stage);
        command = stage.unguarded(which("setpriv").unwrap());
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(program);
    }
    if guarded {
        command.env("LD_PRELOAD", &library);
    }
    command.args(words(&stage, row));
    let ran = Ran::of(&mut command);
    open_up(&stage);
    let mut found = String::new();
    tree(&stage.path("home"), &mut found);
    let root = stage.path("").display().to_string();
    (
        format!("{:?} {} {}", ran.status, ran.stdout, ran.stderr),
        found.replace(&root, "ROOT"),
    )
}

/// The rows that end differently.
fn differing(rows: &[&str], by_nobody: bool) -> Vec<String> {
    let mut found = Vec::new();
    for row in rows {
        let plain = outcome(row, false, by_nobody);
        let guarded = outcome(row, true, by_nobody);
        if plain.0 != guarded.0 {
            found.push(format!("{row}: {} became {}", plain.0, guarded.0));
        } else if plain.1 != guarded.1 {
            found.push(format!("{row}: {}\nbecame {}", plain.1, guarded.1));
        }
    }
    found
}

fn rows(table: &str) -> Vec<&str> {
    let rows = table.lines().map(str::trim);
    rows.filter(|row| !row.is_empty()).collect()
}

#[test]
fn every_call_ends_as_it_does_without_us() {
    let rows = rows(ROWS);
    let (first, second) = rows.split_at(rows.len() / 2);
    let found = std::thread::scope(|scope| {
        let other = scope.spawn(|| differing(second, false));
        let mut found = differing(first, false);
        found.extend(other.join().unwrap());
        found
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_a_user_may_not_do_stays_what_it_was() {
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    if is_root && which("setpriv").is_none() {
        eprintln!("setpriv is not installed");
        return;
    }
    let (refused, _) = outcome("unlink sealed/file", true, is_root);
    assert!(refused.contains(" 13 "), "EACCES was due: {refused}");
    let found = differing(&rows(ROWS_OF_A_USER), is_root);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
