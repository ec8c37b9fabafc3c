//! Everything SQL: the schema, opening and migrating, the one writer, the questions.

mod check;
mod diff;
mod enumerations;
mod lock;
mod migrate;
mod names;
mod open;
mod publish;
mod query;
mod record;
mod rows;
mod runs;
mod salvage;
mod sound;
mod store;
mod words;
mod writer;

pub use check::{Checkup, Finding, check_catalog};
pub use diff::{Comparison, Difference, diff_catalogs};
pub use enumerations::{Identified, Keep, KnownEnumeration, Tallied, Word};
pub use names::Origin;
pub use open::{Catalog, CatalogError, SCHEMA_VERSION};
pub use publish::{CopyError, LOCAL_TABLES, PublishError, Published};
pub use query::{Filter, SortKey, Status};
pub use record::{Called, Record};
pub use runs::{Pending, Totals, Underway};
pub use salvage::{SalvageError, Saved, salvage};
pub use store::{EntryRow, FaultRow, NameRow, OutcomeRow, PublishedRow};
pub use writer::{OutcomeSink, write_outcomes};
