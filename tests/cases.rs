//! Case trees on the command line.

use crate::support::program::{run, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

#[test]
fn cases_are_written_as_json() {
    let folder = TempDir::new().unwrap();
    let args = ["prove", "-q", "--json", "s1-2x2x4-4zf1", "--set", "V L T"];
    let proof: Value = serde_json::from_str(&stdout(&run(folder.path(), &args))).unwrap();
    let root = &proof["cases"];
    assert_eq!(
        (&proof["reason"], &root["cover"]),
        (&"cases".into(), &serde_json::json!([0, 3, 1]))
    );
    let ways = root["ways"].as_array().unwrap();
    assert_eq!(ways.len(), 4);
    for way in ways {
        let then = &way["then"];
        match then["marks"].as_array() {
            Some(marks) => {
                let total: i64 = marks.iter().map(|mark| mark.as_i64().unwrap()).sum();
                assert_eq!(then["total"], total);
                assert!(then["most"].as_i64().unwrap() < total);
            }
            None => assert_eq!(then["ways"], serde_json::json!([])),
        }
    }
}

/// A figure without marks, whose proof has four cases.
const FIGURE: &str = "s1-2x2x4-4zf1";

#[test]
fn show_tells_all_cases() {
    let folder = TempDir::new().unwrap();
    let shown = |args: &[&str]| {
        stdout(&run(folder.path(), &[&["show", FIGURE, "--set", "V L T"], args].concat()))
    };
    let text = shown(&["--kind", "proof"]);
    assert!(
        text.contains("There are 4 ways to cover the cell marked ?.\noo .o\noo oo\n.o oo\n.. ?.\n")
    );
    let [(first, second), (third, fourth)] =
        [("Case 1: V ", "Case 2: L "), ("Case 3: L ", "Case 4: T ")];
    for begin in [first, second, third, fourth] {
        assert_eq!(text.matches(begin).count(), 1, "{begin} in {text}");
    }
    assert!(text.contains(
        "Mark 2 cells. V covers at most 1, T 0: together at most 1 of 2.\n1o .o\noo LL\n"
    ));
    assert!(
        shown(&[])
            .contains("unsolvable (exhausted), counted now; --kind proof shows why, in 4 cases")
    );
    let facts: Value = serde_json::from_str(&shown(&["--json"])).unwrap();
    let count = &facts[0]["counts"][0];
    assert_eq!(
        (&count["proof"], count["proof_cases"].as_array().map(Vec::len)),
        (&"cases".into(), Some(5))
    );
    assert_eq!(count["proof_cases"][4]["case"], "4");
    // A picture has room for one layer of marks only.
    let picture = run(
        folder.path(),
        &["show", FIGURE, "--set", "V L T", "--kind", "proof", "--svg", "a.svg"],
    );
    assert!(!picture.status.success() && stderr(&picture).contains("no marks prove"));
}

#[test]
fn a_newsletter_answers_with_cases() {
    let folder = TempDir::new().unwrap();
    let args = ["export", "newsletter", "letter", FIGURE, "--set", "V L T"];
    assert!(run(folder.path(), &args).status.success());
    for file in ["newsletter.html", "newsletter.md"] {
        let text = std::fs::read_to_string(folder.path().join("letter").join(file)).unwrap();
        assert!(text.contains("There are 4 ways to cover the cell marked ?."), "{file}");
        for case in 1..=4 {
            assert_eq!(text.matches(&format!("Case {case}: ")).count(), 1, "{file}");
        }
        assert!(!text.contains("Marks that prove"), "there is no picture of marks");
    }
}
