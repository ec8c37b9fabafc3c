//! Lines of a text of any size, read in bounded memory.
//!
//! Lines end with LF, CR LF or a lone CR. A line that is not UTF-8 is decoded as Latin-1, which preserves the
//! comments of old files. A byte order mark is dropped.

use super::{MAX_LINE_BYTES, ReadError};
use std::borrow::Cow;
use std::io::{BufRead, ErrorKind};

/// The most control characters in a line of text. Tabs, form feeds and escapes do not count. A line with more is
/// binary.
const MAX_CONTROLS: usize = 16;

pub(super) struct TextLines<R> {
    input: R,
    number: usize,
    after_cr: bool,
    buffer: Vec<u8>,
}

/// A line, or a mark that it was too long.
pub(super) enum TextLine<'a> {
    Text(Cow<'a, str>),
    TooLong,
}

impl<R: BufRead> TextLines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, number: 0, after_cr: false, buffer: Vec::new() }
    }

    /// Returns the next line with its number, counted from 1.
    pub(super) fn next_line(&mut self) -> Result<Option<(usize, TextLine<'_>)>, ReadError> {
        self.buffer.clear();
        self.number += 1;
        let line = self.number;
        let (mut any, mut too_long) = (false, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(source) => return Err(ReadError::Io { line, source }),
            };
            if self.after_cr && chunk.first() == Some(&b'\n') {
                self.after_cr = false;
                self.input.consume(1);
                continue;
            }
            self.after_cr = false;
            if chunk.is_empty() {
                break;
            }
            any = true;
            let end = chunk.iter().position(|&b| b == b'\n' || b == b'\r');
            let text = &chunk[..end.unwrap_or(chunk.len())];
            too_long |= self.buffer.len() + text.len() > MAX_LINE_BYTES;
            if too_long {
                if text.contains(&0) {
                    return Err(ReadError::Binary { line });
                }
                self.buffer.clear();
            } else {
                self.buffer.extend_from_slice(text);
            }
            let used = text.len() + usize::from(end.is_some());
            self.after_cr = end.is_some_and(|at| chunk[at] == b'\r');
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        if too_long {
            return Ok(Some((line, TextLine::TooLong)));
        }
        if line == 1 && is_utf16(&self.buffer) {
            return Err(ReadError::Utf16);
        }
        if is_binary(&self.buffer) {
            return Err(ReadError::Binary { line });
        }
        Ok(Some((line, TextLine::Text(decode_line(&self.buffer)))))
    }
}

/// Returns whether a text starts with a byte order mark of UTF-16.
pub(super) fn is_utf16(text: &[u8]) -> bool {
    text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF])
}

/// Returns whether a line cannot be that of a text. A few stray control characters cost only their figure, but every
/// other byte of a text in UTF-16 is 0.
pub(super) fn is_binary(line: &[u8]) -> bool {
    let controls = |b: &&u8| **b < 0x20 && !matches!(**b, b'\t' | 0x0B | 0x0C | 0x1A | 0x1B);
    let zeros = line.iter().filter(|b| **b == 0).count();
    zeros > 1 && 3 * zeros >= line.len() || line.iter().filter(controls).count() > MAX_CONTROLS
}

/// Decodes a whole text without its byte order mark: UTF-16 with such a mark, UTF-8, or Latin-1. If its lines end with
/// CR alone, they end with LF. Ctrl-Z at the end is dropped.
///
/// ```
/// use somacat_formats::decode_text;
///
/// assert_eq!(decode_text(b"\xEF\xBB\xBFB\xC3\xA4r"), "Bär", "UTF-8 with a mark");
/// assert_eq!(decode_text(b"B\xE4r\nB\xC3\xA4r"), "Bär\nBär", "a line in Latin-1");
/// assert_eq!(decode_text(b"\xFF\xFEB\0\xE4\0r\0"), "Bär", "UTF-16");
/// assert_eq!(decode_text(b"one\rtwo"), "one\ntwo");
/// ```
pub fn decode_text(bytes: &[u8]) -> String {
    let words = |word: fn([u8; 2]) -> u16| {
        let words = bytes[2..].chunks_exact(2).map(|pair| word([pair[0], pair[1]]));
        char::decode_utf16(words).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    let utf16: Option<String> = match bytes {
        [0xFF, 0xFE, ..] => Some(words(u16::from_le_bytes)),
        [0xFE, 0xFF, ..] => Some(words(u16::from_be_bytes)),
        _ => None,
    };
    let text = decode(utf16.as_ref().map_or(bytes, |text| text.as_bytes()));
    let text = text.trim_end().strip_suffix('\u{1a}').unwrap_or(&text);
    if text.contains('\n') { text.to_owned() } else { text.replace('\r', "\n") }
}

/// Decodes each line by itself: UTF-8, or Latin-1 if it is not UTF-8. A byte order mark is dropped, also where two files
/// were joined.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\u{feff}') => Cow::Borrowed(text),
        _ => {
            let lines = bytes.split_inclusive(|b| matches!(b, b'\n' | b'\r'));
            Cow::Owned(lines.map(decode_line).collect())
        }
    }
}

fn decode_line(mut line: &[u8]) -> Cow<'_, str> {
    // In Latin-1 the mark would be three letters.
    while let Some(rest) = line.strip_prefix(b"\xEF\xBB\xBF") {
        line = rest;
    }
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(line.iter().map(|&b| char::from(b)).collect()),
    }
}
