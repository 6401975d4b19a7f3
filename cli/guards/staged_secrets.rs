//! `secrets-are-not-staged`: a blanket add that takes a file of secrets along.

use super::{Call, Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Command, Subject, file_name, is_at_or_below};
use crate::credential;
use crate::git::{ADD, COMMIT, Invocation, Silence, Word};

pub(super) const GUARD: Guard = Guard {
    id: "secrets-are-not-staged",
    title: "a blanket git add or commit that takes a file of secrets along",
    prevents: "a git add -A beside a .env that nobody had ignored: the commit was pushed before anybody looked at it",
    tools: &[Tool::Shell],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::shell("git add -A").given(KEPT).saying("app.env"),
        Example::shell("git add .").given(KEPT).saying("app.env"),
        Example::shell("git add --all").given(KEPT),
        Example::shell("git add -A :/").given(KEPT),
        Example::shell("git stage -A").given(KEPT),
        Example::shell("git add *").given(KEPT),
        Example::shell("git add config")
            .given("mkdir config; echo K=1 > config/prod.env")
            .saying("config/prod.env"),
        Example::shell("cd src && git add -A").given(KEPT),
        Example::shell("git add -A && git commit -m x").given(KEPT),
        Example::shell("git commit -am x").given("echo K=1 > app.env; git add -N app.env"),
        Example::shell("git add -A")
            .given("printf -- '-----BEGIN PRIVATE KEY-----\\n' > tls.pem")
            .saying("tls.pem"),
        Example::shell("git add -A")
            .after(&[
                Call::Write(
                    "notes.txt",
                    concat!("AWS_SECRET=AKI", "AZQ3DRSTUVWXY2345\n"),
                ),
                Call::Shell("mv notes.txt settings.txt"),
            ])
            .given("echo notes.txt >> .gitignore; git commit -qam ignore")
            .saying("settings.txt"),
        Example::shell("git add .")
            .given("echo K=1 > .env")
            .after(&[Call::Shell("cp .env backup.txt")])
            .saying("backup.txt"),
        Example::shell("cp .env plain.txt && git add -A")
            .given("echo K=1 > .env")
            .saying("plain.txt"),
        Example::shell("git add -A")
            .given("echo K=1 > .env")
            .after(&[Call::Shell("cat .env > plain.txt")])
            .saying("plain.txt"),
        Example::shell("git add plain.txt")
            .given("echo K=1 > .env")
            .after(&[Call::Shell("cp .env plain.txt")])
            .saying("plain.txt"),
    ],
    allowed: &[
        Example::shell("git add -A").given("echo K=1 > .env; echo x > new.txt"),
        Example::shell("git add app.env").given(KEPT),
        Example::shell("git add -f .env").given("echo K=1 > .env"),
        Example::shell("git add -A").given("echo K= > .env.example"),
        Example::shell("git add -u").given(KEPT),
        Example::shell("git commit -am x").given("echo K=1 > app.env; echo x > a.txt"),
        Example::shell("git add -n -A").given(KEPT),
        Example::shell("git add src").given(KEPT),
        Example::shell("echo app.env >> .gitignore && git add -A").given(KEPT),
        Example::shell("git add -A").given("echo '-----BEGIN CERTIFICATE-----' > ca.pem"),
        Example::shell("git add -A -- ':!app.env'").given(KEPT),
        Example::shell("git add -A")
            .given("echo K=1 > .env")
            .after(&[Call::Shell("cp .env data.txt"), Call::Shell("rm data.txt")]),
        Example::shell("git commit -m 'git add -A'").given(KEPT),
        Example::shell("git status && git diff").given(KEPT),
    ],
};

