//! Placements of each piece up to symmetry, the packings using them, and what the colors say about them.

use crate::cell_placements::placements;
use crate::solve::{Limits, PackingSymmetries, Placement, Problem, SolveError, visit};
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::Report;
use somacat_geometry::pieces::PieceSet;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Placements of a piece that the figure's symmetries map to each other.
///
/// ```
/// use somacat_counting::places::places;
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // Dominoes lie on the twelve edges of a cube of side 2, which its symmetries map to each other.
/// let (cube, dominoes) = (Figure::of_box([2, 2, 2])?, parse_set("D4")?);
/// let found = places(&Problem::new(&cube, &dominoes), Limits::default())?;
/// assert_eq!(found.orbits.len(), 1);
/// assert_eq!((found.orbits[0].placements, found.orbits[0].packings), (12, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceOrbit {
    /// The first of the placements.
    pub first: Placement,
    /// The number of placements.
    pub placements: usize,
    /// The number of raw packings that use at least one of them.
    pub packings: u64,
}

/// All placements of all pieces.
///
/// See [`places`] for an example.
#[derive(Clone, Debug)]
pub struct PlaceOrbits {
    /// The orbits, by piece and first placement.
    pub orbits: Vec<PlaceOrbit>,
    /// The count of all packings.
    pub report: Report,
}

impl PlaceOrbits {
    /// Numbers the orbits of each piece from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &PlaceOrbit)> {
        let by_piece = self.orbits.chunk_by(|a, b| a.first.piece == b.first.piece);
        by_piece.flat_map(|orbits| (1..).zip(orbits))
    }

    /// Returns the `most` orbits of each piece that packings use most, with their numbers.
    pub fn most_used(&self, most: usize) -> impl Iterator<Item = (usize, &PlaceOrbit)> {
        let mut all: Vec<(usize, &PlaceOrbit)> = self.numbered().collect();
        all.sort_by_key(|(number, orbit)| (orbit.first.piece, Reverse(orbit.packings), *number));
        let (mut piece, mut listed) = (usize::MAX, 0);
        all.retain(|(_, orbit)| {
            listed = if orbit.first.piece == piece { listed + 1 } else { 1 };
            piece = orbit.first.piece;
            listed <= most
        });
        all.into_iter()
    }
}

/// Lists the placements of each piece up to symmetry. Counts the packings that use them.
///
/// The numbers of packings are lower bounds if the report is not exact.
///
/// ```
/// use somacat_counting::places::places;
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// // T lies in the cube in four ways up to symmetry, and only one of them is part of a packing.
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let found = places(&Problem::new(&cube, &soma), Limits::default())?;
/// let of_t = found.orbits.iter().filter(|orbit| orbit.first.piece == 2);
/// let packings: Vec<(usize, u64)> = of_t.map(|orbit| (orbit.placements, orbit.packings)).collect();
/// assert_eq!(packings, [(24, 11_520), (24, 0), (12, 0), (12, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails like [`crate::solve::count`].
pub fn places(problem: &Problem<'_>, limits: Limits<'_>) -> Result<PlaceOrbits, SolveError> {
    let (figure, symmetries) = (problem.figure(), PackingSymmetries::of(problem));
    let mut orbits: Vec<PlaceOrbit> = Vec::new();
    let mut orbit_of: FxHashMap<Placement, usize> = FxHashMap::default();
    let all = placements(problem).into_iter().map(|placement| Placement {
        piece: placement.piece,
        cells: placement.cells.iter().map(|&at| figure.cells()[at]).collect(),
    });
    for first in all.collect::<BTreeSet<_>>() {
        if orbit_of.contains_key(&first) {
            continue;
        }
        // A reflection may turn a piece into another one, whose placements have their own orbits.
        let own = symmetries.images(&first).filter(|image| image.piece == first.piece);
        let own: BTreeSet<Placement> = own.collect();
        let placements = own.len();
        orbit_of.extend(own.into_iter().map(|image| (image, orbits.len())));
        orbits.push(PlaceOrbit { first, placements, packings: 0 });
    }
    let mut used = Vec::new();
    let report = visit(problem, limits, &mut |packing| {
        used.clear();
        used.extend(packing.iter().filter_map(|placement| orbit_of.get(placement)));
        used.sort_unstable();
        used.dedup();
        used.iter().for_each(|&&orbit| orbits[orbit].packings += 1);
        ControlFlow::Continue(())
    })?;
    Ok(PlaceOrbits { orbits, report })
}

