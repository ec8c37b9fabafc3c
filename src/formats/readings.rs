//! The possible readings of a text without slashes: digits may be heights, layers or cells.
//!
//! Each format reads the whole text. It is a reading if it has no fault and makes sense. If there are several, the one
//! whose figures all have the size of a usual set is meant. If that does not decide, the user must.

use super::assess::set_of_packing;
use super::cells::{looks_like_cells, looks_like_one_cell, name_and_cells};
use super::detect::Evidence;
use super::height_map::looks_like_heights;
use super::layers::looks_like_a_row;
use super::line_parser::LineParser;
use super::lines::decode_text;
use super::points::{PointsParser, is_point_header, looks_like_points};
use super::soma_text::SomaParser;
use super::{Entry, Format, Item};
use somacat_geometry::figure::{Figure, MAX_CELLS};
use somacat_geometry::lattice::{Cell, is_connected};
use somacat_geometry::pieces::PieceSet;
use std::collections::{BTreeMap, VecDeque};

/// The result of trying all readings.
pub(super) enum Readings {
    None,
    One(Format),
    /// Several, in the order of [`Format`].
    Several(Vec<Format>),
    /// Height maps, or SOMA text with blanks instead of slashes.
    MissingSlashes,
    /// Height maps, or cells with the number of their piece.
    NumberedCells,
}

/// Tries the readings of a whole file, or of the figures at the beginning of a long one.
pub(super) fn readings(bytes: &[u8], evidence: &Evidence) -> Readings {
    let text = &decode_text(bytes);
    if has_point_header(text) {
        return Readings::One(Format::Points);
    }
    if evidence.has_triples() {
        // In layers side by side, groups of three marks are seldom different cells of one connected figure.
        let is_connected = |entry: &Entry| is_connected(entry.figure.cells());
        let cells = entries(text, Box::<PointsParser>::default())
            .is_some_and(|entries| entries.iter().all(is_connected));
        return match (cells, entries(text, Box::<SomaParser>::default())) {
            (false, _) => Readings::None,
            (true, None) => Readings::One(Format::Points),
            (true, Some(_)) => Readings::Several(vec![Format::Soma, Format::Points]),
        };
    }
    if let Some(readings) = named_cell_readings(text) {
        return readings;
    }
    let numbered = are_numbered_cells(text);
    let all = [
        Format::Soma,
        Format::Cells,
        Format::HeightMap,
        Format::Slices,
        Format::Points,
        Format::Layers,
    ];
    let read = |format: Format| {
        let entries = entries(text, format.line_parser()?)?;
        is_sensible(format, text, &entries, evidence).then_some((format, entries))
    };
    let fitting: Vec<(Format, Vec<Entry>)> = all.into_iter().filter_map(read).collect();
    let is_whole = |entry: &Entry| PieceSet::standard(entry.figure.len()).is_some();
    let mut whole = fitting.iter().filter(|(_, entries)| entries.iter().all(is_whole));
    match (whole.next(), whole.next(), fitting.as_slice()) {
        (None, None, [] | [(Format::HeightMap, _)]) if numbered => Readings::NumberedCells,
        (None, None, [(Format::HeightMap, _)]) if lacks_slashes(text) => Readings::MissingSlashes,
        // `111,111,111` three times: the fault is in the rows.
        (None, None, [(Format::HeightMap, _)]) if are_point_lists(text, evidence) => {
            Readings::Several(vec![Format::HeightMap, Format::Points])
        }
        (None, None, fitting @ ([] | [(Format::HeightMap, _)]))
            if (!fitting.is_empty() || evidence.format() == Some(Format::HeightMap))
                && is_list_with_faults(text) =>
        {
            Readings::Several(vec![Format::HeightMap, Format::Points])
        }
        // A map has cubes somewhere: zeros alone are cells.
        (_, _, []) if repeats_cells(text) && !text.contains(|c| matches!(c, '1'..='9')) => {
            Readings::One(Format::Points)
        }
        (_, _, []) if repeats_cells(text) => Readings::One(Format::HeightMap),
        (_, _, []) => Readings::None,
        (Some((format, _)), None, _) | (_, _, [(format, _)]) => Readings::One(*format),
        _ => Readings::Several(fitting.iter().map(|(format, _)| *format).collect()),
    }
}

