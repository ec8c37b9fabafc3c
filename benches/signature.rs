//! Signatures: 27-cell figures in boxes and grown freely, and the cube, on one core.
//!
//! `cargo bench --bench signature`; there is no long form.

#[allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "shared with the tests")]
#[path = "../tests/support/figures.rs"]
mod figures;
#[allow(unreachable_pub, reason = "shared with the tests")]
#[path = "../tests/support/random.rs"]
mod random;
mod support;

use criterion::Throughput;
use somacat::figure::Figure;
use std::hint::black_box;

fn main() {
    let mut criterion = support::criterion();
    let mut group = criterion.benchmark_group("signature");
    let mut random = random::Random::new(20_261_121);
    for (name, size) in [
        ("3x3x4", [3, 3, 4]),
        ("4x4x4", [4, 4, 4]),
        ("grown freely", [27, 27, 27]),
        ("the cube", [3, 3, 3]),
    ] {
        let figures: Vec<Figure> =
            (0..1000).map(|_| figures::grow(27, Some(size), &mut random)).collect();
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