/// A consequence of the checkerboard coloring for a connected figure's pieces.
///
/// The pieces' color differences, with signs, add up to that of the figure. What all solutions have in common is a
/// consequence. Black is the color of more cells of the figure.
///
/// See [`color_rules`] for an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ColorRule {
    /// Numbers of black and white cells in each copy of a piece.
    Cells {
        /// Position in the set.
        piece: usize,
        /// The number of black cells.
        black: usize,
        /// The number of white cells.
        white: usize,
    },
    /// Two pieces whose majority colors are always equal or always different.
    Pair {
        /// Positions in the set.
        pieces: [usize; 2],
        /// `true` for the same color.
        same: bool,
    },
}

/// The most pieces of unequal colors for which [`color_rules`] tries all signs.
const MAX_SIGNED_PIECES: usize = 16;

/// Returns the consequences of the coloring for the pieces that cover more cells of one color than of the other.
///
/// The list is empty for figures of several parts, whose colors can be exchanged part by part. It is also empty for
/// sets without a solution of the coloring, or with more than 16 such pieces.
///
/// In the cube, V covers two cells of the color of the corners, and T and P have their majorities on different colors:
///
/// ```
/// use somacat_counting::places::{ColorRule, color_rules};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::PieceSet;
///
/// let cube = Figure::new((0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9)))?;
/// let soma = PieceSet::soma(1);
/// let at = |letter| soma.pieces().iter().position(|(piece, _)| piece.letter() == letter);
/// let [v, t, p] = ['V', 'T', 'P'].map(|letter| at(letter).expect("a piece of SOMA"));
/// let rules = color_rules(&cube, &soma);
/// assert!(rules.contains(&ColorRule::Cells { piece: v, black: 2, white: 1 }));
/// assert!(rules.contains(&ColorRule::Pair { pieces: [t, p], same: false }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn color_rules(figure: &Figure, set: &PieceSet) -> Vec<ColorRule> {
    let difference = figure.color_difference().unsigned_abs() as i32;
    let copies = |(at, (piece, count)): (usize, &(_, usize))| {
        let piece: &somacat_geometry::pieces::Piece = piece;
        vec![(at, piece.color_difference() as i32); *count]
    };
    let pieces: Vec<(usize, i32)> =
        set.pieces().iter().enumerate().flat_map(copies).filter(|(_, d)| *d > 0).collect();
    if figure.parts().len() > 1 || pieces.len() > MAX_SIGNED_PIECES {
        return Vec::new();
    }
    let sum = |signs: u32| {
        let signed =
            |(at, (_, d)): (usize, &(usize, i32))| if signs >> at & 1 == 1 { *d } else { -d };
        pieces.iter().enumerate().map(signed).sum::<i32>()
    };
    let possible: Vec<u32> =
        (0..1 << pieces.len()).filter(|&signs| sum(signs) == difference).collect();
    if possible.is_empty() {
        return Vec::new();
    }
    let always = |test: &dyn Fn(u32) -> bool| possible.iter().all(|&signs| test(signs));
    let forced =
        |at: usize| [true, false].into_iter().find(|&s| always(&|all| (all >> at & 1 == 1) == s));
    let mut rules = Vec::new();
    for (at, &(piece, d)) in pieces.iter().enumerate() {
        let repeated = at > 0 && pieces[at - 1].0 == piece;
        if let (Some(positive), false) = (forced(at), repeated) {
            let size = set.pieces()[piece].0.size();
            let more = (size + d as usize) / 2;
            let [black, white] = if positive { [more, size - more] } else { [size - more, more] };
            rules.push(ColorRule::Cells { piece, black, white });
        }
    }
    for one in 0..pieces.len() {
        for other in one + 1..pieces.len() {
            let differ = |signs: u32| signs >> one & 1 != signs >> other & 1;
            let same =
                [true, false].into_iter().find(|&same| always(&|signs| differ(signs) != same));
            if let (Some(same), None, None) = (same, forced(one), forced(other)) {
                rules.push(ColorRule::Pair { pieces: [pieces[one].0, pieces[other].0], same });
            }
        }
    }
    rules
}
