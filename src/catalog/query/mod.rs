//! Queries on a catalog.

mod filter;
mod name;
mod nearest;
#[cfg(feature = "parquet")]
mod questions;
mod rows;
mod statement;
mod status;

pub use filter::{Filter, SortKey};
pub use name::NamePattern;
pub(in crate::catalog) use name::add_name_function;
pub use nearest::Vocabulary;
#[cfg(feature = "parquet")]
pub use questions::AskedQuestion;
pub use rows::DamagedRow;
pub use statement::SqlValue;
pub use status::{LastRun, Status, Underway};
