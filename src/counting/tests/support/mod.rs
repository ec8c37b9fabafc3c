//! Shared code of the tests. Files that other tests use, too, are in `tests/support` of the workspace.

pub mod bench_sets;
pub mod dancing;
#[path = "../../../../tests/support/deadline.rs"]
pub mod deadline;
#[path = "../../../../tests/support/figures.rs"]
pub mod figures;
#[path = "../../../../tests/support/polycube_counts.rs"]
pub mod polycube_counts;
#[path = "../../../../tests/support/random.rs"]
pub mod random;
#[path = "../../../../tests/support/stability.rs"]
pub mod stability;
#[path = "../../../../tests/support/unsolvable.rs"]
pub mod unsolvable;
