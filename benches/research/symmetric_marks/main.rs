//! Counts which impossible figures of a class have a proof by marks, and how many cells it marks.
//!
//! ```text
//! cargo run --release -p benches --example symmetric_marks CLASS [FIRST END]
//! ```
//!
//! The figures are all connected ones of 27 cells with exactly this class, or those of the shards from FIRST up to END.
//! Each line has the number of figures with the same result and as many marks in all. Of some results it has the smallest
//! figure: of those with the least bounding box, the first in alphabetical order.
//!
//! - `parity`: the colors forbid the figure.
//! - `buildable`: it is listed in `catalog/atlas/`.
//! - `0 and 1`: marks with weights 0 and 1 that are invariant under the figure's group, as few as there are of this kind.
//! - `0 and 1, perhaps fewer`: the same, if too many sets of orbits would have to be tried. None of 27 cells is known.
//! - `0 to 2`, `larger`: invariant marks that an integer program or a linear program found, where there are none with
//!   weights 0 and 1. There may be smaller ones.
//! - `none`: there are no marks. A fractional packing in exact numbers shows it.
//! - `not found`: neither marks nor a fractional packing were found.
//!
//! All marks are checked by plain loops over the placements, and of those with weights 0 and 1 one in a thousand by
//! `somacat-checking`.

mod fractional;
mod orbit_marks;
mod plain_check;

use orbit_marks::{Found, OrbitMarks};
use plain_check::PlainCheck;
use somacat_checking::check_certificate;
use somacat_counting::enumerate::{Enumeration, FoundFigure, ShardRange, SymmetricSpec};
use somacat_counting::prove::{Argument, Marks, find_invariant_marks, write_certificate};
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::figure::Candidate;
use somacat_geometry::lattice::color_difference;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Of so many figures with marks, one is checked by `somacat-checking`.
const CHECKED_ONE_IN: u64 = 1000;

/// A figure by the volume of its bounding box and its signature. Of two, the lesser is the smaller.
type Size = (u64, String);

/// The result of a figure, and its size if it is to be compared.
type Verdict = (&'static str, i64, Option<Size>);

/// What a thread needs for its figures.
struct Worker {
    marks: OrbitMarks,
    check: PlainCheck,
}

struct Survey {
    soma: PieceSet,
    /// The signatures of the atlas.
    buildable: HashSet<String>,
    workers: Mutex<Vec<Worker>>,
    proved: AtomicU64,
}

impl Survey {
    fn new() -> Result<Self, Box<dyn Error>> {
        let atlas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalog/atlas");
        let mut buildable = HashSet::new();
        for name in ["order-3.csv", "order-4-and-up.csv"] {
            for record in csv::Reader::from_path(atlas.join(name))?.records() {
                buildable.extend(record?.get(2).map(str::to_owned));
            }
        }
        let (workers, proved) = (Mutex::default(), AtomicU64::new(0));
        Ok(Self { soma: PieceSet::soma(1), buildable, workers, proved })
    }

    fn verdict(&self, found: FoundFigure<'_>) -> Verdict {
        let mut cells = Vec::with_capacity(32);
        found.list_cells(&mut cells);
        if !self.soma.color_sums().contains(&color_difference(&cells).unsigned_abs()) {
            return ("parity", 0, None);
        }
        let free = self.workers.lock().expect("no thread panics").pop();
        let mut worker = free.unwrap_or_else(|| Worker {
            marks: OrbitMarks::new(&self.soma).expect("SOMA has small pieces"),
            check: PlainCheck::new(&self.soma),
        });
        let marks = worker.marks.find(&cells, found.group());
        let verdict = match marks {
            Found::Marks(weights) => {
                assert!(worker.check.holds(&cells, &weights), "wrong marks");
                let marks = weights.iter().sum();
                if self.proved.fetch_add(1, Ordering::Relaxed).is_multiple_of(CHECKED_ONE_IN) {
                    let mut marked: Vec<_> = cells.into_iter().zip(weights).collect();
                    marked.sort_unstable();
                    let weights = marked.into_iter().map(|(_, weight)| weight).collect();
                    self.check(&found.candidate(), weights);
                }
                ("0 and 1", marks, None)
            }
            Found::None | Found::Unknown => self.verdict_without(&found.candidate(), &mut worker),
        };
        self.workers.lock().expect("no thread panics").push(worker);
        verdict
    }

    /// Checks marks of a figure by `somacat-checking`.
    fn check(&self, candidate: &Candidate, weights: Vec<i64>) {
        let claim = (candidate.figure(), &self.soma);
        let argument = Argument::Marks(Marks::of_weights(claim, weights).expect("marks"));
        let mut text = Vec::new();
        write_certificate("x", claim, &argument, Limits::default(), &mut text)
            .expect("marks are a certificate");
        let checked = check_certificate(text.as_slice(), Some(claim.0), Some(&self.soma));
        assert!(checked.is_ok(), "{}: {checked:?}", candidate.signature());
    }

    /// Returns the verdict on a figure without invariant marks of weights 0 and 1.
    fn verdict_without(&self, candidate: &Candidate, worker: &mut Worker) -> Verdict {
        let (figure, signature) = (candidate.figure(), candidate.signature().as_str());
        let volume = figure.extents().into_iter().map(u64::from).product();
        let size = Some((volume, signature.to_owned()));
        if self.buildable.contains(signature) {
            return ("buildable", 0, None);
        }
        let problem = Problem::with_group(figure, &self.soma, candidate.group());
        if let Some(marks) = find_invariant_marks(problem, Limits::default()) {
            assert!(worker.check.holds(figure.cells(), &marks.weights), "wrong marks");
            let result = match marks.weights.iter().max() {
                Some(0 | 1) => "0 and 1, perhaps fewer",
                Some(2) => "0 to 2",
                _ => "larger",
            };
            return (result, marks.total(), size);
        }
        match fractional::has_fractional_packing(figure, &self.soma) {
            true => ("none", 0, size),
            false => ("not found", 0, size),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().ok_or("usage: symmetric_marks CLASS [FIRST END]")?;
    let class = Class::matching(&name)?[0];
    let shards: Vec<u64> = words.map(|word| word.parse()).collect::<Result<_, _>>()?;
    let shards = match shards[..] {
        [start, end] => ShardRange { start, end, ..ShardRange::ALL },
        _ => ShardRange::ALL,
    };
    let (survey, stop) = (Survey::new()?, AtomicBool::new(false));
    let mut lines: BTreeMap<(&str, i64), (u64, Option<Size>)> = BTreeMap::new();
    let _ = Enumeration::symmetric(SymmetricSpec::exactly(class, 27))?.for_each_in(
        shards,
        shards.from(),
        &stop,
        |found| Some(survey.verdict(found)),
        &mut |_, (result, marks, size)| {
            let line = lines.entry((result, marks)).or_default();
            line.0 += 1;
            line.1 = [line.1.take(), size].into_iter().flatten().min();
            ControlFlow::Continue(())
        },
    );
    let mut table = csv::Writer::from_writer(io::stdout().lock());
    table.write_record(["class", "result", "marks", "figures", "smallest"])?;
    for ((result, marks), (figures, smallest)) in lines {
        let smallest = smallest.map_or(String::new(), |(_, signature)| signature);
        let [marks, figures] = [marks.to_string(), figures.to_string()];
        table.write_record([class.name(), result, &marks, &figures, &smallest])?;
    }
    table.into_inner().map_err(csv::IntoInnerError::into_error)?.flush()?;
    Ok(())
}
