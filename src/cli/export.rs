//! `somacat export`: the catalog, or part of it, in a file.

use super::export_gallery::{GalleryArgs, export_gallery};
use super::export_newsletter::{NewsletterArgs, export_newsletter};
use super::filter::FilterArgs;
use super::nothing::nothing_matches;
use super::solids::{SolidArgs, SolidFormat, write_solids};
use super::{Exit, Global, Usage, eprintln};
use crate::catalog::{Called, Catalog, Filter};
use crate::export::{
    Delimited, Json, JsonStyle, OutputFile, RowSink, called_columns, called_fields,
};
use crate::figure::Signature;
use crate::formats::{cells_line, soma_figure};
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Kind {
    /// Comma-separated values: the columns of count, all names, the set.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// JSON Lines.
    Jsonl,
    /// SOMA text, each figure in its canonical position.
    Soma,
    /// A line a figure, x,y,z x,y,z …, each in its canonical position.
    Cells,
    /// A closed surface for 3D printing, binary.
    Stl,
    /// The same as text, with an object for each piece.
    Obj,
    /// A puzzle for BurrTools: figures and pieces.
    Xmpuzzle,
}

/// Pages, which have options of their own.
#[derive(Subcommand, Debug)]
enum Pages {
    Gallery(Box<GalleryArgs>),
    Newsletter(Box<NewsletterArgs>),
}

/// Write the catalog, or what a filter leaves, to a file
#[derive(Args, Debug)]
#[command(
    subcommand_negates_reqs = true,
    after_help = "\
Rows are in the order of their signatures, and the same at any number of threads. The column micros
stays empty unless --timings is given, because times differ from run to run. The file is written
beside its place first and appears whole.

stl, obj and xmpuzzle take the figures that the filters leave, or the one named by --figure, which
may be a file and needs no catalog then. stl and obj hold one figure.

Examples:
  somacat export csv somacat.csv
  somacat export soma - --solvable --class D3d
  somacat export cells figures.cells --cells 27
  somacat export jsonl all.jsonl --sort unique --top 100
  somacat export stl pieces.stl --what pieces --clearance 0.3
  somacat export obj tower.obj --figure tower --what packing
  somacat export xmpuzzle puzzle.xmpuzzle --figure my-figure.soma
  somacat export gallery site"
)]
pub(crate) struct ExportArgs {
    /// The format.
    #[arg(value_enum, required = true)]
    kind: Option<Kind>,
    /// The file, or - for standard output.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Fill the column micros.
    #[arg(long)]
    timings: bool,
    #[command(flatten)]
    solid: SolidArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(subcommand)]
    pages: Option<Pages>,
}

pub(super) fn export(global: &Global, args: &ExportArgs) -> anyhow::Result<Exit> {
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
    if let Some(format) = format {
        return to_file(args, |out| write_solids(global, &args.solid, format, &filter, out));
    }
    args.solid.refuse()?;
    let catalog = Catalog::open_read_only(&global.db)?;
    let mut written = 0;
    let exit = to_file(args, |mut out| {
        written = write(&catalog, args, &filter, &mut out)?;
        Ok(())
    })?;
    if written == 0 && !global.quiet {
        eprintln(&nothing_matches(&catalog, &args.filter)?);
    }
    Ok(exit)
}

impl ExportArgs {
    /// Options of every command may come anywhere; those of pages come after their word, and would
    /// otherwise be passed over in silence.
    fn refuse_before_pages(&self) -> anyhow::Result<()> {
        self.solid.refuse()?;
        if self.kind.is_some() || self.timings || self.filter.is_given() {
            let text = "options of gallery and newsletter come after that word, as in `somacat \
                        export gallery site --solvable`; a file of that name is written ./gallery";
            return Err(Usage(text.to_owned()).into());
        }
        Ok(())
    }
}

/// Opens the output, lets it be written, and puts it in place.
fn to_file(
    args: &ExportArgs,
    work: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    if args.file == Path::new("-") {
        work(&mut BufWriter::new(io::stdout().lock()))?;
    } else {
        let shown = || args.file.display().to_string();
        let mut file = OutputFile::create(&args.file).with_context(shown)?;
        work(&mut file).with_context(shown)?;
        file.commit().with_context(shown)?;
    }
    Ok(Exit::Ok)
}

fn write(
    catalog: &Catalog,
    args: &ExportArgs,
    filter: &Filter,
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    let columns = called_columns();
    let mut sink: Box<dyn RowSink + '_> = match args.kind.context("which format?")? {
        Kind::Csv => Box::new(Delimited::csv(out, &columns)?),
        Kind::Tsv => Box::new(Delimited::tsv(out, &columns)?),
        Kind::Jsonl => Box::new(Json::new(out, JsonStyle::Lines, &columns)),
        kind @ (Kind::Soma | Kind::Cells) => {
            let text = if let Kind::Soma = kind { soma_text } else { cells_text };
            let written = catalog.select::<anyhow::Error>(filter, |called| {
                Ok(out.write_all(text(&called)?.as_bytes())?)
            })?;
            out.flush()?;
            return Ok(written);
        }
        Kind::Stl | Kind::Obj | Kind::Xmpuzzle => return Ok(0),
    };
    rows(catalog, filter, args.timings, sink.as_mut())
}

/// Every row that passes the filter, into a sink; returns how many.
pub(super) fn rows(
    catalog: &Catalog,
    filter: &Filter,
    timings: bool,
    sink: &mut dyn RowSink,
) -> anyhow::Result<u64> {
    let written = catalog.select::<anyhow::Error>(filter, |called| {
        Ok(sink.row(&called_fields(&called, timings))?)
    })?;
    sink.finish()?;
    Ok(written)
}

fn cells_text(called: &Called) -> anyhow::Result<String> {
    let figure = called.record.signature.parse::<Signature>()?.figure()?;
    let name = called.record.name.as_deref().unwrap_or(&called.record.signature);
    // A name that the format cannot hold gives way to the signature.
    let line = cells_line(Some(name), &figure)
        .or_else(|_| cells_line(Some(&called.record.signature), &figure))?;
    Ok(line + "\n")
}

fn soma_text(called: &Called) -> anyhow::Result<String> {
    let signature: Signature = called.record.signature.parse()?;
    let name = called.record.name.as_deref().unwrap_or(&called.record.signature);
    // One name that SOMA text cannot hold is no reason to refuse the whole catalog.
    Ok(soma_figure(Some(&name.replace(char::is_control, " ")), None, &signature.figure()?)?)
}
