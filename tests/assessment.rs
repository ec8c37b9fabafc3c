//! A figure whose published packing is wrong is imported nevertheless.

use crate::support::program::{column, run, stderr, stdout};
use tempfile::TempDir;

/// A figure whose packing has a typing error is imported and counted. The error is reported with its location.
#[test]
fn a_wrong_packing_does_not_keep_its_figure_out_of_the_catalog() {
    const CUBE: &str = "/241/261/663\n/247/541/633\n/277/547/553\n";
    let folder = TempDir::new().unwrap();
    let typo = CUBE.replacen("247", "243", 1);
    let text = format!("/SOMA1\n{typo}\n/SOMA2\n{CUBE}\n/SOMA3\n/222/..2\n/1../11.\n");
    std::fs::write(folder.path().join("it.soma"), text).unwrap();
    let import = run(folder.path(), &["import", "--set", "soma", "it.soma"]);
    let told = stderr(&import);
    assert_eq!(import.status.code(), Some(3), "{told}");
    assert!(told.contains("it.soma:3: SOMA1: not a packing: piece 3 (T) has 5 cells"), "{told}");
    assert!(told.contains("in line 3 (row 2, group 1, mark 3) (imported anyway)"), "{told}");
    assert!(told.contains("it.soma:11: SOMA3: 7 cells; SOMA fills 27; the marks are"), "{told}");
    let names = ["query", "--csv", "--sql", "SELECT label FROM name ORDER BY label"];
    assert_eq!(column(&stdout(&run(folder.path(), &names)), "label"), ["SOMA1", "SOMA2"]);
    let counts = stdout(&run(folder.path(), &["query", "--csv"]));
    assert_eq!(column(&counts, "unique"), ["240"]);
}
