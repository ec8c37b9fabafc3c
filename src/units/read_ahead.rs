//! Blocks of parts on their way into a catalog: read by another thread than the one that wants them, and put together
//! for one transaction.

use super::error::UnitsError;
use super::part::{Block, Blocks};
use super::unit::Unit;
use crate::catalog::{Breakdown, CountedRow};
use crate::enumerate::Place;
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

/// Blocks that are read before they are wanted.
const AHEAD: usize = 4;

/// A block, or why it cannot be read.
type ReadBlock = Result<Block, UnitsError>;

/// Shows the blocks of parts to `visit`, one after another. The next ones are read meanwhile.
pub(super) fn read_ahead<T>(
    units: &[Unit],
    paths: &[PathBuf],
    visit: impl FnOnce(&mut dyn Iterator<Item = ReadBlock>) -> T,
) -> T {
    let (taker, blocks) = sync_channel(AHEAD);
    let send = move || {
        for block in read(units, paths) {
            if taker.send(block).is_err() {
                // Who took them has seen enough.
                break;
            }
        }
    };
    std::thread::scope(|scope| match Builder::new().spawn_scoped(scope, send) {
        Ok(_) => visit(&mut blocks.into_iter()),
        // The system gives no thread, so this one reads.
        Err(_) => visit(&mut read(units, paths)),
    })
}

/// The blocks of parts; of one that cannot be read on, those before.
fn read(units: &[Unit], paths: &[PathBuf]) -> impl Iterator<Item = ReadBlock> {
    units.iter().zip(paths).flat_map(|(unit, path)| {
        let mut part = Some(Blocks::open(path, unit));
        std::iter::from_fn(move || {
            let next = part.take()?.and_then(|mut blocks| {
                let next = blocks.next()?;
                part = next.is_some().then_some(Ok(blocks));
                Ok(next)
            });
            let damaged = |fault| UnitsError::Damaged(vec![(path.clone(), fault)]);
            next.map_err(damaged).transpose()
        })
    })
}

/// Blocks that are written together.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) rows: Vec<CountedRow>,
    pub(super) totals: Breakdown,
    /// All of them, kept or not.
    pub(super) figures: u64,
    /// Where the enumeration goes on.
    pub(super) place: Place,
}

impl Batch {
    /// Adds the block that comes next.
    pub(super) fn add(&mut self, block: Block) {
        self.rows.extend(block.rows);
        self.figures += block.totals.figures();
        self.totals.add_all(&block.totals);
        self.place = block.place;
    }
}
