//! A census counts what the search counts figure by figure, and what a naive counter counts.

use crate::support::figures::naive;
use crate::support::random::Random;
use somacat::census::{Census, CensusError, Counted, Summary};
use somacat::enumerate::{BoxSpec, Enumeration};
use somacat::figure::{Figure, Identity};
use somacat::pieces::{PieceSet, parse_set};
use somacat::solve::{Limits, Problem, count};
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

const PLENTY: u64 = 1 << 32;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// The figures of some parts with their counts, and what the parts come to.
fn figures(census: &Census, parts: Range<usize>) -> (Vec<(Figure, Counted)>, Summary) {
    let (mut all, mut summary) = (Vec::new(), Summary::default());
    let work = |part: usize, tallied: &somacat::census::Tallied<'_>| {
        let mut some = Vec::new();
        tallied.for_each(|counted| {
            let figure = census.figure(part, &counted).unwrap();
            assert_eq!(census.color_difference(part, &counted), {
                figure.color_difference().unsigned_abs()
            });
            some.push((figure, counted));
        });
        (some, census.part_summary(part, tallied))
    };
    let flow = census.for_each_part(parts, &GO_ON, work, &mut |_, (some, one)| {
        all.extend(some);
        summary.add(&one);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    (all, summary)
}

/// Compares a figure's row with the search.
fn assert_counted(figure: &Figure, counted: &Counted, set: &PieceSet) {
    let report = count(&Problem::new(figure, set), Limits::default()).unwrap();
    let ours = [counted.raw, counted.rotation, counted.unique].map(u128::from);
    assert_eq!(
        ours,
        [
            report.outcome.raw().unwrap(),
            report.outcome.rotation().unwrap(),
            report.outcome.unique().unwrap()
        ],
        "{figure:?}"
    );
    assert_eq!(counted.group, figure.canonical().group, "{figure:?}");
}

fn assert_totals(census: &Census, summary: &Summary) {
    assert_eq!(summary.direct, summary.packings);
    assert_eq!(summary.subsets, census.total_subsets());
}

#[test]
fn every_figure_of_2x3x5_and_2x4x4_has_the_counts_of_the_search() {
    let set = PieceSet::soma(1);
    for sides in [[2, 3, 5], [4, 2, 4]] {
        let census = Census::new(sides, &set, 2, PLENTY).unwrap();
        let (all, summary) = figures(&census, 0..census.parts());
        let all_figures = Enumeration::in_box(BoxSpec::new(sides, 27)).unwrap();
        assert_eq!(all_figures.total(), Some(all.len() as u128));
        let signatures: BTreeSet<_> = all.iter().map(|(f, _)| f.canonical().signature).collect();
        assert_eq!(signatures.len(), all.len());
        all.iter().for_each(|(figure, counted)| assert_counted(figure, counted, &set));
        assert_totals(&census, &summary);
        assert_eq!(summary.figures(), all.len() as u64);
        assert_eq!(summary.solvable(), all.iter().filter(|(_, c)| c.raw > 0).count() as u64);
        assert_eq!(summary.most(), all.iter().map(|(_, c)| c.raw).max().unwrap());
    }
}

#[test]
fn the_cube_is_built_in_11520_ways_480_up_to_rotation_240_up_to_reflection() {
    let census = Census::new([3, 3, 3], &PieceSet::soma(1), 1, PLENTY).unwrap();
    let (all, summary) = figures(&census, 0..census.parts());
    let [(_, cube)] = all.as_slice() else { panic!("one figure fills the box") };
    assert_eq!((cube.raw, cube.rotation, cube.unique), (11520, 480, 240));
    assert_totals(&census, &summary);
}

/// The smallest parts of the 3x3x4 box, among them the cube in its own box.
#[test]
fn samples_of_3x3x4_have_the_counts_of_the_search() {
    let set = PieceSet::soma(1);
    let census = Census::new([3, 3, 4], &set, 2, PLENTY).unwrap();
    let cube = (0..census.parts()).find(|&part| census.own_box(part) == [3, 3, 3]).unwrap();
    let (found, summary) = figures(&census, cube..census.parts());
    assert_eq!(found[0].1.raw, 11520);
    assert_eq!(summary.packings, 2 * 11520);
    let mut random = Random::new(36);
    let (some, _) = figures(&census, cube - 12..cube);
    for _ in 0..1000 {
        let (figure, counted) = &some[random.below(some.len())];
        assert_counted(figure, counted, &set);
    }
}

#[test]
fn small_sets_agree_with_a_naive_counter_for_every_subset() {
    let sets =
        ["V", "V L", "V L T", "A", "A B", "V A", "V2", "V2 L", "A2 B2", "V D2", "T2 Z", "S D I"];
    for text in sets {
        let set = parse_set(text).unwrap();
        for sides in [[2, 2, 3], [1, 3, 4], [2, 2, 4], [3, 2, 3]] {
            let Ok(census) = Census::new(sides, &set, 2, PLENTY) else {
                let volume: u32 = sides.iter().product();
                assert!((volume as usize) < set.total_cells());
                continue;
            };
            let (all, summary) = figures(&census, 0..census.parts());
            assert_totals(&census, &summary);
            let identity =
                if set.is_mirror_closed() { Identity::Reflections } else { Identity::Rotations };
            let mut seen = BTreeSet::new();
            for (figure, counted) in &all {
                assert!(seen.insert(figure.canonical_up_to(identity).signature), "{figure:?}");
                assert_eq!(u128::from(counted.raw), naive(figure, &set), "{text}: {figure:?}");
                assert_counted(figure, counted, &set);
            }
        }
    }
}

#[test]
fn splitting_and_stopping_change_nothing() {
    let set = parse_set("L3").unwrap();
    let whole = Census::new([2, 3, 4], &set, 2, PLENTY).unwrap();
    let (mut all, summary) = figures(&whole, 0..whole.parts());
    // With little memory packings are searched instead of keeping sets, with less in more parts.
    let with = |memory: u64| Census::new([2, 3, 4], &set, 2, memory).unwrap();
    let searched = with(64 << 20);
    let mut split = with(searched.memory() - 1);
    while split.parts() == searched.parts() {
        split = with(split.memory() - 1);
    }
    for census in [&searched, &split] {
        assert!(census.memory() < whole.memory());
        assert_eq!(census.summary(0..census.parts(), &GO_ON, &mut |_| ()), Some(summary.clone()));
    }
    let (some, first) = figures(&split, 0..split.parts() / 2);
    let (others, second) = figures(&split, split.parts() / 2..split.parts());
    let mut sum = first;
    sum.add(&second);
    assert_eq!(sum, summary);
    let key = |(figure, counted): &(Figure, Counted)| {
        (figure.canonical().signature, counted.raw, counted.rotation, counted.unique)
    };
    let mut again: Vec<_> = some.iter().chain(&others).map(key).collect();
    again.sort();
    all.sort_by_key(key);
    assert_eq!(again, all.iter().map(key).collect::<Vec<_>>());
    let error = Census::new([2, 3, 4], &set, 2, 1000).unwrap_err();
    assert!(matches!(error, CensusError::Memory { allowed: 1000, .. }), "{error}");
    let stop = AtomicBool::new(true);
    assert_eq!(whole.summary(0..whole.parts(), &stop, &mut |_| ()), None);
}

#[test]
fn boxes_without_answer_are_refused() {
    let soma = PieceSet::soma(1);
    let new = |sides| Census::new(sides, &soma, 1, PLENTY).unwrap_err();
    assert_eq!(new([2, 3, 4]), CensusError::TooSmall { sides: [2, 3, 4], cells: 27 });
    assert_eq!(new([4, 4, 4]), CensusError::Box([4, 4, 4]));
    assert_eq!(new([0, 4, 4]), CensusError::Box([0, 4, 4]));
}

/// What a command prints, which must end well.
fn somacat(folder: &std::path::Path, args: &[&str]) -> String {
    let output = crate::support::program::run(folder, args);
    assert!(output.status.success(), "{}", crate::support::program::stderr(&output));
    crate::support::program::stdout(&output)
}

/// Signature, class, verdict and counts of each row, by signature.
fn rows(csv: &str) -> BTreeSet<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let wanted = ["signature", "class", "parity", "verdict", "raw", "rotation", "unique"];
    let at = wanted.map(|name| header.iter().position(|h| h == name).unwrap());
    reader.records().map(|row| at.map(|i| row.as_ref().unwrap()[i].to_owned()).to_vec()).collect()
}

