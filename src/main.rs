//! The `somacat` program: parses the command line, runs it, exits with the code of the outcome.

use std::process::ExitCode;

fn main() -> ExitCode {
    somacat::cli::main().into()
}
