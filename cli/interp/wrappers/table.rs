//! The wrappers whose words are an ordinary command line behind their own options.

/// How a wrapper's own words end and the other command begins.
pub(super) struct Wrapper {
    pub(super) names: &'static [&'static str],
    /// Short options that take a value.
    pub(super) short: &'static str,
    /// Long options that take a value in the next word.
    pub(super) long: &'static [&'static str],
    /// Operands before the command.
    pub(super) operands: usize,
    /// `NAME=value` words may stand before the command.
    pub(super) assignments: bool,
    /// Options that change the directory.
    pub(super) directory: &'static [&'static str],
    /// Options whose value is a shell string, or (for `env -S`) a command line.
    pub(super) string: &'static [&'static str],
}

pub(super) const PLAIN: Wrapper = Wrapper {
    names: &[],
    short: "",
    long: &[],
    operands: 0,
    assignments: false,
    directory: &[],
    string: &[],
};

pub(super) const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo"],
        short: "CDghpRrTtUu",
        long: &[
            "--close-from",
            "--chdir",
            "--group",
            "--host",
            "--prompt",
            "--chroot",
            "--role",
            "--command-timeout",
            "--type",
            "--other-user",
            "--user",
        ],
        assignments: true,
        directory: &["-D", "--chdir"],
        ..PLAIN
    },
    Wrapper {
        names: &["doas"],
        short: "Cu",
        ..PLAIN
    },
    Wrapper {
        names: &["env", "genv"],
        short: "uCS",
        long: &["--unset", "--chdir", "--split-string"],
        assignments: true,
        directory: &["-C", "--chdir"],
        string: &["-S", "--split-string"],
        ..PLAIN
    },
    Wrapper {
        names: &["nice"],
        short: "n",
        long: &["--adjustment"],
        ..PLAIN
    },
    Wrapper {
        names: &["ionice"],
        short: "cnpPu",
        long: &["--class", "--classdata"],
        ..PLAIN
    },
    Wrapper {
        names: &[
            "nohup",
            "setsid",
            "catchsegv",
            "eatmydata",
            "fakeroot",
            "unbuffer",
            "caffeinate",
            "linux32",
            "linux64",
            "setarch",
            "dbus-run-session",
            "noglob",
            "nocorrect",
            "exec",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["time"],
        short: "fo",
        long: &["--format", "--output"],
        ..PLAIN
    },
    Wrapper {
        names: &["timeout", "gtimeout"],
        short: "ks",
        long: &["--kill-after", "--signal"],
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: &["stdbuf", "gstdbuf"],
        short: "ioe",
        long: &["--input", "--output", "--error"],
        ..PLAIN
    },
    Wrapper {
        names: &["chrt"],
        short: "TPD",
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: &["taskset"],
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: &["flock"],
        short: "wEc",
        long: &["--timeout", "--conflict-exit-code", "--command"],
        operands: 1,
        string: &["-c", "--command"],
        ..PLAIN
    },
    Wrapper {
        names: &["pkexec"],
        long: &["--user"],
        ..PLAIN
    },
    Wrapper {
        names: &["runuser", "su"],
        short: "ucgGsCw",
        long: &[
            "--user",
            "--command",
            "--group",
            "--supp-group",
            "--shell",
            "--session-command",
        ],
        string: &["-c", "--command", "--session-command"],
        ..PLAIN
    },
    Wrapper {
        names: &["strace", "ltrace"],
        short: "oepsaEuPbOSUXI",
        ..PLAIN
    },
    Wrapper {
        names: &[
            "setpriv",
            "prlimit",
            "systemd-inhibit",
            "firejail",
            "proxychains",
            "proxychains4",
            "xvfb-run",
            "valgrind",
            "numactl",
            "cpulimit",
            "trickle",
            "torsocks",
            "chpst",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["systemd-run"],
        short: "puHMED",
        long: &[
            "--property",
            "--unit",
            "--description",
            "--slice",
            "--setenv",
            "--working-directory",
            "--uid",
            "--gid",
            "--nice",
            "--on-active",
            "--on-calendar",
            "--service-type",
            "--machine",
            "--host",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["unshare"],
        short: "RwSG",
        long: &[
            "--root",
            "--wd",
            "--setuid",
            "--setgid",
            "--map-user",
            "--map-group",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["script"],
        short: "cIOBtTEm",
        long: &["--command"],
        string: &["-c", "--command"],
        ..PLAIN
    },
    Wrapper {
        names: &["busybox", "toybox"],
        ..PLAIN
    },
    Wrapper {
        names: &["entr"],
        short: "",
        ..PLAIN
    },
    Wrapper {
        names: &["npx", "bunx", "pnpx"],
        short: "pcw",
        long: &["--package", "--call", "--workspace", "--prefix"],
        string: &["-c", "--call"],
        ..PLAIN
    },
    Wrapper {
        names: &["chronic", "ts", "faketime"],
        ..PLAIN
    },
    Wrapper {
        names: &["screen"],
        short: "ceEhLpSTtsx",
        ..PLAIN
    },
];
