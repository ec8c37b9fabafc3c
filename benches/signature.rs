//! Signatures: 27-cell figures in boxes and grown freely, and the cube, on one core.
//!
//! `cargo bench -p benches --bench signature`; there is no long form.

use criterion::Throughput;
use somacat_geometry::figure::Figure;
use std::hint::black_box;

fn main() {
    let mut criterion = benches::criterion();
    let mut group = criterion.benchmark_group("signature");
    let mut random = benches::random::Random::new(20_261_121);
    for (name, size) in [
        ("3x3x4", [3, 3, 4]),
        ("4x4x4", [4, 4, 4]),
        ("grown freely", [27, 27, 27]),
        ("the cube", [3, 3, 3]),
    ] {
        let figures: Vec<Figure> =
            (0..1000).map(|_| benches::figures::grow(27, Some(size), &mut random)).collect();
        group.throughput(Throughput::Elements(figures.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for figure in &figures {
                    black_box(black_box(figure).canonical());
                }
            });
        });
    }
    group.finish();
    criterion.final_summary();
}
