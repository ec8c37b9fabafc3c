//! Places of pieces and choices that build a figure, on the command line.

use crate::support::figures::boxed;
use crate::support::night::{assert_sound, ended, wait_until};
use crate::support::program::{column, run, signal, start, stderr, stdout};
use somacat_counting::solve::{Limits, Problem, choices, count};
use somacat_geometry::pieces::PieceSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const CUBE: &str = "333 333 333\n";

/// Runs the program on the cube.
fn on_cube(arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("cube.txt"), CUBE).unwrap();
    let output = run(folder.path(), arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// Solve101 lists the numbers of placements. They are 144, 144, 72, 72, 96, 96 and 64. T always spans two corners. V
/// covers two black cells.
#[test]
fn places_in_the_cube_are_those_of_the_articles() {
    let rows = on_cube(&["places", "cube.txt", "--csv"]);
    assert!(rows.starts_with("piece,orbit,placements,packings\n"), "{rows}");
    let mut totals: BTreeMap<String, usize> = BTreeMap::new();
    for (piece, placements) in column(&rows, "piece").into_iter().zip(column(&rows, "placements")) {
        *totals.entry(piece).or_default() += placements.parse::<usize>().unwrap();
    }
    let totals: Vec<_> = "VLTZABP".chars().map(|letter| totals[&letter.to_string()]).collect();
    assert_eq!(totals, [144, 144, 72, 72, 96, 96, 64]);
    assert!(rows.contains("\nT,1,24,11520\nT,2,24,0\nT,3,12,0\nT,4,12,0\n"), "{rows}");
    let table = on_cube(&["places", "cube.txt", "--table"]);
    for sentence in [
        "Never used: V 1, V 3, V 5, L 3, L 4, T 2, T 3, T 4, P 2, P 4.",
        "Always used: T 1.",
        "V must cover two black cells; T and P must cover more cells of different colors.",
    ] {
        assert!(table.contains(sentence), "{table}");
    }
}

/// With repetitions, 1,217 sets build the cube, 27 in one way. A set has a tricube and six tetracubes.
#[test]
fn designs_of_the_cube_are_the_known_ones() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cube.txt"), CUBE).unwrap();
    let tetracubes = include_str!("../catalog/pieces/tetracubes.txt");
    let tricubes = "V: 0,0,0 1,0,0 0,1,0\nI3: 0,0,0 1,0,0 2,0,0\n";
    fs::write(folder.join("universe.txt"), format!("{tetracubes}{tricubes}")).unwrap();
    let design = |more: &[&str]| {
        let first = ["design", "cube.txt", "--from", "universe.txt", "--pieces", "7", "--csv"];
        stdout(&run(folder, &[&first, more].concat()))
    };
    let all = design(&["--repeat"]);
    let unique = column(&all, "unique");
    assert_eq!((unique.len(), unique.iter().filter(|n| *n == "1").count()), (1217, 27));
    let single = design(&["--repeat", "--unique", "1", "--threads", "1"]);
    let of_all: Vec<&str> = all.lines().filter(|row| row.split(',').nth(3) == Some("1")).collect();
    assert_eq!(single.lines().skip(1).collect::<Vec<_>>(), of_all);
    // Without repetitions 13 of 56, SOMA among them.
    let once = design(&[]);
    assert_eq!(once.lines().count(), 14);
    assert!(once.contains("\nL T Z A B P V,11520,480,240,"), "{once}");
}

/// Every choice of a number of pieces is counted, and only those.
#[test]
fn designs_are_the_choices_that_have_a_packing() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.txt"), "222 222\n").unwrap();
    let design = ["design", "box.txt", "--from", "2xSOMA", "--pieces", "3", "--csv"];
    let rows = stdout(&run(folder.path(), &design));
    let figure = boxed([2, 2, 3]);
    let mut expected = Vec::new();
    for choice in choices(&PieceSet::soma(2), 12).iter().filter(|set| set.piece_count() == 3) {
        let report = count(&Problem::new(&figure, choice), Limits::default()).unwrap();
        if let Some(raw) = report.outcome.raw().filter(|raw| *raw > 0) {
            expected.push((choice.name().to_owned(), raw.to_string()));
        }
    }
    assert!(expected.len() > 3);
    let found: Vec<_> = column(&rows, "pieces").into_iter().zip(column(&rows, "raw")).collect();
    assert_eq!(found, expected);
}

