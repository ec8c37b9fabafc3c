//! The places of pieces.

use crate::support::figures::boxed;
use somacat_counting::places::places;
use somacat_counting::solve::{Limits, Problem, visit};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform, moved_to_origin};
use somacat_geometry::pieces::{PieceSet, parse_set};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Places in a small box equal those of a search without symmetry.
#[test]
fn places_equal_those_of_brute_force() {
    let figure = boxed([2, 3, 4]);
    // A set with pairs of mirror images and equal pieces, and one without.
    for text in ["L T2 Z A B", "L2 T Z A P"] {
        let set = parse_set(text).unwrap();
        let problem = Problem::new(&figure, &set);
        let found = places(&problem, Limits::default()).unwrap();
        let mut packings: Vec<Vec<(usize, Vec<Cell>)>> = Vec::new();
        let _ = visit(&problem, Limits::default(), &mut |packing| {
            packings.push(packing.iter().map(|p| (p.piece, p.cells.clone())).collect());
            ControlFlow::Continue(())
        });
        assert!(packings.len() > 10, "{text}");
        let total: usize = found.orbits.iter().map(|orbit| orbit.placements).sum();
        assert_eq!(total, brute_force_placements(&figure, &set), "{text}");
        let reflected = text.contains('B');
        for orbit in &found.orbits {
            let piece = &set.pieces()[orbit.first.piece].0;
            let maps = Transform::iter().filter(|t| t.is_rotation() || reflected);
            let maps = maps.filter(|&t| figure.transformed(t) == figure);
            let image = |t: Transform| {
                let corner = Cell::min_corner(
                    &figure.cells().iter().map(|&c| t.apply(c)).collect::<Vec<_>>(),
                );
                let mut cells: Vec<Cell> =
                    orbit.first.cells.iter().map(|&c| t.apply(c) - corner).collect();
                cells.sort_unstable();
                cells
            };
            let images: BTreeSet<Vec<Cell>> =
                maps.map(image).filter(|cells| piece.has_shape(cells)).collect();
            assert_eq!(orbit.placements, images.len(), "{text}: {orbit:?}");
            let uses = |packing: &&Vec<(usize, Vec<Cell>)>| {
                packing.iter().any(|(at, cells)| *at == orbit.first.piece && images.contains(cells))
            };
            let packings = packings.iter().filter(uses).count() as u64;
            assert_eq!(orbit.packings, packings, "{text}: {orbit:?}");
        }
    }
}

/// Tries every subset of the figure's cells.
fn brute_force_placements(figure: &Figure, set: &PieceSet) -> usize {
    let cells = figure.cells();
    let mut number = 0;
    for (piece, _) in set.pieces() {
        let shapes: BTreeSet<Vec<Cell>> = piece.orientations().into_iter().collect();
        number += (0_u32..1 << cells.len())
            .filter(|bits| bits.count_ones() as usize == piece.size())
            .filter(|bits| {
                let chosen = cells.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
                shapes.contains(&moved_to_origin(chosen.map(|(_, &cell)| cell).collect()))
            })
            .count();
    }
    number
}
