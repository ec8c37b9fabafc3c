//! The possible readings of a text without slashes: digits may be heights, layers or cells.
//!
//! Each format reads the whole text. It is a reading if it has no fault and makes sense. If there are several, the one
//! whose figures all have the size of a usual set is meant. If that does not decide, the user must.

use super::assess::set_of_packing;
use super::cells::{CellsParser, looks_like_cells};
use super::detect::Evidence;
use super::height_map::{HeightMapParser, looks_like_heights};
use super::layers::LayersParser;
use super::lines::decode;
use super::points::{PointsParser, looks_like_points};
use super::reader::LineParser;
use super::slices::SlicesParser;
use super::soma_text::SomaParser;
use super::{Entry, Format, Item, Reader, open_source, source_label};
use somacat_geometry::lattice::is_connected;
use somacat_geometry::pieces::PieceSet;
use std::collections::VecDeque;
use std::path::Path;

/// The result of trying all readings.
pub(super) enum Readings {
    None,
    One(Format),
    /// Several, in the order of [`Format`].
    Several(Vec<Format>),
}

/// Tries the readings of a whole file.
pub(super) fn readings(bytes: &[u8], evidence: &Evidence) -> Readings {
    let text = decode(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let all = [
        Format::Soma,
        Format::Cells,
        Format::HeightMap,
        Format::Slices,
        Format::Points,
        Format::Layers,
    ];
    let read = |format| {
        let entries = entries(text, parser(format)?)?;
        is_sensible(format, text, &entries, evidence).then_some((format, entries))
    };
    let fitting: Vec<(Format, Vec<Entry>)> = all.into_iter().filter_map(read).collect();
    let is_whole = |entry: &Entry| PieceSet::standard(entry.figure.len()).is_some();
    let mut whole = fitting.iter().filter(|(_, entries)| entries.iter().all(is_whole));
    match (whole.next(), whole.next(), fitting.as_slice()) {
        (_, _, []) => Readings::None,
        (Some((format, _)), None, _) | (_, _, [(format, _)]) => Readings::One(*format),
        _ => Readings::Several(fitting.iter().map(|(format, _)| *format).collect()),
    }
}

/// Returns a hint for a file without a figure of a usable size, if the file as one figure has such a size.
pub fn whole_file_hint(path: &Path, is_usable: impl Fn(usize) -> bool) -> Option<String> {
    [Format::Points, Format::Layers].into_iter().find_map(|format| {
        let mut items = Reader::new(open_source(path).ok()?, Some(format)).ok()?;
        let (Some(Ok(Item::Entry(entry))), None) = (items.next(), items.next()) else { return None };
        let cells = entry.figure.len();
        let file = source_label(path);
        is_usable(cells).then(|| {
            format!(
                "{file}: no figure has a size that the pieces fill, but the file as one figure has: \
                 {cells} cells with --format {format}"
            )
        })
    })
}

fn parser(format: Format) -> Option<Box<dyn LineParser>> {
    Some(match format {
        Format::Soma => Box::<SomaParser>::default(),
        Format::Cells => Box::new(CellsParser),
        Format::HeightMap => Box::<HeightMapParser>::default(),
        Format::Slices => Box::<SlicesParser>::default(),
        Format::Points => Box::<PointsParser>::default(),
        Format::Layers => Box::<LayersParser>::default(),
        Format::Xmpuzzle | Format::Json => return None,
    })
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

/// Returns `true` if a reading without faults is not an accident.
fn is_sensible(format: Format, text: &str, entries: &[Entry], evidence: &Evidence) -> bool {
    let lines = || text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let content = || lines().filter(|line| !line.starts_with(';') && !line.ends_with(':'));
    let first = &entries[0];
    match format {
        Format::Soma => evidence.has_spaced_rows(),
        // Words are heights too.
        Format::HeightMap => {
            2 * content().filter(|line| looks_like_heights(line)).count() > content().count()
        }
        Format::Slices => evidence.has_slices(),
        // Three digits with blanks between them are a row of heights, unless all lines are the cells of a figure
        // in one part, numbered from 0 or 1.
        Format::Points => {
            let certain = |line: &str| looks_like_points(line) || looks_like_cells(line);
            let near = content().any(|line| line.contains(['0', '1']));
            first.figure.len() > 1
                && (content().any(certain) || near && is_connected(first.figure.cells()))
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

/// Returns `true` if there are blank lines between the lines.
fn has_blocks(text: &str) -> bool {
    let blank: Vec<bool> = text.trim().lines().map(|line| line.trim().is_empty()).collect();
    blank.contains(&true)
}
