//! Packings in a box in which nothing slides.
//!
//! A figure is the inside of a box: every cell outside of it is wall. A packing leaves some cells empty, and its pieces
//! might rattle. A group of pieces, one, several or all, *slides* in one of the six directions if it can move by one
//! cell, as one rigid body, without meeting a wall or a piece outside of the group. A packing is *held* if no group
//! slides. With an open top, pieces may leave upwards, so that this direction does not count: nothing slides in the
//! other five. Shorter and longer moves need no attention: a group that moves by any distance first moves into the
//! cells next to it. Moves of several groups in different directions at once are not considered.
//!
//! **When a packing is held.** In a direction d, piece i *leans* on piece j if a cell of i has a cell of j next to it
//! towards d, and on the wall if it has a wall there. A group slides exactly if none of its pieces leans on the wall or
//! on a piece outside of it. The pieces from which no chain of leaning pieces leads to the wall are such a group, and
//! contain any other. So a packing is held if in each direction every piece leans on the wall, directly or through
//! others.
//!
//! **Search.** Take the pieces placed so far, a direction, and a piece without a chain to the wall. What it leans on,
//! directly or through others, is a group S that slides now. In every held packing with these pieces, some other piece
//! has a cell directly in front of S. So these empty cells in front are an *obligation*: at least one of them will be
//! filled. A cell that may not stay empty is one too, and so are the copies of a piece that are not placed yet. The
//! search takes the obligation that the fewest placements meet, and tries each of these, later ones without the earlier
//! ones. So it reaches every held packing exactly once. It gives up if the remaining pieces cannot meet all obligations:
//! each copy meets at most as many as the best placement of its kind.
//!
//! **Symmetry.** Some piece is in every packing. Its placements fall into orbits under the symmetries of the box, and
//! the search begins with one representative of each orbit, without the placements of the orbits before. It so finds
//! at least one packing of each class. Of the images of a packing, the one with the first orbit, the representative in
//! it, and the least placements counts for the class.
//!
//! For example, V is held in a square of 2×2 cells, which it fills but for a corner: it has a wall next to it on every
//! side. In a square of 3×3 cells it slides, but not if T fills four of the other cells in the right way.

use crate::cell_placements::CellPlacement;
use crate::solve::{Limits, PackingSymmetries, Placement, Problem};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::{Counts, Engine, Outcome, Reason, Report};
use somacat_geometry::pieces::{GAP, OPTIONAL, PieceSet};
use somacat_geometry::symmetry::Group;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

/// The most cells of a box.
pub const MAX_BOX_CELLS: usize = Mask::BITS as usize;

/// Cells of the box, by their positions in [`Figure::cells`].
type Mask = u128;

/// The six directions; the last one is up.
const STEPS: [[i32; 3]; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// The most obligations that are looked at together: one bit of a word each.
const MAX_OBLIGATIONS: usize = u64::BITS as usize;

/// Nodes between two looks at the request to stop.
const STOP_CHECK_INTERVAL: u64 = 1 << 10;

/// The side of a box through which pieces are put in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoxTop {
    /// Nothing may slide upwards.
    Closed,
    /// Pieces may leave upwards.
    Open,
}

/// A box that is too large for the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "packings in which nothing slides are searched in boxes of up to {MAX_BOX_CELLS} cells; this has {0}"
)]
pub struct BoxTooLarge(pub usize);

/// A box and pieces to hold in it.
#[derive(Clone, Copy, Debug)]
pub struct HeldBox<'a> {
    /// The inside of the box.
    pub figure: &'a Figure,
    /// The pieces. If they have gaps ([`PieceSet::with_gaps_in`]), cells may stay empty.
    pub set: &'a PieceSet,
    /// The colors of the cells. They decide which cells may stay empty.
    pub colors: Option<&'a FigureColors>,
    /// The top of the box.
    pub top: BoxTop,
}

/// Which of the held packings a visitor sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeldPackings {
    /// All, the images of a packing one after the other.
    All,
    /// One of each class.
    Unique,
}

