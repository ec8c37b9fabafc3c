//! `somacat solve`: writes the packings of figures.

use super::one_of_each::OneOfEach;
use super::open_figure::OpenFigure;
use super::packings::{NamedPieces, PackingSink};
use super::trace::TraceObject;
use crate::cli::failure::{Context, Failure, Result, with_causes};
use crate::cli::shared::choice::ChoiceArgs;
use crate::cli::shared::input::{FigureArgs, RequestedFigure, RequestedFigures, SetArg};
use crate::cli::shared::output::{OutputArgs, is_of_file};
use crate::cli::{Exit, Global, report_refused, stop_on_signals};
use clap::Args;
use somacat_counting::antislide::{BoxTop, HeldBox, HeldPackings, visit_held};
use somacat_counting::solve::{Limits, PackingSymmetries, Placement, Problem, first, trace, visit};
use somacat_formats::{Format, count_noun};
use somacat_geometry::figure::prefilter_with_colors;
use somacat_geometry::outcome::{Outcome, Reason, Report};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::somap::SomapCode;
use somacat_output::export::Spelling;
use somacat_run::default_limits;
use std::ops::ControlFlow;

#[derive(Args, Debug)]
#[command(after_help = "\
FIGURE is a file (or - for standard input), a folder, a box (3x3x4), a figure ('67 77'), a
signature, or a name in the catalog. Figures of the catalog are solved with the set that the catalog
has for them, and problems of BurrTools with their own pieces. In SOMA text a figure may show pieces
in place: digits or letters for them, one of * # o O x X + ? @ for free cells. The free cells are
solved. Cells marked ~ may stay empty; with --gaps any cells may.

With --partial, figures are covered with some of the pieces: with --pieces, with so many. Packings
with different choices of pieces are found in one search, so that --first and --limit are quick.

Packings are written as SOMA text, where equal pieces have different marks or do not touch. With
--json or --jsonl a packing is an object with the cells of each piece; with --csv, --tsv or --table
each piece is a row.

Packings of the cube with SOMA have the code of Conway and Guy's map, the SOMAP: the deficient
piece, the central piece if it is another one, and the dexterity. Mirror images have different
codes. --somap R7 selects a code; with --unique, one packing of each class that has such packings is
written in that hand. The map's last letter is not known: R7d selects R7.

With --anti-slide, packings are those in which nothing slides: in none of the six directions can a
piece, or a group of pieces together, move by a cell within FIGURE, the inside of a box. --gaps or
~ leave cells empty. With --open-top pieces may leave upwards, and nothing slides in the other five
directions. A box named by its sides lies on its largest side.

Colors of cells are obeyed (docs/sets.md).

--trace writes one object per figure on one line, for a viewer that steps through the search:
  name, set, cells [[x,y,z],…], placed (pieces in place), complete, packings, and
  steps [{n, depth, piece, cells (positions in the list of cells), solved},…]
A step removes the pieces at its depth and deeper, then places its own. The trace shows the search
of solve, which does not use the figure's symmetry; count does.

Examples:
  echo '333 333 333' | somacat solve --first -
  somacat solve --unique --jsonl s1-2x2x7-yzzzz7
  somacat solve --limit 10 tower
  somacat solve --unique --somap BU2 cube
  somacat solve --first --partial --pieces 12 --set pentacubes 3x4x5
  somacat solve --set 'V0..2 L T Z' 1x3x5
  somacat solve --anti-slide --gaps --unique --set S12 4x4x4
  somacat solve --trace --steps 500 tower > tower.json")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    subject: FigureArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Only packings in which nothing slides.
    #[arg(long, conflicts_with_all = ["somap", "trace"])]
    anti_slide: bool,
    /// With --anti-slide: pieces may slide upwards.
    #[arg(long, requires = "anti_slide", conflicts_with_all = ["somap", "trace"])]
    open_top: bool,
    /// Only one packing, found as fast as possible.
    #[arg(long, conflicts_with_all = ["limit", "unique"])]
    first: bool,
    /// Stop after N packings per figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only one packing of each class under the figure's rotations and reflections.
    #[arg(long)]
    unique: bool,
    /// Only packings of the cube with this code of Conway and Guy. Examples are R7 and BU2.
    #[arg(long, value_name = "CODE")]
    somap: Option<SomapCode>,
    /// Write the numbered placements that the search tries instead of packings.
    #[arg(long, conflicts_with_all = ["first", "unique", "somap", "OutputArgs"])]
    trace: bool,
    /// Maximum number of steps of a trace.
    #[arg(
        long, value_name = "N", default_value = "10000", requires = "trace",
        value_parser = clap::value_parser!(u32).range(1..=10_000_000)
    )]
    steps: u32,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

