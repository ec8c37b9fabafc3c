//! `somacat show` and the exports of solids, as a user types them.

use crate::support::entries::only;
use crate::support::program::{run, somacat, starter, stderr, stdout};
#[cfg(unix)]
use crate::support::terminal::in_terminal;
use serde_json::{Value, json};
use somacat_counting::solve::Limits;
use somacat_formats::Entry;
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::{Packing, PackingSource};
use std::path::Path;
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

fn ok(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, args: &[&str]) -> String {
    refused_with(1, folder, args)
}

fn refused_with(code: i32, folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(code), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

const SOLVED: &str = "/SOMA cube\n/772/752/552\n/762/451/411\n/466/436/333\n";

#[test]
fn a_file_is_shown_without_a_catalog() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("cube.soma"), SOLVED).unwrap();
    let shown = ok(folder.path(), &["show", "cube.soma"]);
    for part in [
        "8 of 27 cells are hidden in this view",
        "/111/111/111\n",
        "Oh, Allen G, OEIS A376971: full cube",
        "48, with 24 rotations; cyclic orders 1 2 3 4 6",
        "14 black and 13 white cells differ by 1",
        "11520 raw (all packings), 480 up to rotation, 240 unique",
        "cube.soma, figure 1, line 1",
        // The packing comes from the file.
        "as published:\n/SOMA cube\n/772/752/552\n/762/451/411\n/466/436/333\n",
    ] {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "colors without a terminal");
    let colored = ok(folder.path(), &["show", "cube.soma", "--color", "always"]);
    assert!(colored.contains("\u{1b}[0;"));

    let json: Value =
        serde_json::from_str(&ok(folder.path(), &["show", "cube.soma", "--json"])).unwrap();
    let one = &json[0];
    assert_eq!(one["elements"].as_array().unwrap().len(), 48);
    assert_eq!((&one["class"], &one["allen"]), (&Value::from("Oh"), &Value::from("G")));
    assert_eq!(one["counts"][0]["unique"], 240);
    assert_eq!(one["solution"]["found"], "file");
    // T always spans two corners.
    let places = one["places"].as_array().unwrap();
    let of_t: Vec<&Value> = places.iter().filter(|place| place["piece"] == "T").collect();
    let packings: Vec<&Value> = of_t.iter().map(|place| &place["packings"]).collect();
    assert_eq!(packings, [11520, 0, 0, 0]);
    assert_eq!((&of_t[0]["orbit"], &of_t[0]["placements"]), (&1.into(), &24.into()));
    assert_eq!(of_t[0]["first"].as_array().unwrap().len(), 4);
    assert_eq!(one["color_rules"][0], "V must cover two black cells");
}

/// A bar over a cube: it stands if centered, and falls off the end.
#[test]
fn stability_is_shown() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("pieces.txt", "I: 0,0,0 1,0,0 2,0,0\nM: 0,0,0\n");
    write("middle.cells", "middle: 0,0,0 1,0,0 2,0,0 1,0,1\n");
    write("end.cells", "end: 0,0,0 1,0,0 2,0,0 0,0,1\n");
    for (file, words, solution) in [
        (
            "middle.cells",
            "the solution stands with friction 0.5, and so does every stage in the order M I\n",
            json!({"friction": 0.5, "stands": true, "by_hand": true, "order": "MI"}),
        ),
        (
            "end.cells",
            "the solution does not stand with friction 0.5\n",
            json!({"friction": 0.5, "stands": false, "by_hand": false, "order": null}),
        ),
    ] {
        let shown = ok(folder.path(), &["show", file, "--set", "pieces.txt"]);
        assert!(shown.contains(&format!("loose pieces  {words}")), "{shown}");
        let shown = ok(folder.path(), &["show", file, "--set", "pieces.txt", "--json"]);
        let facts: Value = serde_json::from_str(&shown).unwrap();
        for (key, value) in solution.as_object().unwrap() {
            assert_eq!(facts[0]["solution"][key], *value, "{file} {key}");
        }
        let sides = facts[0]["sides"].as_array().unwrap();
        assert_eq!((sides.len(), &sides[0]["side"]), (6, &Value::from("bottom")));
        // Upside down, either rests on its bar.
        assert_eq!((&sides[1]["side"], &sides[1]["stands"]), (&"top".into(), &true.into()));
    }
}

