//! `somacat export gallery`: a catalog as a static site.

use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::nothing::nothing_matches;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::{Catalog, Filter, Row};
use crate::dossier::{Dossier, Subject};
use crate::export::Gallery;
use crate::figure::Signature;
use crate::solve::Limits;
use clap::Args;
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;

/// Write a static site: an index to filter, and a page with a 3D view for each figure
#[derive(Args, Debug)]
#[command(after_help = "\
The pages work from the file system and on any web server, and fetch nothing from elsewhere. The
folder is written beside its place first and appears whole; a folder that a gallery export wrote
before is replaced, any other that is not empty is refused. The same catalog gives the same bytes.

Examples:
  somacat export gallery site
  somacat export gallery best --solvable --sort unique --top 500 --title 'The 500 easiest'
  somacat export gallery watch --steps 2000 --name tower")]
pub(crate) struct GalleryArgs {
    /// The folder to write.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The title of the pages.
    #[arg(long, default_value = "SOMA figures")]
    title: String,
    /// Put the first N steps of a search on each page, to step through.
    #[arg(long, alias = "trace", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: Option<u32>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// How long to look for a sample packing.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// Search limit for the sample packing of a figure, in nodes.
    #[arg(long, alias = "budget", value_name = "N", default_value_t = 20_000_000)]
    nodes: u64,
}

/// Figures are searched and written in groups of so many.
const GROUP: usize = 256;

pub(super) fn export_gallery(global: &Global, args: &GalleryArgs) -> Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let filter = args.filter.filter()?;
    let mut gallery = Gallery::create(&args.folder, &args.title)?;
    let mut written = 0;
    let exit = dossiers(&catalog, &filter, &args.search, args.steps, |group| {
        written += group.len();
        Ok(gallery.add(group)?)
    })?;
    if exit != Exit::Ok {
        return Ok(exit);
    }
    // An empty gallery is a slip in a filter, and must not replace a full one.
    if written == 0 {
        let nothing = nothing_matches(&catalog, &args.filter)?;
        return Err(Failure::failed(format!("{nothing}; no gallery was written")));
    }
    gallery.finish()?;
    if !global.quiet {
        let index = args.folder.join("index.html");
        eprintln(&format!("{}; open {}", figures(written), index.display()));
    }
    Ok(Exit::Ok)
}

/// `1 figure`, `12 figures`.
pub(super) fn figures(n: usize) -> String {
    format!("{n} {}", if n == 1 { "figure" } else { "figures" })
}

/// Shows every figure that passes the filter, with a sample packing and so many steps of a search, to
/// `take`, group by group in the order of the filter.
pub(super) fn dossiers(
    catalog: &Catalog,
    filter: &Filter,
    search: &SearchArgs,
    steps: Option<u32>,
    mut take: impl FnMut(&[Dossier]) -> Result<()>,
) -> Result<Exit> {
    let limits =
        Limits { nodes: Some(search.nodes), stop: Some(stop_on_signals()?), ..Limits::default() };
    let sets = catalog.sets_by_name()?;
    // The rows of each figure, in the order in which figures come first.
    let mut figures: Vec<Vec<Row>> = Vec::new();
    let mut positions: HashMap<Signature, usize> = HashMap::new();
    catalog.select::<Failure>(filter, |row| {
        let next = figures.len();
        let at = *positions.entry(row.record.signature.clone()).or_insert(next);
        if at == next {
            figures.push(Vec::new());
        }
        figures[at].push(row);
        Ok(())
    })?;
    let mut figures = figures.into_iter();
    loop {
        let group = figures.by_ref().take(GROUP);
        let subjects: Result<Vec<Subject>> =
            group.map(|rows| Ok(Subject::of_rows(catalog, rows, &sets)?)).collect();
        let subjects = subjects?;
        if subjects.is_empty() {
            return Ok(Exit::Ok);
        }
        let make = |subject: &Subject| {
            let mut dossier = Dossier::new(subject);
            dossier.find_packings(limits);
            if let Some(steps) = steps {
                // A figure that the solver cannot take has no packing on its page either.
                let _ = dossier.record_searches(limits, steps as usize);
            }
            dossier
        };
        let made: Vec<Dossier> = subjects.par_iter().map(make).collect();
        if limits.stopped() {
            return Ok(Exit::Stopped);
        }
        take(&made)?;
    }
}
