//! Packings that use some of the pieces: ranges of copies, choices of a number of pieces, with and without gaps.

use crate::support::figures::grow;
use crate::support::random::Random;
use somacat_counting::solve::{
    EngineChoice, Limits, Problem, count, count_partial, first, rule_out, visit,
};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::{GAP, OPTIONAL, PieceSet, parse_set_with_ranges};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// The pieces of a packing: the position in the set, and the cells.
type Packing = BTreeSet<(usize, Vec<Cell>)>;

/// A search that takes the first free cell, and fills it with each piece in each way or, if it is optional, leaves it
/// empty.
struct BruteForce<'a> {
    set: &'a PieceSet,
    optional: &'a BTreeSet<Cell>,
    orientations: Vec<Vec<Vec<Cell>>>,
    used: Vec<usize>,
    packing: Packing,
    found: BTreeSet<Packing>,
}

impl<'a> BruteForce<'a> {
    fn new(set: &'a PieceSet, optional: &'a BTreeSet<Cell>) -> Self {
        let orientations = set.pieces().iter().map(|(piece, _)| piece.orientations()).collect();
        let (packing, found, used) = (Packing::new(), BTreeSet::new(), vec![0; set.pieces().len()]);
        Self { set, optional, orientations, used, packing, found }
    }

    fn fill(&mut self, free: &BTreeSet<Cell>) {
        let Some(&cell) = free.first() else {
            let enough =
                self.set.ranges().zip(&self.used).all(|((_, [least, _]), used)| *used >= least);
            let number = self.used.iter().sum::<usize>();
            if enough && self.set.number().is_none_or(|wanted| wanted == number) {
                self.found.insert(self.packing.clone());
            }
            return;
        };
        if self.optional.contains(&cell) {
            self.fill(&free.iter().skip(1).copied().collect());
        }
        for piece in 0..self.used.len() {
            if self.used[piece] == self.set.pieces()[piece].1 {
                continue;
            }
            for shape in self.orientations[piece].clone() {
                let corner = *shape.iter().min().unwrap();
                let mut cells: Vec<Cell> = shape.iter().map(|&c| cell + (c - corner)).collect();
                cells.sort_unstable();
                if cells.iter().all(|cell| free.contains(cell)) {
                    self.used[piece] += 1;
                    let rest = free.iter().filter(|c| !cells.contains(c)).copied().collect();
                    self.packing.insert((piece, cells.clone()));
                    self.fill(&rest);
                    self.packing.remove(&(piece, cells));
                    self.used[piece] -= 1;
                }
            }
        }
    }
}

/// Returns the numbers of packings up to rotations, and up to rotations and reflections, that keep the figure and its
/// optional cells. Reflections count only if the set has each piece as often as its mirror image.
fn classes(
    packings: &BTreeSet<Packing>,
    figure: &Figure,
    optional: &BTreeSet<Cell>,
    set: &PieceSet,
) -> [usize; 2] {
    let image = |cells: &[Cell], t: Transform| -> Vec<Cell> {
        let all: Vec<Cell> = figure.cells().iter().map(|&cell| t.apply(cell)).collect();
        let corner = Cell::min_corner(&all);
        let mut cells: Vec<Cell> = cells.iter().map(|&cell| t.apply(cell) - corner).collect();
        cells.sort_unstable();
        cells
    };
    let marked: Vec<Cell> = optional.iter().copied().collect();
    let ranges: Vec<_> = set.ranges().collect();
    let mirror = |at: usize| {
        let same = |other: &usize| {
            ranges[*other].0.form() == ranges[at].0.mirror_form()
                && ranges[*other].1 == ranges[at].1
        };
        (0..ranges.len()).find(same)
    };
    let mirrors: Option<Vec<usize>> = (0..ranges.len()).map(mirror).collect();
    let keeps =
        |t: &Transform| image(figure.cells(), *t) == figure.cells() && image(&marked, *t) == marked;
    let group: Vec<Transform> = Transform::all().filter(keeps).collect();
    let number = |reflections: bool| {
        let usable = |t: &&Transform| t.is_rotation() || reflections && mirrors.is_some();
        let least = |packing: &Packing| {
            let images = group.iter().filter(usable).map(|&t| -> Packing {
                let piece =
                    |at: usize| if t.is_rotation() { at } else { mirrors.as_ref().unwrap()[at] };
                packing.iter().map(|(at, cells)| (piece(*at), image(cells, t))).collect()
            });
            images.min().unwrap()
        };
        packings.iter().map(least).collect::<BTreeSet<Packing>>().len()
    };
    [number(false), number(true)]
}

