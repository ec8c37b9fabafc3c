//! A box: its cells and symmetries, the patterns that split it into shards, and the placements of pieces.

pub(super) mod cell_orbits;
pub(super) mod grid;
pub(super) mod pattern;
pub(super) mod placements;
pub(super) mod split;
