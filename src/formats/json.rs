//! JSON: lists of cells, grids, height maps, and objects that hold them.
//!
//! A file is one value, or JSON Lines: a value a line. An object is a figure, and so is an array of cells
//! (`[[0,0,0],[1,0,0]]`), an array of layers of rows of 0 and 1, and an array of rows of heights. Any other array lists
//! figures. Its numbers decide: cells are three numbers each and differ, layers and rows are equally long. If two of
//! these are possible, the one with the size of a usual set is meant. If that does not decide, the figure is refused.

use super::layout::Arrangement;
use super::limits::{MAX_LINE_BYTES, MAX_VALUE_BYTES};
use super::line_parser::LineParser;
use super::soma_block::entry_of_cells;
use super::text::clip;
use super::{Entry, Fault, FaultReason, Item, Marks};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Equivalence, Figure, FigureError, MAX_CELLS, Signature};
use somacat_geometry::lattice::{Cell, MAX_COORDINATE, is_connected};
use somacat_geometry::pieces::{GAP, PieceSet};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;

/// The most lists inside each other: figures in a list of lists, their layers, rows and numbers.
const MAX_DEPTH: usize = 8;

/// The mark of a cell that names no piece.
const FREE: char = '*';
/// The mark of a piece whose name has several characters. Its shape decides which one it is.
const LONG_NAME: char = '?';

/// Returns `true` if a text begins like JSON with figures. `[0,0,0]` and `[(0,0,0)` are points.
pub(super) fn looks_like_json(text: &str) -> bool {
    let mut signs = text.chars().filter(|c| !c.is_whitespace());
    matches!(
        (signs.next(), signs.next()),
        (Some('['), Some('[' | '{' | ']')) | (Some('{'), Some('"'))
    )
}

/// A parser that reads each line as a value if the first line is one, else the whole file.
#[derive(Default)]
pub(super) struct JsonParser {
    lines: Option<bool>,
    /// The lines of a value so far, and the number of the first.
    value: String,
    line: usize,
    fault: Option<Fault>,
    figures: Figures,
}

impl LineParser for JsonParser {
    fn line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>) {
        let blank = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}').is_empty();
        if blank && self.value.is_empty() || self.fault.is_some() {
            return;
        }
        let is_value = |text| serde_json::from_str::<&RawValue>(text).is_ok();
        let each = *self.lines.get_or_insert_with(|| is_value(text));
        if each {
            self.figures.read(text, number, found);
            return;
        }
        // The first line is an object with a fault if the second one begins with a brace, too.
        let first = self.value.trim();
        let begins = |text: &str| text.trim_start().starts_with('{');
        if begins(first) && !first.contains('\n') && !first.ends_with(':') && begins(text) {
            self.lines = Some(true);
            let first = std::mem::take(&mut self.value);
            self.figures.read(first.trim_end(), self.line, found);
            self.figures.read(text, number, found);
            return;
        }
        if self.value.is_empty() {
            self.line = number;
        }
        if self.value.len() + text.len() > MAX_VALUE_BYTES {
            self.value.clear();
            self.fault = Some(Fault::new(number, FaultReason::JsonTooLong));
            return;
        }
        self.value.push_str(text.trim_end_matches('\u{1a}'));
        self.value.push('\n');
    }

    fn too_long(&mut self, number: usize, found: &mut VecDeque<Item>) {
        let fault = Fault::new(number, FaultReason::LineTooLong);
        if self.lines == Some(true) {
            found.push_back(fault.of(None));
        } else {
            self.value.clear();
            self.fault.get_or_insert(fault);
        }
    }

    fn end(&mut self, found: &mut VecDeque<Item>) {
        if let Some(fault) = self.fault.take() {
            found.push_back(fault.of(None));
        } else if !self.value.trim().is_empty() {
            let value = std::mem::take(&mut self.value);
            self.figures.read(value.trim_end(), self.line, found);
        }
    }
}