#[test]
fn printed_and_kept_rows_are_those_of_a_run_over_the_same_figures() {
    let folder = tempfile::TempDir::new().unwrap();
    let printed = rows(&somacat(folder.path(), &["census", "2x3x5", "--keep", "all"]));
    assert_eq!(printed.len(), 550);
    std::fs::write(
        folder.path().join("box.cells"),
        somacat(folder.path(), &["enumerate", "box", "2x3x5", "--cells", "27"]),
    )
    .unwrap();
    assert_eq!(rows(&somacat(folder.path(), &["count", "box.cells"])), printed);
    let sql = "SELECT signature, class, parity, verdict, raw, rotation, \"unique\" FROM figures";
    // A second census of figures that are known changes nothing.
    for box_within in ["2x3x5", "5x3x2"] {
        somacat(folder.path(), &["census", box_within, "--keep", "all", "--catalog"]);
        let kept = somacat(folder.path(), &["query", "--csv", "--sql", sql]);
        assert_eq!(rows(&kept), printed);
    }
    let best = somacat(folder.path(), &["census", "2x3x5", "--keep", "top:2"]);
    let most: Vec<String> = rows(&best).into_iter().map(|row| row[4].clone()).collect();
    assert_eq!(most.len(), 2);
    assert!(most.contains(&"3599".to_owned()) && most.contains(&"3429".to_owned()), "{most:?}");
}
