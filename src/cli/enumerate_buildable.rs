//! `somacat enumerate buildable`: the figures of a class that a set builds, without listing the others.

use super::failure::{Failure, Result};
use super::figure_format::{FigureFormat, written};
use super::input::piece_set;
use super::output::{OutputArgs, Style};
use super::run::progress;
use super::{Exit, Global, eprintln};
use crate::buildable::{Buildable, UNITS};
use crate::enumerate::{ClassChoice, Enumeration, Place, SymmetricSpec};
use crate::figure::{Candidate, Identity, Signature};
use crate::formats::{cells_line, quantity};
use crate::outcome::Outcome;
use crate::pieces::PieceSet;
use crate::run::{Progress, Size};
use crate::solve::{Limits, Problem, count};
use crate::symmetry::Class;
use clap::Args;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Figures counted at a time, in parallel.
const CHUNK: usize = 4096;

/// Connected figures whose group contains (with --exact: is) a group of a class, and that a set builds
#[derive(Args, Debug)]
#[command(after_help = "\
For groups of order 2, 4, 8 and 16 and an odd number of cells figures and packings are searched
together, which is many times as fast as counting every figure of the class and the only way for
order 2. Of other groups of order 3 and more all figures are listed and counted.

Examples:
  somacat enumerate buildable --class 'D2(face)' --exact --csv
  somacat enumerate buildable --class Ci --set 'V L T' | somacat count --set 'V L T' -")]
pub(super) struct BuildableArgs {
    /// Symmetry class: D3d, C2v(edge), or Allen's letter.
    #[arg(long)]
    class: String,
    /// The group is of the class, not larger.
    #[arg(long)]
    exact: bool,
    /// The pieces: SOMA, letters such as 'V L T2', or a file.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// How figures are written, unless an output is chosen.
    #[arg(
        long, value_enum, default_value = "cells", conflicts_with_all = ["count", "OutputArgs"]
    )]
    format: FigureFormat,
    /// Only count figures, class by class.
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn enumerate_buildable(
    global: &Global,
    args: &BuildableArgs,
    stop: &AtomicBool,
) -> Result<Exit> {
    let set = piece_set(&args.set)?;
    let &[class] = Class::matching(&args.class)?.as_slice() else {
        let text = format!("{} are several classes; name one, such as C2v(edge)", args.class);
        return Err(Failure::usage(text));
    };
    let progress = progress(global, None);
    let begun = Instant::now();
    let together = Buildable::new(class, &set);
    let way = if together.is_ok() { "searched with their packings" } else { "all counted" };
    let listed = match &together {
        Ok(search) => search_together(search, stop, &progress),
        Err(_) => count_all(class, &set, stop, &progress)?,
    };
    progress.end();
    let Some(listed) = listed else { return Ok(Exit::Stopped) };
    let identity = Identity::for_set(&set);
    let wanted = |candidate: &Candidate| !args.exact || candidate.class() == class;
    let figures = match args.output.style() {
        _ if args.count => by_class(&listed, identity, wanted, args.output)?,
        None => list(&listed, identity, wanted, args.format)?,
        Some(Style::Jsonl) => list(&listed, identity, wanted, FigureFormat::Jsonl)?,
        Some(_) => rows(&listed, &set, wanted, args.output, stop)?,
    };
    if !global.quiet {
        let (figures, seconds) = (quantity(figures, "figure"), begun.elapsed().as_secs_f64());
        eprintln(&format!("{figures} of {} can be built, {way}, in {seconds:.2} s", class.name()));
    }
    Ok(if stop.load(Ordering::Relaxed) { Exit::Stopped } else { Exit::Ok })
}

/// The figures that can be built, ascending; nothing if stopped.
fn search_together(
    search: &Buildable,
    stop: &AtomicBool,
    progress: &Progress,
) -> Option<Vec<Signature>> {
    progress.begin("units", Size::Exact(UNITS));
    search.figures(stop, &|| progress.advance(1))
}

