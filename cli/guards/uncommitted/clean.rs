//! `git clean`: git itself says what it would remove.

use std::collections::BTreeSet;

use super::Case;
use super::loss::{Against, Kind, Loss, Losses};
use super::overwrites;
use super::walk::Walk;
use crate::git::{Ask, Line, Options, Repository, Silence, unquoted};

const CLEAN: Options = Options {
    short: "de:finqxX",
    long: &[
        ("exclude=", b'e'),
        ("force", b'f'),
        ("interactive", b'i'),
        ("dry-run", b'n'),
        ("no-dry-run", b'N'),
        ("quiet", b'q'),
    ],
};

/// What a clean takes, but for the paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Taking {
    /// `-d`, `-e` and so on, as git takes them; `-n` is not among them.
    options: Vec<Vec<u8>>,
    specs: Vec<Vec<u8>>,
}

impl Taking {
    /// Everything that is not tracked, also in directories and repositories of their own.
    pub(super) fn everything() -> Self {
        Self {
            options: vec![b"-d".to_vec(), b"-ff".to_vec()],
            specs: Vec::new(),
        }
    }

    /// What git would remove with one more option, as paths from the top of the work tree on.
    fn preview(
        &self,
        repository: &Repository,
        git: &dyn Ask,
        more: Option<&[u8]>,
    ) -> Result<Vec<Vec<u8>>, Silence> {
        let mut words = vec![b"clean".to_vec(), b"-n".to_vec()];
        words.extend(self.options.iter().cloned());
        words.extend(more.map(<[u8]>::to_vec));
        words.push(b"--".to_vec());
        words.extend(self.specs.iter().cloned());
        let lines = repository.list(git, &words, b'\n')?;
        let (_, prefix) = repository.top(git)?;
        Ok(lines
            .iter()
            .filter_map(|line| line.strip_prefix(b"Would remove "))
            .map(|name| from_top(&prefix, &unquoted(name)))
            .collect())
    }
}

/// What `git clean` would lose.
pub(super) fn losses(case: &Case<'_>) -> Result<Option<Losses>, Silence> {
    let line = CLEAN.read(&case.invocation.words);
    let dry = line.last_of(b"nN") == Some(b'n');
    if dry || line.has(b'i') || !(line.has(b'f') || is_unforced(case)?) {
        return Ok(None);
    }
    let Some(taking) = taking(&line) else {
        return Ok(None);
    };
    let repository = &case.invocation.repository;
    let (all, only) = (line.has(b'x'), line.has(b'X'));
    let mut found = match (all, only) {
        // git refuses both at once.
        (true, true) => return Ok(None),
        (true, false) => removed(case, repository, &taking, true)?,
        (false, true) => {
            let paths = taking.preview(repository, case.git, Some(b"-X"))?;
            walked(case, repository, &paths, &|_| true)?
        }
        (false, false) => removed(case, repository, &taking, false)?,
    };
    if !all && !only {
        found.extend(no_longer_ignored(case, &taking)?);
    }
    Ok(Some(Losses {
        repository: repository.clone(),
        against: Against::Index,
        all: found,
    }))
}

/// What a repository would lose if everything untracked went, ignored or not.
pub(super) fn removed(
    case: &Case<'_>,
    repository: &Repository,
    taking: &Taking,
    ignored_too: bool,
) -> Result<Vec<Loss>, Silence> {
    let plain = taking.preview(repository, case.git, None)?;
    if !ignored_too {
        return walked(case, repository, &plain, &|_| false);
    }
    let every = taking.preview(repository, case.git, Some(b"-x"))?;
    walked(case, repository, &every, &|path| !covers(&plain, path))
}

/// The work among what would be removed.
fn walked(
    case: &Case<'_>,
    repository: &Repository,
    paths: &[Vec<u8>],
    ignored: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<Loss>, Silence> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let (top, _) = repository.top(case.git)?;
    let mut walk = Walk::new(case.fs, &top, ignored);
    for path in paths {
        walk.look(path);
    }
    let lost = walk.found.into_iter().filter_map(|work| {
        let path = [&top, b"/".as_slice(), &work.path].concat();
        let (kind, kept) = if work.ignored {
            (Kind::Ignored, case.saved.has_copy(&path))
        } else {
            (
                Kind::Untracked,
                case.saved.holds(&path) || case.saved.has_added(&path),
            )
        };
        (!kept).then(|| Loss::new(kind, work.path))
    });
    Ok(lost.collect())
}

