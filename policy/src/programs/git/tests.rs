use crate::programs::rows::check;

#[test]
fn clean_sweeps_if_forced() {
    check(&[
        ("git clean -fdx", "sweep @."),
        ("git clean -f", "sweep @."),
        ("git clean -xdf", "sweep @."),
        ("git clean -d -xf", "sweep @."),
        ("git clean -fdX", "sweep @."),
        ("git clean --force -d", "sweep @."),
        ("git clean --for", "sweep @."),
        ("git clean -i", "sweep @."),
        ("git clean -ff", "sweep @."),
        ("git clean -fdx -e .env -e node_modules", "sweep @."),
        ("git clean -fdxe .env", "sweep @."),
        ("git clean -fdx --exclude .env", "sweep @."),
        ("git clean -fdx a b/", "sweep 3 N, sweep 4 N"),
        ("git clean -fX -- data/x.pyc", "sweep 4 N"),
        ("git clean a -f", "sweep 2 N"),
        ("git clean -f -- *.o", "select @."),
        ("git clean -f src/gen/*.o", "select @./src/gen/"),
        ("git clean -f src/*", "select @./src/"),
        ("git clean -f *", "sweep @."),
        ("git clean -f :/", "sweep @top"),
        ("git clean -f :(top)src", "sweep @top"),
        ("git clean -f :!keep", "sweep @top"),
    ]);
}

#[test]
fn clean_without_force_or_dry_loses_nothing() {
    check(&[
        ("git clean", ""),
        ("git clean -d", ""),
        ("git clean -n", ""),
        ("git clean -fdn", ""),
        ("git clean -nfdx", ""),
        ("git clean -fd --dry-run", ""),
        ("git clean -fd --dry", ""),
        ("git clean -h", ""),
        ("git clean --help", ""),
        ("git help clean -f", ""),
        ("git clean -fn --no-dry-run", "sweep @."),
        ("git -c clean.requireForce=false clean -d", "sweep @."),
        ("git -c clean.requireforce=NO clean", "sweep @."),
        ("git -c clean.requireForce=true clean -d", ""),
    ]);
}

#[test]
fn the_options_before_the_command_say_where() {
    check(&[
        ("git -C / clean -fdx", "sweep @2"),
        ("git -C a -C /b clean -fd", "sweep @4"),
        ("git -C a -C b clean -fd", "sweep @?"),
        ("git -C '' clean -fd", "sweep @."),
        ("git -C a clean -fd x", "sweep 5@2 N"),
        ("git -C a clean -f *.o", "select @2"),
        ("git -C a clean -f :/", "sweep @top2"),
        ("git -C /home reset --hard", "sweep @top2"),
        ("git -C a -C b reset --hard", "sweep @?"),
        ("git --git-dir=/x --work-tree=/ reset --hard", "sweep @2+12"),
        ("git --git-dir /x --work-tree / reset --hard", "sweep @4"),
        ("git --git-dir=/x reset --hard", "sweep @."),
        ("git -C a --git-dir=.git reset --hard", "sweep @2"),
        ("git -C a --work-tree=b reset --hard", "sweep @?"),
        ("git -C a --work-tree=/b reset --hard", "sweep @3+12"),
        ("git --work-tree=/b clean -fdx", "sweep @1+12"),
        (
            "git --work-tree=/b clean -fdx c",
            "sweep 4 N, sweep 4@1+12 N",
        ),
        (
            "git --work-tree=/b checkout -- .",
            "sweep 4 N, sweep 4@1+12 N",
        ),
        ("git -c core.worktree=/b reset --hard", "sweep @2+14"),
        ("git -c user.name=x clean -fd", "sweep @."),
        ("git --no-pager clean -fd", "sweep @."),
        ("git -p -P --bare clean -fd", "sweep @."),
        ("git --exec-path=/x clean -fd", "sweep @."),
        ("git --exec-path clean -fd", "sweep @."),
        ("git --namespace x clean -fd", "sweep @."),
        ("/usr/bin/git clean -fd", "sweep @."),
        ("git --version clean -fd", ""),
        ("git --help clean", ""),
        ("git", ""),
        ("git -C a", ""),
    ]);
}

#[test]
fn reset_sweeps_only_if_hard() {
    check(&[
        ("git reset --hard", "sweep @top"),
        ("git reset --hard HEAD~1", "sweep @top"),
        ("git reset HEAD~1 --hard", "sweep @top"),
        ("git reset -q --hard v1.*", "sweep @top"),
        ("git reset --har", "sweep @top"),
        ("git reset --merge", "sweep @top"),
        ("git reset", ""),
        ("git reset --soft HEAD~1", ""),
        ("git reset --mixed", ""),
        ("git reset --keep HEAD~1", ""),
        ("git reset HEAD -- a", ""),
        ("git reset -- --hard", ""),
        ("git reset --hard -h", ""),
    ]);
}

