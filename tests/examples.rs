//! The example of `somacat-catalog` reads what the program writes.

#[path = "../src/catalog/examples/read_catalog.rs"]
#[allow(dead_code)]
mod read_catalog;

use crate::support::program::{run, stderr};
use std::fs;
use tempfile::TempDir;

#[test]
fn a_catalog_is_read() {
    let folder = TempDir::new().unwrap();
    // The wall of 2×2×7 without a corner, the cube, and a bar that cannot be built.
    fs::write(
        folder.path().join("three.txt"),
        "wall: 2222222 2222221\n\ncube: 333 333 333\n\nbar: 999\n",
    )
    .unwrap();
    let imported = run(folder.path(), &["import", "three.txt"]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    let lines = read_catalog::answer(&folder.path().join("somacat.db"), 10).unwrap();
    assert_eq!(
        lines,
        ["240 cube (Oh, s1-3x3x3-zzzzz3)", "760 wall (Cs(diagonal), s1-2x2x7-yzzzz7)"]
    );
    assert_eq!(read_catalog::answer(&folder.path().join("somacat.db"), 1).unwrap().len(), 1);
}