/// Passes every packing in which nothing slides to `visitor`, which may stop, and counts them.
///
/// Packings are counted up to the symmetries of the box; with an open top, those that keep it on top. In their report,
/// an unsolvable box is one without held packings.
///
/// ```
/// use somacat_counting::antislide::{BoxTop, HeldBox, HeldPackings, visit_held};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
/// use std::ops::ControlFlow;
///
/// // V and T hold each other in a square of nine cells in one way, up to its symmetries.
/// let (figure, set) = (Figure::of_box([3, 3, 1])?, parse_set("V T")?.with_gaps_in(9));
/// let held = HeldBox { figure: &figure, set: &set, colors: None, top: BoxTop::Closed };
/// let mut visitor = |_: &[_]| ControlFlow::Continue(());
/// let report = visit_held(held, HeldPackings::All, Limits::default(), &mut visitor)?;
/// assert_eq!((report.outcome.raw(), report.outcome.unique()), (Some(8), Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the box has more than [`MAX_BOX_CELLS`] cells.
pub fn visit_held(
    held: HeldBox<'_>,
    selection: HeldPackings,
    limits: Limits<'_>,
    visitor: &mut dyn FnMut(&[Placement]) -> ControlFlow<()>,
) -> Result<Report, BoxTooLarge> {
    let bench = Bench::new(held)?;
    let sets = held.set.ranges().map(|(piece, range)| match piece.letter() {
        GAP => [0, 0],
        _ => range,
    });
    let mut search = Search {
        bench: &bench,
        left: sets.collect(),
        number: held.set.number(),
        chosen: Vec::new(),
        occupied: 0,
        root: None,
        counts: Counts { raw: 0, rotation: 0, unique: 0 },
        nodes: 0,
        halted: false,
        selection,
        limits,
        visitor,
    };
    search.run();
    let Search { counts, nodes, halted, .. } = search;
    let outcome = match (halted, counts.raw) {
        (true, raw) => Outcome::bound(raw),
        (false, 0) => Outcome::Unsolvable(Reason::Exhausted),
        (false, _) => Outcome::Counted(counts),
    };
    Ok(Report { outcome, nodes: Some(nodes), engine: Some(Engine::Search) })
}

/// A placement as the search needs it.
struct Part {
    kind: usize,
    cells: Mask,
    /// For each direction, the cells of the box next to the piece.
    front: [Mask; 6],
    /// For each direction, whether the piece has a wall next to it.
    wall: [bool; 6],
}

/// A box with all placements.
struct Bench<'a> {
    cells: &'a [Cell],
    /// The position of the gap among the pieces, if there are gaps.
    gap: Option<usize>,
    placements: Vec<Placement>,
    parts: Vec<Part>,
    /// The cells that may not stay empty.
    required: Mask,
    /// The directions in which nothing may slide: the first ones of [`STEPS`].
    directions: usize,
    /// For each symmetry, the image of each placement.
    images: Vec<Vec<u32>>,
    /// The same for the rotations alone.
    rotations: Vec<Vec<u32>>,
}

impl<'a> Bench<'a> {
    fn new(held: HeldBox<'a>) -> Result<Self, BoxTooLarge> {
        let HeldBox { figure, set, colors, top } = held;
        let cells = figure.cells();
        if cells.len() > MAX_BOX_CELLS {
            return Err(BoxTooLarge(cells.len()));
        }
        let all: Vec<CellPlacement> = placements(figure, set, colors);
        let gap = set.pieces().iter().position(|(piece, _)| piece.letter() == GAP);
        let is_required =
            |at: &usize| gap.is_none() || colors.is_some_and(|colors| !colors.takes(*at, OPTIONAL));
        let required = mask((0..cells.len()).filter(is_required));
        let parts = all.iter().map(|placement| Part::new(placement, cells)).collect();
        let placement = |one: &CellPlacement| Placement {
            piece: one.piece,
            cells: one.cells.iter().map(|&at| cells[at]).collect(),
        };
        let placements: Vec<Placement> = all.iter().map(placement).collect();
        let number: HashMap<&Placement, u32> = placements.iter().zip(0..).collect();
        let problem = Problem::new(figure, set).with_colors(colors);
        let up = Cell::from(STEPS[5]);
        let kept = problem.group().iter().filter(|t| top == BoxTop::Closed || t.apply(up) == up);
        let group = Group::generated_by(kept);
        let tables = |group: Group| {
            let problem = Problem::with_group(figure, set, group);
            let symmetries = PackingSymmetries::of(&problem);
            let mut tables = Vec::new();
            for placement in &placements {
                for (at, image) in symmetries.images(placement).enumerate() {
                    if tables.len() == at {
                        tables.push(Vec::with_capacity(placements.len()));
                    }
                    let image =
                        number.get(&image).expect("a symmetry maps placements to placements");
                    tables[at].push(*image);
                }
            }
            tables
        };
        let (images, rotations) = (tables(group), tables(group.rotations()));
        let directions = if top == BoxTop::Open { 5 } else { 6 };
        Ok(Self { cells, gap, parts, required, directions, images, rotations, placements })
    }

