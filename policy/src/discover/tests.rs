use std::string::{String, ToString};
use std::vec::Vec;

use super::*;
use crate::fake::FakeFs;
use crate::{EntryKind, Policy};

/// Rows of a disk.
type Disk = &'static [(&'static str, &'static str)];

/// A session on a disk in memory, for the tests of this crate.
pub(crate) struct Session {
    pub(crate) disk: FakeFs,
    start: &'static str,
    homes: Vec<&'static [u8]>,
    tmpdir: Option<&'static str>,
    config_home: Option<&'static str>,
    runtime_dir: Option<&'static str>,
    presets: Vec<(Preset, bool)>,
    trusted: bool,
}

impl Session {
    /// A session of the user whose home is `/home/dev`.
    pub(crate) fn at(start: &'static str, rows: &[(&str, &str)]) -> Self {
        let mut disk = FakeFs::new(&[
            ("/home/dev", "dir"),
            ("/tmp", "dir"),
            ("/etc/hosts", "file x"),
        ]);
        disk.add(start, "dir");
        for (path, what) in rows {
            disk.add(path, what);
        }
        Self {
            disk,
            start,
            homes: vec![b"/home/dev"],
            tmpdir: None,
            config_home: None,
            runtime_dir: None,
            presets: Vec::new(),
            trusted: false,
        }
    }

    /// A session in `/home/dev/p` with this project file.
    pub(crate) fn with_project_file(content: &str) -> Self {
        Self::at(
            "/home/dev/p",
            &[
                ("/home/dev/p/.git/HEAD", "file"),
                ("/home/dev/p/.blastradius", &format!("file {content}")),
            ],
        )
    }

    /// The same with this user file.
    pub(crate) fn and_user_file(mut self, content: &str) -> Self {
        self.disk.add(
            "/home/dev/.config/blastradius/config",
            &format!("file {content}"),
        );
        self
    }

    pub(crate) fn homes(mut self, homes: &[&'static str]) -> Self {
        self.homes = homes.iter().map(|home| home.as_bytes()).collect();
        self
    }

    pub(crate) fn tmpdir(mut self, tmpdir: &'static str) -> Self {
        self.tmpdir = Some(tmpdir);
        self
    }

    pub(crate) fn runtime_dir(mut self, runtime_dir: &'static str) -> Self {
        self.runtime_dir = Some(runtime_dir);
        self
    }

    pub(crate) fn preset(mut self, preset: Preset, on: bool) -> Self {
        self.presets.push((preset, on));
        self
    }

    pub(crate) fn trusted(mut self) -> Self {
        self.trusted = true;
        self
    }

    /// The text of its policy.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut out = PolicyText::new();
        self.discover(&mut out).expect("fits");
        out.as_bytes().to_vec()
    }

    fn discover(&self, out: &mut PolicyText) -> Result<(), Overflow> {
        struct Always(bool);
        impl Trust for Always {
            fn trusts(&self, _: &[u8], _: &[u8]) -> bool {
                self.0
            }
        }
        let origin = Origin {
            start: self.start.as_bytes(),
            homes: &self.homes,
            tmpdir: self.tmpdir.map(str::as_bytes),
            config_home: self.config_home.map(str::as_bytes),
            state_home: None,
            runtime_dir: self.runtime_dir.map(str::as_bytes),
            uid: 1000,
            session_start: (1_764_547_200, 5),
            launched: true,
            guard_files: &[b"/home/dev/.cache/blastradius/lib.so"],
            presets: &self.presets,
        };
        discover(&self.disk, &origin, &Always(self.trusted), out)
    }
}

pub(crate) fn parsed(text: &[u8]) -> Policy<'_> {
    Policy::parse(text).unwrap_or_else(|_| panic!("corrupt: {}", text.escape_ascii()))
}

/// The patterns of some kinds, a letter each before them.
fn entries(policy: &Policy<'_>, kinds: &[EntryKind]) -> Vec<String> {
    let chosen = policy.entries().filter(|entry| kinds.contains(&entry.kind));
    chosen
        .map(|entry| String::from_utf8_lossy(entry.pattern).into_owned())
        .collect()
}

const ALLOW: [EntryKind; 3] = [
    EntryKind::AllowDefault,
    EntryKind::AllowProject,
    EntryKind::AllowUser,
];

fn root(session: &Session) -> Option<String> {
    let text = session.text();
    let policy = parsed(&text);
    policy
        .project()
        .map(|root| String::from_utf8_lossy(root.as_bytes()).into_owned())
}

