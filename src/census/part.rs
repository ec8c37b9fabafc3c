//! One part of a census: the subsets with one pattern, their packings tallied, read out figure by
//! figure.

use super::Counted;
use super::ends::Ends;
use super::kept::Rings;
use super::layers::{Layers, Stock};
use super::placements::{Placements, ones};
use super::rank::Ranking;
use super::room::{Room, Symmetry, group};
use super::search::Search;
use super::tally::Tally;
use crate::symmetry::Group;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// A box with its placements.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) room: Room,
    pub(super) placements: Placements,
    /// What the search needs, once it does.
    pub(super) ends: OnceLock<Ends>,
    /// How the sets are built up layer by layer, if memory allows.
    pub(super) layers: Option<Layers>,
    /// The rings of the symmetries that keep packings, if any does.
    pub(super) rings: Vec<Rings>,
    /// The cells of a subset.
    pub(super) cells: usize,
    /// Mirror images of packings are packings.
    pub(super) mirrored: bool,
}

impl Tables {
    /// What the last pieces can fill together.
    pub(super) fn ends(&self) -> &Ends {
        self.ends.get_or_init(|| Ends::new(&self.room, &self.placements))
    }
}

/// The packings of the subsets with one pattern.
#[derive(Debug)]
pub struct Tallied<'a> {
    tables: &'a Tables,
    pattern: u64,
    ranking: Ranking,
    tally: Tally,
    /// The tally of a set and its images under the pattern's symmetries is to be summed up.
    summed: bool,
    /// How often each packing then was tallied.
    times: u64,
    /// Packings kept by rotations and by all symmetries, by rank: each summed over the symmetries
    /// but T1.
    kept: Option<[Vec<u32>; 2]>,
    /// All packings of the slice.
    total: u64,
}

impl<'a> Tallied<'a> {
    /// Tallies all packings of a part, from the sets that all pieces but one fill if they are given;
    /// nothing if it was stopped.
    pub(super) fn new(
        tables: &'a Tables,
        stock: Option<&Stock>,
        pattern: u64,
        stop: &AtomicBool,
    ) -> Option<Self> {
        let Tables { room, rings, cells, .. } = tables;
        let bare = room.pattern_cells() & !pattern;
        let ranking = Ranking::new(room.open, cells - pattern.count_ones() as usize);
        let keeping = room.usable_keeping(pattern);
        let Found { tally, total, summed, times } = match stock {
            Some(stock) => gather(stock, room, pattern, &ranking, &keeping, stop),
            None => search(tables, pattern, &ranking, &keeping, stop),
        }?;
        let kept = kept(rings, &keeping, room, (pattern, bare), &ranking);
        Some(Self { tables, pattern, ranking, tally, summed, times, kept, total })
    }

    /// The number of packings of all subsets with this pattern.
    #[must_use]
    pub const fn packings(&self) -> u64 {
        self.total
    }

    /// Shows every figure whose own box is this one: of the subsets with this pattern that are
    /// images of each other, one.
    pub fn for_each(&self, mut visit: impl FnMut(Counted)) {
        let Tables { room, mirrored, .. } = self.tables;
        let all = room.keeping(self.pattern);
        let usable = room.usable_keeping(self.pattern);
        self.ranking.for_each(|rank, set| {
            // Symmetries that keep the pattern need only be looked at in the open cells.
            let open = set as u32;
            let images = || usable[1..].iter().map(|symmetry| symmetry.apply_open(open));
            let set = set | self.pattern;
            if images().any(|image| image < open) || !room.is_filled_by(set) {
                return;
            }
            let mut sum = self.tally.get(rank);
            if self.summed {
                let tallied = |image| self.tally.get(self.ranking.rank(u64::from(image)));
                sum += images().map(tallied).sum::<u64>();
            }
            let raw = sum / self.times;
            let mut counted =
                Counted { set, group: Group::TRIVIAL, raw, rotation: raw, unique: raw };
            if all.len() > 1 && all[1..].iter().any(|s| s.apply_open(open) == open) {
                counted.group = group(all.iter().copied().filter(|s| s.apply(set) == set));
                let mean = |which: usize, order: usize| {
                    let kept = self.kept.as_ref().map_or(0, |kept| u64::from(kept[which][rank]));
                    (raw + kept) / order as u64
                };
                counted.rotation = mean(0, counted.group.rotation_order());
                counted.unique =
                    if *mirrored { mean(1, counted.group.order()) } else { counted.rotation };
            }
            visit(counted);
        });
    }
}

