//! Everything SQL: the schema, opening and migrating, the one writer, the questions.

mod enumerations;
mod lock;
mod names;
mod open;
mod query;
mod record;
mod runs;
mod store;
mod words;
mod writer;

pub use enumerations::{Identified, Keep, KnownEnumeration, Tallied, Word};
pub use names::Origin;
pub use open::{Catalog, CatalogError, SCHEMA_VERSION};
pub use query::{Filter, SortKey, Status};
pub use record::{Called, Record};
pub use runs::{Pending, Totals, Underway};
pub use store::{EntryRow, FaultRow, NameRow, OutcomeRow, PublishedRow};
pub use writer::{OutcomeSink, write_outcomes};
