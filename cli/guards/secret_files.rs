//! `secret-files-stay-out-of-context`: what is read into a session stays in its transcript.

use blastradius_policy::{Kind, Meta};

use super::{Call, Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Command, Subject, file_name};
use crate::credential;
use crate::git::{Invocation, Silence};
use crate::interp::Taint;

pub(super) const GUARD: Guard = Guard {
    id: "secret-files-stay-out-of-context",
    title: "a file of secrets whose content would come into the session",
    prevents: "a cat .env to look for a port: the keys beside it were in the transcript, which was attached to a bug report",
    tools: &[Tool::Shell, Tool::Read],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::of(Call::Read(".env")).given(ENV).saying(".env"),
        Example::of(Call::Read("server.pem"))
            .given(PEM)
            .saying("a private key"),
        Example::of(Call::Read("../.ssh/id_ed25519"))
            .given("mkdir -p ../.ssh; echo k > ../.ssh/id_ed25519"),
        Example::shell("cat .env").given(ENV).saying(".env"),
        Example::shell("cat ./src/../.env").given(ENV),
        Example::shell("head -n 3 .env").given(ENV),
        Example::shell("sed -n 1,20p .env").given(ENV),
        Example::shell("grep PORT .env").given(ENV),
        Example::shell("cat < .env").given(ENV),
        Example::shell("cat .env | head -3").given(ENV),
        Example::shell("cat .env | grep PORT").given(ENV),
        Example::shell("cat .env | base64").given(ENV),
        Example::shell("echo \"$(cat .env)\"").given(ENV),
        Example::shell("base64 server.pem").given(PEM),
        Example::shell("cat ~/.aws/credentials")
            .given("mkdir -p ../.aws; echo k > ../.aws/credentials"),
        Example::shell("cat ../.netrc").given("echo k > ../.netrc"),
        Example::shell("python3 -c \"print(open('.env').read())\"").given(ENV),
        Example::shell("node -e \"console.log(require('fs').readFileSync('.env','utf8'))\"")
            .given(ENV),
        Example::shell("git show HEAD:.env")
            .given("echo A=1 > .env; git add -f .env; git commit -qm e"),
        Example::shell("git log -p -- .env")
            .given("echo A=1 > .env; git add -f .env; git commit -qm e"),
        Example::shell("ln -s .env plain; cat plain").given("echo A=1 > .env; ln -s .env plain"),
    ],
    allowed: &[
        Example::of(Call::Read(".env.example")).given("echo A= > .env.example"),
        Example::of(Call::Read("key.pub")).given("echo ssh-ed25519 > key.pub"),
        Example::of(Call::Read("ca.pem")).given("echo '-----BEGIN CERTIFICATE-----' > ca.pem"),
        Example::of(Call::Read("a.txt")),
        Example::shell("grep -o '^[A-Z_]*=' .env").given(ENV),
        Example::shell("cut -d= -f1 .env").given(ENV),
        Example::shell("sed 's/=.*//' .env").given(ENV),
        Example::shell("awk -F= '{print $1}' .env").given(ENV),
        Example::shell("grep -q PORT .env && echo set").given(ENV),
        Example::shell("grep -c = .env").given(ENV),
        Example::shell("wc -l .env; ls -la .env; stat .env").given(ENV),
        Example::shell("source .env && make").given(ENV),
        Example::shell("set -a; . ./.env; set +a; env -u X true").given(ENV),
        Example::shell("export $(grep -v '^#' .env | xargs)").given(ENV),
        Example::shell("export $(cat .env | xargs) && make").given(ENV),
        Example::shell("cat .env | cut -d= -f1").given(ENV),
        Example::shell("cat .env | wc -l").given(ENV),
        Example::shell("cp .env.example .env").given("echo A= > .env.example"),
        Example::shell("cat .env > /dev/null").given(ENV),
        Example::shell("docker run --env-file .env app").given(ENV),
        Example::shell("cat .env.example").given("echo A= > .env.example"),
        Example::shell("cat .env"),
        Example::shell("cat .env/pyvenv.cfg; grep -rn home .env")
            .given("mkdir .env; echo home > .env/pyvenv.cfg"),
        Example::shell("git show --stat HEAD -- .env").given(ENV),
        Example::shell("echo 'run cat .env to see'").given(ENV),
        Example::shell("ls -a | grep .env").given(ENV),
        Example::shell("diff .env.example a.txt").given("echo A= > .env.example"),
    ],
};

