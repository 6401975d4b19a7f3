//! `uncommitted-work-is-not-discarded`: git commands that throw work away, where there is work to lose.

mod branch;
mod clean;
mod content;
mod examples;
mod loss;
mod overwrites;
mod saved;
mod stash;
mod status;
mod tracked;
mod walk;
mod worktree;
mod worth;

use blastradius_policy::Rule;

use super::{Case, Finding, Guard, Tool};
use crate::git::Silence;
use examples::{ALLOWED, REFUSED};
pub(crate) use saved::Saved;

pub(super) const GUARD: Guard = Guard {
    rule: Rule::UncommittedWork,
    prevents: "a reset --hard in a tree with a day of uncommitted edits: they were in no commit and no stash",
    tools: &[Tool::Shell],
    check,
    refused: REFUSED,
    allowed: ALLOWED,
};

/// What git would take that nothing else holds.
fn check(case: &Case<'_>) -> Result<Option<Finding>, Silence> {
    let losses = match case.invocation.verb.as_slice() {
        b"clean" => clean::losses(case)?,
        b"stash" => stash::losses(case)?,
        b"branch" | b"update-ref" => branch::losses(case)?,
        b"worktree" => worktree::removal(case)?,
        b"submodule" => worktree::submodules(case)?,
        _ => tracked::losses(case)?,
    };
    match losses {
        Some(losses) if !losses.all.is_empty() && !is_skeleton(case)? => {
            losses.finding(case.git, case.fs)
        }
        _ => Ok(None),
    }
}

/// Whether the repository is a mere outline that git never wrote into: it has no commit, nor the folder that
/// `git init` and `git clone` make for packs. There is nothing in it that work could be uncommitted against.
fn is_skeleton(case: &Case<'_>) -> Result<bool, Silence> {
    let repository = &case.invocation.repository;
    let packs = repository.ask(case.git, &["rev-parse", "--git-path", "objects/pack"])?;
    let packs = repository.at(packs.trim_ascii_end());
    Ok(case.fs.lstat(&packs).is_err()
        && !repository.holds(case.git, &["rev-parse", "--quiet", "--verify", "HEAD"])?)
}
