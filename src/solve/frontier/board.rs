//! A cover whose sites are numbered in the order of a sweep.

use super::cover::Cover;
use crate::solve::word::Word;

/// A tile as a set of sites.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileMask<W> {
    pub(super) mask: W,
    pub(super) usage: usize,
}

/// What the sweep needs to know of a cover.
#[derive(Clone, Debug)]
pub(super) struct Board<W> {
    /// All sites.
    pub(super) full: W,
    /// Tiles by their first site.
    tiles: Vec<Vec<TileMask<W>>>,
    /// All tiles that cover a site.
    over: Vec<Vec<W>>,
    /// For each site, the later ones that a tile with an earlier first site can cover.
    frontier: Vec<W>,
    /// The sites of each size, with that number of cells.
    sizes: Vec<(W, usize)>,
}

impl<W: Word> Board<W> {
    /// `order` lists the sites of `cover` in the order of the sweep.
    pub(super) fn new(cover: &Cover, order: &[usize]) -> Self {
        let mut bits = vec![W::ZERO; order.len()];
        order.iter().enumerate().for_each(|(at, &site)| bits[site] = W::bit(at));
        let mut tiles = vec![Vec::new(); order.len()];
        let mut over = vec![Vec::new(); order.len()];
        for tile in &cover.tiles {
            let mask = tile.sites.iter().fold(W::ZERO, |mask, &site| mask | bits[site]);
            tiles[mask.index()].push(TileMask { mask, usage: tile.usage });
            mask.ones().for_each(|site| over[site].push(mask));
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
        Self { full: W::first(order.len()), tiles, over, frontier, sizes }
    }

    /// The tiles of which one must come next when the sites of `mask` are covered: those that cover
    /// the first free site.
    #[inline]
    pub(super) fn next(&self, mask: W) -> impl Iterator<Item = &TileMask<W>> {
        let free = self.full.without(mask);
        let tiles = if free.is_zero() { &[][..] } else { &self.tiles[free.index()] };
        tiles.iter().filter(move |tile| !tile.mask.has(mask))
    }

    /// Whether every free site of the frontier can still be covered. Sites beyond it can, because none
    /// of their tiles has been blocked.
    pub(super) fn is_open(&self, mask: W) -> bool {
        let free = self.full.without(mask);
        if free.is_zero() {
            return true;
        }
        let frontier = (free & self.frontier[free.index()]) | free.lowest();
        frontier.ones().all(|site| self.over[site].iter().any(|tile| !tile.has(mask)))
    }

    /// The number of cells in the sites of `mask`.
    #[inline]
    pub(super) fn cells(&self, mask: W) -> usize {
        self.sizes.iter().map(|&(sites, size)| size * (mask & sites).count()).sum()
    }
}
