//! Enumerations as plans and the command line ask for them.

use crate::enumerate::{
    BoxSpec, Boxes, EnumerateError, Found, Place, Sampled, Symmetric, SymmetricSpec, Tally,
};
use crate::symmetry::{Class, ParseClassError};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A question that the program answers with figures of its own.
#[derive(Clone, Debug)]
pub enum Enumeration {
    /// Every figure of a symmetry.
    Symmetric(Arc<Symmetric>, SymmetricSpec),
    /// Every figure in a box.
    Box(Arc<Boxes>, BoxSpec),
}

impl Enumeration {
    /// Prepares to enumerate symmetric figures.
    ///
    /// # Errors
    /// If the question makes no sense or would have no end.
    pub fn symmetric(spec: SymmetricSpec) -> Result<Self, EnumerateError> {
        Ok(Self::Symmetric(Arc::new(Symmetric::new(&spec)?), spec))
    }

    /// Prepares to enumerate figures in a box.
    ///
    /// # Errors
    /// If the box or the number of cells makes no sense.
    pub fn in_box(spec: BoxSpec) -> Result<Self, EnumerateError> {
        Ok(Self::Box(Arc::new(Boxes::new(&spec)?), spec))
    }

    /// The number of cells of each figure.
    #[must_use]
    pub const fn cells(&self) -> usize {
        match self {
            Self::Symmetric(_, spec) => spec.cells,
            Self::Box(_, spec) => spec.cells,
        }
    }

    /// Shows what `map` makes of each figure after `from`, in the order of the figures, until
    /// `stop` or `emit` ends it.
    pub fn for_each_mapped<T: Send>(
        &self,
        from: Place,
        stop: &AtomicBool,
        map: impl Fn(Found) -> Option<T> + Sync,
        emit: &mut dyn FnMut(Place, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Self::Symmetric(source, _) => source.for_each_mapped(from, stop, map, emit),
            Self::Box(source, _) => source.for_each_mapped(from, stop, map, emit),
        }
    }

    /// The exact number of figures, where it is known without listing them.
    #[must_use]
    pub fn total(&self) -> Option<u128> {
        match self {
            Self::Symmetric(..) => None,
            Self::Box(source, _) => source.total(),
        }
    }

    /// The number of figures, at least nearly.
    #[must_use]
    pub fn size(&self, stop: &AtomicBool) -> u128 {
        let near = || self.estimate(stop).iter().map(|s| s.estimate.figures).sum::<f64>() as u128;
        self.total().unwrap_or_else(near)
    }

    /// What listing the figures is expected to give and to take, in independent parts.
    #[must_use]
    pub fn estimate(&self, stop: &AtomicBool) -> Vec<Sampled> {
        match self {
            Self::Symmetric(source, _) => {
                source.estimate(stop).map(|(_, sampled)| sampled).collect()
            }
            Self::Box(source, _) => source.estimate(stop),
        }
    }

    /// The number of figures of each class; `None` if stopped.
    #[must_use]
    pub fn count(&self, stop: &AtomicBool) -> Option<Tally> {
        match self {
            Self::Symmetric(source, _) => source.count(stop),
            Self::Box(source, _) => source.count(stop),
        }
    }
}

/// Reads `3x3x4`.
///
/// # Errors
/// If the text is no three numbers.
pub fn parse_box(text: &str) -> Result<[u32; 3], String> {
    let sides: Option<Vec<u32>> =
        text.split(['x', 'X', '×']).map(|n| n.trim().parse().ok()).collect();
    match sides.as_deref() {
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err(format!("`{text}` is no box; one is written 3x3x4")),
    }
}

/// The classes that a choice by name, fold and order leaves: those named (all if none is), with an
/// element of order `fold`, of order `least` or more.
///
/// # Errors
/// If a name is none.
pub fn chosen_classes(
    names: &[String],
    fold: Option<usize>,
    least: Option<usize>,
) -> Result<Vec<Class>, ParseClassError> {
    let mut named = Vec::new();
    for name in names {
        named.extend(Class::matching(name)?);
    }
    let wanted = |class: &Class| {
        (names.is_empty() || named.contains(class))
            && fold.is_none_or(|n| class.groups()[0].cyclic_orders().contains(&n))
            && least.is_none_or(|n| class.order() >= n)
    };
    Ok(Class::all().filter(wanted).collect())
}
