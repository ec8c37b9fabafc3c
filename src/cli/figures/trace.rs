//! The record of a search as an object for a viewer.

use super::packings::{NamedPieces, triples};
use crate::cli::shared::output::stdout;
use serde::Serialize;
use somacat_counting::solve::{Placement, SearchTrace};
use somacat_geometry::lattice::Cell;
use std::collections::HashMap;
use std::io::{self, Write};

/// A figure and the steps of the search for its packings.
#[derive(Serialize)]
pub(crate) struct TraceObject<'a> {
    name: &'a str,
    set: &'a str,
    /// The cells of the figure; pieces refer to positions in this list.
    cells: Vec<[i32; 3]>,
    /// Pieces that were in place before the search.
    placed: Vec<PlacedPiece>,
    /// True if the steps are those of the whole search.
    complete: bool,
    packings: usize,
    steps: Vec<TraceStep>,
}

#[derive(Serialize)]
struct PlacedPiece {
    piece: char,
    cells: Vec<usize>,
}

#[derive(Serialize)]
struct TraceStep {
    n: usize,
    depth: usize,
    #[serde(flatten)]
    placed: PlacedPiece,
    solved: bool,
}

impl<'a> TraceObject<'a> {
    /// Creates the object; `named` converts placements to pieces in the figure's coordinates.
    pub(crate) fn new(
        (name, set): (&'a str, &'a str),
        cells: &[Cell],
        placed: &NamedPieces,
        trace: &SearchTrace,
        named: impl Fn(&[Placement]) -> NamedPieces,
    ) -> Self {
        let position: HashMap<Cell, usize> = cells.iter().copied().zip(0..).collect();
        let piece = |(piece, cells): &(char, Vec<Cell>)| PlacedPiece {
            piece: *piece,
            cells: cells.iter().filter_map(|cell| position.get(cell).copied()).collect(),
        };
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            // A single placement gives one piece.
            for one in named(std::slice::from_ref(&step.placement)) {
                let (n, depth, solved) = (steps.len() + 1, step.depth, step.solved);
                steps.push(TraceStep { n, depth, placed: piece(&one), solved });
            }
        }
        Self {
            name,
            set,
            cells: triples(cells),
            placed: placed.iter().map(piece).collect(),
            complete: trace.complete,
            packings: trace.steps.iter().filter(|step| step.solved).count(),
            steps,
        }
    }

    /// Writes one line of JSON to standard output.
    pub(crate) fn write(&self) -> io::Result<()> {
        let mut out = stdout();
        serde_json::to_writer(&mut out, self)?;
        writeln!(out)?;
        out.flush()
    }
}
