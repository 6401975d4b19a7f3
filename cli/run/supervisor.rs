//! The kernel layer, as `run` puts it on.

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
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

/// Puts on what is wanted of the kernel. Returns where the command is to be run by this process: below a supervisor
/// that is there already, or below none, which is said where it `tells`. `first` is said before the program begins, if
/// it can gain no rights.
///
/// # Errors
/// When a layer cannot be put on without which nothing is to run. Nothing has run.
#[cfg(target_os = "linux")]
pub(super) fn put_on(
    command: &mut Command,
    policy: &Policy<'_>,
    layers: &Layers,
    beginning: Beginning,
    first: Option<String>,
    tells: bool,
) -> Result<bool, Failure> {
    if layers.landlock {
        landlock::put_on(policy, true).map_err(|why| Failure::new(why.to_string()))?;
    }
    if !layers.kernel {
        return Ok(false);
    }
    let reason = match supervise(command, policy, beginning, first) {
        Ok(()) => return Ok(true),
        Err(reason) if layers.needs_kernel => return Err(missing(&reason)),
        Err(reason) => reason,
    };
    let unseen = "static programs and raw system calls are not seen";
    let rest = match landlock::put_on(policy, false) {
        _ if layers.landlock => format!("where Landlock does not keep them, {unseen}"),
        Ok(wall) => format!("Landlock keeps {wall}; elsewhere {unseen}"),
        Err(without) => format!("{without}: {unseen}"),
    };
    if tells {
        say(&format!("blastradius: {}; {rest}\n", missing(&reason)));
    }
    Ok(false)
}

/// Has a command run below a supervisor. Returns where there is one around this process, or why there can be none.
#[cfg(target_os = "linux")]
fn supervise(
    command: &mut Command,
    policy: &Policy<'_>,
    beginning: Beginning,
    first: Option<String>,
) -> Result<(), String> {
    if kernel::is_above() {
        if let Some(words) = first {
            say(&format!("blastradius: {words}\n"));
        }
        return Ok(());
    }
    if !std::path::Path::new("/proc/self/fd").exists() {
        return Err("/proc is not mounted".to_owned());
    }
    let variable = OsStr::from_bytes(POLICY_VARIABLE);
    let started = kernel::session_number().and_then(|number| {
        let text = policy.text_with_session_number(number);
        command.env(variable, OsStr::from_bytes(&text));
        super::wrapper::run(command, &text, number, beginning, first)
    });
    match started {
        Ok(never) => match never {},
        Err(error) => {
            command.env(variable, OsStr::from_bytes(policy.text()));
            Err(error.to_string())
        }
    }
}

/// Has a command run below a supervisor, of which this system has none.
///
/// # Errors
/// Where nothing is to run without.
#[cfg(not(target_os = "linux"))]
pub(super) fn put_on(
    _: &mut Command,
    _: &Policy<'_>,
    layers: &Layers,
    _: Beginning,
    _: Option<String>,
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

fn missing(reason: &str) -> Failure {
    Failure::new(format!("the kernel layer cannot be put on: {reason}"))
}
