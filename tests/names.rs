//! Names of figures: without a name, file name and number, and never a local path. Names must not affect a terminal
//! or a spreadsheet.

use crate::support::program::{column, run, somacat, stderr, stdout, with_input};
use crate::support::terminal::in_terminal;
use somacat_output::export::{Delimited, RowSink};
use std::fs;
use std::io::Read;
use std::path::Path;
use tempfile::TempDir;

const TWO: &str = "0,0,0 1,0,0 0,1,0\nbad: 0,0,0 0,0,0\n0,0,0 1,0,0 2,0,0\n";

#[test]
fn a_figure_without_a_name_is_called_by_file_name_and_number() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("lib")).unwrap();
    fs::write(folder.join("lib/crosses.txt"), TWO).unwrap();
    let called = ["crosses.txt 1", "crosses.txt 3"];
    let counted = run(folder, &["count", "--set", "V", "lib/crosses.txt", "--csv"]);
    assert_eq!(column(&stdout(&counted), "name"), called);
    assert!(stderr(&counted).contains("lib/crosses.txt:2: bad: "), "{}", stderr(&counted));
    let symmetry = run(folder, &["symmetry", "lib/crosses.txt", "lib/crosses.txt", "--csv"]);
    assert_eq!(column(&stdout(&symmetry), "name"), [called, called].concat());
    let solved = stdout(&run(folder, &["solve", "--set", "V", "lib/crosses.txt"]));
    assert!(solved.starts_with("/SOMA crosses.txt 1\n"), "{solved}");
    let read = with_input(folder, &["count", "--set", "V", "--csv"], TWO.as_bytes());
    assert_eq!(column(&stdout(&read), "name"), ["standard input 1", "standard input 3"]);
    run(folder, &["import", "lib/crosses.txt", "--set", "V", "-q"]);
    let known = stdout(&run(folder, &["query", "--csv", "--sort", "name"]));
    assert_eq!(column(&known, "name"), called);
    let shown = stdout(&run(folder, &["show", "lib/crosses.txt", "--set", "V"]));
    assert!(shown.starts_with("crosses.txt 1 (3 cells in 2x2x1)"), "{shown}");
}

/// A permanent number is a name, with and without a catalog. It belongs to no other figure.
#[test]
fn numbers_are_names() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let signature = |args: &[&str]| {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        column(&stdout(&done), "signature")
    };
    let cube = ["s1-3x3x3-zzzzz3"];
    assert_eq!(signature(&["count", "Oh-27.1", "--csv"]), cube);
    let list = signature(&[
        "enumerate",
        "symmetric",
        "--class",
        "C3v",
        "--exact",
        "--cells",
        "16",
        "--csv",
        "-q",
    ]);
    let mut sorted = list.clone();
    sorted.sort_unstable();
    assert_ne!(list, sorted);
    for (at, known) in sorted.iter().enumerate() {
        let number = format!("C3v-16.{}", at + 1);
        let shown = stdout(&run(folder, &["show", &number, "--set", "V", "--nodes", "1"]));
        assert!(shown.contains(&format!("signature     {known}, number {number}\n")), "{shown}");
    }
    // A published name of the same form names its figure only in part.
    fs::write(folder.join("maps.txt"), "Oh-27.1: 67 77\nbox: 333 333 333\n").unwrap();
    run(folder, &["import", "maps.txt", "-q"]);
    assert_eq!(signature(&["query", "--name", "oh-27.1", "--csv"]), cube);
    assert_eq!(signature(&["export", "csv", "--name", "Oh-27.1"]), cube);
    assert_eq!(signature(&["query", "--name", "Oh-27.*", "--csv"]), ["s1-2x2x7-yzzzz7"]);
    run(folder, &["catalog", "rename", "Oh-27.1", "cube", "-q"]);
    assert_eq!(signature(&["query", "--name", "cube", "--csv"]), cube);
    for (number, reason) in [
        ("Oh-27.2", "no figure has the number Oh-27.2; its class has 1 of that size"),
        ("C1-27.1", "figures of 27 cells of class C1 have no numbers; there are too many"),
    ] {
        let refused = run(folder, &["show", number]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
    }
}

