//! `somacat export gallery`: a catalog as a static site.

use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::nothing::nothing_matches;
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::{Catalog, Filter, NamePattern, Row, SortKey};
use crate::dossier::{Dossier, Subject};
use crate::export::{Extras, Gallery, GalleryPlan};
use crate::figure::Signature;
use crate::outcome::Verdict;
use crate::run::default_limits;
use crate::solve::Limits;
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;

/// Write a static site: an index to filter, and a page with a 3D view for each figure
#[derive(Args, Debug)]
#[command(after_help = "\
The pages work from the file system and on any web server, and fetch nothing from elsewhere. The
folder is written beside its place first and appears whole; a folder that a gallery export wrote
before is replaced, any other that is not empty is refused. The same catalog gives the same bytes.

Figures with a name that can be built come first, unless --sort asks for another order.

Examples:
  somacat export gallery site
  somacat export gallery best --solvable --sort unique --top 500 --title 'The 500 easiest'
  somacat export gallery all --extras named --url https://example.org/soma/
  somacat export gallery watch --steps 2000 --name tower")]
pub(crate) struct GalleryArgs {
    /// The folder to write.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The title of the pages.
    #[arg(long, default_value = "SOMA figures")]
    title: String,
    /// At most N unique solutions for each figure and set.
    #[arg(long, value_name = "N", default_value_t = 100)]
    solutions: usize,
    /// Which figures get solutions, files to download and a picture for shared links.
    #[arg(long, value_name = "WHICH", value_enum, default_value = "all")]
    extras: ExtrasArg,
    /// Where the gallery will be published, for the pictures of shared links.
    #[arg(long, value_name = "URL", value_parser = address, default_value = "", hide_default_value = true)]
    url: String,
    /// Put the first N steps of a search on each page, to step through.
    #[arg(long, alias = "trace", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: Option<u32>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum ExtrasArg {
    /// Every figure.
    All,
    /// Only figures with a name: for large catalogs.
    Named,
}

/// The address of a folder on the web, with a slash at its end.
fn address(text: &str) -> std::result::Result<String, String> {
    if !(text.is_empty() || text.starts_with("https://") || text.starts_with("http://")) {
        return Err("an address begins with https:// or http://".to_owned());
    }
    let slash = if text.is_empty() || text.ends_with('/') { "" } else { "/" };
    Ok(format!("{text}{slash}"))
}

/// How long to look for solutions.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// Search limit for the solutions of a figure, in nodes.
    #[arg(long, alias = "budget", value_name = "N", default_value_t = 20_000_000)]
    nodes: u64,
}

/// What is spent on building orders of the solutions of a figure with one set, at most, in cubes of the number of pieces
/// for each stage. A packing of seven pieces has 127 stages at most, so this is enough for a hundred packings.
const WORK: usize = 100 * 127 * 343;

/// The same for all figures of a gallery, who share it. A stage of seven pieces takes a fifth of a millisecond if pieces
/// rest on each other, some milliseconds if only friction may hold them.
const ALL_WORK: usize = 50 * WORK;

/// Figures are searched and written in groups of so many.
const GROUP: usize = 256;

pub(super) fn export_gallery(global: &Global, args: &GalleryArgs) -> Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let filter = args.filter.filter()?;
    let mut selection = Selection::new(&catalog, &filter)?;
    if filter.sort == SortKey::Signature {
        selection.sort_for_visitors()?;
    }
    let order = selection.signatures();
    let number = order.len();
    // An empty gallery is a slip in a filter, and must not replace a full one.
    if number == 0 {
        let nothing = nothing_matches(&catalog, &args.filter)?;
        return Err(Failure::failed(format!("{nothing}; no gallery was written")));
    }
    let (title, url) = (args.title.clone(), args.url.clone());
    let extras = match args.extras {
        ExtrasArg::All => Extras::All,
        ExtrasArg::Named => Extras::Named,
    };
    let mut gallery = Gallery::create(&args.folder, GalleryPlan { title, url, extras, order })?;
    let wanted = Wanted {
        solutions: args.solutions,
        of: extras,
        steps: args.steps.map(|steps| steps as usize),
        orders_that_stand: true,
    };
    let exit = selection.dossiers(&args.search, wanted, |group| Ok(gallery.add(group)?))?;
    if exit != Exit::Ok {
        return Ok(exit);
    }
    gallery.finish()?;
    if !global.quiet {
        let index = args.folder.join("index.html");
        eprintln(&format!("{}; open {}", figures(number), index.display()));
    }
    Ok(Exit::Ok)
}

