//! The `somacat` program: its commands, as a library for the tests, the benchmarks and the Python module.
//!
//! The mathematics are libraries of their own: `somacat-geometry`, `somacat-counting` and `somacat-checking`. Above them
//! are `somacat-formats`, `somacat-catalog` and `somacat-output`; `somacat-run` executes plans, and `somacat-units` splits
//! them among machines.

pub mod cli;
