//! The difficulty of figures, compared with the times that people noted.

use somacat_counting::plain_search::plain_effort;
use somacat_counting::solve::{Limits, Placement, Problem, count, first};
use somacat_geometry::figure::{Candidate, Equivalence, Figure, Signature};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::{Piece, PieceSet, parse_set};

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
    let text = include_str!("../../../catalog/solving_times.csv");
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
    let docs = include_str!("../../../docs/gallery.md");
    for (values, what) in [
        (&efforts, "tries for each packing"),
        (&nodes, "nodes of somacat's search for each unique solution"),
    ] {
        let line = format!("| {what} | {:.2} |", rank_correlation(values, &minutes));
        assert!(docs.contains(&line), "{line}");
    }
    assert_eq!(minutes.len(), 15);
}

/// Nodes do not depend on how a set is written, and those of its mirror image are the same for the mirrored figure.
#[test]
fn nodes_do_not_depend_on_the_spelling_of_the_set() {
    let cube = Figure::new((0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9))).unwrap();
    let step = Figure::new(
        (0..24)
            .map(|n| Cell::new(n % 2, n / 2 % 3, n / 6))
            .chain([[2, 0, 0], [2, 1, 0], [2, 0, 1]].map(Cell::from)),
    );
    let step = step.unwrap();
    let dorian = parse_set("dorian").unwrap();
    let of_dorian = |name: &str| {
        dorian.pieces().iter().find(|(piece, _)| piece.name() == name).unwrap().0.clone()
    };
    let standard = |letter: char| PieceSet::standard_piece(letter).unwrap().clone();
    let single = Piece::new('O', &[Cell::default()]).unwrap();
    let closed: Vec<Piece> = [single, standard('D'), standard('S')]
        .into_iter()
        .chain(["V", "L4", "J4", "T1"].map(of_dorian))
        .collect();
    // Without B; with two pieces that have no mirror image either.
    let chiral: Vec<Piece> = "VLTZAPS".chars().map(standard).collect();
    let mixed: Vec<Piece> =
        ["U", "L1", "Q"].map(of_dorian).into_iter().chain("LZS".chars().map(standard)).collect();
    let nodes = |figure: &Figure, pieces: &[Piece]| {
        let set = PieceSet::new("a set", pieces.iter().map(|piece| (piece.clone(), 1)));
        let (figure, group) =
            Candidate::new(figure.clone(), Equivalence::for_set(&set)).canonical();
        let problem = Problem::with_group(&figure, &set, group);
        let report = count(&problem, Limits::default()).unwrap();
        (report.outcome.counts(), report.nodes)
    };
    for (figure, pieces, unique) in
        [(&cube, &closed, 1), (&cube, &chiral, 337), (&cube, &mixed, 1), (&step, &chiral, 0)]
    {
        let known = nodes(figure, pieces);
        assert!(known.0.is_some_and(|counts| unique == 0 || counts.unique == unique), "{known:?}");
        let mut other = pieces.clone();
        for at in 0..other.len() {
            // Another order, with the piece in another position.
            other.rotate_left(2);
            let t = Transform::iter().filter(|t| t.is_rotation()).nth(3 * at + 1).unwrap();
            let cells: Vec<Cell> = other[0].cells().iter().map(|&cell| t.apply(cell)).collect();
            other[0] = Piece::new('?', &cells).unwrap().with_name('?', other[0].name());
            assert_eq!(nodes(figure, &other), known);
        }
        let mirrored: Vec<Piece> = other.iter().map(Piece::mirror_image).collect();
        assert_eq!(nodes(&figure.transformed(Transform::INVERSION), &mirrored), known);
    }
    // The packings themselves are those of the set as given.
    let set = PieceSet::new("mixed", mixed.iter().rev().map(|piece| (piece.clone(), 1)));
    let problem = Problem::new(&cube, &set);
    let (packing, _) = first(&problem, Limits::default()).unwrap();
    for Placement { piece, cells } in packing.unwrap() {
        assert!(set.pieces()[piece].0.has_shape(&cells));
    }
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
