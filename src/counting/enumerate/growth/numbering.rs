//! The numbering of orbits: by size, then by translations, then by place in the cross-section.
//!
//! Translations do not change the order, so requiring the lowest orbit in the cross-section fixes the position of a
//! figure. Small orbits come first because figures with one become connected sooner. With an odd number of cells
//! and a 2-group, every search starts at a cell that the whole group fixes.

use std::ops::Range;

/// The numbering of the orbits of a setting.
pub(super) struct Numbering {
    /// The most translations along each direction, in either sense.
    reach: [i32; 3],
    /// The tiers, by ascending size of their orbits.
    tiers: Vec<Tier>,
    /// For each place in the cross-section, its tier.
    tier_of: Vec<usize>,
}

/// The orbits of one size.
pub(super) struct Tier {
    /// Their places in the cross-section.
    pub(super) places: Range<usize>,
    /// The number of the first of them, translated or not.
    first: usize,
}

impl Numbering {
    /// Creates the numbering for translations up to `reach`. `sizes` are ascending, one for each place.
    pub(super) fn new(reach: [i32; 3], sizes: impl Iterator<Item = usize>) -> Self {
        let rows = rows(reach);
        let (mut tiers, mut tier_of) = (Vec::<Tier>::new(), Vec::new());
        let mut last = 0;
        for (place, size) in sizes.enumerate() {
            if size != last {
                tiers.push(Tier { places: place..place, first: place * rows });
                last = size;
            }
            let at = tiers.len() - 1;
            tiers[at].places.end = place + 1;
            tier_of.push(at);
        }
        Self { reach, tiers, tier_of }
    }

    /// Returns the number of orbits.
    pub(super) fn len(&self) -> usize {
        rows(self.reach) * self.tier_of.len()
    }

    pub(super) fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    /// Iterates over all translations, in the order in which they are numbered.
    pub(super) fn all_times(&self) -> impl Iterator<Item = [i32; 3]> + use<> {
        let [a, b, c] = self.reach.map(|r| -r..=r);
        a.flat_map(move |x| {
            let c = c.clone();
            b.clone().flat_map(move |y| c.clone().map(move |z| [x, y, z]))
        })
    }

    /// Returns the numbers of a tier's orbits after translations, which must be within reach.
    pub(super) fn row(&self, tier: &Tier, times: [i32; 3]) -> Range<u32> {
        let digit = |at: usize, i: usize| {
            at * (2 * self.reach[i] + 1) as usize + (times[i] + self.reach[i]) as usize
        };
        let first = tier.first + (0..3).fold(0, digit) * tier.places.len();
        first as u32..(first + tier.places.len()) as u32
    }

    /// Returns the number of an orbit, if it is within reach.
    pub(super) fn number(&self, times: [i32; 3], place: u32) -> Option<u32> {
        let inside = (0..3).all(|i| times[i].abs() <= self.reach[i]);
        let tier = &self.tiers[self.tier_of[place as usize]];
        inside.then(|| self.row(tier, times).start + place - tier.places.start as u32)
    }
}

/// Returns the number of different translations within reach.
pub(super) fn rows(reach: [i32; 3]) -> usize {
    reach.iter().map(|&r| 2 * r as usize + 1).product()
}
