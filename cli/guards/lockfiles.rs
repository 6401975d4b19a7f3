//! `lockfiles-are-generated-not-edited`: what a package manager writes, written by hand.

use super::{Call, Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{By, Case, Command, Subject, What, file_name};
use crate::git::Silence;

pub(super) const GUARD: Guard = Guard {
    id: "lockfiles-are-generated-not-edited",
    title: "a lock file that is edited by hand",
    prevents: "a hash in package-lock.json edited until the install went through: the build shipped another package than it named",
    tools: &[Tool::Shell, Tool::Write, Tool::Edit],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::of(Call::Write("package-lock.json", "{}")).saying("npm install"),
        Example::of(Call::Edit("Cargo.lock", "1.0.0", "1.0.1"))
            .given(LOCK)
            .saying("cargo update"),
        Example::of(Call::Write("web/pnpm-lock.yaml", "lockfileVersion: 9")),
        Example::of(Call::Edit("go.sum", "a", "b"))
            .given("echo a > go.sum")
            .saying("go mod tidy"),
        Example::shell("sed -i s/1.0.0/1.0.1/ Cargo.lock").given(LOCK),
        Example::shell("sed -i.bak -e s/a/b/ yarn.lock").given("echo a > yarn.lock"),
        Example::shell("echo '{}' > package-lock.json").given("echo x > package-lock.json"),
        Example::shell("echo '{}' > composer.lock").saying("composer"),
        Example::shell("jq .x package-lock.json | tee package-lock.json")
            .given("echo '{}' > package-lock.json"),
        Example::shell("cat > poetry.lock <<'EOF'\nx\nEOF"),
        Example::shell("perl -pi -e s/a/b/ uv.lock").given("echo a > uv.lock"),
    ],
    allowed: &[
        Example::of(Call::Write("docs/package-lock.md", "# the lock file")),
        Example::of(Call::Write("package.json", "{}")),
        Example::of(Call::Write("tests/fixtures/package-lock.json", "{}")),
        Example::of(Call::Read("Cargo.lock")).given(LOCK),
        Example::shell("npm install"),
        Example::shell("cargo update -p serde"),
        Example::shell("rm package-lock.json").given("echo '{}' > package-lock.json"),
        Example::shell("git checkout -- Cargo.lock").given(LOCK),
        Example::shell("cp Cargo.lock /tmp/Cargo.lock.kept").given(LOCK),
        Example::shell("sed -n 1p Cargo.lock").given(LOCK),
        Example::shell("sed -i s/a/b/ Cargo.toml").given("echo a > Cargo.toml"),
        Example::shell("grep -c name Cargo.lock > count.txt").given(LOCK),
    ],
};

const LOCK: &str =
    "echo 'version = \"1.0.0\"' > Cargo.lock; git add Cargo.lock; git commit -qm lock";

/// Lock files, and what makes each anew.
const FILES: &[(&str, &str)] = &[
    ("package-lock.json", "npm install"),
    ("npm-shrinkwrap.json", "npm shrinkwrap"),
    ("pnpm-lock.yaml", "pnpm install"),
    ("yarn.lock", "yarn install"),
    ("bun.lock", "bun install"),
    ("bun.lockb", "bun install"),
    ("deno.lock", "deno install"),
    ("Cargo.lock", "cargo update"),
    ("poetry.lock", "poetry lock"),
    ("uv.lock", "uv lock"),
    ("pdm.lock", "pdm lock"),
    ("Pipfile.lock", "pipenv lock"),
    ("go.sum", "go mod tidy"),
    ("Gemfile.lock", "bundle install"),
    ("composer.lock", "composer update"),
    ("Podfile.lock", "pod install"),
    ("pubspec.lock", "dart pub get"),
    ("mix.lock", "mix deps.get"),
    ("flake.lock", "nix flake lock"),
    ("packages.lock.json", "dotnet restore"),
    ("gradle.lockfile", "gradle dependencies --write-locks"),
];

/// Programs by which a person edits.
const EDITORS: &[&str] = &[
    ">", "sed", "gsed", "perl", "tee", "ed", "ex", "awk", "gawk", "truncate", "sponge", "sort",
];

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let change = match &case.subject {
        Subject::Change(change) => change,
        Subject::Command(command) => {
            return Ok(edited_in_place(command).map_or(Opinion::Silent, |path| {
                let name = file_name(&path);
                let row = FILES.iter().find(|(known, _)| known.as_bytes() == name);
                row.map_or(Opinion::Silent, |(_, remedy)| refusal(&path, remedy))
            }));
        }
        _ => return Ok(Opinion::Silent),
    };
    let name = file_name(change.path);
    let Some((_, remedy)) = FILES.iter().find(|(known, _)| known.as_bytes() == name) else {
        return Ok(Opinion::Silent);
    };
    let by_hand = change.what == What::Written
        && match change.by {
            By::Write | By::Edit => true,
            By::Program(program) => EDITORS.iter().any(|known| known.as_bytes() == program),
        };
    if !by_hand {
        return Opinion::passes("it is not edited by hand");
    }
    let fixture = change.path.split(|byte| *byte == b'/').any(|part| {
        matches!(
            part,
            b"fixtures" | b"fixture" | b"testdata" | b"__fixtures__" | b"snapshots"
        )
    });
    if fixture {
        return Opinion::passes("it belongs to a test");
    }
    Ok(refusal(change.path, remedy))
}

/// The lock file that `sed -i.bak` edits: it keeps the old one, and so destroys nothing.
fn edited_in_place(command: &Command<'_>) -> Option<Vec<u8>> {
    let words = command.words();
    let in_place = |word: &[u8]| {
        word.starts_with(b"-i") || word.starts_with(b"--in-place") || word.starts_with(b"-pi")
    };
    let edits = command.is_any(&["sed", "gsed", "perl"])
        && words.iter().flatten().any(|word| in_place(word));
    let mut names = words.iter().flatten().filter(|word| {
        FILES
            .iter()
            .any(|(known, _)| known.as_bytes() == file_name(word))
    });
    names.find(|_| edits).and_then(|word| command.path(word))
}

fn refusal(path: &[u8], remedy: &str) -> Opinion {
    let name = crate::message::escape(file_name(path));
    Opinion::Refuses(Finding {
        operation: "edit",
        about: path.to_vec(),
        reasons: vec![format!(
            "{name} is made by its package manager, not by hand"
        )],
        instead: format!("change the manifest, then run `{remedy}`"),
    })
}
