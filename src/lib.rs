//! somacat: a catalog of SOMA figures.

pub mod figure;
pub mod lattice;
pub mod pieces;
pub mod symmetry;
