//! The census of whole boxes against the search, figure by figure.
//!
//! `cargo bench -p benches --bench census` counts all figures of 2x3x5, 2x4x4, 2x3x6 and 3x3x4 on all cores without
//! writing rows. It prints time, planned memory, peak memory and totals.
//!
//! Then the search counts a sample, drawn evenly from all figures of the box, also on all cores. The printed ratio is
//! its time, extrapolated to all figures, to that of the census. Every figure of the sample must have the same count.
//!
//! To measure other boxes, name them: `cargo bench -p benches --bench census -- 2x4x5`.

use rayon::prelude::*;
use somacat_counting::census::{Census, FigureCounts, ShardCounts, bytes};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The approximate number of figures in a sample.
const SAMPLE: u64 = 20_000;

fn measure(sides: [u32; 3]) {
    let set = PieceSet::soma(1);
    let stop = AtomicBool::new(false);
    let threads = rayon::current_num_threads();
    benches::peak_memory();
    let begun = Instant::now();
    let census = Census::new(sides, &set).expect("a box that pieces fit in");
    let schedule = census.schedule(threads, 8 << 30).expect("a box that fits in memory");
    let all = schedule.totals(0..census.shards(), &stop, &mut |_| ());
    let summary = all.expect("nothing stops it");
    let seconds = begun.elapsed().as_secs_f64();
    let peak = benches::peak_memory().map_or_else(|| "unknown".to_owned(), |kib| bytes(kib * 1024));
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
    let draw = |shard: usize, counts: &ShardCounts<'_>| {
        let (mut at, mut sampled) = (shard as u64, Vec::new());
        counts.for_each(|counts: FigureCounts| {
            at += 1;
            if at % every == 0 {
                sampled.push((census.figure(shard, &counts), counts.raw));
            }
        });
        sampled
    };
    let flow = schedule.for_each_shard(0..census.shards(), &stop, draw, &mut |_, sampled| {
        sample.extend(sampled);
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
        "  search: {searched:.2} s for a sample of {}, so {whole:.1} s for all: census ({:.1}x)",
        sample.len(),
        whole / seconds
    );
}

fn main() {
    let named: Vec<[u32; 3]> =
        benches::words().iter().map(|word| parse_box(word).expect("a box")).collect();
    let all = vec![[2, 3, 5], [2, 4, 4], [2, 3, 6], [3, 3, 4]];
    (if named.is_empty() { all } else { named }).into_iter().for_each(measure);
}
