//! Ordinary work under `run` is what it is without: the same output, status, project and home.
//!
//! Each row runs twice at the same path, unguarded and guarded.

mod builds;
mod editors;
mod git;
#[path = "../house/mod.rs"]
mod house;
mod keys;
mod network;
mod python;
mod sandboxes;
mod settings;
mod shells;
mod tools;
mod work;

use work::every;

macro_rules! families {
    ($($family:ident),* $(,)?) => {$(
        #[test]
        fn $family() {
            every($family::ROWS);
        }
    )*};
}

families![
    builds, editors, git, keys, network, python, sandboxes, settings, shells, tools
];
