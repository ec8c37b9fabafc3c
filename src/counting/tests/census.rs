//! The census against the search, figure by figure, and a naive counter.

use crate::support::deadline::with_deadline;
use crate::support::figures::{boxed, naive};
use crate::support::random::Random;
use somacat_counting::census::{
    Census, CensusError, CensusTotals, ClassTotals, FigureCounts, Method, Schedule, ShardCounts,
};
use somacat_counting::enumerate::{BoxSpec, Enumeration};
use somacat_counting::solve::{EngineChoice, Limits, Problem, count};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{Piece, PieceSet, parse_set};
use somacat_geometry::symmetry::Class;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const PLENTY: u64 = 1 << 32;

/// Enough memory for a search, but not for lists of sets.
const LITTLE: u64 = 16 << 20;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Returns the figures of some shards with their counts, and the totals.
///
/// Checks that the totals of each shard are those of its figures, and that the solvable figures can be listed
/// separately.
fn figures(
    schedule: &Schedule<'_>,
    shards: Range<usize>,
) -> (Vec<(Candidate, FigureCounts)>, CensusTotals) {
    let census = schedule.census();
    let (mut all, mut summary) = (Vec::new(), CensusTotals::default());
    let read = |shard: usize, counts: &ShardCounts<'_>| {
        let mut some = Vec::new();
        counts.for_each(|counts| {
            let candidate = census.candidate(shard, &counts);
            some.push((candidate, counts));
        });
        let mut solvable = Vec::new();
        counts.for_each_solvable(|counts| solvable.push(counts));
        let with_packing = some.iter().map(|(_, counts)| *counts).filter(|counts| counts.raw > 0);
        assert_eq!(solvable, with_packing.collect::<Vec<_>>(), "{} {shard}", census.key());
        let totals = counts.totals();
        let mut by_class: BTreeMap<Class, ClassTotals> = BTreeMap::new();
        for (candidate, FigureCounts { group, raw, .. }) in &some {
            let totals = by_class.entry(group.class()).or_default();
            let difference = candidate.figure().color_difference().unsigned_abs();
            totals.figures += 1;
            totals.solvable += u64::from(*raw > 0);
            totals.parity_blocked += u64::from(!census.set().color_sums().contains(&difference));
            totals.raw += u128::from(*raw);
            totals.most = totals.most.max(*raw);
        }
        assert_eq!(totals.by_class, by_class, "{} {shard}", census.key());
        (some, totals)
    };
    let flow = schedule.for_each_shard(shards, &GO_ON, read, &mut |_, (some, one)| {
        all.extend(some);
        summary.add(&one);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    (all, summary)
}

/// Returns all figures of a census.
fn whole(census: &Census) -> (Vec<(Candidate, FigureCounts)>, CensusTotals) {
    figures(&census.schedule(2, PLENTY).unwrap(), 0..census.shards())
}

/// Compares a figure's counts with the search. Compares the census's other results with the figure itself.
fn assert_counted(candidate: &Candidate, counts: &FigureCounts, set: &PieceSet) {
    let figure = candidate.figure();
    let report = count(&Problem::new(figure, set), Limits::default()).unwrap();
    let ours = [counts.raw, counts.rotation, counts.unique].map(u128::from);
    assert_eq!(
        ours,
        [
            report.outcome.raw().unwrap(),
            report.outcome.rotation().unwrap(),
            report.outcome.unique().unwrap()
        ],
        "{figure:?}"
    );
    assert_eq!(candidate.group(), figure.canonical().group, "{figure:?}");
    let equivalence = Equivalence::for_set(set);
    assert_eq!(*candidate.signature(), figure.canonical_up_to(equivalence).signature, "{figure:?}");
}

fn assert_totals(census: &Census, summary: &CensusTotals) {
    assert_eq!(summary.direct, summary.packings, "{}", census.key());
    assert_eq!(summary.subsets, census.total_subsets(), "{}", census.key());
}

/// Returns all counts by signature.
fn table(figures: &[(Candidate, FigureCounts)]) -> BTreeMap<String, [u64; 3]> {
    let row = |(candidate, counts): &(Candidate, FigureCounts)| {
        (candidate.signature().to_string(), [counts.raw, counts.rotation, counts.unique])
    };
    let table: BTreeMap<_, _> = figures.iter().map(row).collect();
    assert_eq!(table.len(), figures.len(), "a figure comes once");
    table
}

#[test]
fn every_figure_of_2x3x5_and_2x4x4_has_the_counts_of_the_search() {
    let set = PieceSet::soma(1);
    for sides in [[2, 3, 5], [4, 2, 4]] {
        let census = Census::new(sides, &set).unwrap();
        let (all, summary) = whole(&census);
        let all_figures = Enumeration::in_box(BoxSpec::new(sides, 27)).unwrap();
        assert_eq!(all_figures.total(), Some(all.len() as u128));
        assert_eq!(table(&all).len(), all.len());
        all.iter().for_each(|(figure, counts)| assert_counted(figure, counts, &set));
        assert_totals(&census, &summary);
        assert_eq!(summary.figures(), all.len() as u64);
        assert_eq!(summary.solvable(), all.iter().filter(|(_, c)| c.raw > 0).count() as u64);
        assert_eq!(summary.most(), all.iter().map(|(_, c)| c.raw).max().unwrap());
    }
}

#[test]
fn the_cube_is_built_in_11520_ways_480_up_to_rotation_240_up_to_reflection() {
    let census = Census::new([3, 3, 3], &PieceSet::soma(1)).unwrap();
    let (all, summary) = whole(&census);
    let [(_, cube)] = all.as_slice() else { panic!("one figure fills the box") };
    assert_eq!((cube.raw, cube.rotation, cube.unique), (11520, 480, 240));
    assert_totals(&census, &summary);
}

/// Counts a set's packings in a box with the frontier engine. Any cells may stay empty: single cubes fill the rest of
/// the box.
fn packings_beside_cubes(sides: [u32; 3], set: &PieceSet) -> u128 {
    let full = boxed(sides.map(|side| side as i32));
    let cube = Piece::new('.', &[Cell::default()]).unwrap();
    let empty = full.len() - set.total_cells();
    let filled_up = PieceSet::new("filled up", set.pieces().iter().cloned().chain([(cube, empty)]));
    let limits = Limits { engine: EngineChoice::Frontier, ..Limits::default() };
    count(&Problem::new(&full, &filled_up), limits).unwrap().outcome.raw().unwrap()
}

/// A second total by a method that shares nothing with the census. It needs no other program.
#[test]
fn single_cubes_fill_what_the_pieces_leave_empty() {
    for (sides, text) in [
        ([2, 2, 3], "V L"),
        ([2, 2, 3], "A L"),
        ([1, 4, 5], "D2 L2"),
        ([2, 3, 4], "L3"),
        ([2, 4, 4], "SOMA"),
        ([3, 3, 4], "SOMA"),
    ] {
        let set = parse_set(text).unwrap();
        let census = Census::new(sides, &set).unwrap();
        let schedule = census.schedule(2, PLENTY).unwrap();
        let totals = schedule.totals(0..census.shards(), &GO_ON, &mut |_| ()).unwrap();
        assert_eq!(packings_beside_cubes(sides, &set), totals.direct, "{text} in {sides:?}");
    }
}

#[test]
fn estimated_packings_are_close() {
    for (sides, text) in [([2, 3, 5], "SOMA"), ([2, 3, 4], "L3"), ([3, 4, 4], "V L")] {
        let set = parse_set(text).unwrap();
        let census = Census::new(sides, &set).unwrap();
        let of_box = |(shard, _): &(usize, f64)| census.bounding_box(*shard) == sides;
        let images = |shard| census.subsets(shard) as f64 / census.shard_subsets(shard) as f64;
        let own = census.approximate_packings().enumerate().filter(of_box);
        let estimated: f64 = own.map(|(shard, packings)| packings * images(shard)).sum();
        let ratio = estimated / packings_beside_cubes(sides, &set) as f64;
        assert!((0.9..1.1).contains(&ratio), "{text} in {sides:?}: {ratio}");
    }
}

/// The boxes of docs/census.md. The census of some takes too long for a test.
#[test]
fn packings_of_published_boxes_are_found_a_second_time() {
    let mut checked = 0;
    for line in include_str!("../../../docs/census.md").lines() {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, sides, _, _, _, packings, _, _] = columns[..] else { continue };
        let Ok(sides) = parse_box(sides) else { continue };
        let packings: u128 = packings.replace(',', "").parse().unwrap();
        if sides.iter().product::<u32>() <= 45 {
            assert_eq!(packings_beside_cubes(sides, &PieceSet::soma(1)), packings, "{sides:?}");
            checked += 1;
        }
    }
    assert!(checked > 5);
}

