//! Programs of every day, with what each does beneath: outside nothing is lost, inside everything works. One
//! that is not installed is left out.

use crate::stage::{Ran, Stage, which};

fn run(stage: &Stage, script: &str) -> Ran {
    stage.sh(script)
}

/// What each destroys: `$T` is a file, `$D` a directory with a file in it.
const DESTROYERS: [(&str, &str); 25] = [
    (
        "python3",
        "python3 -c 'import os,sys; os.remove(sys.argv[1])' $T",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; os.truncate(sys.argv[1],0)' $T",
    ),
    (
        "python3",
        "python3 -c 'import sys; open(sys.argv[1],\"w\")' $T",
    ),
    (
        "python3",
        "python3 -c 'import sys; open(sys.argv[1],\"r+\").write(\"x\")' $T",
    ),
    (
        "python3",
        "python3 -c 'import shutil,sys; shutil.rmtree(sys.argv[1])' $D",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; os.replace(sys.argv[1],sys.argv[2])' $D $D.moved",
    ),
    (
        "python3",
        "python3 -c 'import os,subprocess,sys; subprocess.run([\"rm\",sys.argv[1]],env={})' $T",
    ),
    (
        "python3",
        "python3 -c 'import os,sys; os.environ.clear(); os.system(\"/bin/rm \"+sys.argv[1])' $T",
    ),
    ("perl", "perl -e 'unlink $ARGV[0] or die' $T"),
    ("perl", "perl -e 'open(F, \">\", $ARGV[0]) or die' $T"),
    ("perl", "perl -e 'truncate($ARGV[0], 0) or die' $T"),
    ("perl", "perl -e '%ENV=(); exec \"/bin/rm\", $ARGV[0]' $T"),
    ("node", "node -e 'fs.unlinkSync(process.argv[1])' $T"),
    (
        "node",
        "node -e 'fs.rmSync(process.argv[1],{recursive:true})' $D",
    ),
    (
        "node",
        "node -e 'fs.writeFileSync(process.argv[1],\"x\")' $T",
    ),
    ("rm", "env -i /bin/rm -f $T"),
    ("rm", "echo $T | xargs rm -f"),
    ("find", "find $D -type f -delete"),
    ("find", "find $D -type f -exec rm {} +"),
    (
        "make",
        "printf 'clean:\\n\\trm -rf $(UNSET)%s\\n' $D | make -f - clean",
    ),
    ("sed", "sed -i s/old/new/ $T"),
    ("cp", "cp /etc/hostname $T"),
    ("mv", "mv $T $T.moved"),
    ("dd", "dd if=/dev/zero of=$T bs=1 count=1 conv=notrunc"),
    ("shred", "shred -u $T"),
];

#[test]
fn nothing_is_lost_outside() {
    for (program, script) in DESTROYERS {
        if which(program).is_none() {
            continue;
        }
        let stage = Stage::new();
        let ran = run(
            &stage,
            &format!("T=$O/file; D=$O/full; {script}").replace("$(UNSET)", "$(UNSET)"),
        );
        let row = format!("{script}: {ran:?}");
        assert!(!ran.refusals().is_empty(), "{row}");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
        assert_eq!(
            stage.content("outside/full/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}

#[test]
fn everything_works_inside() {
    for (program, script) in DESTROYERS {
        if which(program).is_none() {
            continue;
        }
        let stage = Stage::new();
        stage.write("home/project/directory/file", "old");
        let ran = run(
            &stage,
            &format!("T=$PWD/inside; D=$PWD/directory; {script}"),
        );
        let row = format!("{script}: {ran:?}");
        assert!(ran.refusals().is_empty(), "{row}");
        assert_eq!(ran.status, Some(0), "{row}");
        let untouched = stage.content("home/project/inside").as_deref() == Some("old")
            && stage.content("home/project/directory/file").as_deref() == Some("old");
        assert!(!untouched, "{row}");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{row}"
        );
    }
}

#[test]
fn git_works_as_it_does_without_us() {
    if which("git").is_none() {
        return;
    }
    let script = "
        set -e
        rm -rf .git; git init -q . && git config user.email a@b && git config user.name n
        echo 1 > tracked; git add tracked; git commit -qm one
        git checkout -q -b side; echo 2 > tracked; git commit -qam two
        git checkout -q - ; git merge -q side; git stash list
        echo 3 > tracked; git reset -q --hard; git clean -qfdx
        git worktree add -q wt side; git worktree remove wt
        git gc -q; git mv tracked moved; git rm -qf moved; git log --oneline | wc -l";
    let with = {
        let stage = Stage::new();
        std::fs::remove_dir_all(stage.project().join(".git")).unwrap();
        stage.write("home/project/.git", "");
        std::fs::remove_file(stage.project().join(".git")).unwrap();
        stage.sh(script)
    };
    let without = {
        let stage = Stage::new();
        std::fs::remove_dir_all(stage.project().join(".git")).unwrap();
        Ran::of(stage.unguarded("/bin/sh").args(["-c", script]))
    };
    assert_eq!(
        (with.status, with.stdout, with.stderr),
        (without.status, without.stdout, without.stderr)
    );
}

#[test]
fn touch_sets_times_outside_without_a_word() {
    let stage = Stage::new();
    let modified = |stage: &Stage| {
        let file = std::fs::metadata(stage.path("outside/file")).unwrap();
        file.modified().unwrap()
    };
    for (script, status) in [
        ("touch $O/file", 0),
        ("touch -d @7 $O/file", 0),
        ("touch $O/empty $O/new", 0),
        ("touch to-file", 0),
        ("touch $O/nothing/x 2>/dev/null", 1),
    ] {
        let before = modified(&stage);
        let ran = stage.sh(script);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(status), ""));
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{script}"
        );
        if script.contains("file") {
            assert_ne!(modified(&stage), before, "{script}");
        }
    }
    assert_eq!(stage.content("outside/new").as_deref(), Some(""));
    // Another program that opens so means to write.
    let ran = stage.sh(
        "cp $(command -v dd) ddd; ./ddd if=/dev/null of=$O/file conv=notrunc oflag=nonblock,noctty",
    );
    assert_eq!(ran.refusals().len(), 1, "{ran:?}");
}
