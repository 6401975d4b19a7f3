use std::vec::Vec;

use super::*;
use crate::Policy;
use crate::discover::tests::{Session, parsed};

fn sample() -> Vec<u8> {
    Session::with_project_file("allow ./build/**\ndeny ./secrets/**\nallow ~/x").text()
}

#[test]
fn a_text_is_read_as_it_was_written() {
    let text = sample();
    let policy = parsed(&text);
    assert_eq!(policy.start(), b"/home/dev/p");
    assert_eq!(policy.session_start(), (1_764_547_200, 5));
    assert_eq!(policy.text(), text);
    assert!(text.starts_with(b"blastradius1 "));
    assert!(!text.contains(&0));
}

#[test]
fn every_altered_byte_is_noticed_or_harmless() {
    let text = sample();
    let id = parsed(&text).id();
    for at in 0..text.len() {
        for change in [1, 0x20, 0x80] {
            let mut altered = text.clone();
            altered[at] ^= change;
            // When and where a session began is no part of the scope, so its bytes may differ.
            if let Ok(policy) = Policy::parse(&altered) {
                assert_eq!(policy.id(), id, "byte {at}");
                assert!(at < 13 + 9 + 100, "byte {at}");
            }
        }
    }
}

#[test]
fn a_text_that_was_cut_is_corrupt() {
    let text = sample();
    for length in 0..text.len() {
        assert!(Policy::parse(&text[..length]).is_err(), "{length} bytes");
    }
    assert!(Policy::parse(&[&text, b"z0:".as_slice()].concat()).is_err());
    assert!(Policy::parse(&[&text, b"\n".as_slice()].concat()).is_err());
    assert!(Policy::parse(&[&text[..], &text[..]].concat()).is_err());
}

/// Puts a right hash into a text made by hand.
fn sealed(records: &str) -> Vec<u8> {
    let mut text = format!("blastradius1 00000000 {records}").into_bytes();
    if let Ok(sections) = Sections::locate(&text) {
        let hash = format!("{:08x}", sections.hash(&text));
        text[hash_place()].copy_from_slice(hash.as_bytes());
    }
    text
}

#[test]
fn only_sound_records_are_a_policy() {
    let sound = "t11:0.000000000u1:0b3:100z0:";
    assert!(Policy::parse(&sealed(sound)).is_ok());
    let rows = [
        ("empty", ""),
        ("end only", "z0:"),
        ("no figures", "t11:0.000000000z0:"),
        ("no session start", "u1:0b3:100z0:"),
        ("wrong order", "t11:0.000000000b3:100u1:0z0:"),
        (
            "allow after deny",
            "t11:0.000000000u1:0b3:100d6:T/x/**a6:T/y/**z0:",
        ),
        ("twice", "t11:0.000000000u1:0u1:0b3:100z0:"),
        ("two projects", "t11:0.000000000u1:0p2:/ap2:/bb3:100z0:"),
        ("unknown letter", "t11:0.000000000u1:0b3:100y0:z0:"),
        ("no end", "t11:0.000000000u1:0b3:100"),
        ("end with content", "t11:0.000000000u1:0b3:100z1:x"),
        ("length too long", "t11:0.000000000u1:0b3:100z9:"),
        ("length with sign", "t11:0.000000000u+1:0b3:100z0:"),
        ("length with zero", "t11:0.000000000u01:0b3:100z0:"),
        ("length without digits", "t11:0.000000000u:0b3:100z0:"),
        (
            "enormous length",
            "t11:0.000000000u99999999999999999999999:0b3:100z0:",
        ),
        ("bad figure", "t11:0.000000000u1:xb3:100z0:"),
        ("figure too large", "t11:0.000000000u1:0b10:4294967296z0:"),
        ("bad instant", "t2:0.u1:0b3:100z0:"),
        ("instant with sign", "t11:0.+00000000u1:0b3:100z0:"),
        ("relative project", "t11:0.000000000u1:0p1:ab3:100z0:"),
        ("relative log", "t11:0.000000000u1:0b3:100l1:az0:"),
        ("relative guard", "t11:0.000000000u1:0b3:100g1:az0:"),
        ("dots in a home", "t11:0.000000000h6:/a/../u1:0b3:100z0:"),
        ("unknown preset", "t11:0.000000000u1:0b3:100e3:allz0:"),
        ("pattern without form", "t11:0.000000000u1:0b3:100a2:/az0:"),
        (
            "pattern of unknown form",
            "t11:0.000000000u1:0b3:100a3:X/az0:",
        ),
        ("relative pattern", "t11:0.000000000u1:0b3:100a2:Laz0:"),
        (
            "tree without its stars",
            "t11:0.000000000u1:0b3:100a3:T/az0:",
        ),
        ("bad glob", "t11:0.000000000u1:0b3:100d5:G/a[bz0:"),
        ("dots in a glob", "t11:0.000000000u1:0b3:100d8:G/*/../bz0:"),
    ];
    for (name, records) in rows {
        assert!(Policy::parse(&sealed(records)).is_err(), "{name}");
    }
    for (name, header) in [
        ("other version", "blastradius2 00000000 "),
        ("longer version", "blastradius10 00000000 "),
        ("upper case", "BLASTRADIUS1 00000000 "),
        ("no hash", "blastradius1 "),
    ] {
        assert!(
            Policy::parse(format!("{header}{sound}").as_bytes()).is_err(),
            "{name}"
        );
    }
}

#[test]
fn a_path_may_hold_anything_but_nul() {
    let nasty = "/home/dev/a\nz0:\u{1b}[2Jd3:L/b \"x\"";
    let session = Session::at(
        "/home/dev/p",
        &[(&format!("{nasty}/.git"), "file gitdir: x")],
    )
    .homes(&["/home/dev/h\nz0:"]);
    let text = session.text();
    assert_eq!(
        parsed(&text).homes().next().map(|home| home.as_bytes()),
        Some(b"/home/dev/h\nz0:".as_slice())
    );
}

#[test]
fn numbers_are_plain() {
    let rows: &[(&str, Option<u64>)] = &[
        ("0", Some(0)),
        ("7", Some(7)),
        ("18446744073709551615", Some(u64::MAX)),
        ("18446744073709551616", None),
        ("", None),
        ("00", None),
        ("-1", None),
        ("+1", None),
        ("1 ", None),
        ("1x", None),
    ];
    for (text, expected) in rows {
        assert_eq!(number(text.as_bytes()), *expected, "{text:?}");
    }
}
