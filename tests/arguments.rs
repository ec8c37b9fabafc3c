//! What a figure argument may be: a box, the figure itself, a folder, wildcards; and which pieces it then has.

use crate::support::program::{column, run, stderr, stdout, with_input};
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
fn boxes_and_quoted_rows_are_figures() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for cube in ["3x3x3", "3X3×3", "333 333 333", "333\n333\n333", "cube: 333 333 333"] {
        assert_eq!(raw(folder, &[cube]), ["11520"], "{cube}");
    }
    assert_eq!(raw(folder, &["67 77", "3x3x3"]), ["1520", "11520"]);
    let named = run(folder, &["count", "--csv", "67 77", "tower: 67 77", "3x3x4"]);
    assert_eq!(column(&stdout(&named), "name"), ["67 77", "tower", "3x3x4"]);
    // Every command that takes a figure reads it.
    for args in [
        &["solve", "--first", "67 77"][..],
        &["places", "3x3x3", "--csv"],
        &["symmetry", "0,0,0 1,0,0"],
        &["show", "3x3x3"],
        &["prove", "111111111 111111111 111111111"],
        &["design", "2x2x3", "--from", "SOMA", "--pieces", "3"],
        &["export", "stl", "tower.stl", "--figure", "67 77"],
    ] {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        assert!(!done.stdout.is_empty() || folder.join("tower.stl").exists(), "{args:?}");
    }
    for (wrong, words) in [
        ("67 7", "row 2 has 1 square"),
        ("0x3x3", "no cells"),
        ("99999x99999x99999", "more than 1024 cells"),
        ("the tower", "`the tower` matches no file"),
        ("nowhere/x.soma", "cannot find the figure file nowhere/x.soma"),
        ("nowhere*.soma", "cannot find the figure file nowhere*.soma"),
    ] {
        let done = run(folder, &["count", wrong]);
        assert_ne!(done.status.code(), Some(0), "{wrong}");
        assert!(stderr(&done).contains(words), "{wrong}: {}", stderr(&done));
    }
    // A name of the catalog comes first.
    let line = b"3x3x3: 0,0,0 1,0,0 0,1,0\n";
    assert_eq!(
        with_input(folder, &["import", "-q", "--set", "V", "-"], line).status.code(),
        Some(0)
    );
    assert_eq!(raw(folder, &["3x3x3"]), ["1"]);
}