/// A file of secrets that nobody ignores.
const KEPT: &str = "echo KEY=1 > app.env; echo x > new.txt";

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Command(command) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    let Some(git) = command.git() else {
        return Ok(Opinion::Silent);
    };
    let (specs, tracked_only) = match git.verb.as_slice() {
        b"add" | b"stage" => {
            let line = ADD.read(&git.words);
            if line.has_any(b"npi") {
                return Ok(Opinion::Silent);
            }
            let specs: Vec<Word> = line.all().cloned().collect();
            if specs.is_empty() && !line.has_any(b"Au") {
                return Ok(Opinion::Silent);
            }
            (specs, line.has(b'u'))
        }
        b"commit" => {
            let line = COMMIT.read(&git.words);
            if !line.has(b'a') || line.has(b'n') {
                return Ok(Opinion::Silent);
            }
            (Vec::new(), true)
        }
        _ => return Ok(Opinion::Silent),
    };
    if command
        .touched
        .iter()
        .any(|path| file_name(path) == b".gitignore" || path.ends_with(b"/info/exclude"))
    {
        return Opinion::passes("the same string says what is ignored");
    }
    let taken = taken(case, git, &specs, tracked_only)?;
    let (top, _) = git.repository.top(case.git)?;
    let mut found: Vec<(Vec<u8>, String)> = Vec::new();
    let mut named = false;
    let copies = copies(case, command, &top);
    for name in &taken {
        let path = [&top, b"/".as_slice(), name].concat();
        if let Some((_, origin)) = copies.iter().find(|(copy, _)| *copy == path) {
            let origin = crate::message::escape(file_name(origin));
            found.push((
                name.clone(),
                format!("holds what {origin} held, or a credential"),
            ));
        } else if let Some(kind) = credential::secret_kind(&path, || case.content(&path)) {
            match is_deliberate(command, git, name) {
                true => named = true,
                false => found.push((name.clone(), kind.to_owned())),
            }
        }
    }
    // What the string itself has made since is not there for git to tell.
    for (path, origin) in &copies {
        let name = path
            .strip_prefix(top.as_slice())
            .and_then(|rest| rest.strip_prefix(b"/"));
        let made_here = command.secrets.iter().any(|(copy, _)| copy == path);
        if let Some(name) = name.filter(|_| made_here)
            && !taken.iter().any(|known| known == name)
            && covers(git, &specs, path)
            && !is_ignored(case, git, path)?
        {
            found.push((
                name.to_vec(),
                format!(
                    "holds what {} held",
                    crate::message::escape(file_name(origin))
                ),
            ));
        }
    }
    if found.is_empty() {
        return match named {
            true => Opinion::passes("the file is named, so it is meant"),
            false => Ok(Opinion::Silent),
        };
    }
    let first = crate::message::escape(&found[0].0);
    Ok(Opinion::Refuses(Finding {
        operation: "stage",
        about: [&top, b"/".as_slice(), &found[0].0].concat(),
        reasons: found
            .iter()
            .take(10)
            .map(|(name, what)| format!("{} would be staged: {what}", crate::message::escape(name)))
            .collect(),
        instead: format!(
            "ignore it first: `echo '{first}' >> .gitignore`; or name the files that are meant: `git add FILE`"
        ),
    }))
}

/// What would be staged of files that git does not have yet, from the top.
fn taken(
    case: &Case<'_>,
    git: &Invocation,
    specs: &[Word],
    tracked_only: bool,
) -> Result<Vec<Vec<u8>>, Silence> {
    let mut words: Vec<Vec<u8>> = [
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "--ignore-submodules=all",
    ]
    .map(Into::into)
    .into();
    words.push(match tracked_only {
        true => b"--untracked-files=no".to_vec(),
        false => b"--untracked-files=all".to_vec(),
    });
    words.push(b"--".to_vec());
    words.extend(specs.iter().flatten().cloned());
    let listed = git.repository.ask(case.git, &words)?;
    let fresh = |entry: &&[u8]| {
        let state = entry.get(..2).unwrap_or_default();
        matches!(state, b"??" | b" A" | b"AM" | b"A ")
    };
    Ok(listed
        .split(|byte| *byte == 0)
        .filter(fresh)
        .filter_map(|entry| entry.get(3..).map(<[u8]>::to_vec))
        .collect())
}

/// Files that hold what a secret file held, as the session and the string so far tell.
fn copies(case: &Case<'_>, command: &Command<'_>, top: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let all = case.background.past.secrets.iter().chain(command.secrets);
    all.filter(|(path, _)| is_at_or_below(path, top))
        .cloned()
        .collect()
}

/// Whether a word names the very file, and was not a pattern.
fn is_deliberate(command: &Command<'_>, git: &Invocation, name: &[u8]) -> bool {
    command.fields.iter().any(|field| {
        field.glob.is_none()
            && field.text.bytes().is_some_and(|word| {
                let path = git.repository.at(word);
                !word.is_empty()
                    && word != b"."
                    && path.ends_with(name)
                    && file_name(word) == file_name(name)
            })
    })
}

/// Whether an add reaches a path.
fn covers(git: &Invocation, specs: &[Word], path: &[u8]) -> bool {
    specs.is_empty()
        || specs.iter().flatten().any(|spec| {
            matches!(spec.as_slice(), b"." | b":/" | b"*") || {
                is_at_or_below(path, &git.repository.at(spec))
            }
        })
}

fn is_ignored(case: &Case<'_>, git: &Invocation, path: &[u8]) -> Result<bool, Silence> {
    let words: [&[u8]; 4] = [b"check-ignore", b"--quiet", b"--", path];
    git.repository.holds_plainly(case.git, &words)
}
