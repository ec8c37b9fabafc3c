//! Shared code of the tests.

pub mod entries;
pub mod figures;
pub mod night;
pub mod program;
pub mod random;
pub mod sat;
pub mod seal;
pub mod skipped;
