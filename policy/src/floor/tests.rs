use super::*;

fn path(text: &str) -> Canonical<'_> {
    Canonical::new(text.as_bytes()).unwrap_or_else(|| panic!("not canonical: {text}"))
}

#[test]
fn the_floor_is_what_the_contract_lists() {
    let on = [
        ("/", "/"),
        ("/etc", "/etc"),
        ("/usr", "/usr"),
        ("/usr/bin", "/usr/*"),
        ("/usr/local", "/usr/*"),
        ("/bin", "/bin"),
        ("/sbin", "/sbin"),
        ("/lib", "/lib*"),
        ("/lib64", "/lib*"),
        ("/libx32", "/lib*"),
        ("/var", "/var"),
        ("/var/lib", "/var/lib"),
        ("/var/log", "/var/log"),
        ("/var/cache", "/var/cache"),
        ("/var/spool", "/var/spool"),
        ("/var/tmp", "/var/tmp"),
        ("/opt", "/opt"),
        ("/boot", "/boot"),
        ("/dev", "/dev"),
        ("/proc", "/proc"),
        ("/sys", "/sys"),
        ("/run", "/run"),
        ("/root", "/root"),
        ("/home", "/home"),
        ("/home/dev", "/home/*"),
        ("/home/other", "/home/*"),
        ("/Users", "/Users"),
        ("/Users/dev", "/Users/*"),
        ("/System", "/System"),
        ("/Library", "/Library"),
        ("/Applications", "/Applications"),
        ("/private", "/private"),
        ("/private/tmp", "/private/tmp"),
        ("/private/etc", "/private/etc"),
        ("/private/var", "/private/var"),
        ("/private/var/log", "/var/log"),
        ("/private/var/tmp", "/var/tmp"),
        ("/private/var/folders", "/var/folders"),
        ("/Volumes", "/Volumes"),
        ("/Volumes/Backup", "/Volumes/*"),
        ("/tmp", "/tmp"),
        // Anything at all of depth 1.
        ("/session-", "/*"),
        ("/app", "/*"),
        ("/swapfile", "/*"),
    ];
    for (text, by) in on {
        assert_eq!(fixed(path(text)), Some(by.as_bytes()), "{text}");
    }
    let off = [
        "/etc/hosts",
        "/usr/bin/env",
        "/usr/local/bin",
        "/var/www",
        "/var/tmp/x",
        "/var/log/syslog",
        "/home/dev/x",
        "/Users/dev/x",
        "/Volumes/Backup/x",
        "/private/tmp/x",
        "/private/var/folders/ab",
        "/tmp/x",
        "/opt/x",
        "/app/x",
        "/a/b/c/d/e",
    ];
    for text in off {
        assert_eq!(fixed(path(text)), None, "{text}");
    }
}

#[test]
fn system_directories_hold_what_is_below_them() {
    let rows = [
        ("/etc/hosts", Some("/etc")),
        ("/etc", Some("/etc")),
        ("/usr/local/bin/x", Some("/usr")),
        ("/bin/sh", Some("/bin")),
        ("/sbin/init", Some("/sbin")),
        ("/lib/x", Some("/lib*")),
        ("/lib64/ld.so", Some("/lib*")),
        ("/boot/vmlinuz", Some("/boot")),
        ("/dev/null", Some("/dev")),
        ("/proc/1/mem", Some("/proc")),
        ("/sys/x", Some("/sys")),
        ("/var/lib/dpkg/status", Some("/var/lib")),
        ("/private/etc/hosts", Some("/etc")),
        ("/private/var/lib/x", Some("/var/lib")),
        ("/System/Library/x", Some("/System")),
        ("/var/log/x", None),
        ("/var/www/x", None),
        ("/home/dev/etc/x", None),
        ("/opt/x", None),
        ("/etcetera/x", None),
        ("/private/tmp/x", None),
    ];
    for (text, by) in rows {
        assert_eq!(system(path(text)), by.map(str::as_bytes), "{text}");
    }
}

#[test]
fn a_floor_path_below_another_is_found() {
    for text in [
        "/", "/usr", "/home", "/Users", "/var", "/private", "/Volumes", "/System",
    ] {
        assert!(fixed_below(path(text)).is_some(), "{text}");
    }
    for text in [
        "/tmp",
        "/etc",
        "/home/dev",
        "/usr/lib",
        "/var/lib",
        "/opt",
        "/var/tmp",
        "/a/b",
    ] {
        assert_eq!(fixed_below(path(text)), None, "{text}");
    }
}

#[test]
fn some_directories_are_never_a_project_root() {
    let rows = [
        ("/", true),
        ("/etc", true),
        ("/usr", true),
        ("/usr/local", true),
        ("/lib64", true),
        ("/var", true),
        ("/var/lib", true),
        ("/tmp", true),
        ("/home", true),
        ("/home/dev", true),
        ("/root", true),
        ("/Users/dev", true),
        ("/private/var", true),
        ("/mnt", true),
        ("/app", false),
        ("/workspace", false),
        ("/workspace/x", false),
        ("/home/dev/x", false),
        ("/Volumes/Work", false),
        ("/usr/src/app", false),
        ("/etc/nginx", false),
        ("/tmp/x", false),
        ("/var/www", false),
    ];
    for (text, never) in rows {
        assert_eq!(never_root(path(text)), never, "{text}");
    }
}

#[test]
fn a_system_directory_needs_a_marker_to_be_a_project() {
    for text in [
        "/usr/src/app",
        "/usr/local/src/x",
        "/app",
        "/srv/www",
        "/home/dev/x",
        "/opt/x",
        "/var/www",
    ] {
        assert!(plain_root(path(text)), "{text}");
    }
    for text in [
        "/etc/nginx",
        "/usr/share/doc",
        "/usr/src",
        "/dev/shm/x",
        "/proc/1",
        "/var/lib/x",
        "/",
        "/usr",
    ] {
        assert!(!plain_root(path(text)), "{text}");
    }
}
