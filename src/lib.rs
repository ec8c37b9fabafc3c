//! Figures built from the seven SOMA pieces: how many ways there are to build one, what symmetry it has, which
//! figures there are, and a catalog of them.
//!
//! ```
//! use somacat::figure::Figure;
//! use somacat::lattice::Cell;
//! use somacat::outcome::{Counts, Outcome};
//! use somacat::pieces::PieceSet;
//! use somacat::solve::{Limits, Problem, count};
//!
//! let cube = Figure::new((0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9)))?;
//! let report = count(&Problem::new(&cube, &PieceSet::soma(1)), Limits::default())?;
//! assert_eq!(report.outcome, Outcome::Counted(Counts { raw: 11520, rotation: 480, unique: 240 }));
//! assert_eq!(cube.canonical().group.class().name(), "Oh");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rooms, from the ground up; each knows only those above it in this list. The first eleven are the mathematics, and
//! all there is without the default feature `program`.
//!
//! * [`lattice`]: cells and the 48 transforms of the cube.
//! * [`symmetry`]: the 98 groups a figure can have, their 33 classes and their names.
//! * [`outcome`]: what counting comes to.
//! * [`pieces`]: pieces and multisets of pieces.
//! * [`figure`]: figures, their canonical form and signature, what parity rules out.
//! * [`solve`]: counts packings.
//! * [`map`]: which packings of a figure lead to each other.
//! * [`verify`]: a second opinion on packings and counts, independent of `solve`.
//! * [`formats`]: files of figures, read and written.
//! * [`enumerate`]: every figure of a symmetry, every figure in a box.
//! * [`census`]: counts every figure of a box at once.
//! * `catalog`: everything SQL.
//! * `draw`: figures and packings as pictures.
//! * `dossier`: everything about one figure.
//! * `export`: rows as files, pages, solids.
//! * `run`: a plan executed: imports, enumerations, censuses, counting on all cores.
//! * `cli`: the commands.

#[cfg(feature = "program")]
pub mod catalog;
pub mod census;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod dossier;
#[cfg(feature = "program")]
pub mod draw;
pub mod enumerate;
#[cfg(feature = "program")]
pub mod export;
pub mod figure;
pub mod formats;
pub mod lattice;
pub mod map;
pub mod outcome;
pub mod pieces;
#[cfg(feature = "program")]
pub mod run;
pub mod solve;
pub mod symmetry;
pub mod verify;
