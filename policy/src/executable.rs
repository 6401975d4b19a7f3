//! Whether the library can be loaded into a program and see what it does, by the first bytes of its file.

/// As much of a file as is looked at.
pub const HEAD: usize = 4096;

/// Why the library does not see what a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unseen {
    /// No loader is asked for: nothing can be preloaded.
    Static,
    /// Written in Go, which makes its calls without libc.
    Go,
    /// For another machine, or for 32 bits of this one.
    Foreign,
    /// It gets other rights than its caller's: the loader ignores what the caller wants loaded.
    Privileged,
}

impl Unseen {
    /// The word for it in the log.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Go => "go",
            Self::Foreign => "foreign",
            Self::Privileged => "privileged",
        }
    }

    /// What a person is told of a program that would get other rights, after its name, where it gets none.
    pub const WITHOUT_RIGHTS: &str =
        "gets no other rights below the kernel layer: --layers command,libc leaves it out";

    /// What a person is told, after the name of the program.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Static => "is a static program",
            Self::Go => "is written in Go",
            Self::Foreign => "is a program for another machine",
            Self::Privileged => "runs with other rights than its caller's",
        }
    }
}

/// What a file that is executed begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executable<'h> {
    /// A program that the library is loaded into, or something that is none.
    Seen,
    /// A program that it does not see.
    Unseen(Unseen),
    /// A script, and what runs it.
    Script(&'h [u8]),
}

impl<'h> Executable<'h> {
    /// Reads up to [`HEAD`] bytes from the beginning of a file.
    #[must_use]
    pub fn read(head: &'h [u8]) -> Self {
        match head.strip_prefix(b"#!") {
            Some(line) => interpreter(line).map_or(Self::Seen, Self::Script),
            None => unseen(head).map_or(Self::Seen, Self::Unseen),
        }
    }
}

/// Whether a file is the loader itself, or a tool of valgrind: they look like static programs, and preload.
#[must_use]
pub fn is_loader(path: &[u8]) -> bool {
    let mut components = path.rsplit(|&byte| byte == b'/');
    let name = components.next().unwrap_or(path);
    let of_valgrind = components.next() == Some(b"valgrind") && name.ends_with(b"-linux");
    // musl's is libc itself.
    of_valgrind || name.starts_with(b"ld-") || name.starts_with(b"ld.so") || name == b"libc.so"
}

/// The first word after `#!`, as the kernel takes it.
fn interpreter(line: &[u8]) -> Option<&[u8]> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = line.iter().position(|byte| !is_blank(byte))?;
    let word = line[start..]
        .split(|byte| is_blank(byte) || matches!(byte, b'\n' | 0))
        .next()?;
    (!word.is_empty()).then_some(word)
}

/// The number of this machine in the header of a program.
const MACHINE: u16 = if cfg!(target_arch = "aarch64") {
    183
} else {
    62
};

/// `e_ident` of 64-bit little-endian files.
const IDENT: &[u8] = b"\x7fELF\x02\x01";

fn unseen(head: &[u8]) -> Option<Unseen> {
    if !head.starts_with(b"\x7fELF") {
        return None;
    }
    if !head.starts_with(IDENT) || half(head, 18)? != MACHINE {
        return Some(Unseen::Foreign);
    }
    let mut has_loader = false;
    let mut is_go = false;
    let (start, size, count) = (long(head, 32)?, half(head, 54)?, half(head, 56)?);
    for index in 0..u64::from(count) {
        let at = usize::try_from(start.checked_add(index * u64::from(size))?).ok()?;
        // What lies after the part that is looked at might be the entry that is looked for.
        let kind = word(head, at)?;
        has_loader |= kind == segment::LOADER;
        is_go |= kind == segment::NOTE && is_note_of_go(head, at).unwrap_or(false);
    }
    match (has_loader, is_go) {
        (false, _) => Some(Unseen::Static),
        (true, true) => Some(Unseen::Go),
        (true, false) => None,
    }
}

/// Types of segments.
mod segment {
    pub(super) const LOADER: u32 = 3;
    pub(super) const NOTE: u32 = 4;
}

