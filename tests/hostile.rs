//! Hostile names from files are only names: in SQL, paths, web pages and tables.

use crate::support::program::{column, run, stderr, stdout};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const HOSTILE: [&str; 10] = [
    "'; DROP TABLE figure; --",
    "../../x",
    "/etc/passwd",
    "<script>alert(1)</script>",
    "\" onload=\"alert(2)",
    "=cmd|' /C calc'!A0",
    "a,b;c d",
    "{{ title }} ${HOME} $(id) %s %n",
    "\u{202e}abc",
    "CON",
];

/// Returns the files below a folder, with that folder as root.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path);
        }
    }
    found
}

/// Returns a file in which every name belongs to a different figure.
fn import(folder: &Path, names: &[Vec<u8>]) {
    let listed = run(
        folder,
        &["enumerate", "box", "2x2x3", "--cells", "7", "--connected", "--format", "cells", "-q"],
    );
    let listed = stdout(&listed);
    let figures: Vec<&str> = listed
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.rsplit(':').next().unwrap())
        .collect();
    assert!(figures.len() >= names.len());
    let mut text = Vec::new();
    for (name, figure) in names.iter().zip(figures) {
        text.extend([name, b": ".as_slice(), figure.as_bytes(), b"\n"].concat());
    }
    fs::write(folder.join("hostile.cells"), text).unwrap();
    let done = run(folder, &["import", "hostile.cells", "--set", "V L", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
}

#[test]
fn hostile_names_are_names_in_every_export() {
    let around = TempDir::new().unwrap();
    let folder = around.path().join("deep/inside");
    fs::create_dir_all(&folder).unwrap();
    let long = "x".repeat(100_000);
    let mut names: Vec<Vec<u8>> = HOSTILE.iter().map(|name| name.as_bytes().to_vec()).collect();
    names.push(long.clone().into_bytes());
    // A long name is truncated, with a warning.
    let long = &long[..somacat_formats::MAX_NAME_CHARS];
    names.push(b"caf\xe9 \xff".to_vec());
    import(&folder, &names);
    let mut known: BTreeSet<String> = HOSTILE.map(str::to_owned).into();
    known.extend([long.to_owned(), "café ÿ".to_owned()]);

    let export = |args: &[&str]| {
        let done = run(&folder, &[&["export"], args].concat());
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        done.stdout
    };
    let csv = String::from_utf8(export(&["csv", "-"])).unwrap();
    assert_eq!(BTreeSet::from_iter(column(&csv, "name")), known);
    let tsv = export(&["tsv", "-"]);
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(&tsv[..]);
    let rows: Vec<_> = reader.records().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), known.len());
    let jsonl = String::from_utf8(export(&["jsonl", "-"])).unwrap();
    let named: BTreeSet<String> = jsonl
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(named, known);

    let rows = |args: &[&str]| {
        let done = run(&folder, &[&["query", "--csv"], args].concat());
        column(&stdout(&done), "name")
    };
    for name in HOSTILE {
        // A star or a question mark would match other names.
        if !name.contains(['*', '?']) {
            assert_eq!(rows(&["--name", name]), [name]);
        }
    }
    let count = run(&folder, &["query", "--csv", "--sql", "SELECT count(*) AS n FROM figure"]);
    assert_eq!(stdout(&count).trim(), format!("n\n{}", known.len()));

    // Commands write only the requested files.
    let before = files(around.path());
    export(&["soma", "all.soma"]);
    export(&["xmpuzzle", "all.xmpuzzle"]);
    export(&["obj", "one.obj", "--figure", "../../x"]);
    export(&["gallery", "site"]);
    let site = folder.join("site");
    let new: BTreeSet<PathBuf> = files(around.path())
        .difference(&before)
        .filter(|path| !path.starts_with(&site))
        .cloned()
        .collect();
    let told = ["all.soma", "all.xmpuzzle", "one.obj"].map(|name| folder.join(name));
    assert_eq!(new, BTreeSet::from(told));
    let mut pages = 0;
    for path in files(&site) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        if path.extension().is_some_and(|ending| ending == "html" || ending == "svg") {
            pages += 1;
            assert!(!text.contains("<script>alert"), "{}", path.display());
            assert!(!text.contains("\" onload=\"alert"), "{}", path.display());
        }
    }
    assert!(pages > 1);
    // The names are unchanged after export and import.
    for file in ["all.soma", "all.xmpuzzle"] {
        let back = run(&folder, &["import", file, "--set", "V L", "-q", "--db", "back.db"]);
        assert_eq!(back.status.code(), Some(0), "{file}: {}", stderr(&back));
        let known = run(
            &folder,
            &["query", "--db", "back.db", "--csv", "--sql", "SELECT count(*) AS n FROM figure"],
        );
        assert_eq!(stdout(&known).trim(), format!("n\n{}", names.len()), "{file}");
    }
}

