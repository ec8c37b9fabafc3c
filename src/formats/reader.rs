//! The reader of figure files of any format.

use super::detect::Evidence;
use super::json::looks_like_json;
use super::line_parser::LineParser;
use super::lines::{TextLine, TextLines, decode, is_binary, is_utf16};
use super::readings::{Readings, readings};
use super::text::clip;
use super::xmpuzzle::{GZIP, looks_like_puzzle, read_puzzle};
use super::{Entry, Fault, FaultReason, Format, Item, PuzzleSetError, ReadError};
use somacat_geometry::excerpt;
use std::collections::VecDeque;
use std::io::{BufRead, Chain, Cursor, ErrorKind, Read as _};

/// The number of bytes examined to detect the format.
const SNIFF_BYTES: usize = 64 * 1024;

/// What a reader does with a figure whose cells, or whose pieces' cells, have colors.
///
/// ```
/// use somacat_formats::{Colors, Reader};
///
/// let reader = Reader::new(&b"0,0,0 1,0,0\n"[..], None)?.with_colors(Colors::Obeyed);
/// assert_eq!(reader.format().name(), "cells");
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colors {
    /// It is a fault: its packings are others than those of its shape.
    #[default]
    Refused,
    /// Only cells that may stay empty are obeyed, and ranges of copies. Other colors are a fault.
    Gaps,
    /// Counts obey them.
    Obeyed,
}

enum Parser {
    Lines(Box<dyn LineParser>),
    /// The items of a file that is read whole at the start. It does not parse lines.
    Puzzle(Box<dyn Iterator<Item = Item>>),
}

impl Parser {
    fn new(format: Format, input: impl BufRead) -> Result<Self, ReadError> {
        Ok(match format.line_parser() {
            Some(parser) => Self::Lines(parser),
            None => Self::Puzzle(Box::new(read_puzzle(input)?.figures())),
        })
    }
}

/// An iterator over the entries and faults of a file, in order. It ends after an error. Memory is bounded by the
/// longest line and the largest figure. Only for a BurrTools puzzle it holds all shapes, whose size is bounded too.
///
/// ```
/// use somacat_formats::{Format, Item, Reader};
///
/// // Heights of three rows: a staircase of six cells.
/// let mut reader = Reader::new(&b"stairs: 3 2 1\n"[..], None)?;
/// assert_eq!(reader.format(), Format::HeightMap);
/// let Some(Ok(Item::Entry(entry))) = reader.next() else { panic!("an entry") };
/// assert_eq!(entry.figure.len(), 6);
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
pub struct Reader<R> {
    lines: TextLines<Chain<Cursor<Vec<u8>>, R>>,
    format: Format,
    colors: Colors,
    parser: Parser,
    found: VecDeque<Item>,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// Starts reading. Without a format, it is detected from the first 64 KiB.
    pub fn new(mut input: R, format: Option<Format>) -> Result<Self, ReadError> {
        let (format, beginning) = match format {
            Some(format) => (format, Vec::new()),
            None => sniff(&mut input)?,
        };
        let mut input = Cursor::new(beginning).chain(input);
        let parser = Parser::new(format, &mut input)?;
        let lines = TextLines::new(input);
        let (colors, found) = (Colors::Refused, VecDeque::new());
        Ok(Self { lines, format, colors, parser, found, done: false })
    }

    /// Sets what happens to figures with colors. They are refused otherwise.
    pub fn with_colors(self, colors: Colors) -> Self {
        Self { colors, ..self }
    }

    pub const fn format(&self) -> Format {
        self.format
    }

    /// Refuses an entry with a name or colors that would mislead, and pieces with ranges of copies.
    fn checked(&self, item: Item) -> Item {
        let mut item = with_plain_texts(item);
        if let Item::Entry(Entry { pieces: Some(pieces), .. }) = &mut item
            && self.colors == Colors::Refused
            && let Ok(set) = pieces.as_ref()
            && set.is_choice()
        {
            **pieces = set.clone().plain().map_err(PuzzleSetError::Set);
        }
        match item {
            Item::Entry(entry) if entry.is_colored() && self.colors == Colors::Refused => {
                let reason = match entry.has_optional_cells() {
                    true => FaultReason::Optional,
                    false => FaultReason::Colored,
                };
                Fault::new(entry.line, reason).of(entry.name)
            }
            Item::Entry(entry) if entry.has_true_colors() && self.colors == Colors::Gaps => {
                Fault::new(entry.line, FaultReason::Colored).of(entry.name)
            }
            item => item,
        }
    }

