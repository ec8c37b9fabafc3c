//! `somacat export`: the catalog, or part of it, in a file.

use super::covers::{CoverFormat, write_cover};
use super::export_gallery::{GalleryArgs, export_gallery};
use super::export_newsletter::{NewsletterArgs, export_newsletter};
use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::nothing::nothing_matches;
use super::output::to_file;
use super::solids::{SolidArgs, SolidFormat, write_solids};
use super::{Exit, Global, eprintln};
use crate::catalog::{Catalog, Filter, NamePattern, Origin, Row, SortKey};
use crate::export::{Delimited, Json, JsonStyle, RowSink, row_columns, row_fields};
use crate::figure::{Figure, Signature};
use crate::formats::{cells_line, soma_figure};
use clap::{Args, Subcommand, ValueEnum};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Kind {
    /// Comma-separated values: the columns of count, all names, the set.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// JSON Lines.
    Jsonl,
    /// SOMA text.
    Soma,
    /// A line a figure: x,y,z x,y,z ….
    Cells,
    /// A closed surface for 3D printing, binary.
    Stl,
    /// The same as text, with an object for each piece.
    Obj,
    /// A puzzle for BurrTools: figures and pieces.
    Xmpuzzle,
    /// An exact-cover problem for Knuth's DLX programs.
    Dlx,
    /// A formula for SAT solvers, in DIMACS.
    Cnf,
    /// A folder of Parquet files, for DuckDB, Polars and others: columns as of csv, sorted by class.
    Parquet,
}

/// How figures lie.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Positions {
    /// As the source that names them has them.
    Published,
    /// As the signature spells them.
    Canonical,
}

// Pages, which have options of their own.
#[derive(Subcommand, Debug)]
enum Pages {
    Gallery(Box<GalleryArgs>),
    Newsletter(Box<NewsletterArgs>),
}

#[derive(Args, Debug)]
#[command(
    subcommand_negates_reqs = true,
    after_help = "\
Rows are in the order of their signatures, and the same at any number of threads. The column micros
stays empty unless --timings is given, because times differ from run to run. The file is written
beside its place first and appears whole.

soma and cells write a figure that sources have as it lies there, once for each of its names and
positions, with its title; the others, and all with --positions canonical, once and as their
signature spells them.

stl, obj, xmpuzzle, dlx and cnf take the figures that the filters leave, or the one named by
--figure, which may be a file and needs no catalog then. All but xmpuzzle hold one figure. Solutions
of dlx and cnf are raw packings; equal pieces are not told apart.

parquet writes a folder that is new or empty, with files of some 200 MB that are sorted by order,
class, signature and set: docs/parquet.md has the columns. It appears whole.

Examples:
  somacat export csv somacat.csv --spreadsheet
  somacat export soma - --solvable --class D3d
  somacat export cells figures.cells --cells 27
  somacat export jsonl all.jsonl --sort unique --top 100
  somacat export stl pieces.stl --what pieces --clearance 0.3
  somacat export obj tower.obj --figure tower --what packing
  somacat export xmpuzzle puzzle.xmpuzzle --figure my-figure.soma
  somacat export dlx cube.dlx --figure cube
  somacat export cnf sofa.cnf --figure SOMA-sofa
  somacat export parquet all-figures
  somacat export parquet buildable --solvable --set SOMA
  somacat export gallery site"
)]
pub(crate) struct ExportArgs {
    /// The format.
    #[arg(value_enum, required = true)]
    kind: Option<Kind>,
    /// The file, or - for standard output; of parquet the folder.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Fill the column micros.
    #[arg(long)]
    timings: bool,
    /// How figures lie in soma and cells.
    #[arg(long, value_enum, default_value = "published", value_name = "WHICH")]
    positions: Positions,
    /// For csv and tsv: put ' before a text that begins with = + - @, a tab or a carriage return, which a
    /// spreadsheet would take for a formula.
    #[arg(long)]
    spreadsheet: bool,
    #[command(flatten)]
    solid: SolidArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(subcommand)]
    pages: Option<Pages>,
}