/// What a figure goes by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CalledBy {
    Name,
    /// The file that it is from, and its number there.
    File,
    Signature,
}

/// Named figures that can be built come first, then the other named ones, then those that go by file and number, then
/// what else can be built; by name, else in the order of the signatures, in which they come.
fn gallery_order(called_by: CalledBy, rows: &[Row]) -> (CalledBy, bool, String) {
    let verdict = |row: &Row| row.record.report.as_ref().map(|report| report.outcome.verdict());
    let buildable = rows.iter().filter_map(verdict).any(Verdict::is_buildable);
    let name = rows.first().and_then(|row| row.names.first());
    (called_by, !buildable, name.map(|name| name.to_lowercase()).unwrap_or_default())
}

/// `1 figure`, `12 figures`.
pub(super) fn figures(n: usize) -> String {
    format!("{n} {}", if n == 1 { "figure" } else { "figures" })
}

/// What to find out about figures.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Unique solutions with each set, at most.
    pub(super) solutions: usize,
    /// Of which figures.
    pub(super) of: Extras,
    /// Steps of a search.
    pub(super) steps: Option<usize>,
    /// Whether the pieces are to be placed so that every stage stands.
    pub(super) orders_that_stand: bool,
}

/// The figures that pass a filter, each with its rows.
pub(super) struct Selection<'a> {
    catalog: &'a Catalog,
    /// The name or title that was asked for.
    asked: Option<NamePattern>,
    figures: Vec<Vec<Row>>,
}

impl<'a> Selection<'a> {
    /// In the order in which figures come first.
    pub(super) fn new(catalog: &'a Catalog, filter: &Filter) -> Result<Self> {
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
        Ok(Self { catalog, asked: filter.name.clone(), figures })
    }

    /// Puts first what visitors come for.
    fn sort_for_visitors(&mut self) -> Result<()> {
        let mut keyed = Vec::with_capacity(self.figures.len());
        for rows in std::mem::take(&mut self.figures) {
            let named = rows.first().filter(|row| !row.names.is_empty());
            let called_by = match named {
                None => CalledBy::Signature,
                Some(row) => {
                    let origins = self.catalog.origins(&row.record.signature)?;
                    let by_name = origins.iter().any(|origin| origin.name.is_some());
                    if by_name { CalledBy::Name } else { CalledBy::File }
                }
            };
            keyed.push((gallery_order(called_by, &rows), rows));
        }
        keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.figures = keyed.into_iter().map(|(_, rows)| rows).collect();
        Ok(())
    }

    fn signatures(&self) -> Vec<Signature> {
        let first = |rows: &Vec<Row>| rows.first().map(|row| row.record.signature.clone());
        self.figures.iter().filter_map(first).collect()
    }

    /// Shows every figure with what is wanted to `take`, group by group.
    pub(super) fn dossiers(
        self,
        search: &SearchArgs,
        wanted: Wanted,
        mut take: impl FnMut(&[Dossier]) -> Result<()>,
    ) -> Result<Exit> {
        let stop = stop_on_signals()?;
        let limits = Limits { nodes: Some(search.nodes), ..default_limits(stop) };
        let sets = self.catalog.sets_by_name()?;
        let work = WORK.min(ALL_WORK / self.figures.len().max(1));
        let (asked, mut figures) = (self.asked.as_ref(), self.figures.into_iter());
        loop {
            let group = figures.by_ref().take(GROUP);
            let subjects: Result<Vec<Subject>> =
                group.map(|rows| Ok(Subject::of_rows(self.catalog, rows, &sets, asked)?)).collect();
            let subjects = subjects?;
            if subjects.is_empty() {
                return Ok(Exit::Ok);
            }
            let make = |subject: &Subject| {
                let mut dossier = Dossier::new(subject);
                if wanted.solutions > 0 && wanted.of.wanted(&dossier.names) {
                    dossier.find_packings(limits, wanted.solutions);
                }
                if wanted.orders_that_stand {
                    dossier.set_up(limits, work);
                }
                if let Some(steps) = wanted.steps {
                    // A figure that the solver cannot take has no packing on its page either.
                    let _ = dossier.record_searches(limits, steps);
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
}
