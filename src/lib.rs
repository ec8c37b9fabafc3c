//! Figures built from the seven SOMA pieces: counting the ways to build them, classifying their symmetry,
//! enumerating them, and keeping them in a catalog.
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
//! The modules, from the ground up; each uses only those above it. Those up to [`census`] and [`formats`] are the
//! mathematics, which is all there is without the default feature `program`.
//!
//! * [`lattice`]: cells and the 48 transforms of the cube.
//! * [`symmetry`]: the 98 groups that a figure can have, their 33 classes and their names.
//! * [`outcome`]: the results of counting.
//! * [`pieces`]: pieces and multisets of pieces.
//! * [`figure`]: figures, their canonical form and signature, what parity rules out.
//! * [`solve`]: counts packings.
//! * [`map`]: which packings of a figure lead to each other by moving two or three pieces.
//! * [`prove`]: certificates that a figure cannot be built.
//! * [`verify`]: checks packings, counts and certificates with independent code.
//! * [`enumerate`]: all figures with a given symmetry, or in a box.
//! * [`buildable`]: the figures of a symmetry class that can be built, found with their packings.
//! * [`census`]: counts all figures of a box at once.
//! * [`formats`]: reads and writes files of figures.
//! * `stand`: whether a figure stands, as one solid, as loose pieces, and while it is built.
//! * `draw`: pictures of figures and packings.
//! * `catalog`: everything SQL.
//! * `dossier`: everything about one figure.
//! * `export`: rows as files, pages, solids.
//! * `run`: runs a plan: imports, enumerations, censuses, counting on all cores.
//! * `units`: a plan as units of work for many machines, and their results merged.
//! * `cli`: the commands.

pub mod buildable;
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
mod in_order;
pub mod lattice;
pub mod map;
pub mod outcome;
pub mod pieces;
pub mod prove;
#[cfg(feature = "program")]
pub mod run;
pub mod solve;
#[cfg(feature = "program")]
pub mod stand;
pub mod symmetry;
#[cfg(feature = "program")]
mod temporary;
#[cfg(feature = "program")]
pub mod units;
pub mod verify;
