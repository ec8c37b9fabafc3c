//! Output of rows, one file per format. Uses rows, not SQL.

mod file;
mod graph;
mod new_folder;
mod pages;
mod puzzles;
mod release;
mod rows;
mod solids;
mod terminal;
mod visible;

pub use file::OutputFile;
pub use graph::{Codes, write_dot, write_graphml};
pub use new_folder::{NewFolder, NewFolderError};
pub use pages::gallery::{AdditionalFiles, FeedDates, Gallery, GalleryPlan, PageNumber};
pub use pages::gallery_sets::SOMA_SOURCE;
pub use pages::histogram::{doubling_classes, histogram_svg};
pub use pages::markdown::escape_markdown;
pub use pages::newsletter::{
    HTML_TEMPLATE, Layout, MARKDOWN_TEMPLATE, Newsletter, PreparedNewsletter, TEMPLATE_VARIABLES,
    Template,
};
pub use pages::one_page::one_page;
pub use pages::site_folder::{MARKER, SiteError, SiteFolder, TemplateError};
pub use pages::view_3d::view_frame;
pub use puzzles::cover::{write_cnf, write_dlx};
pub use puzzles::xmpuzzle::{MAX_VOXELS, PuzzleFault, PuzzleFigure, write_xmpuzzle};
pub use release::contents::{
    DATA_LICENSE, Findings, MissingSource, NotMade, RELEASE_CATALOG, RELEASE_PARQUET,
    RELEASE_SOURCES, RELEASE_TABLES, Release, ReleaseTable, SecondCheck,
};
pub use release::credits::ReleaseCredits;
pub use release::metadata::checksums;
pub use rows::parquet::{PARQUET_SCHEMA_VERSION, ParquetFiles, ParquetSummary, ParquetWriteError};
pub use rows::table::Table;
pub use solids::mesh::{Mesh, MeshSize, MeshSizeError};
pub use solids::obj::write_obj;
pub use solids::stl::write_stl;
pub use terminal::TerminalWriter;
pub use visible::{on_one_line, visible};

pub use somacat_geometry::spelling::{Spelling, UnknownWord, parse_word};
pub use somacat_rows::columns;
pub use somacat_rows::{
    CATALOG_COLUMNS, COUNT_COLUMNS, Column, Delimited, Field, FigureRow, Json, JsonStyle, Kind,
    RowSink, TYPED_COLUMNS, column_names, column_values, explanation,
};
