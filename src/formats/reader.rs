//! The one way to read a file of figures, whatever its format.

use super::cells::CellsParser;
use super::detect::{Evidence, detect};
use super::height_map::HeightMapParser;
use super::lines::{Line, Lines, decode};
use super::soma_text::SomaParser;
use super::xmpuzzle::{GZIP, looks_like_puzzle, read_xmpuzzle};
use super::{Format, Item};
use std::collections::VecDeque;
use std::io::{BufRead, Chain, Cursor, ErrorKind, Read as _};

/// How much of a file is looked at to tell its format, in bytes.
const SNIFF_BYTES: usize = 64 * 1024;

/// Why reading came to an end before the file did.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be read on.
    #[error("cannot read line {line}: {source}")]
    Io {
        /// The line that was being read, counted from 1.
        line: usize,
        /// What the system says.
        source: std::io::Error,
    },
    /// NUL bytes or many control characters.
    #[error("line {line} holds binary data; a file of figures is text")]
    Binary {
        /// Counted from 1.
        line: usize,
    },
    /// A byte order mark of UTF-16.
    #[error("the text is encoded in UTF-16; save it as UTF-8")]
    Utf16,
    /// Compressed, or XML, but not what BurrTools writes.
    #[error("this is no puzzle of BurrTools: {reason}")]
    Puzzle {
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing at the beginning looks like a figure in any format.
    #[error(
        "cannot tell the format: the beginning holds no row of SOMA text, no line of cells and no \
         height map; name the format if there are figures further on"
    )]
    UnknownFormat,
}

/// What the digit 0 means in SOMA text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Zero {
    /// The duo where the digits of SOMA+plus are used, else empty.
    ///
    /// SOMA+plus is recognized by a mark `8`, `9` or `$` together with exactly two zeros, or 40
    /// cells if the zeros count.
    #[default]
    Auto,
    /// Empty.
    Empty,
    /// A cell.
    Cell,
}

/// How to read where people differ.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// What `0` means in SOMA text.
    pub zero: Zero,
    /// Leave out figures that stand in comments.
    pub skip_commented_out: bool,
}

enum Parser {
    Soma(Box<SomaParser>),
    Cells(CellsParser),
    HeightMap(HeightMapParser),
    /// The file was read at once; there are no lines.
    Whole,
}

impl Parser {
    fn new(format: Format, options: &Options) -> Self {
        match format {
            Format::Soma => Self::Soma(Box::new(SomaParser::new(options.clone()))),
            Format::Cells => Self::Cells(CellsParser),
            Format::HeightMap => Self::HeightMap(HeightMapParser::default()),
            Format::Xmpuzzle => Self::Whole,
        }
    }

    fn line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>) {
        match self {
            Self::Soma(parser) => parser.line(number, text, found),
            Self::Cells(parser) => parser.line(number, text, found),
            Self::HeightMap(parser) => parser.line(number, text, found),
            Self::Whole => {}
        }
    }

    fn too_long(&mut self, number: usize, found: &mut VecDeque<Item>) {
        match self {
            Self::Soma(parser) => parser.too_long(number, found),
            Self::Cells(parser) => parser.too_long(number, found),
            Self::HeightMap(parser) => parser.too_long(number, found),
            Self::Whole => {}
        }
    }

    fn end(&mut self, found: &mut VecDeque<Item>) {
        match self {
            Self::Soma(parser) => parser.end(found),
            Self::Cells(_) | Self::Whole => {}
            Self::HeightMap(parser) => parser.end(found),
        }
    }
}

/// Reads figures one by one: an iterator of entries and problems, in the order of the file.
///
/// After an error the iterator ends. Memory is bounded by the longest line and the largest figure;
/// only a puzzle of BurrTools, which is small, is read at once.
pub struct Reader<R> {
    lines: Lines<Chain<Cursor<Vec<u8>>, R>>,
    format: Format,
    parser: Parser,
    found: VecDeque<Item>,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// Starts to read; without a format, it is told from the first 64 KiB.
    ///
    /// # Errors
    /// If no format is given and it cannot be told, or the input cannot be read.
    pub fn new(mut input: R, format: Option<Format>, options: &Options) -> Result<Self, ReadError> {
        let (format, beginning) = match format {
            Some(format) => (format, Vec::new()),
            None => sniff(&mut input)?,
        };
        let mut input = Cursor::new(beginning).chain(input);
        let (found, done) = match format {
            Format::Xmpuzzle => (read_xmpuzzle(&mut input)?, true),
            _ => (VecDeque::new(), false),
        };
        let (lines, parser) = (Lines::new(input), Parser::new(format, options));
        Ok(Self { lines, format, parser, found, done })
    }

    /// The format that is read: given, or found out.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Item, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.found.pop_front() {
                return Some(Ok(item));
            }
            if self.done {
                return None;
            }
            match self.lines.next_line() {
                Ok(Some((number, Line::Text(text)))) => {
                    self.parser.line(number, &text, &mut self.found);
                }
                Ok(Some((number, Line::TooLong))) => {
                    self.parser.too_long(number, &mut self.found);
                }
                Ok(None) => {
                    self.done = true;
                    self.parser.end(&mut self.found);
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Reads ahead until the format is clear. Returns what was read with it.
fn sniff(input: &mut impl BufRead) -> Result<(Format, Vec<u8>), ReadError> {
    let mut beginning = Vec::new();
    let mut evidence = Evidence::default();
    let mut seen = 0;
    let mut blank = true;
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
        if beginning.starts_with(&[0xFF, 0xFE]) || beginning.starts_with(&[0xFE, 0xFF]) {
            return Err(ReadError::Utf16);
        }
        if beginning.starts_with(&GZIP) {
            return Ok((Format::Xmpuzzle, beginning));
        }
        if let Some(at) = beginning.iter().position(|&b| b == 0) {
            let line = 1 + beginning[..at].iter().filter(|&&b| b == b'\n').count();
            return Err(ReadError::Binary { line });
        }
        let full = ended || beginning.len() >= SNIFF_BYTES;
        let last = beginning.iter().rposition(|&b| b == b'\n' || b == b'\r');
        let complete = if full { beginning.len() } else { last.map_or(0, |at| at + 1) };
        if complete > seen {
            let text = decode(&beginning[seen..complete]);
            if seen == 0 && looks_like_puzzle(&text) {
                drop(text);
                return Ok((Format::Xmpuzzle, beginning));
            }
            for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
                blank &= matches!(line.trim().chars().next(), None | Some('#' | ';' | '\u{1a}'));
                evidence.add(line);
            }
            seen = complete;
        }
        if full || evidence.is_strong() {
            // A file without figures is no fault: there is nothing in it to be read wrongly.
            let format = evidence.format().or_else(|| (ended && blank).then_some(Format::Soma));
            return format.map(|f| (f, beginning)).ok_or(ReadError::UnknownFormat);
        }
    }
}

impl<'a> Reader<&'a [u8]> {
    /// Reads a text that is in memory.
    ///
    /// # Errors
    /// As [`Reader::new`].
    pub fn of_text(
        text: &'a str,
        format: Option<Format>,
        options: &Options,
    ) -> Result<Self, ReadError> {
        let format = format.or_else(|| detect(text));
        Self::new(text.as_bytes(), format, options)
    }
}
