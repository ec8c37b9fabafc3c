//! The program as a user starts it.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

pub fn somacat(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_somacat"));
    command.current_dir(folder).args(args).env_remove("SOMACAT_DB");
    command
}

pub fn run(folder: &Path, args: &[&str]) -> Output {
    somacat(folder, args).output().unwrap()
}

/// Starts the program and gives it all its input.
pub fn start(folder: &Path, args: &[&str], input: &[u8]) -> Child {
    let mut child = somacat(folder, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may refuse its input before it has read all of it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child
}

pub fn with_input(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    start(folder, args, input).wait_with_output().unwrap()
}

pub fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().unwrap().iter().position(|h| h == name).unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}
