//! Pictures, tables, pages and data files of figures.
//!
//! * [`draw`]: pictures of figures and packings.
//! * [`dossier`]: everything about one figure.
//! * [`export`]: one file per output format.

pub mod dossier;
pub mod draw;
pub mod export;
mod limited;
mod xml;

pub use limited::LimitedHeap;
