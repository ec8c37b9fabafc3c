//! Entries of sources as rows: figures with their names, and faults.

use super::SetId;
use serde::{Deserialize, Serialize};
use somacat_geometry::figure::Candidate;
use std::borrow::Cow;

#[derive(Clone, Debug)]
pub struct EntryRow {
    /// The figure in its position in the source.
    pub candidate: Candidate,
    pub set: SetId,
    pub name: NameRow,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NameRow {
    /// Position among the source's entries and faults, from 0.
    pub ordinal: u64,
    /// Line of the source, from 1.
    pub line: u64,
    pub label: Option<String>,
    /// 1, 2, … for solutions under one header.
    pub variant: u32,
    /// The entry's comment.
    pub title: Option<String>,
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
pub struct FaultRow {
    /// Position among the source's entries and faults, from 0.
    pub ordinal: u64,
    /// Line of the source, from 1.
    pub line: u64,
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
