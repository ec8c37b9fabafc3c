//! The pages of a gallery about famous piece sets.

use super::templates::file_stem;
use crate::dossier::{Packing, grouped};
use crate::draw::{Picture, Plans, Scene, View, tray};
use rayon::prelude::*;
use serde::Serialize;
use somacat_counting::solve::Limits;
use somacat_formats::PublishedPacking;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::{FAMOUS_SETS, Piece, PieceSet};

/// The source of the sets without a file, and what it says about SOMA.
pub const SOMA_SOURCE: &str = "Piet Hein; Thorleif Bundgaard's SOMA pages";
const SOMA_MAKER: &str = "Piet Hein";
const SOMA_YEAR: &str =
    "1933, when a patent was applied for (Thorleif Bundgaard, SOMA News, 15 July 2016)";

/// The ratio of columns to rows of a tray.
const TRAY: f64 = 1.8;
/// The search for a packing is ended after this many nodes. All sets need fewer.
const NODES: u64 = 5_000_000;

#[derive(Serialize)]
pub(super) struct SetPage {
    pub(in crate::export) name: String,
    /// The file name without extension.
    pub(super) stem: String,
    heading: String,
    /// The heading's explanation.
    about: String,
    source: String,
    /// Who made it and when, with sources; empty if unknown.
    maker: String,
    year: String,
    /// All pieces, as SVG.
    tray: String,
    /// A box filled by the pieces, as SVG, and its sides in words; empty if it fills none.
    packing: String,
    packed_box: String,
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
        let soma = Origin {
            heading: "SOMA cube: the irregular pieces of three and four cells",
            source: SOMA_SOURCE,
            maker: SOMA_MAKER,
            year: SOMA_YEAR,
            packing: None,
        };
        let soma_plus = Origin {
            heading: "SOMA+: SOMA and four more pieces",
            source: SOMA_SOURCE,
            ..Origin::default()
        };
        let mut sets = vec![
            (PieceSet::soma(1), soma, vec!["3x3x3, 240 unique"]),
            (PieceSet::soma_plus(), soma_plus, vec!["2x4x5, buildable"]),
        ];
        sets.extend(FAMOUS_SETS.iter().map(|famous| {
            let first = famous.text.lines().next().unwrap_or_default();
            let origin = Origin {
                heading: first.trim_start_matches("# ").trim_end_matches('.'),
                source: famous.source(),
                maker: famous.maker().unwrap_or_default(),
                year: famous.year().unwrap_or_default(),
                packing: famous.packing(),
            };
            (famous.pieces(), origin, famous.boxes().collect())
        }));
        let page = |(set, origin, boxes)| Self::new(known, &set, &origin, boxes);
        sets.into_par_iter().map(page).collect()
    }

    fn new(known: &[String], set: &PieceSet, origin: &Origin, boxes: Vec<&'static str>) -> Self {
        let name = set.name().to_owned();
        // `Bedlam cube: twelve pentacubes` or `The twelve flat pentacubes`.
        let (heading, about) = match origin.heading.split_once(": ") {
            Some((heading, about)) if !heading.contains(", ") => (heading, about),
            _ => (name.as_str(), origin.heading),
        };
        let shown = known.contains(&name).then(|| name.replace('+', "%2B"));
        let first_box = boxes.first().and_then(|text| sides_of(text));
        let packing = first_box.and_then(|sides| picture_of_packing(sides, set, origin.packing));
        let pieces: Vec<(&Piece, [usize; 2])> = set.ranges().collect();
        // As many columns as its rows need.
        let columns = (TRAY * pieces.len() as f64).sqrt().ceil() as usize;
        let columns = pieces.len().div_ceil(pieces.len().div_ceil(columns));
        let title = format!("The pieces of {name}");
        let view = View { caption: false, title, ..View::default() };
        Self {
            stem: file_stem(&name),
            heading: heading.to_owned(),
            about: about.to_owned(),
            name: name.clone(),
            source: origin.source.to_owned(),
            maker: origin.maker.to_owned(),
            year: origin.year.to_owned(),
            tray: tray(&pieces, columns, &view).svg,
            packed_box: first_box
                .filter(|_| packing.is_some())
                .map_or_else(String::new, |sides| sides.map(|side| side.to_string()).join(" × ")),
            packing: packing.unwrap_or_default(),
            boxes: boxes.into_iter().map(box_in_words).collect(),
            cells: set.total_cells(),
            count: set.piece_count(),
            pieces: set.pieces().iter().map(|(p, copies)| PieceData::new(p, *copies)).collect(),
            shown: shown.unwrap_or_default(),
        }
    }
}

/// What sources say about a set.
#[derive(Default)]
struct Origin {
    heading: &'static str,
    source: &'static str,
    maker: &'static str,
    year: &'static str,
    packing: Option<&'static str>,
}

/// Reads the sides of a box of a set file: `4x4x4, 19186 rotation`.
fn sides_of(text: &str) -> Option<[u32; 3]> {
    let sides = text.split(',').next()?.split('x').map(|side| side.trim().parse().ok());
    sides.collect::<Option<Vec<u32>>>()?.try_into().ok()
}

/// Draws a box filled by the pieces of a set, as the known packing does, if any. `None` if no packing is found soon.
fn picture_of_packing(sides: [u32; 3], set: &PieceSet, known: Option<&str>) -> Option<String> {
    let figure = Figure::of_box(sides).ok()?;
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let known = known.and_then(|letters| PublishedPacking::from_letters(&figure, letters, set));
    let pieces = match known {
        Some(packing) => packing.pieces,
        None => Packing::find(&figure, None, set, limits).ok()?.pieces,
    };
    let scene = Scene::of_packing(&figure, &pieces).ok()?.without_numbers();
    let title = format!("A box filled by {}", set.name());
    let view = View { plans: Plans::Never, caption: false, title, ..View::default() };
    Some(Picture::new(&scene, &view).svg)
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