/// The smallest shards of the 3x3x4 box, including that of the cube.
#[test]
fn samples_of_3x3x4_have_the_counts_of_the_search() {
    let set = PieceSet::soma(1);
    let census = Census::new([3, 3, 4], &set).unwrap();
    let schedule = census.schedule(2, PLENTY).unwrap();
    assert_eq!(schedule.method(), Method::DynamicProgramming);
    let cube = (0..census.shards()).find(|&shard| census.bounding_box(shard) == [3, 3, 3]).unwrap();
    let (found, summary) = figures(&schedule, cube..census.shards());
    assert_eq!(found[0].1.raw, 11520);
    assert_eq!(summary.packings, 2 * 11520);
    let mut random = Random::new(36);
    let (some, _) = figures(&schedule, cube - 12..cube);
    for _ in 0..1000 {
        let (figure, counts) = &some[random.below(some.len())];
        assert_counted(figure, counts, &set);
    }
}

/// The 2x4x5 box is too large for dynamic programming in stages. Joined halves give the figures of a search, in
/// shards of every size, and the counts of the solver.
#[test]
fn samples_of_2x4x5_are_the_same_joined_and_searched() {
    let set = PieceSet::soma(1);
    let census = Census::new([2, 4, 5], &set).unwrap();
    let joined = census.schedule(2, PLENTY).unwrap();
    let searched = census.schedule(2, 200 << 20).unwrap();
    assert_eq!(joined.method(), Method::MeetInTheMiddle);
    assert_eq!(searched.method(), Method::Search);
    let own =
        (0..census.shards()).take_while(|&shard| census.bounding_box(shard) == [2, 4, 5]).count();
    let total = |schedule: &Schedule<'_>| {
        schedule.totals(own / 2..own / 2 + 5, &GO_ON, &mut |_| ()).expect("nothing stops it")
    };
    assert_eq!(total(&joined), total(&searched));
    // Small shards and the smallest ones, checked figure by figure.
    for shards in [own - 400..own - 370, own - 10..own] {
        let [ours, theirs] = [&joined, &searched].map(|schedule| figures(schedule, shards.clone()));
        assert_eq!(ours.1, theirs.1);
        assert_eq!(table(&ours.0), table(&theirs.0));
        let every = ours.0.len() / 200 + 1;
        let some = ours.0.iter().step_by(every);
        some.for_each(|(figure, counts)| assert_counted(figure, counts, &set));
    }
}