#[test]
fn folders_and_quoted_wildcards_are_their_files() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("figures/deep")).unwrap();
    fs::write(folder.join("figures/b.txt"), "67 77\n").unwrap();
    fs::write(folder.join("figures/deep/c.txt"), "333 333 333\n").unwrap();
    fs::write(folder.join("figures/.hidden.txt"), "333 333 333\n").unwrap();
    assert_eq!(raw(folder, &["figures"]), ["1520", "11520"]);
    assert_eq!(raw(folder, &["figures/*.txt"]), ["1520"]);
    assert_eq!(raw(folder, &["figures/*"]), ["1520", "11520"]);
    let done = run(folder, &["import", "-q", "figures/?.txt", "--db", "one.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let rows = stdout(&run(folder, &["query", "--csv", "--db", "one.db"]));
    assert_eq!(column(&rows, "raw"), ["1520"]);
    // A file without figures costs only itself.
    fs::write(folder.join("figures/a.md"), "Nothing here.\n").unwrap();
    let done = run(folder, &["count", "--csv", "figures"]);
    assert_eq!(done.status.code(), Some(3));
    assert_eq!(column(&stdout(&done), "raw"), ["1520", "11520"]);
    assert!(
        stderr(&done).starts_with("figures/a.md: cannot detect the format"),
        "{}",
        stderr(&done)
    );
    fs::create_dir(folder.join("empty")).unwrap();
    for command in ["count", "import"] {
        let done = run(folder, &[command, "empty"]);
        assert_eq!(done.status.code(), Some(1));
        assert!(stderr(&done).contains("there are no files in the folder empty"));
    }
}

/// Every command says when pieces do not fill a figure, in the words of `import`.
#[test]
fn a_size_that_the_set_does_not_fill_is_said() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("x.txt"), "x: 2222\n").unwrap();
    fs::write(folder.join("y.txt"), "y: 3333 3333 3331\n").unwrap();
    for (figure, cells) in [("x.txt", "8 cells"), ("y.txt", "34 cells"), ("2x2x2", "8 cells")] {
        let words = format!("{cells}; SOMA fills 27, two sets 54");
        for args in [
            &["count", figure][..],
            &["places", figure, "--csv"],
            &["solve", figure],
            &["import", "--no-count", "--db", "new.db", figure],
            &["export", "stl", "one.stl", "--figure", figure],
            &["export", "obj", "one.obj", "--figure", figure],
            &["export", "dlx", "one.dlx", "--set", "SOMA", "--figure", figure],
            &["export", "xmpuzzle", "one.xmpuzzle", "--figure", figure],
        ] {
            if args[0] == "import" && figure == "2x2x2" {
                continue;
            }
            let done = run(folder, args);
            let told = stderr(&done);
            assert_eq!(told.matches(&words).count(), 1, "{args:?}: {told}");
            let code = match args[1] {
                "xmpuzzle" => 1,
                _ if args[0] == "import" => 3,
                _ => 0,
            };
            assert_eq!(done.status.code(), Some(code), "{args:?}: {told}");
        }
    }
    assert!(!folder.join("one.xmpuzzle").exists(), "a puzzle that cannot be is not written");
    let other = stderr(&run(folder, &["count", "-q", "--set", "V L", "x.txt"]));
    assert_eq!(other, "x.txt:1: x: 8 cells; V L fills 7\n");
    // Of several figures those that can be are written.
    fs::write(folder.join("both.txt"), "x: 2222\n\ntower: 67 77\n").unwrap();
    let done = run(folder, &["export", "xmpuzzle", "both.xmpuzzle", "--figure", "both.txt"]);
    assert_eq!(done.status.code(), Some(3), "{}", stderr(&done));
    assert_eq!(raw(folder, &["both.xmpuzzle"]), ["1520"]);
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

/// Options that would change nothing are refused.
#[test]
fn options_without_effect_on_the_figure_are_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("t.soma"), "/SOMA-t\n/***/***/***\n/***/***/***\n/***/***/***\n")
        .unwrap();
    assert_eq!(run(folder, &["import", "-q", "t.soma"]).status.code(), Some(0));
    let of_files = "--format is for figures in files";
    for command in ["count", "symmetry", "solve", "places", "prove", "stand", "map", "show"] {
        let done = run(folder, &[command, "SOMA-t", "--format", "soma"]);
        assert_eq!(done.status.code(), Some(2), "{command}");
        assert!(stderr(&done).contains(of_files), "{command}: {}", stderr(&done));
    }
    let done = run(folder, &["query", "--like", "SOMA-t", "--format", "soma"]);
    assert!(stderr(&done).contains(of_files), "{}", stderr(&done));
    for (line, words) in [
        ("show t.soma --svg - --kind layers --corner left-back-top", "which have no --corner"),
        ("show t.soma --svg - --set SOMA", "--set is for a solution"),
        ("show SOMA-t --svg - --set SOMA", "--set is for a solution"),
        ("show SOMA-t --png x.png --nodes 5", "--nodes is for a solution"),
        ("show bedlam --svg - --nodes 5", "is a set of pieces"),
        ("show bedlam --svg - --kind layers", "is a set of pieces"),
    ] {
        let done = run(folder, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(done.status.code(), Some(2), "{line}: {}", stderr(&done));
        assert!(stderr(&done).contains(words), "{line}: {}", stderr(&done));
    }
    for line in [
        "show t.soma --format soma",
        "show t.soma --svg - --kind layers --set SOMA --nodes 9999999",
    ] {
        assert_eq!(
            run(folder, &line.split(' ').collect::<Vec<_>>()).status.code(),
            Some(0),
            "{line}"
        );
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
