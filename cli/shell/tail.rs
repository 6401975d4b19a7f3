//! Whether text that cannot be read might destroy something.
//!
//! Quotes are of no use where the reading failed, so they are deleted, and any word counts wherever it stands. Better
//! one question too many than a deletion that nobody saw.

use std::borrow::Cow;

use super::escape;

/// Words by their first letter, in order, because a long string has many to look up.
type Table = &'static [(u8, &'static [&'static str])];

/// Programs that remove, overwrite or hand on, and interpreters that may do all of it.
const PROGRAMS: Table = &[
    (b'a', &["ash", "awk", "aws", "az"]),
    (
        b'b',
        &["base32", "base64", "bash", "blkdiscard", "bun", "busybox"],
    ),
    (
        b'c',
        &["chgrp", "chmod", "chown", "cp", "cpio", "crontab", "csh"],
    ),
    (
        b'd',
        &["dash", "dd", "deno", "diskutil", "doas", "docker", "dropdb"],
    ),
    (b'e', &["ed", "emacs", "env", "eval", "ex", "exec"]),
    (b'f', &["fallocate", "fdisk", "find", "fish"]),
    (b'g', &["gawk", "gcloud", "gh", "git", "gsutil"]),
    (b'h', &["helm", "hg"]),
    (b'i', &["install"]),
    (b'j', &["java"]),
    (b'k', &["kill", "killall", "ksh", "kubectl"]),
    (b'l', &["ln", "lua", "lvremove"]),
    (
        b'm',
        &[
            "make", "mawk", "mdadm", "mkfs", "mksh", "mongosh", "mv", "mysql",
        ],
    ),
    (b'n', &["newfs", "node", "npm", "npx", "nsenter"]),
    (
        b'p',
        &[
            "parallel", "parted", "patch", "perl", "php", "pkexec", "pkill", "pnpm", "podman",
            "psql", "pwsh", "python",
        ],
    ),
    (
        b'r',
        &[
            "rclone",
            "redis-cli",
            "rename",
            "restic",
            "rm",
            "rmdir",
            "rsync",
            "ruby",
        ],
    ),
    (
        b's',
        &[
            "scp",
            "sed",
            "sfdisk",
            "sftp",
            "sgdisk",
            "sh",
            "shred",
            "source",
            "sponge",
            "sqlite",
            "srm",
            "ssh",
            "su",
            "sudo",
            "svn",
            "systemctl",
        ],
    ),
    (
        b't',
        &[
            "tar",
            "tcsh",
            "tee",
            "terraform",
            "tofu",
            "toybox",
            "trap",
            "trash",
            "truncate",
        ],
    ),
    (b'u', &["umount", "unlink", "unshare", "unzip"]),
    (b'v', &["vgremove", "vi", "vim"]),
    (b'w', &["wipe", "wipefs"]),
    (b'x', &["xargs"]),
    (b'y', &["yarn"]),
    (
        b'z',
        &[
            "zf_ln", "zf_mv", "zf_rm", "zf_rmdir", "zfs", "zip", "zpool", "zsh",
        ],
    ),
];

/// Words after which a command may follow.
const BEFORE_COMMANDS: Table = &[
    (b'!', &["!"]),
    (b'[', &["[["]),
    (b'b', &["builtin"]),
    (b'c', &["caffeinate", "command", "coproc"]),
    (b'd', &["do"]),
    (b'e', &["elif", "else"]),
    (b'i', &["if", "ionice"]),
    (b'n', &["nice", "nocorrect", "noglob", "nohup"]),
    (b'r', &["repeat"]),
    (b's', &["setsid", "stdbuf"]),
    (b't', &["then", "time", "timeout"]),
    (b'u', &["until"]),
    (b'w', &["while"]),
];

/// The longest word of the tables.
const LONGEST: usize = 10;

/// Whether `tail`, from the start of the command that could not be read to the end of the string, holds a word that
/// destroys, a redirection that truncates, or a command that is not known before it runs.
pub fn holds_destructive_word(tail: &[u8]) -> bool {
    let joined = without_continuations(tail);
    let holds = |decodes| {
        let text = without_quotes(&joined, decodes);
        truncates(&text) || holds_program(&text)
    };
    holds(false) || joined.windows(2).any(|pair| pair == b"$'") && holds(true)
}

fn without_continuations(tail: &[u8]) -> Cow<'_, [u8]> {
    if !tail.windows(2).any(|pair| pair == b"\\\n") {
        return Cow::Borrowed(tail);
    }
    let mut text = Vec::with_capacity(tail.len());
    let mut rest = tail;
    while let [first, after @ ..] = rest {
        rest = match after {
            [b'\n', after @ ..] if *first == b'\\' => after,
            _ => {
                text.push(*first);
                after
            }
        };
    }
    Cow::Owned(text)
}