#[test]
fn small_sets_agree_with_a_naive_counter_for_every_subset() {
    let sets = [
        "V", "V L", "V L T", "A", "A B", "V A", "V2", "V2 L", "A2 B2", "V D2", "T2 Z", "S D I",
        "A L", "D3", "S2",
    ];
    for text in sets {
        let set = parse_set(text).unwrap();
        for sides in [[2, 2, 3], [1, 3, 4], [2, 2, 4], [3, 2, 3], [1, 1, 8]] {
            let Ok(census) = Census::new(sides, &set) else {
                let volume: u32 = sides.iter().product();
                assert!((volume as usize) < set.total_cells());
                continue;
            };
            let (all, summary) = whole(&census);
            assert_totals(&census, &summary);
            assert_eq!(table(&all).len(), all.len());
            for (candidate, counts) in &all {
                let figure = candidate.figure();
                assert_eq!(u128::from(counts.raw), naive(figure, &set), "{text}: {figure:?}");
                assert_counted(candidate, counts, &set);
            }
        }
    }
}

/// A chiral set distinguishes a figure from its mirror image: 49 figures become 72.
#[test]
fn a_set_that_is_not_closed_under_reflection_has_figures_up_to_rotation() {
    let census = Census::new([2, 2, 3], &parse_set("A L").unwrap()).unwrap();
    let (all, summary) = whole(&census);
    assert_eq!((summary.figures(), summary.solvable()), (72, 8));
    let up_to_reflection: BTreeSet<_> =
        all.iter().map(|(c, _)| c.figure().canonical().signature).collect();
    assert_eq!(up_to_reflection.len(), 49);
    // The symmetry group is still the full one.
    assert!(all.iter().any(|(c, _)| !c.group().is_chiral()));
}

