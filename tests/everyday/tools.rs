//! What package managers install for one user.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "cargo install, twice, and uninstall",
        needs: &["cc"],
        before: r#"mkdir src && printf '[package]\nname = "tiny"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml &&
            echo 'fn main() { println!("one"); }' > src/main.rs && cargo install -q --offline --path . &&
            printf '[build]\njobs = 1\n' > ~/.cargo/config.toml && echo 'fn main() { println!("two"); }' > src/main.rs"#,
        script: "set -e
            cargo install -q --offline --force --path . && ~/.cargo/bin/tiny && cat ~/.cargo/.crates.toml
            cargo uninstall -q tiny && ls -A ~/.cargo ~/.cargo/bin",
    },
    Work {
        name: "npm install -g, npx, cache",
        needs: &["node", "npm"],
        before: r#"for version in 1.0.0 2.0.0; do
                mkdir -p packed && printf '{"name":"packed","version":"%s","bin":"cli.js"}' $version > packed/package.json
                printf '#!/usr/bin/env node\nconsole.log("%s")\n' $version > packed/cli.js && (cd packed && npm pack --silent > /dev/null)
            done && mv packed/*.tgz . && npm config set prefix ~/.npm-global &&
            npm install -g --offline --silent ./packed-1.0.0.tgz && npx --offline -y ./packed-1.0.0.tgz"#,
        script: "set -e
            npm install -g --offline --silent ./packed-2.0.0.tgz && ~/.npm-global/bin/packed
            npx --offline -y ./packed-1.0.0.tgz && npm uninstall -g --silent packed
            npm cache clean --force --silent && ls -A ~/.npm-global/bin ~/.npm-global/lib/node_modules ~/.npm",
    },
    Work {
        name: "pip install --user",
        needs: &["python3", "pip"],
        before: r#"cat > wheel.py <<'EOF'
import zipfile
for version in "1.0", "2.0":
    with zipfile.ZipFile(f"thing-{version}-py3-none-any.whl", "w") as z:
        info = f"thing-{version}.dist-info"
        z.writestr("thing/__init__.py", f"def main():\n    print({version!r})\n")
        z.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: thing\nVersion: {version}\n")
        z.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        z.writestr(f"{info}/entry_points.txt", "[console_scripts]\nthing = thing:main\n")
        z.writestr(f"{info}/RECORD", f"thing/__init__.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/entry_points.txt,,\n{info}/RECORD,,\n")
EOF
            python3 wheel.py && pip install -q --no-index --user --break-system-packages ./thing-1.0-py3-none-any.whl"#,
        script: "set -e
            pip install -q --no-index --user --break-system-packages ./thing-2.0-py3-none-any.whl && ~/.local/bin/thing
            pip uninstall -q -y --break-system-packages thing && ls -A ~/.local ~/.local/lib/python3*/site-packages",
    },
    Work {
        name: "go install and its caches",
        needs: &["go"],
        before: r#"go mod init x 2> /dev/null && printf 'package main\n\nfunc main() { println("one") }\n' > m.go && go install . &&
            printf 'package main\n\nfunc main() { println("two") }\n' > m.go &&
            mkdir -p ~/go/pkg/mod/m@v1 && touch ~/go/pkg/mod/m@v1/m.go && chmod -w ~/go/pkg/mod/m@v1 ~/go/pkg/mod/m@v1/m.go"#,
        script: "set -e
            go install . && ~/go/bin/x && go clean -modcache && go clean -cache && ls -A ~/go ~/go/bin",
    },
];
