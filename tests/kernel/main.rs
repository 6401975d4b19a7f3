//! The kernel layer: the table of cases of the library, made by a static program, and what only this layer sees.

mod admitted;
mod landlock;
mod layer;
#[path = "../libc/link.rs"]
mod link;
mod nested;
#[path = "../libc/number.rs"]
mod number;
mod odd;
#[path = "../libc/open.rs"]
mod open;
#[path = "../libc/race.rs"]
mod race;
#[path = "../libc/rename.rs"]
mod rename;
mod rights;
#[path = "../libc/spelling.rs"]
mod spelling;
#[allow(dead_code, reason = "shared with the tests of the library")]
#[path = "../libc/stage.rs"]
mod stage;
#[path = "../libc/stdio.rs"]
mod stdio;
mod stress;
#[path = "../libc/truncate.rs"]
mod truncate;
#[path = "../libc/unlink.rs"]
mod unlink;
mod ways;
mod words;
mod wrapper;
