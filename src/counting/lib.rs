//! Counts packings, enumerates figures, and answers questions about both.
//!
//! A *figure* is a set of cells of the cubic lattice, and a *packing* of a figure covers it exactly with all pieces of
//! a set. Nothing here reads or writes files. Long work runs on several threads, ends soon after a stop flag is set,
//! and passes on its results in an order that does not depend on the threads. The head of each file explains its
//! method, and [`solve`], [`enumerate`], [`buildable`] and [`census`] have an example.
//!
//! * [`antislide`]: packings in a box in which no piece and no group slides.
//! * [`cell_placements`]: where each piece can lie, as numbers of cells.
//! * [`question`]: asks for many figures with their counts, one stream for the next three.
//! * [`solve`]: counts the packings of a figure.
//! * [`enumerate`]: all figures with a given symmetry, or in a box.
//! * [`buildable`]: the buildable figures of a symmetry class, found with their packings.
//! * [`census`]: counts all figures of a box at once.
//! * [`costs`]: the seconds that the steps of long work take, for estimates.
//! * [`map`]: the graph of a figure's packings; edges exchange two or three pieces.
//! * [`plain_search`]: the effort of a plain search, a measure of difficulty.
//! * [`opening`]: ways of pieces out of a box, one at a time, through an opening in its lid.
//! * [`places`]: the placements of each piece up to symmetry, and the packings that use them.
//! * [`prove`]: certificates that a figure has no packing, or of the number of its packings.
//! * [`stand`]: stability of figures, of loose pieces, and of building orders.
//! * [`takeapart`]: straight moves that take the pieces of a packing apart.

#![warn(missing_docs, clippy::missing_errors_doc)]

pub mod antislide;
pub mod buildable;
pub mod cell_placements;
pub mod census;
pub mod costs;
pub mod enumerate;
mod in_order;
pub mod map;
pub mod opening;
mod parallel;
pub mod places;
pub mod plain_search;
pub mod prove;
pub mod question;
mod random;
pub mod solve;
pub mod stand;
pub mod takeapart;

/// Notes that a test cannot test everything on this machine. Unlike printed text, this is shown also if it passes.
#[cfg(test)]
fn skipped(why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}
