//! `somacat design`: finds the choices of pieces that build a figure.

use crate::cli::failure::{Failure, Result};
use crate::cli::runs::run::progress;
use crate::cli::shared::input::{RequestedFigures, SetArg, colored_piece_set, no_figure};
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global, eprintln, stop_on_signals};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use somacat_catalog::{DesignRow, KnownDesigns, RunEnd, Session};
use somacat_counting::question::Size;
use somacat_counting::solve::{EngineChoice, Limits, Problem, count, for_each_choice};
use somacat_formats::{Format, check_size, count_noun};
use somacat_geometry::figure::{Candidate, Equivalence, Figure, FigureColors};
use somacat_geometry::outcome::{Counts, Outcome};
use somacat_geometry::pieces::{Piece, PieceSet};
use somacat_geometry::symmetry::Group;
use somacat_output::export::RowSink;
use somacat_run::VERSION;
use somacat_run::{Progress, default_limits};
use std::cmp::Ordering;
use std::ops::ControlFlow;
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

Colors of cells are obeyed (docs/sets.md).

With --catalog every choice has a row in the catalog, those without a packing too. The same command
continues after Ctrl-C. `somacat query --sort difficulty` ranks the rows.

Examples:
  somacat design cube --from 2xSOMA --pieces 7
  somacat design cube --from SOMA+ --pieces 7 --repeat --rank difficulty
  somacat design cube --from dorian --pieces 6 --catalog --db cubes.db
  somacat design cube --from pentacubes.txt --pieces 6 --unique 1 --csv > cubes.csv
  echo '44 44' | somacat design - --from tetracubes --pieces 4 --repeat")]
pub(crate) struct DesignArgs {
    /// A file, -, a box such as 3x3x4, a figure such as '67 77', a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// The universe of pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a set of `somacat
    /// sets`, or a file of pieces.
    #[arg(long, value_name = "SET")]
    from: String,
    /// The number of pieces of a choice.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pieces: u32,
    /// Use each piece any number of times.
    #[arg(long)]
    repeat: bool,
    /// Only choices with K unique packings.
    #[arg(long, value_name = "K")]
    unique: Option<u64>,
    /// Rank the rows: by `unique` count, or by `difficulty`.
    #[arg(long, value_enum, value_name = "KEY")]
    rank: Option<RankKey>,
    /// Write all choices to the catalog (--db) instead of standard output.
    #[arg(long, conflicts_with_all = ["unique", "rank", "OutputArgs"])]
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

/// A choice of pieces that builds the figure.
struct Design {
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
        Ok(rows.row(&[pieces, raw.into(), rotation.into(), unique.into(), self.nodes.into()])?)
    }
}

enum DesignSink<'a> {
    Rows { rows: Box<dyn RowSink>, unique: Option<u64>, ranked: Option<(RankKey, Vec<Design>)> },
    Catalog { session: Box<Session>, known: [KnownDesigns; 2], progress: &'a Progress },
}

impl<'a> DesignSink<'a> {
    fn open(
        global: &Global,
        args: &DesignArgs,
        [name, universe]: [&str; 2],
        forms: &[Candidate; 2],
        progress: &'a Progress,
    ) -> Result<Self> {
        if !args.catalog {
            let rows = args.output.rows(&["pieces", "raw", "rotation", "unique", "nodes"])?;
            let ranked = args.rank.map(|key| (key, Vec::new()));
            return Ok(Self::Rows { rows, unique: args.unique, ranked });
        }
        let repeat = if args.repeat { ", repeated" } else { "" };
        let title = format!("design {name} with {} of {universe}{repeat}", args.pieces);
        let session = Session::begin(&global.db, &title, &VERSION)?;
        let known = |form: &Candidate| session.catalog().known_designs(form.signature());
        let known = [known(&forms[0])?, known(&forms[1])?];
        progress.begin("choices", Size::Unknown);
        Ok(Self::Catalog { session: Box::new(session), known, progress })
    }

    /// Returns the outcome of a choice that the catalog has already.
    fn known(&self, set: &PieceSet) -> Option<&Outcome> {
        match self {
            Self::Rows { .. } => None,
            Self::Catalog { known, .. } => known[form_of(set)].outcome(set),
        }
    }

