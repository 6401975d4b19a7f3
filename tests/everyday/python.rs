//! Python: environments, tests, databases.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "pip install into a venv",
        needs: &["python3"],
        before: r#"cat > wheel.py <<'EOF'
import sys, zipfile
for version in "1.0", "2.0":
    with zipfile.ZipFile(f"thing-{version}-py3-none-any.whl", "w") as z:
        info = f"thing-{version}.dist-info"
        z.writestr("thing/__init__.py", f"version = {version!r}\n")
        z.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: thing\nVersion: {version}\n")
        z.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        z.writestr(f"{info}/RECORD", f"thing/__init__.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
EOF
            python3 wheel.py"#,
        script: r#"set -e
            python3 -m venv venv && . venv/bin/activate
            pip install -q --no-index --disable-pip-version-check ./thing-1.0-py3-none-any.whl
            python -c 'import thing; print(thing.version)'
            pip install -q --no-index --disable-pip-version-check ./thing-2.0-py3-none-any.whl
            python -c 'import thing; print(thing.version)'
            pip uninstall -q -y --disable-pip-version-check thing && python3 -m venv --clear venv && ls"#,
    },
    Work {
        name: "pytest, or unittest where there is none",
        needs: &["python3"],
        before: r#"printf 'import os, tempfile, unittest\nclass T(unittest.TestCase):\n    def test(self):\n        with tempfile.TemporaryDirectory() as d:\n            open(os.path.join(d, "f"), "w").write("x")\n        with tempfile.NamedTemporaryFile() as f:\n            f.write(b"x")\n' > test_it.py"#,
        script: r#"if python3 -c 'import pytest' 2> /dev/null
            then python3 -m pytest -q test_it.py && python3 -m pytest -q test_it.py
            else python3 -m unittest -q test_it
            fi"#,
    },
    Work {
        name: "sqlite through python",
        needs: &["python3"],
        before: "",
        script: r#"python3 -c '
import sqlite3
for mode in "delete", "truncate", "wal":
    c = sqlite3.connect("db")
    c.execute("pragma journal_mode=" + mode)
    c.execute("create table if not exists t (x)")
    c.execute("insert into t values (1)")
    c.commit()
    c.execute("vacuum")
    print(c.execute("select count(*) from t").fetchone())
    c.close()
'"#,
    },
];
