//! A scanner of XML tags, in memory that does not grow with the file.
//!
//! It supports only what puzzles contain: tags, attributes and text, which is passed on byte by byte. It skips
//! comments and processing instructions. It refuses a DOCTYPE, through which entities could multiply. Lengths and
//! depth are limited, so no file can make it use much memory.

use super::{PuzzleError, XmlFault};
use std::io::{BufRead, ErrorKind};

/// The most bytes of a file, unpacked.
pub(super) const MAX_BYTES: u64 = 256 << 20;

/// The most bytes kept of an attribute's value: enough for the longest name.
const MAX_VALUE: usize = 8 << 10;

/// The longest name of a tag or an attribute, the most attributes of a tag, and the deepest nesting.
const MAX_NAME: usize = 100;
const MAX_ATTRIBUTES: usize = 100;
const MAX_DEPTH: usize = 100;

/// A tag with its attributes.
pub(super) struct Tag {
    pub(super) name: String,
    /// The line where it begins, counted from 1.
    pub(super) line: usize,
    attributes: Vec<(String, String)>,
}

impl Tag {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// An event of the scanner.
pub(super) enum Event {
    /// A tag opens. [`Event::Close`] follows a self-closing tag.
    Open(Tag),
    /// The innermost tag closes.
    Close,
    /// The root closed and the file ended.
    End,
}

/// Reads events from a source of bytes.
pub(super) struct Scanner<R> {
    input: R,
    line: usize,
    /// The number of bytes that may still follow.
    left: u64,
    /// The names of the open tags, the outermost first.
    open: Vec<String>,
    /// The innermost tag is self-closing.
    empty: bool,
    /// The root has been opened.
    rooted: bool,
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: 1, left: MAX_BYTES, open: Vec::new(), empty: false, rooted: false }
    }

    /// Returns the names of the open tags, the outermost first.
    pub(super) fn path(&self) -> Vec<&str> {
        self.open.iter().map(String::as_str).collect()
    }

    fn wrong(&self, reason: XmlFault) -> PuzzleError {
        PuzzleError::Xml { line: self.line, reason }
    }

    /// Reads to the next tag. Text before it is passed to `text`.
    pub(super) fn next(&mut self, mut text: impl FnMut(u8)) -> Result<Event, PuzzleError> {
        if std::mem::take(&mut self.empty) {
            self.open.pop();
            return Ok(Event::Close);
        }
        loop {
            if self.rooted && self.open.is_empty() {
                // Text after the root is ignored. Reading to the end makes the decompressor check the file.
                while self.byte()?.is_some() {}
                return Ok(Event::End);
            }
            self.text_to_tag(&mut text)?;
            match self.peek()? {
                None => return Err(self.wrong(XmlFault::Ended)),
                Some(b'?') => self.skip_past(b"?>")?,
                Some(b'!') => self.declaration(&mut text)?,
                Some(b'/') => {
                    self.byte()?;
                    let name = self.name()?;
                    self.blanks()?;
                    self.expect(b'>')?;
                    let open = self.open.pop();
                    return match open {
                        Some(open) if open == name => Ok(Event::Close),
                        _ => Err(self.wrong(XmlFault::Unmatched(name))),
                    };
                }
                Some(_) => return self.tag().map(Event::Open),
            }
        }
    }

    /// Passes text up to the next `<` on and consumes the `<`.
    fn text_to_tag(&mut self, text: &mut impl FnMut(u8)) -> Result<(), PuzzleError> {
        loop {
            let Some(byte) = self.byte()? else {
                return if self.open.is_empty() && !self.rooted {
                    Err(self.wrong(XmlFault::NoTag))
                } else {
                    Err(self.wrong(XmlFault::Ended))
                };
            };
            match byte {
                b'<' => return Ok(()),
                b'&' if !self.open.is_empty() => {
                    let mut utf8 = [0; 4];
                    self.entity()?.encode_utf8(&mut utf8).bytes().for_each(&mut *text);
                }
                _ if !self.open.is_empty() => text(byte),
                b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF => {}
                _ => return Err(self.wrong(XmlFault::NoTag)),
            }
        }
    }

    /// Parses the rest of `<!`: a comment, text in a CDATA section, or a DOCTYPE.
    fn declaration(&mut self, text: &mut impl FnMut(u8)) -> Result<(), PuzzleError> {
        self.byte()?;
        match self.peek()? {
            Some(b'-') => {
                self.expect(b'-')?;
                self.expect(b'-')?;
                self.skip_past(b"-->")
            }
            Some(b'[') if !self.open.is_empty() => {
                for &byte in b"[CDATA[" {
                    self.expect(byte)?;
                }
                self.read_past(b"]]>", text)
            }
            _ => Err(self.wrong(XmlFault::Doctype)),
        }
    }

    fn tag(&mut self) -> Result<Tag, PuzzleError> {
        let line = self.line;
        let name = self.name()?;
        let mut attributes = Vec::new();
        loop {
            self.blanks()?;
            match self.peek()? {
                Some(b'>') => {
                    self.byte()?;
                    break;
                }
                Some(b'/') => {
                    self.byte()?;
                    self.expect(b'>')?;
                    self.empty = true;
                    break;
                }
                _ => {
                    if attributes.len() == MAX_ATTRIBUTES {
                        return Err(self.wrong(XmlFault::TooLarge));
                    }
                    attributes.push(self.attribute()?);
                }
            }
        }
        if self.open.len() == MAX_DEPTH {
            return Err(self.wrong(XmlFault::TooLarge));
        }
        self.rooted = true;
        self.open.push(name.clone());
        Ok(Tag { name, line, attributes })
    }

    fn attribute(&mut self) -> Result<(String, String), PuzzleError> {
        let name = self.name()?;
        self.blanks()?;
        self.expect(b'=')?;
        self.blanks()?;
        let quote = self.byte()?;
        let Some(quote @ (b'"' | b'\'')) = quote else {
            return Err(self.wrong(XmlFault::Tag));
        };
        let mut value = Vec::new();
        loop {
            match self.byte()? {
                None => return Err(self.wrong(XmlFault::Ended)),
                Some(b'<') => return Err(self.wrong(XmlFault::Tag)),
                Some(byte) if byte == quote => break,
                Some(b'&') => {
                    let mut utf8 = [0; 4];
                    value.extend_from_slice(self.entity()?.encode_utf8(&mut utf8).as_bytes());
                }
                Some(byte) if value.len() < MAX_VALUE => value.push(byte),
                Some(_) => {}
            }
            value.truncate(MAX_VALUE);
        }
        Ok((name, String::from_utf8_lossy(&value).into_owned()))
    }

    /// Parses an entity after its `&`.
    fn entity(&mut self) -> Result<char, PuzzleError> {
        let mut word = String::new();
        loop {
            match self.byte()? {
                Some(b';') => break,
                Some(byte) if byte.is_ascii_alphanumeric() || byte == b'#' => {
                    word.push(char::from(byte));
                }
                _ => return Err(self.wrong(XmlFault::Entity(word))),
            }
            if word.len() > 10 {
                return Err(self.wrong(XmlFault::Entity(word)));
            }
        }
        let numbered = || {
            let number = word.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        };
        let known = match word.as_str() {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => numbered(),
        };
        known.ok_or_else(|| self.wrong(XmlFault::Entity(word)))
    }

    fn name(&mut self) -> Result<String, PuzzleError> {
        let mut name = String::new();
        while let Some(byte) = self.peek()? {
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':')) {
                break;
            }
            if name.len() == MAX_NAME {
                return Err(self.wrong(XmlFault::TooLarge));
            }
            name.push(char::from(byte));
            self.byte()?;
        }
        if name.is_empty() { Err(self.wrong(XmlFault::Tag)) } else { Ok(name) }
    }

    fn blanks(&mut self) -> Result<(), PuzzleError> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.byte()?;
        }
        Ok(())
    }

    fn expect(&mut self, wanted: u8) -> Result<(), PuzzleError> {
        match self.byte()? {
            Some(byte) if byte == wanted => Ok(()),
            None => Err(self.wrong(XmlFault::Ended)),
            Some(_) => Err(self.wrong(XmlFault::Tag)),
        }
    }

    fn skip_past(&mut self, end: &[u8]) -> Result<(), PuzzleError> {
        self.read_past(end, &mut |_| {})
    }

    /// Passes bytes up to `end` to `text` and consumes `end`.
    fn read_past(&mut self, end: &[u8], text: &mut impl FnMut(u8)) -> Result<(), PuzzleError> {
        let mut last: Vec<u8> = Vec::with_capacity(end.len() + 1);
        loop {
            let byte = self.byte()?.ok_or_else(|| self.wrong(XmlFault::Ended))?;
            last.push(byte);
            if last == end {
                return Ok(());
            }
            if last.len() == end.len() {
                text(last.remove(0));
            }
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, PuzzleError> {
        loop {
            match self.input.fill_buf() {
                Ok(chunk) => return Ok(chunk.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(PuzzleError::of_input(error)),
            }
        }
    }

    fn byte(&mut self) -> Result<Option<u8>, PuzzleError> {
        let next = self.peek()?;
        if let Some(byte) = next {
            self.input.consume(1);
            self.left = self.left.checked_sub(1).ok_or(PuzzleError::TooLong)?;
            self.line += usize::from(byte == b'\n');
        }
        Ok(next)
    }
}
