//! A catalog of SOMA figures: shapes of unit cubes to be built from the seven SOMA pieces.
//!
//! The rooms, from the ground up; each knows only those above it in this list.
//!
//! * [`lattice`]: cells and the 48 transforms of the cube.
//! * [`symmetry`]: the 98 groups a figure can have, their 33 classes and their names.
//! * [`pieces`]: pieces and multisets of pieces.
//! * [`figure`]: figures, their canonical form and signature, what parity rules out.
//! * [`solve`]: counts packings.
//! * [`verify`]: a second opinion on packings and counts, independent of `solve`.
//! * [`formats`]: files of figures, read and written.
//! * [`enumerate`]: every figure of a symmetry, every figure in a box.
//! * [`census`]: counts every figure of a box at once.
//! * [`catalog`]: everything SQL.
//! * [`draw`]: figures and packings as pictures.
//! * [`export`]: rows as files, pages, solids.
//! * [`run`]: a plan executed: sources, counting on all cores, catalog.
//! * [`cli`]: the commands.

pub mod catalog;
pub mod census;
pub mod cli;
pub mod dossier;
pub mod draw;
pub mod enumerate;
pub mod export;
pub mod figure;
pub mod formats;
pub mod lattice;
pub mod outcome;
pub mod pieces;
pub mod run;
pub mod solve;
pub mod symmetry;
pub mod verify;
