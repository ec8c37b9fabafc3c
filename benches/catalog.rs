//! The catalog under load: stores figures of the 3×3×4 box with outcomes in the batches of a run, then queries them.
//!
//! Reports figures per second as the catalog grows, bytes per figure, and times of queries. Rates are by wall-clock
//! time and by the writer's processor time, which a busy machine disturbs less.
//!
//! `cargo bench -p benches --bench catalog` stores 300,000 figures, the long form `cargo bench -p benches --bench
//! catalog -- long` all 5.9 million.

use rayon::prelude::*;
use somacat_catalog::{
    Advance, Catalog, CatalogError, EnumerationKey, EnumerationState, Filter, NamePattern, RunEnd,
    Session, SetId, SortKey,
};
use somacat_counting::enumerate::{BoxSpec, Enumeration, Place};
use somacat_counting::question::{CountedRow, Keep};
use somacat_geometry::figure::{Candidate, Columns, Signature};
use somacat_geometry::outcome::{Counts, Engine, Outcome, Reason, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The figures of a batch, and of a line of the report.
const BATCH: usize = 1 << 15;
const LINE: usize = 1 << 20;

fn with_columns(candidate: Candidate) -> Candidate {
    candidate.columns();
    candidate
}

/// Returns a pseudo-random outcome, with counts distributed approximately as in this box.
///
/// In a sample of every six-hundredth figure, 17 % had no packing. The quartiles of the others were 12, 32 and 77
/// packings; here they are 10, 32 and 81. Nearly all figures have no symmetry, so the three counts agree.
fn outcome(number: u64, columns: Columns) -> CountedRow {
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let share = ((mixed >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let outcome = if share > 0.17 {
        let raw = packings((share - 0.17) / 0.83);
        Outcome::Counted(Counts { raw, rotation: raw, unique: raw })
    } else {
        Outcome::Unsolvable(Reason::Exhausted)
    };
    let report = Report { outcome, nodes: Some(mixed >> 50), engine: Some(Engine::Search) };
    CountedRow { columns, report, micros: Some(mixed >> 56) }
}

/// Returns the number of packings that a share of figures exceeds. The share is of the solvable figures.
fn packings(share: f64) -> u128 {
    1 + (52.0 * (-share.ln()).powf(1.35)) as u128
}

/// Wall-clock time and processor time.
#[derive(Clone, Copy, Default)]
struct Spent {
    clock: Duration,
    processor: Duration,
}

impl Spent {
    /// Adds the time that `work` takes on this thread.
    fn on<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (begun, before) = (Instant::now(), processor());
        let done = work();
        self.clock += begun.elapsed();
        self.processor += processor() - before;
        done
    }

    /// Returns the rates for figures stored since `before`.
    fn rates(self, before: Self, figures: usize) -> String {
        let rate = |now: Duration, then: Duration| figures as f64 / (now - then).as_secs_f64();
        let clock = rate(self.clock, before.clock);
        let processor = rate(self.processor, before.processor);
        format!("{clock:.0} per second ({processor:.0} of processor time)")
    }
}

/// Returns the processor time of this thread so far. Zero if the system does not report it.
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

struct Load {
    session: Session,
    set: SetId,
    state: EnumerationState,
    taken: usize,
    /// The time for identifying figures, and the total time.
    spent: [Spent; 2],
    /// The times and figures at the last line of the report.
    line: ([Spent; 2], usize),
}

impl Load {
    fn put(&mut self, rows: &[Candidate], place: Place) {
        let Self { session, set, state, spent: [identifying, all], taken, .. } = self;
        let (set, first) = (*set, *taken as u64);
        all.on(|| {
            let signatures: Vec<&Signature> = rows.iter().map(Candidate::signature).collect();
            let known = identifying.on(|| session.known_figures(set, &signatures));
            assert!(known.expect("an answer").iter().all(Option::is_none));
            let counted = |(number, row): (u64, &Candidate)| outcome(number, row.columns().clone());
            let kept: Vec<CountedRow> = (first..).zip(rows).map(counted).collect();
            let advance = Advance { place, breakdown: None, known: &[], kept: &kept, done: 0 };
            session.advance(state, &advance).expect("the place");
            session.commit().expect("a commit");
        });
        self.taken += rows.len();
        if self.taken - self.line.1 >= LINE {
            self.report(self.line);
            self.line = (self.spent, self.taken);
        }
    }

    fn report(&self, (before, taken): ([Spent; 2], usize)) {
        let figures = self.taken - taken;
        let [identifying, all] = [0, 1].map(|n| self.spent[n].rates(before[n], figures));
        println!("{:>9} figures: {all} with their outcomes, {identifying} identified", self.taken);
    }
}

fn main() {
    let most = if benches::words() == ["long"] { usize::MAX } else { 300_000 };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bench.db");
    let mut session = Session::begin(&path, "bench", "0").expect("a session");
    let set = session.set_id(&PieceSet::soma(1)).expect("a set");
    let key = EnumerationKey { question: "bench", label: "bench", set, keep: Keep::All, limit: 0 };
    let state = session.enumeration(key).expect("a row");
    let mut load =
        Load { session, set, state, taken: 0, spent: Default::default(), line: Default::default() };
    let boxes = Enumeration::in_box(BoxSpec::new([3, 3, 4], 27)).expect("a box");
    let (go, mut rows) = (AtomicBool::new(false), Vec::new());
    let map = |candidate: Candidate| Some(with_columns(candidate));
    let _ = boxes.for_each_mapped(Place::default(), &go, map, &mut |place, row| {
        rows.push(row);
        if rows.len() == BATCH {
            load.put(&rows, place);
            rows.clear();
        }
        if load.taken < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    println!("overall");
    load.report(Default::default());
    let taken = load.taken;
    let begun = Instant::now();
    load.session.end(RunEnd::Finished).expect("the end");
    println!("statistics: {:.1} s", begun.elapsed().as_secs_f64());
    let bytes = path.metadata().expect("the catalog").len();
    println!("{:.0} bytes per figure", bytes as f64 / taken as f64);

    let catalog = Catalog::open_read_only(&path).expect("the catalog");
    let all = Filter::default();
    let questions = [
        ("--fold 6", Filter { fold: Some(6), ..all.clone() }),
        ("--order 8", Filter { order: Some(8), ..all.clone() }),
        ("--cells 54", Filter { cells: Some(54), ..all.clone() }),
        ("--box 3x3x3", Filter { bounds: Some([3, 3, 3]), ..all.clone() }),
        ("--solvable --top 20", Filter { solvable: true, top: Some(20), ..all.clone() }),
        ("--sort unique --top 20", Filter { sort: SortKey::Unique, top: Some(20), ..all.clone() }),
        ("--verdict failed", Filter { verdict: Some(Verdict::Failed), ..all.clone() }),
        ("--name tower", Filter { name: Some(NamePattern::new("tower")), ..all.clone() }),
    ];
    for (words, filter) in questions {
        let begun = Instant::now();
        let rows = catalog.select::<CatalogError>(&filter, |_| Ok(())).expect("an answer");
        println!(
            "query {words:<24} {rows:>6} rows in {:.1} ms",
            begun.elapsed().as_secs_f64() * 1e3
        );
    }
    // Looks up known figures, like a second import.
    let sample: Vec<Candidate> = {
        let mut found = Vec::new();
        let _ = boxes.for_each(&go, &mut |figure| {
            found.push(figure);
            if found.len() < 200_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    };
    drop(catalog);
    let rows: Vec<Candidate> = sample.into_par_iter().map(with_columns).collect();
    let session = Session::begin(&path, "bench", "0").expect("a session");
    let mut spent = Spent::default();
    let signatures: Vec<&Signature> = rows.iter().map(Candidate::signature).collect();
    let known = spent.on(|| session.known_figures(set, &signatures)).expect("an answer");
    let rates = spent.rates(Spent::default(), rows.len());
    println!("{} of {} figures known: {rates}", known.iter().flatten().count(), rows.len());
    session.end(RunEnd::Finished).expect("the end");
}
