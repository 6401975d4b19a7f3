//! One reader a program: what an argv would do to paths, by callback, without allocation.
//!
//! Readers are generic over [`Word`]: in the library every word is known bytes; in the command layer a word
//! may be unknown in part (a variable that is not set, the output of a command), and a reader must then say
//! what it cannot rule out. A word of which nothing is known may be an option; it is taken for the worst one
//! by programs that destroy whatever they are given (`rm $X dir`), and for an operand by those that mostly
//! look (`find $DIR -type f`, `sed $SCRIPT f`).

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
mod pattern;
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
    ["rimraf"] => rm::rimraf;
    ["shred", "gshred"] => shred::shred;
    ["truncate", "gtruncate"] => truncate::truncate;
    ["dd", "gdd"] => dd::dd;
    ["tee", "gtee", "sponge"] => tee::tee;
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

#[cfg(test)]
mod tests {
    use super::{is_destructive, names, read, rows};

    #[test]
    fn every_listed_name_has_a_reader() {
        for name in names() {
            let name = name.replace('*', "x");
            assert!(is_destructive(name.as_bytes()), "{name}");
            assert!(
                read(name.as_bytes(), &[name.as_str()], &mut |_| ()),
                "{name}"
            );
        }
    }

    #[test]
    fn only_the_base_name_counts() {
        for (program, known) in [
            ("rm", true),
            ("/usr/bin/rm", true),
            ("./rm", true),
            ("perl5.36.0", true),
            ("mkfs.ext4", true),
            ("rm/", false),
            ("rmx", false),
            ("xrm", false),
            ("", false),
            ("ls", false),
        ] {
            assert_eq!(is_destructive(program.as_bytes()), known, "{program}");
        }
    }

    #[test]
    fn an_empty_argv_is_read_by_all() {
        for name in names() {
            let none: [&str; 0] = [];
            assert!(read(name.as_bytes(), &none, &mut |_| ()), "{name}");
        }
    }

    /// Words that mean something to some reader, thrown together.
    #[test]
    fn readers_survive_any_argv_and_point_into_it() {
        let pool = [
            "-",
            "--",
            "-r",
            "-rf",
            "-f",
            "-t",
            "-C",
            "-c",
            "-x",
            "-X",
            "-o",
            "-i",
            "-s",
            "-n",
            "--delete",
            "--output=",
            "--output",
            "-exec",
            "-delete",
            "(",
            ")",
            "!",
            ",",
            "{}",
            "+",
            ";",
            "-name",
            "clean",
            "checkout",
            "rm",
            "alias.x=clean·-f",
            "x",
            "xzf",
            "of=a",
            "of=",
            "a/",
            "*",
            ":/",
            "a:b",
            "''",
            "$X",
            "$@",
            "-$X",
            "--$X",
            "--file=$X",
            "-C$X",
            "of=$X",
            "foreach",
            "submodule",
            "run",
            "bisect",
            "--exec",
            "-mindepth",
            "--=",
        ];
        let mut state = 1_u64;
        let mut next = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from(state >> 33).expect("31 bits fit") % bound
        };
        for name in names() {
            for _ in 0..400 {
                let mut line = name.replace('*', "x");
                for _ in 0..next(8) {
                    line = line + " " + pool[next(pool.len())];
                }
                rows::points_into_its_argv(&line);
            }
        }
    }
}
