//! Text of any length as UTF-8: bytes that are not are read as Latin-1.

use std::io::{self, BufRead, Read};

/// A reader of UTF-8. Unlike [`super::lines`] it holds no line, since those of a puzzle may be long, and so decides for
/// each byte by itself.
pub(super) struct Utf8<R> {
    input: R,
    text: Vec<u8>,
    /// The bytes of `text` that are consumed.
    at: usize,
    /// The beginning of a letter whose other bytes follow.
    cut: Vec<u8>,
}

impl<R: BufRead> Utf8<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, text: Vec::new(), at: 0, cut: Vec::new() }
    }

    /// Decodes bytes; keeps the beginning of a letter at their end, if more bytes may follow.
    fn decode(&mut self, bytes: &[u8], is_end: bool) {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.text.extend_from_slice(chunk.valid().as_bytes());
            let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
            let is_last = chunks.peek().is_none() && !is_end;
            if is_last && str::from_utf8(chunk.invalid()).is_err_and(is_cut) {
                self.cut = chunk.invalid().to_vec();
            } else {
                for &byte in chunk.invalid() {
                    let letter = char::from(byte);
                    self.text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
        }
    }
}

impl<R: BufRead> BufRead for Utf8<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.text.len() {
            self.text.clear();
            self.at = 0;
            let more = self.input.fill_buf()?;
            let mut bytes = std::mem::take(&mut self.cut);
            let read = more.len();
            bytes.extend_from_slice(more);
            self.input.consume(read);
            self.decode(&bytes, read == 0);
            if read == 0 {
                break;
            }
        }
        Ok(&self.text[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl<R: BufRead> Read for Utf8<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}
