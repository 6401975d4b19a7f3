use std::format;

use super::{Age, Guard, Object};
use crate::discover::tests::{Session, parsed};

/// Something with these times, and whether it may lie on an overlay.
struct Thing(Option<Age>, bool);

impl Object for Thing {
    fn age(&self) -> Option<Age> {
        self.0
    }

    fn may_be_on_overlay(&self) -> bool {
        self.1
    }
}

#[test]
fn newborn_is_what_was_born_since_the_session_began_and_by_this_clock() {
    let text = Session::at("/home/dev/p", &[("/home/dev/p/.git/HEAD", "file")]).text();
    let policy = parsed(&text);
    let (start, _) = policy.session_start();
    let guard = Guard(Some(&policy));
    const HOUR: i64 = 3600;
    let age = |birth: Option<i64>, modified: i64| {
        Some(Age {
            birth: birth.map(|after| (start + after, 0)),
            modified: (start + modified, 0),
            asked: start + HOUR,
        })
    };
    for (age, overlay, expected) in [
        (age(Some(1), 1), false, true),
        (age(Some(HOUR), HOUR), true, true),
        // A server's clock may be ahead a little.
        (age(Some(HOUR + 30), 1), false, true),
        (age(Some(HOUR + 120), HOUR + 120), false, false),
        (age(Some(i64::MAX / 2), 1), false, false),
        (age(Some(-1), 1), false, false),
        (age(None, 1), false, false),
        // An overlay has copied it.
        (age(Some(1), -1), true, false),
        (age(Some(1), -1), false, true),
        (None, false, false),
    ] {
        let row = format!("{age:?} {overlay}");
        assert_eq!(guard.is_newborn(&Thing(age, overlay)), expected, "{row}");
    }
    assert!(!Guard(None).is_newborn(&Thing(age(Some(1), 1), false)));
}
