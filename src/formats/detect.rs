//! Detection of a file's format from its contents.

use super::Format;
use super::cells::{looks_like_cells, looks_like_name, looks_like_one_cell};
use super::height_map::{looks_like_a_map, looks_like_heights, looks_like_ragged_heights};
use super::html::starts_html;
use super::layers::looks_like_a_row;
use super::points::looks_like_points;
use super::slices::SliceEvidence;
use super::soma_lines::{LineKind, Section, classify};

/// Evidence for formats in the lines seen so far.
#[derive(Default)]
pub(super) struct Evidence {
    soma: bool,
    cells: bool,
    /// Lines of one cell, which may be heights, and others that can only be cells of one figure.
    single_cells: usize,
    points: usize,
    /// Lines of single marks with blanks between, as of one layer.
    spaced: usize,
    /// Counts of lines with other possible readings.
    soma_perhaps: usize,
    /// Lines of groups of three digits: layers side by side, or cells.
    triples: usize,
    heights: usize,
    /// Lines of several rows, a whole height map each. Single marks with blanks between are heights there, too.
    maps: usize,
    /// Lines with rows of digits of unequal length: heights, if there is no other evidence.
    ragged: usize,
    /// Lines of neither kind. In a file of height maps most lines are rows.
    prose: usize,
    /// Lines of prose that are names with a colon.
    names: usize,
    /// Lines of `#` alone or with empty squares: comments, or rows of layers if there is nothing else.
    hashes: usize,
    slices: SliceEvidence,
}

impl Evidence {
    pub(super) fn add(&mut self, line: &str) {
        self.slices.add(line);
        // A name or title of cells may contain a tag.
        if looks_like_cells(line) {
            self.single_cells += 1;
            self.cells |= !looks_like_one_cell(line);
            return;
        }
        if starts_html(line) {
            self.soma = true;
        }
        if looks_like_points(line) {
            self.points += 1;
            return;
        }
        match classify(line, Section::Outside) {
            LineKind::Header(header) if header.slash => self.soma = true,
            LineKind::Header(_) => self.soma_perhaps += 1,
            LineKind::Row(row) if row.slash => self.soma = true,
            LineKind::Row(_) | LineKind::Faulty(_) => self.soma_perhaps += 1,
            LineKind::Comment { text, semicolon: true } if text.starts_with('/') => {
                self.soma_perhaps += 1;
            }
            LineKind::Spaced(groups) => {
                let empties = groups.iter().any(|group| group.contains(['.', '-']));
                let is_triple =
                    |group: &String| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
                if groups.len() > 1 && groups.iter().all(is_triple) {
                    self.triples += 1;
                } else if groups.len() > 1 {
                    self.soma_perhaps += 1;
                } else if empties {
                    self.spaced += 1;
                } else {
                    self.heights += usize::from(looks_like_heights(line));
                }
            }
            LineKind::Comment { .. } => self.hashes += usize::from(looks_like_a_row(line)),
            LineKind::Blank => {}
            _ if looks_like_heights(line) => {
                self.heights += 1;
                self.maps += usize::from(looks_like_a_map(line));
            }
            _ if looks_like_ragged_heights(line) => self.ragged += 1,
            _ => {
                self.prose += 1;
                self.names += usize::from(looks_like_name(line));
            }
        }
    }

    /// Returns `true` if further lines cannot change the answer.
    pub(super) const fn is_strong(&self) -> bool {
        self.soma || self.cells
    }

    /// Returns `true` if there are lines that only SOMA text has.
    pub(super) const fn is_soma(&self) -> bool {
        self.soma || self.soma_perhaps > 0
    }

    pub(super) const fn has_spaced_rows(&self) -> bool {
        self.spaced > self.heights && self.maps == 0
    }

    /// Returns `true` if there are lines that may be layers side by side or several cells.
    pub(super) const fn has_triples(&self) -> bool {
        self.triples > 0
    }

    pub(super) fn has_slices(&self) -> bool {
        self.slices.is_possible()
    }

    /// Returns the format if the readings of the whole file do not decide. `None` without a figure. HTML and rows with
    /// slashes are SOMA text, and triples of numbers are `cells`. Rows of digits are a height map, and nothing but rows
    /// of `.`, `o` and `*` are slices.
    pub(super) fn format(&self) -> Option<Format> {
        let (spaced, heights) = if self.maps == 0 { (self.spaced, 0) } else { (0, self.spaced) };
        let soma_perhaps = self.soma_perhaps + self.triples + spaced;
        let heights = self.heights + heights;
        // Names of maps may stand above them, and some rows may have a typing error.
        let prose = self.prose - self.names;
        let maps = if self.maps > 0 { heights + self.ragged } else { heights };
        let others = if self.maps > 0 { prose } else { prose + self.ragged };
        if self.soma {
            Some(Format::Soma)
        } else if self.cells || self.single_cells > self.maps {
            Some(Format::Cells)
        } else if soma_perhaps == 0 && self.has_slices() {
            Some(Format::Slices)
        } else if self.points > soma_perhaps + heights + self.prose {
            Some(Format::Points)
        } else if heights > soma_perhaps && maps >= others
            || self.ragged > 0 && soma_perhaps + prose == 0
        {
            Some(Format::HeightMap)
        } else if soma_perhaps > 0 {
            Some(Format::Soma)
        } else if self.names > 0 && self.names == self.prose {
            Some(Format::Cells)
        } else {
            (self.hashes > 1 && self.prose == 0).then_some(Format::Layers)
        }
    }
}
