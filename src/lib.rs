//! The `somacat` program, and everything it is made of under one name.
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
//! The mathematics are libraries of their own: `somacat-geometry`, `somacat-counting` and `somacat-checking`. Above
//! them are `somacat-formats`, `somacat-catalog` and `somacat-output`, and the program itself:
//!
//! * [`run`]: runs a plan: imports, enumerations, censuses, counting on all cores.
//! * [`units`]: splits a plan into work units for many machines, and merges their results.
//! * [`cli`]: the commands.

pub use somacat_catalog as catalog;
pub use somacat_checking as verify;
pub use somacat_counting::{
    buildable, census, enumerate, map, places, plain_search, prove, solve, stand,
};
pub use somacat_formats as formats;
pub use somacat_geometry::{boxes, figure, lattice, outcome, pieces, somap, symmetry};
pub use somacat_output::{dossier, draw, export};

pub mod cli;
pub mod run;
pub mod units;
mod version;

pub use version::{VERSION, full_version};
