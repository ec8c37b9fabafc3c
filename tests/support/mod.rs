//! Shared code of the tests.

#[cfg(unix)]
pub mod console;
pub mod deadline;
pub mod entries;
pub mod figures;
pub mod night;
pub mod parts;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub mod points;
pub mod program;
pub mod random;
pub mod sat;
pub mod seal;
pub mod skipped;
pub mod stability;
#[cfg(unix)]
pub mod terminal;
pub mod unsolvable;
