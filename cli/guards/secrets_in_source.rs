//! `secrets-never-land-in-source`: credentials written into files that git tracks or would track.

use blastradius_policy::Fs;

use super::{Call, Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Subject, What, file_name, folder};
use crate::credential::{self, Credential, holds};
use crate::git::{Repository, Silence};

pub(super) const GUARD: Guard = Guard {
    id: "secrets-never-land-in-source",
    title: "a credential written into a file that git tracks or would track",
    prevents: "a live key pasted into a config module to make a demo work: it was pushed, and used by others within the hour",
    tools: &[Tool::Shell, Tool::Write, Tool::Edit],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::of(Call::Write("src/config.py", AWS)).saying("an access key of AWS"),
        Example::of(Call::Write("src/config.ts", STRIPE)).saying("a live key of Stripe"),
        Example::of(Call::Edit("src/b.txt", "two", GITHUB)).saying("a token of GitHub"),
        Example::of(Call::Write("src/key.js", PRIVATE)).saying("a private key"),
        Example::of(Call::Write("src/db.py", NAMED)).saying("a secret by its name"),
        Example::of(Call::Write("tests/test_api.py", GITHUB)).saying("a token of GitHub"),
        Example::shell(concat!(
            "echo 'key = \"AKI",
            "AZQ3DRSTUVWXY2345\"' > src/config.py"
        ))
        .saying("an access key of AWS"),
        Example::shell(concat!(
            "cat > src/config.ts <<'EOF'\nexport const key = 'sk_l",
            "ive_9aF3kQzLmT2vXcB7nRsW4yHd'\nEOF"
        )),
    ],
    allowed: &[
        Example::of(Call::Write(
            "src/config.py",
            "import os\nKEY = os.environ['AWS_ACCESS_KEY_ID']\n",
        )),
        Example::of(Call::Write(
            "src/config.py",
            concat!("KEY = \"AKI", "AIOSFODNN7EXAMPLE\"\n"),
        )),
        Example::of(Call::Write(
            "src/config.py",
            "API_KEY = \"your-api-key-goes-here\"\n",
        )),
        Example::of(Call::Write(".env", AWS)),
        Example::of(Call::Write("local.py", AWS)),
        Example::of(Call::Write(
            ".env.example",
            "AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX\n",
        )),
        Example::of(Call::Write("docs/api.md", NAMED)),
        Example::of(Call::Write("tests/fixtures/token.txt", GITHUB)),
        Example::of(Call::Write(
            "tests/test_api.py",
            concat!(
                "T = \"AKI",
                "AZQ3DRSTUVWXY2345\"  # pragma: allowlist secret\n"
            ),
        )),
        Example::of(Call::Write(
            "src/lock.json",
            "{\"sha512\": \"8f14e45fceea167a5a36dedd4bea2543c3ab5d0f9a1c\"}",
        )),
        Example::of(Call::Write(
            "src/key.pub",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJq0vFh3kQ9zLmT2vXcB7nRsW4yHd dev\n",
        )),
        Example::of(Call::Edit("src/old.py", "a = 1", "a = 2")).given(concat!(
            "printf 'k = \"AKI",
            "AZQ3DRSTUVWXY2345\"\\na = 1\\n' > src/old.py"
        )),
        Example::of(Call::Write(
            "src/token.py",
            concat!("T = \"ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18\"\n"),
        )),
        Example::shell("echo \"key = os.environ['KEY']\" > src/config.py"),
    ],
};

const AWS: &str = concat!("KEY = \"AKI", "AZQ3DRSTUVWXY2345\"\n");
const STRIPE: &str = concat!(
    "export const key = 'sk_l",
    "ive_9aF3kQzLmT2vXcB7nRsW4yHd';\n"
);
const GITHUB: &str = concat!("token = \"ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17\"\n");
const NAMED: &str = "password = \"q7Rk2ZpX9vLmN4tB8sWc1\"\n";
const PRIVATE: &str = concat!(
    "const key = `-----BEGIN RSA ",
    "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n-----END`"
);

/// So many of one text are looked up in what was there before.
const MOST: usize = 64;

