//! Each layer, tried rather than assumed, and what it does not see.

use blastradius_policy::Policy;

use super::probe::{self, Problem};
use crate::args::Layer;
use crate::environment::{Effective, Environment, working_directory};
use crate::judge::{self, Session};
use crate::library;
use crate::message::escape_path;
use crate::shell::ast::Dialect;
use crate::subject::{Program, find};
use crate::unseen;

/// Whether a layer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Yes,
    /// It does not, and should.
    No,
    /// This system has none, or a sandbox forbids it.
    NotHere,
    /// Another one does more, or it would break something.
    #[cfg(target_os = "linux")]
    NotUsed,
    NotTried,
}

impl Holds {
    /// And what is to be said about it.
    fn after(tried: Result<String, Problem>) -> (Self, String) {
        match tried {
            Ok(shown) => (Self::Yes, shown),
            Err(Problem::NotToBeHad(words)) => (Self::NotHere, words),
            Err(Problem::Untried(words)) => (Self::NotTried, words),
            Err(Problem::Broken(words)) => (Self::No, words),
        }
    }
}

/// What was found about a layer.
pub(super) struct Row {
    layer: Layer,
    holds: Holds,
    shown: String,
    unseen: String,
}

impl Row {
    pub(super) fn is_well(&self) -> bool {
        self.holds != Holds::No
    }
}

/// Tries them all.
pub(super) fn try_all(environment: &Environment) -> Vec<Row> {
    // Of children that are ignored nobody is told how they end.
    #[cfg(target_os = "linux")]
    crate::kernel::sys::by_default(nix::libc::SIGCHLD);
    let effective = Effective::here(environment).ok();
    let policy = effective.as_ref().map(Effective::policy);
    let mut rows = Vec::new();
    rows.extend(policy.as_ref().map(|policy| command(policy, environment)));
    rows.push(libc(environment));
    let kernel = kernel(environment);
    let landlock = policy.and_then(|policy| landlock(&policy, environment, kernel.holds));
    rows.push(kernel);
    rows.extend(landlock);
    rows
}

/// A judgement whose outcome is known.
fn command(policy: &Policy<'_>, environment: &Environment) -> Row {
    let cwd = working_directory();
    let session = Session {
        policy,
        environment: &environment.variables,
        cwd: cwd.as_deref(),
        dialect: Dialect::Unknown,
        strict: false,
        lower_layers: false,
        explain: false,
    };
    let is_refused = judge::string(&session, b"rm -rf /", &[]).is_refused();
    let (holds, shown) = match is_refused {
        true => (Holds::Yes, "rm -rf / is refused (judged, not run)"),
        false => (Holds::No, "rm -rf / is not refused: this build is broken"),
    };
    Row {
        layer: Layer::Command,
        holds,
        shown: shown.to_owned(),
        unseen: "what a program does by itself".to_owned(),
    }
}

fn libc(environment: &Environment) -> Row {
    let (holds, shown) = try_libc(environment);
    let unseen = match cfg!(target_os = "macos") {
        true => {
            "programs below /bin, /sbin, /usr (save /usr/local) and /System and those with the hardened runtime, and \
             what these start; system calls that a program makes itself"
        }
        false => {
            "static, 32-bit and setuid programs, those written in Go, system calls that a program makes itself"
        }
    };
    Row {
        layer: Layer::Libc,
        holds,
        shown,
        unseen: unseen.to_owned(),
    }
}

fn try_libc(environment: &Environment) -> (Holds, String) {
    let path = match library::place(environment) {
        Ok(path) => path,
        Err(failure) => return (Holds::No, failure.to_string()),
    };
    let library = escape_path(&path);
    if environment.library_is_loaded() {
        let shown = "the library is loaded into this process; not tried again inside a session";
        return (Holds::Yes, shown.to_owned());
    }
    if cfg!(target_os = "macos") {
        let shown = format!("{library}: rm, by which it would be tried, is never covered");
        return (Holds::NotTried, shown);
    }
    if let Program::Executable(rm) = find(environment, b"rm")
        && let Some((rm, _)) = unseen::behind(environment, &rm)
    {
        let rm = escape_path(&rm);
        let shown =
            format!("rm, by which it would be tried, is {rm}: the library cannot see into it");
        return (Holds::NotTried, shown);
    }
    let tried = probe::refuses_unlink(environment, &path)
        .map(|()| "rm could not remove a denied file, and removed another".to_owned());
    match Holds::after(tried) {
        (Holds::Yes, shown) => (Holds::Yes, shown),
        (holds, shown) => (holds, format!("{library}: {shown}")),
    }
}

#[cfg(target_os = "linux")]
fn kernel(environment: &Environment) -> Row {
    let tried = match crate::kernel::is_above() {
        true => Ok("the supervisor of this session answers".to_owned()),
        false => super::kernel::refuses_unlink(environment).map(|()| {
            "a static program could not remove a denied file, and removed another".to_owned()
        }),
    };
    let (holds, shown) = match Holds::after(tried) {
        (Holds::NotHere, why) => (Holds::NotHere, format!("cannot be put on: {why}")),
        after => after,
    };
    let unseen = match holds {
        Holds::Yes => {
            "what others do on request (containers, ssh, cron); files that were open before. sudo and other \
             programs that gain rights gain none below it"
        }
        _ => "static programs and system calls that a program makes itself stay unseen",
    };
    Row {
        layer: Layer::Kernel,
        holds,
        shown,
        unseen: unseen.to_owned(),
    }
}

#[cfg(not(target_os = "linux"))]
fn kernel(_: &Environment) -> Row {
    Row {
        layer: Layer::Kernel,
        holds: Holds::NotHere,
        shown: "this system has none".to_owned(),
        unseen: "system calls that a program makes itself stay unseen".to_owned(),
    }
}