    /// Returns a packing with a placement of the gap on each empty cell, as other searches report it.
    fn with_gaps(&self, packing: &[u32]) -> Vec<Placement> {
        let mut all: Vec<Placement> =
            packing.iter().map(|&one| self.placements[one as usize].clone()).collect();
        let filled = packing.iter().fold(0, |mask, &one| mask | self.parts[one as usize].cells);
        let empty = (0..self.cells.len()).filter(|at| filled >> at & 1 == 0);
        let gap = |(piece, at): (usize, usize)| Placement { piece, cells: vec![self.cells[at]] };
        all.extend(
            self.gap
                .into_iter()
                .flat_map(|piece| empty.clone().map(move |at| (piece, at)))
                .map(gap),
        );
        all
    }

    /// Returns the different images of an ascending packing, itself among them.
    fn orbit(packing: &[u32], tables: &[Vec<u32>]) -> BTreeSet<Vec<u32>> {
        let image = |table: &Vec<u32>| {
            let mut image: Vec<u32> = packing.iter().map(|&one| table[one as usize]).collect();
            image.sort_unstable();
            image
        };
        let own = packing.to_vec();
        tables.iter().map(image).chain([own]).collect()
    }
}

impl Part {
    fn new(placement: &CellPlacement, cells: &[Cell]) -> Self {
        let own = mask(placement.cells.iter().copied());
        let (mut front, mut wall) = ([0; 6], [false; 6]);
        for (direction, step) in STEPS.map(Cell::from).into_iter().enumerate() {
            for &at in &placement.cells {
                match cells.binary_search(&(cells[at] + step)) {
                    Ok(next) => front[direction] |= 1 << next & !own,
                    Err(_) => wall[direction] = true,
                }
            }
        }
        Self { kind: placement.piece, cells: own, front, wall }
    }
}

fn mask(cells: impl Iterator<Item = usize>) -> Mask {
    cells.fold(0, |mask, at| mask | 1 << at)
}

/// Lists the placements of all pieces but gaps, each once, with colors obeyed.
fn placements(
    figure: &Figure,
    set: &PieceSet,
    colors: Option<&FigureColors>,
) -> Vec<CellPlacement> {
    let number = |cell: Cell| figure.cells().binary_search(&cell).ok();
    let mut all = BTreeSet::new();
    for (piece, (shape, _)) in set.pieces().iter().enumerate() {
        if shape.letter() == GAP {
            continue;
        }
        for image in shape.colored_orientations() {
            for &first in figure.cells() {
                let cells = image.cells.iter().map(|&cell| number(cell - image.cells[0] + first));
                let Some(mut cells) = cells.collect::<Option<Vec<usize>>>() else { continue };
                let color = |at: usize| image.colors.get(at).copied().unwrap_or(0);
                let takes = |(at, &cell): (usize, &usize)| {
                    colors.is_none_or(|colors| colors.takes(cell, color(at)))
                };
                if cells.iter().enumerate().all(takes) {
                    cells.sort_unstable();
                    all.insert(CellPlacement { piece, cells });
                }
            }
        }
    }
    all.into_iter().collect()
}

/// The first placements of a search.
struct Root {
    /// The piece that is in every packing.
    kind: usize,
    /// The number of the orbit of each of its placements.
    orbit: HashMap<u32, usize>,
    /// The representative of each orbit.
    representatives: Vec<u32>,
}

struct Search<'a> {
    bench: &'a Bench<'a>,
    /// For each piece, the least and the greatest number of further copies.
    left: Vec<[usize; 2]>,
    /// The number of pieces of a packing, if it is prescribed.
    number: Option<usize>,
    chosen: Vec<u32>,
    occupied: Mask,
    root: Option<Root>,
    counts: Counts,
    nodes: u64,
    halted: bool,
    selection: HeldPackings,
    limits: Limits<'a>,
    visitor: &'a mut dyn FnMut(&[Placement]) -> ControlFlow<()>,
}

