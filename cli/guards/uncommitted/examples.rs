//! What is refused and what passes, in a repository with `a.txt`, `src/b.txt` and `.gitignore` committed on `main`,
//! a branch `side` beside it, and rules that ignore `.env`, `data/`, `local.*`, `*.o`, `node_modules/` and
//! `__pycache__/`.

use crate::guards::Example;

const fn lost(given: &'static str, call: &'static str, says: &'static str) -> Example {
    Example::shell(call).given(given).saying(says)
}

const fn kept(given: &'static str, call: &'static str) -> Example {
    lost(given, call, "")
}

const EDIT: &str = "echo edited > a.txt";
const STAGE: &str = "echo staged > a.txt; git add a.txt";
const NEW: &str = "echo new > new.txt";
const AHEAD: &str =
    "git checkout -q side; echo more > a.txt; git commit -qam more; git checkout -q main";
const TREE: &str = "git worktree add -q ../tree -b tree";

pub(super) const REFUSED: &[Example] = &[
    lost(EDIT, "git reset --hard", "a.txt: changed"),
    lost(STAGE, "git reset -q --hard HEAD", "a.txt: changed"),
    lost(STAGE, "git reset --merge", "a.txt: changed"),
    lost(EDIT, "cd src && git reset --hard", "a.txt: changed"),
    lost(EDIT, "git -C src reset --hard", "a.txt: changed"),
    lost(
        EDIT,
        "cd / && git --git-dir=$OLDPWD/.git --work-tree=$OLDPWD reset --hard",
        "a.txt: changed",
    ),
    lost(
        EDIT,
        "GIT_DIR=.git GIT_WORK_TREE=. git reset --hard",
        "a.txt: changed",
    ),
    lost(
        EDIT,
        "export GIT_DIR=$PWD/.git GIT_WORK_TREE=$PWD; cd src; git reset --hard",
        "a.txt: changed",
    ),
    lost(
        EDIT,
        "git -c alias.nuke='reset --hard' nuke",
        "a.txt: changed",
    ),
    lost(
        EDIT,
        "git -c alias.nuke='!git reset --hard' nuke",
        "a.txt: changed",
    ),
    lost(
        "echo edited > a.txt; git config alias.nuke 'reset --hard'",
        "git nuke",
        "a.txt: changed",
    ),
    lost(EDIT, "g=git; $g reset --hard", "a.txt: changed"),
    lost(EDIT, "f() { git reset --hard; }; f", "a.txt: changed"),
    lost(EDIT, "bash -c 'git reset --hard'", "a.txt: changed"),
    lost(EDIT, "sudo git reset --hard", "a.txt: changed"),
    lost(EDIT, "git add -A && git reset --hard", "a.txt: changed"),
    lost(
        NEW,
        "git add -A && git reset --hard",
        "new.txt: untracked, 4 bytes",
    ),
    lost(
        "git checkout -q side; echo x > c.txt; git add c.txt; git commit -qm c; git checkout -q main; echo y > c.txt",
        "git reset --hard side",
        "c.txt: untracked",
    ),
    lost(EDIT, "git checkout a.txt", "a.txt: changed"),
    lost(EDIT, "git checkout ./a.txt", "a.txt: changed"),
    lost(EDIT, "git checkout .", "a.txt: changed"),
    lost(EDIT, "git checkout -- .", "a.txt: changed"),
    lost(EDIT, "git checkout -- '*.txt'", "a.txt: changed"),
    lost(EDIT, "git checkout main -- a.txt", "a.txt: changed"),
    lost(EDIT, "git checkout main a.txt", "a.txt: changed"),
    lost(STAGE, "git checkout HEAD -- a.txt", "a.txt: changed"),
    lost(EDIT, "git checkout HEAD .", "a.txt: changed"),
    lost(EDIT, "git checkout -q -f side", "a.txt: changed"),
    lost(EDIT, "git checkout -f", "a.txt: changed"),
    lost(EDIT, "git checkout -fB other", "a.txt: changed"),
    lost(
        EDIT,
        "for f in a.txt src/b.txt; do git checkout -- $f; done",
        "a.txt: changed",
    ),
    lost(EDIT, "git restore .", "a.txt: changed"),
    lost(EDIT, "git restore a.txt", "a.txt: changed"),
    lost(
        STAGE,
        "git restore --staged --worktree a.txt",
        "a.txt: changed",
    ),
    lost(STAGE, "git restore -SW .", "a.txt: changed"),
    lost(EDIT, "git restore --source=side a.txt", "a.txt: changed"),
    lost(EDIT, "git restore -s HEAD -- a.txt", "a.txt: changed"),
    lost(
        "echo n > n.txt; git add n.txt",
        "git restore -SW -s HEAD .",
        "n.txt: changed",
    ),
    lost(EDIT, "git switch --discard-changes side", "a.txt: changed"),
    lost(EDIT, "git switch -f side", "a.txt: changed"),
    lost(EDIT, "git read-tree -u --reset HEAD", "a.txt: changed"),
    lost(EDIT, "git checkout-index -f -a", "a.txt: changed"),
    lost(EDIT, "git checkout-index -f a.txt", "a.txt: changed"),
    lost(EDIT, "git rm -f a.txt", "a.txt: changed"),
    lost(
        "echo edited > src/b.txt",
        "git rm -rf src",
        "src/b.txt: changed",
    ),
    lost(
        "echo n > n.txt; git add n.txt",
        "git rm -f n.txt",
        "n.txt: changed",
    ),
    lost(EDIT, "git mv -f src/b.txt a.txt", "a.txt: changed"),
    lost(NEW, "git clean -f", "new.txt: untracked, 4 bytes"),
    lost(NEW, "git clean -fd", "new.txt: untracked, 4 bytes"),
    lost(
        "mkdir new; echo x > new/deep.rs",
        "git clean -fd",
        "new/deep.rs: untracked",
    ),
    lost("echo x > 'q\"u\to.txt'", "git clean -f", "q\"u"),
    lost(
        "echo KEY=1 > .env",
        "git clean -fdxq",
        ".env: ignored, 6 bytes",
    ),
    lost(
        "echo KEY=1 > .env",
        "git clean -fX",
        ".env: ignored, 6 bytes",
    ),
    lost(
        "mkdir -p data/cmp/__pycache__; echo x > data/cmp/__pycache__/w.pyc; echo DB > data/app.db",
        "git clean -fX -- data/cmp/__pycache__/w.pyc",
        "data/app.db: ignored",
    ),
    lost(
        "mkdir data; echo DB > data/app.sqlite",
        "git clean -fdX",
        "data/app.sqlite: ignored",
    ),
    lost(
        "echo local.txt >> .gitignore; echo SECRET > local.txt",
        "git reset -q --hard && git clean -fdq",
        ".gitignore: changed",
    ),
    lost(
        "git checkout -q side; echo '*.key' >> .gitignore; git commit -qam keys; echo k > a.key",
        "git checkout main && git clean -fd",
        "a.key: ignored only by a rule",
    ),
    lost(
        NEW,
        "git -c clean.requireForce=false clean",
        "new.txt: untracked, 4 bytes",
    ),
    lost(
        "echo new > new.txt; git config clean.requireForce false",
        "git clean -d",
        "new.txt: untracked",
    ),
    lost(
        "echo stashed > a.txt; git stash -q",
        "git stash drop",
        "a.txt: only in stash@{0}",
    ),
    lost(
        "echo stashed > a.txt; git stash -q",
        "git stash clear",
        "a.txt: only in stash@{0}",
    ),
    lost(
        "echo stashed > a.txt; git stash -q; echo x > src/b.txt; git stash -q",
        "git stash drop 1",
        "a.txt: only in stash@{1}",
    ),
    lost(
        "echo new > new.txt; git stash -qu",
        "git stash drop",
        "new.txt: only in stash@{0}",
    ),
    lost(EDIT, "git stash && git stash drop", "a.txt: changed"),
    lost(
        EDIT,
        "git stash && git stash pop && git reset --hard",
        "a.txt: changed",
    ),
    lost(
        NEW,
        "git stash && git clean -fd",
        "new.txt: untracked, 4 bytes",
    ),
    lost(
        "echo '#!/bin/sh' > build",
        "git clean -f",
        "build: untracked",
    ),
    lost(
        "mkdir notes; for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $n > notes/$n; done",
        "git clean -fd",
        "and 2 more",
    ),
    lost(
        "echo k > .env; git worktree add -q ../tree -b tree; echo other > ../tree/.env",
        "git worktree remove ../tree",
        ".env: ignored, 6 bytes",
    ),
    lost(AHEAD, "git branch -D side", "side: 1 commit"),
    lost(
        AHEAD,
        "git branch -q --delete --force side",
        "side: 1 commit",
    ),
    lost(AHEAD, "git branch -M main side", "side: 1 commit"),
    lost(AHEAD, "git update-ref -d refs/heads/side", "side: 1 commit"),
    lost(
        "git worktree add -q ../tree -b tree; echo n > ../tree/new.txt",
        "git worktree remove --force ../tree && git branch -q -D tree",
        "new.txt: untracked",
    ),
    lost(
        "git worktree add -q ../tree -b tree; echo e > ../tree/a.txt",
        "git worktree remove -f ../tree",
        "a.txt: changed, 1 line added and 1 removed",
    ),
    lost(
        "git worktree add -q ../tree -b tree; echo k > ../tree/.env",
        "git worktree remove ../tree",
        ".env: ignored",
    ),
    lost(
        "git worktree add -q --detach ../tree; cd ../tree; echo e > a.txt; git commit -qam e",
        "git worktree remove -f ../tree",
        "HEAD: 1 commit",
    ),
    lost(
        "git -c protocol.file.allow=always submodule add -q \"$PWD\" sub; git commit -qm sub; echo x > sub/a.txt",
        "git submodule deinit -f sub",
        "a.txt: changed",
    ),
    lost(
        "git -c protocol.file.allow=always submodule add -q \"$PWD\" sub; git commit -qm sub; echo x > sub/a.txt",
        "git submodule update --force",
        "a.txt: changed",
    ),
    lost(
        EDIT,
        "cp src/b.txt /tmp/b.txt; git checkout a.txt",
        "a.txt: changed",
    ),
    lost(
        EDIT,
        "git diff --stat > /dev/null; git checkout a.txt",
        "a.txt: changed",
    ),
];