/// Reads the text. `None` if there is a fault or no figure.
fn entries(text: &str, mut parser: Box<dyn LineParser>) -> Option<Vec<Entry>> {
    let mut found = VecDeque::new();
    let text = text.replace("\r\n", "\n");
    for (number, line) in (1..).zip(text.split(['\n', '\r'])) {
        parser.line(number, line, &mut found);
    }
    parser.end(&mut found);
    let entry = |item| if let Item::Entry(entry) = item { Some(entry) } else { None };
    let entries: Option<Vec<Entry>> = found.into_iter().map(entry).collect();
    entries.filter(|entries| !entries.is_empty())
}

/// The number of different rows of three heights, from which on they are more likely cells.
const LONG_LIST: usize = 12;

/// Returns `true` if `111 111 111` and the lines below are a figure of a usual size with slashes instead of blanks: of
/// ones, or of a packing.
fn lacks_slashes(text: &str) -> bool {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join("/") + "\n";
    let text: String = text.replace("\r\n", "\n").split(['\n', '\r']).map(line).collect();
    let entries = entries(&text, Box::<SomaParser>::default()).unwrap_or_default();
    let ones = !text.contains(|c: char| c.is_ascii_digit() && c > '1');
    matches!(entries.as_slice(), [entry] if PieceSet::standard(entry.figure.len()).is_some()
        && (ones || set_of_packing(entry).is_some()))
}

/// Returns `true` if each line is a cell of one connected figure with its piece, or its number in the list, in front of
/// it or behind it. Several pieces have several cells each and are connected.
fn are_numbered_cells(text: &str) -> bool {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let lines = text.split(['\n', '\r']).map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    let rows: Vec<Vec<&str>> = lines
        .take(MAX_CELLS + 1)
        .map(|line| line.split(separator).filter(|word| !word.is_empty()).collect())
        .collect();
    let cell = |words: &[&str]| {
        let [x, y, z] = words else { return None };
        Some(Cell::new(x.parse().ok()?, y.parse().ok()?, z.parse().ok()?))
    };
    let read = |row: &Vec<&str>, behind: bool| {
        let (piece, words) = if behind { row.split_last()? } else { row.split_first()? };
        Some(((*piece).to_owned(), cell(words)?))
    };
    [false, true].into_iter().any(|behind| {
        let cells: Option<Vec<(String, Cell)>> = rows.iter().map(|row| read(row, behind)).collect();
        let mut pieces: BTreeMap<String, Vec<Cell>> = BTreeMap::new();
        for (piece, cell) in cells.into_iter().flatten() {
            pieces.entry(piece).or_default().push(cell);
        }
        let all: Vec<Cell> = pieces.values().flatten().copied().collect();
        let figure = Figure::new(all.iter().copied());
        let connected = |piece: &Vec<Cell>| piece.len() > 1 && is_connected(piece);
        let are_pieces = pieces.len() > 1 && pieces.values().all(connected);
        let is_list = pieces.len() == rows.len() || PieceSet::standard(all.len()).is_some();
        figure.is_ok() && all.len() > 1 && is_connected(&all) && (are_pieces || is_list)
    })
}

/// Returns `true` if the first line with content is the header of a table of cells.
fn has_point_header(text: &str) -> bool {
    let mut lines = text.split(['\n', '\r']).map(str::trim);
    lines
        .find(|line| !line.is_empty() && !line.starts_with(['#', ';']))
        .is_some_and(is_point_header)
}

/// Returns `true` if there are several blocks of lines, and each may be the cells of a figure.
fn are_point_lists(text: &str, evidence: &Evidence) -> bool {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
    let mut blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    let is_list = |block: &str| {
        let entries = entries(block, Box::<PointsParser>::default());
        entries.is_some_and(|entries| is_sensible(Format::Points, block, &entries, evidence))
    };
    blocks.clone().nth(1).is_some() && blocks.all(is_list)
}

/// Returns `true` if each line below the name has three values, nine of ten lines are cells, and these are a long list
/// of different cells of one connected figure. The others then are typing errors.
fn is_list_with_faults(text: &str) -> bool {
    let lines = text.split(['\n', '\r']).map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !line.starts_with(['#', ';']))
        .skip_while(|line| line.ends_with(':'))
        .collect();
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let values = |line: &str| {
        line.split(separator).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let cell = |values: &Vec<String>| {
        let [x, y, z] = values.as_slice() else { return None };
        Some(Cell::new(x.parse().ok()?, y.parse().ok()?, z.parse().ok()?))
    };
    let rows: Vec<Vec<String>> = lines.into_iter().map(values).collect();
    let mut cells: Vec<Cell> = rows.iter().filter_map(cell).collect();
    let number = cells.len();
    cells.sort_unstable();
    cells.dedup();
    rows.iter().all(|row| row.len() == 3)
        && 10 * cells.len() >= 9 * rows.len()
        && (number, cells.len()) != (rows.len(), rows.len())
        && cells.len() >= LONG_LIST
        && Figure::new(cells.iter().copied()).is_ok()
        && is_connected(&cells)
}

