//! The command `somacat`, which the wheel installs too.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::{self, Write};

/// Runs the command with `sys.argv` as arguments and returns its exit code.
#[pyfunction(name = "_main")]
pub(crate) fn main(py: Python<'_>) -> PyResult<i32> {
    let mut arguments: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
    if let Some(program) = arguments.first_mut() {
        *program = "somacat".into();
    }
    // The program has its own answer to Ctrl-C. Python's would wait for the end of the command.
    let signal = py.import("signal")?;
    signal.call_method1("signal", (signal.getattr("SIGINT")?, signal.getattr("SIG_DFL")?))?;
    py.detach(|| {
        somacat_run::restart_with_one_heap();
        let exit = somacat_program::cli::main(arguments);
        // Python does not flush Rust's output. An error has been reported or is a closed pipe.
        let _ = io::stdout().flush();
        Ok(exit as i32)
    })
}
