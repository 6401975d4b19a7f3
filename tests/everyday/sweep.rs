//! What the presets leave to programs is not left to a program that goes through the whole home.

use crate::house::{House, tools, tree};

const KEPT: [&str; 9] = [
    "home/.bash_history",
    "home/.config/git/credentials",
    "home/.gitconfig",
    "home/.gnupg/private-keys-v1.d/a.key",
    "home/.gnupg/pubring.kbx",
    "home/.local/bin/mine",
    "home/.npmrc",
    "home/.ssh/id_ed25519",
    "home/.ssh/known_hosts",
];

const SWEEP: &str = "
import os, sys
for folder, folders, files in os.walk(os.environ['HOME'], topdown=False):
    for name in files:
        try:
            os.remove(os.path.join(folder, name))
        except OSError:
            pass
    for name in folders:
        try:
            os.rmdir(os.path.join(folder, name))
        except OSError:
            pass
";

#[test]
fn a_program_that_goes_through_the_home_takes_caches_and_no_settings() {
    if !tools::has("a sweep of the home", &["python3"]) {
        return;
    }
    for layer in ["libc", "kernel"] {
        let house = House::new();
        for path in KEPT {
            house.write(path, "x");
        }
        house.write("home/.cache/tool/x", "x");
        house.write("sweep.py", SWEEP);
        let before = tree::read(&house.path("home"));
        let script = house.path("sweep.py");
        let words = [
            "run",
            "--layers",
            layer,
            "--",
            "python3",
            script.to_str().unwrap(),
        ];
        let outcome = house.run(&words);
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        let after = tree::read(&house.path("home"));
        let lost = tree::lost(&before, &after);
        for path in KEPT {
            let path = path.strip_prefix("home/").unwrap();
            assert!(
                !lost.iter().any(|name| name.ends_with(path)),
                "{layer}: {lost:?}"
            );
        }
        assert!(
            lost.iter().any(|name| name.ends_with(".cache/tool/x")),
            "{layer}: {lost:?}"
        );
    }
}
