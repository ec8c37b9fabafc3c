//! Queries on a catalog.

mod filter;
mod name;
mod nearest;
mod questions;
mod rows;
mod statement;
mod status;

pub use filter::{Filter, SortKey};
pub use name::NamePattern;
pub(crate) use name::add_name_function;
pub use nearest::Vocabulary;
pub use questions::AskedQuestion;
pub use rows::DamagedRow;
pub use statement::SqlValue;
pub use status::{LastRun, Status, Underway};
