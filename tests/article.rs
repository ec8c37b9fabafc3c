//! Checks against the published articles: matrices, cycles, element sets, parity, counts.

use crate::support::program::{column, run, stdout};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_formats::{Item, Reader};
use somacat_geometry::figure::{Figure, prefilter};
use somacat_geometry::lattice::Transform;
use somacat_geometry::pieces::PieceSet;
use somacat_run::starter_sources;
use std::collections::HashMap;
use tempfile::TempDir;

/// Returns every figure of `catalog/figures/` by name.
fn starter() -> HashMap<String, Figure> {
    let mut figures = HashMap::new();
    for (label, text) in starter_sources() {
        for item in Reader::new(text.as_bytes(), None).unwrap() {
            match item.unwrap() {
                Item::Entry(entry) => figures.insert(entry.label("", 0), entry.figure),
                Item::Fault(fault) => panic!("{label}: {fault}"),
            };
        }
    }
    figures
}

/// The 48 matrices as printed: six blocks of three lines, eight matrices side by side.
#[test]
fn all_48_matrices_are_those_of_the_article() {
    let numbers: Vec<i32> = include_str!("data/matrices.txt")
        .replace('-', " -")
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    assert_eq!(numbers.len(), 48 * 9);
    for t in Transform::iter() {
        let (block, column) = (t.index() / 8, t.index() % 8);
        let printed = |row: usize, at: usize| numbers[block * 72 + row * 24 + column * 3 + at];
        let expected = [0, 1, 2].map(|row| [0, 1, 2].map(|at| printed(row, at)));
        assert_eq!(t.matrix(), expected, "{t}");
    }
}

/// The cycles listed in "The 48 Symmetries of SOMA". A letter that one line misses is added.
#[test]
fn all_48_cycles_come_out_as_published() {
    let published = include_str!("data/cycles.txt");
    assert_eq!(published.lines().count(), 48);
    for (t, line) in Transform::iter().zip(published.lines()) {
        let powers: Vec<String> = t.powers().map(|power| power.to_string()).collect();
        assert_eq!(powers.join(", "), line);
    }
}

#[test]
fn the_program_prints_the_table_of_the_article() {
    let folder = TempDir::new().unwrap();
    let table = stdout(&run(folder.path(), &["symmetry", "--transforms", "--csv"]));
    let published: Vec<&str> = include_str!("data/cycles.txt").lines().collect();
    assert_eq!(column(&table, "powers"), published);
    assert_eq!(column(&table, "matrix")[25], "0 0 -1, 1 0 0, 0 1 0");
    let number = |kind: &str| column(&table, "kind").iter().filter(|k| *k == kind).count();
    assert_eq!([number("S4"), number("S6"), number("C4")], [6, 8, 6]);
}

#[test]
fn the_articles_figures_have_the_published_element_sets() {
    let figures = starter();
    let elements = |name: &str| figures[name].canonical().group.to_string();
    assert_eq!(elements("SOMA8symmetry"), "1 2 7 8 19 20 21 22");
    assert_eq!(elements("SOMA8aSymmetry"), "1 2 7 8 19 20 21 22");
    let sixteen = "1 2 3 4 5 6 7 8 17 18 19 20 21 22 23 24";
    assert_eq!(elements("SOMA16symmetry"), sixteen);
    assert_eq!(elements("SOMA16aSymmetryDouble"), sixteen);
}

/// The article's element sets of a figure reoriented along X and Y. "The same figures if reoriented along the X axis
/// have 1-8 and 9-16. Along the Y axis 1-8 and 41-48."
#[test]
fn turned_figures_have_the_element_sets_of_the_article() {
    let figure = &starter()["SOMA16symmetry"];
    let along = |t: u8| {
        let turned = figure.transformed(Transform::from_number(t).unwrap());
        turned.canonical().group.iter().map(Transform::number).collect::<Vec<u8>>()
    };
    assert_eq!(along(41), (1..=16).collect::<Vec<u8>>());
    assert_eq!(along(9), (1..=8).chain(41..=48).collect::<Vec<u8>>());
}

#[test]
fn parity_forbids_the_two_figures_of_order_8() {
    for name in ["SOMA8symmetry", "SOMA8aSymmetry"] {
        let blocked = prefilter(&starter()[name], &PieceSet::soma(1)).unwrap();
        let sentence = "|black - white| = 7; the pieces reach only 1, 3, 5";
        assert_eq!(blocked.to_string(), sentence);
    }
}

/// Our counts equal those of the file of published counts. Each of its lines names a figure with its signature.
#[test]
fn published_counts_are_reproduced() {
    let figures = starter();
    let text = include_str!("../catalog/published_counts.csv");
    let mut compared = 0;
    for row in csv::Reader::from_reader(text.as_bytes()).deserialize() {
        let (name, signature, set, kind, value, _source): (
            String,
            String,
            String,
            String,
            u128,
            String,
        ) = row.unwrap();
        let signature: somacat_geometry::figure::Signature = signature.parse().unwrap();
        if let Some(figure) = figures.get(&name) {
            assert_eq!(figure.canonical().signature, signature, "{name}");
        }
        // tests/frontier.rs checks our own counts of double sets.
        if set == "2xSOMA" {
            continue;
        }
        assert_eq!(set, "SOMA");
        let figure = signature.figure().unwrap();
        let report = count(&Problem::new(&figure, &PieceSet::soma(1)), Limits::default()).unwrap();
        let ours = match kind.as_str() {
            "raw" => report.outcome.raw(),
            "rotation" => report.outcome.rotation(),
            "unique" => report.outcome.unique(),
            other => panic!("{name}: no kind of count is called {other}"),
        };
        assert_eq!(ours, Some(value), "{name}, {kind}");
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} published counts were compared");
}

#[test]
fn every_file_of_starter_figures_is_built_in() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/catalog/figures");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| format!("catalog/figures/{}", entry.unwrap().file_name().display()))
        .collect();
    files.sort();
    let built_in: Vec<String> = starter_sources().iter().map(|(l, _)| (*l).to_owned()).collect();
    assert_eq!(built_in, files);
}
