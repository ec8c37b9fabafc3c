//! The search: cover the lowest free cell in every possible way.

use super::{Limits, MAX_SEARCH_CELLS, Placement, Reason, Report, SolveError, Verdict};
use crate::figure::{Figure, prefilter};
use crate::lattice::{Cell, Transform};
use crate::pieces::PieceSet;
use crate::symmetry::Group;
use std::collections::HashMap;
use std::ops::ControlFlow;

struct Option_ {
    piece: usize,
    mask: u128,
}

type Visit<'v> = dyn FnMut(&[(usize, u128)]) -> ControlFlow<()> + 'v;

struct Search<'a, 'v> {
    buckets: Vec<Vec<Option_>>,
    left: Vec<usize>,
    chosen: Vec<(usize, u128)>,
    limits: Limits<'a>,
    found: u128,
    nodes: u64,
    visit: &'v mut Visit<'v>,
}

impl Search<'_, '_> {
    fn cover(&mut self, free: u128) -> ControlFlow<()> {
        if free == 0 {
            self.found += 1;
            (self.visit)(&self.chosen)?;
            if self.limits.packings.is_some_and(|most| self.found >= most) {
                return ControlFlow::Break(());
            }
            return ControlFlow::Continue(());
        }
        let at = free.trailing_zeros() as usize;
        for index in 0..self.buckets[at].len() {
            let Option_ { piece, mask } = self.buckets[at][index];
            if mask & free == mask && self.left[piece] > 0 {
                self.nodes += 1;
                if self.limits.nodes.is_some_and(|most| self.nodes > most)
                    || self.nodes.is_multiple_of(4096) && self.limits.stopped()
                {
                    return ControlFlow::Break(());
                }
                self.left[piece] -= 1;
                self.chosen.push((piece, mask));
                let flow = self.cover(free & !mask);
                self.chosen.pop();
                self.left[piece] += 1;
                flow?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Counts all packings of `figure` with all pieces of `set`, within `limits`.
///
/// # Errors
/// If the figure has more than [`MAX_SEARCH_CELLS`] cells and parity does not already settle it.
pub fn count(figure: &Figure, set: &PieceSet, limits: Limits<'_>) -> Result<Report, SolveError> {
    visit(figure, set, limits, &mut |_| ControlFlow::Continue(()))
}

/// The same, and shows every packing to a visitor, which may stop the search.
///
/// # Errors
/// As for [`count`].
pub fn visit(
    figure: &Figure,
    set: &PieceSet,
    limits: Limits<'_>,
    visitor: &mut dyn FnMut(&[Placement]) -> ControlFlow<()>,
) -> Result<Report, SolveError> {
    if let Some(blocked) = prefilter(figure, set) {
        return Ok(Report::unsolvable(Reason::from(&blocked), 0));
    }
    let cells = figure.cells();
    if cells.len() > MAX_SEARCH_CELLS {
        return Err(SolveError::TooManyCells { cells: cells.len() });
    }
    let buckets = buckets(cells, set);
    let covered = buckets.iter().flatten().fold(0, |all, option| all | option.mask);
    let all = u128::MAX >> (128 - cells.len());
    let placed = |piece: usize| buckets.iter().flatten().any(|option| option.piece == piece);
    if covered != all || !(0..set.pieces().len()).all(placed) {
        return Ok(Report::unsolvable(Reason::NoFit, 0));
    }
    let images = images(figure, set);
    let mut weights = [0_u128; 2];
    let mut complete = true;
    let mut show = |chosen: &[(usize, u128)]| {
        for (sum, only_rotations) in weights.iter_mut().zip([true, false]) {
            let orbit = orbit_size(chosen, &images, only_rotations);
            *sum += u128::from(720_720 / orbit);
        }
        let placements: Vec<Placement> = chosen
            .iter()
            .map(|&(piece, mask)| Placement {
                piece,
                cells: (0..cells.len()).filter(|i| mask >> i & 1 == 1).map(|i| cells[i]).collect(),
            })
            .collect();
        visitor(&placements)
    };
    let mut search = Search {
        buckets,
        left: set.pieces().iter().map(|(_, count)| *count).collect(),
        chosen: Vec::new(),
        limits,
        found: 0,
        nodes: 0,
        visit: &mut show,
    };
    if search.cover(all).is_break() {
        complete = false;
    }
    let (raw, nodes) = (search.found, search.nodes);
    Ok(match (complete, raw) {
        (true, 0) => Report::unsolvable(Reason::Exhausted, nodes),
        (true, _) => Report {
            verdict: Verdict::Counted,
            reason: None,
            raw,
            rotation: Some(weights[0] / 720_720),
            unique: Some(weights[1] / 720_720),
            nodes,
        },
        (false, _) => Report {
            verdict: if raw > 0 { Verdict::Solvable } else { Verdict::Unknown },
            reason: None,
            raw,
            rotation: None,
            unique: None,
            nodes,
        },
    })
}

fn buckets(cells: &[Cell], set: &PieceSet) -> Vec<Vec<Option_>> {
    let index: HashMap<Cell, usize> = cells.iter().copied().zip(0..).collect();
    let mut buckets: Vec<Vec<Option_>> = cells.iter().map(|_| Vec::new()).collect();
    for (piece, (shape, _)) in set.pieces().iter().enumerate() {
        for orientation in shape.orientations() {
            for (at, &cell) in cells.iter().enumerate() {
                let place = |&c: &Cell| index.get(&(c - orientation[0] + cell));
                let mask = orientation
                    .iter()
                    .map(place)
                    .try_fold(0_u128, |mask, at| at.map(|at| mask | 1 << at));
                if let Some(mask) = mask {
                    buckets[at].push(Option_ { piece, mask });
                }
            }
        }
    }
    buckets
}

/// For each usable element of the figure's group: is it a rotation, where cells go, what pieces
/// become.
fn images(figure: &Figure, set: &PieceSet) -> Vec<(bool, Vec<usize>, Vec<usize>)> {
    let group: Group = figure.canonical().group;
    let same: Vec<usize> = (0..set.pieces().len()).collect();
    let mirrored = set.mirror_map().map(<[usize]>::to_vec);
    let image = |t: Transform| {
        let pieces = if t.is_rotation() { Some(same.clone()) } else { mirrored.clone() }?;
        let moved: Vec<Cell> = figure.cells().iter().map(|&c| t.apply(c)).collect();
        let corner = Cell::min_corner(&moved);
        let to = moved.iter().map(|&c| figure.cells().binary_search(&(c - corner)).ok());
        Some((t.is_rotation(), to.collect::<Option<Vec<usize>>>()?, pieces))
    };
    group.iter().filter_map(image).collect()
}

fn orbit_size(
    chosen: &[(usize, u128)],
    images: &[(bool, Vec<usize>, Vec<usize>)],
    only_rotations: bool,
) -> u64 {
    let mut seen: Vec<Vec<(usize, u128)>> = images
        .iter()
        .filter(|(rotation, ..)| *rotation || !only_rotations)
        .map(|(_, cells, pieces)| {
            let moved = |mask: u128| {
                (0..cells.len()).filter(|i| mask >> i & 1 == 1).fold(0, |m, i| m | 1 << cells[i])
            };
            let mut image: Vec<(usize, u128)> =
                chosen.iter().map(|&(piece, mask)| (pieces[piece], moved(mask))).collect();
            image.sort_unstable();
            image
        })
        .collect();
    seen.sort_unstable();
    seen.dedup();
    seen.len() as u64
}
