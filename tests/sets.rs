//! Famous sets: their published counts, and the commands that know their names.

use crate::support::figures::boxed;
use crate::support::program::{column, run, stderr, stdout};
use somacat_counting::solve::{Limits, Problem, count, first};
use somacat_formats::{PublishedPacking, find_piece_set, read_piece_set};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::pieces::FAMOUS_SETS;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Boxes that take longer than two seconds; `SOMACAT_THOROUGH=1` counts them, too.
const SLOW: [&str; 3] = ["bedlam 4x4x4", "tetris-cube 4x4x4", "pentominoes 3x4x5"];

/// The counts in the files of the sets are ours. The file for `verify` has the same counts.
#[test]
fn published_counts_of_famous_sets_are_reproduced() {
    let thorough = std::env::var_os("SOMACAT_THOROUGH").is_some();
    let table = include_str!("../catalog/pieces/published_counts.csv");
    let (mut counted, mut stated) = (0, 0);
    for (famous, text) in FAMOUS_SETS.iter().flat_map(|f| f.boxes().map(move |text| (f, text))) {
        let (sides, result) = text.split_once(", ").unwrap();
        let extents = parse_box(sides).unwrap();
        let figure = boxed(extents.map(|side| side as i32));
        let set = famous.pieces();
        let problem = Problem::new(&figure, &set);
        let limits = Limits::default();
        let known = famous.packing().filter(|_| famous.boxes().next() == Some(text));
        let fits = |letters| PublishedPacking::from_letters(&figure, letters, &set).is_some();
        assert!(known.is_none_or(fits), "{}: the packing is none of {sides}", famous.name);
        let Some((number, kind)) = result.split_once(' ') else {
            assert_eq!(result, "buildable");
            assert!(first(&problem, limits).unwrap().0.is_some(), "{} {sides}", famous.name);
            continue;
        };
        let row = format!(",{},{kind},{number},", famous.name);
        assert!(table.lines().any(|line| line.contains(sides) && line.contains(&row)), "{row}");
        stated += 1;
        if SLOW.contains(&format!("{} {sides}", famous.name).as_str()) && !thorough {
            let (packing, _) = first(&problem, limits).unwrap();
            assert!(packing.is_some(), "{}", famous.name);
            continue;
        }
        let outcome = count(&problem, limits).unwrap().outcome;
        let ours = match kind {
            "rotation" => outcome.rotation(),
            "unique" => outcome.unique(),
            other => panic!("{}: {other} is not a kind of count", famous.name),
        };
        assert_eq!(ours, number.parse().ok(), "{} {sides}", famous.name);
        counted += 1;
    }
    assert!(counted >= 6 && stated == table.lines().count() - 1, "{counted} of {stated}");
}

#[test]
fn a_famous_set_is_known_by_its_name_everywhere() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let listed = run(folder, &["sets", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&stdout(&listed)).unwrap();
    let rows = listed.as_array().unwrap();
    let drawn = stdout(&run(folder, &["sets", "--pictures"]));
    let bedlam = stdout(&run(folder, &["show", "bedlam"]));
    let pieces = bedlam.split("\n\n").nth(1).unwrap();
    assert!(drawn.contains("bedlam: 13 pieces, 64 cells\n") && drawn.contains(pieces), "{drawn}");
    let numbers = |name: &str| {
        let row = rows.iter().find(|row| row["name"] == name).unwrap();
        assert!(row["source"].as_str().is_some_and(|source| source.len() > 10), "{name}");
        (row["pieces"].as_u64().unwrap(), row["cells"].as_u64().unwrap())
    };
    for (name, pieces, cells) in [
        ("SOMA", 7, 27),
        ("bedlam", 13, 64),
        ("tetris-cube", 12, 64),
        ("pentominoes", 12, 60),
        ("pentacubes", 29, 145),
        ("tetracubes", 8, 32),
        ("diabolical", 6, 27),
        ("slothouber", 9, 27),
        ("conway", 18, 125),
        ("dorian", 25, 125),
    ] {
        assert_eq!(numbers(name), (pieces, cells), "{name}");
    }
    // The list is the folder, and a file read by itself is the built-in set.
    let files = fs::read_dir(Path::new(ROOT).join("catalog/pieces")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let sets: Vec<_> = files.filter(|file| file.extension().unwrap() == "txt").collect();
    assert_eq!(sets.len(), FAMOUS_SETS.len());
    for file in sets {
        let name = file.file_stem().unwrap().to_string_lossy().to_uppercase();
        assert_eq!(find_piece_set(&name, Path::new("")).unwrap(), read_piece_set(&file).unwrap());
    }
    // Pictures show every piece by name.
    let shown = stdout(&run(folder, &["show", "dorian"]));
    for name in ["F", "L1", "J4", "Q"] {
        assert!(shown.split_whitespace().any(|word| word == name), "{name}: {shown}");
    }
    let drawn = stdout(&run(folder, &["show", "bedlam", "--svg", "-"]));
    assert!(drawn.starts_with("<svg") && drawn.len() > 5000, "{}", drawn.len());
}

/// A plan's two sets for one figure, and a wrong published count.
#[test]
fn tables_of_a_plan_have_their_own_sets() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let table = |set: &str| format!("[[box]]\nsides = \"3x3x3\"\ncells = 27\nset = {set:?}\n");
    let plan = ["diabolical", "slothouber", "SOMA"].map(table).concat();
    let plan = format!("title = \"cubes\"\npublished = \"published.csv\"\n{plan}");
    fs::write(folder.join("plan.toml"), plan).unwrap();
    let published = include_str!("../catalog/pieces/published_counts.csv");
    for (published, code) in [(published, 0), (&published.replace("unique,13,", "unique,14,"), 5)] {
        fs::write(folder.join("published.csv"), published).unwrap();
        let ran = run(folder, &["run", "plan.toml"]);
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        let verified = run(folder, &["verify"]);
        assert_eq!(
            verified.status.code(),
            Some(code),
            "{}{}",
            stdout(&verified),
            stderr(&verified)
        );
    }
    let rows = stdout(&run(folder, &["query", "--csv", "--sort", "unique"]));
    let mut unique = column(&rows, "unique");
    unique.sort();
    assert_eq!(unique, ["1", "13", "240"], "{rows}");
}

/// Twelve of the pentacubes that are not flat fill 2×2×15. The first packing appears before all choices of twelve are
/// listed: there are thousands.
#[test]
fn some_pieces_of_a_set_fill_a_box() {
    let folder = TempDir::new().unwrap();
    let all = fs::read_to_string(Path::new(ROOT).join("catalog/pieces/pentacubes.txt")).unwrap();
    let is_flat = |line: &str| {
        let mut chars = line.chars();
        chars.next().is_some_and(|c| "FILNPTUVWXYZ".contains(c)) && chars.next() == Some(':')
    };
    let solid: Vec<&str> = all.lines().filter(|line| !is_flat(line)).collect();
    fs::write(folder.path().join("solid.txt"), solid.join("\n")).unwrap();
    let args = ["solve", "2x2x15", "--first", "--partial", "--set", "solid.txt", "--json"];
    let done = run(folder.path(), &args);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let packings: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
    let pieces = packings[0]["pieces"].as_array().unwrap();
    assert_eq!((packings.as_array().unwrap().len(), pieces.len()), (1, 12));
}
