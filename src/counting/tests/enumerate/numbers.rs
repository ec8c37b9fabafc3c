//! Numbers of figures within their class.

use somacat_counting::enumerate::{FigureNumber, NumberError};
use somacat_geometry::figure::{Candidate, Equivalence, Figure};
use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::Class;

/// Every number of a class leads to a figure with that number. The order is that of signatures.
#[test]
fn numbers_and_figures_correspond() {
    for (class, plain, cells, figures) in [
        ("C3v", "C3v", 10, 6),
        ("C2v(face,planar)", "C2v-face-planar", 6, 6),
        ("D2d(edge axes)", "D2d-edge-axes", 8, 2),
    ] {
        let class: Class = Class::matching(class).unwrap()[0];
        let numbered =
            |position: u64| format!("{plain}-{cells}.{position}").parse::<FigureNumber>().unwrap();
        let mut last = None;
        let mut all = Vec::new();
        for position in 1..=figures {
            let signature = numbered(position).signature().unwrap();
            assert!(last.as_ref() < Some(&signature), "{signature}");
            let candidate = Candidate::new(signature.figure().unwrap(), Equivalence::Rotations);
            assert_eq!((candidate.class(), candidate.figure().len()), (class, cells));
            assert_eq!(FigureNumber::of(&candidate), Some(numbered(position)));
            last = Some(signature);
            all.push(candidate);
        }
        // Also of several figures at once, in any order.
        let several: Vec<&Candidate> = all.iter().rev().collect();
        let numbers: Vec<_> = (1..=figures).rev().map(|at| Some(numbered(at))).collect();
        assert_eq!(FigureNumber::of_all(&several), numbers);
        let beyond = NumberError::Beyond { number: numbered(figures + 1), figures };
        assert_eq!(numbered(figures + 1).signature(), Err(beyond));
    }
    let candidate = |cells: &[[i32; 3]]| {
        let figure = Figure::new(cells.iter().copied().map(Cell::from)).unwrap();
        Candidate::new(figure, Equivalence::Reflections)
    };
    // Two separate cells, and a figure without symmetry.
    let bent = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 1, 1], [3, 0, 0]];
    for figure in [&[[0, 0, 0], [2, 0, 0]][..], &bent] {
        assert_eq!(FigureNumber::of(&candidate(figure)), None);
    }
    let far: FigureNumber = "C1-27.1".parse().unwrap();
    assert!(matches!(far.signature(), Err(NumberError::TooMany { .. })));
}
