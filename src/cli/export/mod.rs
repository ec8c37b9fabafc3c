//! `somacat export`: writes the catalog, or part of it, to a file.

pub(super) mod dot_paper;
pub(super) mod exact_cover;
pub(super) mod figure_files;
pub(super) mod gallery;
pub(super) mod gallery_contents;
pub(super) mod given_figures;
pub(super) mod newsletter;
pub(super) mod page;
pub(super) mod parquet_files;
pub(super) mod selection;
pub(super) mod solids;
pub(super) mod subject;

use super::{Exit, Global};
use crate::cli::failure::Result;
use crate::cli::shared::filter::SelectionArgs;
use crate::cli::shared::output::FileArg;
use clap::{Args, Subcommand};
use dot_paper::{DotPaperArgs, export_dot_paper};
use exact_cover::{CoverArgs, export_cover, export_puzzle};
use figure_files::{CELLS, FigureFileArgs, JSON, SOMA_TEXT, export_figures};
use gallery::{GalleryArgs, export_gallery};
use newsletter::{NewsletterArgs, export_newsletter};
use page::export_page;
use parquet_files::{ParquetArgs, export_parquet};
use selection::{export_selection, rows};
use solids::{SolidArgs, export_solids};
use somacat_catalog::Filter;
use somacat_output::export::{
    CATALOG_COLUMNS, Delimited, Json, JsonStyle, RowSink, column_names, write_cnf, write_dlx,
    write_obj, write_stl,
};
use std::io::{self, Write};

#[derive(Args, Debug)]
#[command(
    subcommand_value_name = "KIND",
    subcommand_help_heading = "Kinds",
    after_help = "\
Rows and figures are sorted by signature, unless --sort sets another order, and do not depend on the
number of threads. A file or folder appears when it is complete.

stl, obj, xmpuzzle, dlx and cnf write the figures that match the filters, or the one named by
--figure, which may be a file and then needs no catalog. All but xmpuzzle hold one figure.

`somacat export KIND --help` describes the options of a kind. They follow the kind.

Examples:
  somacat export csv somacat.csv --spreadsheet
  somacat export soma - --solvable --class D3d
  somacat export obj tower.obj --figure tower --what packing
  somacat export parquet all-figures
  somacat export gallery site"
)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    kind: ExportKind,
}

// See the note on `Command`: descriptions belong here.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
enum ExportKind {
    /// Comma-separated values: the columns of count, all names, the set
    #[command(after_help = "\
Examples:
  somacat export csv somacat.csv --spreadsheet
  somacat export csv - --solvable --sort unique --top 100")]
    Csv(DelimitedArgs),
    /// Tab-separated values: the columns of csv
    #[command(after_help = "\
Example:
  somacat export tsv somacat.tsv --class C2v")]
    Tsv(DelimitedArgs),
    /// JSON Lines: an object per row, with the columns of csv
    #[command(after_help = "\
Example:
  somacat export jsonl all.jsonl --sort unique --top 100")]
    Jsonl(RowArgs),
    /// SOMA text
    #[command(after_help = "\
Example:
  somacat export soma - --solvable --class D3d")]
    Soma(FigureFileArgs),
    /// One figure per line: x,y,z x,y,z …
    #[command(after_help = "\
Example:
  somacat export cells figures.cells --cells 27")]
    Cells(FigureFileArgs),
    /// Figures for programs: a JSON object per line, with name, title and cells
    #[command(after_help = "\
Example:
  somacat export json figures.jsonl --solvable")]
    Json(FigureFileArgs),
    /// A closed surface for 3D printing, binary
    #[command(after_help = "\
Examples:
  somacat export stl cube.stl --figure cube --cell-size 15
  somacat export stl pieces.stl --what pieces --clearance 0.3
  somacat export stl parts --what packing --each --figure tower")]
    Stl(SolidArgs),
    /// A closed surface as text, with an object for each piece
    #[command(after_help = "\
Example:
  somacat export obj tower.obj --figure tower --what packing")]
    Obj(SolidArgs),
    /// A puzzle for BurrTools: figures and pieces
    #[command(after_help = "\
A file has a problem for each figure and set, up to 1000.

Examples:
  somacat export xmpuzzle puzzle.xmpuzzle --figure my-figure.soma
  somacat export xmpuzzle easiest.xmpuzzle --sort unique --top 100")]
    Xmpuzzle(CoverArgs),
    /// An exact-cover problem for Knuth's DLX programs
    #[command(after_help = "\
Solutions are raw packings; equal pieces are not distinguished.

Example:
  somacat export dlx cube.dlx --figure cube")]
    Dlx(CoverArgs),
    /// A formula for SAT solvers, in DIMACS
    #[command(after_help = "\
Solutions are raw packings; equal pieces are not distinguished.

Example:
  somacat export cnf sofa.cnf --figure SOMA-sofa")]
    Cnf(CoverArgs),
    /// A folder of Parquet files for DuckDB, Polars and others: typed columns, sorted by class
    Parquet(ParquetArgs),
    /// A static site: a filterable index, and a page with a 3D view for each figure
    Gallery(Box<GalleryArgs>),
    /// An SVG page of isometric dots to print and draw figures on
    #[command(after_help = "\
Examples:
  somacat export dot-paper dots.svg
  somacat export dot-paper dots.svg --paper letter --edge 10")]
    DotPaper(DotPaperArgs),
    /// The program as one page for a browser: drop files of figures, see and download their counts
    #[command(after_help = "\
The page works from a disk, without a network or an installation. It reads every format of figures,
counts on all cores with any pieces, and keeps its work on the device. Its CSV has the rows of
`somacat count --csv`, without times.

Example:
  somacat export page somacat.html")]
    Page(FileArg),
    /// Chosen figures with pictures, counts and sample packings, as HTML and Markdown
    Newsletter(Box<NewsletterArgs>),
}

