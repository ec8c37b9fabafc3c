//! Everything SQL: the schema, opening and migrating, the one writer, the questions.

mod counted;
mod open;
mod query;
mod record;
mod store;
mod writer;

pub use counted::CountedRow;
pub use open::{Catalog, CatalogError, SCHEMA_VERSION};
pub use query::{Filter, SortKey, Status};
pub use record::{Called, Record};
pub use store::{EntryRow, FaultRow, NameRow, OutcomeRow, Pending, PublishedRow, Totals};
pub use writer::{OutcomeSink, write_outcomes};
