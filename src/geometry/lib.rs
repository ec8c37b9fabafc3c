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
//!
//! ```
//! use somacat_geometry::figure::{Figure, prefilter};
//! use somacat_geometry::lattice::Cell;
//! use somacat_geometry::pieces::PieceSet;
//!
//! // A staircase: columns of three, two and one cells.
//! let cells = [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 1], [1, 0, 2], [2, 0, 2]];
//! let stairs = Figure::new(cells.map(Cell::from))?;
//! let group = stairs.canonical().group;
//! assert_eq!((group.order(), group.class().name()), (4, "C2v(edge)"));
//! let obstruction = prefilter(&stairs, &PieceSet::soma(1)).expect("it is too small");
//! assert_eq!(obstruction.to_string(), "the figure has 6 cells, the pieces fill 27");
//! # Ok::<(), somacat_geometry::figure::FigureError>(())
//! ```

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