/// Every number of pattern cells gives the same figures and counts. This includes cut orbits.
#[test]
fn no_split_changes_a_count() {
    for (sides, text) in
        [([2, 2, 4], "V L T"), ([2, 3, 3], "A L V"), ([1, 3, 5], "L2 V"), ([2, 2, 4], "D4")]
    {
        let set = parse_set(text).unwrap();
        let (all, summary) = whole(&Census::new(sides, &set).unwrap());
        let all = table(&all);
        let (mut methods, mut keys) = (BTreeSet::new(), BTreeSet::new());
        let volume: u32 = sides.iter().product();
        for pattern_cells in 0..=volume as usize {
            let census = Census::with_pattern_cells(sides, &set, pattern_cells).unwrap();
            for memory in [PLENTY, LITTLE] {
                let schedule = census.schedule(2, memory).unwrap();
                let (some, totals) = figures(&schedule, 0..census.shards());
                assert_eq!(table(&some), all, "{}", census.key());
                assert_eq!(totals, summary, "{}", census.key());
                methods.insert(schedule.method().to_string());
            }
            keys.insert(census.key());
        }
        assert_eq!(methods.len(), 3, "{methods:?}");
        assert_eq!(keys.len(), volume as usize + 1);
        let error = Census::with_pattern_cells(sides, &set, 25).unwrap_err();
        assert!(matches!(error, CensusError::Split { pattern_cells: 25, .. }), "{error}");
    }
}

/// Threads and memory only determine the method: shards, figures, their order and all totals stay the same, shard
/// by shard.
#[test]
fn threads_and_memory_change_nothing() {
    let set = parse_set("L3").unwrap();
    let census = Census::new([2, 3, 4], &set).unwrap();
    assert_eq!(Census::new([4, 2, 3], &set).unwrap().key(), census.key());
    let rows = |schedule: &Schedule<'_>| {
        let mut rows = Vec::new();
        let read = |_: usize, counts: &ShardCounts<'_>| {
            let mut figures = Vec::new();
            counts.for_each(|counts| figures.push(counts));
            (figures, counts.packings(), counts.totals())
        };
        let all = 0..census.shards();
        let flow = schedule.for_each_shard(all, &GO_ON, read, &mut |shard, row| {
            rows.push((shard, row));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        rows
    };
    let (some, others) = (0..census.shards() / 2, census.shards() / 2..census.shards());
    let both = census.subsets_in(some.clone()) + census.subsets_in(others);
    assert_eq!(both, census.subsets_in(0..census.shards()));
    let one_by_one: u64 = some.clone().map(|shard| census.subsets(shard)).sum();
    assert_eq!(census.subsets_in(some), one_by_one);
    let plenty = census.schedule(2, PLENTY).unwrap();
    assert_eq!(plenty.method(), Method::DynamicProgramming);
    let expected = rows(&plenty);
    let mut summary = CensusTotals::default();
    expected.iter().for_each(|(_, (_, _, one))| summary.add(one));
    assert_totals(&census, &summary);
    let mut methods = BTreeSet::new();
    for threads in [1, 3, 16] {
        for memory in [PLENTY, 300 << 20, 70 << 20, 10 << 20] {
            let schedule = census.schedule(threads, memory).unwrap();
            assert!(schedule.memory() <= memory && schedule.threads() <= threads);
            methods.insert((schedule.method().to_string(), schedule.threads()));
            assert_eq!(rows(&schedule), expected, "{threads} threads, {memory} bytes");
            let all = 0..census.shards();
            assert_eq!(schedule.totals(all, &GO_ON, &mut |_| ()), Some(summary.clone()));
        }
    }
    assert!(methods.len() > 3, "{methods:?}");
    let error = census.schedule(2, 1000).unwrap_err();
    assert!(matches!(error, CensusError::Memory { allowed: 1000, .. }), "{error}");
}

#[test]
fn a_box_without_a_census_is_refused_with_the_reason() {
    let soma = PieceSet::soma(1);
    let told = |sides| Census::new(sides, &soma).unwrap_err().to_string();
    assert_eq!(
        told([2, 3, 4]),
        "box 2x3x4 has 24 cells, and the pieces fill 27; choose a larger box or fewer pieces"
    );
    assert_eq!(
        told([4, 4, 4]),
        "box 4x4x4 has 64 cells, and a census takes boxes of 1 to 56 cells; choose a smaller box"
    );
    let empty = Census::new([0, 4, 4], &soma).unwrap_err();
    assert_eq!(empty, CensusError::Volume { sides: [0, 4, 4], volume: 0 });
    let none = Census::new([1, 1, 1], &PieceSet::new("", [])).unwrap_err();
    assert_eq!(none, CensusError::NoPieces);
    let split = Census::with_pattern_cells([3, 4, 4], &soma, 12).unwrap_err().to_string();
    assert_eq!(split, "box 3x4x4 can be split by 16 to 24 pattern cells, not by 12");
}