/// Pages describe a figure without a name. They give it none in SOMA text.
#[test]
fn pages_make_up_no_names() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("lib")).unwrap();
    fs::write(folder.join("lib/crosses.txt"), TWO).unwrap();
    run(folder, &["import", "lib/crosses.txt", "--set", "V", "-q"]);
    for args in [["export", "gallery", "site", "-q"], ["export", "newsletter", "letter", "-q"]] {
        let done = run(folder, &args);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
    let known = stdout(&run(folder, &["query", "--csv", "--name", "crosses.txt 3"]));
    let page = format!("site/figures/{}.html", column(&known, "signature")[0]);
    for file in
        [&page, "site/data.js", "site/all.html", "letter/newsletter.html", "letter/newsletter.md"]
    {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains("Figure 3 of crosses"), "{file}: {text}");
        for made_up in ["crosses.txt 1", "crosses.txt 3", "/SOMA "] {
            assert!(!text.contains(made_up), "{file} has {made_up}: {text}");
        }
    }
}

/// No output file contains the folder of the figures.
#[test]
fn no_output_contains_the_folder_of_the_figures() {
    let (around, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let folder = around.path();
    let text = |name: &str| folder.join(name).display().to_string();
    fs::create_dir_all(elsewhere.path().join("figures")).unwrap();
    fs::write(folder.join("here.cells"), "0,0,0 1,0,0 0,1,0\n").unwrap();
    fs::write(elsewhere.path().join("there.cells"), "0,0,0 1,0,0 0,0,1\n").unwrap();
    fs::write(elsewhere.path().join("figures/here.cells"), "0,0,0 1,0,0 2,0,0\n").unwrap();
    fs::write(
        elsewhere.path().join("plan.toml"),
        "title = \"away\"\nset = \"V\"\nimport = [\"figures\"]\n",
    )
    .unwrap();
    let away = |name: &str| elsewhere.path().join(name).display().to_string();
    let (here, there, plan) = (text("here.cells"), away("there.cells"), away("plan.toml"));
    for args in [
        ["import", &here, "--set", "V", "-q"].as_slice(),
        &["import", &there, "--set", "V", "-q"],
        // A second file of the same name is a different source.
        &["import", &away("figures/here.cells"), "--set", "V", "-q", "--db", "second.db"],
        &["import", &here, "--set", "V", "-q", "--db", "second.db"],
        &["run", &plan, "-q"],
    ] {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
    }
    let labels = |db: &str| {
        let sql = "SELECT label FROM source ORDER BY id";
        column(&stdout(&run(folder, &["query", "--csv", "--db", db, "--sql", sql])), "label")
    };
    assert_eq!(labels("somacat.db"), ["here.cells", "there.cells", "figures/here.cells"]);
    assert_eq!(labels("second.db"), ["here.cells", "here.cells (2)"]);
    for args in [
        ["query", "--json"].as_slice(),
        &["query", "--sql", "SELECT * FROM names"],
        &["query", "--sql", "SELECT * FROM duplicates"],
        &["export", "jsonl", "out.jsonl"],
        &["export", "soma", "out.soma"],
        &["export", "cells", "out.cells"],
        &["export", "xmpuzzle", "out.xmpuzzle"],
        &["export", "gallery", "site", "-q"],
        &["export", "newsletter", "news", "-q"],
    ] {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        assert!(!tells(&done.stdout, &around) && !tells(&done.stdout, &elsewhere), "{args:?}");
    }
    let mut files = 0;
    each_file(folder, &mut |path, bytes| {
        let of_machine = path.extension().is_some_and(|ending| ending == "db");
        let written = path.file_name().is_some_and(|name| name != "here.cells");
        if written && !of_machine {
            files += 1;
            assert!(!tells(bytes, &around) && !tells(bytes, &elsewhere), "{}", path.display());
        }
    });
    assert!(files > 10, "{files}");
}

fn tells(bytes: &[u8], folder: &TempDir) -> bool {
    let mut text = Vec::new();
    // A puzzle is compressed.
    if flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).is_err() {
        text = bytes.to_vec();
    }
    String::from_utf8_lossy(&text).contains(folder.path().to_str().unwrap())
}

