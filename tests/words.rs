//! Words: verdicts, reasons and engines are spelled in one place each.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that mean nothing else in this program.
const VERDICTS: [&str; 5] = ["counted", "at-least", "no-fit", "exhausted", "frontier"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|it| it == "rs")).collect()
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

#[test]
fn verdicts_reasons_and_engines_are_spelled_in_one_place() {
    let mut found = Vec::new();
    for path in files(&root().join("src")) {
        let text = fs::read_to_string(&path).unwrap();
        let quoted = |word: &str| [format!("\"{word}\""), format!("'{word}'")];
        if VERDICTS.iter().any(|word| quoted(word).iter().any(|literal| text.contains(literal))) {
            found.push(name(&path));
        }
    }
    found.sort();
    assert_eq!(found, ["src/geometry/spelling.rs"]);
}
