//! Packings and their images under the figure's symmetries.

use super::{Placement, Problem};
use crate::lattice::{Cell, Transform};

/// The symmetries of a problem that map packings to packings.
#[derive(Clone, Debug)]
pub struct Images {
    maps: Vec<(Transform, Cell, Vec<usize>)>,
}

impl Images {
    /// The symmetries of the problem's figure; reflections only if the set is closed under them.
    #[must_use]
    pub fn of(problem: &Problem<'_>) -> Self {
        let same: Vec<usize> = (0..problem.set.pieces().len()).collect();
        let map = |t: Transform| {
            let pieces =
                if t.is_rotation() { Some(same.as_slice()) } else { problem.set.mirror_map() };
            let moved: Vec<Cell> = problem.figure.cells().iter().map(|&c| t.apply(c)).collect();
            Some((t, Cell::min_corner(&moved), pieces?.to_vec()))
        };
        Self { maps: problem.group().iter().filter_map(map).collect() }
    }

    /// Whether a packing is the least of its images, so that exactly one packing of each class is.
    #[must_use]
    pub fn is_least(&self, packing: &[Placement]) -> bool {
        let own = sorted(packing.to_vec());
        self.of_packing(packing).all(|image| own <= image)
    }

    /// Whether two packings are images of each other.
    #[must_use]
    pub fn are_images(&self, one: &[Placement], other: &[Placement]) -> bool {
        let own = sorted(other.to_vec());
        self.of_packing(one).any(|image| own == image)
    }

    /// The images of a packing, each in ascending order.
    fn of_packing(&self, packing: &[Placement]) -> impl Iterator<Item = Vec<Placement>> {
        self.maps.iter().map(move |(t, corner, pieces)| {
            let moved = |p: &Placement| {
                let mut cells: Vec<Cell> = p.cells.iter().map(|&c| t.apply(c) - *corner).collect();
                cells.sort_unstable();
                Placement { piece: pieces[p.piece], cells }
            };
            sorted(packing.iter().map(moved).collect())
        })
    }
}

fn sorted(mut packing: Vec<Placement>) -> Vec<Placement> {
    packing.sort();
    packing
}
