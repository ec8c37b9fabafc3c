//! `somacat count`: counts the packings of figures, one row per figure.

use crate::cli::failure::{Failure, Result};
use crate::cli::shared::bytes::parse_bytes;
use crate::cli::shared::input::{RequestedFigure, RequestedFigures, SetArg};
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global, eprintln, start_threads, stop_flag, stop_on_signals};
use clap::{Args, ValueEnum};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use somacat_counting::antislide::{BoxTop, HeldBox, count_held};
use somacat_counting::enumerate::FigureNumber;
use somacat_counting::question::CountedRow;
use somacat_counting::solve::{
    EngineChoice, Limits, LongSearches, Problem, Remainder, count_partial, unique_by_part,
};
use somacat_formats::{Format, check_size, count_noun};
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::outcome::{Engine, Outcome, Reason, Report};
use somacat_geometry::pieces::PieceSet;
use somacat_output::export::{COUNT_COLUMNS, Field, FigureRow, column_names, column_values};
use somacat_run::{SearchDisplay, default_limits, try_figure};
use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of figures that are counted before their rows are written.
const BATCH_FIGURES: usize = 2048;

/// The nodes of a search for a figure's solutions, unless `--nodes` sets them.
const SOLUTION_NODES: u64 = 20_000_000;

/// The most short figures counted before anyone could stop the program.
const MOMENT_FIGURES: usize = 64;

#[derive(Args, Debug)]
#[command(after_help = "\
Writes one row per figure in input order, as a table on a terminal and as CSV in a pipe:
name,cells,signature,class,order,parity,verdict,reason,raw,rotation,unique,nodes,micros,engine

FIGURE is a file (- for standard input), a folder, a box (3x3x4), a figure ('67 77'), a signature,
or a name in the catalog. Figures of the catalog are counted with the set that the catalog has for
them, and problems of BurrTools with their own pieces.

In SOMA text a figure may show pieces in place: digits or letters for them, one of * # o O x X + ? @
for free cells. The free cells are counted. With the verdict `at-least` the search stopped at a
limit, and raw is a lower bound. With `unknown` it stopped before it found a packing.

Cells marked ~ may stay empty, the others are filled; with --gaps any cells may stay empty. Colors
of cells are obeyed (docs/sets.md). Class and order are then those of the figure with its colors and
empty cells, and the signature is that of its shape.

A set may have ranges of copies, as in --set 'V0..2 L T': a row counts the packings with all
choices of pieces within them. With --partial, each choice has a row; in a set without ranges, any
pieces may be left out. A choice without a row has no packing. If all cells may stay empty, the
choice `none` has one. Limits apply to each choice, and micros is the time of its own count. A row
without `pieces` stands for all choices without a row. None of them has a packing or, with the
verdict `unknown`, the program was stopped before it counted them.

With --anti-slide, only packings in which nothing slides are counted, those that solve writes; a
figure without any is `unsolvable`. With --open-top pieces may leave upwards, and counts up to
symmetry are those up to the symmetries that keep the top.

Examples:
  echo '333 333 333' | somacat count -
  somacat count cube
  somacat count figures.soma more.soma
  somacat count --set 2xSOMA --limit 1 double.soma
  somacat count --set 'V L T2' --table eleven-cells.soma
  somacat count --partial --set 2xSOMA figures.soma
  somacat count --partial --pieces 4 1x3x5
  somacat count --set 'V0..2 L T Z' 1x3x5
  somacat count --gaps 2x3x5
  somacat count --anti-slide --gaps --set S12 4x4x4")]
pub(crate) struct CountArgs {
    /// Files, folders, - for standard input, boxes, figures in quotes, signatures, or names in the catalog.
    #[arg(value_name = "FIGURE", default_value = "-")]
    figures: Vec<String>,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as V L T2, a file of pieces, or auto: by the
    /// number of cells and the marks. SOMA for files unless given or in the file.
    #[arg(long)]
    set: Option<String>,
    /// Cover figures with some of the pieces: one row for each choice of pieces that works, and a
    /// column `pieces` that names it.
    #[arg(long, conflicts_with = "by_part")]
    partial: bool,
    /// With --partial: choices of N pieces.
    #[arg(long, value_name = "N", requires = "partial", value_parser = clap::value_parser!(u64).range(1..))]
    pieces: Option<u64>,
    /// Any cells may stay empty, as many as the figure has more than the pieces fill. Packings that leave
    /// other cells empty are different.
    #[arg(long, conflicts_with = "by_part")]
    gaps: bool,
    /// Only packings in which nothing slides.
    #[arg(long, conflicts_with_all = ["partial", "by_part", "engine", "memory"])]
    anti_slide: bool,
    /// With --anti-slide: pieces may slide upwards.
    #[arg(
        long, requires = "anti_slide",
        conflicts_with_all = ["partial", "by_part", "engine", "memory"]
    )]
    open_top: bool,
    /// Add a column `unique_by_part`: packings up to moving each separate part by itself. For
    /// figures with millions of packings at most.
    #[arg(long)]
    by_part: bool,
    #[command(flatten)]
    limits: CountLimitArgs,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

