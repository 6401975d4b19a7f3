//! Policy files and the form in which a policy travels: any bytes, and the floor holds.
#![no_main]

use blastradius_cli::environment::Everything;
use blastradius_fuzz::{disk, policy_text, soon};
use blastradius_policy::{Act, By, Canonical, Judgement, Kind, NoTrust, Policy, Subject, Trust};
use libfuzzer_sys::fuzz_target;

/// Never removed, whatever a file says.
const FLOOR: [&[u8]; 5] = [b"/", b"/etc", b"/h", b"/usr", b"/home"];
/// Any other place.
const ELSEWHERE: [&[u8]; 5] = [
    b"/w",
    b"/w/build/x.o",
    b"/h/Documents/thesis",
    b"/etc/passwd",
    b"/tmp/scratch",
];

fn is_refused(policy: &Policy<'_>, path: &'static [u8], act: Act, by: By) -> bool {
    let subject = Subject {
        path: Canonical::new(path).expect("it is canonical"),
        act,
        by,
        kind: Some(Kind::Directory),
    };
    matches!(policy.judge(&subject), Judgement::Refuse { .. })
}

fn judge_all(policy: &Policy<'_>) {
    for by in [By::Command, By::Program] {
        for act in [Act::Remove, Act::RemoveTree, Act::MoveAway] {
            for path in FLOOR {
                assert!(is_refused(policy, path, act, by), "{path:?} {act:?} {by:?}");
            }
            for path in ELSEWHERE {
                let refused = is_refused(policy, path, act, by);
                assert!(refused || policy.doubt().is_none(), "{path:?} in doubt");
            }
        }
    }
}

/// A policy's text with the hash that its records have, so that mutations get past it.
fn with_hash(text: &[u8]) -> Option<Vec<u8>> {
    const HASH: std::ops::Range<usize> = 13..21;
    let home = text
        .windows(2)
        .position(|pair| pair[0] == b'h' && pair[1].is_ascii_digit())?;
    let hash = text
        .get(home..)?
        .iter()
        .fold(0x811c_9dc5, |hash: u32, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
    let mut text = text.to_vec();
    text.get_mut(HASH)?
        .copy_from_slice(format!("{hash:08x}").as_bytes());
    Some(text)
}

fn travelled(text: &[u8]) {
    if let Ok(policy) =
        soon("parsing", || Policy::parse(text).map(|_| ())).and_then(|()| Policy::parse(text))
    {
        // Homes are part of the text: without them only what is the same everywhere is on the floor.
        for path in [&b"/"[..], b"/etc", b"/usr", b"/home"] {
            assert!(
                is_refused(&policy, path, Act::RemoveTree, By::Command),
                "{path:?}"
            );
        }
    }
}

fuzz_target!(|content: &[u8]| {
    travelled(content);
    with_hash(content).iter().for_each(|text| travelled(text));
    let (project, user) = match content.iter().position(|&byte| byte == 0) {
        Some(at) => (&content[..at], &content[at + 1..]),
        None => (content, &b""[..]),
    };
    let mut disk = disk();
    disk.add_bytes("/w/.blastradius", project);
    disk.add_bytes("/h/.config/blastradius/config", user);
    for trust in [&NoTrust as &dyn Trust, &Everything] {
        let text = soon("finding the policy", || policy_text(&disk, trust));
        let policy = Policy::parse(text.as_bytes()).expect("what is written can be read");
        soon("judging", || judge_all(&policy));
    }
});
