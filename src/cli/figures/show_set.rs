//! `somacat show` with the name of a famous set: draws its pieces.

use super::figure_view::{ColorChoice, Screen};
use super::packings::{NamedPieces, triples};
use super::picture_files::PictureFiles;
use super::show_display::colors;
use crate::cli::failure::Result;
use crate::cli::screen::side_by_side;
use crate::cli::shared::output::{colored_stdout, terminal_size};
use crate::cli::{Exit, Global};
use serde_json::{Value, json};
use somacat_formats::count_noun;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{FamousSet, Piece, PieceSet, parse_set};
use somacat_output::draw::{Corner, Picture, Scene, View, terminal};
use somacat_output::export::SOMA_SOURCE;
use std::io::Write;

/// The number of free cells between pieces of a picture.
const GAP: i32 = 2;

const COLUMNS: usize = 100;

/// A set with a name of its own, and its publications.
pub(crate) struct NamedSet {
    set: PieceSet,
    source: &'static str,
    boxes: Vec<&'static str>,
}

impl NamedSet {
    /// Returns a famous set, one or several SOMAs, or SOMA+plus.
    pub(crate) fn find(name: &str) -> Option<Self> {
        if let Some(famous) = FamousSet::named(name) {
            let (source, boxes) = (famous.source(), famous.boxes().collect());
            return Some(Self { set: famous.pieces(), source, boxes });
        }
        let set = parse_set(name).ok().filter(|_| name.to_uppercase().contains("SOMA"))?;
        Some(Self { set, source: SOMA_SOURCE, boxes: Vec::new() })
    }
}

/// Draws the pieces of a set, or writes them as JSON.
pub(crate) fn show_set(
    named: &NamedSet,
    (screen, size, json): (&Screen, Option<u32>, bool),
    files: &mut PictureFiles,
    global: &Global,
) -> Result<Exit> {
    let set = &named.set;
    if files.any() {
        let corner = screen.corner.unwrap_or_default();
        let pieces = laid_out(set);
        let figure = Figure::new(pieces.iter().flat_map(|(_, cells)| cells.iter().copied()))?;
        let scene = Scene::of_packing(&figure, &pieces)?;
        let title = set.name().to_owned();
        let view = View { corner: Some(corner), size, title, ..View::default() };
        files.write(&Picture::new(&scene, &view), global)?;
        return Ok(Exit::Ok);
    }
    let mut out = colored_stdout();
    if json {
        serde_json::to_writer_pretty(&mut out, &[object(named)])?;
        writeln!(out)?;
    } else {
        for line in lines(named, screen)? {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// Places one piece of each kind on the ground, in rows.
fn laid_out(set: &PieceSet) -> NamedPieces {
    let columns = (set.pieces().len() as f64).sqrt().ceil() as usize;
    let mut y = 0;
    let mut pieces = NamedPieces::new();
    for row in set.pieces().chunks(columns) {
        let (mut x, mut depth) = (0, 0);
        for (piece, _) in row {
            let most = |axis: usize| piece.cells().iter().map(|c| c.to_array()[axis]).max();
            let [width, high, height] = [0, 1, 2].map(|axis| most(axis).map_or(0, |most| most + 1));
            // z points down; the lowest layer of every piece is at 0.
            let corner = Cell::new(x, y, 1 - height);
            pieces.push((piece.letter(), piece.cells().iter().map(|&c| c + corner).collect()));
            (x, depth) = (x + width + GAP, depth.max(high));
        }
        y += depth + GAP;
    }
    let cells = pieces.iter().flat_map(|(_, cells)| cells.iter().copied());
    let corner = Cell::min_corner(&cells.collect::<Vec<_>>());
    pieces.iter_mut().flat_map(|(_, cells)| cells).for_each(|cell| *cell = *cell - corner);
    pieces
}

fn object(NamedSet { set, source, boxes }: &NamedSet) -> Value {
    let piece = |(piece, copies): &(Piece, usize)| {
        let (letter, cells) = (piece.letter().to_string(), triples(piece.cells()));
        json!({"name": piece.name(), "letter": letter, "copies": copies, "cells": cells})
    };
    json!({
        "name": set.name(), "cells": set.total_cells(), "source": source, "boxes": boxes,
        "pieces": set.pieces().iter().map(piece).collect::<Vec<_>>(),
    })
}

fn lines(NamedSet { set, source, boxes }: &NamedSet, screen: &Screen) -> Result<Vec<String>> {
    let mut lines = vec![heading(set)];
    let in_words = |text: &str| {
        let text = text.replace(" rotation", " packings up to rotation");
        text.replace(" unique", " packings up to rotation and reflection")
    };
    lines.extend(boxes.iter().map(|text| format!("published for the box {}", in_words(text))));
    lines.extend([format!("from {source}"), String::new()]);
    lines.extend(pictures(set, screen.corner.unwrap_or_default(), screen.color)?);
    Ok(lines)
}

/// Returns the name and the size of a set.
pub(crate) fn heading(set: &PieceSet) -> String {
    let (pieces, cells) = (count_noun(set.piece_count(), "piece"), set.total_cells());
    format!("{}: {pieces}, {cells} cells", set.name())
}

/// Draws the pieces of a set side by side.
pub(crate) fn pictures(set: &PieceSet, corner: Corner, color: ColorChoice) -> Result<Vec<String>> {
    let columns = terminal_size()[0].map_or(COLUMNS, usize::from);
    let colors = colors(color);
    let mut blocks = Vec::new();
    for (piece, copies) in set.pieces() {
        let figure = Figure::new(piece.cells().iter().copied())?;
        let scene = Scene::of_packing(&figure, &[(piece.letter(), figure.cells().to_vec())])?;
        let picture = terminal(&scene, corner, [columns, usize::MAX], colors);
        let mut block = vec![piece.name_with_count(*copies)];
        block.extend(picture.iter().flat_map(|(text, _)| text.lines()).map(str::to_owned));
        blocks.push(block);
    }
    Ok(side_by_side(&blocks, columns))
}