/// Deletes quotes and backslashes, and the `$` of `$'` and `$"`. The text of `$'...'` is decoded if it is asked for:
/// where such a quote really begins cannot be told.
fn without_quotes(joined: &[u8], decodes: bool) -> Cow<'_, [u8]> {
    if !joined.iter().any(|byte| is_quote(*byte)) {
        return Cow::Borrowed(joined);
    }
    let mut text = Vec::with_capacity(joined.len());
    let mut at = 0;
    while let Some(byte) = joined.get(at) {
        at += 1;
        match (byte, joined.get(at)) {
            (b'$', Some(b'\'')) if decodes => {
                let start = at + 1;
                at = start;
                while at < joined.len() && joined[at] != b'\'' {
                    at += if joined[at] == b'\\' { 2 } else { 1 };
                }
                at = at.min(joined.len());
                let decoded = escape::decode(&joined[start..at]);
                text.extend(decoded.iter().filter(|byte| !is_quote(**byte)));
            }
            (b'$', Some(b'\'' | b'"')) => {}
            (byte, _) if is_quote(*byte) => {}
            (byte, _) => text.push(*byte),
        }
    }
    Cow::Owned(text)
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'\\' | b'\'' | b'"')
}

/// `>`, `>|`, `>&` and `&>` to anything but the null device, a standard stream or a descriptor.
fn truncates(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|byte| *byte == b'>') {
        let operator = at + found;
        let before = operator.checked_sub(1).map(|before| text[before]);
        at = operator + 1;
        match text.get(at) {
            Some(b'>') => {
                at += 1;
                continue;
            }
            Some(b'(') => continue,
            _ if before == Some(b'<') => continue,
            _ => {}
        }
        let mut target = &text[at..];
        while let [b'|' | b'&' | b'!' | b' ' | b'\t', after @ ..] = target {
            target = after;
        }
        let length = target
            .iter()
            .position(|byte| ends_word(*byte))
            .unwrap_or(target.len());
        if !is_harmless(&target[..length]) {
            return true;
        }
    }
    false
}

fn is_harmless(target: &[u8]) -> bool {
    matches!(
        target,
        b"" | b"-" | b"/dev/null" | b"/dev/stdout" | b"/dev/stderr" | b"/dev/tty"
    ) || target.iter().all(u8::is_ascii_digit)
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' | b'`')
}

/// Whether a program of the table is named anywhere, or something begins a command that is not a plain word.
fn holds_program(text: &[u8]) -> bool {
    let mut begins_command = true;
    let mut at = 0;
    while at < text.len() {
        let length = text[at..]
            .iter()
            .position(|byte| ends_word(*byte))
            .unwrap_or(text.len() - at);
        if length == 0 {
            if text[at] == b'`' && begins_command {
                return true;
            }
            // A backtick that ends a substitution looks like one that begins it.
            begins_command |= matches!(text[at], b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'`');
            at += 1;
            continue;
        }
        let word = &text[at..at + length];
        at += length;
        if names_program(word) {
            return true;
        }
        if begins_command {
            let is_dynamic = word == b"."
                || word.contains(&b'$') && !is_assignment(word)
                || !word.starts_with(b"[") && word.iter().any(|byte| b"*?[".contains(byte));
            if is_dynamic {
                return true;
            }
        }
        begins_command = begins_command && is_assignment(word)
            || is_one_of(BEFORE_COMMANDS, word)
            || matches!(word.last(), Some(b'{' | b'}'));
    }
    false
}

