//! Files of figures: SOMA text, `cells`, height maps, layers, lists of points, JSON, and BurrTools puzzles.
//!
//! A [`Reader`] yields the entries of a file one by one, in memory that does not grow with the file. It reports an
//! unreadable entry as a [`Fault`] with its line and continues. Only an I/O error, or a file that is not text, ends
//! it. [`assess`] checks an entry with a piece set, and [`read_piece_set`] reads the sets. `docs/formats.md`
//! describes each format, with examples.
//!
//! ```
//! use somacat_formats::{Item, Reader};
//!
//! let text = "/SOMA1\n;a corner\n/11\n/1.\n\n/SOMA2\n/11\n/1_\n";
//! let mut corners = 0;
//! for item in Reader::new(text.as_bytes(), None)? {
//!     match item? {
//!         Item::Entry(entry) => {
//!             assert_eq!((entry.name.as_deref(), entry.figure.len()), (Some("SOMA1"), 3));
//!             corners += 1;
//!         }
//!         Item::Fault(fault) => assert_eq!((fault.line, fault.name.as_deref()), (8, Some("SOMA2"))),
//!     }
//! }
//! assert_eq!(corners, 1);
//! # Ok::<(), somacat_formats::ReadError>(())
//! ```

mod assess;
mod blank_line;
mod cells;
mod correction;
mod dash_rows;
mod detect;
mod entry;
mod entry_stream;
mod fault;
mod figure_text;
mod gaps;
mod height_map;
mod html;
mod json;
mod json_write;
mod layer_blocks;
mod layers;
mod lines;
mod open;
mod packing;
mod piece_file;
mod plural;
mod points;
mod puzzle_error;
mod reader;
mod readings;
mod slice_marks;
mod slices;
mod soma_block;
mod soma_lines;
mod soma_marks;
mod soma_text;
mod soma_write;
mod text;
mod xml_tags;
mod xmpuzzle;

use std::fmt;
use std::str::FromStr;

pub use assess::{Assessment, Refusal, SizeHint, Warning, assess, check_size, choose_set};
pub use cells::cells_line;
pub use correction::{Change, Correction};
pub use entry::{BlankLine, Entry, Item, Marks, RowSpan, TextLayout, TextPosition};
pub use entry_stream::{EntryStream, EntryStreamError, STOP_CHECK_TIME};
pub use fault::{Fault, FaultReason, entry_message};
pub use figure_text::{is_figure_text, text_label};
pub use json_write::json_line;
pub use lines::{MAX_LINE_BYTES, decode_text};
pub use open::{OpenError, looks_like_path, open_source, source_label, unnamed_label};
pub use packing::{FREE_MARKS, PackingFault, PieceFault, PublishedPacking, check_packing};
pub use piece_file::{PieceSetError, find_colored_piece_set, find_piece_set, read_piece_set};
pub use plural::{count_noun, join_words};
pub use puzzle_error::{PuzzleError, PuzzleSetError, XmlFault};
pub use reader::{Colors, ReadError, Reader};
pub use readings::whole_file_hint;
pub use soma_marks::{piece_letter, piece_marks};
pub use soma_write::{MAX_SOMA_BOX_CELLS, WriteError, soma_figure, soma_packing};
pub use text::MAX_NAME_CHARS;

/// A format of figures.
///
/// ```
/// use somacat_formats::Format;
///
/// assert_eq!("height-map".parse(), Ok(Format::HeightMap));
/// assert_eq!(Format::Xmpuzzle.to_string(), "xmpuzzle");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// SOMA text: rows of marks with layers between slashes, also inside saved HTML pages.
    Soma,
    /// One figure per line: `x,y,z x,y,z …`.
    Cells,
    /// Digits that give the number of cubes on each square.
    HeightMap,
    /// Layers as blocks of lines between blank lines, as in yass.
    Slices,
    /// A BurrTools puzzle: XML with boxes of voxels, usually compressed.
    Xmpuzzle,
    /// The cells of one figure, one a line.
    Points,
    /// The layers of one figure in the marks of SOMA text, as blocks of lines between blank lines.
    Layers,
    /// JSON: lists of cells, grids, and objects with them.
    Json,
}

impl Format {
    /// All formats, in order, with their names on the command line.
    const NAMES: [(Self, &'static str); 8] = [
        (Self::Soma, "soma"),
        (Self::Cells, "cells"),
        (Self::HeightMap, "heightmap"),
        (Self::Slices, "slices"),
        (Self::Xmpuzzle, "xmpuzzle"),
        (Self::Points, "points"),
        (Self::Layers, "layers"),
        (Self::Json, "json"),
    ];

    /// Returns what a file of this format holds, for messages.
    const fn reading(self) -> &'static str {
        match self {
            Self::Soma => "SOMA text",
            Self::Cells => "a figure on each line",
            Self::HeightMap => "height maps",
            Self::Slices => "slices with the letters of yass",
            Self::Xmpuzzle => "a puzzle",
            Self::Points => "the cells of one figure",
            Self::Layers => "the layers of one figure",
            Self::Json => "JSON",
        }
    }

    /// Lists the names of all formats, with a word before the last one.
    fn list(word: &str) -> String {
        let names = Self::NAMES.map(|(_, name)| name);
        let (last, others) = names.split_last().expect("there are formats");
        format!("{} {word} {last}", others.join(", "))
    }

    /// Returns the name used on the command line.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a figure format; choose {formats}", formats = Format::list("or")
)]
/// The error for a text that is not the name of a format.
///
/// ```
/// use somacat_formats::Format;
///
/// let message = "`svg` is not a figure format; choose soma, cells, heightmap, slices, xmpuzzle, points, \
///     layers or json";
/// assert_eq!("svg".parse::<Format>().unwrap_err().to_string(), message);
/// ```
pub struct ParseFormatError(pub String);

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text_in_lower_case = text.to_ascii_lowercase().replace("height-map", "heightmap");
        let mut names = Self::NAMES.into_iter();
        let known = names.find(|(_, name)| *name == text_in_lower_case);
        known.map(|(format, _)| format).ok_or_else(|| ParseFormatError(text.to_owned()))
    }
}
