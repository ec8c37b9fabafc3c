//! Lists and tables as editors and spreadsheets save them: byte order marks, separators, encodings, comments, capitals.

use crate::support::program::{column, run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const FIGURES: &str = "tower: 67 77\n\ncube: 333 333 333\n";

/// Returns the bytes of a table with tabs, in each form in which programs save it.
fn spellings(table: &str) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for (name, separator) in [("tab", "\t"), ("semicolon", ";"), ("comma", ",")] {
        let text = table.replace('\t', separator);
        let crlf = text.replace('\n', "\r\n");
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c as u32).unwrap()).collect();
        let utf16 = "\u{feff}".encode_utf16().chain(crlf.encode_utf16()).flat_map(u16::to_le_bytes);
        all.push((format!("{name}, UTF-16"), utf16.collect()));
        let marked = [b"\xEF\xBB\xBF".as_slice(), &latin].concat();
        all.push((format!("{name}, mark and Latin-1"), marked));
        all.push((format!("{name}, Latin-1"), latin));
        all.push((format!("{name}, CR alone"), text.replace('\n', "\r").into_bytes()));
        all.push((format!("{name}, mark and CR"), format!("\u{feff}{crlf}").into_bytes()));
        all.push((format!("{name}, plain"), text.into_bytes()));
    }
    all
}