fn is_assignment(word: &[u8]) -> bool {
    let name = word
        .iter()
        .take_while(|byte| **byte == b'_' || byte.is_ascii_alphanumeric())
        .count();
    name > 0 && (word[name..].starts_with(b"=") || word[name..].starts_with(b"+="))
}

/// Any part of a word may be what runs: `X=rm`, `{rm,-rf}`, `/bin/rm`.
fn names_program(word: &[u8]) -> bool {
    word.split(|byte| {
        matches!(
            byte,
            b'/' | b'=' | b',' | b'{' | b'}' | b'!' | b'[' | b']' | b':'
        )
    })
    .any(|part| {
        let name = without_version(part);
        is_one_of(PROGRAMS, part) || name.len() < part.len() && is_one_of(PROGRAMS, name)
    })
}

/// `python3.11` is `python`, `mkfs.ext4` is `mkfs`.
fn without_version(part: &[u8]) -> &[u8] {
    let length = part
        .iter()
        .position(|byte| *byte == b'.' || byte.is_ascii_digit())
        .unwrap_or(part.len());
    &part[..length]
}

fn is_one_of(table: Table, word: &[u8]) -> bool {
    let Some(first) = word.first().map(u8::to_ascii_lowercase) else {
        return false;
    };
    if word.len() > LONGEST {
        return false;
    }
    let Ok(at) = table.binary_search_by_key(&first, |(letter, _)| *letter) else {
        return false;
    };
    let (_, entries) = table[at];
    entries
        .iter()
        .any(|entry| word.eq_ignore_ascii_case(entry.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_may_destroy() {
        for tail in [
            "rm -rf d; )",
            "r\\m x (",
            "r''m x",
            "\"rm\" x",
            "r\\\nm x",
            "$'\\x72\\x6d' x",
            "r$''m x",
            "r$\"\"m x",
            "/bin/rm x",
            "echo a;rm x",
            "X=rm",
            "{rm,-rf,x}",
            "RM x",
            "echo `rm x",
            "$(rm x",
            "python3.11 -c x",
            "mkfs.ext4 /dev/sda",
            "a > f",
            "a >| f",
            "a &> f",
            "a >& f",
            "a >! f",
            "a 2>&1 >f",
            "> $X",
            "echo >'a b'",
            "$X y )",
            "`x` y",
            "a | sh",
            "a | $SHELL",
            "if $X; then",
            "X=1 $Y",
            "a && ${X} b",
            "/bin/r? x",
            "base64 -d x",
            ". ./x",
            "eval x",
            "command $X",
            "! $X",
            "( $X",
            "$'rm' x",
            "find . )",
            "a\n$X",
            "time $X",
            "echo $'\\';rm x",
            "sudo x",
            "env x",
            "a; `b` c",
        ] {
            assert!(holds_destructive_word(tail.as_bytes()), "{tail}");
        }
    }

    #[test]
    fn tables_can_be_searched() {
        for table in [PROGRAMS, BEFORE_COMMANDS] {
            assert!(table.is_sorted_by(|(one, _), (next, _)| one < next));
            for (letter, words) in table {
                for word in *words {
                    assert_eq!(word.bytes().next(), Some(*letter), "{word}");
                    assert!(word.len() <= LONGEST, "{word}");
                }
            }
        }
    }

    #[test]
    fn passes_what_cannot() {
        for tail in [
            "",
            "echo hi )",
            "ls -la | wc -l )",
            "echo a >/dev/null )",
            "cat x 2>&1 (",
            "a 2>/dev/null | b (",
            "a >&2 )",
            "a >&- )",
            "echo \"it's",
            "cat <f >>g )",
            "echo form remove armed )",
            "a <> f )",
            "echo $X $(ls) )",
            "X=1 ls )",
            "[ -f x ] )",
            "[[ a",
            "a &>/dev/null )",
            "cat >(b",
            "a >/dev/stderr",
        ] {
            assert!(!holds_destructive_word(tail.as_bytes()), "{tail}");
        }
    }
}
