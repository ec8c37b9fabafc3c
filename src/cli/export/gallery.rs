//! `somacat export gallery`: writes a catalog as a static site.

use super::gallery_contents::{BATCH_FIGURES, GalleryContents, work_for};
use super::given_figures::{CountingArgs, GivenFigures, split_figures};
use crate::cli::failure::{Failure, Result};
use crate::cli::shared::filter::{SelectionArgs, filters_without_set};
use crate::cli::shared::no_match::no_match;
use crate::cli::shared::output::folder_parser;
use crate::cli::{Exit, Global};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use somacat_catalog::{Catalog, Filter, NamePattern, PublishedCount, Row, SortKey};
use somacat_counting::enumerate::FigureNumber;
use somacat_counting::solve::Limits;
use somacat_formats::count_noun;
use somacat_geometry::figure::{Candidate, Equivalence, Signature};
use somacat_geometry::outcome::Verdict;
use somacat_output::dossier::{Dossier, Subject};
use somacat_output::export::{
    AdditionalFiles, FeedDates, Gallery, GalleryPlan, PageNumber, SiteFolder,
};
use somacat_run::VERSION;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use toml::value::Datetime;

#[derive(Args, Debug)]
#[command(after_help = "\
The pages work from the file system and on any web server, and load nothing from other sites. The
folder appears when it is complete. It replaces an earlier gallery; any other folder that is not
empty is refused. The same catalog gives the same bytes.

Named buildable figures come first, unless --sort sets another order.

Figures of --figure in files need no catalog. Those without a count in the catalog are counted;
--set chooses their pieces: by the number of cells and the marks if not given. The search for
solutions tries 20,000,000 nodes for each figure, or --nodes.

Examples:
  somacat export gallery site
  somacat export gallery best --solvable --sort unique --top 500 --title 'The 500 easiest'
  somacat export gallery all --extras named --url https://example.org/soma/
  somacat export gallery mine --figure my-figures.soma
  somacat export gallery watch --steps 2000 --name tower")]
