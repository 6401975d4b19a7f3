//! git in the project.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
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
