//! Figures of given symmetry classes, grown from sets of orbits.
//!
//! Each figure belongs to one exact class. A class has a few *settings*: a group of the class with a center, up to
//! symmetry (`setting`). For each setting the orbits of cells under the group are listed (`cross_section`, `numbering`,
//! `orbits`), sets of them are grown (`grower`), and one of the images of a figure is listed (`representative`). No
//! visited figure is stored: memory consists of one setting's orbits and the shards in progress.

mod cross_section;
mod group_table;
mod grower;
mod hashes;
mod heights;
mod numbering;
mod orbits;
mod representative;
mod sampling;
mod setting;
mod size;

use super::search::{Searches, ShardedSearch, Walker};
use grower::Grower;
use orbits::{Orbits, memory};
use sampling::Sampling;
use setting::Setting;
use size::FigureSize;
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::Class;
use std::sync::atomic::AtomicBool;

/// The settings of the classes, each with a search.
#[derive(Debug)]
pub(super) struct Growth {
    settings: Vec<Setting>,
    size: FigureSize,
    /// The transforms up to which figures are listed.
    equivalence: Equivalence,
    /// The sample to list, or `None` for all figures.
    sampling: Option<Sampling>,
}

impl Growth {
    /// Creates the searches for figures with these numbers of cells and parts. `bounds` are the sides of a box that
    /// they must fit in, required for several parts.
    pub(super) fn new(
        classes: &[Class],
        cells: usize,
        parts: usize,
        bounds: Option<[u32; 3]>,
        equivalence: Equivalence,
    ) -> Self {
        let bounds = bounds.map(|sides| {
            let mut sides = sides.map(|s| s as i16);
            sides.sort_unstable();
            sides
        });
        Self {
            settings: classes.iter().flat_map(|&class| Setting::of_class(class)).collect(),
            size: FigureSize { cells, parts, bounds },
            equivalence,
            sampling: None,
        }
    }

    /// Returns `true` if the orbits of each setting fit in `bytes`.
    pub(super) fn fits(&self, bytes: usize) -> bool {
        // Connected figures of 150 cells with at least three symmetries take less than 200 MiB.
        let may_be_large = |s: &&Setting| self.size.parts > 1 || s.group.order() < 3;
        let mut large = self.settings.iter().filter(may_be_large);
        large.all(|setting| memory(setting, &self.size, bytes) <= bytes)
    }
}

impl Searches for Growth {
    fn len(&self) -> usize {
        self.settings.len()
    }

    fn prepare(&self, at: usize, stop: &AtomicBool) -> Option<Box<dyn ShardedSearch>> {
        let setting = &self.settings[at];
        let orbits = Orbits::new(setting, &self.size, stop)?;
        let (equates, sampling) = (setting.equates(self.equivalence), self.sampling.clone());
        Some(Box::new(GrowthSearch { equates, sampling, orbits }))
    }

    fn sample(&mut self, one_in: u64, seed: u64) -> bool {
        self.sampling = Some(Sampling::new(self.size.cells, one_in, seed));
        true
    }
}

/// The search through the sets of orbits of one setting. Its depth is the number of cells placed.
struct GrowthSearch {
    orbits: Orbits,
    /// For each coset, `true` if it identifies figures with their images.
    equates: Vec<bool>,
    sampling: Option<Sampling>,
}

impl ShardedSearch for GrowthSearch {
    fn walker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Walker + 'a> {
        Box::new(Grower::new(&self.orbits, &self.equates, self.sampling.as_ref(), stop))
    }

    fn depth(&self) -> usize {
        self.orbits.size.cells
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::{MAX_ENUMERATED_CELLS, MAX_TABLE_BYTES};
    use super::*;

    #[test]
    fn connected_figures_with_three_symmetries_always_fit() {
        let size = FigureSize { cells: MAX_ENUMERATED_CELLS, parts: 1, bounds: None };
        for class in Class::iter().filter(|c| (3..=4).contains(&c.order())) {
            for setting in Setting::of_class(class) {
                let bytes = memory(&setting, &size, usize::MAX);
                assert!(bytes < MAX_TABLE_BYTES / 2, "{class}: {bytes}");
            }
        }
    }
}