fn each_file(folder: &Path, visit: &mut impl FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, visit);
        } else {
            visit(&path, &fs::read(&path).unwrap());
        }
    }
}

/// Names match without regard to case. A name matches a part of a name or title, or with wildcards the whole.
///
/// The rule is the same for filters, for named figures, and in SQL. Pages of a gallery have the same rule
/// (`tests/browser/gallery.mjs`).
#[test]
fn names_match_alike() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let rows = ["A castle by Émile", "Gate (100%)", "", "the old castle gate"];
    let line =
        |(n, title): (usize, &&str)| format!("SOMA-Fig{n}: 0,0,0 1,0,0 0,1,{} # {title}\n", n + 1);
    let text: String = rows.iter().enumerate().map(line).collect();
    fs::write(folder.join("figures.cells"), text).unwrap();
    fs::write(folder.join("plain.cells"), "0,0,0 1,0,0 0,1,0\n").unwrap();
    run(folder, &["import", "figures.cells", "plain.cells", "--set", "V", "--no-count", "-q"]);
    for (asked, wanted) in [
        ("castle", vec!["SOMA-Fig0", "SOMA-Fig3"]),
        ("CASTLE*", vec![]),
        ("*castle*", vec!["SOMA-Fig0", "SOMA-Fig3"]),
        ("a ?astle by émile", vec!["SOMA-Fig0"]),
        ("fig2", vec!["SOMA-Fig2"]),
        ("soma fig02", vec!["SOMA-Fig2"]),
        ("*fig?", vec!["SOMA-Fig0", "SOMA-Fig1", "SOMA-Fig2", "SOMA-Fig3"]),
        ("0%", vec!["SOMA-Fig1"]),
        ("_", vec![]),
        ("plain.cells 1", vec!["plain.cells 1"]),
        ("plain*", vec!["plain.cells 1"]),
    ] {
        let filtered = stdout(&run(folder, &["query", "--csv", "--sort", "name", "--name", asked]));
        assert_eq!(column(&filtered, "name"), wanted, "{asked}");
        let sql = format!(
            "SELECT DISTINCT name FROM names WHERE name_fits(name, '{asked}') OR name_fits(title, '{asked}') ORDER BY name"
        );
        let by_sql = stdout(&run(folder, &["query", "--csv", "--sql", &sql]));
        assert_eq!(column(&by_sql, "name"), wanted, "{asked}");
        let shown = run(folder, &["show", asked, "--set", "V"]);
        match wanted[..] {
            [only] => assert!(stdout(&shown).starts_with(only), "{asked}: {}", stdout(&shown)),
            [] => assert!(stderr(&shown).contains("matches no file"), "{}", stderr(&shown)),
            _ => assert!(stderr(&shown).contains(&format!("matches {} figures", wanted.len()))),
        }
    }
    // An exact name takes precedence over a part of others.
    fs::write(folder.join("more.cells"), "Fig: 0,0,0 1,0,0 0,1,9\n").unwrap();
    run(folder, &["import", "more.cells", "--set", "V", "--no-count", "-q"]);
    assert!(stdout(&run(folder, &["show", "fig", "--set", "V"])).starts_with("Fig ("));
    // Edits accept only exact names.
    let removed = run(folder, &["catalog", "remove", "ig2"]);
    assert_eq!(removed.status.code(), Some(1), "{}", stderr(&removed));
}

/// A text that moves the cursor, changes colors or reverses a line. It is refused as a name and kept as a title.
const ACTIVE: &str = "red\u{1b}[31m\u{7}\u{8}\u{9b}2J\u{202e}end";

/// A name that reverses a line.
const REVERSED: &str = "red\u{202e}end";

