//! The `somacat` program, and everything it is made of under one name.
//!
//! The mathematics are libraries of their own: `somacat-geometry`, `somacat-counting` and `somacat-checking`. [`solve`]
//! begins with an example. Above them are `somacat-formats`, `somacat-catalog` and `somacat-output`, and the program itself:
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
pub use somacat_output::{LimitedHeap, dossier, draw, export};

pub mod cli;
pub mod run;
pub mod units;
mod version;

pub use version::{VERSION, full_version};
