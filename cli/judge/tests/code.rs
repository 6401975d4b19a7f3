//! Code that interpreters are given.

use super::{assert_rows, rules_of};

/// Only what can be proved of code is judged; all else is left to the calls.
#[test]
fn code_on_the_line_is_read_for_what_it_names() {
    assert_rows(
        &[
            (
                &[],
                "python3 -c \"import shutil; shutil.rmtree('/h/Documents')\"",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c 'import os; os.remove(\"f1.log\")'",
                "allow",
            ),
            (
                &[],
                "python -Ic \"import os,shutil; shutil.rmtree(os.path.expanduser('~/Documents'))\"",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c \"from pathlib import Path; (Path.home() / 'Documents').rmdir()\"",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c \"p = '/h/' + 'Documents'\nimport shutil\nshutil.rmtree(p, ignore_errors=True)\"",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c \"import os; h = os.environ['HOME']; os.rename(f'{h}/.bashrc', 'x')\"",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c 'open(\"/h/.bashrc\", \"w\").write(\"x\")'",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c 'print(open(\"/h/.bashrc\").read())'",
                "allow",
            ),
            (
                &[],
                "python3 -c \"import os; os.system('rm -rf /h/Documents')\"",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c \"import subprocess; subprocess.run(['rm', '-rf', '/h'], check=True)\"",
                "floor-path",
            ),
            (
                &[],
                "python3 -c \"__import__('os').unlink('/h/.bashrc')\"",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c 'import shutil, sys; shutil.rmtree(sys.argv[1])' /h",
                "allow",
            ),
            (
                &[],
                "python3 -c 'print(\"rm -rf /\"); # shutil.rmtree(\"/h\")'",
                "allow",
            ),
            (
                &[],
                "python3 -c 'x = [1]; x.remove(\"/h/.bashrc\"); \"a\".replace(\"/h/.bashrc\", \"b\")'",
                "allow",
            ),
            (
                &[],
                "python3 - <<'E'\nimport shutil\nfor d in ['a', '/h/Documents']:\n    pass\nshutil.rmtree('/h/Documents')\nE",
                "out-of-scope",
            ),
            (
                &[],
                "python3 <<'E'\nimport shutil\nshutil.rmtree('build')\nE",
                "allow",
            ),
            (&[], "python3 -m pytest -c setup.cfg", "allow"),
            (
                &[],
                "node -e \"require('fs').rmSync('/h/Documents', {recursive: true})\"",
                "out-of-scope",
            ),
            (
                &[],
                "node -e \"const fs = require('fs'); fs.writeFileSync(process.env.HOME + '/.bashrc', '')\"",
                "out-of-scope",
            ),
            (
                &[],
                "node -e \"fs.unlinkSync(path.join(os.homedir(), '.bashrc'))\"",
                "out-of-scope",
            ),
            (
                &[],
                "node -e \"fs.rmSync(\\`\\${process.env.HOME}/Documents\\`, { force: true })\"",
                "out-of-scope",
            ),
            (
                &[],
                "node --eval \"require('child_process').execSync('rm -rf /h')\"",
                "floor-path",
            ),
            (&[], "node -p \"/rm(.*)/.exec('rm -rf /h')\"", "allow"),
            (
                &[],
                "node -e \"fs.rmSync('dist', {recursive: true, force: true})\"",
                "allow",
            ),
            (&[], "perl -e 'unlink \"/h/.bashrc\"'", "out-of-scope"),
            (
                &[],
                "perl -MFile::Path -e 'rmtree(\"$ENV{HOME}/Documents\")'",
                "out-of-scope",
            ),
            (
                &[],
                "perl -e 'open(my $f, \">\", \"/h/.bashrc\") or die'",
                "out-of-scope",
            ),
            (&[], "perl -e '`rm -rf /h/Documents`'", "out-of-scope"),
            (
                &[],
                "perl -e 'rmtree(\"$ENV{NEVER}/\")'",
                "empty-variable-expansion",
            ),
            (
                &[],
                "perl -e 'unlink glob \"~/Documents/*\"'",
                "tilde-ambiguous",
            ),
            (
                &[],
                "python3 -c 'import glob, os\nfor f in glob.glob(\"/h/D*/*\"):\n  os.remove(f)'",
                "out-of-scope",
            ),
            (
                &[],
                "python3 -c 'import glob, os\nfor f in glob.glob(\"*.log\"):\n  os.remove(f)'",
                "allow",
            ),
            (
                &[],
                "python3 -c 'import os\nfor d in (\"a\", \"/h/.bashrc\"):\n  os.remove(d)'",
                "out-of-scope",
            ),
            // A program's own state is its business, and what it has just made as well.
            (
                &[],
                "python3 -c 'import os; p = \"/h/.cache/k\"; open(p, \"w\"); os.remove(p)'",
                "allow",
            ),
            (
                &[],
                "python3 -c 'import os; p = \"/h/new\"; open(p, \"w\"); os.remove(p)'",
                "allow",
            ),
            (&[], "perl -ne 'print if /unlink/' f1.log", "allow"),
            (&[], "perl -pi -e 's/unlink x/y/' f1.log", "allow"),
            (
                &[],
                "ruby -rfileutils -e 'FileUtils.rm_rf(\"/h/Documents\")'",
                "out-of-scope",
            ),
            (
                &[],
                "ruby -e 'File.delete File.join(Dir.home, \".bashrc\")'",
                "out-of-scope",
            ),
            (
                &[],
                "ruby -e 'system(\"rm -rf #{ENV[\"HOME\"]}/Documents\")'",
                "out-of-scope",
            ),
            (&[], "ruby -e 'puts File.read(\"/h/.bashrc\")'", "allow"),
            (&[], "php -r 'unlink(\"/h/.bashrc\");'", "out-of-scope"),
        ],
        rules_of,
    );
}
