//! The difficulty of figures, compared with the times that people noted.

use somacat::figure::{Figure, Signature};
use somacat::lattice::Cell;
use somacat::outcome::Outcome;
use somacat::pieces::PieceSet;
use somacat::plain_search::plain_effort;
use somacat::solve::{Limits, Problem, count};

/// Ranks values from 0. Equal ones share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |v: f64| values.iter().filter(|&&other| other < v).count() as f64;
    let equal = |v: f64| values.iter().filter(|&&other| other == v).count() as f64;
    values.iter().map(|&v| below(v) + (equal(v) - 1.0) / 2.0).collect()
}

/// Returns Spearman's rank correlation.
fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let middle = (a.len() as f64 - 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(x, y)| (x - middle) * (y - middle)).sum()
    };
    let (a, b) = (ranks(a), ranks(b));
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

/// docs/gallery.md has both correlations.
#[test]
fn stars_follow_the_times_that_solvers_noted() {
    let mut minutes: Vec<f64> = Vec::new();
    let mut efforts: Vec<f64> = Vec::new();
    let mut nodes: Vec<f64> = Vec::new();
    let text = include_str!("../catalog/solving_times.csv");
    for row in csv::Reader::from_reader(text.as_bytes()).deserialize() {
        let (_name, signature, set, noted, _source): (String, String, String, String, String) =
            row.unwrap();
        let figure = signature.parse::<Signature>().unwrap().figure().unwrap();
        let pieces = PieceSet::soma(1).pieces().to_vec();
        let chosen = pieces.into_iter().filter(|(p, _)| set == "SOMA" || set.contains(p.letter()));
        let pieces = PieceSet::new(set.clone(), chosen);
        // More than 30 minutes come after 30.
        let bound = noted
            .find(['<', '>'])
            .map_or(0.0, |at| if &noted[at..=at] == "<" { -0.5 } else { 0.5 });
        minutes.push(noted.trim_matches(['<', '>']).parse::<f64>().unwrap() + bound);
        efforts.push(plain_effort(&figure, &pieces, u64::MAX).unwrap() as f64);
        let report = count(&Problem::new(&figure, &pieces), Limits::default()).unwrap();
        let Outcome::Counted(counts) = &report.outcome else { panic!("{signature}") };
        nodes.push(report.nodes.unwrap() as f64 / counts.unique as f64);
    }
    let docs = include_str!("../docs/gallery.md");
    for (values, what) in [
        (&efforts, "tries for each packing"),
        (&nodes, "nodes of somacat's search for each unique solution"),
    ] {
        let line = format!("| {what} | {:.2} |", rank_correlation(values, &minutes));
        assert!(docs.contains(&line), "{line}");
    }
    assert_eq!(minutes.len(), 15);
}

#[test]
fn a_plain_search_of_two_dominoes() {
    let figure = |cells: &[[i32; 3]]| Figure::new(cells.iter().copied().map(Cell::from)).unwrap();
    let square = figure(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]);
    let domino =
        |copies| PieceSet::new("D", [(PieceSet::standard_piece('D').unwrap().clone(), copies)]);
    assert_eq!(plain_effort(&square, &domino(2), 10), Some(2));
    assert_eq!(plain_effort(&square, &domino(2), 3), None, "a limit");
    assert_eq!(plain_effort(&square, &domino(1), 10), None, "another size");
    let cross = figure(&[[1, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]]);
    assert_eq!(plain_effort(&cross, &domino(2), 10), None, "no packing");
}
