use std::fs;
use std::os::unix::fs::symlink;

use crate::stage::{Ran, Stage, compile, compiler};

/// `scripts/soak race` makes ten times as many.
const ATTEMPTS: &str = "30000";

#[test]
fn nothing_is_lost_through_a_link_that_turns_while_it_is_followed() {
    let stage = Stage::new();
    let race = compile("race", compiler(), &["-pthread"]);
    for directory in ["race/in/.git", "race/in/real", "race/out"] {
        fs::create_dir_all(stage.path(directory)).unwrap();
    }
    symlink("../out", stage.path("race/in/turn")).unwrap();
    for name in 0..64 {
        stage.write(format!("race/out/f{name}"), "old");
        fs::create_dir(stage.path(format!("race/out/d{name}"))).unwrap();
    }
    let mut command = stage.guarded(race);
    let ran = Ran::of(
        command
            .current_dir(stage.path("race/in"))
            .args(["..", ATTEMPTS]),
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for name in 0..64 {
        let file = stage.content(format!("race/out/f{name}"));
        assert_eq!(file.as_deref(), Some("old"), "f{name}: {}", ran.stdout);
        assert!(stage.exists(format!("race/out/d{name}")), "d{name}");
    }
    assert_eq!(fs::read_dir(stage.path("race/out")).unwrap().count(), 128);
    // Both ways were taken, or it was no race.
    assert!(count(&ran.stdout, "done ") > 0, "{}", ran.stdout);
    assert!(count(&ran.stdout, "refused ") > 0, "{}", ran.stdout);
}

fn count(line: &str, word: &str) -> u64 {
    let number = line.split_once(word).unwrap().1;
    number.split_once(',').unwrap().0.parse().unwrap()
}