pub(super) fn export(global: &Global, args: &ExportArgs) -> Result<Exit> {
    if args.pages.is_some() {
        args.refuse_before_pages()?;
    }
    match &args.pages {
        Some(Pages::Gallery(args)) => return export_gallery(global, args),
        Some(Pages::Newsletter(args)) => return export_newsletter(global, args),
        None => {}
    }
    let filter = args.filter.filter()?;
    let format = match args.kind {
        Some(Kind::Stl) => Some(SolidFormat::Stl),
        Some(Kind::Obj) => Some(SolidFormat::Obj),
        Some(Kind::Xmpuzzle) => Some(SolidFormat::Xmpuzzle),
        _ => None,
    };
    if args.spreadsheet && !matches!(args.kind, Some(Kind::Csv | Kind::Tsv)) {
        return Err(Failure::usage("--spreadsheet goes with csv and tsv only"));
    }
    let problem = match args.kind {
        Some(Kind::Dlx) => Some(CoverFormat::Dlx),
        Some(Kind::Cnf) => Some(CoverFormat::Cnf),
        _ => None,
    };
    if let Some(format) = format {
        to_file(&args.file, |out| write_solids(global, &args.solid, format, &args.filter, out))?;
        return Ok(Exit::Ok);
    }
    if let Some(format) = problem {
        to_file(&args.file, |out| write_cover(global, &args.solid, format, &args.filter, out))?;
        return Ok(Exit::Ok);
    }
    args.solid.refuse()?;
    let catalog = Catalog::open_read_only(&global.db)?;
    if let Some(Kind::Parquet) = args.kind {
        return super::export_parquet::export_parquet(global, &catalog, &args.file, &args.filter);
    }
    let mut written = 0;
    to_file(&args.file, |mut out| {
        written = write(&catalog, args, &filter, &mut out)?;
        Ok(())
    })?;
    if written == 0 && !global.quiet {
        eprintln(&nothing_matches(&catalog, &args.filter)?);
    }
    Ok(Exit::Ok)
}

impl ExportArgs {
    /// Options of every command may come anywhere; those of pages come after their word, and would
    /// otherwise be passed over in silence.
    fn refuse_before_pages(&self) -> Result<()> {
        self.solid.refuse()?;
        if self.kind.is_some() || self.timings || self.spreadsheet || self.filter.is_given() {
            let text = "options of gallery and newsletter come after that word, as in `somacat \
                        export gallery site --solvable`; a file of that name is written ./gallery";
            return Err(Failure::usage(text));
        }
        Ok(())
    }
}

fn write(
    catalog: &Catalog,
    args: &ExportArgs,
    filter: &Filter,
    out: &mut impl Write,
) -> Result<u64> {
    let columns = row_columns();
    let kind = args.kind.ok_or_else(|| Failure::usage("which format?"))?;
    let mut sink: Box<dyn RowSink + '_> = match kind {
        Kind::Csv => Box::new(Delimited::csv(out, &columns)?.for_spreadsheets(args.spreadsheet)),
        Kind::Tsv => Box::new(Delimited::tsv(out, &columns)?.for_spreadsheets(args.spreadsheet)),
        Kind::Jsonl => Box::new(Json::new(out, JsonStyle::Lines, &columns)),
        Kind::Soma => return figures(catalog, filter, args.positions, out, soma_text),
        Kind::Cells => return figures(catalog, filter, args.positions, out, cells_text),
        Kind::Stl | Kind::Obj | Kind::Xmpuzzle | Kind::Dlx | Kind::Cnf => return Ok(0),
        Kind::Parquet => return Ok(0),
    };
    rows(catalog, filter, args.timings, sink.as_mut())
}

