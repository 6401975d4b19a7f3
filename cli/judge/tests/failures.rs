//! A guard that fails has no opinion; a rule of deletion that fails ends the whole judgement.

use std::panic::{AssertUnwindSafe, catch_unwind};

use blastradius_policy::{Fs, FsError, Meta};

use super::*;
use crate::git::{Answer, Ask, Question};

/// A git that brings down whoever asks it.
struct Fails;

impl Ask for Fails {
    fn ask(&self, _: &Question) -> Answer {
        panic!("the guard fails")
    }
}

/// A disk that does the same.
struct Broken;

impl Fs for Broken {
    fn lstat(&self, _: &[u8]) -> Result<Meta, FsError> {
        panic!("the rule fails")
    }

    fn readlink(&self, _: &[u8], _: &mut [u8]) -> Result<usize, FsError> {
        panic!("the rule fails")
    }

    fn read(&self, _: &[u8], _: &mut [u8]) -> Result<usize, FsError> {
        panic!("the rule fails")
    }

    fn list(&self, _: &[u8], _: &mut dyn FnMut(&[u8])) -> Result<(), FsError> {
        panic!("the rule fails")
    }
}

fn judged(source: &str, git: &dyn Ask, broken: bool) -> std::thread::Result<Report> {
    let disk = disk();
    catch_unwind(AssertUnwindSafe(|| {
        with_policy(&disk, &[], Dialect::Bash, |place| {
            let fs: &dyn Fs = if broken { &Broken } else { place.fs };
            let place = Place {
                session: place.session,
                fs,
                home: place.home,
                git,
                background: place.background,
            };
            string_on(&place, source.as_bytes(), &[])
        })
    }))
}

#[test]
fn a_guard_that_fails_lets_the_call_proceed_and_says_so() {
    let report = judged("git reset --hard", &Fails, false).unwrap();
    assert!(!report.is_refused(), "{report:?}");
    let failure = "uncommitted-work-is-not-discarded failed, and has no opinion";
    assert_eq!(report.failures, [failure]);
    assert!(report.notes.iter().any(|note| note == failure));
    // What else there is to refuse is refused all the same.
    let report = judged("git reset --hard; rm -rf /", &Fails, false).unwrap();
    assert!(report.is_refused());
}

#[test]
fn a_rule_of_deletion_that_fails_lets_nothing_proceed() {
    assert!(judged("rm -rf build", &crate::git::Nobody, true).is_err());
}
