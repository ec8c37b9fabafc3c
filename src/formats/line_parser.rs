//! What a parser of a format does that is read line by line.

use super::Item;
use std::collections::VecDeque;

/// A parser of one format. It gets the lines one by one and adds the items found to a list.
pub(super) trait LineParser {
    /// Parses a line with its number, counted from 1.
    fn line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>);

    fn too_long(&mut self, number: usize, found: &mut VecDeque<Item>);

    fn end(&mut self, _found: &mut VecDeque<Item>) {}

    /// Returns the number of lines that belong to no figure so far. Blank lines and comments do not count.
    fn skipped(&self) -> u64 {
        0
    }
}