/// The rows are the same in another order: by unique count, or by nodes for each unique packing.
#[test]
fn ranked_designs_are_the_same_rows_in_order() {
    let design = |more: &[&str]| {
        let first = ["design", "cube.txt", "--from", "SOMA+", "--pieces", "7", "--csv"];
        on_cube(&[&first, more].concat())
    };
    let sorted = |rows: &str| rows.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    let numbers = |rows: &str| -> Vec<(u64, f64)> {
        let parsed = |name| column(rows, name).into_iter().map(|n| n.parse::<u64>().unwrap());
        let both = parsed("unique").zip(parsed("nodes"));
        both.map(|(unique, nodes)| (unique, nodes as f64 / unique as f64)).collect()
    };
    let (plain, by_unique) = (design(&[]), design(&["--rank", "unique"]));
    let by_difficulty = design(&["--rank", "difficulty"]);
    assert_eq!(sorted(&plain), sorted(&by_unique));
    assert_eq!(sorted(&plain), sorted(&by_difficulty));
    assert!(!numbers(&plain).is_sorted_by(|a, b| a.0 <= b.0));
    assert!(numbers(&by_unique).is_sorted_by(|a, b| a.0 < b.0 || a.0 == b.0 && a.1 >= b.1));
    assert!(numbers(&by_difficulty).is_sorted_by(|a, b| a.1 >= b.1));
    assert_eq!(design(&["--rank", "unique", "--unique", "39"]).lines().count(), 2);
}

/// Ctrl-C keeps the choices counted so far. The same command counts the others, and none twice.
#[cfg(unix)]
#[test]
fn designs_in_a_catalog_continue_after_a_stop() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cube.txt"), CUBE).unwrap();
    let tetracubes = "a: 0,0,0 1,0,0 2,0,0 0,1,0\nb: 0,0,0 1,0,0 2,0,0 1,1,0\n\
                      c: 0,0,0 1,0,0 1,1,0 2,1,0\nd: 0,0,0 1,0,0 0,1,0 1,1,0\n";
    let dorian = include_str!("../catalog/pieces/dorian.txt");
    fs::write(folder.join("universe.txt"), format!("{dorian}{tetracubes}")).unwrap();
    let design = ["design", "cube.txt", "--from", "universe.txt", "--pieces", "6"];
    let kept = [&design[..], &["--catalog"]].concat();
    let outcomes = || -> Option<u64> {
        let db = rusqlite::Connection::open(folder.join("somacat.db")).ok()?;
        db.query_row("SELECT count(*) FROM outcome", [], |row| row.get(0)).ok()
    };
    // A signal that comes after the last design is sent again to a new search.
    let output = loop {
        let mut child = start(folder, &[&kept[..], &["--threads", "1"]].concat(), b"");
        wait_until(&mut child, |child| {
            child.try_wait().unwrap().is_some()
                || (folder.join("somacat.db").exists() && outcomes().is_some_and(|n| n > 0))
        });
        if child.try_wait().unwrap().is_none() {
            signal(&child, "INT");
        }
        let output = ended(child);
        if output.status.code() != Some(0) {
            break output;
        }
        fs::remove_file(folder.join("somacat.db")).unwrap();
    };
    let said = stderr(&output);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(75), ""), "{said}");
    assert!(said.contains("stopped early; the same command continues"), "{said}");
    assert_sound(&folder.join("somacat.db"));
    let before = outcomes().unwrap();
    let continued = run(folder, &kept);
    let said = stderr(&continued);
    let known = format!("; {before} were counted before\n");
    assert!(said.ends_with(&known), "{said}");
    assert_eq!((continued.status.code(), outcomes()), (Some(0), Some(9200)));
    assert!(before < 9200);
    // The catalog has the numbers of a search without one.
    let rows = run(folder, &[&design[..], &["--csv"]].concat());
    assert_eq!(said.strip_suffix(&known), stderr(&rows).strip_suffix('\n'));
    let sql = "SELECT p.name AS pieces, raw, rotation, \"unique\", nodes FROM outcome o \
               JOIN piece_set p ON p.id = o.set_id WHERE raw > 0";
    let in_catalog = run(folder, &["query", "--csv", "--sql", sql]);
    let sorted = |output: &_| stdout(output).lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&in_catalog), sorted(&rows));
    let verified = run(folder, &["verify", "--sample", "100"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    // Other pieces under the name of a choice are refused.
    let exchanged = tetracubes.replace("a:", "e:").replace("b:", "a:").replace("e:", "b:");
    fs::write(folder.join("universe.txt"), format!("{dorian}{exchanged}")).unwrap();
    let changed = run(folder, &kept);
    assert_eq!(changed.status.code(), Some(1), "{}", stderr(&changed));
    assert!(stderr(&changed).contains("different pieces"), "{}", stderr(&changed));
    assert_eq!(outcomes(), Some(9200));
}

/// The rows of `catalog/sevens.csv`: 44 of 56 sets of a tricube and six different tetracubes, and 12 mirror images.
#[cfg(unix)]
#[test]
fn sevens_are_what_the_script_and_designs_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(root.join("catalog/sevens.csv")).unwrap();
    let exact = |line: &str| line.split(',').take(6).collect::<Vec<_>>().join(",");
    let program = Path::new(env!("CARGO_BIN_EXE_somacat")).parent().unwrap().to_owned();
    let old = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([program].into_iter().chain(std::env::split_paths(&old)));
    let script = Command::new("sh")
        .arg(root.join("scripts/sevens.sh"))
        .args(["2", "V L T Z A B Q"])
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    let written = stdout(&script);
    assert_eq!(written.lines().count(), 2, "{}", stderr(&script));
    for line in written.lines() {
        assert!(table.lines().any(|row| exact(row) == exact(line)), "{line}");
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("cube.txt"), CUBE).unwrap();
    let design = ["design", "cube.txt", "--from", "SOMA+", "--pieces", "7", "--csv"];
    fn sorted(pieces: &str) -> BTreeSet<&str> {
        pieces.split(' ').collect()
    }
    let designs = stdout(&run(folder.path(), &design));
    let known: Vec<(BTreeSet<&str>, String)> = (designs.lines().skip(1))
        .map(|line| line.split_once(',').unwrap())
        .map(|(pieces, counts)| {
            (sorted(pieces), counts.split(',').take(3).collect::<Vec<_>>().join(","))
        })
        .collect();
    let (mut sets, mut builders) = (BTreeSet::new(), 0);
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let pieces = sorted(fields[0]);
        let counts = fields[1..4].join(",");
        let found = known.iter().find(|(set, _)| *set == pieces).map_or("0,0,0", |(_, c)| c);
        assert_eq!(counts, found, "{row}");
        let hands = 1 + usize::from(pieces.contains("A") != pieces.contains("B"));
        builders += if counts == "0,0,0" { 0 } else { hands };
        sets.insert((pieces, hands));
    }
    assert_eq!((sets.len(), sets.iter().map(|(_, hands)| hands).sum::<usize>()), (44, 56));
    assert_eq!(builders, known.len());
}

