//! Figures: signature, group and parity, exhaustively over small polycubes and with random samples.

use crate::polycube_counts::polycube_counts;
use proptest::prelude::*;
use somacat_geometry::figure::{Equivalence, Figure, Signature};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::{Class, Group};
use std::collections::{BTreeMap, BTreeSet};

/// Returns all fixed polycubes of up to `most` cells. Adds a cell in every possible place.
///
/// Uses none of the program's canonical forms.
pub fn fixed_polycubes(most: usize) -> Vec<BTreeSet<Vec<Cell>>> {
    let mut levels = vec![BTreeSet::from([vec![Cell::new(0, 0, 0)]])];
    while levels.len() < most {
        let mut next = BTreeSet::new();
        for shape in &levels[levels.len() - 1] {
            for neighbor in shape.iter().flat_map(|c| c.neighbors()) {
                if !shape.contains(&neighbor) {
                    let mut larger = shape.clone();
                    larger.push(neighbor);
                    let corner = Cell::min_corner(&larger);
                    larger.iter_mut().for_each(|c| *c = *c - corner);
                    larger.sort_unstable();
                    next.insert(larger);
                }
            }
        }
        levels.push(next);
    }
    levels
}

/// Tries polycubes of up to eight cells, with `SOMACAT_THOROUGH=1` nine. The fixed ones are then 1,152,870.
#[test]
fn polycubes_collapse_to_the_published_numbers() {
    let most = if std::env::var_os("SOMACAT_THOROUGH").is_some() { 9 } else { 8 };
    let published = polycube_counts();
    for (at, shapes) in fixed_polycubes(most).iter().enumerate() {
        let n = at + 1;
        let mut free = BTreeMap::new();
        let mut one_sided = BTreeSet::new();
        for shape in shapes {
            let figure = Figure::new(shape.iter().copied()).unwrap();
            let canonical = figure.canonical();
            free.insert(canonical.signature, canonical.group.class());
            one_sided.insert(figure.canonical_up_to(Equivalence::Rotations).signature);
        }
        let expect = |class: &str| published[&(class.to_owned(), n)];
        assert_eq!(shapes.len() as u64, expect("fixed"));
        assert_eq!(one_sided.len() as u64, expect("one-sided"));
        assert_eq!(free.len() as u64, expect("free"));
        for class in Class::iter() {
            let found = free.values().filter(|c| **c == class).count() as u64;
            assert_eq!(found, expect(class.name()), "{n} cells, class {class}");
        }
    }
}

fn figures() -> impl Strategy<Value = Figure> {
    let near = prop::collection::btree_set((0..4_i32, 0..4_i32, 0..4_i32), 1..40);
    let wide = prop::collection::btree_set((-40..40_i32, 0..9_i32, 0..9_i32), 1..60);
    let far = prop::collection::btree_set(
        (-499_000_000..499_000_000_i32, -5..5_i32, -90_000..90_000_i32),
        1..30,
    );
    let full = prop::collection::btree_set((0..11_i32, 0..11_i32, 0..11_i32), 1..1024);
    prop_oneof![4 => near, 2 => wide, 1 => far, 1 => full].prop_map(|cells| {
        Figure::new(cells.into_iter().map(|(x, y, z)| Cell::new(x, y, z))).unwrap()
    })
}

/// Computes the group by its definition: the transforms that map the figure to itself.
fn group_by_definition(figure: &Figure) -> Group {
    let fixes = |t: &Transform| figure.transformed(*t) == *figure;
    Group::generated_by(Transform::iter().filter(fixes))
}

proptest! {
    #[test]
    fn a_signature_does_not_change_under_the_48_transforms(
        figure in figures(), t in 0..48_usize,
    ) {
        let t = Transform::from_index(t);
        let (own, image) = (figure.canonical(), figure.transformed(t).canonical());
        prop_assert_eq!(&own.signature, &image.signature);
        prop_assert_eq!(own.group, group_by_definition(&figure));
        prop_assert_eq!(own.group.conjugate(t), image.group);
        let turned = figure.transformed(t).canonical_up_to(Equivalence::Rotations);
        let same = own.group.is_chiral() && !t.is_rotation();
        prop_assert_eq!(
            turned.signature == figure.canonical_up_to(Equivalence::Rotations).signature, !same
        );
    }

    #[test]
    fn a_signature_spells_the_canonical_figure(figure in figures()) {
        let own = figure.canonical();
        let spelled = own.signature.figure().unwrap();
        prop_assert_eq!(&spelled, &figure.transformed(own.to_canonical));
        let read: Signature = own.signature.as_str().parse().unwrap();
        prop_assert_eq!(read, own.signature);
    }

    #[test]
    fn different_figures_get_different_signatures(
        figure in figures(), at in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(),
    ) {
        // One cell moves next to another: the figures differ, or are equal in a way that the loop finds.
        let mut cells = figure.cells().to_vec();
        cells.remove(at.index(figure.len()));
        prop_assume!(!cells.is_empty());
        let free = to.get(&cells).neighbors().into_iter().find(|c| !cells.contains(c));
        prop_assume!(free.is_some());
        cells.extend(free);
        let other = Figure::new(cells).unwrap();
        let equal = Transform::iter().any(|t| figure.transformed(t) == other);
        prop_assert_eq!(figure.canonical().signature == other.canonical().signature, equal);
    }

    #[test]
    fn reading_a_signature_never_panics(
        text in "[sr][0-9]{1,2}-[0-9]{0,10}x[0-9]{0,10}x[0-9]{0,10}[-.][0-9a-z]{0,40}",
    ) {
        let _ = text.parse::<Signature>();
    }
}
