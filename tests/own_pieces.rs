//! BurrTools problems are counted with their own pieces; what restricts their packings and is not obeyed is reported.

use crate::support::program::{column, run, stderr, stdout};
use somacat_formats::{Item, Reader, Warning};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Six pieces that fill the cube in one way, up to its rotations.
const HALF: &str = r##"<voxel x="2" y="3" z="2" type="0">###_#___#___</voxel>
<voxel x="2" y="3" z="1" type="0">#_###_</voxel>
<voxel x="3" y="2" z="2" type="0">##__##_#____</voxel>
<voxel x="2" y="3" z="2" type="0">#_###____#__</voxel>
<voxel x="2" y="2" z="2" type="0">###__#__</voxel>
<voxel x="2" y="3" z="1" type="0">##_#_#</voxel>
<voxel x="3" y="3" z="3" type="0">###########################</voxel>
<voxel x="1" y="1" z="3" type="0">###</voxel>
"##;

fn puzzle(shapes: &str, problems: &str) -> String {
    format!(
        "<puzzle version=\"2\"><gridType type=\"0\"/><shapes>\n{shapes}</shapes>\n\
         <problems>\n{problems}</problems></puzzle>\n"
    )
}

fn problem(pieces: &str) -> String {
    format!("<problem><shapes>{pieces}</shapes><result id=\"6\"/></problem>\n")
}

fn half() -> String {
    (0..6).map(|id| format!("<shape id=\"{id}\" count=\"1\"/>")).collect()
}

fn raw(folder: &Path, args: &[&str]) -> Vec<String> {
    let done = run(folder, &[&["count", "--csv"], args].concat());
    assert!(done.status.code() < Some(4), "{args:?}: {}", stderr(&done));
    column(&stdout(&done), "raw")
}

#[test]
fn each_problem_has_its_own_pieces() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let bars = "<shape id=\"7\" count=\"9\"/>";
    let two = puzzle(HALF, &[problem(&half()), problem(bars), problem(&half())].concat());
    fs::write(folder.join("two.xmpuzzle"), two).unwrap();
    // Nine bars: three layers, each in one of two ways, or two directions of layers more.
    assert_eq!(raw(folder, &["two.xmpuzzle"]), ["24", "21", "24"]);
    assert_eq!(raw(folder, &["two.xmpuzzle", "--set", "auto"]), ["24", "21", "24"]);
    assert_eq!(raw(folder, &["two.xmpuzzle", "--set", "SOMA"]), ["11520"; 3]);
    assert_eq!(raw(folder, &["two.xmpuzzle", "--set", "two.xmpuzzle"]), ["24"; 3]);
    // A catalog keeps them apart, whatever other puzzles follow.
    let other = puzzle(HALF, &problem(bars));
    fs::write(folder.join("other.xmpuzzle"), other).unwrap();
    for file in ["two.xmpuzzle", "other.xmpuzzle"] {
        let done = run(folder, &["import", "-q", file]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
    let rows = stdout(&run(folder, &["query", "--csv", "--sort", "raw"]));
    let mut counts = column(&rows, "raw");
    counts.sort();
    assert_eq!(counts, ["21", "24"]);
    let sets = stdout(&run(folder, &["query", "--csv", "--sql", "SELECT name FROM piece_set"]));
    assert_eq!(column(&sets, "name").len(), 2, "{sets}");
    let dossier = stdout(&run(folder, &["show", "two.xmpuzzle", "--number", "2"]));
    assert!(dossier.contains("21 raw"), "{dossier}");
}

#[test]
fn pieces_that_are_not_a_set_are_refused_unless_others_are_given() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let range = half().replacen("count=\"1\"", "min=\"0\" max=\"2\"", 1);
    let text = puzzle(HALF, &[problem(&range), problem(&half())].concat());
    fs::write(folder.join("range.xmpuzzle"), text).unwrap();
    let done = run(folder, &["import", "-q", "range.xmpuzzle"]);
    assert_eq!(done.status.code(), Some(3));
    let told = stderr(&done);
    assert!(told.contains("may be used 0 to 2 times"), "{told}");
    assert!(told.contains("choose a set with --set"), "{told}");
    assert_eq!(raw(folder, &["range.xmpuzzle"]), ["24"; 2]);
    assert_eq!(raw(folder, &["range.xmpuzzle", "--set", "SOMA"]), ["11520"; 2]);
}

#[test]
fn what_is_not_obeyed_is_reported() {
    let ignored = |text: &str| -> Vec<String> {
        let items = Reader::new(text.as_bytes(), None).unwrap();
        let texts = items.map(|item| match item.unwrap() {
            Item::Entry(entry) => entry.warnings.iter().map(Warning::to_string).collect(),
            Item::Fault(fault) => panic!("{fault}"),
        });
        texts.collect::<Vec<Vec<String>>>().concat()
    };
    let plain = problem(&half());
    assert!(ignored(&puzzle(HALF, &plain)).is_empty());
    // The color of a shape without use does not matter.
    let unused = HALF.replacen(">###<", ">#2##<", 1);
    assert!(ignored(&puzzle(&unused, &plain)).is_empty());
    let group =
        half().replacen("count=\"1\"/>", "count=\"1\"><group group=\"1\" count=\"1\"/></shape>", 1);
    let holes = problem(&group).replacen("<problem>", "<problem maxHoles=\"1\">", 1);
    let told =
        ["groups of pieces and limits on holes are not obeyed, so BurrTools may report fewer \
                 packings"];
    assert_eq!(ignored(&puzzle(HALF, &holes)), told);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("c.xmpuzzle"), puzzle(HALF, &holes)).unwrap();
    for command in ["count", "import"] {
        let told = stderr(&run(folder.path(), &[command, "c.xmpuzzle"]));
        assert!(told.contains("c.xmpuzzle:8: ") && told.contains("limits on holes"), "{told}");
    }
}

/// The marks of a packing choose its pieces on sheets, whatever other figure of that shape a file or the catalog has.
#[test]
fn a_sheet_keeps_the_pieces_that_marks_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    // Mirror images with A and with B; one shape with P and with T.
    let images = "/SOMA a\n/2../2../2..\n/25./.../...\n/55./5../...\n\n\
                  /SOMA b\n/..2/..2/..2\n/.62/.../...\n/.66/..6/...\n";
    write("images.soma", images);
    let piano = "/SOMA piano\n/.../744/442\n/711/771/222\n";
    write("piano.soma", piano);
    let sheet = |args: &[&str]| {
        let done = run(folder, &[&["export", "newsletter", "sheet"], args].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        assert!(!stderr(&done).contains("not a packing"), "{}", stderr(&done));
        fs::read_to_string(folder.join("sheet/newsletter.html")).unwrap()
    };
    let page = sheet(&["images.soma"]);
    for shown in ["8 cells, L A: 1 unique solution", "8 cells, L B: 1 unique solution"] {
        assert!(page.contains(shown), "{shown}");
    }
    // Mirror images are equally difficult.
    assert_eq!(page.matches("Difficulty ").count(), 2);
    let plain = |c: char| if c.is_ascii_digit() { '1' } else { c };
    write("other.soma", &piano.replace("piano", "other").chars().map(plain).collect::<String>());
    let counted = run(folder, &["import", "other.soma", "--set", "V L T Z"]);
    assert!(counted.status.success(), "{}", stderr(&counted));
    for _ in 0..2 {
        assert!(sheet(&["piano.soma"]).contains("15 cells, V L Z P: 8 unique solutions"));
        assert!(run(folder, &["import", "piano.soma"]).status.success());
    }
}