fn catalog(folder: &Path) {
    fs::write(folder.join("figures.txt"), FIGURES).unwrap();
    let done = run(folder, &["import", "-q", "figures.txt"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
}

#[test]
fn lists_of_names_are_read_as_spreadsheets_save_them() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    catalog(folder);
    let table = "# a remark\nFigure\tTITLE\tCredit\ntower\tDer Müll\t\n\t\t\nCUBE\tCafé\tZoë\n";
    for (name, bytes) in spellings(table) {
        for title in ["tower", "cube"] {
            let reset = ["catalog", "rename", title, "--title", "none", "--credit", "nobody"];
            assert_eq!(run(folder, &reset).status.code(), Some(0));
        }
        fs::write(folder.join("list.csv"), bytes).unwrap();
        let done = run(folder, &["catalog", "rename", "--list", "list.csv"]);
        assert_eq!(done.status.code(), Some(0), "{name}: {}", stderr(&done));
        let sql = "SELECT name, title, credit FROM names ORDER BY name";
        let rows = stdout(&run(folder, &["query", "--csv", "--sql", sql]));
        assert_eq!(column(&rows, "title"), ["Café", "Der Müll"], "{name}");
        assert_eq!(column(&rows, "credit"), ["Zoë", "nobody"], "{name}");
    }
    let wrong = "figure;title\n\ntower;ok\ncube;a\u{7}b\n";
    fs::write(folder.join("list.csv"), wrong).unwrap();
    let done = run(folder, &["catalog", "rename", "--list", "list.csv"]);
    assert!(stderr(&done).contains("list.csv: line 4:"), "{}", stderr(&done));
    for (wrong, words) in [
        ("figur;title\ntower;ok\n", "list.csv: the first line names no column `figure`"),
        ("figure;title\ntower;x\ncube;y\ntower;z\n", "list.csv: lines 2 and 4 both change tower"),
        ("figure,title\ntower,x\nTOWER,y\n", "lines 2 and 3 both change TOWER"),
        ("figure,title\ncube,x\n \"Cube\" ,y\n", "lines 2 and 3 both change Cube"),
        ("figure,title\ncube,x\ns1-3x3x3-zzzzz3,y\n", "lines 2 and 3 both change s1-3x3x3-zzzzz3"),
        ("figure,title\ncube # the best, T\n", "line 2: `T`: this may be a comment"),
        ("figure,title\ncube,T # the best\n", "line 2: `T # the best`: this may be a comment"),
        ("figure;remark\ntower;ok\n", "list.csv: the first line names the column `remark`, but"),
        ("figure;name\ntower;\n", "list.csv: the list changes nothing"),
        ("figure;name\n", "list.csv: the list has no rows below its columns"),
    ] {
        fs::write(folder.join("list.csv"), wrong).unwrap();
        let done = run(folder, &["catalog", "rename", "--list", "list.csv"]);
        assert_eq!(done.status.code(), Some(1), "{wrong}");
        assert!(stderr(&done).contains(words), "{wrong}: {}", stderr(&done));
    }
}

/// A remark behind a name is none if a figure has this name.
#[test]
fn remarks_in_lists_are_not_names() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("figures.txt"), format!("{FIGURES}\n")).unwrap();
    fs::write(
        folder.join("gate.soma"),
        "/SOMA Gate #2\n/111/111/111\n/111/111/111\n/111/111/111\n",
    )
    .unwrap();
    let done = run(folder, &["import", "-q", "figures.txt", "gate.soma"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    for list in ["tower # a remark\nGate #2\n", "figure\ntower # a remark\nGATE #2 # and another\n"]
    {
        fs::write(folder.join("list.txt"), list).unwrap();
        let done = run(folder, &["export", "newsletter", "sheet", "--list", "list.txt"]);
        assert_eq!(done.status.code(), Some(0), "{list}: {}", stderr(&done));
        let sheet = fs::read_to_string(folder.join("sheet/newsletter.md")).unwrap();
        assert!(sheet.contains("tower") && sheet.contains("Gate #2"), "{list}: {sheet}");
    }
    fs::write(folder.join("list.csv"), "title,figure\nA,tower # a remark\nB,gate #2\n").unwrap();
    let done = run(folder, &["catalog", "rename", "--list", "list.csv"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let sql = "SELECT name, title FROM names WHERE title IS NOT NULL ORDER BY title";
    let rows = stdout(&run(folder, &["query", "--csv", "--sql", sql]));
    assert_eq!(column(&rows, "name"), ["tower", "Gate #2"]);
}

#[test]
fn a_newsletter_has_the_figures_of_a_list_in_any_spelling() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    catalog(folder);
    let mut lists = spellings("# a remark\nFigure\tRemark\n\"tower\"\tschön\nCube\t\n");
    let plain = "\u{feff}; a remark\r\ntower\tfirst\r\n\r\n# another\r\nCUBE;second\r\n";
    lists.push(("without a header".to_owned(), plain.as_bytes().to_vec()));
    for (name, bytes) in lists {
        fs::write(folder.join("list.txt"), bytes).unwrap();
        let done = run(folder, &["export", "newsletter", "sheet", "--list", "list.txt"]);
        assert_eq!(done.status.code(), Some(0), "{name}: {}", stderr(&done));
        let sheet = fs::read_to_string(folder.join("sheet/newsletter.md")).unwrap();
        let [tower, cube] = ["tower", "cube"].map(|figure| sheet.find(figure).unwrap());
        assert!(tower < cube, "{name}: {sheet}");
    }
    fs::write(folder.join("list.txt"), "tower\n\nnobody\n").unwrap();
    let done = run(folder, &["export", "newsletter", "other", "--list", "list.txt"]);
    assert!(stderr(&done).contains("list.txt line 3"), "{}", stderr(&done));
}

#[test]
fn published_counts_are_read_as_spreadsheets_save_them() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("figures.txt"), FIGURES).unwrap();
    let table = "# checked by hand\nName\tSignature\tSet\tKind\tValue\tSource\n\
                 Tower\t\tsoma\tRaw\t1520\tMüller\n\tS1-3x3x3-zzzzz3\tSOMA\tUNIQUE\t240\tZoë\n";
    let plan = "title = \"mine\"\nimport = [\"figures.txt\"]\npublished = \"counts.csv\"\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    for (number, (name, bytes)) in spellings(table).into_iter().enumerate() {
        fs::write(folder.join("counts.csv"), bytes).unwrap();
        let db = format!("{number}.db");
        let done = run(folder, &["run", "plan.toml", "-q", "--db", &db, "--out", "out.csv"]);
        assert_eq!(done.status.code(), Some(0), "{name}: {}", stderr(&done));
        let sql = "SELECT source, value FROM published_count ORDER BY value";
        let rows = stdout(&run(folder, &["query", "--csv", "--db", &db, "--sql", sql]));
        assert_eq!(column(&rows, "source"), ["Zoë", "Müller"], "{name}");
    }
    let other = format!("{table}Tower\t\tSOMA\traw\t1521\tMüller\n");
    fs::write(folder.join("counts.csv"), other).unwrap();
    let done = run(folder, &["run", "plan.toml", "--db", "other.db"]);
    assert!(stderr(&done).contains("counts.csv:5: an earlier line says 1520"), "{}", stderr(&done));
    fs::write(folder.join("counts.csv"), table.replace("1520", "many")).unwrap();
    let done = run(folder, &["run", "plan.toml", "-q", "--db", "other.db"]);
    assert!(stderr(&done).contains("counts.csv:3:"), "{}", stderr(&done));
}
