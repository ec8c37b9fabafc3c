//! Hashes of sets of orbits that are compatible with translations.
//!
//! The hash of a set is a sum over its orbits, modulo 2^64: a random number for the place in the cross-section, times a
//! power of an odd base for each translation. So a growing set costs one addition per orbit. Translating the whole set
//! multiplies its hash, so sets equal up to a translation are compared after one multiplication.

use super::heights::{Height, unpack};

/// The hash and height of the image of one or several orbits. The image is under one of the setting's cosets.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImageHash {
    pub(super) hash: u64,
    /// The lowest of the heights of the orbits, or `Height::MAX` without orbits.
    pub(super) height: Height,
}

impl ImageHash {
    /// The hash of the empty set.
    pub(super) const EMPTY: Self = Self { hash: 0, height: Height::MAX };

    /// Returns the hash of the union of two sets.
    pub(super) fn plus(self, other: Self) -> Self {
        let hash = self.hash.wrapping_add(other.hash);
        Self { hash, height: self.height.min(other.height) }
    }
}

/// An odd base for each direction.
const BASES: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03, 0x8bb8_4b93_962e_acc9];

/// The powers of the bases, from −reach to reach. An odd number has an inverse modulo 2^64, so negative powers exist.
pub(super) struct Powers {
    /// For each direction, the powers in ascending order.
    table: Vec<u64>,
    reach: i32,
    directions: usize,
}

impl Powers {
    /// Computes the powers for translations by up to `reach` along each direction. Translations may be in either
    /// sense.
    pub(super) fn new(reach: i32, directions: usize) -> Self {
        let power = |base: u64, n: i32| {
            let factor = if n < 0 { reciprocal(base) } else { base };
            factor.wrapping_pow(n.unsigned_abs())
        };
        let row = |&base: &u64| (-reach..=reach).map(move |n| power(base, n));
        Self { table: BASES[..directions].iter().flat_map(row).collect(), reach, directions }
    }

    /// Returns the factor by which a translation multiplies a hash.
    fn factor(&self, times: [i32; 3]) -> u64 {
        let row = 2 * self.reach as usize + 1;
        (0..self.directions).fold(1_u64, |factor, i| {
            let at = (times[i] + self.reach) as usize;
            factor.wrapping_mul(self.table[i * row + at])
        })
    }

    /// Returns the hash of a translated orbit of the cross-section.
    pub(super) fn hash(&self, place: u32, times: [i32; 3]) -> u64 {
        scramble(u64::from(place)).wrapping_mul(self.factor(times))
    }

    /// Returns the hash of a set translated to lowest height zero.
    pub(super) fn normalize(&self, image: ImageHash) -> u64 {
        if image.height == 0 {
            return image.hash;
        }
        image.hash.wrapping_mul(self.factor(unpack(image.height).map(|n| -n)))
    }
}

/// Returns a number that looks random but follows from its argument: Splitmix64 (G. L. Steele, D. Lea, C. H. Flood,
/// 2014).
pub(super) fn scramble(place: u64) -> u64 {
    let mut z = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Returns the inverse of an odd number modulo 2^64, by Newton's iteration.
fn reciprocal(odd: u64) -> u64 {
    let step = |x: u64, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x)));
    (0..6).fold(odd, step)
}
