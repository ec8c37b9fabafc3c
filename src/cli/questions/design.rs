//! `somacat design`: finds the choices of pieces that build a figure, and the hardest figures for some pieces.

use crate::cli::failure::{Failure, Result};
use crate::cli::runs::run::progress;
use crate::cli::shared::input::{
    RequestedFigure, RequestedFigures, SetArg, colored_piece_set, no_figure,
};
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global, eprintln, report_refused, stop_on_signals};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use somacat_catalog::{DesignRow, KnownDesigns, RunEnd, Session};
use somacat_counting::question::Size;
use somacat_counting::solve::{EngineChoice, Limits, Problem, count, for_each_choice};
use somacat_formats::{Format, check_size, count_noun};
use somacat_geometry::figure::{Candidate, Equivalence, Figure, FigureColors};
use somacat_geometry::outcome::{Counts, Outcome, Report};
use somacat_geometry::pieces::{MAX_COPIES, Piece, PieceSet};
use somacat_geometry::symmetry::Group;
use somacat_output::export::RowSink;
use somacat_run::VERSION;
use somacat_run::{Progress, default_limits};
use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of choices counted at first before their rows are written.
const FIRST_BATCH: usize = 64;

/// The times that a batch should take. Its size is doubled or halved to reach them.
const BATCH_TIME: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];

#[derive(Args, Debug)]
#[command(after_help = "\
Writes one row for each choice of N pieces that builds the figure: the pieces, their packings (raw,
up to rotation, unique), and the nodes of the search that counted them, a measure of difficulty.
A choice has each piece at most as often as the universe has it, or with --repeat any number of
times. A choice and its mirror image are different choices.

Rows are written during the search, in the order of the universe: more of its first pieces first.
After Ctrl-C they are complete up to some choice. With --rank they follow at the end, or after
Ctrl-C: fewest packings first, and of as many the hardest first, or simply the hardest first. The
difficulty is the number of nodes for each unique packing.

With --gaps, cells may stay empty, as many as a choice leaves. So may cells marked ~ without it.

With --targets, FIGURE stands for any number of figures: files, -, boxes. Rows begin with the name
of the figure. Without --pieces, the choice is the whole set. So the hardest figures for given
pieces are
  somacat enumerate buildable --class D4h | somacat design - --targets --from SOMA --rank difficulty

With --nodes a count ends after as many nodes. Such choices are reported, and have no row.

Colors of cells are obeyed (docs/sets.md).

With --catalog every choice has a row in the catalog, those without a packing too. The same command
continues after Ctrl-C. `somacat query --sort difficulty` ranks the rows.

Examples:
  somacat design cube --from 2xSOMA --pieces 7
  somacat design cube --from SOMA+ --pieces 7 --repeat --rank difficulty
  somacat design 3x3x3 --from 'V I L T Z A B P S Q' --pieces 7 --repeat --catalog --db cubes.db
  somacat design 3x3x3 --from mine.txt --pieces 6 --unique 1 --csv > cubes.csv
  echo '44 44' | somacat design - --from tetracubes --pieces 4 --repeat
  somacat design 2x4x4 --gaps --from SOMA+ --pieces 7 --rank difficulty --top 10
  somacat design --targets 2x3x5 3x3x4 2x4x4 --gaps --from SOMA --rank unique
  somacat enumerate buildable --class D4h | somacat design - --targets --from SOMA --unique 1")]
