//! `somacat export`: writes the catalog, or part of it, to a file.

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
    /// One figure per line: x,y,z x,y,z ….
    Cells,
    /// A closed surface for 3D printing, binary.
    Stl,
    /// A closed surface as text, with an object for each piece.
    Obj,
    /// A puzzle for BurrTools: figures and pieces.
    Xmpuzzle,
    /// An exact-cover problem for Knuth's DLX programs.
    Dlx,
    /// A formula for SAT solvers, in DIMACS.
    Cnf,
    /// A folder of Parquet files for DuckDB, Polars and others: the columns of csv, sorted by class.
    Parquet,
}

/// The positions of figures.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Positions {
    /// As in the source of the name.
    Published,
    /// As in the signature.
    Canonical,
}

// Pages have their own options.
#[derive(Subcommand, Debug)]
enum Pages {
    Gallery(Box<GalleryArgs>),
    Newsletter(Box<NewsletterArgs>),
}

#[derive(Args, Debug)]
#[command(
    subcommand_negates_reqs = true,
    after_help = "\
Rows are sorted by signature and do not depend on the number of threads. The column micros stays
empty unless --timings is given, because times differ from run to run. The file appears when it is
complete.

soma and cells write a figure of a source once for each of its names and published positions, with
its title. Other figures, and all with --positions canonical, are written once, in the position of
their signature.

stl, obj, xmpuzzle, dlx and cnf write the figures that match the filters, or the one named by
--figure, which may be a file and then needs no catalog. All but xmpuzzle hold one figure. Solutions
of dlx and cnf are raw packings; equal pieces are not distinguished.

parquet writes a new or empty folder with files of about 200 MB, sorted by order, class, signature
and set; docs/parquet.md describes the columns. The folder appears when it is complete.

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
    /// The file, or - for standard output; for parquet the folder.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Fill the column micros with the counting times.
    #[arg(long)]
    timings: bool,
    /// The positions of figures in soma and cells.
    #[arg(long, value_enum, default_value = "published", value_name = "WHICH")]
    positions: Positions,
    /// In csv and tsv, put ' before a text that begins with = + - @, a tab or a carriage return.
    /// Spreadsheets read such texts as formulas.
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
        return Err(Failure::usage("--spreadsheet works only with csv and tsv"));
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
    /// Refuses options before `gallery` and `newsletter`, where they would be ignored.
    fn refuse_before_pages(&self) -> Result<()> {
        self.solid.refuse()?;
        if self.kind.is_some() || self.timings || self.spreadsheet || self.filter.is_given() {
            let text = "put options of gallery and newsletter after that word, as in `somacat export \
                        gallery site --solvable`; write ./gallery for a file of that name";
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
    let kind = args.kind.ok_or_else(|| Failure::usage("name a format, such as csv"))?;
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

/// Writes every row that passes the filter; returns their number.
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

/// Writes every figure that passes the filter as text; returns the number of entries.
///
/// Published figures are written once for each of their names and positions, other figures once. A figure counted with
/// several sets is not repeated.
fn figures(
    catalog: &Catalog,
    filter: &Filter,
    positions: Positions,
    out: &mut impl Write,
    text: fn(&Written) -> Result<String>,
) -> Result<u64> {
    let mut known = HashSet::new();
    // Rows of one figure are adjacent if sorted by signature; in another order they may not be.
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

/// A figure in the position in which it is written.
struct Written {
    name: String,
    title: Option<String>,
    signature: Signature,
    figure: Figure,
}

impl Written {
    /// Returns an entry for each requested name of a row's figure, or for each of its names.
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
        // Without a match (the figure is from a requested enumeration, or has its name from another source), all stay.
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
            // Several solutions under one header are one figure.
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
    // The signature replaces a name that the format cannot hold.
    let line = cells_line(Some(&written.name), &written.figure)
        .or_else(|_| cells_line(Some(written.signature.as_str()), &written.figure))?;
    Ok(line + "\n")
}

fn soma_text(written: &Written) -> Result<String> {
    // SOMA text cannot hold control characters, and one such name must not fail the whole export.
    let name = written.name.replace(char::is_control, " ");
    Ok(soma_figure(Some(&name), written.title.as_deref(), &written.figure)?)
}
