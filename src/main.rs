//! The `somacat` program: parses the command line, runs it, exits with the code of the outcome.

use std::process::ExitCode;

#[global_allocator]
static HEAP: somacat_output::LimitedHeap = somacat_output::LimitedHeap;

fn main() -> ExitCode {
    somacat_run::restart_with_one_heap();
    somacat::cli::main(std::env::args_os()).into()
}