/// Every row that passes the filter, into a sink; returns how many.
pub(super) fn rows(
    catalog: &Catalog,
    filter: &Filter,
    timings: bool,
    sink: &mut dyn RowSink,
) -> Result<u64> {
    let written =
        catalog.select::<Failure>(filter, |row| Ok(sink.row(&row_fields(&row, timings))?))?;
    sink.finish()?;
    Ok(written)
}

/// Every figure that passes the filter as text, whatever the sets that it was counted with: as published once for each
/// of its names and positions, else once. Returns how many were written.
fn figures(
    catalog: &Catalog,
    filter: &Filter,
    positions: Positions,
    out: &mut impl Write,
    text: fn(&Written) -> Result<String>,
) -> Result<u64> {
    let mut known = HashSet::new();
    // Rows of one figure follow each other in the order of the signatures; in another order they may not.
    let mut last: Option<Signature> = None;
    let in_order = filter.sort == SortKey::Signature;
    let mut number = 0;
    catalog.select::<Failure>(filter, |row| {
        let signature = &row.record.signature;
        let new = match in_order {
            true => last.as_ref() != Some(signature),
            false => known.insert(signature.clone()),
        };
        if new {
            for entry in Written::of_row(catalog, filter, positions, &row)? {
                out.write_all(text(&entry)?.as_bytes())?;
                number += 1;
            }
        }
        last = Some(row.record.signature);
        Ok(())
    })?;
    out.flush()?;
    Ok(number)
}

/// A figure to write, as it is to lie.
struct Written {
    name: String,
    title: Option<String>,
    signature: Signature,
    figure: Figure,
}

impl Written {
    /// The figure of a row: for each name that was asked for, else for each name that it has, as it was published.
    fn of_row(
        catalog: &Catalog,
        filter: &Filter,
        positions: Positions,
        row: &Row,
    ) -> Result<Vec<Self>> {
        let record = &row.record;
        let (signature, canonical) = (record.signature.clone(), record.signature.figure()?);
        let mut origins = match &record.name {
            Some(_) => catalog.origins(&signature)?,
            None => Vec::new(),
        };
        let source = filter.source.as_deref().map(NamePattern::whole);
        let wanted = |origin: &Origin| {
            let title = origin.title.as_deref().unwrap_or_default();
            let named = |asked: &NamePattern| asked.fits(&origin.label()) || asked.fits(title);
            filter.name.as_ref().is_none_or(named)
                && source.as_ref().is_none_or(|source| source.fits(&origin.source))
        };
        // A figure may be one of an enumeration that was asked for, or have the name from another source.
        if origins.iter().any(wanted) {
            origins.retain(wanted);
        }
        let lying = |origin: &Origin| match positions {
            Positions::Published => origin.position(&canonical),
            Positions::Canonical => canonical.clone(),
        };
        let mut entries: Vec<Self> = Vec::new();
        for origin in &origins {
            let (name, figure) = (origin.label(), lying(origin));
            // Further solutions under one header are no further figures.
            let same = |entry: &Self| (&entry.name, &entry.figure) == (&name, &figure);
            if !entries.iter().any(same) {
                let (title, signature) = (origin.title.clone(), signature.clone());
                entries.push(Self { name, title, signature, figure });
            }
        }
        if entries.is_empty() {
            let name = record.name.clone().unwrap_or_else(|| signature.to_string());
            entries.push(Self { name, title: None, signature, figure: canonical });
        } else if positions == Positions::Canonical {
            entries.truncate(1);
        }
        Ok(entries)
    }
}

fn cells_text(written: &Written) -> Result<String> {
    // A name that the format cannot hold gives way to the signature.
    let line = cells_line(Some(&written.name), &written.figure)
        .or_else(|_| cells_line(Some(written.signature.as_str()), &written.figure))?;
    Ok(line + "\n")
}

fn soma_text(written: &Written) -> Result<String> {
    // One name that SOMA text cannot hold is no reason to refuse the whole catalog.
    let name = written.name.replace(char::is_control, " ");
    Ok(soma_figure(Some(&name), written.title.as_deref(), &written.figure)?)
}
