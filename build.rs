//! Builds `libblastradius.so` and hands it to the command line, so that one file installs everything.
//!
//! The library is a `no_std` cdylib that aborts on panic, the command line is neither, and cargo sets both a
//! profile: hence a cargo of its own, with a target directory of its own.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

use sha2::{Digest, Sha256};

/// Systems that the library is written for. For others the command line is built without one.
const TARGETS: [(&str, &str); 2] = [("linux", "x86_64"), ("linux", "aarch64")];

fn main() {
    for source in ["build.rs", "Cargo.toml", "Cargo.lock", "policy", "preload"] {
        println!("cargo:rerun-if-changed={source}");
    }
    let system = (
        variable("CARGO_CFG_TARGET_OS"),
        variable("CARGO_CFG_TARGET_ARCH"),
    );
    let library = if TARGETS.contains(&(&system.0, &system.1)) {
        build()
    } else {
        println!(
            "cargo:warning=there is no library for {} on {} yet: only commands are judged, not what programs do",
            system.0, system.1
        );
        let none = PathBuf::from(variable("OUT_DIR")).join("none");
        fs::write(&none, b"").unwrap_or_else(|error| fail(&format!("{}: {error}", none.display())));
        none
    };
    let content =
        fs::read(&library).unwrap_or_else(|error| fail(&format!("{}: {error}", library.display())));
    let hash: String = Sha256::digest(&content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo:rustc-env=BLASTRADIUS_LIBRARY={}", library.display());
    println!("cargo:rustc-env=BLASTRADIUS_LIBRARY_HASH={hash}");
}

/// Runs cargo for the library and returns the file that it made.
fn build() -> PathBuf {
    let target = variable("TARGET");
    // A development build checks its assertions.
    let profile = match variable("PROFILE").as_str() {
        "debug" => "preload-dev",
        _ => "preload",
    };
    let directory = Path::new(&variable("OUT_DIR")).join("preload");
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .current_dir(variable("CARGO_MANIFEST_DIR"))
        .args(["build", "--quiet", "--package", "blastradius-preload"])
        .args(["--profile", profile, "--target", &target, "--target-dir"])
        .arg(&directory)
        .env("CARGO_ENCODED_RUSTFLAGS", flags(&target))
        // Under `cargo clippy` these would have the library linted again instead of built.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CLIPPY_ARGS");
    match cargo.status() {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!(
            "building libblastradius.so failed ({status}); the messages above are those of\n  {cargo:?}"
        )),
        Err(error) => fail(&format!("{cargo:?}: {error}")),
    }
    directory
        .join(&target)
        .join(profile)
        .join("libblastradius.so")
}

/// The flags that the command line is built with, and those that the library cannot do without.
fn flags(target: &str) -> String {
    /// What cargo puts between flags.
    const SEPARATOR: &str = "\x1f";
    let given = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    // Coverage counters need a runtime that the library must not have.
    let mut flags: Vec<&str> = given
        .split(SEPARATOR)
        .filter(|flag| !flag.is_empty() && !flag.contains("instrument-coverage"))
        .collect();
    if target.ends_with("musl") {
        // Otherwise there are no shared libraries on this target.
        flags.push("-Ctarget-feature=-crt-static");
    }
    flags.join(SEPARATOR)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| fail(&format!("{name}: {error}")))
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    exit(1)
}
