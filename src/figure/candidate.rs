//! A figure on its way into an answer: recognized once, whatever asks for it afterwards.

use super::{Canonical, Figure, Identity, Signature};
use crate::lattice::{Transform, part_count};
use crate::symmetry::{Class, Group};
use std::sync::OnceLock;

/// A figure as it lies, with its symmetry group and, from the first time they are asked for, its canonical
/// form and the other columns of a catalog.
///
/// A reader makes one with [`Candidate::new`]. An enumerator, which knows the group of each figure that it
/// lists, makes one with [`Candidate::with_group`]; the canonical form is then worked out only for figures
/// that somebody keeps.
#[derive(Clone, Debug)]
pub struct Candidate {
    figure: Figure,
    group: Group,
    identity: Identity,
    columns: OnceLock<Columns>,
}

/// What a catalog tells of a figure, whatever pieces it is built from.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Columns {
    /// The canonical form.
    pub signature: Signature,
    /// A transform that takes the figure, as it lies, to its canonical form: the lowest-numbered one.
    pub to_canonical: Transform,
    /// The number of cells.
    pub cells: usize,
    /// The extents of its box, ascending.
    pub extents: [u32; 3],
    /// The symmetry class.
    pub class: Class,
    /// |black − white| of the checkered figure.
    pub parity: u32,
    /// The number of separate parts.
    pub parts: usize,
}

impl Candidate {
    /// Recognizes a figure, which is to be told apart from others up to the transforms of `identity`.
    #[must_use]
    pub fn new(figure: Figure, identity: Identity) -> Self {
        let full = figure.canonical();
        let group = full.group;
        let form = match identity {
            Identity::Reflections => full,
            Identity::Rotations => figure.canonical_up_to(identity),
        };
        let columns = OnceLock::from(Columns::new(&figure, group, form));
        Self { figure, group, identity, columns }
    }

    /// The same for a caller who knows the figure's group, as it lies, among all 48 transforms.
    #[must_use]
    pub fn with_group(figure: Figure, group: Group, identity: Identity) -> Self {
        debug_assert_eq!(figure.canonical().group, group, "the group of {figure:?}");
        Self { figure, group, identity, columns: OnceLock::new() }
    }

    /// The figure as it lies.
    #[must_use]
    pub const fn figure(&self) -> &Figure {
        &self.figure
    }

    /// How it is told apart from other figures.
    #[must_use]
    pub const fn identity(&self) -> Identity {
        self.identity
    }

    /// All transforms that map the figure, as it lies, to itself.
    #[must_use]
    pub const fn group(&self) -> Group {
        self.group
    }

    /// The class of the group.
    #[must_use]
    pub fn class(&self) -> Class {
        self.group.class()
    }

    /// The columns, worked out at the first call.
    pub fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| {
            let form = self.figure.canonical_up_to(self.identity);
            Columns::new(&self.figure, self.group, form)
        })
    }

    /// The figure in its canonical position, with its group as it lies there. What is counted so takes the same
    /// nodes however the figure was met.
    #[must_use]
    pub fn canonical(&self) -> (Figure, Group) {
        let t = self.columns().to_canonical;
        (self.figure.transformed(t), self.group.conjugate(t))
    }

    /// The canonical form.
    pub fn signature(&self) -> &Signature {
        &self.columns().signature
    }
}

impl Columns {
    fn new(figure: &Figure, group: Group, form: Canonical) -> Self {
        let mut extents = figure.extents();
        extents.sort_unstable();
        Self {
            signature: form.signature,
            to_canonical: form.to_canonical,
            cells: figure.len(),
            extents,
            class: group.class(),
            parity: figure.color_difference().unsigned_abs(),
            parts: part_count(figure.cells()),
        }
    }
}
