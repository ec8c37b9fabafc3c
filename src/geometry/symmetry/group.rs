//! The 98 symmetry groups, as 48-bit masks of transforms.

use super::Class;
use crate::lattice::Transform;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

/// A subgroup of the 48 transforms. Bit i represents T(i+1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(u64);

/// The proper rotations, as a mask.
const ROTATIONS: u64 = {
    let (mut mask, mut index) = (0, 0);
    while index < 48 {
        mask |= (Transform::from_index(index).is_rotation() as u64) << index;
        index += 1;
    }
    mask
};

static SUBGROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    // Adjoining one element to a smaller subgroup reaches every subgroup. All elements of a coset give the same one.
    let mut all = BTreeSet::from([Group::TRIVIAL]);
    let mut fresh = vec![Group::TRIVIAL];
    while let Some(group) = fresh.pop() {
        for extra in group.coset_representatives() {
            let larger = group.adjoin(extra);
            if all.insert(larger) {
                fresh.push(larger);
            }
        }
    }
    let mut all: Vec<Group> = all.into_iter().collect();
    all.sort_by_key(|g| (g.order(), g.0));
    all
});

impl Group {
    /// The group of T1 alone.
    pub const TRIVIAL: Self = Self(1);
    /// All 48 transforms.
    pub const FULL: Self = Self((1 << 48) - 1);

    /// Returns the smallest group that contains all `generators`.
    pub fn generated_by(generators: impl IntoIterator<Item = Transform>) -> Self {
        generators.into_iter().fold(Self::TRIVIAL, Self::adjoin)
    }

    /// Returns the group with this mask. The caller guarantees that the transforms form a group.
    pub fn from_trusted_mask(mask: u64) -> Self {
        debug_assert!(Self::all().iter().any(|g| g.0 == mask), "{mask:#x} is not a group");
        Self(mask)
    }

    /// Returns the mask: bit i is set if T(i+1) belongs to the group.
    pub const fn mask(self) -> u64 {
        self.0
    }

    /// Returns all 98 subgroups, by order.
    pub fn all() -> &'static [Self] {
        &SUBGROUPS
    }

    /// Returns the smallest group that contains this group G and `extra`. Dimino's algorithm adds it coset by
    /// coset: if the new group has a coset Gx, it has Gxg for each generator g, and no other cosets. The cost is
    /// one product for each new element and for each generator of each coset.
    fn adjoin(self, extra: Transform) -> Self {
        let elements: Vec<Transform> = self.iter().collect();
        let mut group = self;
        let mut cosets = vec![Transform::IDENTITY];
        let mut at = 0;
        while let Some(&coset) = cosets.get(at) {
            at += 1;
            for &generator in elements.iter().chain([&extra]) {
                let next = coset.then(generator);
                if !group.contains(next) {
                    cosets.push(next);
                    group.0 |= mask_of(elements.iter().map(|g| g.then(next)));
                }
            }
        }
        group
    }

    /// Iterates over the elements, T1 to T48.
    pub fn iter(self) -> impl Iterator<Item = Transform> + Clone {
        Transform::all().filter(move |&t| self.contains(t))
    }

    /// Returns `true` if `transform` is an element.
    pub fn contains(self, transform: Transform) -> bool {
        self.0 >> transform.index() & 1 == 1
    }

    /// Returns `true` if every element of `other` is an element.
    pub const fn contains_group(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the number of elements: Allen's reading of "n-fold".
    pub const fn order(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the subgroup of proper rotations.
    pub fn rotations(self) -> Self {
        Self(self.0 & ROTATIONS)
    }

    /// Returns the number of proper rotations.
    pub fn rotation_order(self) -> usize {
        self.rotations().order()
    }

    /// Returns `true` if no element is a reflection or roto-reflection.
    ///
    /// A figure with such a group differs from its mirror image.
    pub fn is_chiral(self) -> bool {
        self.rotation_order() == self.order()
    }

    /// Returns the orders of the elements, ascending, each once: Nungester's reading of "n-fold".
    pub fn cyclic_orders(self) -> Vec<usize> {
        let orders: BTreeSet<usize> = self.iter().map(Transform::order).collect();
        orders.into_iter().collect()
    }

    /// Returns the conjugate t⁻¹Gt. If G is the group of a figure F, this is the group of its image F·t.
    pub fn conjugate(self, t: Transform) -> Self {
        let inverse = t.inverse();
        Self(mask_of(self.iter().map(|g| inverse.then(g).then(t))))
    }

    /// Returns the normalizer: the transforms t with t⁻¹Gt = G.
    pub fn normalizer(self) -> Self {
        Self(mask_of(Transform::all().filter(|&t| self.conjugate(t) == self)))
    }

    /// Returns the coset G·t as a mask: bit i is set if T(i+1) belongs to it.
    pub fn coset_mask(self, t: Transform) -> u64 {
        mask_of(self.iter().map(|g| g.then(t)))
    }

    /// Returns the lowest-numbered member of each coset G·t.
    ///
    /// These are one transform for each of the 48 / order orientations of a figure with this group.
    pub fn coset_representatives(self) -> Vec<Transform> {
        let mut covered = 0_u64;
        let mut representatives = Vec::with_capacity(48 / self.order());
        for t in Transform::all() {
            if covered >> t.index() & 1 == 0 {
                representatives.push(t);
                covered |= self.coset_mask(t);
            }
        }
        representatives
    }

    /// Returns the class of the group, one of 33.
    pub fn class(self) -> Class {
        Class::of(self)
    }
}

fn mask_of(transforms: impl IntoIterator<Item = Transform>) -> u64 {
    transforms.into_iter().fold(0, |mask, t| mask | 1 << t.index())
}

impl fmt::Display for Group {
    /// Writes the element numbers as the article lists them: `1 2 7 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.iter().map(|t| t.number().to_string()).collect();
        f.write_str(&numbers.join(" "))
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({self})")
    }
}
