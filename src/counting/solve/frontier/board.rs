//! A cover whose sites are numbered in the order of a sweep.
//!
//! A set of sites is a mask: bit 0 is the site that the sweep meets first. So the first free site is the lowest bit
//! that is not covered, and the tiles that can cover it are those whose lowest bit this is.

use super::cover::OrbitCover;
use super::images::SiteImages;
use crate::solve::word::MaskWord;

/// A tile as a mask of its sites.
#[derive(Clone, Copy, Debug)]
struct TileMask<W> {
    mask: W,
    /// The pieces that it uses: an index of [`OrbitCover::usages`].
    usage: usize,
}

/// A step of the sweep: a tile is placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileStep<W> {
    /// The sites then covered, or an image of them.
    pub(super) mask: W,
    /// True if `mask` is the mirror image.
    pub(super) mirrored: bool,
    /// The usage of the tile.
    pub(super) usage: usize,
}

/// A cover in the form that the sweep uses.
#[derive(Clone, Debug)]
pub(super) struct SweepBoard<W> {
    /// All sites.
    pub(super) full: W,
    /// By site, the tiles that begin there.
    tiles: Vec<Vec<TileMask<W>>>,
    /// By site, all tiles that cover it, those that begin late first.
    over: Vec<Vec<W>>,
    /// By site, the sites from it on that tiles from earlier sites can cover.
    frontier: Vec<W>,
    /// For each size of sites, in cells: the sites of this size, and the size.
    sizes: Vec<(W, usize)>,
    images: SiteImages<W>,
}

impl<W: MaskWord> SweepBoard<W> {
    /// Builds a board. `order` lists the sites of `cover`, by number, in the order of the sweep.
    pub(super) fn new(cover: &OrbitCover, order: &[usize]) -> Self {
        let mut turn = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &site)| turn[site] = at);
        let bits: Vec<W> = turn.iter().map(|&at| W::bit(at)).collect();
        let mut tiles = vec![Vec::new(); order.len()];
        let mut over = vec![Vec::new(); order.len()];
        for tile in &cover.tiles {
            let mask = tile.sites.iter().fold(W::ZERO, |mask, &site| mask | bits[site]);
            tiles[mask.index()].push(TileMask { mask, usage: tile.usage });
        }
        // Tiles that begin late come first: they are seldom blocked.
        for TileMask { mask, .. } in tiles.iter().rev().flatten() {
            mask.ones().for_each(|site| over[site].push(*mask));
        }
        let mut reached = W::ZERO;
        let mut frontier = Vec::with_capacity(order.len());
        for (site, starting) in tiles.iter().enumerate() {
            frontier.push(reached.without(W::first(site)));
            reached = starting.iter().fold(reached, |all, tile| all | tile.mask);
        }
        let mut sizes: Vec<(W, usize)> = Vec::new();
        for (cells, &bit) in cover.sites.iter().zip(&bits) {
            match sizes.iter_mut().find(|(_, size)| *size == cells.len()) {
                Some((sites, _)) => *sites = *sites | bit,
                None => sizes.push((bit, cells.len())),
            }
        }
        let images = SiteImages::new(cover, &turn);
        Self { full: W::first(order.len()), tiles, over, frontier, sizes, images }
    }

    /// Returns the steps from a set of covered sites: one for each tile that covers the first free site and fits.
    #[inline]
    pub(super) fn next(&self, mask: W) -> impl Iterator<Item = TileStep<W>> {
        let free = self.full.without(mask);
        let tiles = if free.is_zero() { &[][..] } else { &self.tiles[free.index()] };
        tiles.iter().filter(move |tile| !tile.mask.has(mask)).map(move |tile| {
            let (mask, mirrored) = self.images.least(mask | tile.mask);
            TileStep { mask, mirrored, usage: tile.usage }
        })
    }

    /// Returns false if some free site of the frontier cannot be covered, so that the set leads nowhere. Sites beyond
    /// the frontier are not examined: a set that is kept but leads nowhere merely costs time.
    pub(super) fn is_open(&self, mask: W) -> bool {
        let free = self.full.without(mask);
        if free.is_zero() {
            return true;
        }
        let frontier = (free & self.frontier[free.index()]) | free.lowest();
        frontier.ones().all(|site| self.over[site].iter().any(|tile| !tile.has(mask)))
    }

    /// Returns the number of cells in the sites of `mask`.
    #[inline]
    pub(super) fn cells(&self, mask: W) -> usize {
        self.sizes.iter().map(|&(sites, size)| size * (mask & sites).count()).sum()
    }
}
