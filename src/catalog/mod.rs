//! Everything SQL: the schema, opening, the one writer, the questions, maintenance.
//!
//! A [`Catalog`] is opened to be read; whoever writes begins a [`Session`]. Rows go in and come out as values of
//! the program: numbers of rows have types of their own, and words stand in `words.rs` and the schema only.

mod checksum;
mod edit;
mod enumerations;
mod error;
mod ids;
mod imports;
mod listed;
mod lock;
mod maintain;
mod open;
mod outcomes;
mod plain;
mod published;
mod query;
mod record;
mod rows;
mod session;
mod sets;
mod shared_names;
mod sources;
mod structures;
mod totals;
mod words;
mod writer;

pub use edit::{EditError, Removal};
pub use enumerations::{
    Advance, Breakdown, CountedRow, EnumerationKey, EnumerationState, Keep, KnownFigure,
};
pub use error::{CatalogError, MigrationFault};
pub use ids::{EnumerationId, FigureId, RunId, SetId, SourceId};
pub use imports::{EntryRow, FaultRow, NameRow, Origin};
pub use listed::{Listed, ListedFigures};
pub(crate) use maintain::hexadecimal;
pub use maintain::{
    Checkup, Comparison, CopyError, Difference, Finding, LOCAL_TABLES, Publication, PublishError,
    Salvage, SalvageError, SalvagedTable, check_catalog, diff_catalogs, salvage,
};
pub use open::{Catalog, SCHEMA_VERSION};
pub use plain::{PlainFault, PlainReport, PlainTotal, plain_class};
pub use published::{CountKind, PublishedCount};
#[cfg(feature = "parquet")]
pub use query::AskedQuestion;
pub use query::{
    DamagedRow, Filter, LastRun, NamePattern, SortKey, SqlValue, Status, Underway, Vocabulary,
};
pub use record::{Record, Row};
pub use session::{Pending, Recount, RunEnd, Session};
pub use structures::{MapNumbers, StandNumbers, StructureNumbers, Wanted};
pub use totals::Totals;
pub use writer::OutcomeRow;