/// Reads a text with a name before a single cell. `cube: 3,3,3` is a figure of one cell, but above `3,3,3` more likely a
/// row of heights.
fn named_cell_readings(text: &str) -> Option<Readings> {
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text.split(['\n', '\r']).map(str::trim).collect();
    let is_named = |line: &str| is_single_cell(line) && !name_and_cells(line).0.is_empty();
    let is_above =
        |pair: &[&str]| is_named(pair[0]) && is_single_cell(pair[1]) && !is_named(pair[1]);
    lines.iter().any(|line| is_named(line)).then(|| match lines.windows(2).any(is_above) {
        false => Readings::One(Format::Cells),
        true if repeats_cells(&text) => Readings::One(Format::HeightMap),
        true => Readings::Several(vec![Format::Cells, Format::HeightMap]),
    })
}

fn is_single_cell(line: &str) -> bool {
    looks_like_cells(line) && looks_like_one_cell(line)
}

/// Returns `true` if all lines are single cells, and some are equal: they are not figures of one cell.
fn repeats_cells(text: &str) -> bool {
    let lines = text.split(['\n', '\r']).map(str::trim);
    let lines: Vec<&str> =
        lines.filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])).collect();
    let all = lines.iter().all(|line| is_single_cell(line));
    let mut cells: Vec<&str> = lines.iter().map(|line| name_and_cells(line).1).collect();
    let number = cells.len();
    cells.sort_unstable();
    cells.dedup();
    all && cells.len() < number
}

/// Returns `true` if all words are centers of cells, such as `0.5`.
fn is_of_halves(line: &str) -> bool {
    line.split_whitespace().all(|word| word.ends_with(".5") && word.parse::<f64>().is_ok())
}

/// Returns `true` if a reading without faults is not an accident.
fn is_sensible(format: Format, text: &str, entries: &[Entry], evidence: &Evidence) -> bool {
    let lines = || text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let content = || lines().filter(|line| !is_comment(line) && !line.ends_with(':'));
    let first = &entries[0];
    match format {
        Format::Soma => evidence.has_spaced_rows(),
        Format::Cells => !repeats_cells(text),
        // Words are heights too.
        Format::HeightMap if content().all(is_of_halves) => false,
        Format::HeightMap => {
            2 * content().filter(|line| looks_like_heights(line)).count() > content().count()
        }
        Format::Slices => evidence.has_slices(),
        // Three digits with blanks between them are a row of heights, unless all lines are different cells,
        // numbered from 0 or 1, of a figure in one part or with many cells.
        Format::Points => {
            let certain = |line: &str| looks_like_points(line) || looks_like_cells(line);
            let near = content().any(|line| line.contains(['0', '1']));
            first.figure.len() > 1
                && (content().any(certain)
                    || near
                        && (first.figure.len() >= LONG_LIST || is_connected(first.figure.cells())))
        }
        // Digits that are not a packing are heights, except in a grid of 0 and 1.
        Format::Layers => {
            let is_grid = |c: char| !c.is_ascii_digit() || c <= '1';
            let drawn = content().all(|line| line.chars().all(is_grid));
            !evidence.has_slices()
                && has_blocks(text)
                && (drawn || set_of_packing(first).is_some() || first.placed.is_some())
        }
        _ => true,
    }
}

/// Returns `true` if there are blank lines between rows.
fn has_blocks(text: &str) -> bool {
    let text = text.replace("\r\n", "\n");
    let lines = text.split(['\n', '\r']).map(|line| line.trim_matches(['\u{1a}', ' ', '\t']));
    let rows = lines.skip_while(|line| line.is_empty() || is_comment(line) || line.contains(':'));
    rows.skip_while(|line| !line.is_empty()).any(|line| !line.is_empty() && !is_comment(line))
}

/// Returns `true` for a comment. A line that begins with `#` may be a row of a layer.
fn is_comment(line: &str) -> bool {
    line.starts_with(';') || line.starts_with('#') && !looks_like_a_row(line)
}
