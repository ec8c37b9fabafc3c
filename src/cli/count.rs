//! `somacat count`: figures in, one row each out.

use super::bytes::parse_bytes;
use super::failure::Result;
use super::input::{Asked, Figures, SetArg};
use super::output::OutputArgs;
use super::{Exit, Global, eprintln, start_threads, stop_on_signals};
use crate::catalog::Record;
use crate::export::{Field, RECORD_COLUMNS, record_fields};
use crate::figure::{Candidate, Identity};
use crate::formats::Format;
use crate::outcome::{Engine, Outcome, Reason, Report};
use crate::pieces::PieceSet;
use crate::run::{default_limits, try_figure};
use crate::solve::{
    self, EngineChoice, Limits, Placement, Problem, Remainder, count_partial, unique_by_part,
};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use std::time::Instant;

/// Figures counted at a time before their rows are written.
const CHUNK: usize = 2048;

#[derive(Args, Debug)]
#[command(after_help = "\
Writes a table on a terminal and CSV in a pipe, one row per figure in the order of the input:
name,cells,signature,class,order,parity,verdict,reason,raw,rotation,unique,nodes,micros,engine

The figures are those of files (- for standard input), or single ones by their signatures or their
names in the catalog, which are counted with the set that the catalog has them with.

In SOMA text a figure may show pieces in place: digits or letters for them, one of * # o O x X + ? @
for free cells. What is left is counted. With the verdict `at-least` the search stopped at a limit
and raw is a lower bound; with `unknown` it found nothing before it stopped.

With --partial a choice of pieces without a row has no packing. Limits hold for each choice. A row
without `pieces` speaks of all choices that have no row: none works, or, with the verdict `unknown`,
the program was stopped before they were tried.

Examples:
  echo '333 333 333' | somacat count -
  somacat count cube
  somacat count figures.soma more.soma
  somacat count --set 2xSOMA --limit 1 double.soma
  somacat count --set 'V L T2' --table eleven-cells.soma
  somacat count --partial --set 2xSOMA figures.soma")]