pub(super) const ALLOWED: &[Example] = &[
    kept("true", "git reset --hard"),
    kept("true", "git reset --hard HEAD~0"),
    kept(
        "echo more >> a.txt; git commit -qam more",
        "git reset --hard HEAD~1",
    ),
    kept(NEW, "git reset --hard"),
    kept("git rm -q --cached a.txt", "git reset --hard"),
    kept("rm a.txt", "git reset --hard"),
    kept("rm a.txt", "git checkout -- a.txt"),
    kept("touch a.txt", "git checkout -- a.txt"),
    kept(EDIT, "git reset --soft HEAD"),
    kept(EDIT, "git reset"),
    kept(EDIT, "git reset HEAD -- a.txt"),
    kept(EDIT, "git reset --keep side"),
    kept(EDIT, "git reset --merge"),
    kept(EDIT, "git reset --help"),
    kept(EDIT, "git commit -qam wip && git reset --hard HEAD"),
    kept(
        "echo n > n.txt",
        "git add -A && git commit -q -m wip && git reset -q --hard HEAD",
    ),
    kept(
        EDIT,
        "git add a.txt && git commit -qm wip && git checkout -- .",
    ),
    kept(EDIT, "git stash && git reset --hard && git stash pop"),
    kept("echo new > new.txt", "git stash -u && git clean -fd"),
    kept(EDIT, "git diff > /tmp/work.patch && git checkout ."),
    kept(EDIT, "cp a.txt /tmp/a.bak && git checkout a.txt"),
    kept(EDIT, "git checkout side"),
    kept(EDIT, "git add -A && git checkout -- ."),
    kept(EDIT, "git add -u && git restore ."),
    kept(NEW, "git add -A && git clean -fd"),
    kept("echo k > .env", "git checkout a.txt && git clean -fd"),
    kept(
        "echo k > .env",
        "git checkout main -- a.txt && git clean -fd",
    ),
    kept(
        "git checkout -q side; echo '*.key' >> .gitignore; git commit -qam keys; echo k > a.key",
        "git checkout main -- a.txt && git clean -fd",
    ),
    kept(
        "echo k > .env; git worktree add -q ../tree -b tree; cp .env ../tree",
        "git worktree remove --force ../tree",
    ),
    kept(
        "echo k > .env; git worktree add -q ../tree -b tree; ln -s ../proj/.env ../tree/.env",
        "git worktree remove --force ../tree",
    ),
    kept(
        "ln -s /tmp node_modules; ln -s /tmp local.d",
        "git clean -fdx",
    ),
    kept(EDIT, "git checkout -b topic"),
    kept(EDIT, "git checkout src/b.txt"),
    kept(STAGE, "git checkout -- a.txt"),
    kept(EDIT, "git checkout nowhere"),
    kept(EDIT, "git checkout -p"),
    kept(STAGE, "git restore a.txt"),
    kept(EDIT, "git restore . --staged"),
    kept(EDIT, "git add a.txt && git restore --stage a.txt"),
    kept(
        "echo more >> a.txt; git commit -qam more",
        "git restore --source HEAD~1 -- a.txt",
    ),
    kept(EDIT, "git switch side"),
    kept(EDIT, "git switch -c topic"),
    kept("true", "git switch -f side"),
    kept(EDIT, "git read-tree -m HEAD"),
    kept("true", "git checkout-index -f -a"),
    kept(EDIT, "git checkout-index -a"),
    kept(EDIT, "git rm --cached -f a.txt"),
    kept("true", "git rm -rf src"),
    kept(EDIT, "git rm -n -f a.txt"),
    kept(EDIT, "git mv a.txt c.txt"),
    kept(NEW, "git clean -n"),
    kept(NEW, "git clean -nfd"),
    kept(NEW, "git clean"),
    kept(NEW, "git clean -fd src"),
    kept(NEW, "git clean -fdX"),
    kept("mkdir d; echo x > d/x", "git clean -f"),
    kept("touch empty; mkdir -p none/at/all", "git clean -fd"),
    kept(
        "mkdir -p node_modules/x target/debug __pycache__; touch target/CACHEDIR.TAG; echo x > node_modules/x/i.js; echo x > target/debug/b; echo x > m.o; echo x > __pycache__/m.pyc",
        "git clean -fdx",
    ),
    kept(
        "mkdir -p node_modules/x; echo x > node_modules/x/i.js; echo x > m.o",
        "git clean -fdX",
    ),
    kept("echo KEY=1 > .env", "git clean -fd"),
    kept("echo KEY=1 > .env", "git clean -fdx -e .env"),
    kept("echo KEY=1 > .env", "git reset --hard && git clean -fd"),
    kept("true", "git stash drop"),
    kept("true", "git stash clear"),
    kept(EDIT, "git stash"),
    kept("echo stashed > a.txt; git stash -q", "git stash pop"),
    kept(
        "echo stashed > a.txt; git stash -q",
        "git stash apply && git stash drop",
    ),
    kept(
        "echo stashed > a.txt; git stash -q; git stash apply -q",
        "git stash drop",
    ),
    kept(
        "echo stashed > a.txt; git stash -q; echo stashed > a.txt; git commit -qam same",
        "git stash drop",
    ),
    kept("true", "git branch -D side"),
    kept(AHEAD, "git branch -d side"),
    kept(
        "git checkout -q side; echo more > a.txt; git commit -qam more; git checkout -q main; git tag kept side",
        "git branch -D side",
    ),
    kept(
        "git checkout -q side; echo 1 > n; git add n; git commit -qm 1; echo 2 > n; git commit -qam 2; git checkout -q main; git merge -q --squash side; git commit -qm squashed",
        "git branch -D side",
    ),
    kept(
        TREE,
        "git worktree remove --force ../tree && git branch -D tree",
    ),
    kept(
        "git worktree add -q ../tree -b tree; mkdir ../tree/node_modules; echo x > ../tree/node_modules/x",
        "git worktree remove --force ../tree",
    ),
    kept(
        "git -c protocol.file.allow=always submodule add -q \"$PWD\" sub; git commit -qm sub",
        "git submodule deinit -f sub",
    ),
    kept(
        "git -c protocol.file.allow=always submodule add -q \"$PWD\" sub; git commit -qm sub; echo edited > a.txt",
        "git submodule foreach git reset --hard",
    ),
    kept(
        "git checkout -q side; echo 1 > a.txt; git commit -qam 1; git checkout -q main; echo 2 > a.txt; git commit -qam 2; git merge -q side || true",
        "git merge --abort",
    ),
    kept(
        "git checkout -q side; echo 1 > a.txt; git commit -qam 1; git checkout -q main; echo 2 > a.txt; git commit -qam 2; git merge -q side || true",
        "git reset --hard",
    ),
    kept(
        "git checkout -q side; echo 1 > a.txt; git commit -qam 1; git checkout -q main; echo 2 > a.txt; git commit -qam 2; git merge -q side || true",
        "git checkout --ours a.txt",
    ),
    kept(EDIT, "git commit -m 'git reset --hard'"),
    kept(EDIT, "echo git reset --hard"),
    kept(EDIT, "cd nowhere && git reset --hard"),
    kept(EDIT, "git -C nowhere reset --hard"),
];
