//! Questions to a catalog.

mod filter;
mod nearest;
mod rows;
mod statement;
mod status;

pub use filter::{Filter, SortKey};
pub use nearest::Vocabulary;
pub use rows::DamagedRow;
pub use statement::SqlValue;
pub use status::{LastRun, Status, Underway};
