//! The line of the log.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use blastradius_policy::Policy;
use blastradius_policy::calls::{Deed, Refusal};
use serde_json::{Map, json};

use crate::kernel::caller::Caller;
use crate::kernel::identity;
use crate::kernel::name::Whereabouts;
use crate::message::{Decision, append, escape, escape_path};

pub(super) fn log(
    policy: &Policy<'_>,
    caller: Caller<'_>,
    process: Option<u32>,
    deed: Deed,
    at: &Whereabouts,
    refusal: Refusal<'_>,
) {
    let Some(log) = policy.log() else {
        return;
    };
    let log = Path::new(OsStr::from_bytes(log.as_bytes()));
    // Programs that are refused something leave no directories behind.
    if !log.parent().is_some_and(Path::is_dir) {
        return;
    }
    let mut object = Map::new();
    let mut member = |name: &str, value| {
        object.insert(name.into(), value);
    };
    member("verdict", json!("refuse"));
    member("policy", json!(policy.id().to_string()));
    member("layer", json!("kernel"));
    member("pid", json!(process));
    let program = {
        let _looks = identity::look(caller.thread());
        caller.program()
    };
    if let Some(program) = program.or_else(|| caller.program_name()) {
        member("program", json!(escape_path(&program)));
    }
    member("operation", json!(deed.act.name()));
    if let Some(path) = at.path() {
        member("path", json!(escape(path.as_bytes())));
    }
    member("rule", json!(refusal.rule.id()));
    if !refusal.by.is_empty() {
        member("decided_by", json!(escape(refusal.by)));
    }
    // The refusal stands without.
    append(log, Decision::of(object, "run")).ok();
}
