//! Rows as they go out: one file per output format. Knows rows, not SQL.

mod delimited;
mod field;
mod file;
mod json;
mod mesh;
mod obj;
mod stl;
mod table;
mod xmpuzzle;

pub use delimited::Delimited;
pub use field::{Field, called_columns, called_fields, record_fields};
pub use file::OutputFile;
pub use json::{Json, JsonStyle};
pub use mesh::{Mesh, MeshSize, MeshSizeError};
pub use obj::write_obj;
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