/// The figures of values. Figures of one name after each other are variants.
#[derive(Default)]
struct Figures {
    /// A position in the text, and its line. Values follow in order, so lines are counted once.
    position: (usize, usize),
    last: Option<(String, usize)>,
}

impl Figures {
    /// Reads a value that begins in this line.
    fn read(&mut self, text: &str, line: usize, found: &mut VecDeque<Item>) {
        self.position = (0, line);
        match serde_json::from_str::<&RawValue>(text) {
            Ok(value) => self.value(value, text, MAX_DEPTH, found),
            Err(error) => {
                let at = line + error.line().saturating_sub(1);
                found.push_back(Fault::new(at, not_json(&error)).of(None));
            }
        }
    }

    /// Reads a part of the text with lists up to this depth.
    fn value(&mut self, raw: &RawValue, text: &str, depth: usize, found: &mut VecDeque<Item>) {
        // The value is borrowed from the text.
        let start = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let (from, line) = self.position;
        let at = line + text[from..start].matches('\n').count();
        self.position = (start, at);
        let mut fail = |reason: FaultReason| found.push_back(Fault::new(at, reason).of(None));
        if raw.get().starts_with('[')
            && let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(raw.get())
        {
            if list.is_empty() {
                // A whole text is a list of figures, as `query --json` writes it if none is left.
                if depth < MAX_DEPTH {
                    fail(FigureError::Empty.into());
                }
                return;
            }
            match array(raw, at) {
                Some(entry) => self.push(entry, found),
                None if depth > 0 && list.iter().all(|one| one.get().starts_with(['[', '{'])) => {
                    list.iter().for_each(|one| self.value(one, text, depth - 1, found));
                }
                None => fail(FaultReason::JsonFigure),
            }
            return;
        }
        match serde_json::from_str(raw.get()) {
            Ok(Value::Object(object)) => {
                let entry = match serde_json::from_str::<Keys>(raw.get()) {
                    Ok(Keys(Some(key))) => {
                        Err(Fault::new(at, FaultReason::JsonRepeatedKey(excerpt(&key))))
                    }
                    _ => of_object(&object, at),
                };
                self.push(entry, found);
            }
            Ok(_) => fail(FaultReason::JsonFigure),
            // Half of a surrogate pair shows itself only now.
            Err(error) => fail(not_json(&error)),
        }
    }

    fn push(&mut self, entry: Result<Entry, Fault>, found: &mut VecDeque<Item>) {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(fault) => {
                let name = fault.name.clone();
                found.push_back(fault.of(name));
                return;
            }
        };
        let again = self.last.take().filter(|(name, _)| Some(name) == entry.name.as_ref());
        entry.variant = again.map_or(1, |(_, variant)| variant + 1);
        self.last = entry.name.clone().map(|name| (name, entry.variant));
        found.push_back(Item::Entry(entry));
    }
}

fn not_json(error: &serde_json::Error) -> FaultReason {
    let message = error.to_string();
    FaultReason::Json(message.split(" at line ").next().unwrap_or_default().to_owned())
}

/// The ways to read an array as one figure.
#[derive(Clone, Copy)]
enum Reading {
    Cells,
    Layers,
    Heights,
}

impl Reading {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Cells, "cells"), (Self::Layers, "layers"), (Self::Heights, "heights")];

    /// Reads an array. `None` if its form is another one.
    fn read(self, value: &Value, line: usize) -> Option<Result<Entry, Fault>> {
        let list = value.as_array()?;
        let cells = match self {
            Self::Cells => list.iter().map(cell).collect::<Option<Vec<Cell>>>()?,
            Self::Layers => layers(list)?,
            Self::Heights => heights(list)?,
        };
        Some(figure(cells, line).map(|figure| Entry::new(line, figure)))
    }
}

fn figure(cells: Vec<Cell>, line: usize) -> Result<Figure, Fault> {
    if cells.len() > MAX_CELLS {
        return Err(Fault::new(line, FigureError::TooManyCells));
    }
    if let Some(far) =
        cells.iter().flat_map(|cell| cell.to_array()).find(|v| v.abs() > MAX_COORDINATE)
    {
        return Err(Fault::new(line, FaultReason::Coordinate(far.to_string())));
    }
    Figure::new(cells).map_err(|error| Fault::new(line, error))
}

