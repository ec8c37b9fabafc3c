//! The solver against published counts.

#![allow(clippy::unwrap_used)] // A test that cannot go on may panic.

use somacat::figure::Figure;
use somacat::lattice::Cell;
use somacat::pieces::PieceSet;
use somacat::solve::{Limits, count};

#[test]
fn the_cube_has_11520_packings_480_up_to_rotation_240_unique() {
    let cells = (0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9));
    let cube = Figure::new(cells).unwrap();
    let report = count(&cube, &PieceSet::soma(1), Limits::default()).unwrap();
    assert_eq!((report.raw, report.rotation, report.unique), (11520, Some(480), Some(240)));
}