/// Whether any note of the segment whose header is at `at` is the one that Go's linker writes.
fn is_note_of_go(head: &[u8], at: usize) -> Option<bool> {
    let start = usize::try_from(long(head, at + 8)?).ok()?;
    let length = usize::try_from(long(head, at + 32)?).ok()?;
    let mut rest = head.get(start..head.len().min(start.checked_add(length)?))?;
    loop {
        // Length of the name, length of what it holds, and a type; both are padded to words.
        let padded = |at| Some((usize::try_from(word(rest, at)?).ok()? + 3) & !3);
        let (name, content) = (padded(0)?, padded(4)?);
        if rest.get(12..16)? == b"Go\0\0" {
            return Some(true);
        }
        rest = rest.get(12 + name + content..)?;
    }
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// A header with segments of these types; notes are those of `note`, behind the headers.
    fn program(class: u8, machine: u16, segments: &[u32], note: &[u8]) -> Vec<u8> {
        let mut file = Vec::from(*b"\x7fELF\0\x01\x01");
        file[4] = class;
        file.resize(64, 0);
        file[18..20].copy_from_slice(&machine.to_le_bytes());
        file[32] = 64;
        file[54] = 56;
        file[56] = segments.len() as u8;
        for kind in segments {
            let mut header = [0; 56];
            header[..4].copy_from_slice(&kind.to_le_bytes());
            header[8..12].copy_from_slice(&(64 + 56 * segments.len() as u32).to_le_bytes());
            header[32] = note.len() as u8;
            file.extend(header);
        }
        file.extend(note);
        file
    }

    const LOADED: &[u32] = &[6, segment::LOADER, 1, segment::NOTE];
    const GO: &[u8] =
        b"\x04\0\0\0\x04\0\0\0\x04\0\0\0GNU\0abcd\x03\0\0\0\x04\0\0\0\x04\0\0\0Go\0\0abcd";

    #[test]
    fn programs_are_told_by_their_headers() {
        use Executable::{Seen, Unseen as Not};
        for (name, file, expected) in [
            ("rm", program(2, MACHINE, LOADED, b""), Seen),
            ("rm", program(2, MACHINE, LOADED, &GO[..20]), Seen),
            (
                "sh",
                program(2, MACHINE, &[1, 2, 4], b""),
                Not(Unseen::Static),
            ),
            ("gh", program(2, MACHINE, &[1, 4], GO), Not(Unseen::Static)),
            ("dockerd", program(2, MACHINE, LOADED, GO), Not(Unseen::Go)),
            ("old", program(1, 3, LOADED, b""), Not(Unseen::Foreign)),
            ("arm", program(2, 40, LOADED, b""), Not(Unseen::Foreign)),
            ("empty", Vec::new(), Seen),
            ("text", Vec::from(*b"echo hello\n"), Seen),
        ] {
            assert_eq!(Executable::read(&file), expected, "{name}");
        }
    }

    #[test]
    fn the_loader_is_known_by_its_name() {
        for (name, expected) in [
            ("ld-linux-x86-64.so.2", true),
            ("ld-musl-aarch64.so.1", true),
            ("ld.so", true),
            ("libc.so", true),
            ("/lib64/ld-linux-x86-64.so.2", true),
            ("/usr/libexec/valgrind/memcheck-amd64-linux", true),
            ("ld", false),
            ("ld.gold", false),
            ("/opt/tool-linux", false),
            ("/usr/bin/valgrind", false),
        ] {
            assert_eq!(is_loader(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn scripts_name_what_runs_them() {
        for (line, expected) in [
            ("#!/bin/sh\necho", Some("/bin/sh")),
            ("#! /usr/bin/env node\n", Some("/usr/bin/env")),
            ("#!\t/bin/busybox", Some("/bin/busybox")),
            ("#!\n/bin/sh", None),
            ("#!", None),
        ] {
            let read = Executable::read(line.as_bytes());
            let script =
                expected.map_or(Executable::Seen, |word| Executable::Script(word.as_bytes()));
            assert_eq!(read, script, "{line:?}");
        }
    }

    #[test]
    fn what_is_cut_or_damaged_is_no_blind_spot() {
        let whole = program(2, MACHINE, &[1, 1, segment::LOADER, segment::NOTE], GO);
        for length in 0..whole.len() {
            let read = Executable::read(&whole[..length]);
            let told = matches!(read, Executable::Unseen(Unseen::Static));
            assert!(!told, "{length} bytes");
        }
        let mut far = program(2, MACHINE, &[1], b"");
        far[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(Executable::read(&far), Executable::Seen);
    }
}
