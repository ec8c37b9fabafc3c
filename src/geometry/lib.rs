//! Cells, the 48 symmetries of the cube, pieces, and figures to fill.
//!
//! * [`lattice`]: cells and the 48 transforms of the cube.
//! * [`symmetry`]: the 98 subgroups of the cube's symmetries, their 33 classes and their names.
//! * [`outcome`]: the results of counting.
//! * [`spelling`]: their words.
//! * [`pieces`]: pieces and multisets of pieces.
//! * [`somap`]: the codes of Conway and Guy for packings of the cube.
//! * [`boxes`]: boxes, their cells by number, and their symmetries.
//! * [`figure`]: figures, their canonical form and signature, and obstructions such as parity.

#![warn(missing_docs, clippy::missing_errors_doc)]

pub mod boxes;
mod excerpt;
pub mod figure;
pub mod lattice;
pub mod outcome;
pub mod pieces;
pub mod somap;
pub mod spelling;
pub mod symmetry;

pub use excerpt::excerpt;
