//! Functions of libc that are found past the library: by handle, in a namespace of their own, bound deeply.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::stage::{LIBRARY, Ran, Stage, compile, compiler, which};

fn finder() -> &'static Path {
    static FINDER: OnceLock<PathBuf> = OnceLock::new();
    FINDER.get_or_init(|| compile("lookup", compiler(), &["-ldl"]))
}

fn plugin_of(name: &str, flags: &[&str]) -> PathBuf {
    let mut all = vec!["-shared", "-fPIC"];
    all.extend(flags);
    compile(name, compiler(), &all)
}

fn find(stage: &Stage, row: &str) -> Ran {
    Ran::of(stage.guarded(finder()).args(stage.words(row)))
}

const WAYS: [&str; 6] = ["handle", "self", "default", "next", "version", "namespace"];

#[test]
fn functions_that_are_looked_up_are_judged() {
    let stage = Stage::new();
    for way in WAYS {
        for function in ["unlink", "remove", "truncate", "open", "open64"] {
            let row = format!("{way} {function} O/file");
            find(&stage, &row).is_refused("out-of-scope");
            assert_eq!(
                stage.content("outside/file").as_deref(),
                Some("old"),
                "{row}"
            );
        }
    }
    for way in ["handle", "self", "default", "next", "version"] {
        find(&stage, &format!("{way} fopen O/file")).is_refused("out-of-scope");
        assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    }
    for way in WAYS {
        stage.write("home/project/inside", "old");
        find(&stage, &format!("{way} truncate P/inside")).is_ok();
        assert_eq!(stage.content("home/project/inside").as_deref(), Some(""));
        find(&stage, &format!("{way} unlink P/inside")).is_ok();
        assert!(!stage.exists("home/project/inside"), "{way}");
        assert_eq!(find(&stage, &format!("{way} unlink P/nothing")).stdout, "2");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let stage = Stage::new();
    for way in WAYS {
        let ran = find(&stage, &format!("{way} no_such_function O/file"));
        assert!(ran.stdout.contains("no_such_function"), "{way}: {ran:?}");
    }
}

#[test]
fn a_library_that_is_bound_deeply_is_judged() {
    let stage = Stage::new();
    let shapes: [(&str, &[&str]); 4] = [
        ("plugin-lazy", &["-Wl,-z,lazy"]),
        ("plugin-now", &["-Wl,-z,now", "-Wl,-z,relro"]),
        ("plugin-noplt", &["-fno-plt", "-Wl,-z,now"]),
        ("plugin-norelro", &["-Wl,-z,lazy", "-Wl,-z,norelro"]),
    ];
    for (name, flags) in shapes {
        let plugin = plugin_of(name, flags);
        for way in ["deep-now", "deep-lazy"] {
            for function in ["plugin_unlink", "plugin_kept", "plugin_fopen"] {
                let row = format!("{way} {function} O/file {}", plugin.display());
                find(&stage, &row).is_refused("out-of-scope");
                assert_eq!(
                    stage.content("outside/file").as_deref(),
                    Some("old"),
                    "{row}"
                );
            }
            stage.write("home/project/inside", "old");
            find(
                &stage,
                &format!("{way} plugin_unlink P/inside {}", plugin.display()),
            )
            .is_ok();
            assert!(!stage.exists("home/project/inside"));
        }
    }
}

#[test]
fn a_function_that_has_only_the_name_is_left_alone() {
    let stage = Stage::new();
    let plugin = plugin_of("plugin-own", &[]);
    for way in ["plugin", "deep-now", "deep-lazy"] {
        let ran = find(
            &stage,
            &format!("{way} truncate O/file {}", plugin.display()),
        );
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("own", ""),
            "{way}"
        );
    }
}

#[test]
fn a_deeply_bound_library_keeps_what_its_own_libraries_define() {
    let stage = Stage::new();
    let namesake = plugin_of("namesake", &[]);
    let plugin = plugin_of(
        "plugin-namesake",
        &["-Wl,-z,lazy", namesake.to_str().unwrap()],
    );
    for way in ["deep-now", "deep-lazy"] {
        let row = format!("{way} plugin_rmdir O/vacant {}", plugin.display());
        let ran = find(&stage, &row);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("own", ""),
            "{way}"
        );
    }
}

#[test]
fn a_library_is_found_where_its_user_says() {
    let stage = Stage::new();
    let plugin = plugin_of("plugin-runpath", &[]);
    std::fs::copy(&plugin, stage.path("home/libplugin.so")).unwrap();
    let finder = compile(
        "lookup-runpath",
        compiler(),
        &[
            "-ldl",
            "-Wl,--enable-new-dtags",
            &format!("-Wl,-rpath,{}", stage.path("home").display()),
        ],
    );
    for way in ["plugin", "deep-now"] {
        let mut command = stage.guarded(&finder);
        command.args(stage.words(&format!("{way} plugin_unlink O/file libplugin.so")));
        Ran::of(&mut command).is_refused("out-of-scope");
    }
    assert!(stage.exists("outside/file"));
}

