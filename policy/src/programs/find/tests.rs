use crate::programs::rows::check;

#[test]
fn delete_without_a_test_removes_the_start_points() {
    check(&[
        ("find a -delete", "tree 1"),
        ("find a b -delete", "tree 1, tree 2"),
        ("find . -delete", "tree 1"),
        ("find -delete", "tree @."),
        ("gfind a/ -delete", "tree 1 L"),
        ("find a -print -delete", "tree 1"),
        ("find a -depth -delete", "tree 1"),
        ("find a -type f -delete", "tree 1"),
        ("find . -mindepth 1 -delete", "tree 1"),
        ("find a -maxdepth 1 -type f -delete", "tree 1"),
        ("find a -xdev -mount -delete", "tree 1"),
        ("find a -user dev -delete", "tree 1"),
        ("find -- -a -delete", "tree @."),
        ("find -- a -delete", "tree 2"),
        ("find - -delete", "tree 1"),
        ("find ''", ""),
        ("find '' -delete", "tree 1"),
        ("find a -true -delete", "tree 1"),
        ("find a -unheard-of -delete", "tree 1"),
    ]);
}

#[test]
fn a_test_before_delete_narrows_it() {
    check(&[
        ("find . -name *.pyc -delete", "select 1"),
        ("find . -name *.pyc -print -delete", "select 1"),
        ("find -name *.pyc -delete", "select @."),
        ("find a b -iname x -delete", "select 1, select 2"),
        ("find . -path ./build/* -delete", "select 1"),
        ("find . -iregex .*\\.tmp -delete", "select 1"),
        ("find . -type f -name x -delete", "select 1"),
        ("find . -name x -type f -delete", "select 1"),
        ("find . -empty -delete", "select 1"),
        ("find . -type d -empty -delete", "select 1"),
        ("find . -size +1M -delete", "select 1"),
        ("find . -newermt 2024-01-01 -delete", "select 1"),
        ("find . -newer a -delete", "select 1"),
        ("find . -mtime +7 -delete", "select 1"),
        ("find . -name x -a -delete", "select 1"),
        ("find a/ -name x -delete", "select 1 L"),
        ("find . ( -name a -o -name b ) -delete", "select 1"),
        (
            "find . ( -name a -o ( -name b -type f ) ) -delete",
            "select 1",
        ),
        ("find . -name a ( -type f -delete )", "select 1"),
        (
            "find . -name a -exec rm {} ; -o -path /etc -delete",
            "runs 5..7 below 1 tested, select 1",
        ),
        ("find . -name .git -prune -o -name x -delete", "select 1"),
    ]);
}

#[test]
fn what_is_no_narrowing_test_does_not_narrow() {
    check(&[
        ("find . -delete -name x", "tree 1"),
        ("find . ! -name keep -delete", "tree 1"),
        ("find . -not -name keep -delete", "tree 1"),
        ("find . ! ( -name a -o -name b ) -delete", "tree 1"),
        ("find . ! ! -name a -delete", "select 1"),
        ("find . ! -name keep -name x -delete", "select 1"),
        ("find . ! -newer stamp -delete", "select 1"),
        ("find . ! -empty -delete", "tree 1"),
        ("find . -name keep -o -delete", "tree 1"),
        ("find . -name .git -prune -o -delete", "tree 1"),
        ("find . -name x , -delete", "tree 1"),
        ("find . ( -name a -o -type f ) -delete", "tree 1"),
        ("find . ( -name a , -type f ) -delete", "tree 1"),
        ("find . ( -type f , -name a ) -delete", "select 1"),
        ("find . -name * -delete", "tree 1"),
        ("find . -name .* -delete", "tree 1"),
        ("find . -regex .* -delete", "tree 1"),
        ("find . -path ./* -delete", "tree 1"),
        ("find . -name '' -delete", "tree 1"),
    ]);
}

#[test]
fn links_are_followed_as_the_options_say() {
    check(&[
        ("find -L . -delete", "tree 2 LL"),
        ("find -L -delete", "tree @. LL"),
        ("find -H link -delete", "tree 2 L"),
        ("find -P link -delete", "tree 2"),
        ("find -L -P link -delete", "tree 3"),
        ("find link -follow -delete", "tree 1 LL"),
        ("find -L link -name x -delete", "select 2 LL"),
        ("find -D tree -O3 a -delete", "tree 4"),
        ("find -EX a -delete", "tree 2"),
        ("find -L a -exec rm {} +", "runs 4..6 below 2 LL"),
    ]);
}

#[test]
fn commands_run_once_a_start_point() {
    check(&[
        ("find . -exec rm {} ;", "runs 3..5 below 1"),
        ("find . -exec rm -rf {} +", "runs 3..6 below 1"),
        (
            "find a b -exec rm {} ;",
            "runs 4..6 below 1, runs 4..6 below 2",
        ),
        ("find -exec rm {} ;", "runs 2..4 below ."),
        ("find . -name x -exec rm {} ;", "runs 5..7 below 1 tested"),
        ("find /etc -execdir rm -rf {} +", "runs 3..6 below 1 inside"),
        ("find . -type f -ok rm {} ;", "runs 5..7 below 1"),
        ("find . -okdir rm {} ;", "runs 3..5 below 1 inside"),
        ("find . -exec echo + {} ;", "runs 3..6 below 1"),
        ("find . -exec rm {}", "runs 3..5 below 1"),
        (
            "find . -exec grep -q x {} ; -delete",
            "runs 3..7 below 1, tree 1",
        ),
        (
            "find . -type d -name node_modules -prune -exec rm -rf {} +",
            "runs 8..11 below 1 tested",
        ),
        ("find . -exec echo -delete ;", "runs 3..5 below 1"),
    ]);
}

#[test]
fn files_are_written_whatever_is_found() {
    check(&[
        ("find . -fprint out", "truncate 3"),
        ("find . -name x -fprint0 out", "truncate 5"),
        ("find . -fls out -delete", "truncate 3, tree 1"),
        ("find . -fprintf out -delete", "truncate 3"),
        ("find . -fprint", ""),
    ]);
}

#[test]
fn looking_loses_nothing() {
    check(&[
        ("find", ""),
        ("find .", ""),
        ("find . -name -delete", ""),
        ("find . -printf -delete", ""),
        ("find . -name *.ts -not -path */node_modules/*", ""),
        ("find / -type f -size +100M", ""),
        ("find --help -delete", ""),
        ("find --version", ""),
        ("find . ( -name a", ""),
        ("find . )", ""),
    ]);
}

#[test]
fn unknown_words_are_taken_for_the_worst() {
    check(&[
        ("find $X -delete", "tree 1"),
        ("find dir/$X -name x -delete", "select 1"),
        ("find $X -type f", ""),
        ("find . -name $X -delete", "select 1"),
        ("find . -name x $X", "tree word"),
        ("find . -name x -$X", "tree word"),
        ("find . -name x ./$X", ""),
        ("find -files0-from list -delete", "tree fed"),
        ("find -files0-from list -name x -exec rm {} +", "tree fed"),
    ]);
}

#[test]
fn groups_may_nest_deeper_than_anybody_writes() {
    let deep = format!(
        "find . {}-name x -delete{}",
        "( ".repeat(40),
        " )".repeat(40)
    );
    check(&[(&deep, "tree 1")]);
    let after = format!(
        "find . {}-type f{} -name x -delete",
        "( ".repeat(40),
        " )".repeat(40)
    );
    check(&[(&after, "select 1")]);
}
