//! Which files hold secrets: by their names, and where those say too little, by what is in them.

use super::holds;
use crate::case::file_name;

/// Names that say it all.
const NAMES: &[(&str, &str)] = &[
    (".netrc", "passwords for hosts"),
    ("_netrc", "passwords for hosts"),
    (".pgpass", "passwords for databases"),
    (".git-credentials", "passwords for git"),
    (".vault-token", "a token of Vault"),
    ("id_rsa", "a private key"),
    ("id_dsa", "a private key"),
    ("id_ecdsa", "a private key"),
    ("id_ed25519", "a private key"),
    ("id_ecdsa_sk", "a private key"),
    ("id_ed25519_sk", "a private key"),
    ("master.key", "the key of encrypted credentials"),
];

/// Ends of paths that do.
const PATHS: &[(&str, &str)] = &[
    ("/.aws/credentials", "keys of AWS"),
    ("/.kube/config", "credentials of clusters"),
    ("/.config/gh/hosts.yml", "a token of GitHub"),
    (
        "/.config/gcloud/application_default_credentials.json",
        "credentials of Google Cloud",
    ),
    (
        "/.terraform.d/credentials.tfrc.json",
        "a token of Terraform",
    ),
];

/// Endings of environment files that are there to be read.
const EXAMPLES: &[&str] = &[
    "example", "sample", "template", "tmpl", "tpl", "dist", "default", "defaults", "schema",
    "test", "testing", "ci", "vault", "md", "d.ts", "enc", "age", "gpg",
];

/// What is in a file that may hold secrets; `None` if it does not. `content` is asked only where the name says too
/// little.
pub(crate) fn secret_kind(
    path: &[u8],
    content: impl FnOnce() -> Option<Vec<u8>>,
) -> Option<&'static str> {
    let name = file_name(path);
    let by_name = NAMES.iter().find(|(known, _)| known.as_bytes() == name);
    let by_path = || PATHS.iter().find(|(end, _)| path.ends_with(end.as_bytes()));
    if let Some((_, kind)) = by_name.or_else(by_path) {
        return Some(kind);
    }
    if is_environment(name) {
        // One that sets nothing, or everything to nothing, holds no secret.
        let sets = content()
            .is_none_or(|content| content.split(|byte| *byte == b'\n').any(sets_something));
        return sets.then_some("an environment file");
    }
    let (words, kind): (&[&str], _) = match name {
        _ if has_ending(name, &[".pem", ".key", ".p8"]) => (&["PRIVATE KEY"], "a private key"),
        b".npmrc" => (&["_authToken=", "_password=", "_auth="], "a token of npm"),
        b".pypirc" => (&["password"], "a token of PyPI"),
        b"config.json" if path.ends_with(b"/.docker/config.json") => {
            (&["\"auth\""], "passwords of registries")
        }
        _ if has_ending(name, &[".json"])
            && (holds(name, b"credential") || holds(name, b"service-account")) =>
        {
            (
                &["\"private_key\"", "\"client_secret\"", "\"refresh_token\""],
                "credentials",
            )
        }
        _ => return None,
    };
    let content = content()?;
    words
        .iter()
        .any(|word| holds(&content, word.as_bytes()) && !names_variable(&content, word))
        .then_some(kind)
}

/// `NAME=VALUE`, `export NAME=VALUE`
fn sets_something(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let equals = line.iter().position(|byte| *byte == b'=');
    !line.starts_with(b"#") && equals.is_some_and(|at| at > 0 && line.len() > at + 1)
}

/// `_authToken=${NPM_TOKEN}` holds none.
fn names_variable(content: &[u8], word: &str) -> bool {
    content
        .windows(word.len() + 1)
        .any(|part| part.starts_with(word.as_bytes()) && part.ends_with(b"$"))
}

/// Whether a file shows which settings there are, and none of their values.
pub(crate) fn is_example(path: &[u8]) -> bool {
    let name = file_name(path);
    is_environment_name(name) && !is_environment(name)
}

fn is_environment(name: &[u8]) -> bool {
    is_environment_name(name)
        && !name.split(|byte| *byte == b'.').any(|part| {
            EXAMPLES
                .iter()
                .any(|word| part.eq_ignore_ascii_case(word.as_bytes()))
        })
        && !holds(name, b"example")
        && !holds(name, b"sample")
}

/// `.env`, `.env.production`, `prod.env`
fn is_environment_name(name: &[u8]) -> bool {
    name == b".env"
        || name.starts_with(b".env.")
        || name.ends_with(b".env") && !name.starts_with(b"process")
}

fn has_ending(name: &[u8], endings: &[&str]) -> bool {
    endings
        .iter()
        .any(|ending| name.len() > ending.len() && name.ends_with(ending.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{is_example, secret_kind};

    #[test]
    fn names_tell_and_where_they_do_not_the_content_does() {
        for (path, content, is_secret) in [
            ("/p/.env", "A=1", true),
            ("/p/.env", "# A=1\nA=\n", false),
            ("/p/.env.production", "export A=1", true),
            ("/p/prod.env", "A=1", true),
            ("/p/.env.example", "A=1", false),
            ("/p/.env.local.example", "", false),
            ("/p/env", "", false),
            ("/p/.envrc", "", false),
            ("/h/.ssh/id_ed25519", "", true),
            ("/h/.ssh/id_ed25519.pub", "", false),
            ("/h/.aws/credentials", "", true),
            ("/h/.aws/config", "", false),
            ("/p/server.pem", "-----BEGIN PRIVATE KEY-----", true),
            ("/p/ca.pem", "-----BEGIN CERTIFICATE-----", false),
            ("/p/.npmrc", "//r/:_authToken=abc", true),
            ("/p/.npmrc", "//r/:_authToken=${NPM_TOKEN}", false),
            ("/p/.npmrc", "save-exact=true", false),
            ("/p/service-account.json", "{\"private_key\":\"x\"}", true),
            ("/p/src/credentials.json", "{\"title\":1}", false),
        ] {
            let kind = secret_kind(path.as_bytes(), || Some(content.into()));
            assert_eq!(kind.is_some(), is_secret, "{path}");
        }
        assert!(
            is_example(b"/p/.env.example") && !is_example(b"/p/.env") && !is_example(b"/p/a.c")
        );
    }
}