const SETS: [&str; 8] = [
    "V0..2 L0..1 D0..1",
    "V1..2 D0..3",
    "A0..1 B0..1 V0..2",
    "A B0..1 D0..2 V",
    "L0..2 T0..1 D1..2",
    "V L T Z A B P",
    "D0..4 I0..2",
    "V3 L2",
];

/// 500 random figures, some with optional cells: all counts, of every engine and choice by choice, the packings found
/// and the reasons against one are those of a brute force.
#[test]
fn random_choices_are_those_of_brute_force() {
    let mut random = Random::new(61);
    let (mut buildable, mut impossible, mut chosen) = (0, 0, 0);
    for round in 0..500 {
        let mut set = parse_set_with_ranges(SETS[round % SETS.len()]).unwrap();
        let cells = 5 + random.below(6);
        if round % 3 == 0 || !set.is_choice() {
            set = set.partial((round % 4 == 0).then(|| cells.div_ceil(4)));
        }
        let figure = grow(cells, Some([2, 3, 4]), &mut random);
        let mut colors = vec![0; cells];
        for _ in 0..if round % 2 == 0 { 0 } else { 1 + random.below(4) } {
            colors[random.below(cells)] = OPTIONAL;
        }
        let marked = figure.cells().iter().zip(&colors).filter(|(_, color)| **color == OPTIONAL);
        let optional: BTreeSet<Cell> = marked.map(|(&cell, _)| cell).collect();
        let colors = FigureColors::new(&colors);
        let mut search = BruteForce::new(&set, &optional);
        search.fill(&figure.cells().iter().copied().collect());
        let packings = search.found;
        let [rotation, unique] = classes(&packings, &figure, &optional, &set);

        let solved = if optional.is_empty() { set.clone() } else { set.with_gaps_in(cells) };
        let problem = Problem::new(&figure, &solved).with_colors(colors.as_ref());
        let text = format!("{round}: {:?} {optional:?} {:?}", figure.cells(), set.lines());
        for engine in [EngineChoice::Search, EngineChoice::Frontier, EngineChoice::Auto] {
            let limits = Limits { engine, ..Limits::default() };
            match count(&problem, limits).unwrap().outcome {
                Outcome::Counted(counts) => {
                    let expected = [packings.len(), rotation, unique].map(|n| n as u128);
                    assert_eq!(
                        [counts.raw, counts.rotation, counts.unique],
                        expected,
                        "{text} {engine:?}"
                    );
                }
                Outcome::Unsolvable(_) => assert!(packings.is_empty(), "{text} {engine:?}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        if rule_out(&problem).unwrap().is_some() {
            assert!(packings.is_empty(), "{text}");
        }
        let mut visited = BTreeSet::new();
        visit(&problem, Limits::default(), &mut |packing| {
            let pieces = packing.iter().filter(|p| solved.pieces()[p.piece].0.letter() != GAP);
            assert!(visited.insert(pieces.map(|p| (p.piece, p.cells.clone())).collect()), "{text}");
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(visited, packings, "{text}");
        let (found, _) = first(&problem, Limits::default()).unwrap();
        assert_eq!(found.is_some(), !packings.is_empty(), "{text}");

        // The pieces used, by name.
        let mut choices: BTreeMap<String, u128> = BTreeMap::new();
        for packing in &packings {
            let copies = |at: usize| packing.iter().filter(|(piece, _)| *piece == at).count();
            let words = set.pieces().iter().enumerate().filter(|(at, _)| copies(*at) > 0);
            let words: Vec<String> =
                words.map(|(at, (piece, _))| piece.name_with_count(copies(at))).collect();
            *choices.entry(words.join(" ")).or_default() += 1;
        }
        let mut counted = BTreeMap::new();
        count_partial(&problem, &[], Limits::default(), &mut |choice| {
            counted.insert(choice.pieces.name().to_owned(), choice.report.outcome.raw().unwrap());
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(counted, choices, "{text}");
        buildable += usize::from(!packings.is_empty());
        impossible += usize::from(packings.is_empty());
        chosen += usize::from(choices.len() > 1);
    }
    assert!(buildable > 200 && impossible > 80 && chosen > 80, "{buildable} {impossible} {chosen}");
}
