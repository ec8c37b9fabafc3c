//! Words: verdicts, reasons and engines are spelled in one place each, and texts are plain English.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that mean nothing else in this program.
const VERDICTS: [&str; 5] = ["counted", "at-least", "no-fit", "exhausted", "frontier"];

/// Constructions that read as if translated, and better ones.
const CONSTRUCTIONS: &[(&str, &str)] = &[
    ("hang together", "are connected"),
    ("hangs together", "is connected"),
    ("goes on", "continues, resumes"),
    ("went on", "continued"),
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
    ("asks for", "requests"),
    ("wants", "requests, needs, selects"),
    ("is looked at", "is examined"),
    ("go on", "continue, resume"),
    ("going on", "continuing"),
    ("gone on", "continued"),
    ("find out", "determine"),
    ("leave them as", "do not change them"),
    ("leaves them as", "does not change them"),
    ("as they are", "unchanged"),
    ("came upon", "found"),
    ("said so", "reported, stated"),
    ("say so", "report, state"),
    ("tells", "reports, shows"),
    ("told of", "shown"),
    ("told by", "reported by"),
    ("be told", "be reported, shown"),
    ("until told", "until asked"),
    ("cheap", "fast, costs little"),
    ("cheaper", "faster, costs less"),
    ("cheapest", "fastest, costs least"),
    ("is dear", "is slow, costs much"),
    ("dearer", "slower, costs more"),
    ("how far", "the progress"),
    ("its cone", "the friction cone"),
    ("asked for", "requested"),
    ("ask for", "request"),
    ("is no", "is not a"),
    ("are no", "are not"),
];

/// Phrases with such words that are fine.
const FINE: [&str; 5] =
    ["there is no", "there are no", "is no longer", "are no longer", "is no more than"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files below a folder with one of the endings.
///
/// Skips generated files.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_kept = |path: &PathBuf| {
        !["target", "node_modules", "package-lock.json"].iter().any(|made| path.ends_with(made))
    };
    let below = |path: PathBuf| if path.is_dir() { files(&path, endings) } else { vec![path] };
    let is_wanted = |path: &PathBuf| endings.iter().any(|ending| name(path).ends_with(ending));
    entries.filter(is_kept).flat_map(below).filter(is_wanted).collect()
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

#[test]
fn verdicts_reasons_and_engines_are_spelled_in_one_place() {
    let mut found = Vec::new();
    for path in files(&root().join("src"), &[".rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        let quoted = |word: &str| [format!("\"{word}\""), format!("'{word}'")];
        if VERDICTS.iter().any(|word| quoted(word).iter().any(|literal| text.contains(literal))) {
            found.push(name(&path));
        }
    }
    found.sort();
    assert_eq!(found, ["src/geometry/spelling.rs"]);
}

/// Returns the comments, string literals and line ends of Rust code.
fn of_rust(code: &str) -> String {
    let code = code.replace(r"\\", "").replace("\\\"", "").replace("'\"'", "");
    let (mut prose, mut rest) = (String::new(), code.as_str());
    while let Some(at) = [rest.find("//"), rest.find('"')].into_iter().flatten().min() {
        let (before, from) = rest.split_at(at);
        let hashes = before.len() - before.trim_end_matches('#').len();
        let (text, after, end) = match from.strip_prefix('"') {
            Some(literal) => {
                let (text, after) =
                    literal.split_once(&format!("\"{}", "#".repeat(hashes))).unwrap();
                (text, after, ' ')
            }
            None => {
                let (text, after) = from.split_once('\n').unwrap_or((from, ""));
                (text, after, '\n')
            }
        };
        prose.extend(before.matches('\n'));
        prose += text;
        prose.push(end);
        rest = after;
    }
    prose
}

