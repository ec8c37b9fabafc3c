//! What a source adds to an answer: figures under their names, faults, and a last word.

use serde::{Deserialize, Serialize};
use somacat_geometry::figure::Candidate;
use somacat_geometry::pieces::PieceSet;
use std::borrow::Cow;
use std::path::PathBuf;

/// Where the figures of a question come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin<'a> {
    /// A search finds them. These pieces build them.
    Search(&'a PieceSet),
    /// A source lists them under their names. Every run reads it anew, because it may have changed.
    Source(EntrySource),
}

/// A source as a catalog knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntrySource {
    /// The name by which a catalog knows it, such as its path below the working directory.
    pub label: String,
    /// Its path on this machine, if it is a file.
    pub place: Option<PathBuf>,
    /// True if the name says nothing of the content: what is read there next time is another source.
    pub passing: bool,
    /// The name of its format. `None` if it is detected.
    pub format: Option<String>,
    /// The pieces of all its figures. `None` if each figure decides.
    pub set: Option<PieceSet>,
}

/// An entry of a source: a figure with its name.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The figure in its position in the source.
    pub candidate: Candidate,
    /// The pieces that build it.
    pub set: PieceSet,
    /// How the source calls it, and where.
    pub name: EntryName,
}

/// The name of an entry, with all that belongs to it rather than to the figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EntryName {
    /// Position among the source's entries and faults, from 0.
    pub ordinal: u64,
    /// Line of the source, from 1.
    pub line: u64,
    /// The name itself.
    pub label: Option<String>,
    /// 1, 2, … for solutions under one header.
    pub variant: u32,
    /// The entry's comment.
    pub title: Option<String>,
    /// The maker.
    pub credit: Option<String>,
    /// The other comments.
    pub note: Option<String>,
    /// The packing in the source: the piece of each cell, in the source's order of the cells.
    pub packing: Option<String>,
    /// True if the source has it as a comment.
    pub commented_out: bool,
}

/// A faulty entry of a source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EntryFault {
    /// Position among the source's entries and faults, from 0.
    pub ordinal: u64,
    /// Line of the source, from 1.
    pub line: u64,
    /// The name of the entry.
    pub label: Option<String>,
    /// True if the entry was left out.
    pub refused: bool,
    /// The kind of fault in one word.
    pub kind: Cow<'static, str>,
    /// The problem in words.
    pub message: String,
    /// The signature of the figure up to rotation. `None` unless the entry was refused only for its pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<String>,
}

/// What is known when a source has been read to its end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceEnd {
    /// The lines that no reader of figures takes for one, such as prose.
    pub skipped_lines: u64,
    /// Advice for people, such as another way to read a source without any sound entry.
    pub hints: Vec<String>,
}
