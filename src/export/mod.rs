//! Rows as they go out: one file per output format. Knows rows, not SQL.

mod assembly;
mod delimited;
mod dossier;
mod field;
mod file;
mod gallery;
mod histogram;
mod json;
mod markdown;
mod mesh;
mod newsletter;
mod obj;
mod pages;
mod site_folder;
mod stl;
mod table;
mod xmpuzzle;

pub use assembly::building_order;
pub use delimited::Delimited;
pub use dossier::{ByFigure, Dossier, DossierError, Known, Outcome, Packing, SearchTrace, Source};
pub use field::{Field, called_columns, called_fields, record_fields};
pub use file::OutputFile;
pub use gallery::Gallery;
pub use histogram::{doubling_classes, histogram_svg};
pub use json::{Json, JsonStyle};
pub use markdown::escape_markdown;
pub use mesh::{Mesh, MeshSize, MeshSizeError};
pub use newsletter::{HTML_TEMPLATE, Issue, MARKDOWN_TEMPLATE, Newsletter};
pub use obj::write_obj;
pub use site_folder::{MARKER, SiteError, SiteFolder};
pub use stl::write_stl;
pub use table::Table;
pub use xmpuzzle::{MAX_VOXELS, TooLarge, write_xmpuzzle};

use std::io;

/// Takes rows under fixed columns and writes them in some format.
pub trait RowSink {
    /// Writes one row: as many fields as there are columns.
    ///
    /// # Errors
    /// If writing fails.
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()>;

    /// Writes what follows the last row and flushes.
    ///
    /// # Errors
    /// If writing fails.
    fn finish(&mut self) -> io::Result<()>;
}