/// With gaps, each choice has the counts of `count --gaps`; the figures of `--targets` have those of `count`.
#[test]
fn designs_with_gaps_and_many_targets_agree_with_count() {
    let folder = TempDir::new().unwrap();
    let csv = |line: &[&str]| {
        let done = run(folder.path(), &[line, &["--csv", "-q"]].concat());
        assert_eq!(done.status.code(), Some(0), "{line:?}: {}", stderr(&done));
        stdout(&done)
    };
    let design = ["design", "2x2x4", "--from", "SOMA", "--pieces", "3", "--gaps"];
    let designs = csv(&design);
    let counted = csv(&["count", "2x2x4", "--set", "SOMA", "--partial", "--pieces", "3", "--gaps"]);
    for name in ["pieces", "raw", "rotation", "unique"] {
        assert_eq!(column(&designs, name), column(&counted, name));
    }
    assert!(column(&designs, "raw").len() > 10);
    // A gap may be marked, too.
    let marked = csv(&["design", "0,0,0~ 1,0,0~ 0,1,0~ 1,1,0~", "--from", "V D", "--pieces", "1"]);
    assert_eq!(column(&marked, "raw"), ["4", "4"]);
    // Figures of a class: the same rows as of `count`, the hardest first.
    let figures = stdout(&run(folder.path(), &["enumerate", "buildable", "--class", "S4"]));
    fs::write(folder.path().join("figures.cells"), &figures).unwrap();
    let targets = ["design", "figures.cells", "--targets", "--from", "SOMA"];
    let (rows, counts) = (csv(&targets), csv(&["count", "figures.cells", "--engine", "search"]));
    assert_eq!(column(&rows, "figure").len(), figures.lines().count());
    let pairs = |rows: &str, names: [&str; 2]| -> BTreeSet<(String, String)> {
        column(rows, names[0]).into_iter().zip(column(rows, names[1])).collect()
    };
    assert_eq!(pairs(&rows, ["figure", "raw"]), pairs(&counts, ["name", "raw"]));
    let ranked = csv(&[&targets[..], &["--rank", "difficulty", "--top", "3"]].concat());
    let number = |name: &str, at: usize| column(&rows, name)[at].parse::<f64>().unwrap();
    let mut hardest: Vec<f64> = (0..column(&rows, "raw").len())
        .map(|at| number("nodes", at) / number("unique", at))
        .collect();
    hardest.sort_by(|a, b| b.total_cmp(a));
    let of_row = |row: &str| {
        let fields: Vec<f64> = row.rsplit(',').take(2).map(|n| n.parse().unwrap()).collect();
        fields[0] / fields[1]
    };
    assert_eq!(ranked.lines().skip(1).map(of_row).collect::<Vec<_>>(), hardest[..3]);
    // Several boxes, and a limit of nodes.
    let boxes = ["design", "2x2x2", "2x2x3", "--targets", "--from", "V P D", "--gaps"];
    assert_eq!(column(&csv(&boxes), "figure"), ["2x2x3"]);
    let few = run(
        folder.path(),
        &["design", "3x3x3", "--from", "SOMA+", "--pieces", "7", "--nodes", "300"],
    );
    assert!(stderr(&few).contains("; 11 reached the limit of nodes"), "{}", stderr(&few));
    for line in [&boxes[..5], &["design", "3x3x3", "--from", "SOMA"]] {
        let line: Vec<&str> = line.iter().filter(|word| **word != "--targets").copied().collect();
        assert_eq!(run(folder.path(), &line).status.code(), Some(2), "{line:?}");
    }
}
