//! Blank lines inside figures of SOMA text.
//!
//! A blank line ends a figure. If one was typed by mistake, the rows above and below it are figures too, with too few
//! cells each, and neither shows the mistake. So a figure that a blank line ends is held back until the next lines,
//! unless it has as many cells as a whole set. If only blank lines separate it from rows of the same layout, all these
//! figures record the blank lines and their total number of cells.

use super::assess::set_of_packing;
use super::{BlankLine, Entry, Item};
use somacat_geometry::pieces::PieceSet;
use std::collections::VecDeque;

/// The most figures held back, and their most cells in total: two SOMAs.
const MAX_HELD_FIGURES: usize = 8;
const MAX_HELD_CELLS: usize = 54;

/// The end of a figure's rows.
#[derive(Clone, Copy)]
pub(super) enum Ending {
    /// The end of the comments that contain the whole figure.
    Comment,
    Blank,
    /// Any other line.
    Text,
}

/// Figures with blank lines between them.
#[derive(Default)]
pub(super) struct BlankLineMerger {
    /// Each figure, and whether a blank line is below it. The last one may lack it.
    waiting: Vec<(Entry, bool)>,
    widths: Vec<usize>,
    /// The blank lines below the figures, and those below the last one.
    between: Vec<usize>,
    below: Vec<usize>,
}

impl BlankLineMerger {
    /// Adds a figure, with its group widths and its end.
    pub(super) fn push(
        &mut self,
        entry: Entry,
        widths: &[usize],
        headless: bool,
        ending: Ending,
        found: &mut VecDeque<Item>,
    ) {
        let blank = matches!(ending, Ending::Blank);
        let open = self.waiting.last().is_some_and(|(_, blank)| *blank);
        if !(open && headless && self.widths == widths) {
            self.release(found);
        }
        let whole = PieceSet::standard(entry.figure.len()).is_some();
        if whole || !blank && self.waiting.is_empty() {
            self.release(found);
            found.push_back(Item::Entry(entry));
            return;
        }
        self.between.append(&mut self.below);
        self.waiting.push((entry, blank));
        self.widths = widths.to_vec();
        if !blank || self.waiting.len() >= MAX_HELD_FIGURES || self.cells() > MAX_HELD_CELLS {
            self.release(found);
        }
    }

    /// Adds a blank line below the last figure.
    pub(super) fn blank(&mut self, line: usize) {
        if !self.waiting.is_empty() {
            self.below.push(line);
        }
    }

    fn cells(&self) -> usize {
        self.waiting.iter().map(|(entry, _)| entry.figure.len()).sum()
    }

    /// Emits the figures held back.
    pub(super) fn release(&mut self, found: &mut VecDeque<Item>) {
        let cells = self.cells();
        // Several small figures in a row may also be correct.
        let cut =
            self.waiting.len() > 1 && self.waiting.iter().all(|(e, _)| set_of_packing(e).is_none());
        let blank_line = BlankLine { lines: std::mem::take(&mut self.between), cells };
        self.below.clear();
        for (mut entry, _) in self.waiting.drain(..) {
            entry.blank_line = cut.then(|| Box::new(blank_line.clone()));
            found.push_back(Item::Entry(entry));
        }
    }
}