const ENV: &str = "printf 'API_KEY=abc\\nPORT=80\\n' > .env";
const PEM: &str = "printf -- '-----BEGIN PRIVATE KEY-----\\nabc\\n' > server.pem";

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    match &case.subject {
        Subject::Reading(path) => Ok(match secret(case, path) {
            Some(kind) => refusal(path, kind),
            None if credential::is_example(path) => {
                return Opinion::passes("it shows which settings there are");
            }
            None => Opinion::Silent,
        }),
        Subject::Command(command) => Ok(shown(case, command)),
        _ => Ok(Opinion::Silent),
    }
}

/// What a file holds, if there is such a file and it holds secrets.
fn secret(case: &Case<'_>, path: &[u8]) -> Option<&'static str> {
    let kind = credential::secret_kind(path, || case.content(path))?;
    let has_content = |meta: Meta| meta.kind == Kind::File && meta.size > 0;
    case.fs.lstat(path).is_ok_and(has_content).then_some(kind)
}

fn shown(case: &Case<'_>, command: &Command<'_>) -> Opinion {
    let words = command.words();
    let named = |word: &[u8]| {
        let path = command.path(word)?;
        secret(case, &path).map(|_| path)
    };
    let printed = matches!(command.name, b"echo" | b"printf");
    let arguments = command.fields[1..]
        .iter()
        .flat_map(|field| field.text.taints());
    let fed = command.input().into_iter().flat_map(|text| text.taints());
    let origin = arguments
        .filter(|_| printed)
        .chain(fed.filter(|_| credential::hands_on(command.name, &words)))
        .find_map(|origin| match origin {
            Taint::Secret(path) | Taint::File(path) => secret(case, path).map(|_| path.to_vec()),
            Taint::Network => None,
        });
    let file = credential::reads_secret(command.name, &words, &named)
        .or_else(|| command.git().and_then(|git| in_history(git, command)))
        .or(origin);
    let Some(file) = file else {
        return Opinion::Silent;
    };
    if !command.is_shown {
        return Opinion::Passes(format!(
            "what it prints of {} does not come into the session",
            String::from_utf8_lossy(file_name(&file))
        ));
    }
    let kind = credential::secret_kind(&file, || case.content(&file)).unwrap_or("secrets");
    refusal(&file, kind)
}

/// `git show REV:FILE`, `git log -p -- FILE`, `git diff FILE`: git has it even where the disk has not.
fn in_history(git: &Invocation, command: &Command<'_>) -> Option<Vec<u8>> {
    let verbs: [&[u8]; 5] = [b"show", b"diff", b"log", b"blame", b"cat-file"];
    if !verbs.contains(&git.verb.as_slice()) {
        return None;
    }
    let words: Vec<&[u8]> = git
        .words
        .iter()
        .filter_map(|word| word.as_deref())
        .collect();
    let less = |word: &&[u8]| {
        [
            &b"--stat"[..],
            b"--name-",
            b"--quiet",
            b"--numstat",
            b"--shortstat",
            b"--summary",
            b"--oneline",
        ]
        .iter()
        .any(|option| word.starts_with(option))
    };
    let patch = words
        .iter()
        .any(|word| matches!(*word, b"-p" | b"-u" | b"--patch"));
    if !patch && (git.verb == b"log" || words.iter().any(less)) {
        return None;
    }
    words
        .iter()
        .filter(|word| !word.starts_with(b"-"))
        .find_map(|word| {
            let path = word
                .iter()
                .position(|byte| *byte == b':')
                .map_or(*word, |colon| &word[colon + 1..]);
            let path = command.path(path)?;
            credential::secret_kind(&path, || None).map(|_| path)
        })
}

fn refusal(path: &[u8], kind: &str) -> Opinion {
    let name = crate::message::escape(file_name(path));
    let article = kind.starts_with(['a', 'e'])
        && (kind.starts_with("a ") || kind.starts_with("an "))
        || kind.starts_with("the ");
    let what = if article {
        kind.to_owned()
    } else {
        format!("{kind}, which are secret")
    };
    Opinion::Refuses(Finding {
        operation: "read",
        about: path.to_vec(),
        reasons: vec![format!(
            "{name} holds {what}: what is read stays in the session's transcript"
        )],
        instead: format!(
            "look at the names only: `grep -o '^[A-Z_]*=' {}`",
            crate::message::escape(&quoted(path))
        ),
    })
}

fn quoted(path: &[u8]) -> Vec<u8> {
    crate::message::quote_words(&[path.to_vec()])
}
