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
mod find_correction;
mod format;
mod gaps;
mod height_map;
mod html;
mod json;
mod json_write;
mod layer_blocks;
mod layers;
mod layout;
mod limits;
mod line_parser;
mod lines;
mod open;
mod packing;
mod packing_fault;
mod piece_file;
mod plural;
mod points;
mod puzzle_error;
mod read_back;
mod read_error;
mod reader;
mod readings;
mod shell;
mod slice_marks;
mod slices;
mod soma_block;
mod soma_lines;
mod soma_marks;
mod soma_text;
mod soma_write;
mod text;
mod utf8;
mod warning;
mod whole_file;
mod write_error;
mod xml_tags;
mod xmpuzzle;

pub use assess::{Assessment, Refusal, SizeHint, assess, check_size, choose_set, names_its_pieces};
pub use cells::cells_line;
pub use correction::{Change, Correction};
pub use entry::{BlankLine, Entry, Item};
pub use entry_stream::{EntryStream, EntryStreamError, STOP_CHECK_TIME};
pub use fault::{Fault, FaultReason, entry_message};
pub use figure_text::{is_figure_text, text_label};
pub use format::{Format, ParseFormatError};
pub use json_write::json_line;
pub use layout::{Marks, RowSpan, TextLayout, TextPosition};
pub use limits::{MAX_LINE_BYTES, MAX_NAME_CHARS};
pub use lines::decode_text;
pub use open::{OpenError, looks_like_path, open_source, source_label, unnamed_label};
pub use packing::{FREE_MARKS, PublishedPacking, check_packing};
pub use packing_fault::{PackingFault, PieceFault};
pub use piece_file::{
    PieceSetError, colored_piece_set_of, find_colored_piece_set, find_piece_set, read_piece_set,
};
pub use plural::{count_noun, join_words};
pub use puzzle_error::{PuzzleError, PuzzleSetError, XmlFault};
pub use read_back::readable;
pub use read_error::ReadError;
pub use reader::{Colors, Reader};
pub use shell::{shell_command, shell_quoted};
pub use soma_marks::{piece_letter, piece_marks};
pub use soma_write::{soma_figure, soma_packing};
pub use text::is_remark;
pub use warning::Warning;
pub use whole_file::whole_file_hint;
pub use write_error::{MAX_SOMA_BOX_CELLS, WriteError};
