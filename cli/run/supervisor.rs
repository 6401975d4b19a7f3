//! The layers that the kernel has a part in, as `run` puts them on.

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::io;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

use blastradius_policy::Policy;
#[cfg(target_os = "linux")]
use blastradius_policy::contract::POLICY_VARIABLE;

use super::clock::Beginning;
use super::layers::Layers;
use crate::environment::Environment;
#[cfg(target_os = "linux")]
use crate::kernel::{self, landlock};
use crate::message::{Failure, say};

/// Whether this process is below a supervisor and nothing else.
pub(super) fn is_alone(environment: &Environment) -> bool {
    #[cfg(target_os = "linux")]
    let is_above = kernel::is_above();
    #[cfg(not(target_os = "linux"))]
    let is_above = false;
    is_above && !environment.library_is_loaded()
}

/// What is run.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is none"))]
pub(super) struct Session<'s, 'p> {
    pub(super) policy: &'s Policy<'p>,
    pub(super) beginning: Beginning,
    /// Said before the program begins, if it can gain no rights.
    pub(super) first: Option<String>,
}

/// Puts on what is wanted of the kernel. Returns where the command is to be run by this process: below a supervisor
/// that is there already, or below none, which is said where it `tells`.
///
/// # Errors
/// When a layer cannot be put on without which nothing is to run. Nothing has run.
#[cfg(target_os = "linux")]
pub(super) fn put_on(
    command: &mut Command,
    session: &Session<'_, '_>,
    layers: &Layers,
    tells: bool,
) -> Result<bool, Failure> {
    if layers.landlock {
        landlock::put_on(session.policy, true).map_err(|why| Failure::new(why.to_string()))?;
    }
    if !layers.kernel {
        return Ok(false);
    }
    let reason = match supervise(command, session) {
        Ok(()) => return Ok(true),
        Err(reason) if layers.needs_kernel => return Err(missing(reason)),
        Err(reason) => reason,
    };
    let unseen = "static programs and raw system calls are not seen";
    let rest = if layers.landlock {
        format!("where Landlock does not keep them, {unseen}")
    } else {
        match landlock::put_on(session.policy, false) {
            Ok(wall) => format!("Landlock keeps {wall}; elsewhere {unseen}"),
            Err(without) => format!("{without}: {unseen}"),
        }
    };
    if tells {
        say(&format!("blastradius: {}; {rest}\n", missing(reason)));
    }
    Ok(false)
}

/// Has a command run below a supervisor. Returns where there is one around this process, or why there can be none.
#[cfg(target_os = "linux")]
fn supervise(command: &mut Command, session: &Session<'_, '_>) -> io::Result<()> {
    if kernel::is_above() {
        if let Some(words) = &session.first {
            say(&format!("blastradius: {words}\n"));
        }
        return Ok(());
    }
    if !std::path::Path::new("/proc/self/fd").exists() {
        return Err(unsupported("/proc is not mounted"));
    }
    if !kernel::proc_is_ours() {
        return Err(unsupported(
            "/proc belongs to another name space of processes",
        ));
    }
    let variable = OsStr::from_bytes(POLICY_VARIABLE);
    let started = kernel::session_number().and_then(|number| {
        let text = session.policy.text_with_session_number(number);
        command.env(variable, OsStr::from_bytes(&text));
        super::wrapper::run(command, &text, number, session)
    });
    match started {
        Ok(never) => match never {},
        Err(error) => {
            command.env(variable, OsStr::from_bytes(session.policy.text()));
            Err(error)
        }
    }
}

#[cfg(target_os = "linux")]
fn unsupported(words: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, words)
}

/// Becomes a process that runs a command below a supervisor and nothing else, and ends as it ends.
///
/// # Errors
/// Where there can be no supervisor. Nothing has run.
#[cfg(target_os = "linux")]
pub(crate) fn become_supervised(command: &mut Command, policy: &Policy<'_>) -> io::Result<()> {
    let session = Session {
        policy,
        beginning: Beginning::of(policy),
        first: None,
    };
    supervise(command, &session)
}

/// Puts on what is wanted of the kernel, of which this system has nothing.
///
/// # Errors
/// Where nothing is to run without.
#[cfg(not(target_os = "linux"))]
pub(super) fn put_on(
    _: &mut Command,
    _: &Session<'_, '_>,
    layers: &Layers,
    tells: bool,
) -> Result<bool, Failure> {
    let missing = missing("this system has none");
    if layers.needs_kernel {
        return Err(missing);
    }
    if layers.landlock {
        return Err(Failure::new("this system has no Landlock"));
    }
    if layers.kernel && tells {
        say(&format!(
            "blastradius: {missing}: static programs and raw system calls are not seen\n"
        ));
    }
    Ok(false)
}

fn missing(reason: impl std::fmt::Display) -> Failure {
    Failure::new(format!("the kernel layer cannot be put on: {reason}"))
}
