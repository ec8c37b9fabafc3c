//! `somacat enumerate`: lists symmetric figures, buildable figures, and figures in a box.

use super::class_args::{ClassArgs, naming_within};
use super::enumerate_b_file::{TermRange, parse_term_range, write_b_file};
use super::enumerate_buildable::{BuildableArgs, enumerate_buildable};
use crate::cli::failure::Result;
use crate::cli::shared::figure_format::{FigureFormat, written};
use crate::cli::shared::output::{OutputArgs, Style, stdout};
use crate::cli::{Exit, Global, stop_on_signals, stopped_early};
use clap::{Args, Subcommand, ValueEnum};
use somacat_counting::enumerate::{BoxSpec, Enumeration, FigureShape, Place, SymmetricSpec};
use somacat_formats::{cells_line, count_noun};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::{Candidate, Equivalence};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[derive(Args, Debug)]
#[command(after_help = "\
Every figure is listed once up to rotation and reflection, always in the same order. With
--one-sided a figure and its mirror image are listed separately, as needed for a set of pieces that
is not closed under reflection. --count reports only the number of figures. With --csv, --tsv,
--json or --table each figure is a row with its signature, class, order and cells; --jsonl is
`--format jsonl`. A plan (docs/plans.md) puts the same figures into a catalog.

Examples:
  somacat enumerate symmetric --fold 6 --cells 27
  somacat enumerate symmetric --class D3d --exact --cells 27 --format soma
  somacat enumerate box 2x3x5 --cells 27 --connected | somacat count -
  somacat enumerate symmetric --order-at-least 6 --cells 27 --count")]
pub(crate) struct EnumerateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Connected figures whose symmetry group contains (with --exact: is) a group of a class
    #[command(after_help = "\
Without a box the list is complete, however far figures extend. This needs groups of order 3 or
more, because smaller groups have too many figures. With --within any class can be listed.

--b-file writes the terms of the class's sequence in the OEIS: the figures whose group is of the
class, not larger. Each line is written when it is known.

--one-in N lists a random sample. N times its size estimates the number of figures. Figures of a
sample are not independent: repeat with several --seed to see the error.

Examples:
  somacat enumerate symmetric --fold 6 --cells 27 --count
  somacat enumerate symmetric --class S4 --b-file 1..24 > b376973.txt
  somacat enumerate symmetric --class S4 --cells 54 --one-in 1000000 --seed 1 > sample.cells")]
    Symmetric {
        #[command(flatten)]
        classes: ClassArgs,
        /// Number of cells.
        #[arg(long, value_name = "N", required_unless_present = "b_file")]
        cells: Option<usize>,
        /// Write an OEIS b-file: the numbers of figures of exactly one class, from FROM to TO cells.
        #[arg(
            long, value_name = "FROM..TO", value_parser = parse_term_range, requires = "class",
            conflicts_with_all = [
                "fold", "order_at_least", "cells", "bounds", "exact", "parts", "format", "count",
                "one_sided", "OutputArgs",
            ]
        )]
        b_file: Option<TermRange>,
        /// Only figures that fit in this box in some orientation.
        #[arg(long = "within", value_name = "AxBxC", value_parser = parse_box)]
        bounds: Option<[u32; 3]>,
        /// Number of separate parts of a figure; more than one needs a box.
        #[arg(long, value_name = "N", default_value_t = 1)]
        parts: usize,
        /// List a random sample: each figure with probability 1/N.
        #[arg(
            long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
            conflicts_with_all = ["parts", "count", "b_file"],
        )]
        one_in: Option<u64>,
        /// The number of the sample: each gives another one.
        #[arg(long, value_name = "N", default_value_t = 0, requires = "one_in")]
        seed: u64,
        #[command(flatten)]
        write: WriteArgs,
    },
    Buildable(BuildableArgs),
    /// All figures with N cells that fit in a box
    #[command(after_help = "\
Example:
  somacat enumerate box 2x4x4 --cells 27 --connected --count")]
    Box {
        /// The box; for towers the third side is the height.
        #[arg(value_name = "AxBxC", value_parser = parse_box)]
        sides: [u32; 3],
        /// Number of cells.
        #[arg(long, value_name = "N")]
        cells: usize,
        /// Only connected figures.
        #[arg(long)]
        connected: bool,
        /// Only towers: every column is solid from the ground up.
        #[arg(long, value_enum)]
        shape: Option<ShapeArg>,
        #[command(flatten)]
        write: WriteArgs,
    },
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum ShapeArg {
    Towers,
}

