//! The rows of a census on the command line, in catalogs, and merged from units.

use std::collections::BTreeSet;

/// Returns the output of a command that must succeed.
fn somacat(folder: &std::path::Path, args: &[&str]) -> String {
    let output = crate::support::program::run(folder, args);
    assert!(output.status.success(), "{}", crate::support::program::stderr(&output));
    crate::support::program::stdout(&output)
}

/// Returns signature, class, verdict and counts of each row, by signature.
fn rows(csv: &str) -> BTreeSet<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let wanted = ["signature", "class", "parity", "verdict", "raw", "rotation", "unique"];
    let at = wanted.map(|name| header.iter().position(|h| h == name).unwrap());
    reader.records().map(|row| at.map(|i| row.as_ref().unwrap()[i].to_owned()).to_vec()).collect()
}

#[test]
fn printed_and_kept_rows_are_those_of_a_run_over_the_same_figures() {
    let folder = tempfile::TempDir::new().unwrap();
    let printed = rows(&somacat(folder.path(), &["census", "2x3x5", "--keep", "all"]));
    assert_eq!(printed.len(), 550);
    std::fs::write(
        folder.path().join("box.cells"),
        somacat(folder.path(), &["enumerate", "box", "2x3x5", "--cells", "27"]),
    )
    .unwrap();
    assert_eq!(rows(&somacat(folder.path(), &["count", "box.cells"])), printed);
    let sql = "SELECT signature, class, parity, verdict, raw, rotation, \"unique\" FROM figures";
    // A second census of known figures changes nothing.
    for box_within in ["2x3x5", "5x3x2"] {
        somacat(folder.path(), &["census", box_within, "--keep", "all", "--catalog"]);
        let kept = somacat(folder.path(), &["query", "--csv", "--sql", sql]);
        assert_eq!(rows(&kept), printed);
    }
    let best = somacat(folder.path(), &["census", "2x3x5", "--keep", "top:2"]);
    let most: Vec<String> = rows(&best).into_iter().map(|row| row[4].clone()).collect();
    assert_eq!(most.len(), 2);
    assert!(most.contains(&"3599".to_owned()) && most.contains(&"3429".to_owned()), "{most:?}");
}

/// The same numbers, printed, kept in a catalog, and summed from parts.
#[test]
fn numbers_by_class_are_the_same_wherever_a_census_puts_them() {
    let folder = tempfile::TempDir::new().unwrap();
    let census = ["census", "2x4x4", "--set", "V L T", "--keep", "classes"];
    let printed = somacat(folder.path(), &census);
    let mut printed = csv::Reader::from_reader(printed.as_bytes());
    let printed: Vec<[String; 3]> = printed
        .records()
        .map(|row| [0, 2, 3].map(|column| row.as_ref().unwrap()[column].to_owned()))
        .collect();
    assert!(printed.len() > 3);
    let columns = "SELECT class, figures, solvable, parity_blocked, unsolvable FROM enumerations";
    let kept = |db: &str| somacat(folder.path(), &["query", "--csv", "--sql", columns, "--db", db]);
    somacat(folder.path(), &[&census[..], &["--catalog", "--db", "census.db"]].concat());
    let ours = kept("census.db");
    let mut numbers = csv::Reader::from_reader(ours.as_bytes());
    let (mut blocked, mut seen) = (0, Vec::new());
    for row in numbers.records().map(Result::unwrap) {
        let number = |column: usize| row[column].parse::<u64>().unwrap();
        assert_eq!(number(1), number(2) + number(3) + number(4));
        blocked += number(3);
        seen.push([0, 1, 2].map(|column| row[column].to_owned()));
    }
    seen.sort();
    assert!(blocked > 0 && seen == BTreeSet::from_iter(printed).into_iter().collect::<Vec<_>>());
    std::fs::write(
        folder.path().join("box.toml"),
        "title = \"box\"\nkeep = \"totals\"\n[[census]]\nsides = \"2x4x4\"\nset = \"V L T\"\n",
    )
    .unwrap();
    let units = somacat(folder.path(), &["units", "box.toml", "--seconds", "0.1"]);
    std::fs::write(folder.path().join("units.txt"), &units).unwrap();
    for unit in 1..=units.lines().count() {
        somacat(folder.path(), &["work", "units.txt", "--unit", &unit.to_string()]);
    }
    somacat(folder.path(), &["merge", "units.txt", "parts", "--db", "merged.db"]);
    assert_eq!(kept("merged.db"), ours);
}
