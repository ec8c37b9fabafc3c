//! Data on its way to a terminal.

use super::visible;
use std::io::{self, IsTerminal, Write};

/// A writer that spells out control characters on a terminal. Files and pipes get every byte.
#[derive(Debug)]
pub struct TerminalWriter<W> {
    out: W,
    on_terminal: bool,
    /// The beginning of a character whose other bytes have not arrived.
    incomplete: Vec<u8>,
}

impl<W: Write + IsTerminal> TerminalWriter<W> {
    /// Wraps a writer, which may be a terminal.
    pub fn new(out: W) -> Self {
        let on_terminal = out.is_terminal();
        Self { out, on_terminal, incomplete: Vec::new() }
    }
}

impl<W: Write> Write for TerminalWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.on_terminal {
            return self.out.write(bytes);
        }
        let mut all = std::mem::take(&mut self.incomplete);
        all.extend_from_slice(bytes);
        let last = all.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
        if std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none()) {
            self.incomplete = all.split_off(all.len() - last.len());
        }
        self.out.write_all(visible(&String::from_utf8_lossy(&all)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out_wherever_the_bytes_are_cut() {
        let hostile = "a\u{1b}]0;x\u{7}\u{9b}é三\u{202e}\n";
        for cut in 0..=hostile.len() {
            let mut shown = Vec::new();
            let mut writer =
                TerminalWriter { out: &mut shown, on_terminal: true, incomplete: Vec::new() };
            writer.write_all(&hostile.as_bytes()[..cut]).unwrap();
            writer.write_all(&hostile.as_bytes()[cut..]).unwrap();
            writer.write_all(b"\x9b[2J").unwrap();
            let expected = "a\\u{1b}]0;x\\u{7}\\u{9b}é三\\u{202e}\n\u{fffd}[2J";
            assert_eq!(String::from_utf8(shown).unwrap(), expected, "{cut}");
        }
    }
}