pub(crate) struct CountArgs {
    /// Files, - for standard input, signatures, or names in the catalog.
    #[arg(value_name = "FIGURE", default_value = "-")]
    figures: Vec<String>,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a file of pieces, or auto: by the
    /// number of cells and the marks. SOMA for files unless given.
    #[arg(long)]
    set: Option<String>,
    /// Cover figures with some of the pieces: one row for each choice of pieces that works, and a
    /// column `pieces` that names it.
    #[arg(long, conflicts_with = "by_part")]
    partial: bool,
    /// Add a column `unique_by_part`: packings up to moving each separate part by itself. For
    /// figures with millions of packings at most.
    #[arg(long)]
    by_part: bool,
    /// Stop after N packings per figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Search limit per figure, in nodes; beyond it a lower bound is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How to count. The search walks through the packings; the frontier engine counts partial
    /// packings together that look alike and holds its states in memory; auto searches first and
    /// counts with the frontier engine what takes long. With frontier, nodes are states.
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineArg,
    /// Memory for the frontier engine, such as 500M, 4G or 3GiB: what does not fit is refused, or with
    /// auto left to the search. 3 GiB if not given. Never more than three quarters of what the machine,
    /// its control group and `ulimit` leave.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// The file's format, soma, cells, heightmap or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

/// How to count.
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

pub(super) fn count(global: &Global, args: &CountArgs) -> Result<Exit> {
    let mut figures = Figures::open(global, &args.figures, args.format)?;
    let set = SetArg::new(args.set.as_deref())?;
    let stop = stop_on_signals()?;
    let limits = Limits {
        packings: args.limit.map(u128::from),
        nodes: args.nodes,
        engine: args.engine.into(),
        memory: args.memory,
        ..default_limits(stop)
    };
    let mut columns = RECORD_COLUMNS.to_vec();
    columns.extend(args.partial.then_some("pieces"));
    columns.extend(args.by_part.then_some("unique_by_part"));
    let mut rows = args.output.rows(&columns)?;
    let (mut failed, mut threads) = (false, global.threads.is_some());
    loop {
        let chunk = figures.chunk(CHUNK)?;
        if chunk.is_empty() {
            break;
        }
        let counted = |asked: &Asked| match set.of(asked) {
            Ok(set) => Answer::new(asked, &set, args, limits),
            Err(why) => Answer::refused(asked, &why, columns.len() > RECORD_COLUMNS.len()),
        };
        let answers: Vec<Answer> = match &chunk[..] {
            // Threads take as long to start as most figures take to be counted.
            [one] if !threads => vec![counted(one)],
            several => {
                if !threads {
                    start_threads(0)?;
                    threads = true;
                }
                several.par_iter().map(counted).collect()
            }
        };
        for answer in &answers {
            failed |= answer.failed;
            answer.note.iter().for_each(|note| eprintln(note));
            for (record, extra) in &answer.rows {
                let mut fields = record_fields(record).to_vec();
                fields.extend(extra.clone());
                rows.row(&fields)?;
            }
        }
        if limits.stopped() {
            break;
        }
    }
    rows.finish()?;
    if limits.stopped() {
        return Ok(Exit::Stopped);
    }
    Ok(if failed || figures.faults() > 0 { Exit::Partial } else { Exit::Ok })
}

/// What is said of one figure.
#[derive(Default)]
struct Answer {
    /// The rows, each with the value of the additional column if there is one.
    rows: Vec<(Record, Option<Field<'static>>)>,
    /// What no column tells.
    note: Option<String>,
    /// Something could not be counted.
    failed: bool,
}

fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Answer {
    /// One row, or with `--partial` one for each choice of pieces.
    fn new(asked: &Asked, set: &PieceSet, args: &CountArgs, limits: Limits<'_>) -> Self {
        if args.partial {
            return Self::partial(asked, set, limits);
        }
        let begun = Instant::now();
        let candidate = Candidate::new(asked.figure.clone(), Identity::for_set(set));
        let report = try_figure(|| match asked.placed(set).map_err(in_words)? {
            Some(placed) => count_remainder(asked, &placed, set, limits),
            None => {
                let problem = Problem::with_group(&asked.figure, set, candidate.group());
                solve::count(&problem, limits).map_err(in_words)
            }
        });
        let micros = begun.elapsed().as_micros() as u64;
        let mut answer = Self { failed: report.is_err(), ..Self::default() };
        let by_part = args.by_part.then(|| {
            let unique = match (&asked.marks, &report) {
                (_, Err(_)) => Ok(None),
                (Some(_), _) => {
                    Err("moving a part by itself would move the pieces in place".to_owned())
                }
                (None, Ok(_)) => try_figure(|| unique_by_part(&asked.figure, set, limits)),
            };
            match unique {
                Ok(unique) => unique.into(),
                Err(why) => {
                    answer.failed = true;
                    answer.note = Some(format!("{}: no unique_by_part: {why}", asked.label));
                    Field::Empty
                }
            }
        });
        let report = report.unwrap_or_else(|error| Report::failed(&error));
        answer.rows.push((record(asked, &candidate, report, micros), by_part));
        answer
    }

    /// The row of a figure for which there is no set; there may be an additional column.
    fn refused(asked: &Asked, why: &str, column: bool) -> Self {
        let candidate = Candidate::new(asked.figure.clone(), Identity::Reflections);
        let row = record(asked, &candidate, Report::failed(&why), 0);
        Self { rows: vec![(row, column.then_some(Field::Empty))], note: None, failed: true }
    }

    /// The rows of all choices of pieces.
    fn partial(asked: &Asked, set: &PieceSet, limits: Limits<'_>) -> Self {
        let begun = Instant::now();
        let done = try_figure(|| {
            let placed = asked.placed(set).map_err(in_words)?.unwrap_or_default();
            count_partial(&asked.figure, set, &placed, limits).map_err(in_words)
        });
        let micros = begun.elapsed().as_micros() as u64;
        let row = |pieces: &PieceSet, report, named: bool| {
            let candidate = Candidate::new(asked.figure.clone(), Identity::for_set(pieces));
            let name = named.then(|| pieces.name().to_owned());
            (record(asked, &candidate, report, micros), Some(name.into()))
        };
        let done = match done {
            Ok(done) => done,
            Err(error) => {
                let rows = vec![row(set, Report::failed(&error), false)];
                return Self { rows, note: None, failed: true };
            }
        };
        let mut answer = Self::default();
        let none = done.reports.is_empty();
        let rows = done.reports.into_iter().map(|one| row(&one.pieces, one.report, true));
        answer.rows.extend(rows);
        if done.untried > 0 {
            let (label, untried, choices) = (&asked.label, done.untried, done.choices);
            answer.note = Some(format!(
                "{label}: stopped; {untried} of {choices} choices of pieces not tried"
            ));
            let engine = Some(Engine::Search);
            let report = Report { outcome: Outcome::Unknown, nodes: Some(0), engine };
            answer.rows.push(row(set, report, false));
        } else if none {
            let reason = if done.choices > 0 { Reason::Exhausted } else { Reason::Size };
            let outcome = Outcome::Unsolvable(reason);
            let report = Report { outcome, nodes: Some(done.nodes), engine: None };
            answer.rows.push(row(set, report, false));
        }
        answer
    }
}

/// Counts what is left when the pieces in place are taken out.
fn count_remainder(
    asked: &Asked,
    placed: &[Placement],
    set: &PieceSet,
    limits: Limits<'_>,
) -> std::result::Result<Report, String> {
    let rest = Remainder::new(&asked.figure, set, placed).map_err(in_words)?;
    solve::count(&rest.problem(), limits).map_err(in_words)
}

/// The row of a figure that was counted just now.
fn record(asked: &Asked, candidate: &Candidate, report: Report, micros: u64) -> Record {
    Record::new(Some(asked.label.clone()), candidate.columns(), Some(report), Some(micros))
}
