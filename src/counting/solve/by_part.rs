//! Counts packings up to moving each part of the figure by itself.
//!
//! Two packings are equivalent if separate moves of the parts turn one into the other: rotations, reflections, and
//! swaps of parts of equal shape. The pieces must remain those of the set. The key of a packing is the least
//! packing equivalent to it, so equivalent packings have equal keys. All keys are held in memory, which limits this
//! to figures with a few million packings.
//!
//! To find the key, each part takes its least image under the 24 rotations, or, if it is mirrored, under the 24
//! reflections. Every choice of parts to mirror is tried that leaves the number of each piece as it is: A becomes B, so
//! as many B as A must be mirrored. The parts are sorted, since parts of equal shape can be swapped.

use super::error::MAX_PARTS;
use super::{Limits, Placement, Problem, SolveError, visit};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::PieceSet;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

/// The packing of one part: its cells in order, each with its piece and that piece's first cell.
type PartKey = Vec<(Cell, usize, Cell)>;

/// Counts the packings up to moving each part by itself. Returns `None` if a limit comes first.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, count, unique_by_part};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::parse_set;
///
/// // Two squares of four cells, far apart, each filled by two dominoes in two ways: alike, after turning one of them.
/// let square = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]].map(Cell::from);
/// let figure = Figure::new(square.into_iter().chain(square.map(|c| c + Cell::new(9, 0, 0))))?;
/// let dominoes = parse_set("D4")?;
/// let whole = count(&Problem::new(&figure, &dominoes), Limits::default())?.outcome.unique();
/// assert_eq!(whole, Some(3));
/// assert_eq!(unique_by_part(&figure, &dominoes, Limits::default())?, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails like [`super::count`], or if the figure has more than 16 parts.
pub fn unique_by_part(
    figure: &Figure,
    set: &PieceSet,
    limits: Limits<'_>,
) -> Result<Option<u128>, SolveError> {
    let parts = figure.parts();
    if parts.len() > MAX_PARTS {
        return Err(SolveError::TooManyParts(parts.len()));
    }
    let part_of: HashMap<Cell, usize> = parts
        .iter()
        .enumerate()
        .flat_map(|(at, part)| part.iter().map(move |&c| (c, at)))
        .collect();
    let mut keys = BTreeSet::new();
    let report = visit(&Problem::new(figure, set), limits, &mut |packing| {
        keys.insert(packing_key(packing, parts.len(), &part_of, set));
        ControlFlow::Continue(())
    })?;
    Ok(report.outcome.is_exact().then_some(keys.len() as u128))
}

/// Returns the key of a packing: the packings of its parts, sorted.
fn packing_key(
    packing: &[Placement],
    parts: usize,
    part_of: &HashMap<Cell, usize>,
    set: &PieceSet,
) -> Vec<PartKey> {
    let mut by_part: Vec<Vec<&Placement>> = vec![Vec::new(); parts];
    for placement in packing {
        by_part[part_of[&placement.cells[0]]].push(placement);
    }
    let same: Vec<usize> = (0..set.pieces().len()).collect();
    let straight: Vec<PartKey> = by_part.iter().map(|part| part_key(part, &same, true)).collect();
    let Some(mirror) = set.mirror_map() else { return sorted(straight) };
    let mirrored: Vec<PartKey> = by_part.iter().map(|part| part_key(part, mirror, false)).collect();
    // The change in the number of pieces of each kind when a part is mirrored.
    let change = |part: &[&Placement]| -> Vec<i64> {
        let mut change = vec![0; mirror.len()];
        for placement in part {
            change[placement.piece] -= 1;
            change[mirror[placement.piece]] += 1;
        }
        change
    };
    let changes: Vec<Vec<i64>> = by_part.iter().map(|part| change(part)).collect();
    let choices = (0..1_u64 << parts).filter(|choice| {
        (0..mirror.len()).all(|kind| {
            changes
                .iter()
                .enumerate()
                .map(|(at, c)| if choice >> at & 1 == 1 { c[kind] } else { 0 })
                .sum::<i64>()
                == 0
        })
    });
    let image = |choice: u64| {
        let pick = |at: usize| if choice >> at & 1 == 1 { &mirrored[at] } else { &straight[at] };
        sorted((0..parts).map(|at| pick(at).clone()).collect())
    };
    choices.map(image).min().expect("to mirror no part is one of the choices")
}

fn sorted(mut keys: Vec<PartKey>) -> Vec<PartKey> {
    keys.sort_unstable();
    keys
}

/// Returns the least image of a part's packing. It is the least under rotations if `proper`, else under
/// reflections. `rename` maps each piece to its image.
fn part_key(part: &[&Placement], rename: &[usize], proper: bool) -> PartKey {
    let image = |t: Transform| {
        let moved = |p: &&Placement| -> (usize, Vec<Cell>) {
            (rename[p.piece], p.cells.iter().map(|&c| t.apply(c)).collect())
        };
        let pieces: Vec<(usize, Vec<Cell>)> = part.iter().map(moved).collect();
        let all: Vec<Cell> = pieces.iter().flat_map(|(_, cells)| cells.iter().copied()).collect();
        let corner = Cell::min_corner(&all);
        let mut key: PartKey = Vec::with_capacity(all.len());
        for (piece, cells) in pieces {
            let first = cells.iter().copied().min().expect("a piece has cells") - corner;
            key.extend(cells.into_iter().map(|c| (c - corner, piece, first)));
        }
        key.sort_unstable();
        key
    };
    let transforms = Transform::iter().filter(|t| t.is_rotation() == proper);
    transforms.map(image).min().expect("there are 24 transforms of either kind")
}