/// The same where figures and packings cannot be searched together.
fn count_all(
    class: Class,
    set: &PieceSet,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Option<Vec<Signature>>> {
    let enumeration = Enumeration::symmetric(SymmetricSpec {
        classes: ClassChoice::new(&[class.name().to_owned()], None, None)?,
        exact: false,
        cells: set.total_cells(),
        bounds: None,
        parts: 1,
        identity: Identity::for_set(set),
    })?;
    progress.begin("figures", Size::Unknown);
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let buildable = |candidate: Candidate| {
        progress.advance(1);
        let (figure, group) = candidate.canonical();
        match count(&Problem::with_group(&figure, set, group), limits) {
            Ok(report) if report.outcome.verdict().is_buildable() => {
                Some(Ok(candidate.signature().clone()))
            }
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        }
    };
    let (mut all, mut failed) = (Vec::new(), None);
    let _ = enumeration.for_each_mapped(Place::default(), stop, buildable, &mut |_, one| {
        match one {
            Ok(signature) => all.push(signature),
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    if let Some(error) = failed {
        return Err(Failure::from(error));
    }
    all.sort_unstable();
    Ok((!stop.load(Ordering::Relaxed)).then_some(all))
}

fn candidate(signature: &Signature, identity: Identity) -> Candidate {
    let figure = signature.figure().expect("a signature made here is one of a figure");
    Candidate::new(figure, identity)
}

/// Writes the number of figures of each class; returns their number.
fn by_class(
    listed: &[Signature],
    identity: Identity,
    wanted: impl Fn(&Candidate) -> bool + Sync,
    output: OutputArgs,
) -> Result<u64> {
    let classes = listed.par_iter().map(|signature| candidate(signature, identity));
    let classes: Vec<Class> =
        classes.filter(|figure| wanted(figure)).map(|figure| figure.class()).collect();
    let mut numbers: BTreeMap<Class, u64> = BTreeMap::new();
    classes.iter().for_each(|class| *numbers.entry(*class).or_default() += 1);
    let mut rows = output.rows(&["class", "order", "figures"])?;
    for (class, number) in numbers {
        rows.row(&[class.name().into(), class.order().into(), number.into()])?;
    }
    rows.finish()?;
    Ok(classes.len() as u64)
}

/// Writes every figure; returns how many.
fn list(
    listed: &[Signature],
    identity: Identity,
    wanted: impl Fn(&Candidate) -> bool,
    format: FigureFormat,
) -> Result<u64> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut figures = 0;
    for signature in listed {
        let candidate = candidate(signature, identity);
        if wanted(&candidate) {
            out.write_all(written(&candidate, format)?.as_bytes())?;
            figures += 1;
        }
    }
    out.flush()?;
    Ok(figures)
}

/// Writes every figure with its counts; returns how many.
fn rows(
    listed: &[Signature],
    set: &PieceSet,
    wanted: impl Fn(&Candidate) -> bool + Sync,
    output: OutputArgs,
    stop: &AtomicBool,
) -> Result<u64> {
    let columns = ["signature", "class", "order", "raw", "rotation", "unique", "cells"];
    let mut rows = output.rows(&columns)?;
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let mut figures = 0;
    for chunk in listed.chunks(CHUNK) {
        let counted: Vec<(Candidate, _)> = chunk
            .par_iter()
            .map(|signature| candidate(signature, Identity::for_set(set)))
            .filter(&wanted)
            .map(|candidate| {
                let problem = Problem::with_group(candidate.figure(), set, candidate.group());
                let report = count(&problem, limits);
                (candidate, report)
            })
            .collect();
        for (candidate, report) in counted {
            let report = report?;
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let counts = match &report.outcome {
                Outcome::Counted(counts) => counts,
                other => {
                    let signature = candidate.signature();
                    let text =
                        format!("{signature} has a packing, but its count came to {other:?}");
                    return Err(Failure::failed(text));
                }
            };
            let cells = cells_line(None, candidate.figure())?;
            rows.row(&[
                candidate.signature().as_str().into(),
                candidate.class().name().into(),
                candidate.class().order().into(),
                counts.raw.into(),
                counts.rotation.into(),
                counts.unique.into(),
                cells.into(),
            ])?;
            figures += 1;
        }
    }
    rows.finish()?;
    Ok(figures)
}