// The limits of each count.
#[derive(Args, Debug)]
pub(crate) struct CountLimitArgs {
    /// Stop after N packings per figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Search limit per figure, in nodes; beyond it a lower bound is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The counting engine. The search visits the packings; the frontier engine counts equivalent
    /// partial packings together and holds its states in memory; auto searches first and counts
    /// slow figures with the frontier engine. With frontier, nodes are states.
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineArg,
    /// Memory for the frontier engine, such as 500M, 4G or 3GiB; 3 GiB by default. Counts that need
    /// more are refused, or with auto left to the search. Never more than three quarters of the
    /// memory that the machine, its control group and `ulimit` allow.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
}

impl CountLimitArgs {
    pub(crate) fn limits<'a>(&self, searches: Option<&'a LongSearches>) -> Limits<'a> {
        Limits {
            packings: self.limit.map(u128::from),
            nodes: self.nodes,
            engine: self.engine.into(),
            memory: self.memory,
            searches,
            ..default_limits(stop_flag())
        }
    }

    /// Returns the limits of a search for solutions. Without `--nodes` it tries at most [`SOLUTION_NODES`].
    pub(crate) fn for_solutions(&self) -> Limits<'static> {
        Limits { nodes: self.nodes.or(Some(SOLUTION_NODES)), ..default_limits(stop_flag()) }
    }

    /// Refuses a limit on packings with the frontier engine, which never has some of them only.
    pub(crate) fn require_obeyed(&self) -> Result<()> {
        if self.limit.is_some() && self.engine == EngineArg::Frontier {
            return Err(Failure::usage(
                "--limit has no effect with --engine frontier, which counts all packings at once; leave one out",
            ));
        }
        Ok(())
    }

    /// Returns the options given that only counts obey.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let limit = self.limit.map(|_| "--limit");
        let engine = (self.engine != EngineArg::Auto).then_some("--engine");
        let memory = self.memory.map(|_| "--memory");
        [limit, engine, memory].into_iter().flatten()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum EngineArg {
    Auto,
    Search,
    Frontier,
}

impl From<EngineArg> for EngineChoice {
    fn from(arg: EngineArg) -> Self {
        match arg {
            EngineArg::Auto => Self::Auto,
            EngineArg::Search => Self::Search,
            EngineArg::Frontier => Self::Frontier,
        }
    }
}

