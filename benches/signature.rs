//! Signatures a second on one core: 27-cell figures in boxes and grown freely, and the cube.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use somacat::figure::Figure;
use somacat::lattice::Cell;
use std::hint::black_box;

/// A xorshift generator: the figures are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// A connected figure of 27 cells grown by random neighbors inside a box.
fn grown(random: &mut Random, [x, y, z]: [i32; 3]) -> Figure {
    let inside = |c: &Cell| (0..x).contains(&c.x) && (0..y).contains(&c.y) && (0..z).contains(&c.z);
    let mut cells = vec![Cell::new(x / 2, y / 2, z / 2)];
    while cells.len() < 27 {
        let next = cells[random.below(cells.len())].neighbors()[random.below(6)];
        if inside(&next) && !cells.contains(&next) {
            cells.push(next);
        }
    }
    Figure::new(cells).expect("27 distinct cells form a figure")
}

fn signatures(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("signature");
    let mut random = Random(20_261_121);
    for (name, size) in [
        ("3x3x4", [3, 3, 4]),
        ("4x4x4", [4, 4, 4]),
        ("grown freely", [27, 27, 27]),
        ("the cube", [3, 3, 3]),
    ] {
        let figures: Vec<Figure> = (0..1000).map(|_| grown(&mut random, size)).collect();
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
}

criterion_group!(benches, signatures);
criterion_main!(benches);
