//! Shells, editors and multiplexers at a terminal, and what they remember.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "histories of bash and zsh",
        needs: &["bash", "zsh", "script"],
        before: r#"for n in 1 2 3 4; do echo "old $n"; done | tee ~/.bash_history > ~/.zsh_history &&
            printf 'HISTFILE=~/.zsh_history\nSAVEHIST=3\nHISTSIZE=3\nautoload -Uz compinit && compinit -u\n' > ~/.zshrc &&
            printf 'HISTFILESIZE=3\n' > ~/.bashrc && timeout 20 script -qec 'zsh -i -c true' /dev/null > /dev/null"#,
        script: r#"at_terminal() { (sleep 0.4; printf "$2"; sleep 0.4) | timeout 20 script -qec "$1" /dev/null > /dev/null; echo "$1 $?"; }
            at_terminal 'bash -i' 'echo new\nexit\n'
            at_terminal 'zsh -i' 'echo new\nexit\n'
            cat ~/.bash_history ~/.zsh_history && ls -A ~"#,
    },
    Work {
        name: "histories of Python, node and less",
        needs: &["python3", "node", "less", "script"],
        before: r#"echo old > ~/.python_history && echo old > ~/.node_repl_history && printf '.less-history-file:\n.search\n"old\n' > ~/.lesshst && echo text > f"#,
        script: r#"at_terminal() { (sleep 0.7; printf "$2"; sleep 0.4) | timeout 20 script -qec "$1" /dev/null > /dev/null; echo "$1 $?"; }
            at_terminal 'python3' '1 + 1\nexit()\n'
            at_terminal node '1 + 1\n.exit\n'
            at_terminal 'less f' '/text\nq'
            cat ~/.python_history ~/.lesshst && ls -A ~"#,
    },
    Work {
        name: "a history of sqlite3",
        needs: &["sqlite3", "script"],
        before: "echo old > ~/.sqlite_history",
        script: r#"(sleep 0.4; printf 'select 1;\n.quit\n'; sleep 0.4) | timeout 20 script -qec 'sqlite3 x.db' /dev/null > /dev/null
            cat ~/.sqlite_history && ls -A ~"#,
    },
    Work {
        name: "vim with undo, backup, swap and viminfo in the home",
        needs: &["vim", "script"],
        before: r#"mkdir -p ~/.vim/backup ~/.vim/swap ~/.vim/undo && echo one > f &&
            printf 'set backup undofile history=50\nset backupdir=~/.vim/backup directory=~/.vim/swap undodir=~/.vim/undo\n' > ~/.vimrc &&
            for word in two three; do sleep 0.5 | timeout 20 script -qec "vim -c '%s/.*/$word/' -c x f" /dev/null > /dev/null; done"#,
        script: r#"sleep 0.5 | timeout 20 script -qec "vim -c '%s/three/four/' -c x f" /dev/null > /dev/null; echo $?
            sleep 0.5 | timeout 20 script -qec "vim -c '%s/four/five/' -c x f" /dev/null > /dev/null; echo $?
            cat f && ls -A . ~ ~/.vim/*"#,
    },
    Work {
        name: "emacs with what it saves",
        needs: &["emacs"],
        before: r#"mkdir ~/.emacs.d && cat > work.el <<'EOF'
(savehist-mode 1) (recentf-mode 1) (save-place-mode 1)
(find-file "f") (goto-char (point-max)) (insert "more\n") (do-auto-save) (save-buffer)
(bookmark-set "b") (bookmark-save) (recentf-save-list) (savehist-save)
EOF
            echo one > f && for turn in 1 2; do emacs -batch -l work.el; done"#,
        script: "emacs -batch -l work.el; echo $?; emacs -batch -l work.el; echo $?; cat f && ls -A . ~/.emacs.d",
    },
    Work {
        name: "tmux",
        needs: &["tmux"],
        before: "echo 'set -g history-limit 10' > ~/.tmux.conf",
        script: r#"name=blastradius-$$; t() { tmux -L "$name" "$@"; }
            t new-session -d -x 80 -y 24 'stty size; cat' && sleep 0.3 && t send-keys hello Enter && sleep 0.3
            t capture-pane -p | grep -v '^$'; t new-window 'sleep 60' && t list-windows | wc -l
            t set-buffer text && t save-buffer saved && cat saved && t kill-server
            rm -f "/tmp/tmux-$(id -u)/$name"; ls -A ~ ."#,
    },
    Work {
        name: "screen",
        needs: &["screen"],
        before: "",
        script: r#"export SCREENDIR="$HOME/.screen"; mkdir -m 700 "$SCREENDIR"
            screen -dmS work cat && sleep 0.4 && screen -S work -X stuff 'hello\n' && sleep 0.3 && screen -S work -X hardcopy "$PWD/shown"
            sleep 0.3; grep -c hello shown; screen -S work -X quit; sleep 0.3; screen -wipe > /dev/null; ls -A ~/.screen . && rm shown"#,
    },
];
