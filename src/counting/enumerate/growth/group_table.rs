//! A small group as tables: products, inverses, subgroups and what they generate.

use somacat_geometry::lattice::Transform;
use somacat_geometry::symmetry::Group;

/// A group whose elements are called by their position in T order, the identity first, and whose
/// subgroups are numbered by order, the trivial one first and the whole group last.
#[derive(Debug)]
pub(super) struct GroupTable {
    order: usize,
    /// Element a followed by element b, at a · order + b.
    products: Vec<u8>,
    inverses: Vec<u8>,
    /// For each subgroup, the number of its cosets.
    indices: Vec<u8>,
    /// The subgroup that subgroup s and element e generate, at s · order + e.
    joins: Vec<u8>,
    /// For each subgroup, its elements as a mask over positions.
    members: Vec<u64>,
}

impl GroupTable {
    pub(super) fn new(group: Group) -> Self {
        let elements: Vec<Transform> = group.iter().collect();
        let subgroups: Vec<Group> =
            Group::all().iter().copied().filter(|&g| group.contains_group(g)).collect();
        let position = |t: Transform| {
            let at = elements.iter().position(|&e| e == t);
            at.expect("a group is closed under products and inverses") as u8
        };
        let number = |g: Group| {
            let at = subgroups.iter().position(|&h| h == g);
            at.expect("what elements of a group generate is one of its subgroups") as u8
        };
        let join = |g: &Group, t: Transform| {
            if g.contains(t) {
                number(*g)
            } else {
                number(Group::generated_by(g.iter().chain([t])))
            }
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

    /// The number of elements.
    pub(super) const fn order(&self) -> usize {
        self.order
    }

    /// Element `a` followed by `b`.
    pub(super) fn then(&self, a: u8, b: u8) -> u8 {
        self.products[usize::from(a) * self.order + usize::from(b)]
    }

    pub(super) fn inverse(&self, a: u8) -> u8 {
        self.inverses[usize::from(a)]
    }

    /// The number of the whole group among the subgroups.
    pub(super) fn whole(&self) -> u8 {
        self.indices.len() as u8 - 1
    }

    /// The subgroup that a subgroup and an element generate.
    pub(super) fn join(&self, subgroup: u8, element: u8) -> u8 {
        self.joins[usize::from(subgroup) * self.order + usize::from(element)]
    }

    /// The number of cosets of a subgroup.
    pub(super) fn index(&self, subgroup: u8) -> u8 {
        self.indices[usize::from(subgroup)]
    }

    /// The elements outside a subgroup, as a mask; bits beyond the order are set too.
    pub(super) fn outside(&self, subgroup: u8) -> u64 {
        !self.members[usize::from(subgroup)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_group() {
        for &group in Group::all() {
            let table = GroupTable::new(group);
            let elements: Vec<Transform> = group.iter().collect();
            let contained = |g: &&Group| group.contains_group(**g);
            let subgroups: Vec<Group> = Group::all().iter().filter(contained).copied().collect();
            assert_eq!(subgroups.first(), Some(&Group::TRIVIAL));
            assert_eq!(subgroups[usize::from(table.whole())], group);
            for (a, &t) in (0_u8..).zip(&elements) {
                assert_eq!(elements[usize::from(table.inverse(a))], t.inverse());
                for (b, &u) in (0_u8..).zip(&elements) {
                    assert_eq!(elements[usize::from(table.then(a, b))], t.then(u));
                }
            }
            for (at, subgroup) in (0_u8..).zip(&subgroups) {
                assert_eq!(usize::from(table.index(at)) * subgroup.order(), group.order());
                for (e, &t) in (0_u8..).zip(&elements) {
                    assert_eq!(table.outside(at) >> e & 1 == 0, subgroup.contains(t));
                    let joined = subgroups[usize::from(table.join(at, e))];
                    assert!(joined.contains_group(*subgroup) && joined.contains(t));
                    let between = |h: &&Group| h.contains_group(*subgroup) && h.contains(t);
                    let least = subgroups.iter().filter(between).map(|h| h.order()).min();
                    assert_eq!(least, Some(joined.order()));
                }
            }
        }
    }
}