/// Folders whose files are there to be read by tests.
const FIXTURES: &[&str] = &[
    "fixtures",
    "fixture",
    "__fixtures__",
    "testdata",
    "test-data",
    "mocks",
    "__mocks__",
    "cassettes",
    "snapshots",
    "__snapshots__",
];

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Change(change) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    if change.what != What::Written {
        return Ok(Opinion::Silent);
    }
    let mut found: Option<(Credential, &[u8])> = None;
    let mut meant = false;
    for piece in change.pieces {
        for credential in credential::find(&piece.new).into_iter().take(MOST) {
            let value = &piece.new[credential.range.clone()];
            let kept = holds(&piece.old, value)
                || credential::is_placeholder(value)
                || credential::is_marked(&piece.new, credential.range.start);
            if kept {
                meant = true;
            } else {
                found.get_or_insert((credential, value));
            }
        }
    }
    let Some((credential, value)) = found else {
        return match meant {
            true => Opinion::passes(
                "what looks like one was there before, is a placeholder, or is marked as meant",
            ),
            false => Ok(Opinion::Silent),
        };
    };
    let path = change.path;
    if credential::secret_kind(path, || None).is_some() || credential::is_example(path) {
        return Opinion::passes("it is a file for secrets, or shows which there are");
    }
    let by_name = credential.kind.ends_with("by its name");
    let in_fixtures = path
        .split(|byte| *byte == b'/')
        .any(|part| FIXTURES.iter().any(|name| name.as_bytes() == part));
    if in_fixtures || by_name && is_test(path) {
        return Opinion::passes("it belongs to a test");
    }
    if by_name && is_prose(path) {
        return Opinion::passes("it is told of in a text");
    }
    if !is_in_repository(case.fs, path) {
        return Opinion::passes("it is in no repository");
    }
    if is_ignored(case, path)? {
        return Opinion::passes("git ignores it");
    }
    // As much as it takes to find it again.
    let begins = match value.starts_with(b"-----") {
        true => String::new(),
        false => format!(
            " ({}...)",
            String::from_utf8_lossy(&value[..value.len().min(4)])
        ),
    };
    Ok(Opinion::Refuses(Finding {
        operation: "write",
        about: path.to_vec(),
        reasons: vec![format!("{}{begins} would stand in a file that git tracks or would track", credential.kind)],
        instead: "read it from the environment or the secret store, and keep the value in a file that git ignores".to_owned(),
    }))
}

/// Documents show what a token looks like.
fn is_prose(path: &[u8]) -> bool {
    let ending = file_name(path).rsplit(|byte| *byte == b'.').next();
    matches!(
        ending,
        Some(b"md" | b"mdx" | b"rst" | b"adoc" | b"txt" | b"html")
    )
}

fn is_test(path: &[u8]) -> bool {
    let name = file_name(path);
    let parts = path.split(|byte| *byte == b'/').any(|part| {
        matches!(
            part,
            b"test" | b"tests" | b"__tests__" | b"spec" | b"specs" | b"e2e"
        )
    });
    parts
        || name.starts_with(b"test_")
        || holds(name, b"_test.")
        || holds(name, b".test.")
        || holds(name, b".spec.")
}

/// Whether there is a repository above it.
fn is_in_repository(fs: &dyn Fs, path: &[u8]) -> bool {
    let mut directory = folder(path);
    while directory.len() > 1 {
        if fs.lstat(&[directory, b"/.git"].concat()).is_ok() {
            return true;
        }
        directory = folder(directory);
    }
    false
}

fn is_ignored(case: &Case<'_>, path: &[u8]) -> Result<bool, Silence> {
    // The folder may not be there yet.
    let mut directory = folder(path);
    while directory.len() > 1 && case.fs.lstat(directory).is_err() {
        directory = folder(directory);
    }
    let Some(repository) = Repository::seen_from(directory, case.variable) else {
        return Ok(false);
    };
    let words: [&[u8]; 4] = [b"check-ignore", b"--quiet", b"--", path];
    repository.holds_plainly(case.git, &words)
}
