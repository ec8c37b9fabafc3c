//! The collected rows of one figure of SOMA text.

use super::dash_rows::DashRows;
use super::layout::{Arrangement, TextLayout};
use super::packing::{claims_to_be_packed, pieces_in_place};
use super::soma_lines::MarkRow;
use super::text::Comments;
use super::{Entry, Fault, FaultReason, Item, Marks};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Figure, FigureColors, FigureError, MAX_CELLS};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{GAP, OPTIONAL, PieceSet};
use std::collections::BTreeMap;

/// The style of a block's rows. All rows of a block have one style.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RowStyle {
    /// `/226/466/333`.
    #[default]
    Slash,
    /// `226/466/333`.
    NoSlash,
    /// `2 2 6   4 6 6   3 3 3`.
    Spaced,
}

/// The rows collected so far: their cells, not their text, to bound memory.
#[derive(Default)]
pub(super) struct RowBlock {
    pub(super) style: RowStyle,
    pub(super) line: usize,
    pub(super) rows: usize,
    /// Words follow a row.
    pub(super) remark: bool,
    /// There are other marks than letters.
    pub(super) drawn: bool,
    widths: Vec<usize>,
    marks: Vec<(char, Cell)>,
    zeros: Vec<Cell>,
    /// The number and line of each row with marks or zeros. Numbers start at 0.
    lines: Vec<(i32, usize)>,
    dashes: DashRows,
    fault: Option<Fault>,
    /// The comments between the rows.
    pub(super) comments: Comments,
    /// A rule, with its text.
    interruption: Option<(usize, String)>,
}

impl RowBlock {
    pub(super) fn new(style: RowStyle, line: usize) -> Self {
        Self { style, line, ..Self::default() }
    }

    pub(super) fn faulty(fault: Fault) -> Self {
        Self { line: fault.line, fault: Some(fault), ..Self::default() }
    }

    pub(super) fn fail(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    /// Records a rule. It is a fault only if rows follow below it.
    pub(super) fn interrupt(&mut self, line: usize, text: &str) {
        self.interruption.get_or_insert_with(|| (line, excerpt(text)));
    }

    pub(super) fn widths(&self) -> &[usize] {
        &self.widths
    }

    /// Returns `true` if a row below a comment begins another figure. It does if its layout differs, or if the
    /// cells so far are a whole set of pieces.
    pub(super) fn ends_before(&self, row: MarkRow<'_>) -> bool {
        let complete = PieceSet::standard(self.marks.len()).is_some();
        let widths = row.groups().map(|group| group.chars().count());
        self.fault.is_none() && (complete || !widths.eq(self.widths.iter().copied()))
    }

    pub(super) const fn is_faulty(&self) -> bool {
        self.fault.is_some()
    }

    /// Returns `true` if there are only dashes.
    pub(super) fn is_rule(&self) -> bool {
        self.fault.is_none() && self.marks.is_empty() && self.zeros.is_empty()
    }

    pub(super) fn cells(&self) -> usize {
        self.marks.len()
    }

    pub(super) fn push<'a>(&mut self, line: usize, groups: impl Iterator<Item = &'a str>) {
        self.rows += 1;
        if let Some((at, text)) = self.interruption.take() {
            self.fail(Fault::new(at, FaultReason::NotARow(text)));
        }
        let groups: Vec<&str> = groups.collect();
        self.dashes.add(line, &groups.join("/"));
        if self.fault.is_none()
            && let Err(fault) = self.try_push(line, groups.into_iter())
        {
            self.fault = Some(fault);
        }
    }