#[test]
fn names_do_not_act_on_a_terminal() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let cells = "0,0,0 1,0,0 0,1,0";
    let file =
        format!("{REVERSED}: {cells} # {ACTIVE}\n{ACTIVE}: {cells}\n{ACTIVE}: 0,0,0 0,0,0\n");
    fs::write(folder.join("active.cells"), &file).unwrap();
    fs::write(folder.join("wrong.soma"), format!("/SOMA {ACTIVE}\n/11\n/12\n")).unwrap();
    let harmless = |what: &str, text: &str| {
        let acts = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
        assert!(!text.contains(acts), "{what}: {text:?}");
    };
    for args in [
        ["import", "active.cells", "wrong.soma", "--set", "V"].as_slice(),
        &["count", "active.cells", "--set", "V"],
        &["symmetry", "active.cells"],
        &["symmetry", "active.cells", "--table"],
        &["solve", "active.cells", "--set", "V"],
        &["show", "active.cells", "--set", "V", "--color", "never"],
        &["query"],
        &["query", "--name", REVERSED],
        &["query", "--like", "active.cells"],
        &["query", "--name", "\u{1b}[31mno such name"],
        &["query", "--sql", "SELECT label AS \"\u{1b}[31m\", message FROM fault"],
        &["solve", "\u{1b}[31mno-such-name"],
        &["status"],
    ] {
        let (text, output) = in_terminal(somacat(folder, args));
        harmless(&format!("{args:?}"), &text);
        harmless(&format!("{args:?}"), &stderr(&output));
    }
    // Formats for programs contain the exact name.
    let csv = stdout(&run(folder, &["query", "--csv"]));
    assert!(column(&csv, "name") == [REVERSED], "{csv}");
}

#[test]
fn spreadsheets_get_long_integers_as_text() {
    let mut out = Vec::new();
    let mut rows = Delimited::for_spreadsheets(&mut out, b';', &["raw"]).unwrap();
    for raw in [40_443_182_120_u64, 999_999_999_999_999, (1 << 53) + 1, u64::MAX] {
        rows.row(&[raw.into()]).unwrap();
    }
    rows.finish().unwrap();
    drop(rows);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "\u{feff}raw\n40443182120\n999999999999999\n'9007199254740993\n'18446744073709551615\n"
    );
}

/// The first characters that turn a cell into a formula.
#[test]
fn no_cell_for_a_spreadsheet_is_a_formula() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let names = ["=1+1", "+1", "-1", "@sum", "plain", "a=b"];
    let line = |(n, name): (usize, &&str)| format!("{name}: 0,0,0 1,0,0 0,1,{}\n", n + 1);
    fs::write(folder.join("f.cells"), names.iter().enumerate().map(line).collect::<String>())
        .unwrap();
    assert_eq!(run(folder, &["import", "f.cells", "--set", "V", "-q"]).status.code(), Some(0));
    for (kind, delimiter) in [("csv", b','), ("tsv", b'\t')] {
        let read = |args: &[&str]| -> Vec<String> {
            let done = run(folder, &[&["export", kind, "-", "--sort", "name"], args].concat());
            assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
            // Excel takes text without a byte order mark for that of an old code page.
            let marked = done.stdout.strip_prefix("\u{feff}".as_bytes());
            assert_eq!(marked.is_some(), args == ["--spreadsheet"]);
            let table = marked.unwrap_or(&done.stdout);
            let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(table);
            let rows = reader.records().map(|row| row.unwrap());
            rows.flat_map(|row| row.iter().map(str::to_owned).collect::<Vec<_>>()).collect()
        };
        let (exact, safe) = (read(&[]), read(&["--spreadsheet"]));
        assert!(names.iter().all(|name| exact.contains(&(*name).to_owned())), "{exact:?}");
        assert!(!safe.iter().any(|cell| cell.starts_with(['=', '+', '-', '@', '\t', '\r'])));
        let back: Vec<&str> =
            safe.iter().map(|cell| cell.strip_prefix('\'').unwrap_or(cell)).collect();
        assert_eq!(back, exact);
    }
    let other = run(folder, &["export", "jsonl", "-", "--spreadsheet"]);
    assert_eq!(other.status.code(), Some(2));
}