pub(crate) fn count(global: &Global, args: &CountArgs) -> Result<Exit> {
    args.limits.require_obeyed()?;
    // The figure of a number is searched on all threads.
    let mut threads = args.figures.iter().any(|text| text.parse::<FigureNumber>().is_ok());
    if threads {
        start_threads(global, ThreadPoolBuilder::new().use_current_thread())?;
    }
    let set = SetArg::with_colors(args.set.as_deref())?;
    // With --partial and --gaps, figures may have any number of cells.
    let assessed = (!args.partial && !args.gaps).then_some(&set);
    let figures = RequestedFigures::open(global, &args.figures, args.format, assessed)?;
    let mut figures = figures.obeying_colors().with_gaps(args.gaps);
    let searches = Arc::new(LongSearches::default());
    let limits = args.limits.limits(Some(&searches));
    let mut columns = column_names(&COUNT_COLUMNS);
    columns.extend(args.partial.then_some("pieces"));
    columns.extend(args.by_part.then_some("unique_by_part"));
    let mut rows = args.output.rows(&columns)?;
    let (mut failed, mut stoppable) = (false, false);
    let soma_cells = PieceSet::soma(1).total_cells();
    let is_short = |one: &RequestedFigure| {
        args.set.is_none()
            && !args.partial
            && !args.gaps
            && !args.by_part
            && !args.anti_slide
            && one.figure.len() <= soma_cells
    };
    // Listening to signals takes a thread, which takes as long to start as a figure to be counted.
    let mut listen =
        || if stoppable { Ok(()) } else { stop_on_signals().map(|_| stoppable = true) };
    if !figures.are_at_hand() {
        listen()?;
    }
    loop {
        let chunk = figures.chunk(BATCH_FIGURES)?;
        if chunk.is_empty() {
            break;
        }
        if chunk.len() > MOMENT_FIGURES || !chunk.iter().all(is_short) {
            listen()?;
        }
        let counted = |requested: &RequestedFigure| match set.for_figure(requested) {
            Ok(set) => CountRows::new(requested, &requested.with_gaps(set), args, limits),
            Err(why) => CountRows::refused(requested, &why, columns.len() > COUNT_COLUMNS.len()),
        };
        let mut write = |result: CountRows| -> Result<()> {
            failed |= result.failed;
            result.note.iter().for_each(|note| eprintln(note));
            result.fields().try_for_each(|fields| Ok(rows.row(&fields)?))
        };
        let results: Vec<CountRows> = match &chunk[..] {
            // Threads take as long to start as most figures of one SOMA set take to be counted.
            [one] if !threads && global.threads.is_none() && is_short(one) => vec![counted(one)],
            several => {
                if !threads {
                    start_threads(global, ThreadPoolBuilder::new().use_current_thread())?;
                    threads = true;
                }
                let shown = !global.quiet && stderr().is_terminal();
                let _display = shown.then(|| SearchDisplay::begin(Arc::clone(&searches)));
                if args.partial {
                    // A figure may have millions of rows, so each is written at once.
                    let each = |one| CountRows::partial(one, &set, args, limits, &mut write);
                    several.iter().try_for_each(each)?;
                    Vec::new()
                } else {
                    several.par_iter().map(counted).collect()
                }
            }
        };
        results.into_iter().try_for_each(write)?;
        if limits.stopped() {
            break;
        }
    }
    rows.finish()?;
    if let Some(counts) = figures.entry_counts().filter(|_| !global.quiet) {
        eprintln(&format!("entries: {counts}"));
    }
    if limits.stopped() {
        return Ok(Exit::Stopped);
    }
    Ok(if failed { Exit::Partial } else { Exit::Ok })
}

#[derive(Default)]
struct CountRows {
    label: String,
    /// The rows, each with the value of any additional column.
    rows: Vec<(CountedRow, Option<Field<'static>>)>,
    /// A message for standard error.
    note: Option<String>,
    /// True if something could not be counted.
    failed: bool,
}

fn error_text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl CountRows {
    fn of(requested: &RequestedFigure) -> Self {
        Self { label: requested.label.clone(), ..Self::default() }
    }

    /// Returns the fields of each row.
    fn fields(&self) -> impl Iterator<Item = Vec<Field<'_>>> {
        self.rows.iter().map(|(row, extra)| {
            let row = FigureRow { name: Some(&self.label), ..FigureRow::from(row) };
            let mut fields = column_values(&COUNT_COLUMNS, row);
            fields.extend(extra.clone());
            fields
        })
    }

    /// Counts a figure with all pieces.
    fn new(
        requested: &RequestedFigure,
        set: &PieceSet,
        args: &CountArgs,
        limits: Limits<'_>,
    ) -> Self {
        let begun = Instant::now();
        let given = requested.given();
        let candidate = given.candidate(set);
        let report = match args.anti_slide {
            true => count_without_slides(requested, set, args.open_top, limits),
            false => given.count(&candidate, set, limits),
        };
        let micros = begun.elapsed().as_micros() as u64;
        let mut result = Self { failed: report.is_err(), ..Self::of(requested) };
        // Without --gaps, the figure's size was assessed before.
        let too_small = args.gaps.then(|| check_size(requested.figure.len(), set).err()).flatten();
        result.note = too_small.map(|refusal| format!("{}: {refusal}", requested.label));
        let by_part = args.by_part.then(|| {
            let unique = match (&requested.marks, &report) {
                (_, Err(_)) => Ok(None),
                (Some(_), _) => {
                    Err("moving a part by itself would move the pieces in place".to_owned())
                }
                (None, Ok(_)) if requested.colors.is_some() => {
                    let are_gaps = requested.colors.as_ref().is_some_and(|one| one.are_gaps());
                    let with = if are_gaps { "cells that may stay empty" } else { "colors" };
                    Err(format!("the parts of a figure with {with} are not moved separately"))
                }
                (None, Ok(_)) if set.is_choice() => {
                    Err("with ranges of copies, parts are not moved separately".to_owned())
                }
                (None, Ok(_)) => try_figure(|| unique_by_part(&requested.figure, set, limits)),
            };
            match unique {
                Ok(unique) => unique.into(),
                Err(why) => {
                    result.failed = true;
                    result.note = Some(format!("{}: no unique_by_part: {why}", requested.label));
                    Field::Empty
                }
            }
        });
        let report = report.unwrap_or_else(|error| Report::failed(&error));
        result.rows.push((record(requested, &candidate, report, micros), by_part));
        result
    }

