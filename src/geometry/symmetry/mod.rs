//! Symmetry groups of figures: the 98 subgroups of the cube's 48 transforms, and their 33 classes.

mod class;
mod group;
mod kind;
mod plan_view;

pub use class::{Class, ParseClassError};
pub use group::Group;
pub use kind::ElementKind;
pub use plan_view::PlanSymbol;
