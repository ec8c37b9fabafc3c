//! Words: verdicts, reasons and engines are spelled in one place each, and texts are plain English.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that mean nothing else in this program.
const VERDICTS: [&str; 5] = ["counted", "at-least", "no-fit", "exhausted", "frontier"];

/// Constructions that read as if translated, with what a native speaker would write.
const CONSTRUCTIONS: &[(&str, &str)] = &[
    ("hang together", "are connected"),
    ("hangs together", "is connected"),
    ("goes on", "continues, resumes"),
    ("went on", "continued"),
    ("begins anew", "restarts"),
    ("begin anew", "restart"),
    ("made again", "rebuilt, reproduced"),
    ("is told", "is reported, stated"),
    ("are told", "are reported, stated"),
    ("says so", "reports, states"),
    ("tells of", "contains, describes"),
    ("comes to an end", "ends"),
    ("came to", "equals, results"),
    ("comes upon", "finds"),
    ("nothing if", "`None` if"),
    ("so many", "n, a number of"),
    ("whoever", "a user who, the caller"),
    ("in peace", "on a quiet machine"),
    ("foretell", "predict"),
    ("by the clock", "wall-clock"),
    ("good manners", "recommended"),
    ("taken away", "removed"),
    ("takes away", "removes"),
    ("found out", "determined"),
    ("finds out", "determines"),
    ("handed on", "passed on"),
    ("what stands", "what is stable"),
    ("what has", "name the thing that has it"),
    ("is no more", "is no longer"),
    ("any more", "no longer"),
    ("anew", "again, re-"),
    ("begin again", "restart"),
    ("begins again", "restarts"),
    ("hand on", "pass on"),
    ("hands on", "passes on"),
    ("leave it as", "do not change it"),
    ("leaves it as", "does not change it"),
    ("come to", "equal, result in"),
    ("comes to", "equals, results in"),
    ("come upon", "find"),
    ("take away", "remove"),
    ("stretch", "batch"),
    ("stretches", "batches"),
    ("beside", "next to"),
    ("in vain", "without success"),
    ("is asked for", "is requested"),
    ("asks for", "requests"),
    ("wants", "requests, needs, selects"),
    ("is looked at", "is examined"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files below a folder with one of the endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files(&path, endings) } else { vec![path] };
    let is_wanted = |path: &PathBuf| {
        path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted))
    };
    entries.flat_map(below).filter(is_wanted).collect()
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

#[test]
fn verdicts_reasons_and_engines_are_spelled_in_one_place() {
    let mut found = Vec::new();
    for path in files(&root().join("src"), &["rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        let quoted = |word: &str| [format!("\"{word}\""), format!("'{word}'")];
        if VERDICTS.iter().any(|word| quoted(word).iter().any(|literal| text.contains(literal))) {
            found.push(name(&path));
        }
    }
    found.sort();
    assert_eq!(found, ["src/geometry/spelling.rs"]);
}

/// Returns the comments and the string literals of a file of Rust, line by line, other texts whole.
fn prose(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap();
    let lines = (1..).zip(text.lines());
    if path.extension().is_some_and(|ending| ending != "rs") {
        return lines.map(|(number, line)| (number, line.to_owned())).collect();
    }
    let of_line = |line: &str| match line.split_once("//") {
        Some((code, comment)) if code.matches('"').count().is_multiple_of(2) => {
            format!("{} {comment}", literals(code))
        }
        _ => literals(line),
    };
    lines.map(|(number, line)| (number, of_line(line))).collect()
}

fn literals(code: &str) -> String {
    code.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn texts_are_plain_english() {
    let mut paths = files(&root().join("src"), &["rs", "md", "html", "sql"]);
    paths.extend(files(&root().join("docs"), &["md"]));
    paths.extend(files(&root().join("benches"), &["rs"]));
    paths.extend(files(&root().join("tests"), &["rs"]));
    let documents = ["README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY"];
    paths.extend(documents.map(|document| root().join(format!("{document}.md"))));
    paths.retain(|path| !path.ends_with("tests/words.rs"));
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let mut found = Vec::new();
    for path in &paths {
        for (number, line) in prose(path) {
            let line = line.to_lowercase();
            for &(construction, better) in CONSTRUCTIONS {
                let whole = |(at, found): (usize, &str)| {
                    !is_letter(line[..at].chars().next_back())
                        && !is_letter(line[at + found.len()..].chars().next())
                };
                if line.match_indices(construction).any(whole) {
                    let place = format!("{}:{number}", name(path));
                    found.push(format!("{place}: `{construction}`; better: {better}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{} lines:\n{}", found.len(), found.join("\n"));
}
