//! Enumeration of symmetric figures, figures in boxes, and figures in several parts.
//!
//! `cargo bench -p benches --bench enumerate` takes a minute or two. Its group `pipeline` measures the cost of ruling
//! out figures beyond listing them, as in a run: only listed, after a first look, and after a short search as well.
//!
//! The long form, `cargo bench -p benches --bench enumerate -- totals 27 [CLASS]`, prints the table under
//! `benches/runs/`. For each class of order 3 or more, it has the number of figures, the time, and the peak memory. The
//! figures are the connected ones of 27 cells with exactly that symmetry.

use somacat_counting::enumerate::{BoxSpec, Enumeration, FoundFigure, ShardRange, SymmetricSpec};
use somacat_counting::solve::FirstLook;
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

static GO: AtomicBool = AtomicBool::new(false);

fn class(name: &str) -> Class {
    Class::matching(name).expect("a class")[0]
}

fn symmetric(spec: SymmetricSpec) -> Enumeration {
    Enumeration::symmetric(spec).expect("a question with an end")
}

fn in_box(sides: [u32; 3], cells: usize, connected: bool) -> Enumeration {
    let spec = BoxSpec { connected, ..BoxSpec::new(sides, cells) };
    Enumeration::in_box(spec).expect("a small box")
}

fn count(enumeration: &Enumeration) -> u64 {
    enumeration.count(&GO).expect("nothing stops it").total()
}

/// Lists figures with their signatures, like a run.
fn list(enumeration: &Enumeration) -> usize {
    let (mut letters, map) =
        (0, |c: somacat_geometry::figure::Candidate| Some(c.signature().clone()));
    let flow = enumeration.for_each_mapped(Default::default(), &GO, map, &mut |_, signature| {
        letters += signature.as_str().len();
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue(), "nothing breaks it off");
    letters
}

/// The last step of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Listed,
    FirstLook,
    ShortSearch,
}

/// Returns the numbers of all figures and of ruled-out figures. The latter are ruled out up to step `last`.
fn ruled_out(enumeration: &Enumeration, last: Step) -> (u64, u64) {
    let (set, mut figures, mut out) = (PieceSet::soma(1), 0, 0);
    let first_look = FirstLook::new(&set);
    let follow = |draft: FoundFigure<'_>| -> Option<Reason> {
        if last < Step::FirstLook {
            return None;
        }
        let (mut cells, mut orbits) = (Vec::new(), Vec::new());
        draft.list_cells(&mut cells);
        draft.list_orbits(&mut orbits);
        match last {
            Step::FirstLook => first_look.rule_out(&cells, &orbits, draft.group()),
            _ => first_look.rule_out_by_short_search(&cells, &orbits, draft.group(), None),
        }
    };
    let (all, one) = (ShardRange::ALL, |draft: FoundFigure<'_>| Some(follow(draft)));
    let flow = enumeration.for_each_in(all, all.from(), &GO, one, &mut |_, reason| {
        figures += 1;
        out += u64::from(reason.is_some());
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue(), "nothing breaks it off");
    (figures, out)
}

fn pipeline(criterion: &mut criterion::Criterion) {
    let mut group = criterion.benchmark_group("pipeline");
    for name in ["C2h(edge)", "C2v(face,diagonal)"] {
        let all = symmetric(SymmetricSpec::exactly(class(name), 27));
        for (what, last) in [
            ("listed", Step::Listed),
            ("after a first look", Step::FirstLook),
            ("after a short search", Step::ShortSearch),
        ] {
            let (figures, out) = ruled_out(&all, last);
            println!("{name}, {what}: {out} of {figures} ruled out");
            group.bench_function(format!("{name}, {what}"), |b| {
                b.iter(|| black_box(ruled_out(&all, last)));
            });
        }
    }
    group.finish();
}

fn averages() {
    let mut criterion = benches::criterion();
    let mut group = criterion.benchmark_group("symmetric");
    for (name, cells) in [("C3", 22), ("C3i", 27), ("C4", 27), ("C2v(face,planar)", 19)] {
        let all = symmetric(SymmetricSpec::exactly(class(name), cells));
        group.bench_function(format!("{name} of {cells}"), |b| b.iter(|| black_box(count(&all))));
    }
    for (name, cells, bounds, parts) in
        [("C1", 21, [3, 3, 3], 3), ("Cs(planar)", 18, [3, 3, 4], 2), ("C2(face)", 9, [6, 6, 6], 2)]
    {
        let spec = SymmetricSpec::exactly(class(name), cells);
        let all = symmetric(SymmetricSpec { bounds: Some(bounds), parts, ..spec });
        let [a, b, c] = bounds;
        let label = format!("{name} of {cells} in {parts} parts in {a}x{b}x{c}");
        group.bench_function(label, |b| b.iter(|| black_box(count(&all))));
    }
    group.finish();
    let mut group = criterion.benchmark_group("boxes");
    for (name, sides) in [("2x3x5", [2, 3, 5]), ("2x4x4", [2, 4, 4]), ("3x3x4", [3, 3, 4])] {
        let all = in_box(sides, 27, false);
        group.bench_function(name, |b| b.iter(|| black_box(count(&all))));
    }
    let all = in_box([2, 4, 4], 26, true);
    group.bench_function("listed in 2x4x4", |b| b.iter(|| black_box(list(&all))));
    group.finish();
    pipeline(&mut criterion);
    criterion.final_summary();
}

/// Prints a line of the table of totals.
fn total(name: &str, order: &str, cells: usize, enumeration: &Enumeration) {
    benches::peak_memory();
    let started = Instant::now();
    let figures = count(enumeration);
    let seconds = started.elapsed().as_secs_f64();
    let peak = benches::peak_memory().map(|kib| kib.to_string()).unwrap_or_default();
    println!("{name},{order},{cells},{figures},{seconds:.3},{peak}");
}

fn totals(cells: usize, named: Option<&str>) {
    let named = named.map(|text| Class::matching(text).expect("a class"));
    println!("class,order,cells,figures,seconds,peak_kib");
    for class in Class::iter().filter(|c| c.order() >= 3) {
        if named.as_ref().is_none_or(|some| some.contains(&class)) {
            let (name, order) = (format!("\"{class}\""), class.order().to_string());
            total(&name, &order, cells, &symmetric(SymmetricSpec::exactly(class, cells)));
        }
    }
    if named.is_some() {
        return;
    }
    for sides in [[2, 3, 5], [2, 4, 4], [3, 3, 4]] {
        for (what, connected) in [("any", false), ("connected", true)] {
            let [a, b, c] = sides;
            total(&format!("{what} in {a}x{b}x{c}"), "", cells, &in_box(sides, cells, connected));
        }
    }
}

fn main() {
    match benches::words().iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["totals", cells, rest @ ..] => {
            totals(cells.parse().expect("a number of cells"), rest.first().copied());
        }
        _ => averages(),
    }
}
