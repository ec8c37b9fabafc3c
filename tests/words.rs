//! Verdicts, reasons and engines are types. Only one file spells their words.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that mean nothing else in this program.
const WORDS: [&str; 5] = ["counted", "at-least", "no-fit", "exhausted", "frontier"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

#[test]
fn verdicts_reasons_and_engines_are_spelled_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for path in sources(&root) {
        let text = fs::read_to_string(&path).unwrap();
        let quoted = |word: &str| [format!("\"{word}\""), format!("'{word}'")];
        if WORDS.iter().any(|word| quoted(word).iter().any(|literal| text.contains(literal))) {
            found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
    found.sort();
    assert_eq!(found, ["geometry/spelling.rs"]);
}
