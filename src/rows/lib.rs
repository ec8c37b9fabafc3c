//! A figure counted as its file gives it, and its row as CSV or JSON.
//!
//! Nothing here knows a catalog, a file system or a terminal: the program in a page (`src/page`) writes the same rows
//! with the same code. The sinks that need more, such as tables for a terminal and Parquet, are in crate `output`.

pub mod columns;
mod delimited;
mod field;
mod given_figure;
mod json;
mod open_figure;
mod pieces_in_place;

pub use columns::{
    CATALOG_COLUMNS, COUNT_COLUMNS, Column, FigureRow, Kind, TYPED_COLUMNS, column_names,
    column_values, explanation,
};
pub use delimited::Delimited;
pub use field::Field;
pub use given_figure::{GivenFigure, let_stay_empty};
pub use json::{Json, JsonStyle};
pub use open_figure::{NamedPieces, OpenFigure, OpenFigureError};
pub use pieces_in_place::{PiecesInPlaceError, pieces_in_place};

use std::io;

/// A sink that writes rows under fixed columns in some format.
pub trait RowSink {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()>;

    /// Writes the end of the output and flushes.
    fn finish(&mut self) -> io::Result<()>;
}
