//! `somacat enumerate buildable`: lists the buildable figures of a class, without listing the others.

use super::class_args::{ClassArgs, naming_within};
use crate::cli::failure::{Failure, Result};
use crate::cli::runs::run::progress;
use crate::cli::shared::figure_format::{FigureFormat, written};
use crate::cli::shared::input::piece_set;
use crate::cli::shared::output::{OutputArgs, Stdout, Style, stdout};
use crate::cli::{Exit, Global, stopped_early};
use clap::Args;
use rayon::prelude::*;
use somacat_counting::buildable::Buildable;
use somacat_counting::enumerate::{EnumerateError, Enumeration, Place, ShardRange, SymmetricSpec};
use somacat_counting::question::{
    Batch, CountedRow, EnumerationQuestion, FigureSink, Keep, NoBuildableQuestion, Question, Size,
    Wanted, all_counted, answer, buildable_question,
};
use somacat_formats::{cells_line, count_noun};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use somacat_output::export::RowSink;
use somacat_run::{Progress, work_within};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Buildable connected figures whose symmetry group contains (with --exact: is) a group of a class
#[derive(Args, Debug)]
#[command(after_help = "\
For groups of order 2, 4, 8 and 16 and an odd number of cells, figures and packings are searched
together. This is many times as fast as counting every figure of the class, and the only way for
order 2. For other groups of order 3 or more, and with --within, --parts or --one-sided, all
figures are listed and counted. Figures of several classes come class by class. To store the
figures in a catalog, and to continue after a stop, use a [[buildable]] table in a plan
(docs/plans.md).

--estimate estimates the number of figures and its standard error from random parts of that search,
so for such groups and numbers of cells. It also works for classes that are too large to list, and
for C1 (all figures), which is never listed. A search that is no longer than its samples is made
whole: then the error is 0, and `samples` is the number of its parts. `hits` is the number of times
that the samples reached a figure. With fewer than some hundreds of hits, the error itself is
uncertain. Few samples miss the rare large parts of the search; then the estimate tends to be too
low and its error too small.

Examples:
  somacat enumerate buildable --class 'D2(face)' --exact --csv
  somacat enumerate buildable --class Ci --set 'V L T' | somacat count --set 'V L T' -
  somacat enumerate buildable --fold 6 --count
  somacat enumerate buildable --class Ci --set 'V L T' --estimate --samples 100")]
