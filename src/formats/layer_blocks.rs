//! Blocks of rows with blank lines between them: the layers of one figure, the first one on top.

use super::{Fault, FaultReason};

/// Numbers the rows and layers of a figure, and checks that all layers have as many rows as the first.
#[derive(Default)]
pub(super) struct LayerBlocks {
    /// Complete layers.
    layers: usize,
    /// The rows of the current layer.
    height: usize,
    /// The number of rows of the first layer, once it is complete.
    expected: Option<usize>,
    /// The line of the last row.
    line: usize,
}

impl LayerBlocks {
    /// Adds the row on a line. Returns its layer and its place in the layer, counted from 0.
    pub(super) fn add_row(&mut self, line: usize) -> Result<(i32, i32), Fault> {
        let too_large = |_| Fault::new(line, FaultReason::TooLarge);
        let layer = i32::try_from(self.layers).map_err(too_large)?;
        let row = i32::try_from(self.height).map_err(too_large)?;
        self.height += 1;
        self.line = line;
        Ok((layer, row))
    }

    /// Returns the number of rows of the current layer so far.
    pub(super) const fn height(&self) -> usize {
        self.height
    }

    /// Ends the current layer, if it has a row.
    pub(super) fn end_layer(&mut self) -> Result<(), Fault> {
        if self.height == 0 {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.height);
        self.layers += 1;
        let expected = *self.expected.get_or_insert(rows);
        if rows == expected {
            return Ok(());
        }
        let reason = FaultReason::SliceRows { slice: self.layers, rows, expected };
        Err(Fault::new(self.line, reason))
    }
}
