//! Codes of Conway and Guy on the command line.

use crate::support::program::{run, stderr, stdout};
use tempfile::TempDir;

#[test]
fn solve_finds_packings_by_their_code() {
    let folder = TempDir::new().unwrap();
    let cube = "s1-3x3x3-zzzzz3";
    let ask =
        |arguments: &[&str]| run(folder.path(), &[&["solve", cube, "-q"], arguments].concat());
    let found = stdout(&ask(&["--somap", "R7", "--unique"]));
    assert_eq!(found.matches(";SOMAP R7\n").count(), 8, "{found}");
    assert_eq!(found.matches("SOMAP").count(), 8);
    let one = stdout(&ask(&["--somap", "bu2", "--first", "--jsonl"]));
    assert_eq!(one.lines().count(), 1);
    assert!(one.contains(r#""somap":"BU2""#), "{one}");
    // Which of these is R7d is not known.
    assert_eq!(stdout(&ask(&["--somap", "R7d", "--unique"])), found);
    let tower = run(folder.path(), &["solve", "s1-2x2x7-yzzzz7", "--somap", "R7"]);
    assert_eq!(tower.status.code(), Some(2), "{}", stderr(&tower));
}