/// The options of the output.
#[derive(Args, Debug)]
struct WriteArgs {
    /// The format of the figures, unless an output is chosen.
    #[arg(
        long, value_enum, default_value = "cells", conflicts_with_all = ["count", "OutputArgs"]
    )]
    format: FigureFormat,
    /// Only count figures, class by class.
    #[arg(long)]
    count: bool,
    /// List a figure and its mirror image separately: each once up to rotations.
    #[arg(long)]
    one_sided: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl WriteArgs {
    const fn equivalence(&self) -> Equivalence {
        if self.one_sided { Equivalence::Rotations } else { Equivalence::Reflections }
    }
}

pub(crate) fn enumerate(global: &Global, args: &EnumerateArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let (enumeration, write) = match &args.what {
        What::Buildable(args) => return enumerate_buildable(global, args, stop),
        What::Symmetric { classes, b_file: Some(terms), .. } => {
            return write_b_file(global, &classes.class, terms, stop);
        }
        What::Symmetric { classes, cells, bounds, parts, one_in, seed, write, .. } => {
            let spec = SymmetricSpec {
                classes: classes.choice()?,
                exact: classes.exact,
                cells: cells.expect("required without --b-file"),
                bounds: *bounds,
                parts: *parts,
                equivalence: write.equivalence(),
            };
            let mut enumeration = Enumeration::symmetric(spec).map_err(naming_within)?;
            if let Some(one_in) = *one_in {
                enumeration = enumeration.sampled(one_in, *seed).expect("one part is grown");
            }
            (enumeration, write)
        }
        What::Box { sides, cells, connected, shape, write } => {
            let shape = if shape.is_some() { FigureShape::Towers } else { FigureShape::Any };
            let (connected, equivalence) = (*connected, write.equivalence());
            let spec = BoxSpec { connected, shape, equivalence, ..BoxSpec::new(*sides, *cells) };
            (Enumeration::in_box(spec)?, write)
        }
    };
    let begun = Instant::now();
    let figures = if write.count {
        let Some(counts) = enumeration.count(stop) else { return Ok(stopped_early()) };
        let mut rows = write.output.rows(&["class", "order", "figures"])?;
        for (class, number) in &counts.by_class {
            rows.row(&[class.name().into(), class.order().into(), (*number).into()])?;
        }
        rows.finish()?;
        counts.total()
    } else {
        match write.output.style() {
            None => list(&enumeration, write.format, stop)?,
            Some(Style::Jsonl) => list(&enumeration, FigureFormat::Jsonl, stop)?,
            Some(_) => rows(&enumeration, write.output, stop)?,
        }
    };
    let stopped = stop.load(Ordering::Relaxed);
    let mut figures = count_noun(figures, "figure");
    if let What::Symmetric { one_in: Some(n), .. } = args.what {
        figures += &format!(" (a random sample, one in {n})");
    }
    global.note(&match stopped {
        true => format!("stopped early: {figures} found so far"),
        false => format!("{figures} in {:.2} s", begun.elapsed().as_secs_f64()),
    });
    Ok(if stopped { Exit::Stopped } else { Exit::Ok })
}

fn rows(enumeration: &Enumeration, output: OutputArgs, stop: &AtomicBool) -> Result<u64> {
    let mut rows = output.rows(&["signature", "class", "order", "cells"])?;
    let fields = |candidate: Candidate| {
        let (signature, class) = (candidate.signature().to_string(), candidate.class());
        Some(cells_line(None, candidate.figure()).map(|cells| (signature, class, cells)))
    };
    let figures = each(enumeration, stop, fields, |fields| {
        let (signature, class, cells) = fields?;
        let fields = [signature.into(), class.name().into(), class.order().into(), cells.into()];
        Ok(rows.row(&fields)?)
    })?;
    rows.finish()?;
    Ok(figures)
}

/// Writes every figure; returns their number.
fn list(enumeration: &Enumeration, format: FigureFormat, stop: &AtomicBool) -> Result<u64> {
    let mut out = stdout();
    let text = |candidate: Candidate| Some(written(&candidate, format));
    let figures = each(enumeration, stop, text, |line| Ok(out.write_all(line?.as_bytes())?))?;
    out.flush()?;
    Ok(figures)
}

/// Maps all figures in parallel and passes them to `show` in order. Returns their number.
fn each<T: Send>(
    enumeration: &Enumeration,
    stop: &AtomicBool,
    map: impl Fn(Candidate) -> Option<T> + Sync,
    mut show: impl FnMut(T) -> Result<()>,
) -> Result<u64> {
    let (mut figures, mut failed) = (0, None);
    let _ = enumeration.for_each_mapped(Place::default(), stop, map, &mut |_, mapped: T| {
        figures += 1;
        failed = show(mapped).err();
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    failed.map_or(Ok(figures), Err)
}
