//! Output of rows, one file per format. Uses rows, not SQL.

pub mod columns;
mod cover;
mod delimited;
mod field;
mod file;
mod gallery;
mod gallery_index;
mod gallery_page;
mod gallery_sets;
mod graph;
mod histogram;
mod json;
mod markdown;
mod mesh;
mod new_folder;
mod newsletter;
mod obj;
mod pages;
mod parquet;
mod release;
mod release_metadata;
mod site_folder;
mod stl;
mod table;
mod template_data;
mod terminal;
mod view_3d;
mod visible;
mod xmpuzzle;

pub use columns::{
    CATALOG_COLUMNS, COUNT_COLUMNS, Column, FigureRow, Kind, TYPED_COLUMNS, column_names,
    column_values, explanation,
};
pub use cover::{write_cnf, write_dlx};
pub use delimited::Delimited;
pub use field::Field;
pub use file::OutputFile;
pub use gallery::{AdditionalFiles, FeedDates, Gallery, GalleryPlan};
pub use gallery_sets::SOMA_SOURCE;
pub use graph::{Codes, write_dot, write_graphml};
pub use histogram::{doubling_classes, histogram_svg};
pub use json::{Json, JsonStyle};
pub use markdown::escape_markdown;
pub use mesh::{Mesh, MeshSize, MeshSizeError};
pub use new_folder::{NewFolder, NewFolderError};
pub use newsletter::{
    HTML_TEMPLATE, Layout, MARKDOWN_TEMPLATE, Newsletter, PreparedNewsletter, TEMPLATE_VARIABLES,
    Template,
};
pub use obj::write_obj;
pub use parquet::{PARQUET_SCHEMA_VERSION, ParquetFiles, ParquetSummary, ParquetWriteError};
pub use release::{
    DATA_LICENSE, Findings, RELEASE_CATALOG, RELEASE_PARQUET, RELEASE_TABLES, Release,
    ReleaseTable, SecondCheck,
};
pub use release_metadata::{ReleaseCredits, checksums};
pub use site_folder::{MARKER, SiteError, SiteFolder, TemplateError};
pub use stl::write_stl;
pub use table::Table;
pub use terminal::TerminalWriter;
pub use view_3d::view_frame;
pub use visible::{on_one_line, visible};
pub use xmpuzzle::{MAX_VOXELS, TooLarge, write_xmpuzzle};

pub use somacat_geometry::spelling::{Spelling, UnknownWord, parse_word};
use std::io;

/// A sink that writes rows under fixed columns in some format.
pub trait RowSink {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()>;

    /// Writes the end of the output and flushes.
    fn finish(&mut self) -> io::Result<()>;
}