const BATCH_FIGURES: usize = 1024;

pub(crate) fn solve(global: &Global, args: &SolveArgs) -> Result<Exit> {
    let FigureArgs { figure, set } = &args.subject;
    let set = SetArg::with_colors(set.as_deref())?;
    // With --partial and --gaps, figures may have any number of cells.
    let assessed = (!args.choice.fits_any_size()).then_some(&set);
    let argument = std::slice::from_ref(figure);
    let figures = RequestedFigures::open(global, argument, args.format, assessed)?;
    let mut figures = figures.obeying_colors().with_gaps(args.choice.gaps);
    let stop = stop_on_signals()?;
    let limits = default_limits(stop);
    let mut writer = match args.trace {
        true => None,
        false => Some(PackingWriter { args, limits, sink: PackingSink::new(args.output)? }),
    };
    loop {
        let chunk = figures.chunk(BATCH_FIGURES)?;
        if chunk.is_empty() || limits.stopped() {
            break;
        }
        for requested in &chunk {
            let pieces = match set.for_figure(requested) {
                Ok(pieces) => args.choice.pieces_for(&requested.given(), pieces),
                Err(why) => {
                    report_refused(&format!("{}: {why}", requested.label));
                    continue;
                }
            };
            let summary = match &mut writer {
                Some(writer) => writer.write(requested, &pieces),
                None => traced(requested, &pieces, args, limits),
            };
            let summary = match summary.context(requested.label.clone()) {
                Err(Failure::Error(Exit::Failed, error)) if !is_of_file(&error) => {
                    report_refused(&with_causes(&error));
                    continue;
                }
                summary => summary?,
            };
            global.note(&format!("{}: {summary}", requested.label));
            if limits.stopped() {
                break;
            }
        }
    }
    if let Some(mut writer) = writer {
        writer.sink.finish()?;
    }
    Ok(if limits.stopped() { Exit::Stopped } else { Exit::Ok })
}

/// A writer of the packings that the options select.
struct PackingWriter<'a> {
    args: &'a SolveArgs,
    limits: Limits<'a>,
    sink: PackingSink,
}

impl PackingWriter<'_> {
    /// Writes the packings of a figure; returns a summary.
    fn write(&mut self, requested: &RequestedFigure, set: &PieceSet) -> Result<String> {
        let open = OpenFigure::new(requested, set)?;
        if self.args.anti_slide {
            return self.held_packings(&open);
        }
        let (written, report) = self.packings(&open)?;
        Ok(summary_text(&report, &format!("{written} written"), &open))
    }

    /// Writes the packings of a figure in which nothing slides; returns a summary.
    fn held_packings(&mut self, open: &OpenFigure<'_>) -> Result<String> {
        let Self { args, limits, ref mut sink } = *self;
        if !open.placed.is_empty() {
            return Err(Failure::usage(
                "--anti-slide takes no pieces in place; remove their marks",
            ));
        }
        let top = if args.open_top { BoxTop::Open } else { BoxTop::Closed };
        let (figure, colors) = (open.given.figure, open.given.colors);
        let held = HeldBox { figure, set: open.set, colors, top };
        let selection = if args.unique { HeldPackings::Unique } else { HeldPackings::All };
        let mut chosen = ChosenPackings::new(sink, open, args);
        let mut each = |packing: &[Placement]| chosen.write(&open.whole(packing));
        let report = visit_held(held, selection, limits, &mut each)?;
        let written = chosen.finish()?;
        let numbers = numbers_text(
            &report.outcome,
            &format!("{written} written"),
            " in which nothing slides",
        );
        Ok(numbers.unwrap_or_else(|| match report.outcome {
            Outcome::Unsolvable(_) => "no packing in which nothing slides".to_owned(),
            _ => "stopped before a packing in which nothing slides was found".to_owned(),
        }))
    }

    /// Writes the packings of a figure. Returns their number and the report.
    fn packings(&mut self, open: &OpenFigure<'_>) -> Result<(u64, Report)> {
        let Self { args, limits, ref mut sink } = *self;
        let problem = open.problem();
        if args.somap.is_some() && !open.is_soma_cube() {
            return Err(Failure::usage("--somap needs the 3×3×3 cube and one SOMA set"));
        }
        let mut chosen = ChosenPackings::new(sink, open, args);
        let mut write = |packing: &[Placement]| {
            let pieces = open.whole(packing);
            match args.somap.is_some() && SomapCode::of(&pieces) != args.somap {
                true => ControlFlow::Continue(()),
                false => chosen.write(&pieces),
            }
        };
        let report = if args.first && args.somap.is_none() {
            let (packing, report) = first(&problem, limits)?;
            if let Some(packing) = packing {
                let _ = write(&packing);
            }
            report
        } else {
            // A mirror image has another code.
            let group = problem.group();
            let group = if args.somap.is_some() { group.rotations() } else { group };
            let images = Problem::with_group(problem.figure(), problem.set(), group);
            let select = match args.limit {
                Some(_) => OneOfEach::first_found,
                None => OneOfEach::least,
            };
            let mut one_of_each = args.unique.then(|| select(PackingSymmetries::of(&images)));
            visit(&problem, limits, &mut |packing| {
                let wanted = one_of_each.as_mut().is_none_or(|one| one.selects(packing));
                if wanted { write(packing) } else { ControlFlow::Continue(()) }
            })?
        };
        Ok((chosen.finish()?, report))
    }
}

