//! Which files that git does not track are work, and which a tool makes again.
//!
//! | name | example | is it work? |
//! |---|---|---|
//! | a directory of packages or of a cache | `node_modules`, `__pycache__`, `.venv`, `.cache` | no |
//! | a directory that says so itself | one with `CACHEDIR.TAG` or `pyvenv.cfg` in it | no |
//! | a directory of build results | `target`, `dist`, `build` | no |
//! | the same under a name that people also use | `bin`, `out`, `vendor`, `logs`, `coverage` | no if it is ignored |
//! | a file that a compiler or a tool writes | `a.o`, `m.pyc`, `x.class`, `.DS_Store`, `a.swp` | no |
//! | the same under a name that people also use | `debug.log`, `app.exe`, `x.tmp`, `lib.so` | no if it is ignored |
//! | an empty file or directory | `touch new.txt` | no |
//! | settings and secrets, wherever they lie | `.env`, `app.local.json`, `key.pem`, `id_rsa` | yes, but below the first three |
//! | anything else | `data/app.db`, `notes.md`, `src/new.rs` | yes |

/// Directories whose contents are packages, caches or build results, ignored or not.
const DIRECTORIES: &[&str] = &[
    "node_modules",
    "bower_components",
    "jspm_packages",
    "target",
    "dist",
    "build",
    "__pycache__",
    "venv",
    ".venv",
    ".virtualenv",
    ".eggs",
    ".tox",
    ".nox",
    ".cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".gradle",
    ".next",
    ".nuxt",
    ".output",
    ".turbo",
    ".parcel-cache",
    ".svelte-kit",
    ".angular",
    ".nyc_output",
    ".pnpm-store",
    ".dart_tool",
    ".ccls-cache",
    ".clangd",
    ".build",
    ".bundle",
    ".stack-work",
    ".sass-cache",
    ".eslintcache",
    "dist-newstyle",
    "elm-stuff",
    "zig-cache",
    ".zig-cache",
    "zig-out",
    "_build",
    "htmlcov",
    "DerivedData",
    "Pods",
    "CMakeFiles",
    ".direnv",
    ".expo",
    ".vite",
    ".astro",
    ".docusaurus",
    ".metals",
    ".bloop",
    ".scala-build",
    "cmake-build-debug",
    "cmake-build-release",
];

/// Directories of the same kind, under names that only an ignore rule makes plain.
const IGNORED_DIRECTORIES: &[&str] = &[
    "bin",
    "obj",
    "out",
    "vendor",
    "deps",
    ".yarn",
    "__generated__",
    "Carthage",
    "logs",
    "log",
    "tmp",
    "temp",
    "coverage",
    "Debug",
    "Release",
    "x64",
    "_site",
    "test-results",
    "playwright-report",
    ".terraform",
    ".serverless",
    ".vs",
];

/// Endings of files that compilers and tools write.
const ENDINGS: &[&str] = &[
    ".o",
    ".a",
    ".lo",
    ".la",
    ".ko",
    ".gch",
    ".pch",
    ".gcno",
    ".gcda",
    ".gcov",
    ".profraw",
    ".profdata",
    ".pyc",
    ".pyo",
    ".pyd",
    ".class",
    ".elc",
    ".beam",
    ".hi",
    ".rlib",
    ".rmeta",
    ".cmi",
    ".cmo",
    ".cmx",
    ".tsbuildinfo",
    ".swp",
    ".swo",
    ".eslintcache",
];

/// Endings of the same kind, under names that only an ignore rule makes plain.
const IGNORED_ENDINGS: &[&str] = &[
    ".d",
    ".obj",
    ".log",
    ".tmp",
    ".temp",
    ".pid",
    ".sock",
    ".lock",
    ".so",
    ".dylib",
    ".dll",
    ".lib",
    ".exe",
    ".pdb",
    ".out",
    ".jar",
    ".war",
    ".whl",
    ".map",
    ".cache",
    ".coverage",
    ".aux",
    ".toc",
    ".bbl",
    ".blg",
    ".fls",
    ".fdb_latexmk",
    ".synctex.gz",
    ".egg",
    ".gem",
    ".test",
    ".wasm",
    "~",
];

/// Names of files that tools write.
const NAMES: &[&str] = &[
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    ".coverage",
    "CMakeCache.txt",
    "cmake_install.cmake",
    ".eslintcache",
    ".stylelintcache",
    "npm-debug.log",
    "yarn-error.log",
];

/// Words in the names of what nobody can make again, whatever its ending.
const PRECIOUS: &[&str] = &["secret", "credential", "password", "private"];

/// Whether a directory is one that a tool fills.
pub(super) fn is_made_directory(name: &[u8], ignored: bool) -> bool {
    is_in(DIRECTORIES, name)
        || name.ends_with(b".egg-info")
        || name.starts_with(b"bazel-")
        || ignored && is_in(IGNORED_DIRECTORIES, name)
}

/// Whether a file in a directory tells that a tool fills it.
pub(super) fn is_mark(name: &[u8]) -> bool {
    matches!(name, b"CACHEDIR.TAG" | b"pyvenv.cfg")
}

/// Whether a file is one that a tool writes.
pub(super) fn is_made_file(name: &[u8], ignored: bool) -> bool {
    if is_in(NAMES, name) {
        return true;
    }
    let lower = name.to_ascii_lowercase();
    let precious = |word: &&str| {
        lower
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    let ends = |endings: &[&str]| {
        endings
            .iter()
            .any(|ending| lower.len() > ending.len() && lower.ends_with(ending.as_bytes()))
    };
    let made = ends(ENDINGS) || ignored && (ends(IGNORED_ENDINGS) || name == b"a.out");
    made && !PRECIOUS.iter().any(precious)
}

/// Whether any directory on the way to `path` is one that a tool fills.
pub(super) fn lies_in_made(path: &[u8], ignored: bool) -> bool {
    path.split(|byte| *byte == b'/')
        .any(|name| is_made_directory(name, ignored))
}

fn is_in(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|known| known.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::{is_made_directory, is_made_file, lies_in_made};

    /// Name, whether it is made if it is ignored, and if it is not.
    #[test]
    fn what_a_tool_makes_again_is_no_work() {
        for (name, ignored, plain) in [
            ("a.o", true, true),
            ("m.pyc", true, true),
            (".DS_Store", true, true),
            ("debug.log", true, false),
            ("notes.txt~", true, false),
            ("libx.so", true, false),
            (".env", false, false),
            (".env.local", false, false),
            ("app.local.json", false, false),
            ("app.db", false, false),
            ("data.sqlite3", false, false),
            ("key.pem", false, false),
            ("id_rsa", false, false),
            ("main.rs", false, false),
            (".o", false, false),
            ("secrets.log", false, false),
        ] {
            let found = (
                is_made_file(name.as_bytes(), true),
                is_made_file(name.as_bytes(), false),
            );
            assert_eq!(found, (ignored, plain), "{name}");
        }
    }

    #[test]
    fn directories_are_told_by_their_names() {
        for (name, ignored, plain) in [
            ("node_modules", true, true),
            ("target", true, true),
            ("x.egg-info", true, true),
            ("vendor", true, false),
            ("logs", true, false),
            ("data", false, false),
            ("src", false, false),
        ] {
            let found = (
                is_made_directory(name.as_bytes(), true),
                is_made_directory(name.as_bytes(), false),
            );
            assert_eq!(found, (ignored, plain), "{name}");
        }
        assert!(lies_in_made(b"web/node_modules/.bin", false));
        assert!(!lies_in_made(b"web/src/bin", false));
    }
}
