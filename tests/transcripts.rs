//! The files of `tests/transcripts`: commands with their complete output and their exit codes.
//!
//! Each file starts in an empty folder. `? 3` below a command is its exit code, if not 0. Standard output and messages
//! follow as they come; times are `…`. After an intended change, `SOMACAT_REWRITE_GOLDEN=1 cargo test transcripts::`
//! writes the outputs anew; look at them.

use crate::support::console::{Shown, commands, shell};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// Replaces times, which differ from run to run, by `…`: the column `micros`, and the time in a summary.
fn without_times(output: &str) -> String {
    let mut micros = None;
    let line = |line: &str| {
        if line.starts_with("name,") {
            micros = line.split(',').position(|column| column == "micros");
        }
        let mut row = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let row = row.records().next().and_then(Result::ok).unwrap_or_default();
        match micros.and_then(|at| row.get(at)) {
            _ if line.starts_with("time  ") => "time            …\n".to_owned(),
            Some(time) if time.parse::<u64>().is_ok() => {
                // Fields before this one may be quoted, those after it are short.
                let after: Vec<&str> = row.iter().skip(micros.unwrap_or_default() + 1).collect();
                let end = after.iter().map(|field| field.len() + 1).sum::<usize>() + time.len();
                let begin = line.len() - end;
                format!("{}…{}\n", &line[..begin], &line[begin + time.len()..])
            }
            _ => format!("{line}\n"),
        }
    };
    output.lines().map(line).collect()
}

/// Runs the commands of a document, and returns them with what they printed.
fn run(document: &str) -> Vec<(Shown, Shown)> {
    let folder = TempDir::new().unwrap();
    let run = |shown: Shown| {
        let line = format!("exec 2>&1\n{}", shown.line);
        let done = shell(folder.path(), &line).stdin(Stdio::null()).output().unwrap();
        let output = without_times(str::from_utf8(&done.stdout).unwrap());
        let code = done.status.code().unwrap();
        let printed = Shown { line: shown.line.clone(), code, output };
        (shown, printed)
    };
    commands(document).into_iter().map(run).collect()
}

fn written(shown: &Shown) -> String {
    let mut text = format!("$ {}\n", shown.line.replace('\n', "\n> "));
    if shown.code != 0 {
        writeln!(text, "? {}", shown.code).unwrap();
    }
    text + &shown.output
}

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    let mut document = fs::read_to_string(&path).unwrap();
    let commands = run(&document);
    assert!(commands.len() > 3, "{name} has {} commands", commands.len());
    if std::env::var_os("SOMACAT_REWRITE_GOLDEN").is_some() {
        let mut from = 0;
        for (shown, printed) in &commands {
            let (old, new) = (written(shown), written(printed));
            let at = from + document[from..].find(&old).expect("commands are in order");
            document.replace_range(at..at + old.len(), &new);
            from = at + new.len();
        }
        fs::write(&path, document).unwrap();
        return;
    }
    let differ = commands.iter().filter(|(shown, printed)| shown != printed);
    let differ: Vec<String> = differ
        .map(|(shown, printed)| {
            format!("{name} shows\n{}and the program prints\n{}", written(shown), written(printed))
        })
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn counts_and_figures() {
    check("counts_and_figures.md");
}

#[test]
fn counts_imports_and_queries() {
    check("counts_imports_and_queries.md");
}

#[test]
fn figures_as_arguments() {
    check("figures_as_arguments.md");
}

#[test]
fn imports_edits_and_exports() {
    check("imports_edits_and_exports.md");
}

#[test]
fn inputs_outputs_and_mirror_images() {
    check("inputs_outputs_and_mirror_images.md");
}

#[test]
fn mistakes_in_figures_and_sets() {
    check("figures_and_sets.md");
}

#[test]
fn mistakes_in_options_catalogs_and_plans() {
    check("options_catalogs_and_plans.md");
}

#[test]
fn plans_and_sources() {
    check("plans_and_sources.md");
}

#[test]
fn refused_figures() {
    check("refused_figures.md");
}
