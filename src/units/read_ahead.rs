//! Blocks of parts, read ahead by another thread.

use super::block::{Block, Blocks};
use super::error::UnitsError;
use super::unit::Unit;
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

/// Blocks that may wait.
const AHEAD: usize = 4;

type ReadBlock = Result<Block, UnitsError>;

/// Passes an iterator over blocks of parts to `visit`. Reads ahead meanwhile.
pub(super) fn read_ahead<T>(
    units: &[Unit],
    paths: &[PathBuf],
    visit: impl FnOnce(&mut dyn Iterator<Item = ReadBlock>) -> T,
) -> T {
    let (taker, blocks) = sync_channel(AHEAD);
    let send = move || {
        for block in read(units, paths) {
            if taker.send(block).is_err() {
                // The visitor ended.
                break;
            }
        }
    };
    std::thread::scope(|scope| match Builder::new().spawn_scoped(scope, send) {
        Ok(_) => visit(&mut blocks.into_iter()),
        // Without a thread, this one reads.
        Err(_) => visit(&mut read(units, paths)),
    })
}

/// Reads blocks; of a damaged part only those before the damage.
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