pub(crate) struct GalleryArgs {
    /// The folder to write.
    #[arg(value_name = "DIR", value_parser = folder_parser())]
    folder: PathBuf,
    /// The title of the pages.
    #[arg(long, default_value = "SOMA figures")]
    title: String,
    /// At most N unique solutions for each figure and set.
    #[arg(long, value_name = "N", default_value_t = 100)]
    solutions: usize,
    /// Figures that get solutions, downloadable files and a picture for shared links.
    #[arg(long, value_name = "WHICH", value_enum, default_value = "all")]
    extras: ExtrasFor,
    /// The gallery's future address. The pictures of shared links and the feed need it.
    #[arg(long, value_name = "URL", value_parser = address, default_value = "", hide_default_value = true)]
    url: String,
    /// One date for all entries of the feed, as 2026-11-23. It replaces the dates of the runs that counted the figures.
    #[arg(long, value_name = "DATE", value_parser = date, requires = "url")]
    date: Option<String>,
    /// Show the first N steps of a search on each page.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: Option<u32>,
    /// The figures in this order, instead of filters: files, signatures, or names in the catalog; FIGURE,FIGURE,…
    #[arg(long, value_name = "FIGURE", conflicts_with_all = filters_without_set().chain(["OrderArgs"]))]
    figure: Vec<String>,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum ExtrasFor {
    /// Every figure.
    All,
    /// Only figures with a name: for large catalogs.
    Named,
}

impl ExtrasFor {
    const fn files(self) -> AdditionalFiles {
        match self {
            Self::All => AdditionalFiles::All,
            Self::Named => AdditionalFiles::Named,
        }
    }
}

/// Parses a web address and appends a slash if it has none.
fn address(text: &str) -> std::result::Result<String, String> {
    if !(text.is_empty() || text.starts_with("https://") || text.starts_with("http://")) {
        return Err("the address must begin with https:// or http://".to_owned());
    }
    let slash = if text.is_empty() || text.ends_with('/') { "" } else { "/" };
    Ok(format!("{text}{slash}"))
}

/// Checks a date without time.
pub(crate) fn date(text: &str) -> std::result::Result<String, String> {
    let is_date =
        |value: Datetime| value.date.is_some() && value.time.is_none() && value.offset.is_none();
    match text.parse() {
        Ok(value) if is_date(value) => Ok(text.to_owned()),
        _ => Err("write a day as in 2027-05-01".to_owned()),
    }
}

pub(crate) fn export_gallery(global: &Global, args: &GalleryArgs) -> Result<Exit> {
    let contents = GalleryContents {
        solutions: args.solutions,
        of: args.extras.files(),
        steps: args.steps.map(|steps| steps as usize),
        for_pages: true,
    };
    if args.figure.is_empty() {
        args.counting.require_none()?;
        let catalog = Catalog::open_read_only(&global.db)?;
        let filter = args.selection.filter(&catalog)?;
        let mut selection = FigureSelection::new(&catalog, &filter)?;
        if filter.sort == SortKey::Signature {
            selection.sort_for_visitors()?;
        }
        let order = selection.signatures();
        // A mistake in a filter gives an empty gallery, which must not replace a full one.
        if order.is_empty() {
            let message = no_match(&catalog, &args.selection.filter)?;
            return Err(Failure::failed(format!("{message}; no gallery was written")));
        }
        let limits = args.counting.limits().for_solutions();
        write_gallery(global, args, Some(&catalog), order, |gallery| {
            selection.dossiers(limits, contents, |group| Ok(gallery.add(group)?))
        })
    } else {
        let texts: Vec<_> = split_figures(&args.figure).map(|text| (text, None)).collect();
        let set = args.selection.filter.set.as_deref();
        let given = GivenFigures::read(global, &texts, set, &args.counting)?;
        let order = given.signatures();
        if order.is_empty() {
            return Err(Failure::refused(
                "none of the figures can be shown; no gallery was written",
            ));
        }
        // Figures of files have no dates.
        let catalog = Catalog::open_read_only(&global.db).ok();
        write_gallery(global, args, catalog.as_ref(), order, |gallery| {
            given.dossiers(global, &args.counting, contents, |group| Ok(gallery.add(group)?))
        })
    }
}

/// Writes the gallery of some figures. `add` adds them in their order.
fn write_gallery(
    global: &Global,
    args: &GalleryArgs,
    catalog: Option<&Catalog>,
    order: Vec<Signature>,
    add: impl FnOnce(&mut Gallery) -> Result<Exit>,
) -> Result<Exit> {
    let number = order.len();
    // Refuses a folder before any work.
    let folder = SiteFolder::create(&args.folder, "gallery")?;
    let (title, url) = (args.title.clone(), args.url.clone());
    let of_figures = match (&args.date, url.is_empty(), catalog) {
        (None, false, Some(catalog)) => catalog.times_of_counts()?,
        _ => HashMap::new(),
    };
    let usual = format!("{}T00:00:00Z", args.date.as_deref().unwrap_or("1970-01-01"));
    let dates = FeedDates { usual, of_figures };
    let (numbers, version) = (numbers_of(catalog, &order)?, VERSION.clone());
    let extras = args.extras.files();
    let mut published: HashMap<Signature, Vec<(String, PublishedCount)>> = HashMap::new();
    for (set, count) in catalog.map(Catalog::published_counts).transpose()?.unwrap_or_default() {
        published.entry(count.signature.clone()).or_default().push((set, count));
    }
    let plan = GalleryPlan { title, url, version, dates, extras, order, numbers, published };
    let mut gallery = Gallery::new(folder, plan)?;
    let exit = add(&mut gallery)?;
    gallery.finish()?;
    let index = args.folder.join("index.html");
    global.note(&format!("{}; open {}", count_noun(number, "figure"), index.display()));
    Ok(exit)
}

/// Returns the numbers of figures, which are the titles of those that nobody named.
///
/// A figure has its permanent number (`D3d-27.6`), if its class has one for each figure. Else it has its running number in
/// the catalog (`C1-27 #6`), which figures that are added later do not change. A figure that is not in the catalog has no
/// running number.
fn numbers_of(
    catalog: Option<&Catalog>,
    order: &[Signature],
) -> Result<HashMap<Signature, PageNumber>> {
    let candidate =
        |signature: &Signature| Ok(Candidate::new(signature.figure()?, Equivalence::Reflections));
    let candidates = order.par_iter().map(candidate).collect::<Result<Vec<Candidate>>>()?;
    let all: Vec<&Candidate> = candidates.iter().collect();
    let permanent = FigureNumber::of_all(&all);
    let others = order.iter().zip(&permanent).filter(|(_, number)| number.is_none());
    let others: HashSet<Signature> = others.map(|(signature, _)| signature.clone()).collect();
    let running = match catalog {
        Some(catalog) => catalog.running_numbers(&others)?,
        None => HashMap::new(),
    };
    let number = |(at, signature): (usize, &Signature)| {
        let number = match (permanent[at], running.get(signature)) {
            (Some(number), _) => PageNumber { text: number.to_string(), permanent: true },
            (None, Some(running)) => {
                let text = format!("{} #{running}", FigureNumber::series(all[at]));
                PageNumber { text, permanent: false }
            }
            (None, None) => return None,
        };
        Some((signature.clone(), number))
    };
    Ok(order.iter().enumerate().filter_map(number).collect())
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LabelKind {
    Name,
    /// The figure's file and its number there.
    File,
    Signature,
}

/// Returns the sort key of a figure: the kind of label, then buildable before others, then the name.
///
/// Equal keys keep the order of signatures.
fn gallery_order(label_kind: LabelKind, rows: &[Row]) -> (LabelKind, bool, String) {
    let verdict = |row: &Row| row.report.as_ref().map(|report| report.outcome.verdict());
    let buildable = rows.iter().filter_map(verdict).any(Verdict::is_buildable);
    let name = rows.first().and_then(|row| row.names.first());
    (label_kind, !buildable, name.map(|name| name.to_lowercase()).unwrap_or_default())
}

/// The figures that pass a filter, each with its rows.
pub(crate) struct FigureSelection<'a> {
    catalog: &'a Catalog,
    name: Option<NamePattern>,
    figures: Vec<Vec<Row>>,
}

impl<'a> FigureSelection<'a> {
    /// Selects figures with all their rows that pass the filter, in the order of their first rows. The filter's limit
    /// is the number of figures.
    pub(crate) fn new(catalog: &'a Catalog, filter: &Filter) -> Result<Self> {
        let filter = Filter { stored_proofs: true, ..filter.clone() };
        let figures = catalog.select_figures(&filter)?;
        Ok(Self { catalog, name: filter.name, figures })
    }

