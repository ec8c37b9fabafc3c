//! The second count of a question's figures.

use super::share::Check;
use rayon::prelude::*;
use somacat_catalog::EnumerationMembers;
use somacat_checking::{
    ByClass, Family, RecountError, colored_by_class, is_tower, outcomes_of_class,
};
use somacat_counting::question::{FigureFamily, Keep, family_of_key};
use somacat_geometry::figure::{Columns, Equivalence};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::collections::{BTreeMap, BTreeSet};

/// A second, independent count of a question's figures, class by class.
pub struct ClassRecount<'a> {
    pub family: Family,
    /// The pieces, if the question lists only buildable figures.
    pub built_from: Option<&'a PieceSet>,
    pub classes: Vec<Class>,
    pub equivalence: Equivalence,
}

/// Prepares a second count of the figures of a key. `None` if there is no independent method.
pub fn class_recount<'a>(key: &str, set: Option<&'a PieceSet>) -> Option<ClassRecount<'a>> {
    let of_key = family_of_key(key, set)?;
    let FigureFamily { cells, bounds, parts, towers, only_buildable, classes, equivalence } =
        of_key;
    let built_from = set.filter(|_| only_buildable);
    Some(ClassRecount {
        family: Family { cells, bounds, parts, towers },
        built_from,
        classes,
        equivalence,
    })
}

impl ClassRecount<'_> {
    /// Returns whether a figure of these columns is one that the question lists, if it is buildable.
    pub fn includes(&self, figure: &Columns) -> bool {
        let Family { cells, bounds, parts, towers } = self.family;
        figure.cells == cells
            && parts.is_none_or(|parts| figure.parts == parts)
            && fits(figure.extents, self.family)
            && self.classes.contains(&figure.class)
            && (!towers
                || bounds
                    .zip(figure.signature.figure().ok())
                    .is_some_and(|(sides, figure)| is_tower(&figure, sides)))
    }

    /// Counts the figures of each class. Of those that are not kept, also counts the ones that parity blocks.
    pub(super) fn count(&self, listed: &EnumerationMembers, check: &Check<'_>) -> ByClass {
        let set = check.sets.get(&listed.set).filter(|_| listed.keep != Keep::All);
        let (steps, stop) = (check.enumeration_steps(), Some(check.stop));
        colored_by_class(self.family, set, &self.classes, steps, stop)
    }

    /// Grows and fills the figures of each class, and collects the buildable ones.
    pub(super) fn build(
        &self,
        set: &PieceSet,
        check: &Check<'_>,
    ) -> BTreeMap<Class, Result<BTreeSet<String>, RecountError>> {
        let budget = (check.enumeration_steps(), Some(check.stop));
        let build = |class: &Class| {
            let found = outcomes_of_class(self.family, set, *class, (1, false), budget);
            (*class, found.map(|found| found.buildable))
        };
        self.classes.par_iter().map(build).collect()
    }

    /// Returns the number of distinct figures for each figure of the family.
    pub(super) fn times(&self, class: Class) -> u128 {
        let distinct = self.equivalence == Equivalence::Rotations
            && self.built_from.is_none()
            && class.groups()[0].is_chiral();
        if distinct { 2 } else { 1 }
    }
}

/// Returns whether figures with these extents fit into the boxes of a family.
pub(super) fn fits(mut extents: [u32; 3], family: Family) -> bool {
    extents.sort_unstable();
    family.bounds.is_none_or(|mut sides| {
        sides.sort_unstable();
        extents.iter().zip(sides).all(|(extent, side)| *extent <= side)
    })
}