/// What was tallied for a part; see [`Tallied`].
struct Found {
    tally: Tally,
    total: u64,
    summed: bool,
    times: u64,
}

/// Adds the last piece to the sets that the others fill.
fn gather(
    stock: &Stock,
    room: &Room,
    pattern: u64,
    ranking: &Ranking,
    keeping: &[&Symmetry],
    stop: &AtomicBool,
) -> Option<Found> {
    let (tally, total) = stock.tally(room, pattern, ranking, stop)?;
    let times = stock.repeats() * room.usable().count() as u64;
    // The sum is that of the packings of all sets whose pattern is an image of this one.
    let total = total / (times / keeping.len() as u64);
    Some(Found { tally, total, summed: true, times })
}

/// Goes through all packings.
fn search(
    tables: &Tables,
    pattern: u64,
    ranking: &Ranking,
    keeping: &[&Symmetry],
    stop: &AtomicBool,
) -> Option<Found> {
    let (Tables { room, placements, .. }, ends) = (tables, tables.ends());
    let row = placements.avoiding(room.pattern_cells() & !pattern);
    let place = (room.open_cells(), pattern, row.clone());
    let mut search = Search::new(placements, ends, ranking, place, stop);
    let kind = placements.reducible(keeping, &ends.first).filter(|_| keeping.len() > 1);
    if let Some(kind) = kind {
        for (placement, images) in orbits(placements, kind, &row, keeping) {
            search.run_with(pattern, kind, placement, images);
        }
    } else {
        search.run(pattern);
    }
    let Search { tally, total, stopped, .. } = search;
    let summed = kind.is_some();
    let times = ends.repeats * if summed { keeping.len() as u64 } else { 1 };
    (!stopped).then(|| Found { tally, total: total / ends.repeats, summed, times })
}

/// Representatives of a kind's placements under symmetries, with their numbers of images.
fn orbits(
    placements: &Placements,
    kind: usize,
    row: &[u64],
    symmetries: &[&Symmetry],
) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    for word in placements.kinds[kind].words.clone() {
        for placement in ones(row[word]).map(|bit| word * 64 + bit) {
            let mask = placements.masks[placement];
            let mut images: Vec<u64> = symmetries.iter().map(|s| s.apply(mask)).collect();
            images.sort_unstable();
            images.dedup();
            if images[0] == mask {
                found.push((placement, images.len() as u32));
            }
        }
    }
    found
}

fn kept(
    rings: &[Rings],
    keeping: &[&Symmetry],
    room: &Room,
    (pattern, bare): (u64, u64),
    ranking: &Ranking,
) -> Option<[Vec<u32>; 2]> {
    let open = room.open_cells();
    let mut sums: Option<[Vec<u32>; 2]> = None;
    for ring in rings {
        let symmetry = &room.symmetries[ring.symmetry];
        if !keeping.iter().any(|s| s.transform == symmetry.transform) {
            continue;
        }
        let fresh = || [vec![0; ranking.count()], vec![0; ranking.count()]];
        let [rotations, all] = sums.get_or_insert_with(fresh);
        ring.for_each(bare, &mut |set| {
            if set & pattern == pattern {
                let rank = ranking.rank(set & open);
                rotations[rank] += u32::from(symmetry.transform.is_rotation());
                all[rank] += 1;
            }
        });
    }
    sums
}
