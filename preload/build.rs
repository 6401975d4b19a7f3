//! Link arguments of the library: no start files and no default libraries, so that one file loads into the
//! processes of every libc.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
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