pub(crate) struct BuildableArgs {
    #[command(flatten)]
    classes: ClassArgs,
    /// Number of cells: as many as the pieces fill.
    #[arg(long, value_name = "N")]
    cells: Option<usize>,
    /// Only figures that fit in this box in some orientation.
    #[arg(
        long = "within", value_name = "AxBxC", value_parser = parse_box,
        conflicts_with = "estimate"
    )]
    bounds: Option<[u32; 3]>,
    /// Number of separate parts of a figure; more than one needs a box.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "estimate")]
    parts: usize,
    /// List a figure and its mirror image separately: each once up to rotations.
    #[arg(long, conflicts_with = "estimate")]
    one_sided: bool,
    /// The pieces: SOMA, letters such as 'V L T2', or a file.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// The format of the figures, unless an output is chosen.
    #[arg(
        long, value_enum, default_value = "cells",
        conflicts_with_all = ["count", "estimate", "OutputArgs"]
    )]
    format: FigureFormat,
    /// Only count figures, class by class.
    #[arg(long)]
    count: bool,
    /// Only estimate the number of figures.
    #[arg(long, conflicts_with = "count")]
    estimate: bool,
    /// Number of samples of an estimate.
    #[arg(
        long, value_name = "N", default_value_t = 500, requires = "estimate",
        value_parser = clap::value_parser!(u64).range(2..=1_000_000_000)
    )]
    samples: u64,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn enumerate_buildable(
    global: &Global,
    args: &BuildableArgs,
    stop: &AtomicBool,
) -> Result<Exit> {
    let set = piece_set(&args.set)?;
    let spec = args.spec(&set)?;
    let progress = progress(global, None);
    if args.estimate {
        let &[class] = spec.classes.classes() else {
            return Err(Failure::usage("an estimate is of one class; name it with --class"));
        };
        let search = Buildable::new(class, args.classes.exact, &set);
        let search = search.map_err(|error| Failure::usage(error.to_string()))?;
        return estimate(&search, args, stop, &progress);
    }
    let begun = Instant::now();
    let questions = questions(args, &spec, &set)?;
    let mut sink = BuildableFigures { figures: 0, output: BuildableOutput::new(args)? };
    let together = |question: &Arc<dyn Question>| question.key().starts_with("buildable/");
    for question in &questions {
        let steps = if together(question) { "parts of the search" } else { "figures" };
        progress.begin(steps, question.steps(ShardRange::ALL, Place::default(), None));
        let advance = |steps| progress.advance(steps);
        let work = work_within(None, None, stop).watched(&advance);
        let all = (ShardRange::ALL, Place::default());
        let answered = answer(question.as_ref(), all.0, all.1, work, &mut sink);
        progress.end();
        answered?;
    }
    let stopped = stop.load(Ordering::Relaxed);
    let classes = match spec.classes.classes() {
        &[class] => class.name().to_owned(),
        several => format!("{} classes", several.len()),
    };
    let figures = format!("{} of {classes}", count_noun(sink.figures, "figure"));
    sink.finish(args.output, stopped)?;
    let way = match questions.iter().filter(|question| together(question)).count() {
        0 => "every figure of the class counted",
        number if number == questions.len() => "figures and packings searched together",
        _ => "figures and packings searched together, or every figure of a class counted",
    };
    global.note(&match stopped {
        true => format!("stopped early: {figures} found so far"),
        false => format!("{figures} buildable ({way}), in {:.2} s", begun.elapsed().as_secs_f64()),
    });
    Ok(if stopped { Exit::Stopped } else { Exit::Ok })
}

impl BuildableArgs {
    /// Returns all figures that may be buildable.
    fn spec(&self, set: &PieceSet) -> Result<SymmetricSpec> {
        let classes = self.classes.choice()?;
        let cells = set.total_cells();
        if let Some(wanted) = self.cells.filter(|&wanted| wanted != cells) {
            let wanted = count_noun(wanted, "cell");
            let text = format!("{} fills {cells}, so no figure of {wanted}", set.name());
            return Err(Failure::usage(text));
        }
        let equivalence = match self.one_sided {
            true => Equivalence::Rotations,
            false => Equivalence::for_set(set),
        };
        if classes.classes().is_empty() {
            return Err(EnumerateError::NoClass.into());
        }
        let (exact, bounds, parts) = (self.classes.exact, self.bounds, self.parts);
        Ok(SymmetricSpec { classes, exact, cells, bounds, parts, equivalence })
    }
}

/// Returns the questions whose answers together are the buildable figures.
fn questions(
    args: &BuildableArgs,
    spec: &SymmetricSpec,
    set: &PieceSet,
) -> Result<Vec<Arc<dyn Question>>> {
    let keep = if args.count { Keep::Totals } else { Keep::Buildable };
    // A search of a class together with its packings has no box.
    if spec.bounds.is_some() || spec.parts != 1 || args.one_sided {
        let enumeration = Enumeration::symmetric(spec.clone()).map_err(naming_within)?;
        let question = EnumerationQuestion { enumeration, set: set.clone(), keep, label: None };
        return Ok(vec![Arc::new(question)]);
    }
    let question = |class, exact| {
        buildable_question(class, exact, set, keep).map_err(|error| {
            let estimate = matches!(error, NoBuildableQuestion::All);
            let cure = if estimate { ", or estimate their number with --estimate" } else { "" };
            Failure::usage(format!("{error}{cure}"))
        })
    };
    match spec.classes.classes() {
        &[class] => Ok(vec![question(class, spec.exact)?]),
        // The figures of several classes are those whose group is exactly of one of these or of a larger one.
        _ => spec.exact_classes().into_iter().map(|class| question(class, true)).collect(),
    }
}

/// The sink of buildable figures.
struct BuildableFigures {
    figures: u64,
    output: BuildableOutput,
}

