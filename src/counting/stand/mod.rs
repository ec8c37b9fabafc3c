//! Whether a figure stands: as one solid, as loose pieces, and while it is built.
//!
//! Three questions, from cheap to dear:
//!
//! 1. as one solid ([`lies_on`]): the center of mass lies strictly above the inside of the support, the convex hull of
//!    what touches the table. Decided by whole numbers.
//! 2. as loose pieces ([`Assembly::stands`]): there are forces between the pieces, and between them and the table,
//!    that push and never pull, with friction at most μ times as large as what pushes, under which every piece is in
//!    equilibrium (Livesley, "Limit analysis of structures formed from rigid blocks", International Journal for
//!    Numerical Methods in Engineering 12, 1978). It is a linear program. Where there are such forces the pieces may
//!    stand; where there are none they fall, whatever the forces.
//! 3. by hand ([`Assembly::building_order`]): the pieces can be lowered straight from above one after the other, and
//!    every stage stands in the sense of 2.
//!
//! Every separate part of a figure stands on a table of its own, under its lowest cells. z points down.

mod assembly;
mod contacts;
mod equilibrium;
mod packings;
mod side;

pub use assembly::{Assembly, MAX_PIECES, StandError};
pub use packings::{Loose, UprightPackings, analyze_stability, upright_packings};
pub use side::{Resting, Side, lies_on};

/// The coefficient of friction that is taken where none is given: about that of wood on wood.
pub const USUAL_FRICTION: f64 = 0.5;

/// Sets of pieces that are looked at for a building order: all there are of 16 pieces.
pub const MAX_STAGES: usize = 1 << 16;