/// What stands in for the kernel layer.
#[cfg(target_os = "linux")]
fn landlock(policy: &Policy<'_>, environment: &Environment, kernel: Holds) -> Option<Row> {
    use crate::kernel::landlock;

    let tried = super::kernel::landlock_keeps(environment)
        .map(|()| "a file in a throw-away tree could not be removed, and another could".to_owned());
    let (holds, shown) = Holds::after(tried);
    let (holds, unseen) = match landlock::outlook(policy) {
        _ if holds != Holds::Yes => (holds, String::new()),
        _ if kernel == Holds::Yes => (
            Holds::NotUsed,
            "(it stands in where there is no kernel layer)".to_owned(),
        ),
        Ok(wall) => (
            Holds::Yes,
            format!("anything but removing, renaming and emptying in {wall}"),
        ),
        Err(without) => (Holds::NotUsed, without.to_string()),
    };
    Some(Row {
        layer: Layer::Landlock,
        holds,
        shown,
        unseen,
    })
}

#[cfg(not(target_os = "linux"))]
fn landlock(_: &Policy<'_>, _: &Environment, _: Holds) -> Option<Row> {
    None
}

const LAYER: usize = 9;
const HOLDS: usize = 11;
const SHOWN: usize = 40;
const UNSEEN: usize = 38;

/// The rows below a heading, each in as many lines as its cells need.
pub(super) fn table(rows: &[Row]) -> String {
    let heading = ["layer", "holds", "shown by", "what it does not see here"];
    let mut text = "\n".to_owned();
    line(&mut text, heading);
    for row in rows {
        let holds = match row.holds {
            Holds::Yes => "yes",
            Holds::No => "NO",
            Holds::NotHere => "not here",
            #[cfg(target_os = "linux")]
            Holds::NotUsed => "not used",
            Holds::NotTried => "not tried",
        };
        let (shown, unseen) = (wrap(&row.shown, SHOWN), wrap(&row.unseen, UNSEEN));
        for index in 0..shown.len().max(unseen.len()) {
            let cell = |lines: &[String]| lines.get(index).cloned().unwrap_or_default();
            let first = match index {
                0 => [name(row.layer), holds],
                _ => ["", ""],
            };
            line(
                &mut text,
                [first[0], first[1], &cell(&shown), &cell(&unseen)],
            );
        }
    }
    text.push('\n');
    text.push_str(conclusion(rows));
    text
}

fn name(layer: Layer) -> &'static str {
    match layer {
        Layer::Command => "command",
        Layer::Libc => "libc",
        Layer::Kernel => "kernel",
        Layer::Landlock => "landlock",
    }
}

/// What it comes to for whoever starts something.
fn conclusion(rows: &[Row]) -> &'static str {
    let found = |layer, holds| {
        rows.iter()
            .any(|row| row.layer == layer && row.holds == holds)
    };
    let holds = |layer| found(layer, Holds::Yes);
    let (libc, kernel) = (holds(Layer::Libc), holds(Layer::Kernel));
    match (libc, kernel, holds(Layer::Landlock)) {
        _ if !rows.iter().all(Row::is_well) => {
            "What programs do under `blastradius run` is not judged by every layer: see the rows with NO.\n"
        }
        _ if found(Layer::Kernel, Holds::NotTried) => {
            "Whether the kernel layer is at work below `blastradius run` could not be tried: see its row.\n"
        }
        (true, true, _) => {
            "What `blastradius run` starts is judged before it runs, and at each call that it makes.\n"
        }
        (true, false, false) => {
            "`blastradius run` goes on without the kernel layer and says so; --require kernel fails instead.\n"
        }
        (true, false, true) => {
            "`blastradius run` goes on with Landlock in place of the kernel layer and says so; --require kernel fails \
             instead.\n"
        }
        (false, _, _) => {
            "Whether the library is at work below `blastradius run` could not be tried: see its row.\n"
        }
    }
}

fn line(text: &mut String, [layer, holds, shown, unseen]: [&str; 4]) {
    let line = format!("{layer:<LAYER$} {holds:<HOLDS$} {shown:<SHOWN$}  {unseen}");
    text.push_str(line.trim_end());
    text.push('\n');
}

/// Lines of whole words. One that is longer has a line for itself.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is one from the beginning");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{Holds, Layer, Problem, Row, table};

    #[test]
    fn only_a_layer_that_is_there_and_does_not_work_is_a_fault() {
        let why = || "why".to_owned();
        for (tried, holds, is_well, conclusion) in [
            (Ok(why()), "yes", true, "at each call that it makes.\n"),
            (
                Err(Problem::NotToBeHad(why())),
                "not here",
                true,
                "goes on without the kernel layer and says so",
            ),
            (
                Err(Problem::Untried(why())),
                "not tried",
                true,
                "could not be tried: see its row",
            ),
            (
                Err(Problem::Broken(why())),
                "NO",
                false,
                "see the rows with NO",
            ),
        ] {
            let row = |layer, holds, shown| Row {
                layer,
                holds,
                shown,
                unseen: String::new(),
            };
            let (found, shown) = Holds::after(tried);
            let rows = [
                row(Layer::Libc, Holds::Yes, String::new()),
                row(Layer::Kernel, found, shown),
            ];
            assert_eq!(rows[1].is_well(), is_well, "{holds}");
            let text = table(&rows);
            assert!(
                text.contains(&format!("\nkernel    {holds:<11} why\n")),
                "{text}"
            );
            assert!(text.contains(conclusion), "{text}");
        }
    }
}
