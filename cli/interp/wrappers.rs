//! Programs that run another command line: seen through, down to what really runs.

mod feeds;
mod sessions;
mod shells;
mod table;

pub(crate) use feeds::{FED, substituted};

use super::{
    Halt, Interpreter,
    invoke::Call,
    outputs, recipes,
    state::{Cwd, Path, State, Status},
    value::{Field, Text, Value},
};
use crate::shell::ast::Dialect;
use table::{PLAIN, WRAPPERS, Wrapper};

/// Runs a wrapper; `None` if the program is none.
pub(super) fn run(
    interpreter: &mut Interpreter<'_>,
    name: &[u8],
    call: &Call,
    state: &State,
) -> Result<Option<Vec<Path>>, Halt> {
    let text = std::str::from_utf8(name).unwrap_or_default();
    if let Some(wrapper) = WRAPPERS
        .iter()
        .find(|wrapper| wrapper.names.contains(&text))
    {
        return through(interpreter, wrapper, call, state).map(Some);
    }
    if is_loader(text) {
        return through(interpreter, &LOADER, call, state).map(Some);
    }
    match text {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "mksh" | "rbash" | "fish" => {
            shells::shell(interpreter, text, call, state).map(Some)
        }
        "xargs" | "gxargs" => feeds::xargs(interpreter, call, state).map(Some),
        "parallel" => feeds::parallel(interpreter, call, state).map(Some),
        "make" | "gmake" => recipes::make(interpreter, call, state),
        "npm" | "pnpm" | "yarn" | "bun" => match fetched(interpreter, call, state)? {
            None => recipes::package(interpreter, text, call, state),
            paths => Ok(paths),
        },
        "watch" => watch(interpreter, call, state).map(Some),
        "tmux" => sessions::tmux(interpreter, call, state).map(Some),
        "hyperfine" => sessions::hyperfine(interpreter, call, state).map(Some),
        // What they run, they read.
        "at" | "batch" => {
            let own = call.inner(vec![Field::known(*b"sh")]);
            shells::shell(interpreter, "sh", &own, state).map(Some)
        }
        "uv" | "poetry" | "pipenv" | "pdm" | "hatch" | "rye" | "bundle" | "conda" | "mamba"
        | "direnv" | "mise" => runner(interpreter, call, state),
        "ssh" | "docker" | "podman" | "kubectl" | "nsenter" | "chroot" | "lxc" => {
            interpreter.court.note(format!(
                "{text} runs its command elsewhere: what it does there is not judged"
            ));
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// The loader itself: it runs the program that it is given.
const LOADER: Wrapper = Wrapper {
    long: &[
        "--library-path",
        "--preload",
        "--argv0",
        "--audit",
        "--inhibit-rpath",
    ],
    ..PLAIN
};

fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux") || name.starts_with("ld-musl") || name == "ld.so"
}

/// `npm exec CMD`, `pnpm dlx CMD`, `bun x CMD`.
fn fetched(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Option<Vec<Path>>, Halt> {
    let verb = call.fields.get(1).and_then(|field| field.text.bytes());
    if !matches!(verb, Some(b"exec" | b"x" | b"dlx")) {
        return Ok(None);
    }
    let mut fields = call.fields[1..].to_vec();
    fields[0] = Field::known(*b"npx");
    run(interpreter, b"npx", &call.inner(fields), state)
}

/// The words of a wrapper, taken apart.
struct Taken {
    rest: Vec<Field>,
    assignments: Vec<(Vec<u8>, Text)>,
    directory: Option<Text>,
    string: Option<Text>,
    login: bool,
}

fn take(wrapper: &Wrapper, fields: &[Field]) -> Taken {
    let mut taken = Taken {
        rest: Vec::new(),
        assignments: Vec::new(),
        directory: None,
        string: None,
        login: false,
    };
    let mut at = 1;
    let mut operands = wrapper.operands;
    let mut options = true;
    let keep = |option: &str, value: Text, taken: &mut Taken| {
        if wrapper.directory.contains(&option) {
            taken.directory = Some(value.clone());
        }
        if wrapper.string.contains(&option) {
            taken.string = Some(value);
        }
    };
    while let Some(field) = fields.get(at) {
        let prefix = field.text.prefix();
        if options && prefix == b"--" && field.text.bytes().is_some() {
            options = false;
            at += 1;
            continue;
        }
        if options && prefix.starts_with(b"--") {
            let end = prefix.iter().position(|byte| *byte == b'=');
            let option =
                String::from_utf8_lossy(&prefix[..end.unwrap_or(prefix.len())]).into_owned();
            if let Some(end) = end {
                keep(
                    &option,
                    super::variables::skip(&field.text, end + 1),
                    &mut taken,
                );
            } else if wrapper.long.contains(&option.as_str()) {
                at += 1;
                if let Some(value) = fields.get(at) {
                    keep(&option, value.text.clone(), &mut taken);
                }
            }
            at += 1;
            continue;
        }
        if options && prefix.first() == Some(&b'-') && prefix.len() > 1 {
            for (offset, letter) in prefix.iter().enumerate().skip(1) {
                taken.login |= matches!(letter, b'i' | b's') && wrapper.names == ["sudo"];
                if wrapper.short.as_bytes().contains(letter) {
                    let option = format!("-{}", char::from(*letter));
                    if offset + 1 < prefix.len() || field.text.segments.len() > 1 {
                        keep(
                            &option,
                            super::variables::skip(&field.text, offset + 1),
                            &mut taken,
                        );
                    } else {
                        at += 1;
                        if let Some(value) = fields.get(at) {
                            keep(&option, value.text.clone(), &mut taken);
                        }
                    }
                    break;
                }
            }
            at += 1;
            continue;
        }
        if wrapper.assignments
            && let Some(equals) = prefix.iter().position(|byte| *byte == b'=')
        {
            taken.assignments.push((
                prefix[..equals].to_vec(),
                super::variables::skip(&field.text, equals + 1),
            ));
            at += 1;
            continue;
        }
        if operands > 0 {
            operands -= 1;
            at += 1;
            continue;
        }
        break;
    }
    taken.rest = fields.get(at..).unwrap_or_default().to_vec();
    taken
}

fn through(
    interpreter: &mut Interpreter<'_>,
    wrapper: &Wrapper,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    let taken = take(wrapper, &call.fields);
    let mut inner = child_state(call, state);
    for (name, value) in taken.assignments {
        inner.assign(&name, Value::Scalar(value));
        inner.export(&name);
    }
    if let Some(directory) = &taken.directory {
        inner.cwd = changed(&inner.cwd, directory);
    }
    if let Some(string) = taken.string {
        let mut text = string;
        for field in &taken.rest {
            if wrapper.names.contains(&"env") {
                text.push_bytes(b" ");
                text.append(&field.text);
            }
        }
        let child = interpreter.child(&inner, Some(Vec::new()), Text::known(*b"sh"));
        let paths = interpreter.shell(&text, Dialect::Unknown, child)?;
        return Ok(finish(interpreter, state, paths));
    }
    let mut fields = taken.rest;
    if wrapper.names.contains(&"npx") {
        without_version(&mut fields);
    }
    // `flock FILE -c STRING`, `su - USER -c STRING`
    if (wrapper.names == ["flock"] || wrapper.names.contains(&"su"))
        && let Some(at) = fields
            .iter()
            .position(|field| matches!(field.text.bytes(), Some(b"-c" | b"--command")))
        && (at == 0 || wrapper.names != ["flock"])
        && let Some(string) = fields.get(at + 1)
    {
        let child = interpreter.child(&inner, Some(Vec::new()), Text::known(*b"sh"));
        let text = string.text.clone();
        let paths = interpreter.shell(&text, Dialect::Unknown, child)?;
        return Ok(finish(interpreter, state, paths));
    }
    if wrapper.names.contains(&"runuser")
        && fields
            .first()
            .is_some_and(|field| field.text.bytes().is_some_and(|word| word != b"--"))
        && taken.login
    {
        fields.remove(0);
    }
    if fields.is_empty() {
        let mut after = state.clone();
        outputs::append_unknown(interpreter, &mut after, "the output of a program");
        return Ok(vec![Path {
            state: after,
            status: Status::Unknown,
        }]);
    }
    let prefix = call.inner(fields);
    let paths = interpreter.fork(inner, |this, state| {
        this.invoke(
            Call {
                prefix: Vec::new(),
                ..prefix
            },
            state,
        )
    })?;
    Ok(finish(interpreter, state, paths))
}

/// `rimraf@5` is rimraf.
fn without_version(fields: &mut [Field]) {
    let Some(field) = fields.first_mut() else {
        return;
    };
    let name = field.text.bytes().unwrap_or_default();
    if let Some(at) = name
        .iter()
        .rposition(|byte| *byte == b'@')
        .filter(|at| *at > 0)
    {
        field.text = Text::known(name[..at].to_vec());
    }
}

/// What a program sees: the state with the assignments in front of it.
pub(super) fn child_state(call: &Call, state: &State) -> State {
    let mut inner = state.clone();
    for (name, value) in &call.prefix {
        inner.assign(name, value.clone());
        inner.export(name);
    }
    inner
}

pub(super) fn finish(interpreter: &Interpreter<'_>, state: &State, paths: Vec<Path>) -> Vec<Path> {
    let mut after = state.clone();
    after.absorb(&paths);
    interpreter.afterwards(&after, paths)
}

fn changed(cwd: &Cwd, directory: &Text) -> Cwd {
    match (cwd, directory.bytes()) {
        (_, Some(path)) if path.first() == Some(&b'/') => Cwd::At(path.to_vec()),
        (Cwd::At(cwd), Some(path)) => Cwd::At([cwd, b"/".as_slice(), path].concat()),
        _ => Cwd::Unknown("a directory that is not known".into()),
    }
}

/// `watch 'rm -rf x'`: its words are joined for a shell.
fn watch(interpreter: &mut Interpreter<'_>, call: &Call, state: &State) -> Result<Vec<Path>, Halt> {
    let own = Wrapper {
        names: &["watch"],
        short: "nq",
        long: &["--interval", "--equexit"],
        ..PLAIN
    };
    let taken = take(&own, &call.fields);
    let mut text = Text::default();
    for field in &taken.rest {
        text.append(&field.text);
        text.push_bytes(b" ");
    }
    let child = interpreter.child(
        &child_state(call, state),
        Some(Vec::new()),
        Text::known(*b"sh"),
    );
    let paths = interpreter.shell(&text, Dialect::Unknown, child)?;
    Ok(finish(interpreter, state, paths))
}

/// `uv run CMD`, `bundle exec CMD`.
fn runner(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Option<Vec<Path>>, Halt> {
    let verb = call.fields.get(1).and_then(|field| field.text.bytes());
    if !matches!(verb, Some(b"run" | b"exec")) {
        return Ok(None);
    }
    let own = Wrapper {
        names: &["uv"],
        short: "np",
        long: &[
            "--with",
            "--python",
            "--directory",
            "--project",
            "--name",
            "--group",
            "--extra",
        ],
        directory: &["--directory"],
        ..PLAIN
    };
    through(
        interpreter,
        &own,
        &call.inner(call.fields[1..].to_vec()),
        state,
    )
    .map(Some)
}
