//! Where the files lie that a child of `posix_spawn` opens: the file actions of libc may change the directory
//! before they open, and libc's own list is not to be read.

use core::ffi::{c_char, c_int, c_void};
use core::hint;

use blastradius_policy::{PathBuffer, Rule, canonicalise};

use crate::decide::{self, Refusal};
use crate::disk::Disk;
use crate::loan::Loan;
use crate::memory::{self, PATH_MAX, PathCopy};
use crate::opening;
use crate::report::Deed;
use crate::resolve::{self, Whereabouts};
use crate::slot::Slot;
use crate::sys::{self, Result};
use crate::text::Text;

/// Longer paths are not remembered, and then not known.
const LONGEST: usize = 1024;

/// Lists that change the directory and wait for their `posix_spawn`, in all threads together. Where there are
/// more, the oldest is forgotten: its relative paths are taken as they lie from the working directory.
const LISTS: usize = 8;

struct Entry {
    /// The address of the list; 0 for none.
    list: usize,
    /// Empty where the directory is not known.
    directory: Text<LONGEST>,
}

struct Table {
    entries: [Entry; LISTS],
    /// Which entry is given up next.
    oldest: usize,
}

static TABLE: Slot<Table> = Slot::new(Table {
    entries: [const {
        Entry {
            list: 0,
            directory: Text::new(),
        }
    }; LISTS],
    oldest: 0,
});

/// None: another thread has the table for longer than it takes to copy a path, or had it when this process was
/// forked.
fn with_table<R>(mut act: impl FnMut(&mut Table) -> R) -> Option<R> {
    const TRIES: u32 = 10_000;
    for _ in 0..TRIES {
        if let Some(result) = TABLE.with(&mut act) {
            return Some(result);
        }
        hint::spin_loop();
    }
    None
}

/// Where a relative path of a list begins.
#[expect(
    clippy::large_enum_variant,
    reason = "it is on the stack for one call, and there is no heap"
)]
enum Start {
    WorkingDirectory,
    Directory(Text<LONGEST>),
    Unknown,
}

fn start_of(list: *const c_void) -> Start {
    with_table(|table| {
        let Some(entry) = table.entries.iter().find(|entry| entry.list == list.addr()) else {
            return Start::WorkingDirectory;
        };
        let mut directory = Text::new();
        match directory.append(entry.directory.as_bytes()) {
            Ok(()) if directory.len() > 0 => Start::Directory(directory),
            _ => Start::Unknown,
        }
    })
    .unwrap_or(Start::Unknown)
}

/// A new list begins in the working directory, also at the address of an old one.
pub(crate) fn begin(list: *const c_void) {
    // Where the table cannot be had, the list is not known to begin anew.
    with_table(|table| {
        for entry in table
            .entries
            .iter_mut()
            .filter(|entry| entry.list == list.addr())
        {
            entry.list = 0;
        }
    });
}

/// The list changes to a directory.
pub(crate) fn change(list: *const c_void, path: *const c_char) {
    let mut copy = PathCopy::new();
    let mut found = PathBuffer::new();
    let mut cwd = Text::<PATH_MAX>::new();
    let from = start_of(list);
    let start = match &from {
        Start::Directory(directory) => directory.as_bytes(),
        Start::Unknown => b"",
        Start::WorkingDirectory => match cwd.fill(sys::getcwd) {
            Ok(()) => cwd.as_bytes(),
            Err(_) => b"",
        },
    };
    let known = memory::copy_path(path, &mut copy).is_ok()
        && canonicalise(&Disk, start, copy.as_c_str().to_bytes(), true, &mut found).is_ok();
    set(list, if known { found.as_bytes() } else { b"" });
}

/// The list changes to the directory of a descriptor.
pub(crate) fn change_to_descriptor(list: *const c_void, fd: c_int) {
    let mut whereabouts = Whereabouts::new();
    resolve::object(fd, &mut whereabouts);
    set(list, whereabouts.path().map_or(b"", |path| path.as_bytes()));
}

fn set(list: *const c_void, directory: &[u8]) {
    with_table(|Table { entries, oldest }| {
        let index = entries
            .iter()
            .position(|entry| entry.list == list.addr())
            .or_else(|| entries.iter().position(|entry| entry.list == 0))
            .unwrap_or_else(|| {
                *oldest = (*oldest + 1) % LISTS;
                *oldest
            });
        let entry = &mut entries[index];
        entry.list = list.addr();
        entry.directory.truncate(0);
        // What does not fit is not known.
        if entry.directory.append(directory).is_err() {
            entry.directory.truncate(0);
        }
    });
}

/// Judges a file that the list opens.
pub(crate) fn judge(list: *const c_void, path: *const c_char, flags: c_int) -> Result<()> {
    if opening::is_harmless(flags) {
        return Ok(());
    }
    let mut copy = Loan::<PathCopy>::new()?;
    // The kernel says what is wrong with the path.
    if memory::copy_path(path, &mut copy).is_err() || copy.as_bytes().starts_with(b"/") {
        return opening::judge_later(path, flags);
    }
    match start_of(list) {
        Start::WorkingDirectory => opening::judge_later(path, flags),
        Start::Directory(directory) => {
            let mut whole = Loan::<PathCopy>::new()?;
            let parts = [directory.as_bytes(), b"/", copy.as_bytes()];
            match parts.into_iter().try_for_each(|part| whole.append(part)) {
                Ok(()) => opening::judge_later(whole.as_c_str().as_ptr(), flags),
                Err(_) => refuse_unknown(flags),
            }
        }
        Start::Unknown => refuse_unknown(flags),
    }
}

/// Nobody knows where the file would be: it is refused if anything could be lost.
fn refuse_unknown(flags: c_int) -> Result<()> {
    let holds = |wanted: c_int| flags & wanted == wanted;
    let is_new = holds(libc::O_CREAT | libc::O_EXCL);
    let appends = holds(libc::O_APPEND) && !holds(libc::O_TRUNC);
    if is_new || appends {
        return Ok(());
    }
    let refusal = Refusal {
        rule: Rule::UnresolvableTarget,
        by: b"",
    };
    Err(decide::refuse(
        Deed::OVERWRITE,
        &Whereabouts::new(),
        refusal,
    ))
}
