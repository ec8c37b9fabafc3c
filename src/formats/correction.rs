//! A small correction of typing errors, in words.

use super::TextPosition;
use super::layout::squares;
use std::fmt;

/// A correction that turns the marks into a packing. Marks are as in the text.
///
/// ```
/// use somacat_formats::Correction;
///
/// let correction = Correction::Exchange { one: 'A', other: 'B' };
/// assert_eq!((correction.to_string(), correction.line()), ("exchange A and B".to_owned(), None));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Correction {
    /// Exchange two marks wherever they occur.
    Exchange { one: char, other: char },
    /// Write other marks in a few squares.
    Rewrite {
        /// The marks to write. Not empty.
        changes: Vec<Change>,
        /// `true` if other corrections change as few marks.
        others: bool,
    },
}

/// A square to write with another mark.
///
/// ```
/// use somacat_formats::{Assessment, Correction, Item, Reader, Warning, assess};
/// use somacat_geometry::pieces::parse_set;
///
/// // The D in the first row should be a V, and the last V a D.
/// let text = "/SOMA1\n/VDV\n/V.D\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// let Assessment::Sound { warnings, .. } = assess(&entry, &parse_set("V D").unwrap()) else { panic!() };
/// let [Warning::Packing { correction: Some(correction), .. }] = &warnings[..] else { panic!() };
/// let Correction::Rewrite { changes, .. } = correction else { panic!() };
/// let first = changes[0];
/// assert_eq!((first.at.line, first.at.mark, first.from, first.to), (2, 2, Some('D'), Some('V')));
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    pub at: TextPosition,
    /// The mark in the text. `None` for an empty square.
    pub from: Option<char>,
    /// The mark to write. `None` for an empty square.
    pub to: Option<char>,
}

impl Correction {
    /// Returns the first line to change. `None` if the whole figure changes.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Exchange { .. } => None,
            Self::Rewrite { changes, .. } => changes.iter().map(|change| change.at.line).min(),
        }
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (changes, others) = match self {
            Self::Exchange { one, other } => return write!(f, "exchange {one} and {other}"),
            Self::Rewrite { changes, others } => (changes, others),
        };
        let mut kinds: Vec<(Option<char>, Option<char>)> = Vec::new();
        for change in changes {
            if !kinds.contains(&(change.from, change.to)) {
                kinds.push((change.from, change.to));
            }
        }
        let sign = |mark: Option<char>| mark.map_or("a dot".to_owned(), |mark| mark.to_string());
        for (at, &(from, to)) in kinds.iter().enumerate() {
            let same = changes.iter().filter(|change| (change.from, change.to) == (from, to));
            let positions: Vec<TextPosition> = same.map(|change| change.at).collect();
            let begin = if at == 0 { "write" } else { ", and" };
            write!(f, "{begin} {} instead of {} in {}", sign(to), sign(from), squares(&positions))?;
        }
        if *others { f.write_str(", for example") } else { Ok(()) }
    }
}