/// Files that are ignored by a rule which an earlier command of the string takes away: by then they are untracked.
fn no_longer_ignored(case: &Case<'_>, taking: &Taking) -> Result<Vec<Loss>, Silence> {
    let Some(state) = &case.saved.moved else {
        return Ok(Vec::new());
    };
    let repository = &case.invocation.repository;
    let tree = [state.strip_suffix(b":").unwrap_or(state), b"^{tree}"].concat();
    let words = [&b"rev-parse"[..], b"--quiet", b"--verify", &tree];
    if state != b":" && !repository.holds(case.git, &words)? {
        // What was given to checkout is a path.
        return Ok(Vec::new());
    }
    let ignored = taking.preview(repository, case.git, Some(b"-X"))?;
    let work = walked(case, repository, &ignored, &|_| true)?;
    if work.is_empty() {
        return Ok(Vec::new());
    }
    let (top, _) = repository.top(case.git)?;
    let mut words: Vec<Vec<u8>> = ["check-ignore", "-v", "--no-index", "--"]
        .map(|word| word.as_bytes().to_vec())
        .into();
    let path = |loss: &Loss| [&top, b"/".as_slice(), &loss.name].concat();
    words.extend(work.iter().map(path));
    let mut gone = BTreeSet::new();
    for line in repository.list(case.git, &words, b'\n')? {
        let Some((source, pattern, path)) = ignore_rule(&line) else {
            continue;
        };
        let object = [state, source].concat();
        let words = [&b"cat-file"[..], b"blob", &object];
        let rules = match repository.list(case.git, &words, b'\n') {
            Ok(rules) => rules,
            // There is no such file then.
            Err(Silence::Failed) => Vec::new(),
            Err(silence) => return Err(silence),
        };
        if !rules.iter().any(|rule| rule.trim_ascii() == pattern) {
            gone.insert(path);
        }
    }
    let lost = work.iter().filter(|loss| gone.contains(&path(loss)));
    Ok(lost
        .map(|loss| {
            let what = "ignored only by a rule that goes first".to_owned();
            Loss::saying(Kind::Ignored, loss.name.clone(), what)
        })
        .collect())
}

/// File, pattern and path of a line `FILE:LINE:PATTERN<TAB>PATH`, if the file is a `.gitignore`.
fn ignore_rule(line: &[u8]) -> Option<(&[u8], &[u8], Vec<u8>)> {
    const NAME: &[u8] = b".gitignore";
    let end = NAME.len() + line.windows(NAME.len()).position(|part| part == NAME)?;
    let (source, rest) = line.split_at(end);
    let mut fields = rest.strip_prefix(b":")?.splitn(2, |byte| *byte == b':');
    let rule = fields.nth(1)?;
    let tab = rule.iter().rposition(|byte| *byte == b'\t')?;
    Some((source, &rule[..tab], unquoted(&rule[tab + 1..])))
}

fn is_unforced(case: &Case<'_>) -> Result<bool, Silence> {
    if case.invocation.unforced {
        return Ok(true);
    }
    let words = ["config", "--type=bool", "--get", "clean.requireForce"];
    match case.invocation.repository.ask(case.git, &words) {
        Ok(value) => Ok(value.trim_ascii() == b"false"),
        Err(Silence::Failed) => Ok(false),
        Err(silence) => Err(silence),
    }
}

fn taking(line: &Line) -> Option<Taking> {
    let mut options = Vec::new();
    if line.has(b'd') {
        options.push(b"-d".to_vec());
    }
    options.extend((0..line.count(b'f').min(2)).map(|_| b"-f".to_vec()));
    for pattern in line.values(b'e') {
        options.push([b"--exclude=", pattern?.as_deref()?].concat());
    }
    let specs: Vec<_> = line.all().cloned().collect();
    let specs = if specs.is_empty() {
        Vec::new()
    } else {
        overwrites::specs(&specs)?
    };
    Some(Taking { options, specs })
}

/// `path`, which begins at `prefix`, without dots and a slash at its end.
fn from_top(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let mut names: Vec<&[u8]> = Vec::new();
    for name in prefix
        .split(|byte| *byte == b'/')
        .chain(path.split(|byte| *byte == b'/'))
    {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join(&b'/')
}

/// Whether any of the paths is `path`, or a directory that holds it.
fn covers(paths: &[Vec<u8>], path: &[u8]) -> bool {
    paths.iter().any(|known| {
        path.strip_prefix(known.as_slice())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    })
}
