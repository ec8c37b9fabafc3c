//! The census of whole boxes against the search, figure by figure.
//!
//! `cargo bench --bench census [BOX…]` counts every figure of 2x3x5, 2x4x4, 2x3x6 and 3x3x4 (or of
//! the boxes named) on all cores, without writing rows, and prints time, memory as planned, peak
//! memory of the process until then (Linux) and totals. Then the search counts a sample of the box's
//! figures, evenly drawn from all of them, also on all cores; the factor is its time extrapolated to all figures,
//! divided by that of the census. Every figure of the sample must have the same count.

use rayon::prelude::*;
use somacat::census::{Census, FigureCounts, ShardCounts, bytes};
use somacat::enumerate::parse_box;
use somacat::figure::Figure;
use somacat::pieces::PieceSet;
use somacat::solve::{Limits, Problem, count};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Figures of a sample, about.
const SAMPLE: u64 = 20_000;

/// The peak resident memory in MiB, counted anew after each call.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    kib.map_or_else(|| "unknown".to_owned(), |kib| bytes(kib * 1024))
}

fn measure(sides: [u32; 3]) {
    let set = PieceSet::soma(1);
    let stop = AtomicBool::new(false);
    let threads = rayon::current_num_threads();
    peak_memory();
    let begun = Instant::now();
    let census = Census::new(sides, &set).expect("a box that pieces fit in");
    let schedule = census.schedule(threads, 8 << 30).expect("a box that fits in memory");
    let all = schedule.totals(0..census.shards(), &stop, &mut |_| ());
    let summary = all.expect("nothing stops it");
    let seconds = begun.elapsed().as_secs_f64();
    let peak = peak_memory();
    assert_eq!((summary.direct, summary.subsets), (summary.packings, census.total_subsets()));
    let (figures, [a, b, c]) = (summary.figures(), sides);
    println!(
        "{a}x{b}x{c}: {seconds:.2} s on {threads} threads, {} planned, peak {peak}; {} subsets, {figures} figures, \
         {} solvable, {} packings, at most {} for a figure",
        bytes(schedule.memory()),
        summary.subsets,
        summary.solvable(),
        summary.direct,
        summary.most()
    );

    let every = figures.div_ceil(SAMPLE).max(1);
    let mut sample: Vec<(Figure, u64)> = Vec::new();
    let drawn = |shard: usize, counts: &ShardCounts<'_>| {
        let (mut at, mut some) = (shard as u64, Vec::new());
        counts.for_each(|counts: FigureCounts| {
            at += 1;
            if at % every == 0 {
                some.push((census.figure(shard, &counts), counts.raw));
            }
        });
        some
    };
    let flow = schedule.for_each_shard(0..census.shards(), &stop, drawn, &mut |_, some| {
        sample.extend(some);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    let begun = Instant::now();
    let agree = sample.par_iter().all(|(figure, raw)| {
        let report = count(&Problem::new(figure, &set), Limits::default());
        report.is_ok_and(|report| report.outcome.raw() == Some(u128::from(*raw)))
    });
    let searched = begun.elapsed().as_secs_f64();
    assert!(agree, "the search disagrees");
    let whole = searched / sample.len() as f64 * figures as f64;
    println!(
        "  search: {searched:.2} s for a sample of {}, so {whole:.1} s for all: {:.0} times the census",
        sample.len(),
        whole / seconds
    );
}

fn main() {
    let named: Vec<[u32; 3]> =
        std::env::args().skip(1).filter_map(|arg| parse_box(&arg).ok()).collect();
    let all = vec![[2, 3, 5], [2, 4, 4], [2, 3, 6], [3, 3, 4]];
    (if named.is_empty() { all } else { named }).into_iter().for_each(measure);
}
