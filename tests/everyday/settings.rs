//! Settings and credentials that programs rewrite for a person.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "git config",
        needs: &["git"],
        before: "git config --global user.name dev && git config --global core.editor vi",
        script: "set -e
            git config --global user.name other && git config --global user.email a@example.com
            git config --global --unset core.editor && git config --global --list && ls -A ~",
    },
    Work {
        name: "git config where XDG has it",
        needs: &["git"],
        before: r#"mkdir -p ~/.config/git && printf '[user]\n\tname = dev\n' > ~/.config/git/config"#,
        script: "set -e
            git config --global user.name other && git config --global user.email a@example.com
            git config --global --list && ls -A ~ ~/.config/git",
    },
    Work {
        name: "git's credential store",
        needs: &["git"],
        before: r#"printf 'https://u:p@one\nhttps://u:p@two\n' > ~/.git-credentials && chmod 600 ~/.git-credentials"#,
        script: r#"set -e
            printf 'protocol=https\nhost=one\nusername=u\npassword=q\n' | git credential-store store
            printf 'protocol=https\nhost=two\n' | git credential-store erase
            cat ~/.git-credentials && ls -A ~"#,
    },
    Work {
        name: "git's credential store where XDG has it",
        needs: &["git"],
        before: "mkdir -p ~/.config/git && echo https://u:p@one > ~/.config/git/credentials",
        script: r#"set -e
            printf 'protocol=https\nhost=two\nusername=u\npassword=q\n' | git credential-store store
            cat ~/.config/git/credentials && ls -A ~/.config/git"#,
    },
    Work {
        name: "npm config",
        needs: &["node", "npm"],
        before: "npm config set init-license MIT",
        script: "set -e
            npm config set init-license ISC && npm config set save-exact true && npm config delete init-license
            cat ~/.npmrc && ls -A ~",
    },
    Work {
        name: "pip config",
        needs: &["pip"],
        before: "pip config set global.timeout 60 > /dev/null",
        script: "set -e
            pip config set global.timeout 70 && pip config unset global.timeout
            cat ~/.config/pip/pip.conf",
    },
    Work {
        name: "cargo login",
        needs: &["cc"],
        before: "echo a-token-of-thirty-two-characters | cargo login",
        script: "set -e
            echo another-token-of-some-characters | cargo login && cat ~/.cargo/credentials.toml && cargo logout
            cat ~/.cargo/credentials.toml && ls -A ~/.cargo",
    },
    Work {
        name: "go env",
        needs: &["go"],
        before: "go env -w GOFLAGS=-mod=mod",
        script: "set -e
            go env -w GOFLAGS=-mod=readonly && go env GOFLAGS && go env -u GOFLAGS && cat ~/.config/go/env",
    },
];