/// What is written of the figures.
enum BuildableOutput {
    /// Their numbers by class, at the end.
    Numbers(BTreeMap<Class, u64>),
    Text(FigureFormat, Stdout),
    /// Rows with counts.
    Rows(Box<dyn RowSink>),
}

impl BuildableOutput {
    fn new(args: &BuildableArgs) -> Result<Self> {
        Ok(match args.output.style() {
            _ if args.count => Self::Numbers(BTreeMap::new()),
            None => Self::Text(args.format, stdout()),
            Some(Style::Jsonl) => Self::Text(FigureFormat::Jsonl, stdout()),
            Some(_) => Self::Rows(args.output.rows(&COLUMNS)?),
        })
    }
}

const COLUMNS: [&str; 7] = ["signature", "class", "order", "raw", "rotation", "unique", "cells"];

impl FigureSink for BuildableFigures {
    type Error = Failure;

    fn wanted(&self) -> Wanted {
        match self.output {
            BuildableOutput::Numbers(_) | BuildableOutput::Text(..) => Wanted::Figures,
            BuildableOutput::Rows(_) => Wanted::Rows,
        }
    }

    fn take(&mut self, batch: Batch) -> Result<()> {
        all_counted(&batch)?;
        self.figures += batch.totals.buildable();
        match &mut self.output {
            BuildableOutput::Numbers(numbers) => {
                for (class, verdict, _, figures) in batch.totals.iter() {
                    if verdict.is_buildable() {
                        *numbers.entry(class).or_default() += figures;
                    }
                }
            }
            BuildableOutput::Text(format, out) => {
                let text =
                    |row: CountedRow| written(&Candidate::from_columns(row.columns)?, *format);
                let texts: Result<Vec<String>> = batch.rows.into_par_iter().map(text).collect();
                out.write_all(texts?.concat().as_bytes())?;
            }
            BuildableOutput::Rows(rows) => {
                for CountedRow { columns, report, .. } in batch.rows {
                    let Outcome::Counted(counts) = report.outcome else {
                        let text = format!("{} was not counted: {report:?}", columns.signature);
                        return Err(Failure::failed(text));
                    };
                    let figure = Candidate::from_columns(columns)?;
                    rows.row(&[
                        figure.signature().as_str().into(),
                        figure.class().name().into(),
                        figure.class().order().into(),
                        counts.raw.into(),
                        counts.rotation.into(),
                        counts.unique.into(),
                        cells_line(None, figure.figure())?.into(),
                    ])?;
                }
            }
        }
        Ok(())
    }
}

impl BuildableFigures {
    /// Ends the output. The numbers by class are written only if they are complete.
    fn finish(self, output: OutputArgs, stopped: bool) -> Result<()> {
        match self.output {
            BuildableOutput::Numbers(_) if stopped => {}
            BuildableOutput::Numbers(numbers) => {
                let mut rows = output.rows(&["class", "order", "figures"])?;
                for (class, number) in numbers {
                    rows.row(&[class.name().into(), class.order().into(), number.into()])?;
                }
                rows.finish()?;
            }
            BuildableOutput::Text(_, mut out) => out.flush()?,
            BuildableOutput::Rows(mut rows) => rows.finish()?,
        }
        Ok(())
    }
}

fn estimate(
    search: &Buildable,
    args: &BuildableArgs,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Exit> {
    progress.begin("samples", Size::Exact(args.samples));
    let estimate = search.estimate(args.samples, stop, &|| progress.advance(1));
    progress.end();
    let Some(estimate) = estimate else { return Ok(stopped_early()) };
    let class = search.class();
    let mut rows = args.output.rows(&["class", "order", "figures", "error", "samples", "hits"])?;
    rows.row(&[
        class.name().into(),
        class.order().into(),
        whole(estimate.figures).into(),
        whole(estimate.error).into(),
        estimate.samples.into(),
        estimate.hits.into(),
    ])?;
    rows.finish()?;
    Ok(Exit::Ok)
}

fn whole(number: f64) -> u128 {
    number.round() as u128
}