    /// Returns the number of lines of prose skipped so far. Blank lines and comments do not count.
    pub fn skipped_lines(&self) -> u64 {
        match &self.parser {
            Parser::Lines(parser) => parser.skipped(),
            Parser::Puzzle(_) => 0,
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Item, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.found.pop_front() {
                return Some(Ok(self.checked(item)));
            }
            let parser = match &mut self.parser {
                Parser::Lines(parser) => parser,
                Parser::Puzzle(figures) => {
                    let item = figures.next()?;
                    return Some(Ok(self.checked(item)));
                }
            };
            if self.done {
                return None;
            }
            match self.lines.next_line() {
                Ok(Some((number, TextLine::Text(text)))) => {
                    parser.line(number, &text, &mut self.found);
                }
                Ok(Some((number, TextLine::TooLong))) => parser.too_long(number, &mut self.found),
                Ok(None) => {
                    self.done = true;
                    parser.end(&mut self.found);
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Refuses a figure whose name has a control character. It could act on a terminal. A tab becomes a blank, and so does
/// every control character of the other texts, which no command looks up.
fn with_plain_texts(item: Item) -> Item {
    let Item::Entry(mut entry) = item else { return item };
    if let Some(name) = entry.name.take_if(|name| name.contains(char::is_control)) {
        let name = name.replace(|c: char| c.is_control() && c.is_whitespace(), " ");
        if name.contains(char::is_control) {
            let shown = excerpt(&name.escape_debug().to_string());
            return Fault::new(entry.line, FaultReason::ControlInName(shown)).of(None);
        }
        entry.name = Some(name);
    }
    for text in [&mut entry.title, &mut entry.credit, &mut entry.note] {
        if let Some(stray) = text.take_if(|text| text.contains(char::is_control)) {
            *text = clip(&stray.replace(char::is_control, " "));
        }
    }
    Item::Entry(entry)
}

/// Lists the readings of a file, with the options that choose them.
fn alternatives(formats: &[Format]) -> String {
    let each = |format: &Format| format!("as {} (--format {format})", format.reading());
    let all: Vec<String> = formats.iter().map(each).collect();
    let (last, others) = all.split_last().expect("an ambiguous file has several readings");
    format!("{} or {last}", others.join(", "))
}

/// Returns the number of the first line that is binary, of those that start at `start` or behind it.
fn first_binary_line(text: &[u8], mut start: usize) -> Option<usize> {
    for line in text[start..].split(|b| matches!(b, b'\n' | b'\r')) {
        if is_binary(line) {
            let is_end = |pair: &&[u8]| pair[0] == b'\n' || pair[0] == b'\r' && pair[1] != b'\n';
            return Some(1 + text[..=start].windows(2).filter(is_end).count());
        }
        start += line.len() + 1;
    }
    None
}

/// Returns the number of bytes up to the last blank line, or else up to the last line end: a figure may be cut off behind.
fn whole_blocks(text: &[u8]) -> usize {
    let is_end = |at: usize| matches!(text[at], b'\n' | b'\r');
    let is_blank = |at: usize| {
        let before = &text[..at];
        let line_end = if before.ends_with(b"\r") && text[at] == b'\n' { at - 1 } else { at };
        line_end > 0 && is_end(line_end - 1)
    };
    let ends = || (0..text.len()).rev().filter(|&at| is_end(at));
    ends().find(|&at| is_blank(at)).or_else(|| ends().next()).map_or(text.len(), |at| at + 1)
}

/// Reads ahead until the format is clear. Returns the bytes read with it.
fn sniff(input: &mut impl BufRead) -> Result<(Format, Vec<u8>), ReadError> {
    let mut beginning = Vec::new();
    let mut evidence = Evidence::default();
    let mut seen = 0;
    // The first line that is not a comment, with its number.
    let (mut lines, mut first) = (0, None);
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(source) => return Err(ReadError::Io { line: 1, source }),
        };
        let ended = chunk.is_empty();
        let size = chunk.len();
        beginning.extend_from_slice(chunk);
        input.consume(size);
        if is_utf16(&beginning) {
            return Err(ReadError::Utf16);
        }
        if beginning.starts_with(&GZIP) {
            return Ok((Format::Xmpuzzle, beginning));
        }
        let full = ended || beginning.len() >= SNIFF_BYTES;
        let last = beginning.iter().rposition(|&b| b == b'\n' || b == b'\r');
        let lines_end = last.map_or(0, |at| at + 1);
        let complete = if full { beginning.len() } else { lines_end };
        // A line that is cut off may have few other characters yet.
        let certain = if ended || lines_end == 0 { complete } else { lines_end };
        if let Some(line) = first_binary_line(&beginning[..certain], seen) {
            return Err(ReadError::Binary { line });
        }
        if complete > seen {
            let text = decode(&beginning[seen..complete]);
            if seen == 0 && looks_like_puzzle(&text) {
                drop(text);
                return Ok((Format::Xmpuzzle, beginning));
            }
            if seen == 0 && looks_like_json(&text) {
                drop(text);
                return Ok((Format::Json, beginning));
            }
            let text = text.replace("\r\n", "\n");
            for line in text.split_terminator(['\n', '\r']) {
                lines += 1;
                let content =
                    !matches!(line.trim().chars().next(), None | Some('#' | ';' | '\u{1a}'));
                if content && first.is_none() {
                    first = Some((lines, excerpt(line.trim())));
                }
                evidence.add(line);
            }
            seen = complete;
        }
        if full || evidence.is_strong() {
            if !evidence.is_strong() && !evidence.is_soma() {
                let whole = if ended { beginning.len() } else { whole_blocks(&beginning) };
                match readings(&beginning[..whole], &evidence) {
                    Readings::None => {}
                    Readings::NumberedCells => return Err(ReadError::NumberedCells),
                    Readings::MissingSlashes => return Err(ReadError::MissingSlashes),
                    Readings::One(format) => return Ok((format, beginning)),
                    Readings::Several(formats) => {
                        return Err(ReadError::AmbiguousFormat(alternatives(&formats)));
                    }
                }
            }
            return match (evidence.format(), first) {
                (Some(format), _) => Ok((format, beginning)),
                // A file with only blank lines and comments is valid in any format.
                (None, None) if ended => Ok((Format::Soma, beginning)),
                (None, first) => {
                    let (line, text) = first.unwrap_or((1, String::new()));
                    let formats = Format::list("and");
                    Err(ReadError::UnknownFormat { line, text, formats })
                }
            };
        }
    }
}
