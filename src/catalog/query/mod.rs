//! Queries on a catalog.

mod enumeration_summaries;
mod filter;
mod name;
mod nearest;
mod news;
mod recognition;
mod rows;
mod sample;
mod statement;
mod status;

pub use enumeration_summaries::{EnumerationSummary, SourceSummary};
pub use filter::{ClassSymbol, Filter, FilterOption, SortKey, proof_filter};
pub use name::NamePattern;
pub(crate) use name::{add_name_functions, is_label};
pub use nearest::Vocabulary;
pub use news::News;
pub use recognition::canonical_forms;
pub use rows::DamagedRow;
pub use statement::SqlValue;
pub use status::{LastRun, Status};