/// Reads an array that is one figure. `None` if it is a list of figures, or none.
fn array(raw: &RawValue, line: usize) -> Option<Result<Entry, Fault>> {
    if raw.get().len() > MAX_LINE_BYTES {
        return None;
    }
    let value: Value = serde_json::from_str(raw.get()).ok()?;
    let read = |(reading, key): (Reading, &'static str)| Some((key, reading.read(&value, line)?));
    let mut readings: Vec<_> = Reading::ALL.into_iter().filter_map(read).collect();
    if readings.is_empty() && are_nearly_layers(value.as_array()?, line) {
        let reason = FaultReason::JsonReadings("layers with a fault".to_owned(), "heights");
        return Some(Err(Fault::new(line, reason)));
    }
    if readings.iter().any(|(_, entry)| entry.is_ok()) {
        readings.retain(|(_, entry)| entry.is_ok());
    }
    // A list of figures may look like layers, such as three cells of 0 and 1 each.
    let listed = value
        .as_array()?
        .iter()
        .all(|one| Reading::Cells.read(one, line).is_some_and(|e| e.is_ok()));
    let is_whole = |entry: &Result<Entry, Fault>| {
        entry.as_ref().is_ok_and(|entry| PieceSet::standard(entry.figure.len()).is_some())
    };
    if let [(key, Ok(entry))] = readings.as_slice()
        && *key == "heights"
        && PieceSet::standard(entry.figure.len()).is_none()
        && repeats_cells(value.as_array()?)
    {
        let reason = FaultReason::JsonReadings("cells of which one is repeated".to_owned(), key);
        return Some(Err(Fault::new(line, reason)));
    }
    let whole = readings.iter().filter(|(_, entry)| is_whole(entry)).count();
    if whole == 1 {
        readings.retain(|(_, entry)| is_whole(entry));
    } else if listed && !readings.is_empty() {
        let reason = FaultReason::JsonReadings("a list of figures".to_owned(), "layers");
        return Some(Err(Fault::new(line, reason)));
    }
    match readings.as_slice() {
        [(one, Ok(_)), (other, Ok(_)), ..] => {
            let reason = FaultReason::JsonReadings((*one).to_owned(), other);
            Some(Err(Fault::new(line, reason)))
        }
        _ => readings.into_iter().next().map(|(_, entry)| entry),
    }
}

/// Returns a whole number. `1.0` and `true` are 1.
fn number(value: &Value) -> Option<i32> {
    let real = match value {
        Value::Bool(filled) => f64::from(u8::from(*filled)),
        _ => value.as_f64()?,
    };
    let whole = real as i32;
    (f64::from(whole) == real).then_some(whole)
}

fn cell(value: &Value) -> Option<Cell> {
    let [x, y, z] = value.as_array()?.as_slice() else { return None };
    Some(Cell::new(number(x)?, number(y)?, number(z)?))
}

/// Returns `true` if most of some cells differ, and are one connected figure.
fn repeats_cells(list: &[Value]) -> bool {
    let Some(mut cells) = list.iter().map(cell).collect::<Option<Vec<Cell>>>() else {
        return false;
    };
    cells.sort_unstable();
    cells.dedup();
    cells.len() < list.len() && 2 * cells.len() > list.len() && is_connected(&cells)
}

/// Returns `true` for several lists of rows, of whose numbers nine of ten are 0 or 1, and none of which is a list of cells.
fn are_nearly_layers(list: &[Value], line: usize) -> bool {
    let rows = || list.iter().map(Value::as_array).collect::<Option<Vec<_>>>();
    let marks = || {
        let rows = rows()?.into_iter().flatten().map(Value::as_array);
        rows.collect::<Option<Vec<_>>>()
    };
    let numbers = marks().and_then(|rows| rows.into_iter().flatten().map(number).collect());
    let Some::<Vec<i32>>(numbers) = numbers else { return false };
    let filled = numbers.iter().filter(|&&number| matches!(number, 0 | 1)).count();
    let is_figure = |one: &Value| Reading::Cells.read(one, line).is_some_and(|entry| entry.is_ok());
    list.len() > 1
        && numbers.len() > 9
        && 10 * filled >= 9 * numbers.len()
        && !list.iter().any(is_figure)
}

/// Returns rows of numbers, all equally long.
fn rows(list: &[Value]) -> Option<Vec<Vec<i32>>> {
    let row = |row: &Value| row.as_array()?.iter().map(number).collect::<Option<Vec<i32>>>();
    let rows = list.iter().map(row).collect::<Option<Vec<_>>>()?;
    let width = rows.first()?.len();
    (width > 0 && rows.iter().all(|row| row.len() == width)).then_some(rows)
}

/// Returns the cells of layers, top to bottom, of rows of 0 and 1.
fn layers(list: &[Value]) -> Option<Vec<Cell>> {
    let layers = list.iter().map(|layer| rows(layer.as_array()?)).collect::<Option<Vec<_>>>()?;
    let size = |layer: &Vec<Vec<i32>>| (layer.len(), layer[0].len());
    let first = size(layers.first()?);
    let mut cells = Vec::new();
    for (layer, z) in layers.iter().zip(0..) {
        for (row, y) in layer.iter().zip(0..) {
            for (&value, x) in row.iter().zip(0..) {
                match value {
                    0 => {}
                    1 => cells.push(Cell::new(x, y, z)),
                    _ => return None,
                }
            }
        }
    }
    layers.iter().all(|layer| size(layer) == first).then_some(cells)
}

/// Returns the cells of rows of heights.
fn heights(list: &[Value]) -> Option<Vec<Cell>> {
    let rows = rows(list)?;
    let all = || rows.iter().flatten().copied();
    let top = all().max()?;
    let total: u64 = all().map(|height| u64::try_from(height).ok()).sum::<Option<u64>>()?;
    let mut cells = Vec::new();
    if total > MAX_CELLS as u64 {
        return None;
    }
    for (row, y) in rows.iter().zip(0..) {
        for (&height, x) in row.iter().zip(0..) {
            cells.extend((top - height..top).map(|z| Cell::new(x, y, z)));
        }
    }
    Some(cells)
}

/// The first key that an object has twice, if any.
struct Keys(Option<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Keys;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let (mut keys, mut repeated) = (BTreeSet::new(), None);
                while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
                    if !keys.insert(key.clone()) {
                        repeated.get_or_insert(key);
                    }
                }
                Ok(Keys(repeated))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

/// Reads an object: a figure as cells, layers or heights, the pieces of a packing, or a signature.
fn of_object(object: &Map<String, Value>, line: usize) -> Result<Entry, Fault> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).and_then(clip);
    let name = text("name");
    let fail = |reason: FaultReason| Fault { name: name.clone(), ..Fault::new(line, reason) };
    if object.get("name").is_some_and(|name| !name.is_string() && !name.is_null()) {
        return Err(fail(FaultReason::JsonName));
    }
    let mut figures =
        Reading::ALL.into_iter().filter(|(_, key)| object.get(*key).is_some_and(Value::is_array));
    let given = figures.next();
    if let (Some((_, one)), Some((_, other))) = (given, figures.next()) {
        return Err(fail(FaultReason::JsonTwoFigures(one, other)));
    }
    let entry = if let Some((reading, key)) = given {
        let entry = reading.read(&object[key], line);
        entry.unwrap_or_else(|| Err(fail(FaultReason::JsonKey(key))))
    } else if let Some(pieces) = object.get("pieces").and_then(Value::as_array) {
        pieces_of(pieces, line).unwrap_or_else(|| Err(fail(FaultReason::JsonKey("pieces"))))
    } else if let Some(signature) = object.get("signature").and_then(Value::as_str) {
        let figure = signature.parse().and_then(|signature: Signature| signature.figure());
        figure
            .map(|figure| Entry::new(line, figure))
            .map_err(|_| fail(FaultReason::JsonSignature(excerpt(signature))))
    } else {
        Err(fail(FaultReason::JsonFigure))
    };
    let entry = entry.and_then(|mut entry| match contradiction(object, &entry.figure, line) {
        Some(reason) => Err(fail(reason)),
        None => {
            let pieces = object.get("pieces").and_then(Value::as_array);
            let packing = pieces.and_then(|pieces| pieces_of(pieces, line)?.ok());
            entry.claim = packing.and_then(|packing| packing.claim);
            Ok(entry)
        }
    });
    match entry {
        // The keys say what each text is, so that nothing is guessed.
        Ok(entry) => Ok(entry.with_texts(name, ["title", "credit", "note"].map(text))),
        Err(fault) => Err(Fault { name, ..fault }),
    }
}