#[test]
fn other_interposers_find_what_they_stand_in_front_of() {
    let stage = Stage::new();
    let other = compile("interposer", compiler(), &["-shared", "-fPIC", "-ldl"]);
    let other = other.display();
    let first = format!("{other}:{LIBRARY}");
    let last = format!("{LIBRARY}:{other}");
    // What comes after ours is called where libc is needed: a stream is, the removal of a name is not.
    for (preload, function, interposed) in [
        (&first, "unlink", 1),
        (&first, "fopen", 1),
        (&last, "unlink", 0),
        (&last, "fopen", 0),
        (&last, "popen", 1),
    ] {
        for by_handle in ["", "1"] {
            for (target, outcome) in [("O/file", "1"), ("P/inside", "ok")] {
                if function == "popen" && outcome != "ok" {
                    continue;
                }
                stage.write("home/project/inside", "old");
                let mut command = stage.guarded(finder());
                command
                    .env("LD_PRELOAD", preload)
                    .args(stage.words(&format!("default {function} {target}")));
                if !by_handle.is_empty() {
                    command.env("BY_HANDLE", by_handle);
                }
                let ran = Ran::of(&mut command);
                let row = format!("{preload} {by_handle} {function} {target}: {ran:?}");
                assert_eq!(ran.stdout, outcome, "{row}");
                assert_eq!(
                    ran.stderr.matches("interposed").count(),
                    interposed,
                    "{row}"
                );
            }
            assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
        }
    }
}

#[test]
fn programs_that_are_audited_are_guarded() {
    let stage = Stage::new();
    let auditor = compile("auditor", compiler(), &["-shared", "-fPIC"]);
    for way in ["handle", "default", "namespace"] {
        for (target, outcome) in [("O/file", "1"), ("P/inside", "ok")] {
            stage.write("home/project/inside", "old");
            let mut command = stage.guarded(finder());
            command
                .env("LD_AUDIT", &auditor)
                .args(stage.words(&format!("{way} unlink {target}")));
            let ran = Ran::of(&mut command);
            assert_eq!(ran.stdout, outcome, "{way}: {ran:?}");
            assert!(ran.stderr.contains("audited"), "{way}: {ran:?}");
        }
        assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
    }
}

#[test]
fn musl_programs_that_look_functions_up_are_judged() {
    let Some(compiler) = which("musl-gcc") else {
        eprintln!("musl-gcc is not installed");
        return;
    };
    let finder = compile("lookup-musl", Command::new(compiler), &[]);
    let stage = Stage::new();
    for way in ["handle", "self", "default", "next"] {
        for function in ["unlink", "truncate", "open", "fopen"] {
            let row = format!("{way} {function} O/file");
            Ran::of(stage.guarded(&finder).args(stage.words(&row))).is_refused("out-of-scope");
        }
        stage.write("home/project/inside", "old");
        let row = format!("{way} unlink P/inside");
        Ran::of(stage.guarded(&finder).args(stage.words(&row))).is_ok();
    }
    assert_eq!(stage.content("outside/file").as_deref(), Some("old"));
}

#[test]
fn ffi_of_interpreters_is_judged() {
    let ctypes = |library: &str, call: &str| {
        format!(
            "import ctypes,sys
libc=ctypes.CDLL({library},use_errno=True)
done=libc.{call}
print(done if done>=0 else ctypes.get_errno())"
        )
    };
    let rows = [
        (
            "python3",
            "-c",
            ctypes("'libc.so.6'", "unlink(sys.argv[1].encode())"),
        ),
        (
            "python3",
            "-c",
            ctypes("'libc.so.6'", "open(sys.argv[1].encode(),513)"),
        ),
        (
            "python3",
            "-c",
            ctypes("None", "truncate(sys.argv[1].encode(),0)"),
        ),
        (
            "python3",
            "-c",
            ctypes("'libc.so.6'", "remove(sys.argv[1].encode())"),
        ),
        (
            "ruby",
            "-e",
            "require 'fiddle'
libc=Fiddle.dlopen('libc.so.6')
f=Fiddle::Function.new(libc['unlink'],[Fiddle::TYPE_VOIDP],Fiddle::TYPE_INT)
done=f.call(ARGV[0])
puts(done>=0 ? done : Fiddle.last_error)"
                .to_owned(),
        ),
    ];
    for (program, option, script) in rows {
        if which(program).is_none() {
            eprintln!("{program} is not installed");
            continue;
        }
        let stage = Stage::new();
        let ran = |target: &str| {
            Ran::of(
                stage
                    .guarded(program)
                    .args([option, &script])
                    .arg(stage.path(target)),
            )
        };
        let refused = ran("outside/file");
        assert_eq!(refused.stdout, "1", "{script}: {refused:?}");
        assert_eq!(
            stage.content("outside/file").as_deref(),
            Some("old"),
            "{script}"
        );
        assert_eq!(refused.refusals().len(), 1, "{script}: {refused:?}");
        let done = ran("home/project/inside");
        assert!(done.refusals().is_empty(), "{script}: {done:?}");
        assert_ne!(done.stdout, "1", "{script}: {done:?}");
        assert_ne!(
            stage.content("home/project/inside").as_deref(),
            Some("old"),
            "{script}"
        );
    }
}