#[test]
fn pictures_and_solids_are_written_whole_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("cube.soma"), SOLVED).unwrap();
    let both = ["show", "cube.soma", "--svg", "c.svg", "--png", "c.png", "--kind", "packing"];
    assert_eq!(ok(folder.path(), &both), "");
    let svg = std::fs::read_to_string(path("c.svg")).unwrap();
    assert!(svg.contains("<title>cube</title>"));
    // All seven pieces are drawn, in the shades of the Okabe-Ito colors seen from above.
    assert!(std::fs::read(path("c.png")).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(ok(folder.path(), &["show", "cube.soma", "--svg", "-", "--kind", "packing"]), svg);
    let two = format!("{SOLVED}\n/SOMA bar\n/111111111\n/111111111\n/111111111\n");
    std::fs::write(path("two.soma"), two).unwrap();
    let message = refused(folder.path(), &["show", "two.soma", "--svg", "two.svg"]);
    assert!(message.contains("--number 1 … 2"), "{message}");
    assert!(!path("two.svg").exists());
    ok(folder.path(), &["show", "two.soma", "--number", "2", "--svg", "two.svg"]);
    assert!(
        refused(folder.path(), &["show", "cube.soma", "--svg", "no/where.svg"])
            .contains("no/where")
    );

    let stl = ["export", "stl", "c.stl", "--figure", "cube.soma", "--clearance", "0"];
    ok(folder.path(), &stl);
    // 54 squares of two triangles each.
    assert_eq!(std::fs::metadata(path("c.stl")).unwrap().len(), 84 + 50 * 108);
    let obj =
        ok(folder.path(), &["export", "obj", "-", "--figure", "cube.soma", "--what", "packing"]);
    let objects: Vec<&str> = obj.lines().filter_map(|line| line.strip_prefix("o ")).collect();
    assert_eq!(objects, ["V", "L", "T", "Z", "A", "B", "P"]);
    let pieces = ok(folder.path(), &["export", "obj", "-", "--what", "pieces", "--set", "2xSOMA"]);
    assert_eq!(pieces.lines().filter(|line| line.starts_with("o ")).count(), 14);
    // Filters select the figure whose pieces are exported.
    ok(folder.path(), &["import", "cube.soma", "-q", "--db", "pieces.db"]);
    let pieces_of = |filter, value| {
        let export = ["export", "obj", "-", "--what", "pieces", "--db", "pieces.db"];
        run(folder.path(), &[&export[..], &[filter, value]].concat())
    };
    let pieces = stdout(&pieces_of("--class", "Oh"));
    assert_eq!(pieces.lines().filter(|line| line.starts_with("o ")).count(), 7);
    assert!(stderr(&pieces_of("--class", "C1")).ends_with("nothing in pieces.db matches\n"));
    // Export to BurrTools and import again.
    ok(
        folder.path(),
        &["export", "xmpuzzle", "c.xmpuzzle", "--figure", "two.soma", "--set", "SOMA"],
    );
    let counted = ok(folder.path(), &["count", "c.xmpuzzle"]);
    assert!(
        counted.contains("\ncube,27,s1-3x3x3-zzzzz3,Oh,48,1,counted,,11520,480,240,"),
        "{counted}"
    );
    assert_eq!(counted.lines().count(), 3);
    for (args, words) in [
        (
            vec!["export", "stl", "-", "--figure", "two.soma"],
            "two.soma has 2 figures; give only one",
        ),
        (
            vec!["export", "stl", "c2.stl", "--figure", "cube.soma", "--clearance", "20"],
            "somacat: --clearance: the clearance is at least 0 mm and less than the cell, not 20 mm",
        ),
        (
            vec!["export", "obj", "c2.obj", "--figure", "cube.soma", "--cell-size", "0"],
            "somacat: --cell-size: a cell is 0.01 mm to 10000 mm, not 0 mm",
        ),
        (
            vec!["export", "stl", "c2.stl", "--figure", "none.soma"],
            "somacat: cannot find the figure",
        ),
        (vec!["export", "csv", "-", "--clearance", "1"], "unexpected argument '--clearance'"),
        (vec!["export", "stl", "-"], "there is no catalog"),
    ] {
        // Misplaced and impossible options are usage errors.
        let code = if words.contains(" --") || words.contains("'--") { 2 } else { 1 };
        let message = refused_with(code, folder.path(), &args);
        assert!(message.contains(words), "{args:?}: {message}");
    }
}

