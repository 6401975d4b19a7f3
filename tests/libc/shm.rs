use std::path::{Path, PathBuf};

use crate::stage::{Ran, Stage, musl_caller};

/// A name below `/dev/shm` that is nobody else's, removed at the end.
struct Shared {
    name: String,
}

impl Shared {
    fn new(name: &str) -> Self {
        let name = format!("blastradius-{name}-{}", std::process::id());
        Self { name }
    }

    fn path(&self, prefix: &str) -> PathBuf {
        Path::new("/dev/shm").join(format!("{prefix}{}", self.name))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for prefix in ["", "sem."] {
            if self.path(prefix).exists() {
                std::fs::remove_file(self.path(prefix)).unwrap();
            }
        }
    }
}

#[test]
fn memory_and_semaphores_are_the_programs_own() {
    let stage = Stage::new();
    let shared = Shared::new("own");
    for row in ["shm_open NAME +cx", "shm_open NAME +ct", "shm_unlink NAME"] {
        let row = row.replace("NAME", &format!("/{}", shared.name));
        stage.call(&stage.words(&format!("-e {row}"))).is_ok();
    }
    assert!(!shared.path("").exists());
    stage.call(&["sem_open", &shared.name]).is_ok();
    stage.call(&["-e", "sem_unlink", &shared.name]).is_ok();
    assert!(!shared.path("sem.").exists());
}

#[test]
fn what_is_denied_there_is_refused() {
    let stage = Stage::new();
    let shared = Shared::new("denied");
    stage.write(
        "home/project/.blastradius",
        &format!("deny /dev/shm/*{}\n", shared.name),
    );
    std::fs::write(shared.path(""), "old").unwrap();
    std::fs::write(shared.path("sem."), "old").unwrap();
    for call in [
        "shm_unlink NAME",
        "shm_unlink ///NAME",
        "shm_open NAME +t",
        "shm_open /NAME +ct",
        "shm_open NAME +",
        "sem_unlink NAME",
        "sem_unlink /NAME",
    ] {
        let row = call.replace("NAME", &shared.name);
        stage.call(&stage.words(&row)).is_refused("denied");
        for prefix in ["", "sem."] {
            let content = std::fs::read_to_string(shared.path(prefix));
            assert_eq!(content.unwrap(), "old", "{row}");
        }
    }
    stage
        .call(&stage.words(&format!("shm_open {} r", shared.name)))
        .is_ok();
    let Some(musl) = musl_caller() else {
        return;
    };
    // There semaphores have no prefix.
    for call in ["shm_unlink", "sem_unlink"] {
        let ran = Ran::of(stage.guarded(musl).args([call, &shared.name]));
        ran.is_refused("denied");
        assert!(shared.path("").exists(), "{call}");
    }
}

#[test]
fn what_would_fail_anyway_keeps_its_error() {
    const ENOENT: i32 = 2;
    let stage = Stage::new();
    for row in [
        "shm_open /blastradius-nothing +",
        "shm_unlink /blastradius-nothing",
        "sem_unlink /blastradius-nothing",
    ] {
        stage.call(&stage.words(row)).is_error(ENOENT);
    }
    let ran = stage.call(&["shm_unlink", "/"]);
    assert_ne!(ran.stdout, "1", "{ran:?}");
    let ran = stage.call(&["shm_unlink", "a/b"]);
    assert_ne!(ran.stdout, "1", "{ran:?}");
}
