//! Enumeration: symmetric figures counted, and boxes.
//!
//! `SOMACAT_TOTALS=27 cargo bench --bench enumerate` measures no averages but prints the table
//! kept under `benches/runs/`: for each class of order 3 and more the number of connected figures
//! of so many cells with exactly that symmetry, the time, and the peak memory of the process until
//! then (Linux; elsewhere empty). `SOMACAT_CLASS=C3` restricts it to the classes so called.

use criterion::{Criterion, criterion_group};
use somacat::enumerate::{BoxSpec, Enumeration, SymmetricSpec};
use somacat::symmetry::Class;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn count(class: Class, cells: usize) -> u64 {
    let symmetric =
        Enumeration::symmetric(SymmetricSpec::exactly(class, cells)).expect("order 3 or more");
    symmetric.count(&AtomicBool::new(false)).expect("nothing stops it").total()
}

/// The peak resident memory in KiB, counted anew after each call.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.map(|text| text.trim().trim_end_matches(" kB").to_owned()).unwrap_or_default();
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    kib
}

fn totals(cells: usize) {
    let wanted = std::env::var("SOMACAT_CLASS").ok();
    let named = wanted.map(|text| Class::matching(&text).expect("a class"));
    println!("class,order,cells,figures,seconds,peak_kib");
    for class in Class::all().filter(|c| c.order() >= 3) {
        if named.as_ref().is_some_and(|some| !some.contains(&class)) {
            continue;
        }
        peak_memory();
        let started = Instant::now();
        let figures = count(class, cells);
        let seconds = started.elapsed().as_secs_f64();
        let order = class.order();
        println!("\"{class}\",{order},{cells},{figures},{seconds:.3},{}", peak_memory());
    }
    for sides in [[2, 3, 5], [2, 4, 4], [3, 3, 4]] {
        for (what, connected) in [("any", false), ("connected", true)] {
            peak_memory();
            let started = Instant::now();
            let spec = BoxSpec { connected, ..BoxSpec::new(sides, cells) };
            let Ok(boxes) = Enumeration::in_box(spec) else { continue };
            let figures = boxes.count(&AtomicBool::new(false)).expect("nothing stops it").total();
            let seconds = started.elapsed().as_secs_f64();
            let [a, b, c] = sides;
            println!("{what} in {a}x{b}x{c},,{cells},{figures},{seconds:.3},{}", peak_memory());
        }
    }
}

fn symmetric(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("symmetric");
    group.sample_size(10);
    for (name, cells) in [("C3", 22), ("C3i", 27), ("C4", 27), ("C2v(face,planar)", 19)] {
        let class: Class = name.parse().expect("a class");
        group.bench_function(format!("{name} of {cells}"), |b| {
            b.iter(|| black_box(count(class, cells)));
        });
    }
    group.finish();
}

fn boxes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("boxes");
    group.sample_size(10);
    for (name, sides) in [("2x3x5", [2, 3, 5]), ("2x4x4", [2, 4, 4]), ("3x3x4", [3, 3, 4])] {
        let boxes = Enumeration::in_box(BoxSpec::new(sides, 27)).expect("a small box");
        let stop = AtomicBool::new(false);
        group.bench_function(name, |b| b.iter(|| black_box(boxes.count(&stop))));
    }
    group.finish();
}

criterion_group!(benches, symmetric, boxes);

fn main() {
    match std::env::var("SOMACAT_TOTALS").ok().and_then(|text| text.parse().ok()) {
        Some(cells) => totals(cells),
        None => {
            benches();
            Criterion::default().configure_from_args().final_summary();
        }
    }
}
