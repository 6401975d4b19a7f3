//! What reading a string and deciding on it costs in a process that is warm.
//!
//! `reading STRINGS [ROUNDS]`: STRINGS is a JSON array of objects with a `command`. Each string is judged in a project
//! of its own, as often as asked, for bash and for a shell that is not known; its figure is the median of processor time,
//! so that what else the machine does is left out. Globs over ten thousand names follow. Prints microseconds.

use std::{fs, hint::black_box, path::Path, process::ExitCode, time::Duration};

use blastradius_cli::{
    environment::{Effective, Environment, Everything},
    judge::{self, Session},
    shell::ast::Dialect,
    stack::STACK,
};
use blastradius_policy::Origin;
use rustix::time::{ClockId, clock_gettime};

const NAMES: usize = 10_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let Some(file) = arguments.first() else {
        eprintln!("usage: reading STRINGS [ROUNDS]");
        return ExitCode::from(2);
    };
    let rounds = arguments
        .get(1)
        .map_or(Ok(15), |rounds| rounds.parse())
        .expect("ROUNDS is a number");
    let content = fs::read(file).expect("STRINGS can be read");
    let strings = commands(&content);
    let measuring = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || measure(&strings, rounds));
    measuring
        .expect("a thread can be started")
        .join()
        .expect("no string makes it panic");
    ExitCode::SUCCESS
}

fn commands(content: &[u8]) -> Vec<Vec<u8>> {
    let strings: Vec<serde_json::Value> =
        serde_json::from_slice(content).expect("STRINGS is a JSON array");
    strings
        .iter()
        .filter_map(|string| Some(string["command"].as_str()?.as_bytes().to_vec()))
        .collect()
}

fn measure(strings: &[Vec<u8>], rounds: usize) {
    let place = tempfile::Builder::new()
        .prefix("blastradius-bench-")
        .tempdir_in("/var/tmp")
        .expect("/var/tmp can be written to");
    let home = place.path().join("home");
    let project = home.join("proj");
    for folder in [".git", "build", "many"] {
        fs::create_dir_all(project.join(folder)).expect("a directory can be made");
    }
    for (shell, dialect) in [
        ("bash", Dialect::Bash),
        ("an unknown shell", Dialect::Unknown),
    ] {
        let take = |string| typical(&home, &project, string, rounds, dialect);
        let mut figures: Vec<(Duration, &[u8])> = strings
            .iter()
            .map(|string| (take(string), string.as_slice()))
            .collect();
        figures.sort();
        print(shell, &figures);
    }
    for name in 0..NAMES {
        fs::write(project.join(format!("many/file{name}.o")), b"x").expect("a file can be written");
    }
    for string in ["rm -f many/*.o", "cat many/*.o", "rm -f many/file1*5.o"] {
        let taken = typical(&home, &project, string.as_bytes(), rounds, Dialect::Bash);
        let taken = taken.as_nanos() as f64 / 1e3;
        println!("{string}, {NAMES} names: {taken:.1} us");
    }
}

fn print(shell: &str, figures: &[(Duration, &[u8])]) {
    let at = |share: usize| figures[(figures.len() - 1) * share / 1000].0.as_nanos() as f64 / 1e3;
    println!(
        "reading and deciding, {} strings for {shell}: median {:.1} us, 90 % {:.1} us, 99 % {:.1} us, most {:.1} us",
        figures.len(),
        at(500),
        at(900),
        at(990),
        at(1000),
    );
    if std::env::var_os("READING_SLOWEST").is_some() {
        for (taken, string) in figures.iter().rev().take(25) {
            println!(
                "  {taken:?}  {}",
                String::from_utf8_lossy(string).escape_debug()
            );
        }
    }
}

/// Processor time of this thread so far.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The median of the times that one string takes.
fn typical(
    home: &Path,
    project: &Path,
    string: &[u8],
    rounds: usize,
    dialect: Dialect,
) -> Duration {
    let bytes = |path: &'_ Path| path.as_os_str().as_encoded_bytes().to_vec();
    let (home, start) = (bytes(home), bytes(project));
    let effective = Effective::from_origin(
        &Origin {
            start: &start,
            homes: &[&home],
            tmpdir: None,
            config_home: None,
            state_home: None,
            runtime_dir: None,
            uid: 1000,
            session_start: (0, 0),
            launched: false,
            guard_files: &[],
            presets: &[],
        },
        &Everything,
    )
    .expect("the scope is small");
    let policy = effective.policy();
    let mut environment = Environment::of_process().variables;
    environment.retain(|(name, _)| name != b"HOME");
    environment.push((b"HOME".to_vec(), home.clone()));
    let session = Session {
        policy: &policy,
        environment: &environment,
        cwd: Some(project),
        dialect,
        strict: false,
        lower_layers: false,
        explain: false,
    };
    let mut times: Vec<Duration> = (0..=rounds)
        .map(|_| {
            let began = used();
            black_box(judge::string(&session, black_box(string), &[]));
            used() - began
        })
        // The first one warms the caches.
        .skip(1)
        .collect();
    times.sort();
    times[times.len() / 2]
}
