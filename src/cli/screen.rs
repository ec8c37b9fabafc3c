//! Arranges text on a screen: blocks side by side, and lines broken between words.

use unicode_width::UnicodeWidthStr;

/// The number of columns between two adjacent blocks.
const GAP: usize = 3;

/// Returns the screen width of a line, without color escape sequences.
fn width(line: &str) -> usize {
    let mut pieces = line.split('\x1b');
    let first = pieces.next().map_or(0, UnicodeWidthStr::width);
    let behind = |piece: &str| piece.split_once('m').map_or(0, |(_, text)| text.width());
    first + pieces.map(behind).sum::<usize>()
}

/// Arranges blocks from left to right, in as many rows as needed.
pub fn side_by_side(blocks: &[Vec<String>], columns: usize) -> Vec<String> {
    let (mut lines, mut row, mut used) = (Vec::new(), Vec::new(), 0);
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        let wide = block.iter().map(|line| width(line)).max().unwrap_or(0);
        if !row.is_empty() && used + GAP + wide > columns {
            lines.extend(joined(&std::mem::take(&mut row)));
            used = 0;
        }
        used += if row.is_empty() { wide } else { GAP + wide };
        row.push((block, wide));
    }
    lines.extend(joined(&row));
    lines
}

fn joined(row: &[(&Vec<String>, usize)]) -> Vec<String> {
    let height = row.iter().map(|(block, _)| block.len()).max().unwrap_or(0);
    let line = |at: usize| {
        let (mut text, mut missing) = (String::new(), 0);
        for (block, wide) in row {
            let part = block.get(at).map_or("", String::as_str);
            if !part.is_empty() {
                text.extend(std::iter::repeat_n(' ', missing));
                text += part;
                missing = 0;
            }
            missing += wide - width(part) + GAP;
        }
        text
    };
    (0..height).map(line).collect()
}

/// Returns a label and its text at `indent`, wrapped to the screen. Lines break between words.
pub fn labeled(label: &str, indent: usize, text: &str, columns: usize) -> Vec<String> {
    // A space always separates the label from its text.
    let mut lines = vec![format!("{:<indent$}", format!("{label} "))];
    let mut used = lines[0].width();
    for (at, word) in text.split(' ').enumerate() {
        let wide = word.width();
        let last = lines.last_mut().expect("there is a line");
        if at > 0 && used + 1 + wide > columns {
            lines.push(format!("{:indent$}{word}", ""));
            used = indent + wide;
        } else {
            if at > 0 {
                last.push(' ');
                used += 1;
            }
            *last += word;
            used += wide;
        }
    }
    lines
}

/// Returns a message's lines, broken between words to fit the screen.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    const INDENT: usize = 2;
    let broken = |line: &str| match line.width() > columns {
        true => {
            let start = line.len() - line.trim_start().len();
            let end = line[start..].find(' ').map_or(line.len(), |length| start + length);
            labeled(&line[..end], INDENT, line[end..].trim_start(), columns)
        }
        false => vec![line.to_owned()],
    };
    text.split('\n').flat_map(broken).collect()
}
