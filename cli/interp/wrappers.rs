//! Programs that run another command line: seen through, down to what really runs.

use super::{
    Halt, Interpreter,
    invoke::Call,
    outputs,
    state::{Cwd, Input, Path, State, Status},
    value::{Field, Segment, Text, Unknown, Value},
};
use crate::shell::ast::Dialect;

/// How a wrapper's own words end and the other command begins.
struct Wrapper {
    names: &'static [&'static str],
    /// Short options that take a value.
    short: &'static str,
    /// Long options that take a value in the next word.
    long: &'static [&'static str],
    /// Operands before the command.
    operands: usize,
    /// `NAME=value` words may stand before the command.
    assignments: bool,
    /// Options that change the directory.
    directory: &'static [&'static str],
    /// Options whose value is a shell string, or (for `env -S`) a command line.
    string: &'static [&'static str],
}

const PLAIN: Wrapper = Wrapper {
    names: &[],
    short: "",
    long: &[],
    operands: 0,
    assignments: false,
    directory: &[],
    string: &[],
};

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo"],
        short: "CDghpRrTtUu",
        long: &[
            "--close-from",
            "--chdir",
            "--group",
            "--host",
            "--prompt",
            "--chroot",
            "--role",
            "--command-timeout",
            "--type",
            "--other-user",
            "--user",
        ],
        assignments: true,
        directory: &["-D", "--chdir"],
        ..PLAIN
    },
    Wrapper {
        names: &["doas"],
        short: "Cu",
        ..PLAIN
    },
    Wrapper {
        names: &["env", "genv"],
        short: "uCS",
        long: &["--unset", "--chdir", "--split-string"],
        assignments: true,
        directory: &["-C", "--chdir"],
        string: &["-S", "--split-string"],
        ..PLAIN
    },
    Wrapper {
        names: &["nice"],
        short: "n",
        long: &["--adjustment"],
        ..PLAIN
    },
    Wrapper {
        names: &["ionice"],
        short: "cnpPu",
        long: &["--class", "--classdata"],
        ..PLAIN
    },
    Wrapper {
        names: &[
            "nohup",
            "setsid",
            "catchsegv",
            "eatmydata",
            "fakeroot",
            "unbuffer",
            "caffeinate",
            "linux32",
            "linux64",
            "setarch",
            "dbus-run-session",
            "noglob",
            "nocorrect",
            "exec",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["time"],
        short: "fo",
        long: &["--format", "--output"],
        ..PLAIN
    },
    Wrapper {
        names: &["timeout", "gtimeout"],
        short: "ks",
        long: &["--kill-after", "--signal"],
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: &["stdbuf", "gstdbuf"],
        short: "ioe",
        long: &["--input", "--output", "--error"],
        ..PLAIN
    },
    Wrapper {
        names: &["chrt"],
        short: "TPD",
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: &["taskset"],
        operands: 1,
        ..PLAIN
    },
    Wrapper {
        names: &["flock"],
        short: "wEc",
        long: &["--timeout", "--conflict-exit-code", "--command"],
        operands: 1,
        string: &["-c", "--command"],
        ..PLAIN
    },
    Wrapper {
        names: &["pkexec"],
        long: &["--user"],
        ..PLAIN
    },
    Wrapper {
        names: &["runuser", "su"],
        short: "ucgGsCw",
        long: &[
            "--user",
            "--command",
            "--group",
            "--supp-group",
            "--shell",
            "--session-command",
        ],
        string: &["-c", "--command", "--session-command"],
        ..PLAIN
    },
    Wrapper {
        names: &["strace", "ltrace"],
        short: "oepsaEuPbOSUXI",
        ..PLAIN
    },
    Wrapper {
        names: &[
            "setpriv",
            "prlimit",
            "systemd-inhibit",
            "firejail",
            "proxychains",
            "proxychains4",
            "xvfb-run",
            "valgrind",
            "numactl",
            "cpulimit",
            "trickle",
            "torsocks",
            "chpst",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["systemd-run"],
        short: "puHMED",
        long: &[
            "--property",
            "--unit",
            "--description",
            "--slice",
            "--setenv",
            "--working-directory",
            "--uid",
            "--gid",
            "--nice",
            "--on-active",
            "--on-calendar",
            "--service-type",
            "--machine",
            "--host",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["unshare"],
        short: "RwSG",
        long: &[
            "--root",
            "--wd",
            "--setuid",
            "--setgid",
            "--map-user",
            "--map-group",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["script"],
        short: "cIOBtTEm",
        long: &["--command"],
        string: &["-c", "--command"],
        ..PLAIN
    },
    Wrapper {
        names: &["busybox", "toybox"],
        ..PLAIN
    },
    Wrapper {
        names: &["entr"],
        short: "",
        ..PLAIN
    },
];

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
    match text {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "mksh" | "rbash" | "fish" => {
            shell(interpreter, text, call, state).map(Some)
        }
        "xargs" | "gxargs" => xargs(interpreter, call, state).map(Some),
        "parallel" => parallel(interpreter, call, state).map(Some),
        "watch" => watch(interpreter, call, state).map(Some),
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

/// What a program sees: the state with the assignments in front of it.
fn child_state(call: &Call, state: &State) -> State {
    let mut inner = state.clone();
    for (name, value) in &call.prefix {
        inner.assign(name, value.clone());
        inner.export(name);
    }
    inner
}

fn finish(interpreter: &Interpreter<'_>, state: &State, paths: Vec<Path>) -> Vec<Path> {
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

/// `sh -c STRING NAME ARGS`, `sh FILE`, `sh -s`, and a shell that reads its standard input.
fn shell(
    interpreter: &mut Interpreter<'_>,
    name: &str,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    let dialect = match name {
        "bash" | "rbash" => Dialect::Bash,
        "zsh" => Dialect::Zsh,
        "sh" | "fish" => Dialect::Unknown,
        _ => Dialect::Sh,
    };
    let mut at = 1;
    let mut string = false;
    let mut stdin = false;
    while let Some(word) = call.fields.get(at).and_then(|field| field.text.bytes()) {
        if word == b"--" || word == b"-" {
            at += 1;
            break;
        }
        if word.starts_with(b"--") {
            at += if matches!(word, b"--rcfile" | b"--init-file") {
                2
            } else {
                1
            };
            continue;
        }
        if !matches!(word.first(), Some(b'-' | b'+')) || word.len() < 2 {
            break;
        }
        string |= word[0] == b'-' && word.contains(&b'c');
        stdin |= word.contains(&b's');
        // `-o NAME` and `-O NAME` take the next word.
        at += 1 + word[1..]
            .iter()
            .filter(|letter| matches!(letter, b'o' | b'O'))
            .count();
    }
    let inner = child_state(call, state);
    let rest = call.fields.get(at..).unwrap_or_default();
    let texts = |fields: &[Field]| {
        fields
            .iter()
            .map(|field| field.text.clone())
            .collect::<Vec<_>>()
    };
    let paths = if string {
        let Some((script, arguments)) = rest.split_first() else {
            return Ok(vec![Path {
                state: state.clone(),
                status: Status::NonZero,
            }]);
        };
        let zero = arguments
            .first()
            .map_or_else(|| Text::known(name), |field| field.text.clone());
        let child = interpreter.child(
            &inner,
            Some(texts(arguments.get(1..).unwrap_or_default())),
            zero,
        );
        interpreter.shell(&script.text, dialect, child)?
    } else if let Some(file) = rest.first().filter(|_| {
        !stdin
            && rest
                .first()
                .is_none_or(|field| field.text.bytes() != Some(b"/dev/stdin"))
    }) {
        let shown = String::from_utf8_lossy(&file.text.display()).into_owned();
        interpreter.court.note(format!(
            "{name} runs {shown}: what it does is judged only as it happens"
        ));
        let mut child = inner;
        child.disk_changed = true;
        outputs::append_unknown(interpreter, &mut child, "the output of a script");
        vec![Path {
            state: child,
            status: Status::Unknown,
        }]
    } else {
        let child = interpreter.child(&inner, Some(texts(rest)), Text::known(name));
        match Interpreter::input_text(&inner).cloned() {
            Some(text) => interpreter.shell(&text, dialect, child)?,
            None => vec![Path {
                state: child,
                status: Status::Unknown,
            }],
        }
    };
    Ok(finish(interpreter, state, paths))
}

/// Words that `xargs` would append are followed up to this many.
const MOST_ITEMS: usize = 1000;

fn xargs(interpreter: &mut Interpreter<'_>, call: &Call, state: &State) -> Result<Vec<Path>, Halt> {
    let own = Wrapper {
        names: &["xargs"],
        short: "IJRnPLsdEa",
        long: &[
            "--arg-file",
            "--delimiter",
            "--max-args",
            "--max-procs",
            "--max-lines",
            "--max-chars",
            "--replace",
            "--eof",
        ],
        ..PLAIN
    };
    let given = |short: &[u8], long: &[u8]| {
        let mut words = call
            .fields
            .iter()
            .skip(1)
            .map(|field| field.text.bytes().unwrap_or_default());
        while let Some(word) = words.next() {
            if word == short || word == long {
                return words.next().map(<[u8]>::to_vec);
            }
            if let Some(value) = word
                .strip_prefix(short)
                .filter(|value| !value.is_empty() && short.len() == 2)
            {
                return Some(value.to_vec());
            }
            if let Some(value) = word
                .strip_prefix(long)
                .and_then(|rest| rest.strip_prefix(b"="))
            {
                return Some(value.to_vec());
            }
        }
        None
    };
    let taken = take(&own, &call.fields);
    if taken.rest.is_empty() {
        let mut after = state.clone();
        outputs::append_unknown(interpreter, &mut after, "the output of xargs");
        return Ok(vec![Path {
            state: after,
            status: Status::Unknown,
        }]);
    }
    let replace = given(b"-I", b"--replace").or_else(|| {
        call.fields
            .iter()
            .any(|field| field.text.bytes() == Some(b"-i"))
            .then(|| b"{}".to_vec())
    });
    let from_file = given(b"-a", b"--arg-file").is_some();
    let zero = call.fields.iter().any(|field| {
        matches!(field.text.bytes(), Some(b"-0" | b"--null"))
            || field.text.bytes().is_some_and(|word| {
                word.len() > 1 && word[0] == b'-' && word[1] != b'-' && word.contains(&b'0')
            })
    });
    let delimiter = given(b"-d", b"--delimiter");
    let items = match (&state.input, from_file) {
        (Input::Text(text), false) => {
            split_items(text, zero, delimiter.as_deref(), replace.is_some())
        }
        _ => None,
    };
    let why: std::rc::Rc<str> = match &state.input {
        Input::Text(text) => text
            .why_unknown()
            .map_or_else(|| "standard input".into(), |unknown| unknown.why.clone()),
        Input::Unknown => "standard input".into(),
    };
    let unknown = || Field {
        text: Text::unknown(Unknown::anything(why.clone())),
        spelled: b"(standard input)"[..].into(),
        ..Field::default()
    };
    let items = items.unwrap_or_else(|| vec![unknown()]);
    let mut commands: Vec<Vec<Field>> = Vec::new();
    match &replace {
        Some(replace) => {
            for item in &items {
                commands.push(
                    taken
                        .rest
                        .iter()
                        .map(|field| substituted(field, replace, &item.text))
                        .collect(),
                );
            }
        }
        None => commands.push(taken.rest.iter().cloned().chain(items).collect()),
    }
    let mut paths = Vec::new();
    let inner = child_state(call, state);
    for fields in commands {
        let command = Call {
            prefix: Vec::new(),
            ..call.inner(fields)
        };
        let mut own = inner.clone();
        own.input = Input::Unknown;
        paths.extend(interpreter.fork(own, |this, state| this.invoke(command, state))?);
    }
    Ok(finish(interpreter, state, paths))
}

/// A word with every `marker` in it replaced.
pub(crate) fn substituted(field: &Field, marker: &[u8], with: &Text) -> Field {
    let mut out = Field {
        text: Text {
            losses: field.text.losses.clone(),
            ..Text::default()
        },
        ..field.clone()
    };
    for segment in &field.text.segments {
        match segment {
            Segment::Known(bytes) => {
                let mut rest = bytes.as_slice();
                while let Some(at) = find(rest, marker) {
                    out.text.push_bytes(&rest[..at]);
                    out.text.append(with);
                    rest = &rest[at + marker.len()..];
                }
                out.text.push_bytes(rest);
            }
            Segment::Unknown(unknown) => out.text.push_unknown(unknown.clone()),
        }
    }
    out
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    text.windows(word.len()).position(|window| window == word)
}

/// The items in a text; `None` if something in it is not known and could be anything.
fn split_items(
    text: &Text,
    zero: bool,
    delimiter: Option<&[u8]>,
    lines: bool,
) -> Option<Vec<Field>> {
    let mut items: Vec<Text> = vec![Text::default()];
    let mut quote = None;
    for segment in &text.segments {
        match segment {
            Segment::Known(bytes) => {
                let mut bytes = bytes.iter();
                while let Some(&byte) = bytes.next() {
                    let ends = match delimiter {
                        _ if quote.is_some() => false,
                        Some(delimiter) => {
                            delimiter == [byte]
                                || delimiter == b"\\n" && byte == b'\n'
                                || delimiter == b"\\0" && byte == 0
                        }
                        None if zero => byte == 0,
                        None if lines => byte == b'\n',
                        None => byte.is_ascii_whitespace(),
                    };
                    let quotes = !zero && delimiter.is_none();
                    if ends {
                        items.push(Text::default());
                        continue;
                    }
                    let last = items.last_mut()?;
                    match byte {
                        b'\\' if quotes => {
                            if let Some(&next) = bytes.next() {
                                last.push_bytes(&[next]);
                            }
                        }
                        b'\'' | b'"' if quotes && quote == Some(byte) => quote = None,
                        b'\'' | b'"' if quotes && quote.is_none() => quote = Some(byte),
                        _ => last.push_bytes(&[byte]),
                    }
                }
            }
            Segment::Unknown(unknown) if unknown.found.is_some() || !unknown.may_hold_slash => {
                items.last_mut()?.push_unknown(unknown.clone())
            }
            Segment::Unknown(_) => return None,
        }
    }
    items.retain(|item| !item.is_empty());
    if items.len() > MOST_ITEMS {
        return None;
    }
    Some(
        items
            .into_iter()
            .map(|text| Field {
                spelled: text.display().as_slice().into(),
                text,
                ..Field::default()
            })
            .collect(),
    )
}

/// `parallel CMD ::: ARGS`
fn parallel(
    interpreter: &mut Interpreter<'_>,
    call: &Call,
    state: &State,
) -> Result<Vec<Path>, Halt> {
    let own = Wrapper {
        names: &["parallel"],
        short: "jNnLPSIdaEs",
        long: &["--jobs", "--max-args", "--colsep", "--arg-file"],
        ..PLAIN
    };
    let taken = take(&own, &call.fields);
    let split = taken
        .rest
        .iter()
        .position(|field| matches!(field.text.bytes(), Some(b":::" | b":::+" | b"::::")));
    let (command, arguments) = match split {
        Some(at) => (taken.rest[..at].to_vec(), taken.rest[at + 1..].to_vec()),
        None => {
            let why = Unknown::anything("standard input");
            (
                taken.rest,
                vec![Field {
                    text: Text::unknown(why),
                    spelled: b"(standard input)"[..].into(),
                    ..Field::default()
                }],
            )
        }
    };
    let mut paths = Vec::new();
    for argument in &arguments {
        let holds = command.iter().any(|field| {
            field
                .text
                .bytes()
                .is_some_and(|word| find(word, b"{}").is_some())
        });
        let mut fields: Vec<Field> = command
            .iter()
            .map(|field| substituted(field, b"{}", &argument.text))
            .collect();
        if !holds {
            fields.push(argument.clone());
        }
        // The command is a template for a shell: one word may hold several.
        let single = fields.len() <= 2
            && fields
                .first()
                .is_some_and(|field| field.text.bytes().is_some_and(|word| word.contains(&b' ')));
        let inner = child_state(call, state);
        if single {
            let mut text = Text::default();
            for field in &fields {
                text.append(&field.text);
                text.push_bytes(b" ");
            }
            let child = interpreter.child(&inner, Some(Vec::new()), Text::known(*b"sh"));
            paths.extend(interpreter.shell(&text, Dialect::Unknown, child)?);
        } else if !fields.is_empty() {
            let inner_call = Call {
                prefix: Vec::new(),
                ..call.inner(fields)
            };
            paths.extend(interpreter.fork(inner, |this, state| this.invoke(inner_call, state))?);
        }
    }
    Ok(finish(interpreter, state, paths))
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
