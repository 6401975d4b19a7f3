//! The kernel layer, as `run` puts it on.

use std::process::Command;

use blastradius_policy::Policy;

use super::clock::Beginning;
use crate::environment::Environment;
use crate::message::Failure;

/// Whether this process is below a supervisor and nothing else.
pub(super) fn is_alone(environment: &Environment) -> bool {
    #[cfg(target_os = "linux")]
    let is_above = crate::kernel::is_above();
    #[cfg(not(target_os = "linux"))]
    let is_above = false;
    is_above && !environment.library_is_loaded()
}

/// Has a command run below a supervisor. Returns where it is to be run by this process: below a supervisor that is
/// there already, or, with the reason, below none.
///
/// # Errors
/// When the layer cannot be put on. Nothing has run.
#[cfg(target_os = "linux")]
pub(super) fn put_on(
    command: &mut Command,
    policy: &Policy<'_>,
    beginning: Beginning,
) -> Result<(), Failure> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use blastradius_policy::contract::POLICY_VARIABLE;

    use crate::kernel;

    if kernel::is_above() {
        return Ok(());
    }
    if !std::path::Path::new("/proc/self/fd").exists() {
        return Err(missing("/proc is not mounted"));
    }
    let variable = OsStr::from_bytes(POLICY_VARIABLE);
    let started = kernel::session_number().and_then(|number| {
        let text = policy.text_with_session_number(number);
        command.env(variable, OsStr::from_bytes(&text));
        super::wrapper::run(command, &text, number, beginning)
    });
    match started {
        Ok(never) => match never {},
        Err(error) => {
            command.env(variable, OsStr::from_bytes(policy.text()));
            Err(missing(&error.to_string()))
        }
    }
}

/// Has a command run below a supervisor, of which this system has none.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub(super) fn put_on(_: &mut Command, _: &Policy<'_>, _: Beginning) -> Result<(), Failure> {
    Err(missing("this system has none"))
}

fn missing(reason: &str) -> Failure {
    Failure::new(format!("the kernel layer cannot be put on: {reason}"))
}
