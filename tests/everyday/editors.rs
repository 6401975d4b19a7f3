//! Editors, archives, and a command that fails.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "vim with its swap file and backup",
        needs: &["vim"],
        before: "echo 'one line' > f && ln -s f link",
        script: r#"vim -u NONE -N -es -c 'set swapfile backup writebackup' -c '%s/one/two/' -c 'wq' f
            vim -u NONE -N -es -c 'set backupcopy=yes' -c '%s/two/three/' -c 'wq' link
            cat f && ls -A"#,
    },
    Work {
        name: "ex",
        needs: &["ex"],
        before: "echo 'one line' > f",
        script: "ex -s -c '%s/one/two/' -c x f; cat f",
    },
    Work {
        name: "an atomic save",
        needs: &["python3"],
        before: "echo one > f",
        script: r#"python3 -c '
import os, tempfile
fd, name = tempfile.mkstemp(dir=".")
os.write(fd, b"two\n")
os.fsync(fd)
os.close(fd)
os.link("f", "f~")
os.replace(name, "f")
os.unlink("f~")
' && cat f && ls -A"#,
    },
    Work {
        name: "an atomic save by node",
        needs: &["node"],
        before: "echo one > f",
        script: "node -e 'fs.writeFileSync(\".f.tmp\", \"two\\n\"); fs.renameSync(\".f.tmp\", \"f\")' && cat f && ls -A",
    },
    Work {
        name: "a failing command",
        needs: &[],
        before: "",
        script: "rm no-such-file; ls no-such-file; mv a b; cat < nothing; echo x > no/such/dir; exit 3",
    },
    Work {
        name: "archives",
        needs: &["tar", "gzip"],
        before: "mkdir d && echo a > d/a && echo b > d/b",
        script: "tar -czf d.tgz d && rm -r d && tar -xzf d.tgz && tar -xzf d.tgz && gzip -d d.tgz && tar -tf d.tar && ls -A",
    },
];