    fn try_push<'a>(
        &mut self,
        line: usize,
        groups: impl Iterator<Item = &'a str>,
    ) -> Result<(), Fault> {
        let too_large = || Fault::new(line, FaultReason::TooLarge);
        let y = i32::try_from(self.rows - 1).map_err(|_| too_large())?;
        let (mut count, mut ragged) = (0, None);
        let before = self.marks.len() + self.zeros.len();
        for (layer, group) in groups.enumerate() {
            let z = i32::try_from(layer).map_err(|_| too_large())?;
            let mut width = 0;
            for mark in group.chars() {
                let cell = Cell::new(width, y, z);
                width += 1;
                match mark {
                    '.' | '-' => {}
                    // More zeros than a figure has cells are empty squares in any case.
                    '0' if self.zeros.len() <= MAX_CELLS => self.zeros.push(cell),
                    '0' => {}
                    _ if self.marks.len() >= MAX_CELLS => {
                        return Err(Fault::new(line, FigureError::TooManyCells));
                    }
                    _ => self.marks.push((mark, cell)),
                }
            }
            let width = width.unsigned_abs() as usize;
            if self.rows == 1 {
                self.widths.push(width);
            }
            if self.widths.get(layer).is_some_and(|&expected| expected != width) {
                ragged.get_or_insert((layer, width));
            }
            count = layer + 1;
        }
        if self.marks.len() + self.zeros.len() > before {
            self.lines.push((y, line));
        }
        let expected = self.widths.len();
        if count != expected {
            return Err(Fault::new(line, FaultReason::GroupCount { groups: count, expected }));
        }
        if let Some((layer, width)) = ragged {
            let (group, expected) = (layer + 1, self.widths[layer]);
            return Err(Fault::new(line, FaultReason::GroupWidth { group, width, expected }));
        }
        Ok(())
    }

    /// Returns the fault of a single row whose layers differ in width. In several rows of the same widths, each layer
    /// begins at the left; in a single row nothing shows whether a mark is missing.
    fn uneven_row(&self) -> Option<FaultReason> {
        let (&expected, others) = self.widths.split_first()?;
        let (group, &width) = (2..).zip(others).find(|(_, width)| **width != expected)?;
        (self.rows == 1).then_some(FaultReason::LayerWidth { group, width, expected })
    }

    /// Returns the figure, with cells by mark if it claims a packing. The digit 0 is the duo in text with the digits of
    /// SOMA+plus, else empty. SOMA+plus is recognized by a mark `8`, `9` or `$` together with exactly two zeros, or
    /// with 40 cells if the zeros count.
    pub(super) fn finish(mut self) -> Result<Entry, Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if let Some((line, row)) = self.dashes.unclear() {
            return Err(Fault::new(line, FaultReason::NotARow(row)));
        }
        if let Some(reason) = self.uneven_row() {
            return Err(Fault::new(self.line, reason));
        }
        let plus = self.marks.iter().any(|(mark, _)| matches!(mark, '8' | '9' | '$'))
            && (self.zeros.len() == 2 || self.zeros.len() + self.marks.len() == 40);
        if plus {
            self.marks.extend(self.zeros.iter().map(|&cell| ('0', cell)));
        }
        let rows = self.lines.into_iter().map(|(y, line)| (0, y, line)).collect();
        entry_of_cells(self.line, self.marks, Arrangement::Groups, rows)
    }
}

/// Creates the item of a whole file, a figure with its name and title. `rows` may be the file's first fault.
pub(super) fn item_of_cells(
    line: usize,
    cells: Vec<(char, Cell)>,
    style: Arrangement,
    rows: Result<Vec<(i32, i32, usize)>, Fault>,
    [name, title]: [Option<String>; 2],
) -> Item {
    match rows.and_then(|rows| entry_of_cells(line, cells, style, rows)) {
        Err(fault) => fault.of(name),
        Ok(entry) => Item::Entry(entry.with_names(name, [title.into()])),
    }
}

/// Creates a figure of marked cells, in the coordinates of the text. `rows` are layer, row and line.
pub(super) fn entry_of_cells(
    line: usize,
    cells: Vec<(char, Cell)>,
    style: Arrangement,
    rows: Vec<(i32, i32, usize)>,
) -> Result<Entry, Fault> {
    let list: Vec<Cell> = cells.iter().map(|&(_, cell)| cell).collect();
    let corner = Cell::min_corner(&list);
    let figure = Figure::new(list).map_err(|error| Fault::new(line, error))?;
    let mut by_mark: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
    for (mark, cell) in cells {
        by_mark.entry(mark).or_default().push(cell - corner);
    }
    for cells in by_mark.values_mut() {
        cells.sort_unstable();
    }
    let marks: Marks = by_mark.into_iter().collect();
    let layout = TextLayout::new(style, corner, rows);
    let colors = optional_cells(&figure, &marks);
    let entry = Entry { layout, colors, ..Entry::new(line, figure) };
    Ok(if claims_to_be_packed(&marks) {
        Entry { claim: Some(marks), ..entry }
    } else {
        let placed = pieces_in_place(&marks);
        let several = marks.len() > 1 && entry.colors.is_none();
        Entry { placed, marks: several.then(|| Box::new(marks)), ..entry }
    })
}

/// Returns the colors of a figure some of whose cells may stay empty.
fn optional_cells(figure: &Figure, marks: &Marks) -> Option<Box<FigureColors>> {
    let (_, optional) = marks.iter().find(|(mark, _)| *mark == GAP)?;
    let color = |cell| if optional.binary_search(cell).is_ok() { OPTIONAL } else { 0 };
    let colors: Vec<u8> = figure.cells().iter().map(color).collect();
    FigureColors::new(&colors).map(Box::new)
}
