//! Everything SQL: the schema, opening and migrating, the one writer, the questions.

mod names;
mod open;
mod query;
mod record;
mod store;
mod writer;

pub use names::NameEntry;
pub use open::{Catalog, CatalogError, SCHEMA_VERSION};
pub use query::{Filter, SortKey, Status};
pub use record::{Called, Record};
pub use store::{EntryRow, FaultRow, NameRow, OutcomeRow, Pending, PublishedRow, Totals};
pub use writer::{OutcomeSink, write_outcomes};