// The options of rows.
#[derive(Args, Debug)]
struct RowArgs {
    #[command(flatten)]
    file: FileArg,
    /// Fill the column micros with the counting times. They differ from run to run.
    #[arg(long)]
    timings: bool,
    #[command(flatten)]
    selection: SelectionArgs,
}

// The options of CSV and TSV.
#[derive(Args, Debug)]
struct DelimitedArgs {
    #[command(flatten)]
    rows: RowArgs,
    /// For Excel and others: begin with a byte order mark, and put ' before integers of more than 15 digits and text that
    /// begins with = + - @, a tab or a carriage return. Spreadsheets drop digits of such integers and read such texts
    /// as formulas.
    #[arg(long)]
    spreadsheet: bool,
}

pub(crate) fn export(global: &Global, args: &ExportArgs) -> Result<Exit> {
    match &args.kind {
        ExportKind::Csv(args) => export_rows(global, &args.rows, |out, columns| {
            delimited(out, b',', columns, args.spreadsheet)
        }),
        ExportKind::Tsv(args) => export_rows(global, &args.rows, |out, columns| {
            delimited(out, b'\t', columns, args.spreadsheet)
        }),
        ExportKind::Jsonl(args) => export_rows(global, args, |out, columns| {
            Ok(Box::new(Json::new(out, JsonStyle::Lines, columns)))
        }),
        ExportKind::Soma(args) => export_figures(global, args, &SOMA_TEXT),
        ExportKind::Cells(args) => export_figures(global, args, &CELLS),
        ExportKind::Json(args) => export_figures(global, args, &JSON),
        ExportKind::Stl(args) => export_solids(global, args, ("stl", write_stl)),
        ExportKind::Obj(args) => export_solids(global, args, ("obj", write_obj)),
        ExportKind::Xmpuzzle(args) => export_puzzle(global, args),
        ExportKind::Dlx(args) => export_cover(global, args, write_dlx),
        ExportKind::Cnf(args) => export_cover(global, args, write_cnf),
        ExportKind::Parquet(args) => export_parquet(global, args),
        ExportKind::Gallery(args) => export_gallery(global, args),
        ExportKind::DotPaper(args) => export_dot_paper(args),
        ExportKind::Page(args) => export_page(args),
        ExportKind::Newsletter(args) => export_newsletter(global, args),
    }
}

fn delimited<'a>(
    out: &'a mut dyn Write,
    delimiter: u8,
    columns: &[&str],
    for_spreadsheets: bool,
) -> io::Result<Box<dyn RowSink + 'a>> {
    Ok(Box::new(match (for_spreadsheets, delimiter) {
        (true, _) => Delimited::for_spreadsheets(out, delimiter, columns)?,
        (false, b'\t') => Delimited::tsv(out, columns)?,
        (false, _) => Delimited::csv(out, columns)?,
    }))
}

/// Writes the selected rows to a file, with the sink from `sink`.
fn export_rows(
    global: &Global,
    args: &RowArgs,
    sink: impl for<'a> FnOnce(&'a mut dyn Write, &[&str]) -> io::Result<Box<dyn RowSink + 'a>>,
) -> Result<Exit> {
    export_selection(global, &args.file, &args.selection, |catalog, filter, out| {
        // Times differ from run to run, so they are empty unless requested.
        let filter = Filter { timings: args.timings, ..filter.clone() };
        rows(catalog, &filter, &mut *sink(out, &column_names(&CATALOG_COLUMNS))?)
    })
}
