//! Link arguments of the library, and its C part where there is one.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => macos(),
        _ => linux(),
    }
}

/// No start files and no default libraries, so that one file loads into the processes of every libc.
fn linux() {
    println!("cargo:rerun-if-changed=sections.ld");
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let sections = Path::new(&here).join("sections.ld");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-T,{}", sections.display());
    for argument in [
        "-nostartfiles",
        "-nodefaultlibs",
        "-Wl,--as-needed",
        "-Wl,-z,now",
        "-Wl,-z,relro",
        // Signal handlers and `atexit` may come back to a hook at any time.
        "-Wl,-z,nodelete",
        "-Wl,-soname,libblastradius.so",
        "-Wl,--no-eh-frame-hdr",
        "-Wl,--build-id=none",
        // Every loader since 2006 reads this one.
        "-Wl,--hash-style=gnu",
        // A page more is a fault more in every process.
        "-Wl,-z,noseparate-code",
    ] {
        println!("cargo:rustc-cdylib-link-arg={argument}");
    }
}

/// The functions with variable arguments. Without a compiler for macOS the crate can still be checked, and not be
/// linked: the Rust side refers to a symbol of the shim.
fn macos() {
    const SHIM: &str = "src/macos/shim.c";
    println!("cargo:rerun-if-changed={SHIM}");
    let mut build = cc::Build::new();
    if env::var("HOST").is_ok_and(|host| !host.contains("apple")) {
        // Elsewhere `cc` is a compiler for the machine itself, and clang is one for every target.
        build.compiler("clang");
    }
    let built = build
        .file(SHIM)
        .warnings(true)
        .extra_warnings(true)
        // The compiler's own headers, and none of a system.
        .flag("-ffreestanding")
        .try_compile("blastradius_shim");
    if let Err(error) = built {
        println!("cargo:warning={SHIM} is not compiled, so that nothing can be linked: {error}");
    }
}
