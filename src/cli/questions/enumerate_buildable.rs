//! `somacat enumerate buildable`: lists the buildable figures of a class, without listing the others.

use crate::cli::failure::{Failure, Result};
use crate::cli::runs::run::progress;
use crate::cli::shared::figure_format::{FigureFormat, written};
use crate::cli::shared::input::piece_set;
use crate::cli::shared::output::{OutputArgs, Style, stdout};
use crate::cli::{Exit, Global};
use clap::Args;
use somacat_counting::buildable::Buildable;
use somacat_counting::enumerate::{Enumeration, Place, SymmetricSpec};
use somacat_formats::{cells_line, count_noun};
use somacat_geometry::figure::{Candidate, Identity};
use somacat_geometry::outcome::{Counts, Outcome};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use somacat_run::{Progress, Size, count_canonical, default_limits, flow_of};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Buildable connected figures whose symmetry group contains (with --exact: is) a group of a class
#[derive(Args, Debug)]
#[command(after_help = "\
For groups of order 2, 4, 8 and 16 and an odd number of cells, figures and packings are searched
together. This is many times as fast as counting every figure of the class, and the only way for
order 2. For other groups of order 3 or more, all figures are listed and counted. To store the
figures in a catalog, and to continue after a stop, use a [[buildable]] table in a plan
(docs/plans.md).

--estimate estimates the number of figures and its standard error from random parts of the search.
It also works for classes that are too large to list, and for C1 (all figures), which is never
listed. `hits` is the number of times that the samples reached a figure. With fewer than some
hundreds of hits, the error itself is uncertain. Few samples miss the rare large parts of the
search; then the estimate tends to be too low and its error too small.

Examples:
  somacat enumerate buildable --class 'D2(face)' --exact --csv
  somacat enumerate buildable --class Ci --set 'V L T' | somacat count --set 'V L T' -
  somacat enumerate buildable --class Ci --set 'V L T' --estimate --samples 100")]
pub(crate) struct BuildableArgs {
    /// Symmetry class: D3d, C2v(edge), or Allen's letter.
    #[arg(long)]
    class: String,
    /// The symmetry group is of the class, not larger.
    #[arg(long)]
    exact: bool,
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
    let &[class] = Class::matching(&args.class)?.as_slice() else {
        let text = format!("{} names several classes; choose one, such as C2v(edge)", args.class);
        return Err(Failure::usage(text));
    };
    let progress = progress(global, None);
    let together = Buildable::new(class, args.exact, &set);
    if args.estimate {
        let search = together.map_err(|error| Failure::usage(error.to_string()))?;
        return estimate(&search, args, stop, &progress);
    }
    if class.order() == 1 {
        return Err(Failure::usage(
            "C1 means all figures that the set builds: too many to list; estimate their number with \
             --estimate, or name a class with a symmetry",
        ));
    }
    let begun = Instant::now();
    let search = match together {
        Ok(search) => FindingMethod::Together(Box::new(search)),
        Err(_) => FindingMethod::Listing(all_figures(class, args.exact, &set)?),
    };
    let search = BuildableSearch { way: search, set, stop, progress: &progress };
    let figures = match args.output.style() {
        _ if args.count => by_class(&search, args.output)?,
        None => list(&search, args.format)?,
        Some(Style::Jsonl) => list(&search, FigureFormat::Jsonl)?,
        Some(_) => rows(&search, args.output)?,
    };
    let stopped = stop.load(Ordering::Relaxed);
    let way = match search.way {
        FindingMethod::Together(_) => "figures and packings searched together",
        FindingMethod::Listing(_) => "every figure of the class counted",
    };
    let figures = format!("{} of {}", count_noun(figures, "figure"), class.name());
    global.note(&match stopped {
        true => format!("stopped early: {figures} found so far"),
        false => format!("{figures} buildable ({way}), in {:.2} s", begun.elapsed().as_secs_f64()),
    });
    Ok(if stopped { Exit::Stopped } else { Exit::Ok })
}

/// Returns the enumeration of all figures of a class. Serves classes that are not searched with packings.
fn all_figures(class: Class, exact: bool, set: &PieceSet) -> Result<Enumeration> {
    let all = SymmetricSpec::containing(class, set.total_cells());
    Ok(Enumeration::symmetric(SymmetricSpec { exact, identity: Identity::for_set(set), ..all })?)
}

/// A method of finding buildable figures.
enum FindingMethod {
    Together(Box<Buildable>),
    /// Counting all figures of the class.
    Listing(Enumeration),
}

struct BuildableSearch<'a> {
    way: FindingMethod,
    set: PieceSet,
    stop: &'a AtomicBool,
    progress: &'a Progress,
}

