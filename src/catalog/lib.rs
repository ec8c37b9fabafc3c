//! Everything SQL: the schema, opening, the single writer, queries, maintenance.
//!
//! A [`Catalog`] is opened for reading; a writer begins a [`Session`]. Rows are read and written as typed values.
//! Each kind of row id has a type, and codes occur only in `codes.rs` and the schema.

mod checksum;
mod codes;
mod collect;
mod designs;
mod edit;
mod enumeration_members;
mod enumerations;
mod error;
mod group;
mod ids;
mod imports;
mod lock;
mod maintain;
mod open;
mod outcomes;
mod plain;
mod position_triggers;
mod proofs;
mod published;
mod query;
mod requests;
mod row;
mod rows;
mod schema;
mod session;
mod sets;
mod shared_names;
mod sources;
mod structures;
mod temporary;
mod totals;
mod writer;

pub use codes::InvalidCode;
pub use designs::{DesignRow, KnownDesigns};
pub use edit::{EditError, EditedFigure, NameEdit, Removal};
pub use enumeration_members::{EnumerationMembers, MemberFigures, MemberPackings};
pub use enumerations::{Advance, Advanced, EnumerationKey, EnumerationState};
pub use error::CatalogError;
pub use ids::{EnumerationId, FigureId, RunId, SetId, SourceId};
pub use imports::{EntryRow, Origin};
pub use maintain::*;
pub use open::{Catalog, database_of, is_database, merge_left_log};
pub use plain::{PlainNumbers, PlainReport, PlainTotal, plain_class};
pub use proofs::{ProofDemand, StoredProof};
pub use published::{CountKind, PublishedCount};
pub use query::*;
pub use requests::{NamesOfSource, Request, Requested, RunOptions, SourceOptions};
pub use row::Row;
pub use schema::SCHEMA_VERSION;
pub use session::{Pending, Recount, RunEnd, Session};
pub use structures::{MapNumbers, RequestedAnalyses, StandNumbers, StructureNumbers};
pub use temporary::{
    delete_temporaries, end_writes, have_same_contents, name_result, parent_folder, temporary_file,
    temporary_folder, with_names_of_results,
};
pub use totals::Totals;
pub use writer::OutcomeRow;
