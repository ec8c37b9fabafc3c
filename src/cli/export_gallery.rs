//! `somacat export gallery`: a catalog as a static site.

use super::filter::FilterArgs;
use super::lookup::MOST_ORIGINS;
use super::nothing::nothing_matches;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::{Catalog, Filter};
use crate::export::{ByFigure, Dossier, Gallery, Known};
use crate::pieces::PieceSet;
use crate::solve::Limits;
use anyhow::bail;
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
  somacat export gallery watch --trace 2000 --name tower")]
pub(crate) struct GalleryArgs {
    /// The folder to write.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The title of the pages.
    #[arg(long, default_value = "SOMA figures")]
    title: String,
    /// Put the first N steps of a search on each page, to step through.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    trace: Option<u32>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// How long to look for a sample packing.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// Look for the sample packing of a figure until so many pieces were placed.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    budget: u64,
}

/// Figures are searched and written in groups of so many.
const GROUP: usize = 256;

pub(super) fn export_gallery(global: &Global, args: &GalleryArgs) -> anyhow::Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let filter = args.filter.filter()?;
    let mut gallery = Gallery::create(&args.folder, &args.title)?;
    let mut written = 0;
    let exit = dossiers(&catalog, &filter, &args.search, args.trace, |group| {
        written += group.len();
        Ok(gallery.add(group)?)
    })?;
    if exit != Exit::Ok {
        return Ok(exit);
    }
    // An empty gallery is a slip in a filter, and must not replace a full one.
    if written == 0 {
        bail!("{}; no gallery was written", nothing_matches(&catalog, &args.filter)?);
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
    mut take: impl FnMut(&[Dossier]) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let limits =
        Limits { nodes: Some(search.budget), stop: Some(stop_on_signals()?), ..Limits::default() };
    let sets: HashMap<String, PieceSet> =
        catalog.piece_sets()?.into_values().map(|set| (set.name().to_owned(), set)).collect();
    let mut by_figure = ByFigure::default();
    catalog.select::<anyhow::Error>(filter, |row| {
        by_figure.push(row);
        Ok(())
    })?;
    for group in by_figure.into_figures().chunks_mut(GROUP) {
        for known in &mut *group {
            if let Some(row) = known.rows.first() {
                known.entries = catalog.origins(&row.record.signature.parse()?, MOST_ORIGINS)?;
            }
        }
        let make = |known: &Known| -> anyhow::Result<Dossier> {
            let mut dossier = Dossier::new(known, &sets, limits)?;
            if let Some(steps) = steps {
                // A figure that the solver cannot take has no packing on its page either.
                let _ = dossier.add_traces(&sets, limits, steps as usize);
            }
            Ok(dossier)
        };
        let made: anyhow::Result<Vec<Dossier>> = group.par_iter().map(make).collect();
        if limits.stopped() {
            return Ok(Exit::Stopped);
        }
        take(&made?)?;
    }
    Ok(Exit::Ok)
}
