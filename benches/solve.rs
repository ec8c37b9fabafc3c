//! The search against two reference counters on one thread, including set-up: a naive counter and the crate
//! `dancing-links`.
//!
//! `cargo bench -p benches --bench solve` compares them on 100 figures of each set. The long form, `cargo bench -p
//! benches --bench solve -- long`, does so on 1,000. The counts of every figure must agree.

use benches::bench_sets::{bench_sets, connected_subsets};
use benches::dancing::dancing;
use benches::figures::{box_cells, naive};
use somacat_counting::solve::{Limits, Problem, count, first};
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;
use somacat_run::starter_sources;
use std::time::Instant;

fn search(figure: &Figure, set: &PieceSet) -> u128 {
    let report = count(&Problem::new(figure, set), Limits::default());
    report.expect("27 cells are not too many").outcome.raw().expect("nothing stops it")
}

/// Returns the figures of `catalog/figures/` that one SOMA fills.
fn named() -> Vec<Figure> {
    use somacat_formats::{Item, Reader};
    let readers = starter_sources().iter().map(|(_, text)| Reader::new(text.as_bytes(), None));
    let items = readers.flatten().flatten().flatten();
    let figures = items.filter_map(|item| match item {
        Item::Entry(entry) => Some(entry.figure),
        Item::Fault(_) => None,
    });
    figures.filter(|figure| figure.len() == 27).collect()
}

/// Returns figures of 27 cells with eight symmetries or more: boxes with boxes added or removed.
fn symmetric() -> Vec<Figure> {
    let mut figures = Vec::new();
    for size in [[3, 3, 3], [3, 3, 5], [5, 5, 3], [5, 5, 5]] {
        let cells = box_cells(size);
        let far = |c: &somacat_geometry::lattice::Cell| {
            let at = c.to_array();
            std::array::from_fn::<i32, 3, _>(|i| (2 * at[i] - size[i] + 1).abs())
        };
        // Unions of orbits under the box's own mirrors, with all choices of few orbits.
        let mut orbits: Vec<[i32; 3]> = cells.iter().map(far).collect();
        orbits.sort_unstable();
        orbits.dedup();
        for chosen in 0..1_u32 << orbits.len().min(18) {
            let picked: Vec<_> = cells
                .iter()
                .copied()
                .filter(|c| {
                    orbits.iter().position(|o| *o == far(c)).is_some_and(|at| chosen >> at & 1 == 1)
                })
                .collect();
            if picked.len() == 27
                && let Ok(figure) = Figure::new(picked)
                && somacat_geometry::lattice::is_connected(figure.cells())
            {
                figures.push(figure);
            }
            if figures.len() >= 1000 {
                return figures;
            }
        }
    }
    figures
}

fn main() {
    let figures_per_set = if benches::words() == ["long"] { 1000 } else { 100 };
    let set = PieceSet::soma(1);
    let mut sets = bench_sets(figures_per_set);
    sets.push(("named", named()));
    let mut symmetric = symmetric();
    symmetric.truncate(figures_per_set);
    sets.push(("symmetric", symmetric));
    println!("microseconds for a figure, one thread; in brackets times faster than dancing-links");
    for (name, figures) in sets {
        let counts = benches::compare(
            name,
            &figures,
            &[
                ("dancing-links", &|figure| dancing(figure, &set)),
                ("naive", &|figure| naive(figure, &set)),
                ("search", &|figure| search(figure, &set)),
            ],
        );
        println!("  packings {}", counts.iter().sum::<u128>());
    }
    double_sets(figures_per_set.min(400));
}

/// Measures the times until the first packing of double-set figures.
fn double_sets(count: usize) {
    let set = PieceSet::soma(2);
    for size in [[3, 4, 5], [4, 4, 4], [3, 3, 7], [2, 5, 6]] {
        let mut times = Vec::new();
        let (mut found, mut none) = (0, 0);
        for figure in connected_subsets(54, size, count, 21) {
            let begun = Instant::now();
            let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
            if let Ok((packing, report)) = first(&Problem::new(&figure, &set), limits) {
                found += usize::from(packing.is_some());
                none += usize::from(report.outcome.reason().is_some());
            }
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        let micros = |at: usize| times[at].as_secs_f64() * 1e6;
        println!(
            "first packing of {count} figures of 54 cells in {size:?}: {found} found, {none} have none, {} \
             undecided; median {:.0} us, 99 % within {:.0} us, longest {:.0} us",
            count - found - none,
            micros(count / 2),
            micros(count * 99 / 100),
            micros(count - 1)
        );
    }
}
