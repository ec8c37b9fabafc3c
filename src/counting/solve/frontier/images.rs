//! Replaces a set of sites by the least of its images.
//!
//! A symmetry of the cover maps the coverings of the free sites to those of its image. So the sweep continues from
//! one image only: the least as a binary number, which stays near the beginning of the sweep.

use super::cover::OrbitCover;
use crate::solve::symmetries::CellSymmetry;
use crate::solve::word::MaskWord;
use std::mem::size_of;

/// Number of symmetries whose images are computed at once, without a branch.
const BATCH_SYMMETRIES: usize = 4;

/// For each byte of a mask and each value of it, the images of these sites under some symmetries. The image of a mask
/// is the union of the images of its bytes.
type ImageTable<W> = Vec<[[W; BATCH_SYMMETRIES]; 256]>;

/// The images of sets of sites under symmetries of a cover.
#[derive(Clone, Debug)]
pub(super) struct SiteImages<W> {
    /// The tables of rotations, including the identity; empty if there is no other symmetry.
    rotations: Vec<ImageTable<W>>,
    /// The tables of reflections, which map pieces to their mirror images.
    reflections: Vec<ImageTable<W>>,
}

impl<W: MaskWord> SiteImages<W> {
    /// Builds the tables. `turn` has, for each site, its position in the sweep.
    pub(super) fn new(cover: &OrbitCover, turn: &[usize]) -> Self {
        let used = used(cover, turn);
        let tables = |improper| {
            let maps = used.iter().filter(|symmetry| symmetry.improper == improper);
            let maps: Vec<&[usize]> = maps.map(|symmetry| symmetry.map.as_slice()).collect();
            maps.chunks(BATCH_SYMMETRIES).map(|maps| table(maps, turn)).collect()
        };
        if used.len() < 2 {
            return Self { rotations: Vec::new(), reflections: Vec::new() };
        }
        Self { rotations: tables(false), reflections: tables(true) }
    }

    /// Returns an upper bound on the bytes of the tables.
    pub(super) fn bytes(cover: &OrbitCover) -> u64 {
        // Rotations and reflections each pad their last table.
        let tables = cover.symmetries.len() / BATCH_SYMMETRIES + 2;
        (tables * cover.sites.len().div_ceil(8) * size_of::<[[W; BATCH_SYMMETRIES]; 256]>()) as u64
    }

    /// Returns the least image of a set, and true for a reflection.
    #[inline(always)]
    pub(super) fn least(&self, mask: W) -> (W, bool) {
        if self.rotations.is_empty() {
            return (mask, false);
        }
        let rotated = self.rotations.iter().fold(mask, |best, table| best.min(lowest(table, mask)));
        let best = self.reflections.iter().fold(rotated, |best, t| best.min(lowest(t, mask)));
        (best, best < rotated)
    }
}

/// Returns the symmetries of the cover that do not reverse the sweep. A reversal moves the covered sites to the end
/// of the sweep, which is hardly ever the least image.
fn used<'c>(cover: &'c OrbitCover, turn: &[usize]) -> Vec<&'c CellSymmetry> {
    let half = turn.len() / 2;
    let early = |site: usize| turn[site] < half;
    let stays = |symmetry: &&CellSymmetry| {
        let staying = (0..turn.len()).filter(|&site| early(site) && early(symmetry.map[site]));
        2 * staying.count() >= half
    };
    cover.symmetries.iter().filter(stays).collect()
}

/// Builds the table of up to [`BATCH_SYMMETRIES`] maps of sites; fewer are repeated.
fn table<W: MaskWord>(maps: &[&[usize]], turn: &[usize]) -> ImageTable<W> {
    let mut table = vec![[[W::ZERO; BATCH_SYMMETRIES]; 256]; turn.len().div_ceil(8)];
    for (lane, map) in (0..BATCH_SYMMETRIES).zip(maps.iter().cycle()) {
        for (site, &at) in turn.iter().enumerate() {
            let image = W::bit(turn[map[site]]);
            let with = (0..256).filter(|byte| byte >> (at % 8) & 1 == 1);
            with.for_each(|byte| {
                let images = &mut table[at / 8][byte][lane];
                *images = *images | image;
            });
        }
    }
    table
}

/// Returns the least image of a mask under the symmetries of a table.
#[inline(always)]
fn lowest<W: MaskWord>(table: &ImageTable<W>, mask: W) -> W {
    let mut images = [W::ZERO; BATCH_SYMMETRIES];
    for (at, of_byte) in table.iter().enumerate() {
        let of = of_byte[usize::from(mask.byte(at))];
        images = std::array::from_fn(|lane| images[lane] | of[lane]);
    }
    images.into_iter().fold(images[0], W::min)
}
