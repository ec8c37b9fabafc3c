//! The pieces of a figure argument, and files with a comma. `tests/transcripts` has what else an argument may be.

use crate::support::program::{column, run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Returns the column `raw` of a count.
fn raw(folder: &Path, args: &[&str]) -> Vec<String> {
    let done = run(folder, &[&["count", "--csv"], args].concat());
    assert!([0, 3].contains(&done.status.code().unwrap()), "{args:?}: {}", stderr(&done));
    column(&stdout(&done), "raw")
}

#[test]
fn a_set_of_an_import_is_remembered() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("soma.txt"), "cube: 333 333 333\n").unwrap();
    fs::write(folder.join("other.txt"), "dcube: 333 333 333\n\nbcube: 4444 4444 4444 4444\n")
        .unwrap();
    let import = |args: &[&str]| {
        let done = run(folder, &[&["import", "-q"], args].concat());
        assert!(done.status.code() < Some(4), "{}", stderr(&done));
    };
    import(&["soma.txt"]);
    import(&["--no-count", "--set", "diabolical", "other.txt"]);
    assert_eq!(raw(folder, &["dcube"]), ["624"]);
    assert_eq!(raw(folder, &["cube"]), ["11520"], "a name brings its own set");
    assert_eq!(raw(folder, &["dcube", "--set", "SOMA"]), ["11520"]);
    import(&["--no-count", "--set", "bedlam", "other.txt", "--db", "bedlam.db"]);
    let bedlam = |args: &[&str]| run(folder, &[args, &["--db", "bedlam.db"]].concat());
    let done = bedlam(&["count", "--csv", "--limit", "1", "bcube"]);
    assert_eq!(column(&stdout(&done), "verdict"), ["at-least"], "{}", stderr(&done));
    let done = bedlam(&["export", "xmpuzzle", "b.xmpuzzle", "--cells", "64"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    // The puzzle brings the pieces along.
    let done = run(folder, &["count", "--csv", "--limit", "1", "b.xmpuzzle"]);
    assert_eq!(column(&stdout(&done), "verdict"), ["at-least"], "{}", stderr(&done));
}

#[test]
fn a_file_may_have_a_comma_in_its_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (file, heights) in [("a,b.soma", "67 77"), ("a", "67 77"), ("b.soma", "333 333 333")] {
        fs::write(folder.join(file), format!("{file}: {heights}\n")).unwrap();
    }
    for (figure, names) in [("a,b.soma", &["a,b.soma"][..]), ("a,./b.soma", &["a", "b.soma"])] {
        for (kind, place) in [("gallery", "site"), ("newsletter", "out")] {
            let done = run(folder, &["export", kind, place, "--figure", figure]);
            assert_eq!(done.status.code(), Some(0), "{figure}: {}", stderr(&done));
        }
        let sheet = fs::read_to_string(folder.join("out/newsletter.md")).unwrap();
        for name in ["a,b.soma", "a", "b.soma"] {
            assert_eq!(sheet.contains(&format!(" {name}\n")), names.contains(&name), "{sheet}");
        }
        fs::remove_dir_all(folder.join("out")).unwrap();
    }
}

/// Until it is counted, a figure has a row for each set of its imports. A count replaces these rows.
#[test]
fn a_figure_that_nobody_counted_has_rows_with_the_sets_of_its_imports() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let import = |set: &str, file: &str, name: &str| {
        fs::write(folder.join(file), format!("{name}: 333 333 333\n")).unwrap();
        let done = run(folder, &["import", "-q", "--no-count", "--set", set, file]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    };
    import("diabolical", "first.txt", "one");
    import("SOMA", "second.txt", "two");
    import("diabolical", "third.txt", "three");
    let rows = |args: &[&str]| {
        let done = run(folder, args);
        let text = stdout(&done);
        let row = |(set, (verdict, names)): (_, (_, _))| format!("{set} {verdict} {names}");
        let columns = column(&text, "verdict").into_iter().zip(column(&text, "names"));
        column(&text, "set").into_iter().zip(columns).map(row).collect::<Vec<String>>()
    };
    let all = ["SOMA  one; two; three", "diabolical  one; two; three"];
    assert_eq!(rows(&["query", "--csv"]), all);
    assert_eq!(rows(&["export", "csv", "-"]), all);
    assert_eq!(rows(&["query", "--csv", "--set", "diabolical"]), all[1..]);
    let sql = r#"SELECT "set", verdict, names FROM figures ORDER BY "set""#;
    assert_eq!(rows(&["query", "--csv", "--sql", sql]), all);
    let done = run(folder, &["import", "-q", "third.txt", "--set", "diabolical"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(rows(&["query", "--csv"]), ["diabolical counted one; two; three"]);
}
