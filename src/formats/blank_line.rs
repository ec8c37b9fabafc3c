//! Blank lines inside figures of SOMA text.
//!
//! A blank line ends a figure. Where one was typed by mistake, the rows above and below it are figures
//! too, with too few cells each, and neither shows what is wrong. So a figure that a blank line ends
//! waits for the next lines, unless it has as many cells as a whole set; if rows of the same layout
//! follow, with nothing but blank lines in between, all of them note the blank line and the cells
//! they have together.

use super::assess::set_of_packing;
use super::{BlankLine, Entry, Item};
use std::collections::VecDeque;

/// The most figures that wait, and the most cells that they have together: two SOMAs.
const MOST: usize = 8;
const MOST_CELLS: usize = 54;

/// Figures with blank lines between them.
#[derive(Default)]
pub(super) struct BlankLines {
    /// Each with the blank line below it; the last one's may be missing.
    waiting: Vec<(Entry, Option<usize>)>,
    widths: Vec<usize>,
}

impl BlankLines {
    /// Takes a figure with the widths of its groups, whether it lacks a header, and the blank line
    /// that ends it.
    pub(super) fn push(
        &mut self,
        entry: Entry,
        widths: &[usize],
        headless: bool,
        blank: Option<usize>,
        found: &mut VecDeque<Item>,
    ) {
        let open = self.waiting.last().is_some_and(|(_, blank)| blank.is_some());
        if !(open && headless && self.widths == widths) {
            self.release(found);
        }
        let whole = matches!(entry.figure.len(), 27 | 40 | 54);
        if whole || blank.is_none() && self.waiting.is_empty() {
            self.release(found);
            found.push_back(Item::Entry(entry));
            return;
        }
        self.waiting.push((entry, blank));
        self.widths = widths.to_vec();
        if blank.is_none() || self.waiting.len() >= MOST || self.cells() > MOST_CELLS {
            self.release(found);
        }
    }

    fn cells(&self) -> usize {
        self.waiting.iter().map(|(entry, _)| entry.figure.len()).sum()
    }

    /// Hands on what waits.
    pub(super) fn release(&mut self, found: &mut VecDeque<Item>) {
        let cells = self.cells();
        // Small figures may stand below each other too, and then they are right as they are.
        let cut =
            self.waiting.len() > 1 && self.waiting.iter().all(|(e, _)| set_of_packing(e).is_none());
        let mut above = None;
        for (mut entry, below) in self.waiting.drain(..) {
            if let Some(line) = above.or(below).filter(|_| cut) {
                entry.blank_line = Some(BlankLine { line, cells });
            }
            above = below;
            found.push_back(Item::Entry(entry));
        }
    }
}
