//! Commands in `console` blocks of Markdown, each with its output: the documents, and the transcripts of tests.

use std::path::Path;
use std::process::Command;

/// A command of a `console` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The line after `$ `, and the lines after `> ` that continue it.
    pub line: String,
    /// The exit code: a line `? 3` below the command.
    pub code: i32,
    pub output: String,
}

/// Returns the commands in a document's `console` blocks, each with its exit code and output.
pub fn commands(document: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => {
                    let (line, output) = (command.to_owned(), String::new());
                    found.push(Shown { line, code: 0, output });
                }
                (None, None) => panic!("output before a command: {line}"),
                (None, Some(shown)) => match (line.strip_prefix("> "), line.strip_prefix("? ")) {
                    _ if !shown.output.is_empty() => shown.output += &format!("{line}\n"),
                    (Some(more), _) => shown.line += &format!("\n{more}"),
                    (_, Some(code)) => shown.code = code.parse().unwrap(),
                    _ => shown.output += &format!("{line}\n"),
                },
            },
        }
    }
    found
}

/// Returns a command for the shell, in whose path is somacat.
pub fn shell(folder: &Path, line: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_somacat"));
    let old = std::env::var_os("PATH").unwrap_or_default();
    let first = program.parent().unwrap().to_owned();
    let path = std::env::join_paths(std::iter::once(first).chain(std::env::split_paths(&old)));
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .env("NO_COLOR", "1")
        .env_remove("SOMACAT_DB");
    command
}
