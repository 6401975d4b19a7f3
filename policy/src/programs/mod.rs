//! One reader a program: what an argv would do to paths, by callback, without allocation.
//!
//! Readers are generic over [`Word`]: in the library every word is known bytes; in the command layer a word
//! may be unknown in part (a variable that is not set, the output of a command), and a reader must then say
//! what it cannot rule out.

mod cp;
mod dd;
mod device;
mod effect;
mod fd;
mod fetch;
mod find;
mod git;
mod gzip;
mod line;
mod ln;
mod mv;
mod perl;
mod remote;
mod rm;
#[cfg(test)]
mod rows;
mod rsync;
mod sed;
mod shred;
mod sort;
mod tar;
mod target;
mod tee;
mod truncate;
mod word;
mod zip;

pub use effect::{Directory, Effect, Follow, Piece, Spelled, Target, Unknown};
pub use word::Word;

/// Takes what a reader finds.
pub type Sink<'s> = dyn FnMut(Effect<'_>) + 's;

/// The table of programs. A name that ends in `*` stands for every name that begins so.
macro_rules! programs {
    ($($names:expr => $reader:path;)*) => {
        const NAMES: &[&[&str]] = &[$(&$names),*];

        /// Reads the argv of a program, given by its base name or a path to it, into `sink`. False if there
        /// is no reader for the program: nothing is known about what it does.
        pub fn read<W: Word>(program: &[u8], argv: &[W], sink: &mut Sink<'_>) -> bool {
            let name = base_name(program);
            $(if listed(&$names, name) {
                $reader(argv, sink);
                return true;
            })*
            false
        }
    };
}

programs! {
    ["rm", "grm"] => rm::rm;
    ["rmdir", "grmdir"] => rm::rmdir;
    ["unlink", "gunlink"] => rm::unlink;
    ["srm"] => rm::srm;
    ["wipe"] => rm::wipe;
    ["shred", "gshred"] => shred::shred;
    ["truncate", "gtruncate"] => truncate::truncate;
    ["dd", "gdd"] => dd::dd;
    ["tee", "gtee"] => tee::tee;
    ["find", "gfind"] => find::find;
    ["git"] => git::git;
    ["mv", "gmv"] => mv::mv;
    ["cp", "gcp"] => cp::cp;
    ["install", "ginstall"] => cp::install;
    ["ln", "gln"] => ln::ln;
    ["sed", "gsed"] => sed::sed;
    ["perl", "perl5*"] => perl::perl;
    ["ruby", "ruby1*", "ruby2*", "ruby3*"] => perl::ruby;
    ["sort", "gsort"] => sort::sort;
    ["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "compress", "uncompress", "pigz", "unpigz", "pbzip2"] => gzip::gzip;
    ["zstd", "unzstd", "zstdmt"] => gzip::zstd;
    ["tar", "gtar", "bsdtar"] => tar::tar;
    ["zip"] => zip::zip;
    ["unzip"] => zip::unzip;
    ["rsync"] => rsync::rsync;
    ["scp"] => rsync::scp;
    ["curl"] => fetch::curl;
    ["wget"] => fetch::wget;
    ["fd", "fdfind"] => fd::fd;
    ["mke2fs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4"] => device::mke2fs;
    ["mkfs*", "newfs*", "mkdosfs", "mkntfs", "mkswap"] => device::mkfs;
    ["wipefs"] => device::wipefs;
    ["blkdiscard"] => device::blkdiscard;
}

/// Whether there is a reader for this program, given by its base name or a path to it.
#[must_use]
pub fn is_destructive(program: &[u8]) -> bool {
    let name = base_name(program);
    NAMES.iter().any(|names| listed(names, name))
}

/// The names of all programs that have a reader. A name that ends in `*` stands for every name that begins
/// so.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied().flatten().copied()
}

fn listed(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|listed| match listed.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning.as_bytes()),
        None => listed.as_bytes() == name,
    })
}

fn base_name(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&b| b == b'/') {
        Some(slash) => &path[slash + 1..],
        None => path,
    }
}

/// Whether a pattern has a literal character to select by: `*` and `.*` match whatever there is.
fn selects(pattern: &[u8]) -> bool {
    pattern
        .iter()
        .any(|byte| !b"*?.[]!^$+/\\(){}|".contains(byte))
}
