//! Signals at named points: before a program's n-th change of a file, or when it ends.
//!
//! Only these points matter for a kill, because between two changes the disk is the same. Unlike moments, they do not
//! depend on the speed of the machine.

use super::program::{somacat, stderr};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// A signal at a point.
#[derive(Clone, Copy, Debug)]
pub enum Signal {
    Kill = 9,
    Terminate = 15,
}

/// Returns the library of failing calls, compiled once.
pub fn failing_calls() -> &'static Path {
    static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (new, library) = (
            folder.join(format!("failing_calls-{}.so", std::process::id())),
            folder.join("failing_calls.so"),
        );
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/failing_calls.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&new).arg(source);
        let done = compiler.output().unwrap();
        assert!(done.status.success(), "{}", stderr(&done));
        // Other test programs may be using the one there.
        fs::rename(new, &library).unwrap();
        library
    });
    &LIBRARY
}

/// Returns a command that stops, as by Ctrl-Z, before it sleeps for the first time.
pub fn stopped_at_sleep(folder: &Path, args: &[&str]) -> Command {
    let mut command = somacat(folder, args);
    command
        .env("LD_PRELOAD", failing_calls())
        .env("FAILING_FOLDER", folder.canonicalize().unwrap())
        .env("FAILING_KIND", "signal-sleep")
        .env("FAILING_SIGNAL", "19")
        .env("FAILING_CALL", "1");
    command
}

/// Returns a command that gets a signal at a point, counted from 1. At point 0 it gets none.
pub fn signaled_at(folder: &Path, args: &[&str], point: u64, signal: Signal) -> Command {
    let mut command = somacat(folder, args);
    command
        .env("LD_PRELOAD", failing_calls())
        .env("FAILING_FOLDER", folder.canonicalize().unwrap())
        .env("FAILING_KIND", "signal")
        .env("FAILING_SIGNAL", (signal as i32).to_string())
        .env("FAILING_CALL", point.to_string());
    command
}

/// Returns a command that gets a request to stop at a point, at which its thread hangs.
pub fn hanging_at(folder: &Path, args: &[&str], point: u64) -> Command {
    let mut command = signaled_at(folder, args, point, Signal::Terminate);
    command.env("FAILING_HANG", "1");
    command
}

/// Runs a command that gets a signal at a point. Returns its exit code, if it has one.
pub fn disturbed(folder: &Path, args: &[&str], point: u64, signal: Signal) -> Option<i32> {
    let mut command = signaled_at(folder, args, point, signal);
    command.stderr(Stdio::null()).stdout(Stdio::null()).status().unwrap().code()
}

/// Runs a command undisturbed. Also returns its number of points. The last one is its end.
pub fn points_of(folder: &Path, args: &[&str]) -> (Output, u64) {
    let counted = tempfile::NamedTempFile::new().unwrap();
    let mut command = signaled_at(folder, args, 0, Signal::Kill);
    let done = command.env("FAILING_COUNT", counted.path()).output().unwrap();
    let points = fs::read_to_string(counted.path()).unwrap().trim().parse().unwrap();
    (done, points)
}
