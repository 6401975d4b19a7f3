//! One reader a program: what an argv would do to paths, by callback, without allocation.
//!
//! Readers read [`Word`]s: in the library every word is known bytes; in the command layer a word
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
mod options;
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

/// Reads the argv of one program into a sink.
pub type Reader = fn(&[Word<'_>], &mut Sink<'_>);

/// The table of programs: names, one beside the other, and the reader. A name that ends in `*` stands for every
/// name that begins so. Apart from the others stand those whose words alone say what is removed: the library needs
/// no more.
macro_rules! programs {
    (removers: $($removers:literal => $remover:path;)* others: $($others:literal => $other:path;)*) => {
        const NAMES: &[&str] = &[$($removers,)* $($others,)*];

        /// The reader of a program whose words say what it removes, given by its base name or a path to it.
        #[must_use]
        pub fn remover(program: &[u8]) -> Option<Reader> {
            let name = base_name(program);
            $(if listed($removers, name) {
                return Some($remover);
            })*
            None
        }

        /// The reader of any other program.
        fn other(program: &[u8]) -> Option<Reader> {
            let name = base_name(program);
            $(if listed($others, name) {
                return Some($other);
            })*
            None
        }
    };
}

programs! {
removers:
    "rm grm" => rm::rm;
    "rmdir grmdir" => rm::rmdir;
    "unlink gunlink" => rm::unlink;
    "shred gshred" => shred::shred;
    "srm" => rm::srm;
    "wipe" => rm::wipe;
    "rimraf" => rm::rimraf;
    "find gfind" => find::find;
    "git" => git::git;
    "mv gmv" => mv::mv;
    "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma compress uncompress pigz unpigz pbzip2" => gzip::gzip;
    "zstd unzstd zstdmt" => gzip::zstd;
    "tar gtar bsdtar" => tar::tar;
    "zip" => zip::zip;
    "rsync" => rsync::rsync;
others:
    "truncate gtruncate" => truncate::truncate;
    "dd gdd" => dd::dd;
    "tee gtee sponge" => tee::tee;
    "cp gcp" => cp::cp;
    "install ginstall" => cp::install;
    "ln gln" => ln::ln;
    "sed gsed" => sed::sed;
    "perl perl5*" => perl::perl;
    "ruby ruby1* ruby2* ruby3*" => perl::ruby;
    "sort gsort" => sort::sort;
    "unzip" => zip::unzip;
    "scp" => rsync::scp;
    "curl" => fetch::curl;
    "wget" => fetch::wget;
    "fd fdfind" => fd::fd;
    "mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4" => device::mke2fs;
    "mkfs* newfs* mkdosfs mkntfs mkswap" => device::mkfs;
    "wipefs" => device::wipefs;
    "blkdiscard" => device::blkdiscard;
}

/// Reads the argv of a program, given by its base name or a path to it, into `sink`. False if there is no
/// reader for the program: nothing is known about what it does.
pub fn read(program: &[u8], argv: &[Word<'_>], sink: &mut Sink<'_>) -> bool {
    let reader = remover(program).or_else(|| other(program));
    if let Some(reader) = reader {
        reader(argv, sink);
    }
    reader.is_some()
}

/// Whether there is a reader for this program, given by its base name or a path to it.
#[must_use]
pub fn is_destructive(program: &[u8]) -> bool {
    remover(program).is_some() || other(program).is_some()
}

/// The names of all programs that have a reader. A name that ends in `*` stands for every name that begins
/// so.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().flat_map(|names| names.split(' '))
}

fn listed(names: &str, name: &[u8]) -> bool {
    names
        .as_bytes()
        .split(|&byte| byte == b' ')
        .any(|listed| match listed.strip_suffix(b"*") {
            Some(beginning) => name.starts_with(beginning),
            None => listed == name,
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
    use super::{Effect, Word, is_destructive, names, read, remover, rows};
    use crate::Act;

    #[test]
    fn every_listed_name_has_a_reader() {
        for name in names() {
            let name = name.replace('*', "x");
            assert!(is_destructive(name.as_bytes()), "{name}");
            assert!(
                read(
                    name.as_bytes(),
                    &[Word::whole(name.as_bytes())],
                    &mut |_| ()
                ),
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
            assert!(read(name.as_bytes(), &[], &mut |_| ()), "{name}");
        }
    }

    /// Words that mean something to some reader, thrown together.
    fn lines() -> Vec<(&'static str, String)> {
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
        let mut lines = Vec::new();
        for name in names() {
            for _ in 0..400 {
                let mut line = name.replace('*', "x");
                for _ in 0..next(8) {
                    line = line + " " + pool[next(pool.len())];
                }
                lines.push((name, line));
            }
        }
        lines
    }

    #[test]
    fn readers_survive_any_argv_and_point_into_it() {
        for (_, line) in lines() {
            rows::points_into_its_argv(&line);
        }
    }

    /// The backup of a file is moved, never that of a directory.
    #[test]
    fn only_removers_are_certain_of_a_removal() {
        for (name, line) in lines() {
            if remover(name.as_bytes()).is_some() {
                continue;
            }
            rows::each_effect(&line, |effect| {
                let removal = matches!(
                    effect,
                    Effect::Path { act, certain: true, .. } | Effect::Here { act, certain: true, .. }
                        if matches!(act, Act::Remove | Act::RemoveTree | Act::Sweep | Act::Select)
                );
                assert!(!removal, "{line}: {effect:?}");
            });
        }
    }
}
