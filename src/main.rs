//! The `somacat` program: parses the command line, runs it, exits with the code of the outcome.

use std::process::ExitCode;

#[global_allocator]
static MEMORY: somacat::run::Reserve = somacat::run::Reserve;

fn main() -> ExitCode {
    somacat::cli::main().into()
}