#[test]
fn checkout_overwrites_paths_and_switches_freely() {
    check(&[
        ("git checkout -- a", "sweep 3 N"),
        ("git checkout -- .", "sweep 3 N"),
        ("git checkout HEAD -- a b", "sweep 4 N, sweep 5 N"),
        ("git checkout -q -- a", "sweep 4 N"),
        ("git checkout -- src/*.c", "select @./src/"),
        ("git checkout .", "sweep 2 N ?"),
        ("git checkout main", "sweep 2 N ?"),
        ("git checkout HEAD a", "sweep 2 N ?, sweep 3 N ?"),
        ("git checkout --ours a", "sweep 3 N ?"),
        ("git checkout -p a", "sweep 3 N ?"),
        ("git checkout -", ""),
        ("git checkout", ""),
        ("git checkout -b new", ""),
        ("git checkout -b new origin/main", ""),
        ("git checkout -B new main", ""),
        ("git checkout --orphan new", ""),
        ("git checkout -f", "sweep @top"),
        ("git checkout -f main", "sweep @top"),
        ("git checkout -qf side", "sweep @top"),
        ("git checkout --force main", "sweep @top"),
        ("git checkout -f -b new", "sweep @top"),
        ("git checkout -f -- a", "sweep 4 N"),
        ("git checkout --pathspec-from-file=list", "sweep @top"),
        ("git -C a checkout -- b", "sweep 5@2 N"),
        ("git checkout --help", ""),
    ]);
}

#[test]
fn restore_and_switch_discard_as_their_options_say() {
    check(&[
        ("git restore a", "sweep 2 N"),
        ("git restore .", "sweep 2 N"),
        ("git restore -- a b", "sweep 3 N, sweep 4 N"),
        ("git restore --source HEAD~1 -- a", "sweep 5 N"),
        ("git restore -s HEAD a", "sweep 4 N"),
        ("git restore --source=HEAD a", "sweep 3 N"),
        ("git restore --staged a", ""),
        ("git restore . --staged", ""),
        ("git restore --stage a", ""),
        ("git restore -S a", ""),
        ("git restore -SW a", "sweep 3 N"),
        ("git restore --staged --worktree a", "sweep 4 N"),
        ("git restore :/", "sweep @top"),
        ("git switch main", ""),
        ("git switch -c new", ""),
        ("git switch -", ""),
        ("git switch -f main", "sweep @top"),
        ("git switch --discard-changes main", "sweep @top"),
        ("git switch --discard main", "sweep @top"),
        ("git read-tree --reset -u HEAD", "sweep @top"),
        ("git read-tree -m HEAD", ""),
        ("git checkout-index -f -a", "sweep @top"),
        ("git checkout-index -a", ""),
        ("git checkout-index -fa --prefix=/x/", "select 3+9 L ?"),
        ("git merge --abort", "sweep @top"),
        ("git rebase --abort", "sweep @top"),
        ("git merge main", ""),
    ]);
}

#[test]
fn rm_and_mv_act_on_the_work_tree() {
    check(&[
        ("git rm a", "remove 2 N"),
        ("git rm -f a b", "remove 3 N, remove 4 N"),
        ("git rm -r a", "tree 3 N"),
        ("git rm -rf .", "tree 3 N"),
        ("git rm -r -- a", "tree 4 N"),
        ("git rm a -r", "tree 2 N"),
        ("git rm -r --cached .", ""),
        ("git rm --cac a", ""),
        ("git rm -rn a", ""),
        ("git rm --dry-run a", ""),
        ("git rm -r *", "tree @."),
        ("git rm *.txt", "select @."),
        ("git rm -r build/*", "select @./build/"),
        ("git -C a rm b", "remove 4@2 N"),
        ("git mv a b", "move 2"),
        ("git mv a b dir", "move 2, move 3"),
        ("git mv -f a b", "move 3, replace 3>4"),
        (
            "git mv -f a b dir",
            "move 3, replace 3>>5, move 4, replace 4>>5",
        ),
        ("git mv -n a b", ""),
        ("git -C x mv a b", "move 4@2"),
    ]);
}

