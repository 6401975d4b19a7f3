//! The `blastradius` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    blastradius_cli::main(std::env::args_os()).into()
}
