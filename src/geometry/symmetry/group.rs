//! The 98 symmetry groups, as 48-bit masks of transforms.

use super::Class;
use crate::lattice::Transform;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

/// A subgroup of the 48 transforms. Bit i represents T(i+1).
///
/// ```
/// use somacat_geometry::lattice::Transform;
/// use somacat_geometry::symmetry::Group;
///
/// // T3 and T5 reflect front to back and left to right; their product T7 is a half turn.
/// let group = Group::generated_by([3, 5].into_iter().filter_map(Transform::from_number));
/// assert_eq!(group.to_string(), "1 3 5 7");
/// assert_eq!(group.mask(), 0b101_0101);
/// assert_eq!(group.class().name(), "C2v(face,planar)");
/// ```
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
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    /// use somacat_geometry::symmetry::Group;
    ///
    /// // A quarter turn and a third turn generate all 24 rotations of the cube.
    /// let third = Transform::iter().find(|t| t.is_rotation() && t.order() == 3);
    /// let group = Group::generated_by(Transform::from_number(19).into_iter().chain(third));
    /// assert_eq!(group, Group::FULL.rotations());
    /// ```
    pub fn generated_by(generators: impl IntoIterator<Item = Transform>) -> Self {
        generators.into_iter().fold(Self::TRIVIAL, Self::adjoin)
    }

    /// Returns the group with this mask. The caller guarantees that the transforms form a group.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Group;
    ///
    /// let group = Group::FULL.rotations();
    /// assert_eq!(Group::from_trusted_mask(group.mask()), group);
    /// ```
    pub fn from_trusted_mask(mask: u64) -> Self {
        debug_assert!(Self::subgroups().iter().any(|g| g.0 == mask), "{mask:#x} is not a group");
        Self(mask)
    }

    /// Returns the mask: bit i is set if T(i+1) belongs to the group.
    pub const fn mask(self) -> u64 {
        self.0
    }

    /// Returns all 98 subgroups, by order.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Group;
    ///
    /// assert_eq!(Group::subgroups().len(), 98);
    /// assert_eq!(Group::subgroups().first(), Some(&Group::TRIVIAL));
    /// assert_eq!(Group::subgroups().last(), Some(&Group::FULL));
    /// ```
    pub fn subgroups() -> &'static [Self] {
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
        Transform::iter().filter(move |&t| self.contains(t))
    }

    /// Returns `true` if `transform` is an element.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    /// use somacat_geometry::symmetry::Group;
    ///
    /// assert!(Group::FULL.contains(Transform::INVERSION));
    /// assert!(!Group::FULL.rotations().contains(Transform::INVERSION));
    /// ```
    pub fn contains(self, transform: Transform) -> bool {
        self.0 >> transform.index() & 1 == 1
    }

    /// Returns `true` if every element of `other` is an element.
    ///
    /// ```
    /// use somacat_geometry::symmetry::{Class, Group};
    ///
    /// // The group of rotations contains 30 of the 98 subgroups: those without reflections.
    /// let rotations = Group::FULL.rotations();
    /// let within: Vec<&Group> = Group::subgroups().iter().filter(|g| rotations.contains_group(**g)).collect();
    /// assert_eq!(within.len(), 30);
    /// assert!(within.iter().all(|group| group.is_chiral()));
    /// ```
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
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// let chiral = Class::iter().filter(|class| class.groups()[0].is_chiral());
    /// let names: Vec<&str> = chiral.map(|class| class.name()).collect();
    /// assert_eq!(names.join(" "), "C1 C2(face) C2(edge) C3 D2(face) C4 D2(edge) D3 D4 T O");
    /// ```
    pub fn is_chiral(self) -> bool {
        self.rotation_order() == self.order()
    }

    /// Returns the orders of the elements, ascending, each once: Nungester's reading of "n-fold".
    ///
    /// ```
    /// use somacat_geometry::symmetry::{Class, Group};
    ///
    /// assert_eq!(Group::FULL.cyclic_orders(), [1, 2, 3, 4, 6]);
    /// assert_eq!(Class::matching("S4").unwrap()[0].groups()[0].cyclic_orders(), [1, 2, 4]);
    /// ```
    pub fn cyclic_orders(self) -> Vec<usize> {
        let orders: BTreeSet<usize> = self.iter().map(Transform::order).collect();
        orders.into_iter().collect()
    }

    /// Returns the conjugate t⁻¹Gt. If G is the group of a figure F, this is the group of its image F·t.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::lattice::Transform;
    ///
    /// let domino = Figure::of_box([2, 1, 1])?;
    /// for t in Transform::iter() {
    ///     let turned = domino.transformed(t);
    ///     assert_eq!(turned.canonical().group, domino.canonical().group.conjugate(t));
    /// }
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn conjugate(self, t: Transform) -> Self {
        let inverse = t.inverse();
        Self(mask_of(self.iter().map(|g| inverse.then(g).then(t))))
    }

    /// Returns the normalizer: the transforms t with t⁻¹Gt = G.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// // The number of conjugates of a group is the index of its normalizer.
    /// for class in Class::iter() {
    ///     assert_eq!(class.groups().len(), 48 / class.groups()[0].normalizer().order());
    /// }
    /// ```
    pub fn normalizer(self) -> Self {
        Self(mask_of(Transform::iter().filter(|&t| self.conjugate(t) == self)))
    }

    /// Returns the coset G·t as a mask: bit i is set if T(i+1) belongs to it.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    /// use somacat_geometry::symmetry::Group;
    ///
    /// let rotations = Group::FULL.rotations();
    /// let reflections = rotations.coset_mask(Transform::INVERSION);
    /// assert_eq!(rotations.mask() | reflections, Group::FULL.mask());
    /// ```
    pub fn coset_mask(self, t: Transform) -> u64 {
        mask_of(self.iter().map(|g| g.then(t)))
    }

    /// Returns the lowest-numbered member of each coset G·t.
    ///
    /// These are one transform for each of the 48 / order orientations of a figure with this group.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    ///
    /// // A bar of three cells lies along one of three axes.
    /// let bar = Figure::of_box([1, 1, 3])?.canonical().group;
    /// assert_eq!(bar.order(), 16);
    /// assert_eq!(bar.coset_representatives().len(), 3);
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn coset_representatives(self) -> Vec<Transform> {
        let mut covered = 0_u64;
        let mut representatives = Vec::with_capacity(48 / self.order());
        for t in Transform::iter() {
            if covered >> t.index() & 1 == 0 {
                representatives.push(t);
                covered |= self.coset_mask(t);
            }
        }
        representatives
    }

    /// Returns the class of the group, one of 33.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    ///
    /// assert_eq!(Figure::of_box([1, 1, 3])?.canonical().group.class().name(), "D4h");
    /// assert_eq!(Figure::of_box([3, 3, 3])?.canonical().group.class().name(), "Oh");
    /// assert_eq!(Figure::of_box([1, 2, 3])?.canonical().group.class().name(), "D2h(face)");
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the smallest set of transforms that contains a mask and all products of its members.
    fn closure(mut mask: u64) -> u64 {
        loop {
            let members = || Transform::iter().filter(|t| mask >> t.index() & 1 == 1);
            let larger = members().fold(mask, |all, a| all | mask_of(members().map(|b| a.then(b))));
            if larger == mask {
                return mask;
            }
            mask = larger;
        }
    }

    /// Two transforms generate the rotations of a subgroup, and one more the whole of it.
    #[test]
    fn subgroups_are_the_closures_of_up_to_three_transforms() {
        let extended = |groups: &BTreeSet<u64>| -> BTreeSet<u64> {
            let larger = groups.iter().flat_map(|&group| {
                Transform::iter()
                    .filter(move |t| group >> t.index() & 1 == 0)
                    .map(move |t| closure(group | 1 << t.index()))
            });
            groups.iter().copied().chain(larger).collect()
        };
        let cyclic = extended(&BTreeSet::from([1]));
        assert_eq!(cyclic.len(), 34);
        let three = extended(&extended(&cyclic));
        assert!(
            three.into_iter().eq(Group::subgroups().iter().map(|g| g.0).collect::<BTreeSet<_>>())
        );
    }

    #[test]
    fn subgroups_are_closed_and_contain_inverses() {
        for &group in Group::subgroups() {
            assert_eq!(closure(group.0), group.0);
            assert!(group.contains(Transform::IDENTITY));
            assert!(group.iter().all(|t| group.contains(t.inverse())));
            assert_eq!(group.iter().count(), group.order());
        }
    }

    #[test]
    fn what_two_subgroups_share_is_a_subgroup() {
        let masks: BTreeSet<u64> = Group::subgroups().iter().map(|g| g.0).collect();
        for a in Group::subgroups() {
            for b in Group::subgroups() {
                assert!(masks.contains(&(a.0 & b.0)), "{a:?} and {b:?}");
                assert_eq!(a.contains_group(*b), b.iter().all(|t| a.contains(t)));
            }
        }
    }

    #[test]
    fn cosets_partition_the_transforms() {
        for &group in Group::subgroups() {
            let mut union = 0;
            for t in group.coset_representatives() {
                let coset = group.coset_mask(t);
                assert_eq!((coset.count_ones() as usize, coset & union), (group.order(), 0));
                assert_eq!(coset.trailing_zeros() as usize, t.index(), "its lowest member");
                union |= coset;
            }
            assert_eq!(union, Group::FULL.0);
        }
    }

    #[test]
    fn half_of_a_group_with_reflections_are_rotations() {
        for group in Group::subgroups() {
            let halves = if group.is_chiral() { 1 } else { 2 };
            assert_eq!(group.rotation_order() * halves, group.order());
            assert!(Group::subgroups().contains(&group.rotations()));
        }
    }

    #[test]
    fn conjugates_of_conjugates_are_conjugates_by_products() {
        for &group in Group::subgroups() {
            assert!(group.iter().all(|t| group.conjugate(t) == group), "by an element");
            for a in Transform::iter() {
                let once = group.conjugate(a);
                assert_eq!(once.conjugate(a.inverse()), group);
                let b = Transform::from_index((7 * a.index() + 5) % 48);
                assert_eq!(once.conjugate(b), group.conjugate(a.then(b)));
            }
            assert!(group.normalizer().contains_group(group));
        }
    }
}
