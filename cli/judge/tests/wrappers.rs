//! Programs that run another command.

use super::{assert_rows, rules_of};

#[test]
fn sees_through_sessions_and_fetchers() {
    assert_rows(
        &[
            (&[], "tmux new-session -d 'rm -rf /d/sub'", "out-of-scope"),
            (&[], "tmux new -d -s x rm -rf /d/sub", "out-of-scope"),
            (&[], "tmux -L x neww -c /d 'rm -rf sub'", "out-of-scope"),
            (
                &[],
                "tmux send-keys -t x 'rm -rf /d/sub' Enter",
                "out-of-scope",
            ),
            (
                &[],
                "tmux new -d \\; send-keys 'rm -rf /d/sub' C-m",
                "out-of-scope",
            ),
            (&[], "tmux new -d -s x 'rm -rf a; sleep 1'", "allow"),
            (&[], "tmux kill-session -t rm", "allow"),
            (&[], "tmux ls", "allow"),
            (&[], "screen -dmS x rm -rf /d/sub", "out-of-scope"),
            (&[], "screen -d -m sh -c 'rm -rf a'", "allow"),
            (&[], "echo 'rm -rf /d/sub' | at now", "out-of-scope"),
            (&[], "at now + 1 hour <<< 'rm -rf /d/sub'", "out-of-scope"),
            (&[], "hyperfine -p 'rm -rf /d/sub' 'make'", "out-of-scope"),
            (&[], "hyperfine --warmup 3 'rm -rf a' 'ls'", "allow"),
            (&[], "npx rimraf /d/sub", "out-of-scope"),
            (&[], "npx -y rimraf@5 /d/sub", "out-of-scope"),
            (&[], "npx -p rimraf rimraf a", "allow"),
            (&[], "npx -c 'rm -rf /d/sub'", "out-of-scope"),
            (&[], "npm exec -- rimraf /d/sub", "out-of-scope"),
            (&[], "pnpm dlx rimraf /d/sub", "out-of-scope"),
            (&[], "bun x rimraf a", "allow"),
            (&[], "npx @scope/tool x", "allow"),
            (
                &[],
                "/lib64/ld-linux-x86-64.so.2 --library-path /x /bin/rm -rf /d/sub",
                "out-of-scope",
            ),
        ],
        rules_of,
    );
}
