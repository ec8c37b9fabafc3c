//! The requests of a page.

use crate::answer::InPlace;
use serde::Deserialize;

/// A request: a line of JSON, such as `{"call": "count", "file": 0, "figures": [3, 4], "nodes": 20000000}`.
///
/// `file` and `figure` are numbers from 0, in the order of reading.
#[derive(Debug, Deserialize)]
#[serde(tag = "call", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Request {
    /// The program: its version, the header of its CSV, the sets built in.
    About,
    /// Chooses the pieces. `set` is a name or letters as `--set` takes them, `auto`, or empty for the program's default;
    /// with the bytes of a piece file its name. With `gaps`, any cells may stay empty. Closes all files.
    Choose { set: String, gaps: bool },
    /// Reads the figures of a file, which the bytes are, and recognizes them. The bytes may also be a signature.
    Read { name: String },
    /// Counts figures. Each stops after `nodes` nodes.
    Count { file: usize, figures: Vec<usize>, nodes: Option<u64> },
    /// Rates the difficulty of figures.
    Difficulty { file: usize, figures: Vec<usize> },
    /// Lists up to `most` unique packings, found with at most `nodes` nodes. The first is the same for any `most`.
    Packings { file: usize, figure: usize, most: usize, nodes: u64 },
    /// Lists the placements of each piece, up to the figure's symmetry, with the packings that use them.
    Places { file: usize, figure: usize, nodes: u64 },
    /// Joins the unique packings by moves of two or three pieces. The moves lead to the packings that `Packings` lists with
    /// the same `most` and `nodes`.
    Map { file: usize, figure: usize, most: usize, nodes: u64 },
    /// Says why a figure cannot be built; null if it can, or if that is unknown after `nodes` nodes.
    Why { file: usize, figure: usize, nodes: u64 },
    /// Lists the pieces of a puzzle and all their placements.
    Puzzle { file: usize, figure: usize },
    /// Finds the next piece of a packing that contains the pieces in place, or else one to take back.
    Hint { file: usize, figure: usize, placed: Vec<InPlace>, nodes: u64 },
    /// Counts the packings that contain the pieces in place.
    Ways { file: usize, figure: usize, placed: Vec<InPlace>, nodes: u64 },
    /// Returns the position of the first packing of a list that is equal to one up to the figure's symmetries, or null.
    Same { file: usize, figure: usize, placed: Vec<InPlace>, packings: Vec<Vec<InPlace>> },
    /// Describes the symmetry of a figure.
    Symmetry { file: usize, figure: usize },
}
