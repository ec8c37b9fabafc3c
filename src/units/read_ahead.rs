//! Blocks of parts on their way into a catalog: read by another thread than the one that wants them, and put together
//! for one transaction.

use super::error::UnitsError;
use super::part::{Block, Blocks};
use super::unit::Unit;
use crate::catalog::{Breakdown, CountedRow};
use crate::enumerate::Place;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Blocks that are read before they are wanted.
const AHEAD: usize = 4;

/// A block, or why it cannot be read: then it is the last.
type ReadBlock = Result<Block, UnitsError>;

/// Reads the blocks of parts one after another while `visit` takes them, as long as it does.
pub(super) fn read_ahead<T>(
    units: &[Unit],
    paths: &[PathBuf],
    visit: impl FnOnce(Receiver<ReadBlock>) -> T,
) -> T {
    let (taker, blocks) = sync_channel(AHEAD);
    std::thread::scope(|scope| {
        scope.spawn(move || read(units, paths, &taker));
        visit(blocks)
    })
}

fn read(units: &[Unit], paths: &[PathBuf], taker: &SyncSender<ReadBlock>) {
    for (unit, path) in units.iter().zip(paths) {
        let damaged = |fault| UnitsError::Damaged(vec![(path.clone(), fault)]);
        let mut blocks = match Blocks::open(path, unit) {
            Ok(blocks) => blocks,
            Err(fault) => {
                // Who has seen enough does not hear of it.
                let _ = taker.send(Err(damaged(fault)));
                return;
            }
        };
        while let Some(block) = blocks.next().map_err(damaged).transpose() {
            let last = block.is_err();
            if taker.send(block).is_err() || last {
                return;
            }
        }
    }
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