/// A name with a control character is refused with its place. A tab in a name is a blank.
#[test]
fn control_characters_in_names_are_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let (cells, known) = ("0,0,0 1,0,0 2,0,0 0,1,0", "a tab");
    let soma = "/SOMAe\u{7}vil\n/***/*..\n";
    fs::write(folder.join("names.soma"), soma).unwrap();
    let text = format!("\u{1b}]0;evil: {cells}\na\ttab: {cells}\nb\u{9b}: {cells}\n");
    fs::write(folder.join("names.cells"), text).unwrap();
    let done = run(folder, &["import", "names.cells", "names.soma", "--set", "L", "-q"]);
    assert_eq!(done.status.code(), Some(3), "{}", stderr(&done));
    for words in [
        "names.cells:1: the name `\\u{1b}]0;evil` contains a control character; remove it",
        "names.cells:3: the name `b\\u{9b}` contains",
        "names.soma:1: the name `SOMAe\\u{7}vil` contains",
    ] {
        assert!(stderr(&done).contains(words), "{words}: {}", stderr(&done));
    }
    let names = |args: &[&str]| {
        let rows = run(folder, &[&["query", "--csv", "--sql"], args].concat());
        stdout(&rows)
    };
    assert_eq!(names(&["SELECT label FROM name"]), format!("label\n{known}\n"));
    for (args, new, words) in [
        (
            ["catalog", "rename", known].as_slice(),
            "  ",
            "a name, title or credit has at least one character",
        ),
        (
            &["catalog", "rename", known],
            "\u{1b}]0;evil",
            "a name, title or credit has no control characters",
        ),
        (&["catalog", "rename", "--source", "names.cells"], "two\nlines", "no control characters"),
    ] {
        let done = run(folder, &[args, &[new]].concat());
        assert_eq!(done.status.code(), Some(2), "{new:?}: {}", stderr(&done));
        assert!(stderr(&done).contains(words), "{}", stderr(&done));
    }
    assert_eq!(names(&["SELECT label FROM name"]), format!("label\n{known}\n"));
    assert_eq!(names(&["SELECT label FROM source ORDER BY id LIMIT 1"]), "label\nnames.cells\n");
}

#[test]
fn line_ends_in_names_break_no_row() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let puzzle = "<?xml version=\"1.0\"?><puzzle version=\"2\"><gridType type=\"0\"/><shapes>\
                  <voxel x=\"3\" y=\"1\" z=\"2\" name=\"two&#10;lines&#13;and&#9;a tab\" \
                  type=\"0\">####__</voxel></shapes></puzzle>";
    fs::write(folder.join("lines.xmpuzzle"), puzzle).unwrap();
    let done = run(folder, &["import", "lines.xmpuzzle", "--set", "L", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let csv = stdout(&run(folder, &["export", "csv", "-"]));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.records().filter(|row| row.as_ref().unwrap().len() > 9).count(), 1);
    for format in ["tsv", "jsonl"] {
        let text = stdout(&run(folder, &["export", format, "-"]));
        let rows = text.lines().count() - usize::from(format == "tsv");
        assert_eq!(rows, 1, "{format}: {text}");
    }
    assert!(csv.contains("two lines and a tab"), "{csv}");
    let soma = stdout(&run(folder, &["export", "soma", "-"]));
    assert!(soma.starts_with("/SOMA two lines and a tab\n"), "{soma}");
    assert_eq!(run(folder, &["export", "gallery", "site", "-q"]).status.code(), Some(0));

    // A stray NUL costs its figure, more of them make the file binary.
    let l = "0,0,0 1,0,0 2,0,0 0,1,0";
    let stray = format!("a: {l}\nb\0: {l}\nc: {l} \0\nd: {l}\n");
    fs::write(folder.join("stray.cells"), stray).unwrap();
    let stray = run(folder, &["count", "stray.cells", "--set", "L", "--csv"]);
    assert_eq!(stray.status.code(), Some(3));
    assert_eq!(column(&stdout(&stray), "name"), ["a", "d"], "{}", stderr(&stray));
    for line in 2..=3 {
        assert!(stderr(&stray).contains(&format!("stray.cells:{line}: ")), "{}", stderr(&stray));
    }
    let maps = "B: 33\0 333 333\n\u{feff}C: 333 333 333\n";
    fs::write(folder.join("joined.hm"), maps).unwrap();
    let joined = run(folder, &["count", "joined.hm", "--csv"]);
    assert_eq!(column(&stdout(&joined), "name"), ["C"], "two files joined, each with its mark");
    assert!(stderr(&joined).contains(r"`\0` is not a height"), "{}", stderr(&joined));
    // It hides no header, in lines of any end.
    for (end, stray) in [("\n", '\0'), ("\r\n", '\u{1b}'), ("\r", '\u{1}')] {
        let text = format!("/SOMA1\n/1../111\n\n{stray}/SOMA2\n/1../111\n\n/SOMA3\n/1../111\n");
        fs::write(folder.join("header.soma"), text.replace('\n', end)).unwrap();
        let read = run(folder, &["count", "header.soma", "--set", "L", "--csv"]);
        assert_eq!(read.status.code(), Some(3));
        assert_eq!(column(&stdout(&read), "name"), ["SOMA1", "SOMA3"], "{}", stderr(&read));
        assert!(stderr(&read).contains("header.soma:4: "), "{}", stderr(&read));
    }
    fs::write(folder.join("nul.cells"), format!("a: {l}\nb\0\0: 0\n")).unwrap();
    let nul = run(folder, &["count", "nul.cells", "--set", "L"]);
    assert_eq!(nul.status.code(), Some(1));
    assert!(stderr(&nul).contains("line 2 contains binary data"), "{}", stderr(&nul));
}
