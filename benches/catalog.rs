//! The catalog under load: every figure of the 3×3×4 box taken in with an outcome, in the rhythm of
//! a run, and then asked. Reports rows a second as the catalog grows, bytes a figure, and times of
//! questions. `cargo bench --bench catalog -- 1000000` stops at so many figures.

use rayon::prelude::*;
use somacat::catalog::{Catalog, EntryRow, Filter, Keep, OutcomeRow, SortKey, write_outcomes};
use somacat::enumerate::{BoxSpec, Boxes, Found, Place, Shape};
use somacat::figure::part_count;
use somacat::pieces::PieceSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// Figures of a batch, and of a line of the report.
const BATCH: usize = 1 << 15;
const LINE: usize = 1 << 20;

fn row(found: &Found, set_id: i64) -> EntryRow {
    let canonical = found.figure.canonical();
    let mut extents = found.figure.extents();
    extents.sort_unstable();
    EntryRow {
        name: None,
        set_id,
        signature: canonical.signature,
        cells: found.figure.len(),
        extents,
        class: canonical.group.class(),
        parity: found.figure.color_difference().unsigned_abs(),
        parts: part_count(found.figure.cells()),
    }
}

/// An outcome with numbers as they occur, spread without a pattern.
fn outcome(figure_id: i64, set_id: i64) -> OutcomeRow {
    let mixed = figure_id.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let raw = u128::from(mixed >> 52);
    let solvable = raw > 400;
    OutcomeRow {
        figure_id,
        set_id,
        verdict: if solvable { "counted" } else { "unsolvable" },
        reason: (!solvable).then(|| "exhausted".to_owned()),
        raw: Some(if solvable { raw } else { 0 }),
        rotation: Some(if solvable { raw } else { 0 }),
        unique: Some(if solvable { raw } else { 0 }),
        nodes: mixed >> 50,
        engine: Some("search"),
        micros: mixed >> 56,
    }
}

struct Load {
    catalog: Catalog,
    run: i64,
    set_id: i64,
    enumeration: i64,
    taken: usize,
    writing: Duration,
    line: (Duration, usize),
}

impl Load {
    fn put(&mut self, rows: &[EntryRow], place: Place) {
        let begun = Instant::now();
        let known = self.catalog.identify(self.enumeration, rows).expect("identify");
        let (sink, outcomes) = sync_channel(4096);
        let set_id = self.set_id;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for figure in known {
                    sink.send(outcome(figure.figure_id, set_id)).expect("the writer listens");
                }
            });
            write_outcomes(&mut self.catalog, self.run, &outcomes).expect("outcomes");
        });
        let (run, enumeration) = (self.run, self.enumeration);
        self.catalog
            .advance(run, enumeration, place, &Default::default(), 0, Vec::new())
            .expect("advance");
        self.writing += begun.elapsed();
        self.taken += rows.len();
        if self.taken - self.line.1 >= LINE {
            let rate =
                (self.taken - self.line.1) as f64 / (self.writing - self.line.0).as_secs_f64();
            println!("{:>9} figures: {rate:.0} a second with their outcomes", self.taken);
            self.line = (self.writing, self.taken);
        }
    }
}

fn main() {
    let most = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(usize::MAX);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bench.db");
    let mut catalog = Catalog::open(&path).expect("a catalog");
    let run = catalog.begin_run("bench").expect("a run");
    let set_id = catalog.set_id(&PieceSet::soma(1)).expect("a set");
    let enumeration = catalog.enumeration("bench", set_id, Keep::All, 0).expect("a row").id;
    let mut load = Load {
        catalog,
        run,
        set_id,
        enumeration,
        taken: 0,
        writing: Duration::ZERO,
        line: (Duration::ZERO, 0),
    };
    let spec = BoxSpec { sides: [3, 3, 4], cells: 27, connected: false, shape: Shape::Any };
    let boxes = Boxes::new(&spec).expect("a box");
    let (go, mut rows) = (AtomicBool::new(false), Vec::new());
    let map = |found: Found| Some(row(&found, set_id));
    let _ = boxes.for_each_mapped(Place::default(), &go, map, &mut |place, row| {
        rows.push(row);
        if rows.len() == BATCH {
            load.put(&rows, place);
            rows.clear();
        }
        if load.taken < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let begun = Instant::now();
    load.catalog.end_run(run, "finished").expect("the end");
    println!("statistics: {:.1} s", begun.elapsed().as_secs_f64());
    let taken = load.taken;
    println!("{taken} figures, {:.0} a second overall", taken as f64 / load.writing.as_secs_f64());
    drop(load);
    let bytes = path.metadata().expect("the catalog").len();
    println!("{:.0} bytes a figure", bytes as f64 / taken as f64);

    let catalog = Catalog::open_read_only(&path).expect("the catalog");
    let all = Filter::default();
    let questions = [
        ("--fold 6", Filter { fold: Some(6), ..all.clone() }),
        ("--order 8", Filter { order: Some(8), ..all.clone() }),
        ("--cells 54", Filter { cells: Some(54), ..all.clone() }),
        ("--box 3x3x3", Filter { bounds: Some([3, 3, 3]), ..all.clone() }),
        ("--solvable --top 20", Filter { solvable: true, top: Some(20), ..all.clone() }),
        ("--sort unique --top 20", Filter { sort: SortKey::Unique, top: Some(20), ..all.clone() }),
        ("--verdict failed", Filter { verdict: Some("failed".to_owned()), ..all.clone() }),
        ("--name tower", Filter { name: Some("tower".to_owned()), ..all.clone() }),
    ];
    for (words, filter) in questions {
        let begun = Instant::now();
        let rows = catalog
            .select::<somacat::catalog::CatalogError>(&filter, |_| Ok(()))
            .expect("an answer");
        println!(
            "query {words:<24} {rows:>6} rows in {:.1} ms",
            begun.elapsed().as_secs_f64() * 1e3
        );
    }
    // Looking figures up again, as an import of known figures does.
    let sample: Vec<Found> = {
        let mut found = Vec::new();
        let _ = boxes.for_each(&go, &mut |figure| {
            found.push(figure);
            if found.len() < 200_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    };
    drop(catalog);
    let rows: Vec<EntryRow> = sample.par_iter().map(|found| row(found, set_id)).collect();
    let mut catalog = Catalog::open(&path).expect("the catalog");
    let begun = Instant::now();
    let known = catalog.identify(enumeration, &rows).expect("identify");
    let new = known.iter().filter(|figure| figure.new).count();
    let rate = rows.len() as f64 / begun.elapsed().as_secs_f64();
    println!("{} known figures, {new} of them new: {rate:.0} looked up a second", rows.len());
}
