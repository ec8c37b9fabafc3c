//! Stability of a figure: as one solid, as loose pieces, and while it is built.
//!
//! There are three questions, from fast to slow:
//!
//! 1. As one solid ([`solid_stability`]): the center of mass lies strictly above the inside of the support, the
//!    convex hull of the cells on the table. This is decided in integers.
//! 2. As loose pieces ([`Assembly::stands`]): there are forces between the pieces, and between them and the table,
//!    that push and never pull. Their friction is at most μ times the normal force. Under them every piece is in
//!    equilibrium (Livesley, "Limit analysis of structures formed from rigid blocks", International Journal for
//!    Numerical Methods in Engineering 12, 1978). This is a linear program. If there are such forces, the pieces may
//!    stand; if there are none, they fall.
//! 3. By hand ([`Assembly::building_order`]): the pieces can be lowered straight from above one after the other, and
//!    every stage stands in the sense of 2.
//!
//! Each separate part of a figure has its own table, under its lowest cells. z points down.

mod assembly;
mod bodies;
mod building_order;
mod contacts;
mod equilibrium;
mod error;
mod packings;
mod resting;
mod side;

pub use assembly::Assembly;
pub use bodies::ContactForce;
pub use building_order::building_order;
pub use equilibrium::StandProof;
pub use error::{MAX_PIECES, StandError};
pub use packings::{LoosePieces, UprightPackings, analyze_stability, upright_packings};
pub use side::{Side, SolidStability, solid_stability};

/// Default coefficient of friction: about that of wood on wood.
pub const DEFAULT_FRICTION: f64 = 0.5;

/// Maximum number of sets of pieces tested for a building order: all there are of 16 pieces.
pub const MAX_STAGES: usize = 1 << 16;