pub(crate) struct DesignArgs {
    /// A file, -, a box such as 3x3x4, a figure such as '67 77', a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE", required = true)]
    figures: Vec<String>,
    /// The universe of pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a set of `somacat
    /// sets`, or a file of pieces.
    #[arg(long, value_name = "SET")]
    from: String,
    /// The number of pieces of a choice. With --targets, all pieces if not given.
    #[arg(
        long, value_name = "N", required_unless_present = "targets",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pieces: Option<u32>,
    /// Any number of figures, each with a row for each choice that builds it.
    #[arg(long)]
    targets: bool,
    /// Any cells may stay empty, as many as the figure has more than the pieces fill.
    #[arg(long)]
    gaps: bool,
    /// Use each piece any number of times.
    #[arg(long)]
    repeat: bool,
    /// Only choices with K unique packings.
    #[arg(long, value_name = "K")]
    unique: Option<u64>,
    /// Rank the rows: by `unique` count, or by `difficulty`.
    #[arg(long, value_enum, value_name = "KEY")]
    rank: Option<RankKey>,
    /// With --rank: only the first N rows.
    #[arg(long, value_name = "N", requires = "rank", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// Search limit for each choice, in nodes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Write all choices to the catalog (--db) instead of standard output.
    #[arg(long, conflicts_with_all = ["unique", "rank", "top", "targets", "gaps", "nodes", "OutputArgs"])]
    catalog: bool,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum RankKey {
    /// The fewest unique packings first, then the hardest.
    Unique,
    /// The most nodes for each unique packing first.
    Difficulty,
}

/// A choice of pieces that builds a figure.
struct Design {
    /// The name of the figure, if there are several.
    figure: Option<String>,
    pieces: String,
    counts: Counts,
    nodes: u64,
}

impl Design {
    /// Compares nodes for each unique packing, the most first.
    fn by_difficulty(&self, other: &Self) -> Ordering {
        let [own, others] =
            [(self, other), (other, self)].map(|(a, b)| u128::from(a.nodes) * b.counts.unique);
        others.cmp(&own)
    }

    fn compare(&self, other: &Self, key: RankKey) -> Ordering {
        let by_unique = self.counts.unique.cmp(&other.counts.unique);
        match key {
            RankKey::Unique => by_unique.then_with(|| self.by_difficulty(other)),
            RankKey::Difficulty => self.by_difficulty(other).then(by_unique),
        }
    }

    fn write(&self, rows: &mut dyn RowSink) -> Result<()> {
        let Counts { raw, rotation, unique } = self.counts;
        let pieces = self.pieces.as_str().into();
        let counts = [pieces, raw.into(), rotation.into(), unique.into(), self.nodes.into()];
        let figure = self.figure.iter().map(|figure| figure.as_str().into());
        Ok(rows.row(&figure.chain(counts).collect::<Vec<_>>())?)
    }
}

/// The best rows, in order.
struct Ranking {
    key: RankKey,
    top: usize,
    designs: Vec<Design>,
}

impl Ranking {
    fn add(&mut self, design: Design) {
        self.designs.push(design);
        if self.designs.len() >= self.top.saturating_mul(2).saturating_add(1000) {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.designs.sort_by(|a, b| a.compare(b, self.key));
        self.designs.truncate(self.top);
    }
}

enum DesignSink {
    Rows { rows: Box<dyn RowSink>, unique: Option<u64>, ranking: Option<Ranking> },
    Catalog { session: Box<Session>, known: [KnownDesigns; 2] },
}

impl DesignSink {
    /// Opens the sink for rows, those of figures that are named.
    fn rows(args: &DesignArgs) -> Result<Self> {
        let columns = ["figure", "pieces", "raw", "rotation", "unique", "nodes"];
        let rows = args.output.rows(&columns[usize::from(!args.targets)..])?;
        let top = args.top.map_or(usize::MAX, |top| top as usize);
        let ranking = args.rank.map(|key| Ranking { key, top, designs: Vec::new() });
        Ok(Self::Rows { rows, unique: args.unique, ranking })
    }

    fn catalog(
        global: &Global,
        args: &DesignArgs,
        universe: &PieceSet,
        target: &Target,
    ) -> Result<Self> {
        let repeat = if args.repeat { ", repeated" } else { "" };
        let pieces = args.pieces.unwrap_or_default();
        let (name, from) = (&target.label, universe.name());
        let title = format!("design {name} with {pieces} of {from}{repeat}");
        let session = Session::begin(&global.db, &title, &VERSION)?;
        let known = |form: &Candidate| session.catalog().known_designs(form.signature());
        let known = [known(&target.forms[0])?, known(&target.forms[1])?];
        Ok(Self::Catalog { session: Box::new(session), known })
    }