    /// Sorts the figures by [`gallery_order`].
    fn sort_for_visitors(&mut self) -> Result<()> {
        let mut keyed = Vec::with_capacity(self.figures.len());
        for rows in std::mem::take(&mut self.figures) {
            let named = rows.first().filter(|row| !row.names.is_empty());
            let label_kind = match named {
                None => LabelKind::Signature,
                Some(row) => {
                    let origins = self.catalog.origins(&row.figure.signature)?;
                    let by_name = origins.iter().any(|origin| origin.name.is_some());
                    if by_name { LabelKind::Name } else { LabelKind::File }
                }
            };
            keyed.push((gallery_order(label_kind, &rows), rows));
        }
        keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.figures = keyed.into_iter().map(|(_, rows)| rows).collect();
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.figures.is_empty()
    }

    fn signatures(&self) -> Vec<Signature> {
        let first = |rows: &Vec<Row>| rows.first().map(|row| row.figure.signature.clone());
        self.figures.iter().filter_map(first).collect()
    }

    /// Passes the dossiers of all figures to `take`, group by group.
    pub(crate) fn dossiers(
        self,
        limits: Limits<'_>,
        contents: GalleryContents,
        mut take: impl FnMut(&[Dossier]) -> Result<()>,
    ) -> Result<Exit> {
        let sets = self.catalog.sets_by_name()?;
        let work = work_for(self.figures.len());
        let (name, mut figures) = (self.name.as_ref(), self.figures.into_iter());
        loop {
            let group = figures.by_ref().take(BATCH_FIGURES);
            let subjects: Result<Vec<Subject>> =
                group.map(|rows| Ok(Subject::of_rows(self.catalog, rows, &sets, name)?)).collect();
            let subjects = subjects?;
            if subjects.is_empty() {
                return Ok(Exit::Ok);
            }
            let figures = subjects.iter().map(Dossier::new).collect();
            take(&contents.complete(figures, limits, work))?;
        }
    }
}