/// Returns the prose of a file in one line, and line starts.
///
/// The prose is in lower case. Code between two comments leaves two blanks, which no construction contains.
fn prose(path: &Path) -> (String, Vec<usize>) {
    let text = fs::read_to_string(path).unwrap().to_lowercase();
    let text = if name(path).ends_with(".rs") { of_rust(&text) } else { text };
    let (mut joined, mut starts) = (String::new(), Vec::new());
    for line in text.lines() {
        starts.push(joined.len());
        joined += line.trim_matches([' ', '/', '!', '*', '#', '>', '"', '\\']);
        joined.push(' ');
    }
    for fine in FINE {
        joined = joined.replace(fine, &" ".repeat(fine.len()));
    }
    (joined, starts)
}

#[test]
fn texts_are_plain_english() {
    let endings = ".rs .md .html .sql .js .mjs .css .py .pyi .sh .toml .json .ipynb .c .awk .yml .yaml \
                   .sub .service .timer Snakefile Containerfile";
    let endings: Vec<_> = endings.split(' ').collect();
    let folders = ["src", "docs", "catalog", "scripts", "tests", ".github"];
    let mut paths: Vec<_> =
        folders.iter().flat_map(|folder| files(&root().join(folder), &endings)).collect();
    paths.extend(files(&root().join("benches"), &[".rs", ".toml"]));
    let documents = ["README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY"];
    paths.extend(documents.map(|document| root().join(format!("{document}.md"))));
    paths.extend(["Cargo.toml", "clippy.toml", "deny.toml"].map(|name| root().join(name)));
    paths.retain(|path| !path.ends_with("tests/words.rs"));
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let mut found = Vec::new();
    for path in &paths {
        let (text, starts) = prose(path);
        for &(construction, better) in CONSTRUCTIONS {
            for (at, _) in text.match_indices(construction) {
                let after = text[at + construction.len()..].chars().next();
                if !is_letter(text[..at].chars().next_back()) && !is_letter(after) {
                    let place = format!("{}:{}", name(path), starts.partition_point(|&s| s <= at));
                    found.push(format!("{place}: `{construction}`; better: {better}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

/// Returns the first sentence of each doc comment, with its line.
///
/// In the help of commands a semicolon ends it too: the rest is shown by `--help`.
fn first_sentences(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let marked = |at: usize, mark| lines.get(at).and_then(|line: &&str| line.strip_prefix(mark));
    let is_help = name(path).starts_with("src/cli/");
    let mut found = Vec::new();
    for (at, mark) in (0..lines.len()).flat_map(|at| [(at, "///"), (at, "//!")]) {
        if at > 0 && marked(at - 1, mark).is_some() {
            continue;
        }
        let paragraph = (at..).map_while(|at| marked(at, mark)).take_while(|line| !line.is_empty());
        let paragraph = paragraph.map(str::trim).collect::<Vec<_>>().join(" ");
        let ends = |&(at, _): &(usize, char)| {
            let rest = &paragraph[at..];
            rest.starts_with(": ")
                || is_help && rest.starts_with("; ")
                || rest.strip_prefix(". ").is_some_and(|next| !next.starts_with(char::is_lowercase))
        };
        let end = paragraph.char_indices().find(ends).map_or(paragraph.len(), |(at, _)| at);
        found.push((at + 1, paragraph[..end].to_owned()));
    }
    found
}

#[test]
fn doc_comments_begin_with_a_short_sentence() {
    let paths = ["src", "tests", "benches"].map(|folder| files(&root().join(folder), &[".rs"]));
    let mut long = Vec::new();
    for path in paths.iter().flatten() {
        for (line, sentence) in first_sentences(path) {
            let is_word = |word: &&str| word.contains(char::is_alphanumeric);
            let words = sentence.split_whitespace().filter(is_word).count();
            if words > 12 {
                long.push(format!("{}:{line}: {words} words: {sentence}", name(path)));
            }
        }
    }
    let number = long.len();
    assert!(long.is_empty(), "{number} sentences of more than 12 words:\n{}", long.join("\n"));
}
