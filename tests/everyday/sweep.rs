//! What the presets leave to programs is not left to a program that goes through the whole home.

use std::os::unix::fs::symlink;

use crate::house::{House, tools, tree};

const KEPT: [&str; 15] = [
    "home/.aws/credentials",
    "home/.bash_history",
    "home/.config/git/credentials",
    "home/.git-credentials",
    "home/.gitconfig",
    "home/.gnupg/private-keys-v1.d/a.key",
    "home/.gnupg/pubring.kbx",
    "home/.kube/config",
    "home/.local/bin/mine",
    "home/.local/state/nvim/swap/%f.swp",
    "home/.npmrc",
    "home/.ssh/id_ed25519",
    "home/.ssh/known_hosts",
    "home/.vim/swap/f.swp",
    "home/.zsh_history",
];

/// In a home that is managed by links these lead elsewhere.
const LINKS: [&str; 4] = [
    "home/.config/fish/fish_variables",
    "home/.emacs.d/bookmarks",
    "home/.lesshst",
    "home/.node_repl_history",
];

const SWEEPS: [(&str, &str); 2] = [
    (
        "removes",
        "
import os
for folder, folders, files in os.walk(os.environ['HOME'], topdown=False):
    for name in files + folders:
        path = os.path.join(folder, name)
        try:
            os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
        except OSError:
            pass
",
    ),
    (
        "moves",
        "
import os, shutil
home = os.environ['HOME']
for at, below in enumerate(['.local/bin', '.config/git', '.local/state/nvim/swap', '.vim/swap']):
    try:
        os.rename(os.path.join(home, below), f'd{at}')
    except OSError:
        pass
for folder, folders, files in os.walk(home, topdown=False):
    for at, name in enumerate(files):
        if 'local/bin' in folder or folder.startswith(os.getcwd()):
            continue
        try:
            os.rename(os.path.join(folder, name), f'f{at}')
        except OSError:
            pass
for name in os.listdir('.'):
    if name[0] in 'df':
        shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
",
    ),
];

#[test]
fn a_program_that_goes_through_the_home_takes_caches_and_no_settings() {
    if !tools::has("a sweep of the home", &["python3"]) {
        return;
    }
    for (layer, (way, sweep)) in ["libc", "kernel"]
        .into_iter()
        .flat_map(|layer| SWEEPS.map(|sweep| (layer, sweep)))
    {
        let house = House::new();
        for path in KEPT {
            house.write(path, "x");
        }
        for path in LINKS {
            let below = path.strip_prefix("home/").unwrap();
            house.write(&format!("home/dotfiles/{below}"), "x");
            let link = house.path(path);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(house.path("home/dotfiles").join(below), link).unwrap();
        }
        house.write("home/.cache/tool/x", "x");
        house.write("sweep.py", sweep);
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
        for path in KEPT.iter().chain(&LINKS) {
            let path = path.strip_prefix("home/").unwrap();
            assert!(
                !lost.iter().any(|name| name.ends_with(path)),
                "{layer} {way}: {lost:?}"
            );
        }
        assert!(
            lost.iter().any(|name| name.ends_with(".cache/tool/x")),
            "{layer} {way}: {lost:?}"
        );
    }
}
