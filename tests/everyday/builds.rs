//! Building: cargo, make, npm.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "cargo build, test, clean",
        needs: &["cc"],
        before: r#"mkdir src && printf '[package]\nname = "tiny"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml &&
            printf 'fn main() { println!("hello"); }\n#[test]\nfn one() {}\n' > src/main.rs"#,
        script: "set -e
            cargo build --offline -q && ./target/debug/tiny && cargo build --offline -q --release && touch src/main.rs
            cargo build --offline -q && cargo test --offline -q && cargo clean -q && ls -A",
    },
    Work {
        name: "make with a compiler",
        needs: &["make", "gcc", "ar"],
        before: r#"printf 'int f(void){return 0;}\n' > f.c && printf 'int f(void);int main(void){return f();}\n' > m.c &&
            printf 'all: m\nm: m.o libf.a\n\tgcc -o m m.o libf.a\n\tstrip m\nlibf.a: f.o\n\tar rcs $@ $<\nclean:\n\trm -rf *.o *.a m\ninstall: m\n\tinstall -D m out/bin/m\n' > Makefile"#,
        script: "set -e
            make && touch f.c && make && make install && ./out/bin/m && make clean && ls -A",
    },
    Work {
        name: "configure-like temporaries",
        needs: &["gcc"],
        before: "",
        script: r#"set -e
            d=$(mktemp -d) && echo 'int main(void){return 0;}' > "$d/conftest.c" && gcc -o "$d/conftest" "$d/conftest.c"
            "$d/conftest" && rm -rf "$d" && echo > conftest.x && rm -f conftest* && ls -A"#,
    },
    Work {
        name: "npm ci",
        needs: &["node", "npm"],
        before: r#"mkdir dep packed && printf '{"name":"dep","version":"1.0.0"}' > dep/package.json && echo 'module.exports = 1' > dep/index.js &&
            printf '{"name":"packed","version":"1.0.0","bin":"cli.js"}' > packed/package.json && printf '#!/usr/bin/env node\nconsole.log(2)\n' > packed/cli.js &&
            (cd packed && npm pack --silent > /dev/null) && mv packed/packed-1.0.0.tgz . &&
            printf '{"name":"app","version":"1.0.0","scripts":{"build":"rm -rf dist && mkdir dist && packed > dist/out"},"dependencies":{"dep":"file:./dep","packed":"file:./packed-1.0.0.tgz"}}' > package.json &&
            npm install --offline --silent --no-audit --no-fund"#,
        script: "set -e
            npm ci --offline --no-audit --no-fund && npm run --silent build && cat dist/out && node -p 'require(\"dep\")'
            npm run --silent build && npm uninstall --offline --silent --no-audit --no-fund packed && ls node_modules",
    },
];