#[test]
fn work_trees_and_submodules_are_removed() {
    check(&[
        ("git worktree remove ../wt", "tree 3"),
        ("git worktree remove --force ../wt", "tree 4"),
        ("git worktree remove -f ../wt", "tree 4"),
        ("git worktree move a b", "move 3"),
        ("git worktree add ../wt -b x", ""),
        ("git worktree prune", ""),
        ("git worktree list", ""),
        ("git -C a worktree remove b", "tree 5@2"),
        ("git submodule deinit -f a", "sweep 4 N"),
        ("git submodule deinit -f --all", "sweep @top"),
        ("git submodule update --init", ""),
        ("git submodule update --force", "sweep @top ?"),
        ("git submodule foreach git·clean·-fd", "shell 3 @top"),
        (
            "git submodule foreach --recursive git·clean",
            "shell 4 @top",
        ),
        (
            "git submodule foreach git clean -fd",
            "runs 3..6 below . tested inside",
        ),
        ("git submodule status", ""),
    ]);
}

#[test]
fn files_are_written_and_commands_run() {
    check(&[
        ("git show --format=%B --output=a HEAD", "truncate 3+9"),
        ("git diff --output a", "truncate 3"),
        ("git log --outp=a", "truncate 2+7"),
        ("git -C x diff --output=a", "truncate 4+9@2"),
        ("git diff --output-indicator-new=a", ""),
        ("git diff -- --output=a", ""),
        ("git archive -o a.tar HEAD", "truncate 3"),
        ("git archive --output=a.tar HEAD", "truncate 2+9"),
        ("git archive HEAD", ""),
        ("git bundle create a HEAD", "replace 3"),
        ("git format-patch -o out HEAD~1", "select 3 ?"),
        ("git format-patch --output=a HEAD~1", "truncate 2+9"),
        ("git rebase --exec make·test HEAD~3", "shell 3 @top"),
        ("git rebase -i -x make HEAD~3", "shell 4 @top"),
        ("git rebase main", ""),
        (
            "git filter-branch --tree-filter rm·-rf·x HEAD",
            "shell 3 @top",
        ),
        ("git bisect run rm -rf a", "runs 3..6 below . tested"),
        ("git bisect start", ""),
    ]);
}

#[test]
fn what_keeps_everything_is_silent() {
    check(&[
        ("git status", ""),
        ("git commit -m rm·-rf·/", ""),
        ("git add -A", ""),
        ("git pull --rebase", ""),
        ("git stash", ""),
        ("git stash drop", ""),
        ("git branch -D x", ""),
        ("git clone a b", ""),
        ("git log --oneline", ""),
        ("git commit -F $X", ""),
        ("git gc", ""),
    ]);
}

#[test]
fn unknown_words_are_taken_for_the_worst() {
    check(&[
        ("git $X", "sweep word"),
        ("git cl$X -fd", "sweep word"),
        ("git -C $X clean -fd", "sweep @2"),
        ("git -$X clean -fd", "sweep @?"),
        ("git clean $X", "sweep @top"),
        ("git clean -$X", "sweep @."),
        ("git clean -f $X", "sweep @top"),
        ("git clean -f dir/$X", "sweep @top"),
        ("git reset -$X", "sweep @top"),
        ("git reset $X", ""),
        ("git reset --hard $X", "sweep @top"),
        ("git checkout $X", "sweep @top ?"),
        ("git checkout -b $X", ""),
        ("git checkout -- $X", "sweep @top"),
        ("git rm $X", "sweep @top"),
        ("git worktree remove $X", "tree 3"),
        ("git diff --output=$X", "truncate 2+9"),
    ]);
}

#[test]
fn aliases_on_the_line_are_read() {
    check(&[
        ("git -c alias.x=clean·-fdx x", "sweep @."),
        ("git -c alias.x=clean·-f x a", "sweep 4 N"),
        ("git -c alias.X=clean·-f·a x b", "sweep @./a N, sweep 4 N"),
        ("git -C d -c alias.x=reset x --hard", "sweep @top2"),
        ("git -C d -c alias.x=rm x -r a", "tree 7@2 N"),
        ("git -c alias.x=show·--output=a x", "truncate @./a"),
        ("git -c alias.x=!rm·-rf·/ x", "shell 2+9 @top"),
        ("git -c alias.x=status x", ""),
        ("git -c alias.x=clean·'-f' x", "sweep word"),
        ("git -c alias.x=$X x", "sweep word"),
        ("git -c alias.x=mv·-f x a b", "move 4, replace word"),
        ("git -c alias.y=clean·-f x", ""),
        ("git -c alias.status=reset·--hard status", "sweep @top"),
        ("git -c alias x", ""),
        ("git -c alias.x= x", ""),
    ]);
}
