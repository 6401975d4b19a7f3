//! Link arguments of the library: no start files and no default libraries, so that one file loads into the
//! processes of every libc.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for argument in [
        "-nostartfiles",
        "-nodefaultlibs",
        "-Wl,--as-needed",
        "-Wl,-z,now",
        "-Wl,-z,relro",
        // Signal handlers and `atexit` may come back to a hook at any time.
        "-Wl,-z,nodelete",
        "-Wl,-soname,libblastradius.so",
    ] {
        println!("cargo:rustc-cdylib-link-arg={argument}");
    }
}
