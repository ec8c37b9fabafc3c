//! The search for buildable figures together with their packings.
//!
//! `cargo bench -p benches --bench buildable` takes half a minute. First it compares the search with the plain method,
//! which lists all figures of a class and looks for a packing of each. It uses sets for which the plain method ends
//! soon, and the figures must be equal. Then it measures, with SOMA on one thread, whole shards of some classes with
//! the assignment of figures to shards and their counts.
//!
//! `cargo bench -p benches --bench buildable -- C2(face) 0..8` measures the given shards of the given class.

use somacat_counting::buildable::{Buildable, SLICES};
use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
use somacat_counting::solve::{Limits, Problem, count, first};
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_geometry::symmetry::Class;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

static GO: AtomicBool = AtomicBool::new(false);

fn class(name: &str) -> Class {
    Class::matching(name).expect("a class")[0]
}

/// Lists a class's figures and looks for a packing of each.
fn plain((class, set): &(Class, PieceSet)) -> Vec<String> {
    let equivalence = Equivalence::for_set(set);
    let spec =
        SymmetricSpec { equivalence, ..SymmetricSpec::containing(*class, set.total_cells()) };
    let all = Enumeration::symmetric(spec).expect("a question with an end");
    let mut built = Vec::new();
    let map = |candidate: Candidate| {
        let problem = Problem::with_group(candidate.figure(), set, candidate.group());
        let (packing, _) = first(&problem, Limits::default()).expect("few cells");
        Some(packing.map(|_| candidate.signature().to_string()))
    };
    let flow = all.for_each_mapped(Default::default(), &GO, map, &mut |_, signature| {
        built.extend(signature);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue(), "nothing breaks it off");
    built.sort_unstable();
    built
}

fn joint((class, set): &(Class, PieceSet)) -> Vec<String> {
    let search = Buildable::new(*class, false, set).expect("a 2-group and an odd number of cells");
    let mut built = Vec::new();
    let signatures = |figures: Vec<Candidate>| {
        Some(figures.iter().map(|f| f.signature().to_string()).collect::<Vec<String>>())
    };
    let flow = search.for_each_slice(Buildable::ALL, &GO, signatures, &mut |_, some| {
        built.extend(some);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue(), "nothing breaks it off");
    built.sort_unstable();
    built
}

/// Measures whole shards on one thread and prints the times.
fn shards(name: &str, shards: Range<u64>) {
    let set = PieceSet::soma(1);
    let search = Buildable::new(class(name), false, &set).expect("a 2-group");
    let counting = AtomicU64::new(0);
    let begun = Instant::now();
    let count = |figures: Vec<Candidate>| {
        let begun = Instant::now();
        let raw = figures.iter().map(|candidate| {
            let problem = Problem::with_group(candidate.figure(), &set, candidate.group());
            count(&problem, Limits::default()).ok()?.outcome.raw()
        });
        let raw: u128 = raw.map(|raw| raw.expect("counted")).sum();
        counting.fetch_add(begun.elapsed().as_micros() as u64, Relaxed);
        Some((figures.len(), raw))
    };
    let (mut figures, mut packings) = (0, 0);
    let slices = shards.start * SLICES..shards.end * SLICES;
    let flow = search.for_each_slice(slices, &GO, count, &mut |_, (some, raw)| {
        figures += some;
        packings += raw;
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue(), "nothing breaks it off");
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{name:14} shards {shards:?}: {figures} figures, {packings} packings, {seconds:.2} s, {:.0} µs a figure, {:.0} \
         µs of them for the count",
        seconds * 1e6 / figures as f64,
        counting.load(Relaxed) as f64 / figures as f64,
    );
}

fn main() {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    one_thread.expect("no other pool");
    if let [name, range] = &benches::words()[..] {
        let (begin, end) = range.split_once("..").expect("such as 0..8");
        return shards(name, begin.parse().expect("a shard")..end.parse().expect("a shard"));
    }
    let question = |name: &str, set: &str| (class(name), parse_set(set).expect("a set"));
    for (name, set) in
        [("C2h(face)", "V L T Z A"), ("D2(face)", "V L T Z A B"), ("C2v(face,planar)", "V L T Z")]
    {
        let question = [question(name, set)];
        benches::compare(name, &question, &[("plain", &plain), ("joint", &joint)]);
    }
    for (name, range) in
        [("Ci", 500..502), ("C2(face)", 500..501), ("C2(edge)", 500..501), ("C2h(face)", 0..200)]
    {
        shards(name, range);
    }
}