    /// Returns the row of a figure without a set. `column` adds an empty column.
    fn refused(requested: &RequestedFigure, why: &str, column: bool) -> Self {
        let candidate = Candidate::new(requested.figure.clone(), Equivalence::Reflections);
        let row = record(requested, &candidate, Report::failed(&why), 0);
        let rows = vec![(row, column.then_some(Field::Empty))];
        Self { rows, failed: true, ..Self::of(requested) }
    }

    /// Counts a figure with every choice of pieces. Passes each row to `write` as soon as it is known.
    fn partial(
        requested: &RequestedFigure,
        set: &SetArg,
        args: &CountArgs,
        limits: Limits<'_>,
        write: &mut dyn FnMut(Self) -> Result<()>,
    ) -> Result<()> {
        let begun = Instant::now();
        let set = match set.for_figure(requested) {
            Ok(set) => {
                let some = set.partial(args.pieces.map(|number| number as usize));
                requested.with_gaps(some)
            }
            Err(why) => return write(Self::refused(requested, &why, true)),
        };
        let row = |pieces: &PieceSet, report, choice: Option<(&str, Duration)>| {
            let candidate = Candidate::new(requested.figure.clone(), Equivalence::for_set(pieces));
            let (name, time) = choice.unzip();
            let micros = time.unwrap_or_else(|| begun.elapsed()).as_micros() as u64;
            let name = name.map(str::to_owned);
            let rows = vec![(record(requested, &candidate, report, micros), Some(name.into()))];
            Self { rows, ..Self::of(requested) }
        };
        let (mut works, mut written) = (false, Ok(()));
        let total = try_figure(|| {
            let placed = requested.pieces_in_place(&set).map_err(error_text)?.unwrap_or_default();
            let problem = Problem::new(&requested.figure, &set);
            let problem = problem.with_colors(requested.colors.as_deref());
            let counted = count_partial(&problem, &placed, limits, &mut |choice| {
                works = true;
                let own = Some((choice.pieces.name(), choice.time));
                written = write(row(&choice.pieces, choice.report, own));
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            counted.map_err(error_text)
        });
        written?;
        match total {
            Err(error) => write(Self { failed: true, ..row(&set, Report::failed(&error), None) }),
            Ok(total) if !total.complete => {
                let (label, tried) = (&requested.label, count_noun(total.choices, "choice"));
                let note =
                    format!("{label}: stopped after {tried} of pieces; others were not counted");
                let engine = Some(Engine::Search);
                let report = Report { outcome: Outcome::Unknown, nodes: Some(0), engine };
                write(Self { note: Some(note), ..row(&set, report, None) })
            }
            Ok(_) if works => Ok(()),
            Ok(total) => {
                // The size of what pieces in place leave.
                let placed = requested.pieces_in_place(&set).ok().flatten();
                let rest = placed.and_then(|it| Remainder::new(&requested.figure, &set, &it).ok());
                let (cells, pieces) =
                    rest.as_ref().map_or((requested.figure.len(), &set), |rest| {
                        (rest.problem().figure().len(), rest.problem().set())
                    });
                let wrong_size = check_size(cells, pieces).err();
                let reason = if wrong_size.is_some() { Reason::Size } else { Reason::Exhausted };
                let outcome = Outcome::Unsolvable(reason);
                let report = Report { outcome, nodes: Some(total.nodes), engine: None };
                let note = wrong_size.map(|refusal| format!("{}: {refusal}", requested.label));
                write(Self { note, ..row(&set, report, None) })
            }
        }
    }
}

/// Counts the packings in which nothing slides.
fn count_without_slides(
    requested: &RequestedFigure,
    set: &PieceSet,
    open_top: bool,
    limits: Limits<'_>,
) -> std::result::Result<Report, String> {
    if requested.marks.is_some() {
        return Err("--anti-slide takes no pieces in place; remove their marks".to_owned());
    }
    let top = if open_top { BoxTop::Open } else { BoxTop::Closed };
    let (figure, colors) = (&requested.figure, requested.colors.as_deref());
    let held = HeldBox { figure, set, colors, top };
    try_figure(|| count_held(held, limits))
}

/// Returns the row of a newly counted figure.
fn record(
    requested: &RequestedFigure,
    candidate: &Candidate,
    report: Report,
    micros: u64,
) -> CountedRow {
    let columns = requested.given().columns(candidate);
    CountedRow { columns, report, micros: Some(micros) }
}
