//! Tests of the public interface of `somacat-geometry`, one module per subject. Tests of single files are in them.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod figure;
#[path = "../../../tests/support/polycube_counts.rs"]
mod polycube_counts;
mod shapes;
mod worlds;