impl BuildableSearch<'_> {
    /// Maps all buildable figures in parallel, passing them to `show` in order. Returns their number.
    fn each<T: Send>(
        &self,
        map: impl Fn(&Candidate) -> Result<T> + Sync,
        mut show: impl FnMut(T) -> Result<()>,
    ) -> Result<u64> {
        let (mut figures, mut failed) = (0, None);
        let mut emit = |one: Result<T>| {
            let done = one.and_then(&mut show);
            figures += u64::from(done.is_ok());
            flow_of(done, &mut failed)
        };
        let _ = match &self.way {
            FindingMethod::Together(search) => {
                let (all, mut done) = (Buildable::ALL, 0);
                self.progress.begin("parts of the search", Size::Exact(all.end));
                let work = |figures: Vec<Candidate>| Some(figures.iter().map(&map).collect());
                search.for_each_slice(all, self.stop, work, &mut |next, some: Vec<Result<T>>| {
                    self.progress.advance(next - std::mem::replace(&mut done, next));
                    some.into_iter().try_for_each(&mut emit)
                })
            }
            FindingMethod::Listing(enumeration) => {
                self.progress.begin("figures", Size::Unknown);
                let work = |candidate: Candidate| {
                    self.progress.advance(1);
                    match self.count(&candidate) {
                        Ok(Some(_)) => Some(map(&candidate)),
                        Ok(None) => None,
                        Err(error) => Some(Err(error)),
                    }
                };
                let from = Place::default();
                enumeration.for_each_mapped(from, self.stop, work, &mut |_, one| emit(one))
            }
        };
        self.progress.end();
        failed.map_or(Ok(figures), Err)
    }

    /// Counts the packings of a figure. Returns `None` if it has none or the count was stopped.
    fn count(&self, candidate: &Candidate) -> Result<Option<Counts>> {
        match count_canonical(candidate, &self.set, default_limits(self.stop))?.outcome {
            Outcome::Counted(counts) => Ok(Some(counts)),
            _ => Ok(None),
        }
    }
}

/// Writes the number of figures of each class and returns the total. If the search was stopped, writes none.
fn by_class(search: &BuildableSearch<'_>, output: OutputArgs) -> Result<u64> {
    let mut numbers: BTreeMap<Class, u64> = BTreeMap::new();
    let figures = search.each(
        |candidate| Ok(candidate.class()),
        |class| {
            *numbers.entry(class).or_default() += 1;
            Ok(())
        },
    )?;
    if search.stop.load(Ordering::Relaxed) {
        return Ok(figures);
    }
    let mut rows = output.rows(&["class", "order", "figures"])?;
    for (class, number) in numbers {
        rows.row(&[class.name().into(), class.order().into(), number.into()])?;
    }
    rows.finish()?;
    Ok(figures)
}

/// Writes every figure; returns their number.
fn list(search: &BuildableSearch<'_>, format: FigureFormat) -> Result<u64> {
    let mut out = stdout();
    let text = |candidate: &Candidate| written(candidate, format);
    let figures = search.each(text, |text| Ok(out.write_all(text.as_bytes())?))?;
    out.flush()?;
    Ok(figures)
}

/// Writes every figure with its counts; returns their number.
fn rows(search: &BuildableSearch<'_>, output: OutputArgs) -> Result<u64> {
    let columns = ["signature", "class", "order", "raw", "rotation", "unique", "cells"];
    let mut rows = output.rows(&columns)?;
    let counted = |candidate: &Candidate| {
        let counts = search.count(candidate)?;
        let stopped = search.stop.load(Ordering::Relaxed);
        if counts.is_none() && !stopped {
            let text = format!("{} has a packing, but its count found none", candidate.signature());
            return Err(Failure::failed(text));
        }
        let (signature, cells) =
            (candidate.signature().clone(), cells_line(None, candidate.figure())?);
        Ok((signature, candidate.class(), counts, cells))
    };
    let figures = search.each(counted, |(signature, class, counts, cells)| {
        // A figure whose count was stopped is left out.
        let Some(counts) = counts else { return Ok(()) };
        Ok(rows.row(&[
            signature.as_str().into(),
            class.name().into(),
            class.order().into(),
            counts.raw.into(),
            counts.rotation.into(),
            counts.unique.into(),
            cells.into(),
        ])?)
    })?;
    rows.finish()?;
    Ok(figures)
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
    let Some(estimate) = estimate else { return Ok(Exit::Stopped) };
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

const fn whole(number: f64) -> u128 {
    number.round() as u128
}
