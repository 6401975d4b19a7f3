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
mod trees;
mod walk;
mod worktree;
mod worth;

use blastradius_policy::Fs;

use super::{Check, Guard, Look, Opinion, Tool};
use crate::case::{self, Subject};
use crate::git::{Ask, Invocation, Silence};
use examples::{ALLOWED, REFUSED};
pub(crate) use saved::Saved;
pub(crate) use trees::Trees;

pub(super) const GUARD: Guard = Guard {
    id: "uncommitted-work-is-not-discarded",
    title: "a git command that throws away work which nothing else holds",
    prevents: "a reset --hard in a tree with a day of uncommitted edits: they were in no commit and no stash",
    tools: &[Tool::Shell, Tool::Script],
    check: Check::Looks(Look(check)),
    refused: REFUSED,
    allowed: ALLOWED,
};

/// A git command in its place.
struct Case<'a> {
    invocation: &'a Invocation,
    git: &'a dyn Ask,
    fs: &'a dyn Fs,
    /// What earlier commands of the string did to this repository.
    saved: &'a Saved,
}

/// What git would take that nothing else holds.
fn check(case: &case::Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Command(command) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    let Some(invocation) = command.git() else {
        return Ok(Opinion::Silent);
    };
    let case = Case {
        invocation,
        git: case.git,
        fs: case.fs,
        saved: &(command.saved)(invocation),
    };
    let case = &case;
    let losses = match case.invocation.verb.as_slice() {
        b"clean" => clean::losses(case)?,
        b"stash" => stash::losses(case)?,
        b"branch" | b"update-ref" => branch::losses(case)?,
        b"worktree" => worktree::removal(case)?,
        b"submodule" => worktree::submodules(case)?,
        _ => tracked::losses(case)?,
    };
    match losses {
        None => Ok(Opinion::Silent),
        Some(losses) if losses.all.is_empty() => Opinion::passes("nothing would be lost"),
        Some(_) if is_skeleton(case)? => Opinion::passes("the repository is an empty outline"),
        Some(losses) => Ok(losses
            .finding(case.git, case.fs)?
            .map_or(Opinion::Silent, Opinion::Refuses)),
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