/// A folder is imported with its subfolders, without hidden files and catalogs.
#[test]
fn a_folder_is_imported_with_its_folders_but_not_with_its_catalog() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("mine/deep/.hidden")).unwrap();
    let corner = |name: &str| format!("{name}: 0,0,0 1,0,0 0,1,0\n");
    for (file, name) in [("b.cells", "b"), ("deep/a.cells", "a"), ("deep/.hidden/c.cells", "c")] {
        fs::write(folder.join("mine").join(file), corner(name)).unwrap();
    }
    for _ in 0..2 {
        let done = run(folder, &["import", "mine", "--set", "V", "--db", "mine/figures.db"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
    let sql = "SELECT name, source FROM names ORDER BY name";
    let args = ["query", "--csv", "--db", "mine/figures.db", "--sql", sql];
    let listed = stdout(&run(folder, &args));
    assert_eq!(listed, "name,source\na,mine/deep/a.cells\nb,mine/b.cells\n");
    // Nor is the table that a run writes beside it a file of figures.
    fs::write(folder.join("plan.toml"), "import = [\"mine\"]\nset = \"V\"\n").unwrap();
    for _ in 0..2 {
        let done = run(folder, &["run", "plan.toml", "-q", "--db", "mine/figures.db"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
    assert_eq!(stdout(&run(folder, &args)), listed);
}

/// A name of several figures in a file causes a remark. The remark has the lines, and the name finds all of them.
#[test]
fn a_name_of_two_figures_gets_a_remark() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let import = |text: &str, set: &str| {
        fs::write(folder.join("shapes.cells"), text).unwrap();
        let done = run(folder, &["import", "shapes.cells", "--set", set]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let told = stderr(&done);
        let remarks: Vec<String> =
            told.lines().filter(|line| line.contains("of this name")).map(str::to_owned).collect();
        let sql = "SELECT line, label, kind FROM fault";
        let kept = stdout(&run(folder, &["query", "--csv", "--sql", sql]));
        (remarks, kept.lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
    };
    // The position of a figure and the case of a name do not matter; another name of the same figure causes no
    // remark.
    let (straight, corner) = ("0,0,0 1,0,0 2,0,0", "0,0,0 1,0,0 0,1,0");
    let two = format!(
        "bar: {straight}\nnook: {corner}\nbar: 5,5,1 5,5,2 5,5,3\nBar: {corner}\nstick: {straight}\n\
         BAR: 0,0,0 0,0,1 1,0,1\n"
    );
    for _ in 0..2 {
        let (remarks, kept) = import(&two, "V");
        let remark = "shapes.cells:4: Bar: line 1 has another figure of this name; rename one of them \
                      (imported anyway)";
        assert_eq!(
            (remarks, kept),
            (vec![remark.to_owned()], vec!["4,Bar,shared-name".to_owned()])
        );
    }
    let shown = run(folder, &["show", "bar"]);
    assert!(stderr(&shown).contains("`bar` matches 2 figures: "), "{}", stderr(&shown));
    let (remarks, kept) = import(&format!("{two}bar: 0,0,0 2,0,0 4,0,0\n"), "V");
    let remark = "shapes.cells:4: Bar: line 1 has another figure of this name, and 3 have it in all; rename them \
                  (imported anyway)";
    assert_eq!((remarks, kept.len()), (vec![remark.to_owned()], 1));
    // So it is with letters beyond ASCII.
    let letters = format!("éa: {straight}\nÉA: {corner}\n");
    assert_eq!(import(&letters, "V").1, ["2,ÉA,shared-name"]);
    // After a correction of the file, the remark disappears.
    let mended = format!("bar: {straight}\nnook: {corner}\n");
    assert_eq!(import(&mended, "V"), (Vec::new(), Vec::new()));
    // Mirror images are two figures only if the pieces distinguish them.
    let hands = "hand: 0,0,0 1,0,0 0,1,0 1,0,1\nhand: 0,0,0 1,0,0 0,1,0 0,1,1\n";
    assert_eq!(import(hands, "T"), (Vec::new(), Vec::new()));
    fs::remove_file(folder.join("somacat.db")).unwrap();
    assert_eq!(import(hands, "A").1, ["2,hand,shared-name"]);
}

/// An import with a wrong set is refused. It costs neither names nor titles; a different figure in the place of an
/// entry does.
#[test]
fn a_wrong_set_costs_no_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let import = |text: &str, args: &[&str]| {
        fs::write(folder.join("two.soma"), text).unwrap();
        run(folder, &[&["import", "two.soma"], args].concat()).status.code()
    };
    let names = || {
        let sql = "SELECT name, title, credit FROM names ORDER BY line";
        stdout(&run(folder, &["query", "--csv", "--sql", sql]))
    };
    let (slab, cube) =
        ("/SOMA-slab\n; A slab by Emily\n/111111111/111111111/111111111\n", "\n/SOMA-cube\n/999\n");
    let two = format!("{slab}{}", cube.replace("999", "111/111/111\n/111/111/111\n/111/111/111"));
    assert_eq!(import(&two, &[]), Some(0));
    let known = names();
    assert!(known.contains("SOMA-slab,A slab by Emily,Emily\nSOMA-cube,,"), "{known}");
    assert_eq!(import(&two, &["--set", "V3 L3 T"]), Some(3));
    assert_eq!(names(), known);
    // An entry that became unreadable keeps its name until it is corrected; one that became another figure loses it.
    let faulty =
        two.replacen("111111111/111111111/111111111\n", "111111111/111111111/111111111\n/1/1\n", 1);
    assert_eq!(import(&faulty, &[]), Some(3));
    assert_eq!(names(), known);
    let smaller = two.replacen("111111111", "11111111.", 1);
    assert_eq!(import(&smaller, &[]), Some(3));
    assert_eq!(names().lines().skip(1).collect::<Vec<_>>(), ["SOMA-cube,,"]);
    assert_eq!(import(&two, &[]), Some(0));
    assert_eq!(names(), known);
}

/// A figure may have two signatures and one name. It is counted with SOMA and with a set that is not closed under
/// reflection.
#[test]
fn a_name_with_two_kinds_of_sets_names_one_figure() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cube.txt"), "cube: 333 333 333\n").unwrap();
    for set in ["SOMA", "V L T Z A2 P"] {
        assert_eq!(run(folder, &["import", "cube.txt", "--set", set, "-q"]).status.code(), Some(0));
    }
    for (set, raw) in [("SOMA", "11520"), ("V L T Z A2 P", "7752")] {
        let counted = stdout(&run(folder, &["count", "cube", "--csv", "--set", set]));
        assert_eq!(column(&counted, "raw"), [raw]);
    }
    for args in [["show", "cube"].as_slice(), &["symmetry", "cube"], &["query", "--like", "cube"]] {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
    }
    let soma = stdout(&run(folder, &["export", "soma", "-"]));
    assert_eq!(soma.matches("/SOMA").count(), 1, "{soma}");
    // Two different figures of a name are distinguished by a set that only one of them has.
    fs::write(folder.join("nook.txt"), "cube: 0,0,0 1,0,0 0,1,0\n").unwrap();
    run(folder, &["import", "nook.txt", "--set", "V", "-q"]);
    let both = stderr(&run(folder, &["count", "cube"]));
    assert!(both.contains("`cube` matches 2 figures"), "{both}");
    let counted = stdout(&run(folder, &["count", "cube", "--csv", "--set", "SOMA"]));
    assert_eq!(column(&counted, "raw"), ["11520"]);
}

/// Addresses in comments stay out of catalogs and everything made from them.
#[test]
fn an_address_in_a_comment_is_not_stored() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let cube = "/111/111/111\n/111/111/111\n/111/111/111\n";
    fs::write(
        folder.join("a.soma"),
        format!("/SOMA-a\n; A cube by Ann ann.lee@example.org\n{cube}"),
    )
    .unwrap();
    assert_eq!(run(folder, &["import", "a.soma", "-q"]).status.code(), Some(0));
    assert_eq!(run(folder, &["export", "gallery", "site", "-q"]).status.code(), Some(0));
    let names =
        stdout(&run(folder, &["query", "--csv", "--sql", "SELECT title, credit FROM names"]));
    assert_eq!(names, "title,credit\nA cube by Ann,Ann\n");
    each_file(folder, &mut |path, bytes| {
        let found = String::from_utf8_lossy(bytes).contains("example.org");
        assert!(!found || path.ends_with("a.soma"), "{}", path.display());
    });
}
