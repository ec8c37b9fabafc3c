//! The frontier engine: seconds, memory and states for the double-set figures of `catalog/figures/`
//! and some boxes, and both engines on figures that both can count, as ratios in one run.
//!
//! `cargo bench --bench frontier`; `cargo bench --bench frontier -- double` leaves out the comparison.
//! Memory is the process's peak so far (`VmHWM`), which only grows from
//! figure to figure; it is known on Linux only.

#[allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "shared with the tests")]
#[path = "../tests/support/figures.rs"]
mod figures;
#[allow(unreachable_pub, reason = "shared with the tests")]
#[path = "../tests/support/random.rs"]
mod random;

use figures::{box_cells, connected_subsets};
use somacat::figure::Figure;
use somacat::formats::{Item, Options, Reader};
use somacat::outcome::Report;
use somacat::pieces::{PieceSet, parse_set};
use somacat::run::starter_sources;
use somacat::solve::{Limits, Method, Problem, count};
use std::time::Instant;

fn solve(figure: &Figure, set: &PieceSet, method: Method) -> (Report, f64) {
    let begun = Instant::now();
    let limits = Limits { method, ..Limits::default() };
    let report = count(&Problem::new(figure, set), limits);
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    (report, begun.elapsed().as_secs_f64())
}

/// Seconds of all cores, which a busy machine disturbs less; in ticks of 10 ms.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks =
        after_name.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Megabytes.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or_else(|| "unknown".to_owned(), |kb| format!("{:.0} MB", kb / 1000.0))
}

fn double_figures() -> Vec<(String, Figure)> {
    let readers =
        starter_sources().iter().map(|(_, text)| Reader::of_text(text, None, &Options::default()));
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

fn main() {
    let threads = rayon::current_num_threads();
    println!("double-set figures, {threads} threads, peak of the process so far");
    let set = PieceSet::soma(2);
    for (name, figure) in double_figures() {
        let before = processor();
        let (report, seconds) = solve(&figure, &set, Method::Frontier);
        let all_cores = processor() - before;
        let show = |n: Option<u128>| n.unwrap_or_default();
        println!(
            "{name:24} {seconds:6.2} s  all cores {all_cores:6.2} s  {:>8}  states {:8}  raw {} rotation {} unique {}",
            peak(),
            report.nodes.unwrap_or(0),
            report.outcome.raw().expect("a count"),
            show(report.outcome.rotation()),
            show(report.outcome.unique())
        );
    }
    if std::env::args().any(|arg| arg == "double") {
        return;
    }
    println!("both engines, seconds a figure; ratio: search / frontier");
    let single = PieceSet::soma(1);
    let part = parse_set("V2 L2 T2 Z A B P2").unwrap_or_else(|error| panic!("{error}"));
    for (name, set, figures) in [
        ("single, 3x3x4", &single, connected_subsets(27, [3, 3, 4], 20, 11)),
        ("single, 3x3x3", &single, Figure::new(box_cells([3, 3, 3])).into_iter().collect()),
        ("42 cells, 3x3x6", &part, connected_subsets(part.total_cells(), [3, 3, 6], 4, 46)),
        ("double, 3x5x7", &set, connected_subsets(54, [3, 5, 7], 3, 13)),
    ] {
        let (mut search, mut frontier, mut packings) = (0.0, 0.0, 0);
        for figure in &figures {
            let (slow, seconds) = solve(figure, set, Method::Search);
            search += seconds;
            let (fast, seconds) = solve(figure, set, Method::Frontier);
            frontier += seconds;
            assert_eq!(
                (slow.outcome.raw().expect("a count"), slow.outcome.unique()),
                (fast.outcome.raw().expect("a count"), fast.outcome.unique()),
                "{name}"
            );
            packings += slow.outcome.raw().expect("a count");
        }
        let n = figures.len() as f64;
        println!(
            "{name:16} {:3} figures  search {:.6}  frontier {:.6}  ratio {:.3}  packings {packings}",
            figures.len(),
            search / n,
            frontier / n,
            search / frontier
        );
    }
}