    fn take(&mut self, counted: Vec<DesignRow<'_>>) -> Result<()> {
        match self {
            Self::Catalog { session, progress, .. } => {
                session.keep_designs(&counted)?;
                progress.advance(counted.len() as u64);
            }
            Self::Rows { rows, unique, ranked } => {
                for DesignRow { set, report, .. } in counted {
                    let Outcome::Counted(counts) = report.outcome else { continue };
                    if unique.is_some_and(|wanted| u128::from(wanted) != counts.unique) {
                        continue;
                    }
                    let pieces = set.name().to_owned();
                    let design = Design { pieces, counts, nodes: report.nodes.unwrap_or(0) };
                    match ranked {
                        Some((_, designs)) => designs.push(design),
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
            Self::Catalog { session, progress, .. } => {
                progress.end();
                session.end(if stopped { RunEnd::Stopped } else { RunEnd::Finished })?;
            }
            Self::Rows { mut rows, ranked, .. } => {
                if let Some((key, mut designs)) = ranked {
                    designs.sort_by(|a, b| a.compare(b, key));
                    designs.iter().try_for_each(|design| design.write(rows.as_mut()))?;
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

struct ChoiceCounter<'a> {
    /// The figure up to reflection, and up to rotation alone.
    forms: &'a [Candidate; 2],
    /// Both in canonical position, on which the nodes depend. A figure with colors is as given.
    canonical: [(Figure, Group); 2],
    colors: Option<&'a FigureColors>,
    limits: Limits<'a>,
}

impl<'a> ChoiceCounter<'a> {
    fn count(&self, set: PieceSet) -> Result<DesignRow<'a>> {
        let (begun, form) = (Instant::now(), form_of(&set));
        let (figure, group) = &self.canonical[form];
        let problem = Problem::with_group(figure, &set, *group).with_colors(self.colors);
        let report = count(&problem, self.limits)?;
        let micros = begun.elapsed().as_micros() as u64;
        Ok(DesignRow { figure: self.forms[form].columns(), set, report, micros })
    }
}

/// A search through the choices, with the numbers so far.
struct DesignSearch<'a> {
    counter: ChoiceCounter<'a>,
    target: DesignSink<'a>,
    batch: Vec<PieceSet>,
    batch_size: usize,
    tried: usize,
    known: usize,
    found: usize,
    in_one_way: usize,
}

impl DesignSearch<'_> {
    /// Adds a choice, and counts a batch when it is full.
    fn add(&mut self, choice: PieceSet) -> Result<()> {
        if let Some(outcome) = self.target.known(&choice) {
            let outcome = outcome.clone();
            self.known += 1;
            self.tally(&outcome);
        } else {
            self.batch.push(choice);
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
        let batch = std::mem::take(&mut self.batch);
        let counter = &self.counter;
        let results: Vec<_> = batch.into_par_iter().map(|set| counter.count(set)).collect();
        let mut rows = Vec::with_capacity(results.len());
        for result in results {
            let row = result?;
            // A stop ended this count and perhaps later ones.
            if !row.report.outcome.is_exact() {
                break;
            }
            self.tally(&row.report.outcome);
            rows.push(row);
        }
        self.target.take(rows)
    }

    fn tally(&mut self, outcome: &Outcome) {
        self.tried += 1;
        if let Outcome::Counted(counts) = outcome {
            self.found += 1;
            self.in_one_way += usize::from(counts.unique == 1);
        }
    }
}

pub(crate) fn design(global: &Global, args: &DesignArgs) -> Result<Exit> {
    let universe = colored_piece_set(&args.from)?;
    let stop = stop_on_signals()?;
    let texts = std::slice::from_ref(&args.figure);
    let figures = RequestedFigures::open(global, texts, args.format, Some(&SetArg::Auto))?;
    let Some(requested) = figures.obeying_colors().sole()? else { return Ok(no_figure()) };
    let colors = requested.colors.as_deref();
    if colors.is_some_and(FigureColors::has_optional) {
        return Err(Failure::usage(
            "design fills every cell, but some cells of this figure may stay empty (`~`)",
        ));
    }
    if args.catalog && (colors.is_some() || universe.is_colored()) {
        return Err(Failure::usage(
            "a catalog does not keep the colors of cells; leave --catalog out, or remove the colors",
        ));
    }
    let (name, cells) = (&requested.label, requested.figure.len());
    let universe = if args.repeat { repeated(&universe, cells) } else { universe };
    let limits = Limits { engine: EngineChoice::Search, ..default_limits(stop) };
    let forms = [Equivalence::Reflections, Equivalence::Rotations]
        .map(|equivalence| Candidate::new(requested.figure.clone(), equivalence));
    let progress = progress(global, None);
    let mut search = DesignSearch {
        counter: ChoiceCounter {
            canonical: forms.each_ref().map(|form| match colors {
                Some(_) => (requested.figure.clone(), form.group()),
                None => form.canonical(),
            }),
            colors,
            forms: &forms,
            limits,
        },
        target: DesignSink::open(global, args, [name, universe.name()], &forms, &progress)?,
        batch: Vec::new(),
        batch_size: FIRST_BATCH,
        tried: 0,
        known: 0,
        found: 0,
        in_one_way: 0,
    };
    let mut failed = None;
    let whole = for_each_choice(&universe, cells, Some(args.pieces as usize), &mut |choice| {
        failed = search.add(choice).err();
        if failed.is_some() || limits.stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    failed.map_or(Ok(()), Err)?;
    if whole.is_continue() {
        search.count_batch()?;
    }
    let DesignSearch { target, tried, known, found, in_one_way, .. } = search;
    let stopped = limits.stopped();
    target.finish(stopped)?;
    let number = Some(args.pieces as usize);
    if tried + known == 0
        && !stopped
        && let Err(refusal) = check_size(cells, &universe.partial(number))
    {
        eprintln(&format!("{name}: {refusal}"));
    }
    let choices = count_noun(tried, "choice");
    let build = if found == 1 { "builds" } else { "build" };
    let before = match known {
        0 => String::new(),
        known => format!("; {known} were counted before"),
    };
    let end = match (stopped, args.catalog) {
        (false, _) => "",
        (true, false) => "; stopped early",
        (true, true) => "; stopped early; the same command continues",
    };
    global.note(&format!(
        "{name}: {found} of {choices} {build} it, {in_one_way} in one way{before}{end}"
    ));
    Ok(if stopped { Exit::Stopped } else { Exit::Ok })
}

/// Returns the pieces with as many copies as the figure's cells allow.
fn repeated(universe: &PieceSet, cells: usize) -> PieceSet {
    let copies = |(piece, _): &(Piece, usize)| (piece.clone(), cells / piece.size());
    PieceSet::new(universe.name(), universe.pieces().iter().map(copies))
}