/// Packings that are written until there are as many as the options ask for.
struct ChosenPackings<'a> {
    sink: &'a mut PackingSink,
    label: &'a str,
    most: Option<u64>,
    written: u64,
    failed: Option<Failure>,
}

impl<'a> ChosenPackings<'a> {
    fn new(sink: &'a mut PackingSink, open: &'a OpenFigure<'_>, args: &SolveArgs) -> Self {
        let most = if args.first { Some(1) } else { args.limit };
        Self { sink, label: &open.requested.label, most, written: 0, failed: None }
    }

    fn write(&mut self, pieces: &NamedPieces) -> ControlFlow<()> {
        self.written += 1;
        self.failed = self.sink.packing(self.label, self.written, pieces).err();
        match self.failed.is_some() || self.most.is_some_and(|most| self.written >= most) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Returns the number written.
    fn finish(self) -> Result<u64> {
        self.failed.map_or(Ok(self.written), Err)
    }
}

/// States the numbers of packings, of which `which` says more; `None` without any.
fn numbers_text(outcome: &Outcome, written: &str, which: &str) -> Option<String> {
    match outcome {
        Outcome::Counted(counts) => Some(format!(
            "{written}; {}{which}, {} up to rotation, {} up to rotation and reflection",
            count_noun(counts.raw, "packing"),
            counts.rotation,
            counts.unique
        )),
        Outcome::AtLeast(raw) => {
            let are = if *raw == 1 { "is" } else { "are" };
            Some(format!("{written}; there {are} at least {}{which}", count_noun(*raw, "packing")))
        }
        Outcome::Unsolvable(_) | Outcome::Unknown | Outcome::Failed(_) => None,
    }
}

/// Writes the trace of the search; returns a summary.
fn traced(
    requested: &RequestedFigure,
    set: &PieceSet,
    args: &SolveArgs,
    limits: Limits<'_>,
) -> Result<String> {
    let open = OpenFigure::new(requested, set)?;
    let limits = Limits { packings: args.limit.map(u128::from), ..limits };
    let record = trace(&open.problem(), limits, args.steps as usize)?;
    let in_place = open.by_name(&open.placed);
    let names = (requested.label.as_str(), set.name());
    let named = |placements: &[Placement]| open.named(placements);
    TraceObject::new(names, requested.figure.cells(), &in_place, &record, named).write()?;
    let cut = if record.complete { "the whole search" } else { "the beginning of the search" };
    let written = format!("{} written, {cut}", count_noun(record.steps.len(), "step"));
    Ok(summary_text(&record.report, &written, &open))
}

/// Describes the result of a search.
fn summary_text(report: &Report, written: &str, open: &OpenFigure<'_>) -> String {
    if let Some(numbers) = numbers_text(&report.outcome, written, "") {
        return numbers;
    }
    match &report.outcome {
        Outcome::Unsolvable(reason) => {
            match prefilter_with_colors(&open.requested.figure, open.set, open.given.colors) {
                Some(blocked) => {
                    let marked =
                        *reason == Reason::Size && open.requested.suggests_other_pieces(open.set);
                    let hint = if marked {
                        "; --set auto uses the pieces that the marks show"
                    } else {
                        ""
                    };
                    format!("no packing ({}): {blocked}{hint}", reason.word())
                }
                None => format!("no packing ({})", reason.word()),
            }
        }
        Outcome::Counted(_) | Outcome::AtLeast(_) | Outcome::Unknown => {
            format!("{written}; stopped before a packing was found")
        }
        Outcome::Failed(error) => format!("{written}; failed: {error}"),
    }
}