impl Search<'_> {
    fn run(&mut self) {
        let bench = self.bench;
        let all: Vec<u32> = (0..bench.parts.len() as u32).collect();
        let of_kind =
            |kind: usize| all.iter().filter(move |one| bench.parts[**one as usize].kind == kind);
        let needed = (0..self.left.len()).filter(|&kind| self.left[kind][0] > 0);
        let Some(kind) = needed.min_by_key(|&kind| of_kind(kind).count()) else {
            return self.extend(&all);
        };
        let (mut orbit, mut representatives) = (HashMap::new(), Vec::new());
        for &one in of_kind(kind) {
            if !orbit.contains_key(&one) {
                let images = bench.images.iter().map(|table| table[one as usize]);
                let images = images.filter(|image| bench.parts[*image as usize].kind == kind);
                orbit.extend(images.map(|image| (image, representatives.len())));
                representatives.push(one);
            }
        }
        let mut beginnings = Vec::new();
        for (number, &one) in representatives.iter().enumerate() {
            let is_free = |other: &u32| orbit.get(other).is_none_or(|orbit| *orbit >= number);
            beginnings.push((one, all.iter().copied().filter(is_free).collect::<Vec<u32>>()));
        }
        self.root = Some(Root { kind, orbit, representatives });
        beginnings.iter().for_each(|(one, list)| self.place(*one, list));
    }

    /// Places a piece, and searches on with the placements of the list that remain possible.
    fn place(&mut self, one: u32, list: &[u32]) {
        let parts = &self.bench.parts;
        let part = &parts[one as usize];
        let [least, most] = self.left[part.kind];
        self.left[part.kind] = [least.saturating_sub(1), most - 1];
        self.occupied |= part.cells;
        self.chosen.push(one);
        let fits = |other: &&u32| {
            let other = &parts[**other as usize];
            other.cells & self.occupied == 0 && self.left[other.kind][1] > 0
        };
        let rest: Vec<u32> = list.iter().filter(fits).copied().collect();
        self.extend(&rest);
        self.chosen.pop();
        self.occupied &= !part.cells;
        self.left[part.kind] = [least, most];
    }

    /// Completes the chosen pieces with placements of a list in every way.
    fn extend(&mut self, list: &[u32]) {
        self.nodes += 1;
        let is_spent = self.limits.nodes.is_some_and(|most| self.nodes > most);
        if is_spent {
            self.nodes -= 1;
        }
        if is_spent || self.nodes.is_multiple_of(STOP_CHECK_INTERVAL) && self.limits.stopped() {
            self.halted = true;
        }
        if self.halted {
            return;
        }
        let obligations = self.obligations();
        let most: usize = self.left.iter().map(|[_, most]| most).sum();
        let room =
            self.number.map_or(most, |number| most.min(number.saturating_sub(self.chosen.len())));
        let is_enough = self.left.iter().all(|[least, _]| *least == 0)
            && self.number.is_none_or(|number| number == self.chosen.len());
        if obligations.is_empty() && is_enough {
            self.take();
        }
        if room == 0 || self.halted {
            return;
        }
        let parts = &self.bench.parts;
        let meets = |one: &u32| {
            let cells = parts[*one as usize].cells;
            let met = obligations
                .iter()
                .enumerate()
                .filter(|(_, cells_in_front)| cells & **cells_in_front != 0);
            met.fold(0_u64, |met, (at, _)| met | 1 << at)
        };
        let met: Vec<u64> = list.iter().map(meets).collect();
        let every = (0..obligations.len()).fold(0_u64, |every, at| every | 1 << at);
        let Some(branching) = self.branching(list, &met, every, room) else { return };
        for (at, &one) in list.iter().enumerate() {
            let part = &parts[one as usize];
            if !branching.takes(part.kind, met[at]) || !self.can_finish(at, list, &met, every, room)
            {
                continue;
            }
            // Packings with earlier placements of this obligation were found before.
            let is_new = |(before, other): (usize, &u32)| {
                before > at || !branching.takes(parts[*other as usize].kind, met[before])
            };
            let rest = list.iter().enumerate().filter(|(before, other)| is_new((*before, other)));
            let rest: Vec<u32> = rest.map(|(_, other)| *other).collect();
            self.place(one, &rest);
            if self.halted {
                return;
            }
        }
    }

    /// Chooses the obligation that the fewest placements of a list meet. `None` if one cannot be met.
    fn branching(&self, list: &[u32], met: &[u64], every: u64, room: usize) -> Option<Branching> {
        let mut by_obligation = [0_usize; MAX_OBLIGATIONS];
        let mut by_kind = vec![(0_usize, 0_u32); self.left.len()];
        for (&one, &met) in list.iter().zip(met) {
            let (placements, best) = &mut by_kind[self.bench.parts[one as usize].kind];
            *placements += 1;
            *best = met.count_ones().max(*best);
            let mut rest = met;
            while rest != 0 {
                by_obligation[rest.trailing_zeros() as usize] += 1;
                rest &= rest - 1;
            }
        }
        let mut bests: Vec<u32> = Vec::new();
        for ((_, best), [_, most]) in by_kind.iter().zip(&self.left) {
            bests.extend(std::iter::repeat_n(*best, (*most).min(room)));
        }
        bests.sort_unstable_by(|a, b| b.cmp(a));
        if bests.iter().take(room).sum::<u32>() < every.count_ones() {
            return None;
        }
        let needed = (0..self.left.len()).filter(|&kind| self.left[kind][0] > 0);
        let kinds = needed.map(|kind| (by_kind[kind].0, Branching::Kind(kind)));
        let cells =
            (0..every.count_ones() as usize).map(|at| (by_obligation[at], Branching::Cells(at)));
        match kinds.chain(cells).min_by_key(|(placements, _)| *placements) {
            Some((0, _)) => None,
            Some((_, fewest)) => Some(fewest),
            None => Some(Branching::Any),
        }
    }

    /// Returns false if no last piece can meet the obligations that a placement leaves.
    fn can_finish(&self, at: usize, list: &[u32], met: &[u64], every: u64, room: usize) -> bool {
        let open = every & !met[at];
        let parts = &self.bench.parts;
        let part = &parts[list[at] as usize];
        match room {
            1 => open == 0,
            2 if open != 0 => list.iter().zip(met).any(|(&other, met)| {
                let other = &parts[other as usize];
                open & !met == 0
                    && other.cells & part.cells == 0
                    && (other.kind != part.kind || self.left[part.kind][1] > 1)
            }),
            _ => true,
        }
    }

    /// Returns sets of empty cells of which at least one must be filled. None are left exactly if the pieces chosen are
    /// held and all required cells are filled.
    fn obligations(&self) -> Vec<Mask> {
        let mut found: Vec<Mask> = Vec::new();
        let parts = || self.chosen.iter().map(|&one| &self.bench.parts[one as usize]);
        for direction in 0..self.bench.directions {
            // The pieces with a chain to the wall.
            let (mut is_held, mut held) = (vec![false; self.chosen.len()], 0);
            let mut grown = true;
            while grown {
                grown = false;
                for (part, is_held) in parts().zip(&mut is_held) {
                    if !*is_held && (part.wall[direction] || part.front[direction] & held != 0) {
                        (*is_held, grown) = (true, true);
                        held |= part.cells;
                    }
                }
            }
            for (part, _) in parts().zip(&is_held).filter(|(_, is_held)| !**is_held) {
                let (mut group, mut front) = (part.cells, part.front[direction]);
                while let Some(next) = parts().find(|next| next.cells & !group & front != 0) {
                    group |= next.cells;
                    front |= next.front[direction];
                }
                let free = front & !self.occupied;
                if !found.contains(&free) {
                    found.push(free);
                }
            }
        }
        let mut empty = self.bench.required & !self.occupied;
        while empty != 0 && found.len() < MAX_OBLIGATIONS {
            found.push(empty & empty.wrapping_neg());
            empty &= empty - 1;
        }
        found.truncate(MAX_OBLIGATIONS);
        found
    }

    /// Counts the class of the packing, unless another image of it counts for the class.
    fn take(&mut self) {
        let mut own = self.chosen.clone();
        own.sort_unstable();
        let orbit = Bench::orbit(&own, &self.bench.images);
        let key = |packing: &Vec<u32>| {
            let Some(Root { kind, orbit, representatives }) = &self.root else { return (0, false) };
            let of_kind =
                packing.iter().filter(|one| self.bench.parts[**one as usize].kind == *kind);
            let first = of_kind.map(|one| orbit[one]).min().expect("the piece is in every packing");
            (first, !packing.contains(&representatives[first]))
        };
        let own_key = (key(&own), &own);
        if orbit.iter().any(|image| (key(image), image) < own_key) {
            return;
        }
        let rotations = Bench::orbit(&own, &self.bench.rotations).len();
        self.counts.raw += orbit.len() as u128;
        self.counts.rotation += (orbit.len() / rotations) as u128;
        self.counts.unique += 1;
        let shown = match self.selection {
            HeldPackings::All => orbit,
            HeldPackings::Unique => BTreeSet::from([own]),
        };
        for packing in shown {
            if (self.visitor)(&self.bench.with_gaps(&packing)).is_break() {
                self.halted = true;
                return;
            }
        }
    }
}

/// An obligation, by which the search branches.
#[derive(Clone, Copy)]
enum Branching {
    /// One of these cells must be filled: a position in the list of obligations.
    Cells(usize),
    /// A piece must be placed.
    Kind(usize),
    /// There are no obligations, but further pieces may be placed.
    Any,
}

impl Branching {
    /// Returns true if a placement of this kind that meets these obligations meets this one.
    const fn takes(self, kind: usize, met: u64) -> bool {
        match self {
            Self::Cells(at) => met >> at & 1 == 1,
            Self::Kind(needed) => kind == needed,
            Self::Any => true,
        }
    }
}