/// Boxes with large orbits of cells, some of them pattern cells.
///
/// Figures with and without packings of some random shards, except the largest, are compared with the search.
#[test]
fn boxes_with_large_orbits_of_cells_are_counted() {
    for (sides, text) in [
        ([3, 4, 4], "V L T Z A B P"),
        ([3, 4, 4], "V L A P"),
        ([2, 3, 9], "V L T Z A B P"),
        ([2, 3, 9], "V L T A B"),
        ([1, 5, 11], "D7 V2"),
        ([1, 7, 8], "D6 L2"),
    ] {
        let set = parse_set(text).unwrap();
        let census = Census::new(sides, &set).unwrap();
        let spanning =
            (0..census.shards()).take_while(|&shard| census.bounding_box(shard) == sides);
        let few: Vec<usize> = spanning.filter(|&s| census.subsets(s) < 16 * 400_000).collect();
        let read = |shard: usize, counts: &ShardCounts<'_>| {
            let (mut solvable, mut others) = (Vec::new(), Vec::new());
            counts.for_each(|counts| match counts.raw {
                0 => others.push(counts),
                _ => solvable.push(counts),
            });
            let mut random = Random::new(shard as u64);
            let mut draw = |some: &[FigureCounts]| -> Vec<FigureCounts> {
                let number = if some.is_empty() { 0 } else { 30 };
                (0..number).map(|_| some[random.below(some.len())]).collect()
            };
            let drawn = [draw(&solvable), draw(&others)].concat();
            for counts in &drawn {
                assert_counted(&census.candidate(shard, counts), counts, &set);
            }
            drawn.iter().filter(|counts| counts.raw > 0).count()
        };
        let mut random = Random::new(7);
        let mut solvable = 0;
        for _ in 0..3 {
            let shard = few[random.below(few.len())];
            let schedule = census.schedule_of(shard..shard + 1, 2, PLENTY).unwrap();
            let flow = schedule.for_each_shard(shard..shard + 1, &GO_ON, read, &mut |_, some| {
                solvable += some;
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
        }
        assert!(solvable > 0, "{}", census.key());
    }
}

/// A stop takes effect at every stage: while pieces are placed in stages, while packings are searched, and while
/// figures are read out.
///
/// Each stage would take minutes. Only the last is certain to be reached before the stop.
#[test]
fn a_stop_takes_effect_at_every_stage() {
    for (sides, text, reads) in
        [([3, 3, 4], "V L T A B", false), ([3, 4, 4], "SOMA", false), ([2, 4, 4], "SOMA", true)]
    {
        let census = Census::new(sides, &parse_set(text).unwrap()).unwrap();
        let schedule = census.schedule(2, PLENTY).unwrap();
        let (stop, ended) = (AtomicBool::new(false), AtomicUsize::new(0));
        let read = |_: usize, counts: &ShardCounts<'_>| {
            counts.for_each(|_| {
                if reads {
                    stop.store(true, Ordering::Relaxed);
                }
            });
            ended.fetch_add(1, Ordering::Relaxed);
        };
        let mut handed_on = 0;
        let flow = std::thread::scope(|scope| {
            let work = scope.spawn(|| {
                let all = 0..census.shards();
                schedule.for_each_shard(all, &stop, read, &mut |_, ()| {
                    handed_on += 1;
                    ControlFlow::Continue(())
                })
            });
            if !reads {
                std::thread::sleep(Duration::from_millis(1500));
                stop.store(true, Ordering::Relaxed);
            }
            with_deadline(&census.key(), || work.join().unwrap())
        });
        assert!(flow.is_break());
        // A shard that was being read during the stop may be incomplete and is not emitted.
        assert!(!reads || handed_on < ended.into_inner());
        assert_eq!(schedule.totals(0..census.shards(), &stop, &mut |_| ()), None);
    }
}