#[test]
fn finds_the_project_root() {
    const GIT: &str = "/home/dev/p/.git/HEAD";
    #[rustfmt::skip]
    let rows: &[(&str, &'static str, Disk, Option<&str>)] = &[
        ("git directory", "/home/dev/p", &[(GIT, "file")], Some("/home/dev/p")),
        ("from below", "/home/dev/p/a/b", &[(GIT, "file")], Some("/home/dev/p")),
        ("blastradius file", "/home/dev/p/a", &[("/home/dev/p/.blastradius", "file")], Some("/home/dev/p")),
        ("nearest wins", "/home/dev/p/a", &[(GIT, "file"), ("/home/dev/p/a/.blastradius", "file")], Some("/home/dev/p/a")),
        ("git file", "/home/dev/p/a", &[("/home/dev/p/.git", "file gitdir: /x")], Some("/home/dev/p")),
        ("git file without pointer", "/home/dev/p/a", &[("/home/dev/p/.git", "file hello")], Some("/home/dev/p/a")),
        ("git link to a directory", "/home/dev/p/a", &[("/home/dev/p/.git", "link ../g"), ("/home/dev/g", "dir")], Some("/home/dev/p")),
        ("git link to nothing", "/home/dev/p/a", &[("/home/dev/p/.git", "link ../g")], Some("/home/dev/p/a")),
        ("no marker", "/home/dev/p", &[], Some("/home/dev/p")),
        ("home", "/home/dev", &[], None),
        ("home is a repository", "/home/dev", &[("/home/dev/.git/HEAD", "file")], None),
        ("below a home that is a repository", "/home/dev/p", &[("/home/dev/.git/HEAD", "file")], Some("/home/dev/p")),
        ("another's home", "/home/other", &[("/home/other/.git/HEAD", "file")], None),
        ("root", "/", &[], None),
        ("root is a repository", "/", &[("/.git/HEAD", "file")], None),
        ("below a root that is a repository", "/app/x", &[("/.git/HEAD", "file")], Some("/app/x")),
        ("container root", "/app", &[], Some("/app")),
        ("container root with marker", "/workspace/a", &[("/workspace/.git/HEAD", "file")], Some("/workspace")),
        ("system directory", "/etc", &[("/etc/.git/HEAD", "file")], None),
        ("below a system directory", "/etc/nginx", &[], None),
        ("below a system directory with marker", "/etc/nginx/x", &[("/etc/nginx/.git/HEAD", "file")], Some("/etc/nginx")),
        ("sources below a system directory", "/usr/src/app", &[], Some("/usr/src/app")),
        ("usr local", "/usr/local", &[("/usr/local/.git/HEAD", "file")], None),
        ("tmp", "/tmp", &[], None),
        ("below tmp", "/tmp/x", &[], None),
        ("below tmp with marker", "/tmp/x/y", &[("/tmp/x/.git/HEAD", "file")], Some("/tmp/x")),
        ("var tmp", "/var/tmp/x", &[], Some("/var/tmp/x")),
        ("through a link", "/home/dev/l", &[("/home/dev/l", "link p"), (GIT, "file")], Some("/home/dev/p")),
        ("start is a file", "/home/dev/f", &[("/home/dev/f", "file")], None),
        ("start is a link to nothing", "/home/dev/l", &[("/home/dev/l", "link gone")], None),
    ];
    for &(name, start, disk, expected) in rows {
        assert_eq!(
            root(&Session::at(start, disk)).as_deref(),
            expected,
            "{name}"
        );
    }
}

#[test]
fn a_start_that_is_not_known_has_no_project() {
    for start in ["", "relative", "/home/dev/loop"] {
        let mut session = Session::at("/home/dev/p", &[("/home/dev/loop", "link loop")]);
        session.start = start;
        let text = session.text();
        let policy = parsed(&text);
        assert_eq!(
            (policy.project(), policy.start()),
            (None, b"".as_slice()),
            "{start}"
        );
        assert_eq!(entries(&policy, &ALLOW), ["/tmp/**"], "{start}");
    }
}

#[test]
fn nothing_above_a_home_is_a_project() {
    let session = Session::at("/srv/people/ann/x", &[("/srv/people/.git/HEAD", "file")])
        .homes(&["/srv/people/ann"]);
    assert_eq!(root(&session).as_deref(), Some("/srv/people/ann/x"));
    let session = Session::at("/srv/people", &[("/srv/people/.git/HEAD", "file")])
        .homes(&["/srv/people/ann"]);
    assert_eq!(root(&session), None);
}

#[test]
fn homes_are_known_as_given_and_as_resolved() {
    let session = Session::at(
        "/p",
        &[("/home", "link usr/home"), ("/usr/home/dev", "dir")],
    )
    .homes(&["/home/dev/", "/root", "", "relative", "/root"]);
    let text = session.text();
    let homes: Vec<_> = parsed(&text).homes().map(Canonical::as_bytes).collect();
    assert_eq!(homes, [b"/usr/home/dev".as_slice(), b"/home/dev", b"/root"]);
}

#[test]
fn the_default_scope_is_the_project_and_what_is_temporary() {
    #[rustfmt::skip]
    let rows: &[(&str, Option<&'static str>, Disk, &[&str])] = &[
        ("plain", None, &[], &["/home/dev/p/**", "/tmp/**"]),
        ("tmpdir below tmp", Some("/tmp/t"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("own tmpdir", Some("/home/dev/t/"), &[], &["/home/dev/p/**", "/tmp/**", "/home/dev/t/*/**"]),
        ("tmpdir link", Some("/home/dev/t"), &[("/home/dev/t", "link /data/t"), ("/data/t", "dir")], &["/home/dev/p/**", "/tmp/**", "/data/t/*/**"]),
        ("root", Some("/"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("home", Some("/home/dev"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("another's home", Some("/home/other"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("home parent", Some("/home"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("var tmp", Some("/var/tmp"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("below var tmp", Some("/var/tmp/t"), &[], &["/home/dev/p/**", "/tmp/**", "/var/tmp/t/*/**"]),
        ("etc", Some("/etc/t"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("shared memory", Some("/dev/shm/t"), &[], &["/home/dev/p/**", "/tmp/**", "/dev/shm/t/*/**"]),
        ("relative", Some("t"), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("empty", Some(""), &[], &["/home/dev/p/**", "/tmp/**"]),
        ("tmp is a link", None, &[("/tmp", "link private/tmp"), ("/private/tmp", "dir")], &["/home/dev/p/**", "/private/tmp/**"]),
        ("tmp leads home", None, &[("/tmp", "link home/dev")], &["/home/dev/p/**"]),
        ("tmp leads above home", None, &[("/tmp", "link home")], &["/home/dev/p/**"]),
    ];
    for &(name, tmpdir, disk, expected) in rows {
        let mut session = Session::at("/home/dev/p", disk);
        session.tmpdir = tmpdir;
        let text = session.text();
        assert_eq!(entries(&parsed(&text), &ALLOW), expected, "{name}");
    }
}

#[test]
fn tmpdir_above_the_project_does_not_widen_it() {
    let git: &[(&str, &str)] = &[("/home/dev/w/p/.git/HEAD", "file")];
    let text = Session::at("/home/dev/w/p", git)
        .tmpdir("/home/dev/w")
        .text();
    assert_eq!(
        entries(&parsed(&text), &ALLOW),
        ["/home/dev/w/p/**", "/tmp/**"]
    );
    // The place macOS gives is nobody's work.
    let git: &[(&str, &str)] = &[("/private/var/folders/ab/T/p/.git/HEAD", "file")];
    let text = Session::at("/private/var/folders/ab/T/p", git)
        .tmpdir("/private/var/folders/ab/T")
        .text();
    let scope = entries(&parsed(&text), &ALLOW);
    assert_eq!(
        scope,
        [
            "/private/var/folders/ab/T/p/**",
            "/tmp/**",
            "/private/var/folders/ab/T/*/**"
        ]
    );
}

#[rustfmt::skip]
const MAIN: &[(&str, &str)] = &[
    ("/home/dev/main/.git/HEAD", "file"),
    ("/home/dev/main/.git/objects", "dir"),
    ("/home/dev/main/.git/worktrees/one/gitdir", "file /home/dev/one/.git\n"),
    ("/home/dev/main/.git/worktrees/one/commondir", "file ../..\n"),
    ("/home/dev/main/.git/worktrees/one/HEAD", "file"),
    ("/home/dev/one/.git", "file gitdir: /home/dev/main/.git/worktrees/one\n"),
    ("/home/dev/main/.git/worktrees/two/gitdir", "file ../../../../two/.git\n"),
    ("/home/dev/main/.git/worktrees/two/commondir", "file ../..\n"),
    ("/home/dev/main/.git/worktrees/two/HEAD", "file"),
    ("/home/dev/two/.git", "file gitdir: ../main/.git/worktrees/two\n"),
    // Claims that nobody confirms.
    ("/home/dev/main/.git/worktrees/false/gitdir", "file /home/dev/Documents/.git\n"),
    ("/home/dev/main/.git/worktrees/stale/gitdir", "file /home/dev/one/.git\n"),
    ("/home/dev/main/.git/worktrees/home/gitdir", "file /home/dev/.git\n"),
    ("/home/dev/main/.git/worktrees/home/commondir", "file ../..\n"),
    ("/home/dev/.git", "file gitdir: /home/dev/main/.git/worktrees/home\n"),
    ("/home/dev/Documents/.git/HEAD", "file"),
];

#[test]
fn worktrees_of_the_same_repository_are_in_the_default_scope() {
    #[rustfmt::skip]
    let rows: &[(&'static str, &[&str])] = &[
        ("/home/dev/main", &["/home/dev/main/**", "/home/dev/one/**", "/home/dev/two/**", "/tmp/**"]),
        ("/home/dev/one", &["/home/dev/one/**", "/home/dev/main/**", "/home/dev/two/**", "/tmp/**"]),
        ("/home/dev/two", &["/home/dev/two/**", "/home/dev/main/**", "/home/dev/one/**", "/tmp/**"]),
    ];
    for &(start, expected) in rows {
        let text = Session::at(start, MAIN).text();
        assert_eq!(entries(&parsed(&text), &ALLOW), expected, "{start}");
    }
}

#[test]
fn a_worktree_knows_where_its_repository_is_kept() {
    let text = Session::at("/home/dev/one", MAIN).text();
    let state = entries(&parsed(&text), &[EntryKind::StateRepository]);
    let kept = [
        "/home/dev/one/.git/**",
        "/home/dev/main/.git/worktrees/one/**",
        "/home/dev/main/.git/**",
    ];
    assert_eq!(state, kept);
}

#[test]
fn a_pointer_to_no_repository_opens_nothing() {
    #[rustfmt::skip]
    let rows: &[(&str, &[(&str, &str)])] = &[
        ("documents", &[("/home/dev/p/.git", "file gitdir: /home/dev/Documents"), ("/home/dev/Documents", "dir")]),
        ("home", &[("/home/dev/p/.git", "file gitdir: /home/dev"), ("/home/dev/HEAD", "file"), ("/home/dev/objects", "dir")]),
        ("stale", &[("/home/dev/p/.git", "file gitdir: /home/dev/gone/.git/worktrees/p")]),
        ("no head", &[("/home/dev/p/.git", "file gitdir: /home/dev/x"), ("/home/dev/x/objects", "dir")]),
        ("no objects", &[("/home/dev/p/.git", "file gitdir: /home/dev/x"), ("/home/dev/x/HEAD", "file")]),
        ("two lines", &[("/home/dev/p/.git", "file gitdir: /home/dev/x\n/home/dev/y")]),
    ];
    for &(name, disk) in rows {
        let text = Session::at("/home/dev/p", disk).text();
        let policy = parsed(&text);
        assert_eq!(
            entries(&policy, &[EntryKind::StateRepository]),
            [""; 0],
            "{name}"
        );
        assert_eq!(
            entries(&policy, &ALLOW),
            ["/home/dev/p/**", "/tmp/**"],
            "{name}"
        );
    }
}

#[test]
fn a_worktree_that_its_repository_does_not_know_shares_nothing() {
    let mut session = Session::at("/home/dev/three", MAIN);
    session.disk.add(
        "/home/dev/three/.git",
        "file gitdir: /home/dev/main/.git/worktrees/one",
    );
    let text = session.text();
    assert_eq!(
        entries(&parsed(&text), &ALLOW),
        ["/home/dev/three/**", "/tmp/**"]
    );
}

#[test]
fn tmpdir_is_no_home_wherever_homes_are() {
    for tmpdir in ["/data/people/ann", "/data/people"] {
        let session = Session::at("/home/dev/p", &[])
            .homes(&["/data/people/ann"])
            .tmpdir(tmpdir);
        let text = session.text();
        assert_eq!(
            entries(&parsed(&text), &ALLOW),
            ["/home/dev/p/**", "/tmp/**"],
            "{tmpdir}"
        );
    }
}

#[test]
fn a_submodule_reaches_its_own_directory_and_no_further() {
    let disk: &[(&str, &str)] = &[
        ("/home/dev/p/.git/modules/sub/HEAD", "file"),
        ("/home/dev/p/.git/modules/sub/objects", "dir"),
        ("/home/dev/p/sub/.git", "file gitdir: ../.git/modules/sub"),
    ];
    let text = Session::at("/home/dev/p/sub", disk).text();
    let policy = parsed(&text);
    assert_eq!(entries(&policy, &ALLOW), ["/home/dev/p/sub/**", "/tmp/**"]);
    let state = entries(&policy, &[EntryKind::StateRepository]);
    assert_eq!(
        state,
        ["/home/dev/p/sub/.git/**", "/home/dev/p/.git/modules/sub/**"]
    );
}

/// Project file, the scope it gives, its denials, what is untrusted.
type FileRow = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

#[rustfmt::skip]
const FILES: &[FileRow] = &[
    ("", &["/home/dev/p/**", "/tmp/**"], &[], &[]),
    ("# nothing\n\n", &["/home/dev/p/**", "/tmp/**"], &[], &[]),
    ("deny ./secrets/**", &["/home/dev/p/**", "/tmp/**"], &["/home/dev/p/secrets/**"], &[]),
    ("limit glob-breadth 7", &["/home/dev/p/**", "/tmp/**"], &[], &[]),
    ("allow ./build/**", &["/home/dev/p/build/**"], &[], &[]),
    ("allow build", &["/home/dev/p/build"], &[], &[]),
    ("allow build/", &["/home/dev/p/build"], &[], &[]),
    ("allow <repo>/dist", &["/home/dev/p/dist"], &[], &[]),
    ("allow <repo>", &["/home/dev/p"], &[], &[]),
    ("allow .", &["/home/dev/p"], &[], &[]),
    ("allow ./**", &["/home/dev/p/**"], &[], &[]),
    ("allow **", &["/home/dev/p/**"], &[], &[]),
    ("allow ./out/*.o", &["/home/dev/p/out/*.o"], &[], &[]),
    ("allow ./\\{a,b}/*.o", &["/home/dev/p/\\{a,b}/*.o"], &[], &[]),
    ("allow **/*.tmp", &["/home/dev/p/**/*.tmp"], &[], &[]),
    ("allow /tmp/**", &["/tmp/**"], &[], &[]),
    ("allow ./a/../b", &["/home/dev/p/b"], &[], &[]),
    ("allow ./my dir/**  # spaces", &["/home/dev/p/my dir/**"], &[], &[]),
    ("allow ./a#b", &["/home/dev/p/a#b"], &[], &[]),
    ("\tallow\t./build\t", &["/home/dev/p/build"], &[], &[]),
    ("allow ./build\r\ndeny ./src\r\n", &["/home/dev/p/build"], &["/home/dev/p/src"], &[]),
    (r"allow ./\*", &["/home/dev/p/*"], &[], &[]),
    ("allow ./app/[id]/**", &["/home/dev/p/app/[id]/**"], &[], &[]),
    // What reaches outside counts for nothing, and does not replace the defaults.
    ("allow /**", &["/home/dev/p/**", "/tmp/**"], &[], &["/**"]),
    ("allow ~/other/**", &["/home/dev/p/**", "/tmp/**"], &[], &["/home/dev/other/**"]),
    ("allow $HOME/other", &["/home/dev/p/**", "/tmp/**"], &[], &["/home/dev/other"]),
    ("allow ../other/**", &["/home/dev/p/**", "/tmp/**"], &[], &["/home/dev/other/**"]),
    ("allow ./../../**", &["/home/dev/p/**", "/tmp/**"], &[], &["/home/**"]),
    ("allow /*/dev/**", &["/home/dev/p/**", "/tmp/**"], &[], &["/*/dev/**"]),
    ("allow /home/dev/p*/**", &["/home/dev/p/**", "/tmp/**"], &[], &["/home/dev/p*/**"]),
    ("allow /**\nallow ./build", &["/home/dev/p/build"], &[], &["/**"]),
    ("state ~/.mytool/**", &["/home/dev/p/**", "/tmp/**"], &[], &["/home/dev/.mytool/**"]),
    ("deny ~/x", &["/home/dev/p/**", "/tmp/**"], &["/home/dev/x"], &[]),
    ("deny **/*.pem", &["/home/dev/p/**", "/tmp/**"], &["/home/dev/p/**/*.pem"], &[]),
    ("deny /**/*.pem", &["/home/dev/p/**", "/tmp/**"], &["/**/*.pem"], &[]),
];

#[test]
fn a_project_file_makes_the_scope() {
    for (content, scope, denials, untrusted) in FILES {
        let text = Session::with_project_file(content).text();
        let policy = parsed(&text);
        assert_eq!(
            policy.doubt().map(|doubt| doubt.escape_ascii().to_string()),
            None,
            "{content:?}"
        );
        assert_eq!(entries(&policy, &ALLOW), *scope, "{content:?}");
        assert_eq!(
            entries(&policy, &[EntryKind::Deny]),
            *denials,
            "{content:?}"
        );
        assert_eq!(
            entries(&policy, &[EntryKind::Untrusted]),
            *untrusted,
            "{content:?}"
        );
    }
}

#[test]
fn trust_makes_every_line_count() {
    let text = Session::with_project_file("allow ~/other/**\nstate ~/.t\ndeny ./x")
        .trusted()
        .text();
    let policy = parsed(&text);
    assert_eq!(entries(&policy, &ALLOW), ["/home/dev/other/**"]);
    assert_eq!(
        entries(&policy, &[EntryKind::StateProject]),
        ["/home/dev/.t"]
    );
    assert_eq!(entries(&policy, &[EntryKind::Untrusted]), [""; 0]);
}

#[test]
fn a_user_file_adds_to_the_project() {
    let session = Session::with_project_file("allow ./build\ndeny ./a\nlimit glob-breadth 5")
        .and_user_file("allow ~/scratch/**\ndeny <repo>/b\nstate ~/.mytool\nlimit glob-breadth 9\nallow ./x\npreset system-packages\npreset agents off\n");
    let text = session.text();
    let policy = parsed(&text);
    let scope = [
        "/home/dev/p/build",
        "/home/dev/scratch/**",
        "/home/dev/.config/blastradius/x",
    ];
    assert_eq!(entries(&policy, &ALLOW), scope);
    assert_eq!(
        entries(&policy, &[EntryKind::Deny]),
        ["/home/dev/p/a", "/home/dev/p/b"]
    );
    assert_eq!(
        entries(&policy, &[EntryKind::StateUser]),
        ["/home/dev/.mytool"]
    );
    assert_eq!(
        entries(&policy, &[EntryKind::Preset]),
        ["caches", "settings", "tools", "system-packages"]
    );
    assert_eq!(policy.glob_breadth(), 9);
}

#[test]
fn a_user_file_does_not_replace_the_defaults() {
    let text = Session::at("/home/dev/p", &[])
        .and_user_file("allow ~/scratch")
        .text();
    assert_eq!(
        entries(&parsed(&text), &ALLOW),
        ["/home/dev/p/**", "/tmp/**", "/home/dev/scratch"]
    );
}

#[test]
fn a_user_file_may_speak_of_a_project_where_there_is_none() {
    let text = Session::at("/home/dev", &[])
        .and_user_file("allow <repo>/dist\nallow ~/scratch")
        .text();
    assert_eq!(
        entries(&parsed(&text), &ALLOW),
        ["/tmp/**", "/home/dev/scratch"]
    );
}

#[test]
fn presets_of_the_command_line_win() {
    let session = Session::at("/home/dev/p", &[]).and_user_file("preset caches off");
    let text = session
        .preset(Preset::Caches, true)
        .preset(Preset::SystemPackages, true)
        .text();
    assert_eq!(
        entries(&parsed(&text), &[EntryKind::Preset]),
        ["caches", "agents", "settings", "tools", "system-packages"]
    );
}

#[test]
fn patterns_are_resolved_on_disk() {
    let links: &[(&str, &str)] = &[
        ("/home/dev/p/out", "link /data/out"),
        ("/home/dev/p/in", "link src"),
        ("/home/dev/p/src", "dir"),
        ("/home/dev/p/deep", "link in"),
        ("/data/out", "dir"),
        ("/home/dev/p/we*rd", "dir"),
        ("/home/dev/p/l", "link we*rd"),
    ];
    #[rustfmt::skip]
    let rows: &[FileRow] = &[
        ("allow ./in/**", &["/home/dev/p/in", "/home/dev/p/src/**"], &[], &[]),
        ("allow ./deep/x", &["/home/dev/p/src/x"], &[], &[]),
        // The link is the project's, what it leads to is not.
        ("allow ./out/**", &["/home/dev/p/out"], &[], &["/data/out/**"]),
        ("allow ./out/*.o", &["/home/dev/p/**", "/tmp/**"], &[], &["/data/out/*.o"]),
        ("deny ./out", &["/home/dev/p/**", "/tmp/**"], &["/home/dev/p/out", "/data/out"], &[]),
        ("deny ./l/*.o", &["/home/dev/p/**", "/tmp/**"], &[r"/home/dev/p/we\*rd/*.o"], &[]),
        ("allow ./l/**", &["/home/dev/p/l", "/home/dev/p/we*rd/**"], &[], &[]),
    ];
    for &(content, scope, denials, untrusted) in rows {
        let mut session = Session::with_project_file(content);
        for (path, what) in links {
            session.disk.add(path, what);
        }
        let text = session.text();
        let policy = parsed(&text);
        assert_eq!(entries(&policy, &ALLOW), scope, "{content}");
        assert_eq!(entries(&policy, &[EntryKind::Deny]), denials, "{content}");
        assert_eq!(
            entries(&policy, &[EntryKind::Untrusted]),
            untrusted,
            "{content}"
        );
    }
}

fn doubt(session: &Session) -> Option<String> {
    let text = session.text();
    let policy = parsed(&text);
    policy
        .doubt()
        .map(|doubt| String::from_utf8_lossy(doubt).into_owned())
}

#[test]
fn a_mistake_names_its_file_and_line() {
    #[rustfmt::skip]
    let rows = [
        ("allwo ./x", "1: unknown word \"allwo\" (expected allow, deny, state, limit, preset, guard, log)"),
        ("\n# c\nallow\n", "3: allow needs a pattern"),
        ("deny   # all", "1: deny needs a pattern"),
        ("state", "1: state needs a pattern"),
        ("Allow ./x", "1: unknown word \"Allow\" (expected allow, deny, state, limit, preset, guard, log)"),
        ("allow: ./x", "1: unknown word \"allow:\" (expected allow, deny, state, limit, preset, guard, log)"),
        ("limit", "1: unknown limit \"\" (expected glob-breadth, session-removals)"),
        ("limit depth 3", "1: unknown limit \"depth\" (expected glob-breadth, session-removals)"),
        ("limit glob-breadth", "1: \"\" is no number (limit NAME N)"),
        ("limit glob-breadth many", "1: \"many\" is no number (limit NAME N)"),
        ("limit glob-breadth -1", "1: \"-1\" is no number (limit NAME N)"),
        ("limit glob-breadth 99999999999", "1: \"99999999999\" is no number (limit NAME N)"),
        ("preset caches off", "1: preset belongs in the user file"),
        ("allow ./a**", "1: bad pattern \"./a**\": ** must be a whole component"),
        ("allow ./[a", "1: bad pattern \"./[a\": [ without ], or a range that ends before it begins"),
        ("allow ./a\\", "1: bad pattern \"./a\\\": a backslash with nothing after it"),
        ("allow ./{a,b}", "1: bad pattern \"./{a,b}\": {a,b} is not a choice here, write one line each"),
        ("allow ~root/x", "1: bad pattern \"~root/x\": only ~, $HOME and <repo> are known"),
        ("allow $TMPDIR/x", "1: bad pattern \"$TMPDIR/x\": only ~, $HOME and <repo> are known"),
        ("allow <root>/x", "1: bad pattern \"<root>/x\": only ~, $HOME and <repo> are known"),
        ("allow ./*/../x", "1: bad pattern \"./*/../x\": .. after a wildcard"),
        ("allow ./a\u{1b}[0m", "1: control character"),
        ("allow ./ok\ndeny ./ok\nfoo", "3: unknown word \"foo\" (expected allow, deny, state, limit, preset, guard, log)"),
    ];
    for (content, expected) in rows {
        let expected = format!("/home/dev/p/.blastradius:{expected}");
        assert_eq!(
            doubt(&Session::with_project_file(content)),
            Some(expected),
            "{content:?}"
        );
    }
    #[rustfmt::skip]
    let user = [
        ("preset", "1: unknown preset \"\" (expected caches, agents, settings, tools, system-packages; then off, or nothing)"),
        ("preset caches no", "1: unknown preset \"caches no\" (expected caches, agents, settings, tools, system-packages; then off, or nothing)"),
        ("\npreset x", "2: unknown preset \"x\" (expected caches, agents, settings, tools, system-packages; then off, or nothing)"),
    ];
    for (content, expected) in user {
        let session = Session::at("/home/dev/p", &[]).and_user_file(content);
        let expected = format!("/home/dev/.config/blastradius/config:{expected}");
        assert_eq!(doubt(&session), Some(expected), "{content:?}");
    }
}

#[test]
fn a_file_that_is_no_text_puts_the_policy_in_doubt() {
    let file = "/home/dev/p/.blastradius";
    let mut latin = Session::at("/home/dev/p", &[]);
    latin.disk.add_bytes(file, b"allow ./x\ndeny ./caf\xe9\n");
    assert_eq!(
        doubt(&latin).as_deref(),
        Some("/home/dev/p/.blastradius:2: not UTF-8")
    );
    let mut null = Session::at("/home/dev/p", &[]);
    null.disk.add_bytes(file, b"allow ./x\0y\n");
    assert_eq!(
        doubt(&null).as_deref(),
        Some("/home/dev/p/.blastradius:1: control character")
    );
    let mut utf16 = Session::at("/home/dev/p", &[]);
    utf16.disk.add_bytes(file, b"\xff\xfea\0l\0");
    assert_eq!(
        doubt(&utf16).as_deref(),
        Some("/home/dev/p/.blastradius:1: not UTF-8")
    );
    let mut long = Session::at("/home/dev/p", &[]);
    long.disk.add_bytes(file, &b"# comment\n".repeat(2000));
    assert_eq!(
        doubt(&long).as_deref(),
        Some("/home/dev/p/.blastradius: longer than 16384 bytes")
    );
    let rows: &[(&str, &str)] = &[
        ("dir", "no regular file"),
        ("other", "no regular file"),
        ("block", "no regular file"),
        ("link nowhere", "cannot be read: no such file or directory"),
        ("link .blastradius", "cannot be read: too many links"),
        ("link sealed/x", "cannot be read: permission denied"),
    ];
    for (what, expected) in rows {
        let session = Session::at(
            "/home/dev/p",
            &[(file, what), ("/home/dev/p/sealed", "sealed")],
        );
        assert_eq!(
            doubt(&session),
            Some(format!("{file}: {expected}")),
            "{what}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    let mut session = Session::at("/home/dev/p", &[]);
    session
        .disk
        .add_bytes("/home/dev/p/.blastradius", b"\xef\xbb\xbfallow ./x\n");
    let text = session.text();
    assert_eq!(entries(&parsed(&text), &ALLOW), ["/home/dev/p/x"]);
}

#[test]
fn a_policy_in_doubt_takes_nothing_from_either_file() {
    let session = Session::with_project_file("allow ./build\noops")
        .and_user_file("allow ~/scratch\npreset caches off");
    let text = session.text();
    let policy = parsed(&text);
    assert_eq!(entries(&policy, &ALLOW), ["/home/dev/p/**", "/tmp/**"]);
    assert_eq!(
        entries(&policy, &[EntryKind::Preset]),
        ["caches", "agents", "settings", "tools"]
    );
    assert!(
        entries(&policy, &[EntryKind::Guard]).contains(&"/home/dev/p/.blastradius".to_string())
    );
}

#[test]
fn a_tilde_needs_a_home() {
    let session = Session::with_project_file("deny ~/x").homes(&[]);
    let expected = "/home/dev/p/.blastradius:1: ~ is not known: there is no home";
    assert_eq!(doubt(&session).as_deref(), Some(expected));
    assert_eq!(doubt(&Session::at("/home/dev/p", &[]).homes(&[])), None);
}

#[test]
fn a_home_that_cannot_be_entered_holds_no_user_file() {
    let session = Session::at("/home/dev/p", &[("/root", "sealed")]).homes(&["/root"]);
    assert_eq!(doubt(&session), None);
    let session = Session::at(
        "/home/dev/p",
        &[("/home/dev/.config/blastradius", "sealed")],
    );
    let expected = "/home/dev/.config/blastradius/config: cannot be read: permission denied";
    assert_eq!(doubt(&session).as_deref(), Some(expected));
}

#[test]
fn the_files_of_the_guard_are_named_whether_they_exist_or_not() {
    let mut session = Session::at(
        "/home/dev/p",
        &[
            ("/home/dev/p/.blastradius", "link shared.conf"),
            ("/home/dev/p/shared.conf", "file deny ./x"),
        ],
    );
    session.config_home = Some("/home/dev/cfg");
    let text = session.text();
    let policy = parsed(&text);
    let guards = [
        "/home/dev/p/.blastradius",
        "/home/dev/p/shared.conf",
        "/home/dev/cfg/blastradius/config",
        "/home/dev/.local/state/blastradius/log",
        "/home/dev/.local/state/blastradius/trusted",
        "/home/dev/.cache/blastradius/lib.so",
    ];
    assert_eq!(entries(&policy, &[EntryKind::Guard]), guards);
    assert_eq!(
        policy.log().map(Canonical::as_bytes),
        Some(b"/home/dev/.local/state/blastradius/log".as_slice())
    );
}

#[test]
fn too_much_policy_is_a_policy_in_doubt() {
    // 16 KiB of lines that grow by their base.
    let lines: String = (0..1400).map(|at| format!("deny ./{at}\n")).collect();
    let session = Session::at(
        "/home/dev/a-directory-with-a-rather-long-name/p",
        &[(
            "/home/dev/a-directory-with-a-rather-long-name/p/.blastradius",
            &format!("file {lines}"),
        )],
    );
    let mut out = PolicyText::new();
    assert_eq!(session.discover(&mut out), Err(Overflow));
    let policy = parsed(out.as_bytes());
    assert_eq!(
        policy.doubt(),
        Some(b"the policy is longer than 32768 bytes".as_slice())
    );
}

#[test]
fn the_name_of_a_policy_is_its_scope() {
    let id = |session: &Session| parsed(&session.text()).id().to_string();
    let plain = id(&Session::at(
        "/home/dev/p",
        &[("/home/dev/p/.git/HEAD", "file")],
    ));
    assert_eq!(
        id(&Session::at(
            "/home/dev/p/sub",
            &[("/home/dev/p/.git/HEAD", "file")]
        )),
        plain
    );
    assert_ne!(id(&Session::with_project_file("deny ./x")), plain);
    assert!(plain.starts_with("1+") && plain.len() == 10, "{plain}");
}