    /// Returns the outcome of a choice that the catalog has already.
    fn known(&self, set: &PieceSet) -> Option<&Outcome> {
        match self {
            Self::Rows { .. } => None,
            Self::Catalog { known, .. } => known[form_of(set)].outcome(set),
        }
    }

    fn take(&mut self, counted: Vec<Counted>, is_named: bool) -> Result<()> {
        match self {
            Self::Catalog { session, .. } => {
                let row = |one: Counted| {
                    let Counted { target, set, report, micros } = one;
                    (target, form_of(&set), set, report, micros)
                };
                let counted: Vec<_> = counted.into_iter().map(row).collect();
                let rows = counted.iter().map(|(target, form, set, report, micros)| DesignRow {
                    figure: target.forms[*form].columns(),
                    set: set.clone(),
                    report: report.clone(),
                    micros: *micros,
                });
                session.keep_designs(&rows.collect::<Vec<_>>())?;
            }
            Self::Rows { rows, unique, ranking } => {
                for Counted { target, set, report, .. } in counted {
                    let Outcome::Counted(counts) = report.outcome else { continue };
                    if unique.is_some_and(|wanted| u128::from(wanted) != counts.unique) {
                        continue;
                    }
                    let figure = is_named.then(|| target.label.clone());
                    let (pieces, nodes) = (set.name().to_owned(), report.nodes.unwrap_or(0));
                    let design = Design { figure, pieces, counts, nodes };
                    match ranking {
                        Some(ranking) => ranking.add(design),
                        None => design.write(rows.as_mut())?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the ranked rows or ends the session.
    fn finish(self, stopped: bool) -> Result<()> {
        match self {
            Self::Catalog { session, .. } => {
                session.end(if stopped { RunEnd::Stopped } else { RunEnd::Finished })?;
            }
            Self::Rows { mut rows, ranking, .. } => {
                if let Some(mut ranking) = ranking {
                    ranking.sort();
                    ranking.designs.iter().try_for_each(|design| design.write(rows.as_mut()))?;
                }
                rows.finish()?;
            }
        }
        Ok(())
    }
}

/// Returns the index of the equivalence of figures for a set.
fn form_of(set: &PieceSet) -> usize {
    usize::from(Equivalence::for_set(set) == Equivalence::Rotations)
}

/// A figure to build.
struct Target {
    label: String,
    /// The figure up to reflection, and up to rotation alone.
    forms: [Candidate; 2],
    /// Both in canonical position, on which the nodes depend. A figure with colors is as given.
    canonical: [(Figure, Group); 2],
    colors: Option<Box<FigureColors>>,
}

/// The count of a choice.
struct Counted {
    target: Arc<Target>,
    set: PieceSet,
    report: Report,
    micros: u64,
}

impl Target {
    fn new(requested: RequestedFigure) -> Self {
        let RequestedFigure { label, figure, colors, .. } = requested;
        let forms = [Equivalence::Reflections, Equivalence::Rotations]
            .map(|equivalence| Candidate::new(figure.clone(), equivalence));
        let canonical = forms.each_ref().map(|form| match colors {
            Some(_) => (figure.clone(), form.group()),
            None => form.canonical(),
        });
        Self { label, forms, canonical, colors }
    }

    fn count(self: Arc<Self>, set: PieceSet, limits: Limits<'_>) -> Result<Counted> {
        let (begun, form) = (Instant::now(), form_of(&set));
        let (figure, group) = &self.canonical[form];
        let problem = Problem::with_group(figure, &set, *group).with_colors(self.colors.as_deref());
        let report = count(&problem, limits)?;
        let micros = begun.elapsed().as_micros() as u64;
        Ok(Counted { target: self, set, report, micros })
    }
}

/// A search through the choices, with the numbers so far.
struct DesignSearch<'a> {
    limits: Limits<'a>,
    sink: DesignSink,
    progress: &'a Progress,
    /// True if rows name their figures.
    is_named: bool,
    batch: Vec<(Arc<Target>, PieceSet)>,
    batch_size: usize,
    tried: usize,
    known: usize,
    found: usize,
    in_one_way: usize,
    /// The number of choices that reached the limit of nodes.
    undecided: usize,
}

impl DesignSearch<'_> {
    /// Adds a choice, and counts a batch when it is full.
    fn add(&mut self, target: &Arc<Target>, choice: PieceSet) -> Result<()> {
        if let Some(outcome) = self.sink.known(&choice) {
            let outcome = outcome.clone();
            self.known += 1;
            self.tally(&outcome);
        } else {
            self.batch.push((Arc::clone(target), choice));
        }
        if self.batch.len() < self.batch_size {
            return Ok(());
        }
        let begun = Instant::now();
        self.count_batch()?;
        self.batch_size = match begun.elapsed() {
            time if time < BATCH_TIME[0] => self.batch_size * 2,
            time if time > BATCH_TIME[1] => self.batch_size.div_ceil(2),
            _ => self.batch_size,
        };
        Ok(())
    }

    fn count_batch(&mut self) -> Result<()> {
        let (batch, limits) = (std::mem::take(&mut self.batch), self.limits);
        // A large figure takes seconds before its count can be stopped, so after a stop no other is begun.
        let count = |(target, set): (Arc<Target>, PieceSet)| {
            (!limits.stopped()).then(|| target.count(set, limits))
        };
        let results: Vec<_> = batch.into_par_iter().map(count).collect();
        let mut counted = Vec::with_capacity(results.len());
        for result in results {
            let Some(result) = result else { break };
            let one = result?;
            // A stop ended this count and perhaps later ones.
            if !one.report.outcome.is_exact() && limits.stopped() {
                break;
            }
            self.tally(&one.report.outcome);
            counted.push(one);
        }
        self.progress.advance(counted.len() as u64);
        self.sink.take(counted, self.is_named)
    }

    fn tally(&mut self, outcome: &Outcome) {
        self.tried += 1;
        self.undecided += usize::from(!outcome.is_exact());
        if let Outcome::Counted(counts) = outcome {
            self.found += 1;
            self.in_one_way += usize::from(counts.unique == 1);
        }
    }

    /// Returns a summary. `subject` names the figure, or says how many there were.
    fn summary(&self, subject: &str, end: &str) -> String {
        let Self { tried, known, found, in_one_way, undecided, .. } = *self;
        let choices = count_noun(tried, "choice");
        let (build, one) = match (found, self.is_named) {
            (1, false) => ("builds", "it"),
            (_, false) => ("build", "it"),
            (1, true) => ("builds", "the figure"),
            (_, true) => ("build", "the figure"),
        };
        let limit = match undecided {
            0 => String::new(),
            undecided => format!("; {undecided} reached the limit of nodes"),
        };
        let before = match known {
            0 => String::new(),
            known => format!("; {known} were counted before"),
        };
        format!(
            "{subject}: {found} of {choices} {build} {one}, {in_one_way} in one way{limit}{before}{end}"
        )
    }
}

/// The reason why `--catalog` refuses a set or a figure.
const NO_COLORS: &str = "a catalog does not keep the colors of cells, nor cells that may stay empty; leave --catalog out, \
                         or remove them";

/// The figures that are read together.
const BATCH_FIGURES: usize = 1024;

pub(crate) fn design(global: &Global, args: &DesignArgs) -> Result<Exit> {
    let universe = colored_piece_set(&args.from)?;
    let stop = stop_on_signals()?;
    let assessed = (!args.gaps).then_some(&SetArg::Auto);
    let figures = RequestedFigures::open(global, &args.figures, args.format, assessed)?;
    let mut figures = figures.obeying_colors().with_gaps(args.gaps);
    let mut first = None;
    if !args.targets {
        let Some(requested) = figures.sole_or("--targets takes several")? else {
            return Ok(no_figure());
        };
        if requested.marks.is_some() {
            eprintln(&in_place(&requested.label));
            return Ok(Exit::Partial);
        }
        if args.catalog && universe.is_colored() {
            return Err(Failure::usage(NO_COLORS));
        }
        if args.catalog && requested.colors.is_some() {
            eprintln(&format!("{}: {NO_COLORS}", requested.label));
            return Ok(Exit::Partial);
        }
        first = Some(requested);
    }
    let limits = Limits { engine: EngineChoice::Search, nodes: args.nodes, ..default_limits(stop) };
    let progress = progress(global, None);
    let mut chunk: Vec<RequestedFigure> = first.into_iter().collect();
    let sink = match (args.catalog, chunk.first()) {
        (true, Some(requested)) => {
            DesignSink::catalog(global, args, &universe, &Target::new(requested.clone()))?
        }
        _ => DesignSink::rows(args)?,
    };
    // Rows show the progress unless they follow at the end.
    if args.catalog || args.rank.is_some() {
        progress.begin("choices", Size::Unknown);
    }
    let mut search = DesignSearch {
        limits,
        sink,
        progress: &progress,
        is_named: args.targets,
        batch: Vec::new(),
        batch_size: FIRST_BATCH,
        tried: 0,
        known: 0,
        found: 0,
        in_one_way: 0,
        undecided: 0,
    };
    let (mut number, mut label) = (0_usize, String::new());
    loop {
        if args.targets {
            chunk = figures.chunk(BATCH_FIGURES)?;
        }
        if chunk.is_empty() || limits.stopped() {
            break;
        }
        for requested in chunk.drain(..) {
            number += 1;
            if requested.marks.is_some() {
                report_refused(&in_place(&requested.label));
                continue;
            }
            label.clone_from(&requested.label);
            search_choices(&mut search, args, &universe, requested)?;
        }
    }
    if !limits.stopped() {
        search.count_batch()?;
    }
    let stopped = limits.stopped();
    let end = if stopped { stop_text(args) } else { "" };
    let subject = if args.targets { count_noun(number, "figure") } else { label };
    let summary = search.summary(&subject, end);
    progress.end();
    search.sink.finish(stopped)?;
    global.note(&summary);
    Ok(if stopped { Exit::Stopped } else { Exit::Ok })
}

fn in_place(label: &str) -> String {
    format!(
        "{label}: `design` fills empty figures; give all cells one mark, without pieces in place"
    )
}

/// Ends the summary after a request to stop.
const fn stop_text(args: &DesignArgs) -> &'static str {
    match args.catalog {
        false => "; stopped early",
        true => "; stopped early; the same command continues",
    }
}

/// Counts a figure with the choices of pieces that the options ask for.
fn search_choices(
    search: &mut DesignSearch<'_>,
    args: &DesignArgs,
    universe: &PieceSet,
    requested: RequestedFigure,
) -> Result<()> {
    let cells = requested.figure.len();
    let universe = match args.repeat {
        true => repeated(universe, cells, args.pieces),
        false => universe.clone(),
    };
    let Some(pieces) = args.pieces.map(|pieces| pieces as usize) else {
        let set = requested.with_gaps(universe);
        return search.add(&Arc::new(Target::new(requested)), set);
    };
    let name = requested.label.clone();
    let choices = requested.with_gaps(universe.partial(Some(pieces)));
    let (target, limits) = (Arc::new(Target::new(requested)), search.limits);
    let (mut failed, mut none) = (None, true);
    let _ = for_each_choice(&choices, cells, Some(pieces), &mut |choice| {
        none = false;
        failed = search.add(&target, choice).err();
        if failed.is_some() || limits.stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if none
        && !limits.stopped()
        && let Err(refusal) = check_size(cells, &choices)
    {
        eprintln(&format!("{name}: {refusal}"));
    }
    failed.map_or(Ok(()), Err)
}

/// Returns the pieces with as many copies as the figure's cells allow, or as are chosen together: where no choice fits,
/// the nearest that would may be larger than the figure.
fn repeated(universe: &PieceSet, cells: usize, pieces: Option<u32>) -> PieceSet {
    let most = pieces.map_or(0, |pieces| (pieces as usize).min(MAX_COPIES));
    let copies = |(piece, _): &(Piece, usize)| (piece.clone(), most.max(cells / piece.size()));
    PieceSet::new(universe.name(), universe.pieces().iter().map(copies))
}