/// Everything about a figure fits a small screen with picture and prompt. Omissions are reported.
#[cfg(unix)]
#[test]
fn a_figure_fits_the_screen_with_its_picture() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    let sql = "SELECT name FROM figures WHERE name IS NOT NULL AND name NOT LIKE 'SOMA-double%'";
    let names = stdout(&run(folder, &["query", "--csv", "--sql", sql]));
    let on_screen = |name: &str, more: &[&str]| {
        let (text, output) = in_terminal(somacat(folder, &[&["show", name], more].concat()));
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        text
    };
    let mut with_solution = 0;
    for name in names.lines().skip(1).chain(["SOMA-double-003"]) {
        for color in ["never", "always"] {
            let text = on_screen(name, &["--color", color]);
            let lines: Vec<String> = text.lines().map(without_colors).collect();
            assert!(lines.len() < 24, "{name}: {} lines\n{text}", lines.len());
            // A signature is not broken, regardless of its length.
            let wide = |line: &&String| line.width() > 80 && !line.contains(" s1-");
            assert_eq!(lines.iter().find(wide), None, "{name}");
            assert!(lines[0].starts_with(name) && text.contains("\nsignature "), "{text}");
            let drawn = if color == "always" { "\x1b[0;" } else { "%%" };
            assert!(text.contains(drawn), "{name} has no picture\n{text}");
            with_solution += usize::from(text.contains("Solution with"));
        }
    }
    assert!(with_solution > 10, "{with_solution}");
    let cube = on_screen("cube", &[]);
    assert!(
        cube.starts_with("cube (27 cells in 3x3x3); --all adds loose pieces and stands\n"),
        "{cube}"
    );
    assert!(!cube.contains("elements ") && on_screen("cube", &["--all"]).contains("elements "));
    let double = on_screen("SOMA-double-001", &["--set", "2xSOMA"]);
    assert!(double.contains("--all shows everything"), "{double}");
}

#[test]
fn the_packing_of_the_file_comes_first_and_once() {
    let entry = only(SOLVED);
    let figure = entry.figure.clone();
    let find = |entry: Option<&Entry>, most| {
        let set = PieceSet::soma(1);
        let published = entry.and_then(|entry| Packing::published(&figure, Some(entry), &[], &set));
        Packing::find_unique(&figure, published, &set, Limits::default(), most).unwrap()
    };
    let of_file = find(Some(&entry), 1000);
    assert_eq!((of_file.len(), of_file[0].source), (240, PackingSource::File));
    assert!(of_file[1..].iter().all(|packing| packing.source == PackingSource::Search));
    assert_eq!(find(None, 1000).len(), 240);
    assert_eq!(find(Some(&entry), 1).len(), 1);
    assert_eq!(find(None, 7).len(), 7);
}

/// Returns a line without color escape sequences.
fn without_colors(line: &str) -> String {
    let mut pieces = line.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    first + &pieces.map(|piece| piece.split_once('m').unwrap().1).collect::<String>()
}
