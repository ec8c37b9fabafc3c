//! The tags of an XML file, read by `quick-xml`. Time and memory are limited.
//!
//! Text is passed on unchanged. Comments and processing instructions are skipped. A DOCTYPE, through which entities
//! could multiply, is refused.

use super::limits::MAX_PUZZLE_BYTES;
use super::utf8::Utf8;
use super::{PuzzleError, XmlFault};
use quick_xml::escape::{EscapeError, resolve_xml_entity};
use quick_xml::events::{BytesStart, Event as XmlEvent};
use quick_xml::{Error, XmlVersion, errors::IllFormedError};
use somacat_geometry::excerpt;
use std::io::{self, BufRead, Read};

/// The most bytes of a tag, or of text between two tags.
const MAX_EVENT: u64 = 32 << 20;

const MAX_ATTRIBUTES: usize = 100;
const MAX_DEPTH: usize = 100;

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

pub(super) enum TagEvent {
    /// A tag opens. An empty tag is followed by its [`TagEvent::Close`].
    Open(Tag),
    /// The innermost tag closes.
    Close,
    /// The root is closed, and the file is read to its end.
    End,
}

pub(super) struct XmlTags<R> {
    reader: quick_xml::Reader<Limited<Utf8<R>>>,
    buffer: Vec<u8>,
    /// The names of the open tags, the outermost first.
    path: Vec<String>,
}

impl<R: BufRead> XmlTags<R> {
    pub(super) fn new(input: R) -> Self {
        let input = Utf8::new(input);
        let input = Limited { input, line: 1, left: MAX_PUZZLE_BYTES, left_in_event: MAX_EVENT };
        let mut reader = quick_xml::Reader::from_reader(input);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), path: Vec::new() }
    }

    /// The names of the open tags, the outermost first.
    pub(super) fn path(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }

    /// Reads up to and including the next tag. Passes the text before it to `text`.
    pub(super) fn next(&mut self, mut text: impl FnMut(&str)) -> Result<TagEvent, PuzzleError> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().left_in_event = MAX_EVENT;
            let event = self.reader.read_event_into(&mut self.buffer);
            let (line, is_inside) = (self.reader.get_ref().line, !self.path.is_empty());
            let wrong = |reason| Err(PuzzleError::Xml { line, reason });
            match event {
                Err(error) => return Err(puzzle_error(error, self.reader.get_ref())),
                Ok(XmlEvent::Start(start)) => {
                    if self.path.len() == MAX_DEPTH {
                        return wrong(XmlFault::TooLarge);
                    }
                    let tag = match tag(&start, line) {
                        Ok(tag) => tag,
                        Err(reason) => return wrong(reason),
                    };
                    self.path.push(tag.name.clone());
                    return Ok(TagEvent::Open(tag));
                }
                Ok(XmlEvent::End(_)) => {
                    self.path.pop();
                    return if self.path.is_empty() { self.end() } else { Ok(TagEvent::Close) };
                }
                Ok(XmlEvent::Text(read)) if is_inside => text(&read),
                Ok(XmlEvent::CData(read)) if is_inside => text(&read),
                Ok(XmlEvent::GeneralRef(name)) if is_inside => match name.resolve_char_ref() {
                    Ok(Some(char)) => text(char.encode_utf8(&mut [0; 4])),
                    _ => match resolve_xml_entity(&name) {
                        Some(char) => text(char),
                        None => return wrong(XmlFault::Entity(excerpt(&name))),
                    },
                },
                Ok(XmlEvent::Text(read)) => {
                    let text = read.trim_start_matches('\u{feff}').trim_start();
                    if !text.is_empty() {
                        let line = line - lines_in(text.as_bytes());
                        return Err(PuzzleError::Xml { line, reason: XmlFault::NoTag });
                    }
                }
                Ok(XmlEvent::DocType(_)) => return wrong(XmlFault::Doctype),
                Ok(XmlEvent::Eof) if is_inside => return wrong(XmlFault::Ended),
                Ok(XmlEvent::Decl(_) | XmlEvent::PI(_) | XmlEvent::Comment(_)) => {}
                Ok(_) => return wrong(XmlFault::NoTag),
            }
        }
    }

    /// Reads the rest of the file, in which no tag may be. Only the end of a compressed file shows whether all of it is
    /// sound.
    fn end(&mut self) -> Result<TagEvent, PuzzleError> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().left_in_event = MAX_EVENT;
            let event = self.reader.read_event_into(&mut self.buffer);
            match event {
                Ok(XmlEvent::Eof) => return Ok(TagEvent::End),
                Ok(XmlEvent::Start(_) | XmlEvent::Decl(_)) => {
                    let line = self.reader.get_ref().line;
                    return Err(PuzzleError::Xml { line, reason: XmlFault::Behind });
                }
                Ok(_) => {}
                Err(error @ Error::Io(_)) => {
                    return Err(puzzle_error(error, self.reader.get_ref()));
                }
                // Text that is not well formed.
                Err(_) => {
                    let rest = io::copy(self.reader.get_mut(), &mut io::sink());
                    rest.map_err(|error| puzzle_error(error.into(), self.reader.get_ref()))?;
                    return Ok(TagEvent::End);
                }
            }
        }
    }
}

fn tag(start: &BytesStart<'_>, end_line: usize) -> Result<Tag, XmlFault> {
    let mut attributes = Vec::new();
    // Looking for repeated names would take time that grows with the square of their number.
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|_| XmlFault::Tag)?;
        let value =
            attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|error| match error {
                Error::Escape(EscapeError::UnrecognizedEntity(_, name)) => {
                    XmlFault::Entity(excerpt(&name))
                }
                _ => XmlFault::Tag,
            })?;
        if attributes.len() == MAX_ATTRIBUTES {
            return Err(XmlFault::TooLarge);
        }
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    let line = end_line - lines_in(start.as_bytes());
    Ok(Tag { name: start.name().as_ref().to_owned(), line, attributes })
}

fn lines_in(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte == b'\n').count()
}

fn puzzle_error<R>(error: Error, input: &Limited<R>) -> PuzzleError {
    let reason = match error {
        _ if input.left == 0 => return PuzzleError::TooLong,
        _ if input.left_in_event == 0 => XmlFault::TooLarge,
        Error::Io(error) => {
            return PuzzleError::of_input(io::Error::new(error.kind(), error.to_string()));
        }
        Error::Syntax(_) | Error::IllFormed(IllFormedError::UnclosedReference) => XmlFault::Ended,
        Error::IllFormed(
            IllFormedError::UnmatchedEndTag(found) | IllFormedError::MismatchedEndTag { found, .. },
        ) => XmlFault::Unmatched(excerpt(&found)),
        _ => XmlFault::Tag,
    };
    PuzzleError::Xml { line: input.line, reason }
}

/// A source that counts lines and fails at a limit.
struct Limited<R> {
    input: R,
    line: usize,
    left: u64,
    left_in_event: u64,
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let left = self.left.min(self.left_in_event);
        let bytes = self.input.fill_buf()?;
        if left == 0 && !bytes.is_empty() {
            return Err(io::Error::other("too long"));
        }
        Ok(&bytes[..bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX))])
    }

    fn consume(&mut self, amount: usize) {
        // The bytes that `fill_buf` returned are still in the buffer of the source.
        if let Ok(bytes) = self.input.fill_buf() {
            self.line += lines_in(&bytes[..amount]);
        }
        self.left -= amount as u64;
        self.left_in_event -= amount as u64;
        self.input.consume(amount);
    }
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.left_in_event = MAX_EVENT;
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}
