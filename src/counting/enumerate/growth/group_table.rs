//! A small group as tables of products, inverses, subgroups and joins.

use somacat_geometry::lattice::Transform;
use somacat_geometry::symmetry::Group;

/// The tables of a group. Elements are numbered in T order, the identity first. Subgroups are numbered by order,
/// the trivial one first and the whole group last.
pub(super) struct GroupTable {
    order: usize,
    /// Element a followed by element b, at a · order + b.
    products: Vec<u8>,
    inverses: Vec<u8>,
    /// For each subgroup, the number of its cosets.
    indices: Vec<u8>,
    /// The joins: subgroup s and element e generate the one at s · order + e.
    joins: Vec<u8>,
    /// For each subgroup, its elements as a mask over positions.
    members: Vec<u64>,
}

impl GroupTable {
    pub(super) fn new(group: Group) -> Self {
        let elements: Vec<Transform> = group.iter().collect();
        let subgroups: Vec<Group> =
            Group::subgroups().iter().copied().filter(|&g| group.contains_group(g)).collect();
        let position = |t: Transform| {
            let at = elements.iter().position(|&e| e == t);
            at.expect("a group is closed under products and inverses") as u8
        };
        // Subgroups are sorted by order, so these elements generate the first one that contains them all.
        let join = |g: &Group, t: Transform| {
            let at = subgroups.iter().position(|h| h.contains_group(*g) && h.contains(t));
            at.expect("what elements of a group generate is one of its subgroups") as u8
        };
        let pairs = elements.iter().flat_map(|a| elements.iter().map(move |b| a.then(*b)));
        let positions = |g: &Group| g.iter().fold(0, |mask, t| mask | 1 << position(t));
        Self {
            order: elements.len(),
            products: pairs.map(position).collect(),
            inverses: elements.iter().map(|t| position(t.inverse())).collect(),
            joins: subgroups
                .iter()
                .flat_map(|g| elements.iter().map(move |&t| join(g, t)))
                .collect(),
            members: subgroups.iter().map(positions).collect(),
            indices: subgroups.iter().map(|g| (elements.len() / g.order()) as u8).collect(),
        }
    }

    /// Returns the number of elements.
    pub(super) const fn order(&self) -> usize {
        self.order
    }

    /// Returns the product: element `a` followed by `b`.
    pub(super) fn then(&self, a: u8, b: u8) -> u8 {
        self.products[usize::from(a) * self.order + usize::from(b)]
    }

    pub(super) fn inverse(&self, a: u8) -> u8 {
        self.inverses[usize::from(a)]
    }

    /// Returns the number of the whole group among the subgroups.
    pub(super) fn whole(&self) -> u8 {
        self.indices.len() as u8 - 1
    }

    pub(super) fn join(&self, subgroup: u8, element: u8) -> u8 {
        self.joins[usize::from(subgroup) * self.order + usize::from(element)]
    }

    pub(super) fn index(&self, subgroup: u8) -> u8 {
        self.indices[usize::from(subgroup)]
    }

    /// Returns the elements outside a subgroup, as a mask. Bits beyond the order are set too.
    pub(super) fn outside(&self, subgroup: u8) -> u64 {
        !self.members[usize::from(subgroup)]
    }
}
