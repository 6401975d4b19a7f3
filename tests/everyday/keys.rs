//! gpg and ssh: key rings, agents, known hosts.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "gpg: keys, trust, signatures",
        needs: &["gpg", "gpgconf"],
        before: "mkdir -m 700 ~/.gnupg && gpg --batch -q --passphrase '' --quick-gen-key one@example.com default default never 2> /dev/null &&
            gpgconf --kill all && echo text > f",
        script: r#"gpg --batch -q --passphrase '' --quick-gen-key two@example.com default default never 2> /dev/null || echo no key
            gpg --batch -q -se -r one@example.com -u two@example.com --trust-model always f && gpg --batch -q -d f.gpg 2> /dev/null
            gpg --batch -q --passphrase '' --quick-add-uid one@example.com three@example.com || echo no name
            fingerprint=$(gpg --list-keys --with-colons two@example.com | awk -F: '/^fpr/ { print $10; exit }')
            echo "$fingerprint:6:" | gpg --import-ownertrust -q 2> /dev/null || echo no trust
            gpg --check-trustdb 2> /dev/null || echo no check
            gpg --batch --yes -q --delete-secret-and-public-key "$fingerprint" || echo not deleted
            gpgconf --kill all; gpg --list-keys --with-colons 2> /dev/null | grep -c ^uid; ls -A ~/.gnupg && rm f.gpg"#,
    },
    Work {
        name: "ssh-keygen and known_hosts",
        needs: &["ssh-keygen"],
        before: r#"mkdir -m 700 ~/.ssh && ssh-keygen -q -t ed25519 -N '' -C dev -f ~/.ssh/id_ed25519 && key=$(cut -d' ' -f1,2 ~/.ssh/id_ed25519.pub) &&
            printf "one $key\ntwo $key\nthree $key\n" > ~/.ssh/known_hosts && cp ~/.ssh/known_hosts ~/.ssh/known_hosts.old"#,
        script: "ssh-keygen -R two && ssh-keygen -R three && wc -l < ~/.ssh/known_hosts
            ssh-keygen -q -t ed25519 -N '' -C new -f ~/.ssh/id_new && ssh-keygen -p -q -P '' -N secret -f ~/.ssh/id_new && ls -A ~/.ssh",
    },
    Work {
        name: "ssh to a server, and scp",
        needs: &["ssh", "scp", "sshd", "ssh-agent"],
        before: r#"mkdir -m 700 ~/.ssh && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519 && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/host &&
            echo "old.example.com $(cut -d' ' -f1,2 ~/.ssh/host.pub)" > ~/.ssh/known_hosts && { test "$(id -u)" != 0 || mkdir -p /run/sshd; } &&
            port=$((20000 + $$ % 20000)) && echo $port > port &&
            printf "Port $port\nListenAddress 127.0.0.1\nHostKey $HOME/.ssh/host\nAuthorizedKeysFile $HOME/.ssh/id_ed25519.pub\nStrictModes no\nPidFile none\nUsePAM no\nSubsystem sftp internal-sftp\n" > sshd_config"#,
        script: r#"/usr/sbin/sshd -D -e -f "$PWD/sshd_config" 2> sshd.log &
            server=$! port=$(cat port) at=$(id -un)@127.0.0.1
            for try in 1 2 3 4 5 6 7 8 9 10; do ssh-keyscan -p "$port" 127.0.0.1 > keys 2> /dev/null; test -s keys && break; sleep 0.2; done
            rm keys
            options="-F none -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=$HOME/.ssh/known_hosts -i $HOME/.ssh/id_ed25519 -o LogLevel=ERROR"
            ssh $options -p "$port" "$at" 'echo there'
            ssh $options -p "$port" -o UpdateHostKeys=yes "$at" 'echo again'
            echo text > f && scp -q $options -P "$port" f "$at:$PWD/g" && cat g
            eval "$(ssh-agent -s)" > /dev/null && ssh-add -q ~/.ssh/id_ed25519 && ssh-add -l | wc -l && ssh-agent -k > /dev/null
            kill "$server"; wait "$server" 2> /dev/null; rm sshd.log port sshd_config; ls -A ~/.ssh"#,
    },
];
