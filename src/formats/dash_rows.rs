//! Rows of dashes alone, which may be empty squares or a line between layers.

use somacat_geometry::excerpt;

/// Finds a row of dashes with rows below it in a figure that marks no other square with a dash.
#[derive(Default)]
pub(super) struct DashRows {
    /// The last row is one of dashes: its line and text.
    last: Option<(usize, String)>,
    /// The first such row with a row below it.
    inner: Option<(usize, String)>,
    /// Another row has a dash, so dashes are empty squares.
    used: bool,
}

impl DashRows {
    /// Adds the row on a line: its marks, perhaps with separators.
    pub(super) fn add(&mut self, line: usize, row: &str) {
        if let Some(above) = self.last.take() {
            self.inner.get_or_insert(above);
        }
        if is_dashes(row) {
            self.last = Some((line, excerpt(row)));
        } else {
            self.used |= row.contains('-');
        }
    }

    /// Forgets the last row, because a blank line follows it.
    pub(super) fn blank(&mut self) {
        self.last = None;
    }

    /// Returns line and text of the first row whose meaning is unclear.
    pub(super) fn unclear(&mut self) -> Option<(usize, String)> {
        self.inner.take().filter(|_| !self.used)
    }
}

/// Returns `true` if a row has several marks, and all of them are dashes.
pub(super) fn is_dashes(row: &str) -> bool {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, '/' | '|' | ',' | ';');
    row.matches('-').nth(1).is_some() && row.chars().all(|c| c == '-' || is_separator(c))
}
