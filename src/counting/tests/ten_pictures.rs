//! The ten pictures of docs/answers.md: faces of the pieces of SOMA that show on sides of the cube.

use crate::support::figures::boxed;
use somacat_counting::solve::{Limits, Placement, Problem, visit};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::PieceSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A face of a piece: the piece, its cell, and the direction of the face.
type Face = (usize, Cell, Cell);

/// The side of a cube: its squares, as cells, with the faces of pieces that show there.
type Picture = BTreeMap<Cell, Face>;

const UP: Cell = Cell::new(0, 0, -1);

/// Returns the faces that a placed piece shows on top, for each way to turn it into its cells.
fn shown(set: &PieceSet, placed: &Placement) -> Vec<Picture> {
    let cells = set.pieces()[placed.piece].0.cells();
    let turned = |t: Transform| {
        let images: Vec<Cell> = cells.iter().map(|&cell| t.apply(cell)).collect();
        let shift = Cell::min_corner(&placed.cells) - Cell::min_corner(&images);
        let at = |cell: Cell| images.iter().position(|&image| image + shift == cell);
        let up = Transform::iter().map(|t| t.apply(UP)).find(|&face| t.apply(face) == UP).unwrap();
        let places: Option<Vec<usize>> = placed.cells.iter().map(|&cell| at(cell)).collect();
        let face = |(&cell, at): (&Cell, usize)| (cell, (placed.piece, cells[at], up));
        Some(placed.cells.iter().zip(places?).map(face).filter(|(cell, _)| cell.z == 0).collect())
    };
    Transform::iter().filter(|t| t.is_rotation()).filter_map(turned).collect()
}

fn pictures(set: &PieceSet) -> Vec<Picture> {
    let mut pictures = vec![Picture::new(); 10];
    for row in include_str!("../../../catalog/ten_pictures.csv").lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [picture, x, y, .., a, b, c, face] = fields[..] else { panic!("{row}") };
        let [x, y, a, b, c] = [x, y, a, b, c].map(|number| number.parse().unwrap());
        let piece = set.pieces().iter().position(|(piece, _)| piece.name() == fields[3]).unwrap();
        let step = if face.starts_with('-') { -1 } else { 1 };
        let along = |axis| if face.ends_with(axis) { step } else { 0 };
        let face = (piece, Cell::new(a, b, c), Cell::new(along('x'), along('y'), along('z')));
        let picture = &mut pictures[picture.parse::<usize>().unwrap() - 1];
        assert!(picture.insert(Cell::new(x, y, 0), face).is_none(), "{row}");
    }
    pictures
}

/// The cube can carry ten pictures, which use different faces, and no eleven: only 90 faces ever show on a side.
#[test]
fn the_pieces_carry_ten_pictures_and_not_eleven() {
    let (cube, set) = (boxed([3, 3, 3]), PieceSet::soma(1));
    let pictures = pictures(&set);
    let mut found = [false; 10];
    let mut sides: BTreeSet<Vec<Face>> = BTreeSet::new();
    visit(&Problem::new(&cube, &set), Limits::default(), &mut |packing| {
        let turns: Vec<Vec<Picture>> = packing.iter().map(|placed| shown(&set, placed)).collect();
        for (picture, found) in pictures.iter().zip(&mut found) {
            let fits = |turn: &Picture| turn.iter().all(|(cell, face)| picture[cell] == *face);
            *found |= turns.iter().all(|turns| turns.iter().any(fits));
        }
        let mut all: Vec<Vec<Face>> = vec![Vec::new()];
        for turns in &turns {
            let faces: BTreeSet<Vec<Face>> =
                turns.iter().map(|turn| turn.values().copied().collect()).collect();
            let longer = |side: &Vec<Face>| {
                let side = side.clone();
                faces.iter().map(move |faces| [&side[..], faces].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        sides.extend(all.into_iter().map(|mut side| {
            side.sort_unstable();
            side
        }));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(found, [true; 10]);
    let used: BTreeSet<Face> =
        pictures.iter().flat_map(|picture| picture.values()).copied().collect();
    assert_eq!(used.len(), 90, "no face is in two pictures");
    assert_eq!(sides.len(), 6980);
    let all: BTreeSet<Face> = sides.iter().flatten().copied().collect();
    assert_eq!(all, used, "these faces show, and no others");
}
