//! The pages of a gallery about famous piece sets.

use super::templates::file_stem;
use crate::dossier::grouped;
use crate::draw::{Picture, Scene, View};
use serde::Serialize;
use somacat_geometry::pieces::{FAMOUS_SETS, Piece, PieceSet};

/// The source of the sets without a file.
pub const SOMA_SOURCE: &str = "Piet Hein; Thorleif Bundgaard's SOMA pages";

#[derive(Serialize)]
pub(super) struct SetPage {
    pub(in crate::export) name: String,
    /// The file name without extension.
    pub(super) stem: String,
    heading: String,
    source: String,
    /// The boxes that it fills, with their published counts.
    boxes: Vec<String>,
    cells: usize,
    /// All pieces, with copies.
    count: usize,
    pieces: Vec<PieceData>,
    /// The name for the address of the index. Empty if the gallery has no figure with the set.
    shown: String,
}

#[derive(Serialize)]
struct PieceData {
    name: String,
    cells: usize,
    copies: usize,
    picture: String,
}

impl SetPage {
    /// Returns the pages of all famous sets, SOMA first. `known` are the sets of the gallery.
    pub(in crate::export) fn all(known: &[String]) -> Vec<Self> {
        let new = |set: PieceSet, heading: &str, source: &str, boxes: Vec<&str>| {
            let name = set.name().to_owned();
            let shown = known.contains(&name).then(|| name.replace('+', "%2B"));
            Self {
                stem: file_stem(&name),
                name,
                heading: heading.to_owned(),
                source: source.to_owned(),
                boxes: boxes.into_iter().map(box_in_words).collect(),
                cells: set.total_cells(),
                count: set.piece_count(),
                pieces: set.pieces().iter().map(|(p, copies)| PieceData::new(p, *copies)).collect(),
                shown: shown.unwrap_or_default(),
            }
        };
        let soma = "SOMA cube: the irregular pieces of three and four cells";
        let soma_plus = "SOMA+: SOMA and four more pieces";
        let mut pages = vec![
            new(PieceSet::soma(1), soma, SOMA_SOURCE, vec!["3x3x3, 240 unique"]),
            new(PieceSet::soma_plus(), soma_plus, SOMA_SOURCE, Vec::new()),
        ];
        pages.extend(FAMOUS_SETS.iter().map(|famous| {
            let first = famous.text.lines().next().unwrap_or_default();
            let heading = first.trim_start_matches("# ").trim_end_matches('.');
            new(famous.pieces(), heading, famous.source(), famous.boxes().collect())
        }));
        pages
    }
}

impl PieceData {
    fn new(piece: &Piece, copies: usize) -> Self {
        let name = piece.name().to_owned();
        let title = format!("Piece {name}");
        let view = View { caption: false, title, ..View::default() };
        let picture = Picture::new(&Scene::of_piece(piece), &view).svg;
        Self { name, cells: piece.size(), copies, picture }
    }
}

/// Describes a box of a set file: `4x4x4, 19186 rotation`.
fn box_in_words(text: &str) -> String {
    let (sides, count) = text.split_once(", ").unwrap_or((text, ""));
    let sides = sides.replace('x', " × ");
    match count.split_once(' ') {
        Some((number, "unique")) => {
            let s = if number == "1" { "" } else { "s" };
            format!("{sides}: {} solution{s} up to rotation and reflection", grouped(number))
        }
        Some((number, _)) => format!("{sides}: {} solutions up to rotation", grouped(number)),
        None => format!("{sides}: the number of solutions is unknown"),
    }
}
