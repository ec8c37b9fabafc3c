//! The frontier engine against the search, on figures that both can count.
//!
//! `cargo bench -p benches --bench frontier` compares the engines. The long form, `cargo bench -p benches --bench
//! frontier -- double`, counts the double-set figures of `catalog/figures/` and two boxes. It prints seconds, peak
//! memory, states and counts.

use benches::bench_sets::connected_subsets;
use benches::figures::box_cells;
use somacat_counting::solve::{EngineChoice, Limits, Problem, count};
use somacat_formats::{Item, Reader};
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::Report;
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_run::starter_sources;
use std::time::Instant;

fn solve(figure: &Figure, set: &PieceSet, engine: EngineChoice) -> Report {
    let limits = Limits { engine, ..Limits::default() };
    count(&Problem::new(figure, set), limits).expect("there is memory enough")
}

/// Returns the processor seconds of all threads, in ticks of 10 ms. A busy machine disturbs them less than wall-clock
/// time.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks =
        after_name.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn double_figures() -> Vec<(String, Figure)> {
    let readers = starter_sources().iter().map(|(_, text)| Reader::new(text.as_bytes(), None));
    let items = readers.flatten().flatten().flatten();
    let figures = items.filter_map(|item| match item {
        Item::Entry(entry) => Some((entry.label("", 0), entry.figure)),
        Item::Fault(_) => None,
    });
    let mut figures: Vec<_> = figures.filter(|(_, figure)| figure.len() == 54).collect();
    for size in [[3, 3, 6], [2, 3, 9]] {
        let name = format!("{}x{}x{}", size[0], size[1], size[2]);
        figures.extend(Figure::new(box_cells(size)).map(|figure| (name, figure)));
    }
    figures
}

/// Counts the double-set figures and prints a line for each.
fn double() {
    let threads = rayon::current_num_threads();
    println!("double-set figures, {threads} threads");
    let set = PieceSet::soma(2);
    for (name, figure) in double_figures() {
        benches::peak_memory();
        let (begun, before) = (Instant::now(), processor());
        let report = solve(&figure, &set, EngineChoice::Frontier);
        let (seconds, all_cores) = (begun.elapsed().as_secs_f64(), processor() - before);
        let peak = benches::peak_memory()
            .map_or_else(|| "unknown".to_owned(), |kib| format!("{:.0} MB", kib as f64 * 1.024e-3));
        let counts = report.outcome.counts().expect("nothing stops it");
        println!(
            "{name:24} {seconds:6.2} s  all cores {all_cores:6.2} s  {peak:>8}  states {:8}  raw {} rotation {} unique {}",
            report.nodes.expect("sweeps have states"),
            counts.raw,
            counts.rotation,
            counts.unique
        );
    }
}

fn main() {
    if benches::words() == ["double"] {
        return double();
    }
    let (single, double) = (PieceSet::soma(1), PieceSet::soma(2));
    let part = parse_set("V2 L2 T2 Z A B P2").expect("a set");
    println!("microseconds for a figure, all cores; in brackets times faster than the search");
    for (name, set, figures) in [
        ("single, 3x3x4", &single, connected_subsets(27, [3, 3, 4], 20, 11)),
        ("single, cube", &single, Figure::new(box_cells([3, 3, 3])).into_iter().collect()),
        ("42 cells, 3x3x6", &part, connected_subsets(part.total_cells(), [3, 3, 6], 4, 46)),
        ("double, 3x5x7", &double, connected_subsets(54, [3, 5, 7], 3, 13)),
    ] {
        let counts = benches::compare(
            name,
            &figures,
            &[
                ("search", &|figure| solve(figure, set, EngineChoice::Search).outcome),
                ("frontier", &|figure| solve(figure, set, EngineChoice::Frontier).outcome),
            ],
        );
        let packings: u128 =
            counts.iter().filter_map(somacat_geometry::outcome::Outcome::raw).sum();
        println!("  packings {packings}");
    }
}
