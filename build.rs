//! Builds the library and hands it to the command line, so that one file installs everything.
//!
//! The library is a cdylib that aborts on panic and, on Linux, has no std; the command line is neither, and cargo
//! sets both by profile: hence a cargo of its own, with a target directory of its own.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

use sha2::{Digest, Sha256};

/// Systems that the library is written for, and its file there. For others the command line is built without one.
const TARGETS: [(&str, &str, &str); 3] = [
    ("linux", "x86_64", "libblastradius.so"),
    ("linux", "aarch64", "libblastradius.so"),
    ("macos", "aarch64", "libblastradius.dylib"),
];

fn main() {
    for source in [
        "build.rs",
        "Cargo.toml",
        "Cargo.lock",
        "policy",
        "preload",
        GUARDS,
    ] {
        println!("cargo:rerun-if-changed={source}");
    }
    register_guards();
    let (system, machine) = (
        variable("CARGO_CFG_TARGET_OS"),
        variable("CARGO_CFG_TARGET_ARCH"),
    );
    let file = TARGETS
        .iter()
        .find(|target| (target.0, target.1) == (&system, &machine))
        .map(|target| target.2);
    if system == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu" {
        // Every start of a binary that can lie anywhere begins with putting right some seven thousand addresses in its
        // tables, on forty pages: a tenth of what a hook or the start of `run` takes.
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    let fuzzing = env::var_os("CARGO_CFG_FUZZING").is_some();
    let library = match file {
        // Fuzz targets judge and load nothing.
        _ if fuzzing => without("fuzz targets carry no library"),
        None => without(&format!(
            "there is no library for {system} on {machine}: only commands are judged, not what programs do"
        )),
        // Nothing can be linked for macOS elsewhere. The binary that is made says so when it is asked for the library.
        Some(_) if system == "macos" && !variable("HOST").contains("apple") => {
            without("the library for macOS is built on macOS alone: this build carries none")
        }
        Some(file) => build(file),
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

/// The folder whose files are the guards.
const GUARDS: &str = "cli/guards";

/// Writes the modules and the list of all guards: one file of the folder, or one folder in it, is one guard.
fn register_guards() {
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join(GUARDS);
    let entries = fs::read_dir(&folder)
        .unwrap_or_else(|error| fail(&format!("{}: {error}", folder.display())));
    let mut guards: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_stem()?.to_str()?.to_owned();
            let file = match path.is_dir() {
                true => path.join("mod.rs"),
                false => path,
            };
            let is_guard = name != "mod" && file.extension().is_some_and(|ending| ending == "rs");
            is_guard.then_some((name, file))
        })
        .collect();
    guards.sort();
    let modules: String = guards
        .iter()
        .map(|(name, file)| format!("#[path = {:?}]\nmod {name};\n", file.display().to_string()))
        .collect();
    let list: String = guards
        .iter()
        .map(|(name, _)| format!("    {name}::GUARD,\n"))
        .collect();
    let checks = "const _: () = {\n    let mut at = 0;\n    while at < GUARDS.len() {\n        let guard = &GUARDS[at];\n        \
        assert!(!guard.refused.is_empty() && !guard.allowed.is_empty(), \"a guard has examples of both kinds\");\n        \
        assert!(!guard.prevents.is_empty() && !guard.title.is_empty(), \"a guard says what it prevents\");\n        \
        at += 1;\n    }\n};\n";
    let text = format!(
        "{modules}\n/// Every guard.\npub static GUARDS: &[Guard] = &[\n{list}];\n\n{checks}"
    );
    let out = PathBuf::from(variable("OUT_DIR")).join("guards.rs");
    fs::write(&out, text).unwrap_or_else(|error| fail(&format!("{}: {error}", out.display())));
}

/// Stands for a library where there is none: an empty file.
fn without(why: &str) -> PathBuf {
    println!("cargo:warning={why}");
    let none = PathBuf::from(variable("OUT_DIR")).join("none");
    fs::write(&none, b"").unwrap_or_else(|error| fail(&format!("{}: {error}", none.display())));
    none
}

/// Runs cargo for the library and returns the file that it made.
fn build(file: &str) -> PathBuf {
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
            "building {file} failed ({status}); the messages above are those of\n  {cargo:?}"
        )),
        Err(error) => fail(&format!("{cargo:?}: {error}")),
    }
    directory.join(&target).join(profile).join(file)
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