/// Returns the fault of an object whose number of cells, pieces or signature are those of another figure.
fn contradiction(object: &Map<String, Value>, figure: &Figure, line: usize) -> Option<FaultReason> {
    if let Some(given) = object.get("cells").filter(|cells| cells.is_number())
        && given.as_f64() != Some(figure.len() as f64)
    {
        return Some(FaultReason::JsonCellCount { given: given.to_string(), cells: figure.len() });
    }
    // Other programs may use this key for something else.
    if let Some(pieces) = object.get("pieces").and_then(Value::as_array)
        && pieces_of(pieces, line).is_some_and(|packing| packing.is_ok_and(|p| p.figure != *figure))
    {
        return Some(FaultReason::JsonOtherPieces);
    }
    let text = object.get("signature")?.as_str()?;
    let Ok(given) = text.parse::<Signature>() else {
        return Some(FaultReason::JsonSignature(excerpt(text)));
    };
    let equivalences = [Equivalence::Reflections, Equivalence::Rotations];
    let equivalence =
        equivalences.into_iter().find(|equivalence| text.starts_with(equivalence.prefix()))?;
    let actual = figure.canonical_up_to(equivalence).signature;
    (given != actual).then_some(FaultReason::JsonOtherSignature(actual))
}

/// Reads the pieces of a packing, as `solve --json` writes them. If some are free cells, the others are pieces in place.
fn pieces_of(pieces: &[Value], line: usize) -> Option<Result<Entry, Fault>> {
    let mut marks: Marks = Vec::new();
    for piece in pieces {
        let name = piece.get("piece")?.as_str()?;
        let mut letters = name.chars();
        let mark = match (letters.next(), letters.next()) {
            (Some(mark), None) => mark,
            (Some(_), Some(_)) => LONG_NAME,
            (None, _) => FREE,
        };
        let mut cells =
            piece.get("cells")?.as_array()?.iter().map(cell).collect::<Option<Vec<_>>>()?;
        cells.sort_unstable();
        marks.push((mark, cells));
    }
    let list: Vec<Cell> = marks.iter().flat_map(|(_, cells)| cells.iter().copied()).collect();
    let corner = Cell::min_corner(&list);
    let mark = |(mark, cells): &(char, Vec<Cell>)| {
        let mark = *mark;
        cells.iter().map(move |cell| (mark, *cell)).collect::<Vec<_>>()
    };
    let marked = marks.iter().flat_map(mark).collect();
    let entry = figure(list, line)
        .and_then(|_| entry_of_cells(line, marked, Arrangement::Groups, Vec::new()));
    if marks.iter().any(|(mark, _)| matches!(*mark, FREE | GAP)) {
        return Some(entry);
    }
    marks.retain(|(_, cells)| !cells.is_empty());
    marks.iter_mut().flat_map(|(_, cells)| cells).for_each(|cell| *cell = *cell - corner);
    Some(entry.map(|entry| Entry { claim: Some(marks), marks: None, placed: None, ..entry }))
}
