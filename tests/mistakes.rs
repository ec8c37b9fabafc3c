//! Messages use the singular for one. Other mistakes of users are in `tests/transcripts`.

use crate::support::program::{run, stderr, stdout};
use std::fs;
use tempfile::TempDir;

#[test]
fn a_count_of_one_is_singular() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("one.cells"), "one: 0,0,0 1,0,0 0,1,0\n").unwrap();
    let plan = "title = \"box\"\nset = \"V\"\n[[box]]\nsides = \"1x2x2\"\ncells = 3\n";
    fs::write(folder.join("box.toml"), plan).unwrap();
    let mut said = String::new();
    for args in [
        ["import", "one.cells", "--set", "V"].as_slice(),
        &["import", "one.cells", "--set", "V"],
        &["solve", "one.cells", "--set", "V"],
        &["solve", "one.cells", "--set", "V", "--partial"],
        &["solve", "one.cells", "--set", "V", "--trace"],
        &["verify"],
        &["symmetry", "one.cells"],
        &["show", "one.cells", "--set", "V"],
        &["enumerate", "box", "1x1x1", "--cells", "1"],
        &["census", "1x2x2", "--set", "V"],
        &["status"],
        &["query", "--verdict", "unsolvable"],
        &["catalog", "check"],
        &["catalog", "publish", "copy.db"],
        &["catalog", "diff", "somacat.db", "copy.db"],
        &["catalog", "check", "--db", "copy.db", "--salvage", "saved.db"],
        &["map", "one.cells", "--set", "V"],
        &["design", "one.cells", "--from", "V", "--pieces", "1"],
        &["export", "gallery", "site"],
        &["export", "newsletter", "letter.html"],
        &["run", "--dry-run", "box.toml"],
        &["run", "box.toml", "--db", "box.db"],
        &["catalog", "remove", "one"],
    ] {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        said += &format!("{args:?}\n{}{}", stdout(&output), stderr(&output));
    }
    assert!(said.contains(": 1 of 1 choice builds it, 1 in one way\n"), "{said}");
    let plural = |pair: &&[&str]| {
        let noun = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
        // "Cs" and the like are symbols.
        pair[0].trim_start_matches('(') == "1" && noun.len() > 3 && noun.ends_with('s')
    };
    let words = |line: &'_ str| -> Vec<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).filter(plural).map(|pair| pair.join(" ")).collect()
    };
    let wrong: Vec<String> = said.lines().flat_map(words).collect();
    assert!(wrong.is_empty(), "{wrong:?} in\n{said}");
}
