//! Solids for printing are closed and have the right volume; puzzles of BurrTools come back as they were.

use crate::support::figures::{box_cells, grow, subset};
use crate::support::random::Random;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use somacat::export::{Mesh, MeshSize, write_obj, write_stl, write_xmpuzzle};
use somacat::figure::{Figure, Identity};
use somacat::formats::{Format, Item, Options, ReadError, Reader};
use somacat::lattice::Cell;
use somacat::pieces::PieceSet;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

type Point = [i64; 3];

/// For every directed edge how often it occurs. Corners are told apart by their place.
fn edges(triangles: &[[Point; 3]]) -> BTreeMap<(Point, Point), usize> {
    let mut edges = BTreeMap::new();
    for &[a, b, c] in triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    edges
}

fn in_microns(point: [f64; 3]) -> Point {
    point.map(|v| (v * 1000.0).round() as i64)
}

fn triangles(mesh: &Mesh) -> Vec<[Point; 3]> {
    let place = |at: u32| in_microns(mesh.vertices[at as usize]);
    mesh.triangles.iter().map(|t| t.map(place)).collect()
}

fn mesh(figure: &Figure, size: MeshSize) -> Mesh {
    Mesh::new("it", figure.cells(), figure.extents()[2], size)
}

fn figures() -> Vec<Figure> {
    let mut random = Random::new(31);
    let pieces = PieceSet::soma_plus();
    let mut all: Vec<Figure> = pieces
        .pieces()
        .iter()
        .map(|(piece, _)| Figure::new(piece.cells().iter().copied()).unwrap())
        .collect();
    for size in [2, 8, 20, 32] {
        all.push(grow(size, None, &mut random));
        // Full of cells that touch along edges and at corners only.
        all.push(subset(size, [4, 4, 4], &mut random));
    }
    all
}

#[test]
fn surfaces_are_closed_and_with_a_clearance_manifold() {
    for figure in figures() {
        let printed = edges(&triangles(&mesh(&figure, MeshSize::default())));
        for ((a, b), times) in &printed {
            assert_eq!((*times, printed.get(&(*b, *a))), (1, Some(&1)), "{figure:?}");
        }
        let exact = edges(&triangles(&mesh(&figure, MeshSize::new(20.0, 0.0).unwrap())));
        for ((a, b), times) in &exact {
            assert_eq!(exact.get(&(*b, *a)), Some(times), "{figure:?}");
        }
    }
}

/// The volume of the figure shrunk by an eighth of a cell, in eighths cubed: of the voxels of an eighth those
/// count whose 26 neighbors belong to the figure too.
fn shrunk_volume(figure: &Figure) -> usize {
    let cells: BTreeSet<Cell> = figure.cells().iter().copied().collect();
    let inside = |voxel: [i32; 3]| cells.contains(&Cell::from(voxel.map(|v| v.div_euclid(8))));
    let deep = |cell: &Cell, voxel: &Cell| {
        box_cells([3, 3, 3]).iter().all(|d| {
            let [c, v, d] = [cell, voxel, d].map(|c| c.to_array());
            inside(std::array::from_fn(|k| 8 * c[k] + v[k] + d[k] - 1))
        })
    };
    let voxels = box_cells([8, 8, 8]);
    cells.iter().map(|cell| voxels.iter().filter(|voxel| deep(cell, voxel)).count()).sum()
}

#[test]
fn volumes_are_those_of_the_cells_less_the_clearance() {
    for figure in figures() {
        let whole = mesh(&figure, MeshSize::new(8.0, 0.0).unwrap());
        assert!((whole.volume() - 512.0 * figure.len() as f64).abs() < 1e-6, "{figure:?}");
        let shrunk = mesh(&figure, MeshSize::new(8.0, 2.0).unwrap());
        assert!((shrunk.volume() - shrunk_volume(&figure) as f64).abs() < 1e-6, "{figure:?}");
        let [low, high] = shrunk.bounds();
        let [width, depth, height] = figure.extents().map(f64::from);
        let extents: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
        assert_eq!(extents, [8.0 * width - 2.0, 8.0 * depth - 2.0, 8.0 * height - 2.0]);
        assert!(low[2].abs() < 1e-9, "it does not stand on the ground");
    }
    assert!(MeshSize::new(20.0, 20.0).is_err() && MeshSize::new(f64::NAN, 0.0).is_err());
}

#[test]
fn stl_and_obj_hold_the_same_surface() {
    let cells = box_cells([2, 3, 2]);
    let figure = Figure::new(cells.into_iter().filter(|c| c.to_array() != [1, 1, 1])).unwrap();
    let mesh = mesh(&figure, MeshSize::default());
    let (mut stl, mut obj) = (Vec::new(), Vec::new());
    write_stl(&[mesh.clone(), mesh.clone().moved([100.0, 0.0, 0.0])], &mut stl).unwrap();
    write_obj(&[mesh.clone(), mesh.clone().moved([100.0, 0.0, 0.0])], &mut obj).unwrap();

    let number = u32::from_le_bytes(stl[80..84].try_into().unwrap()) as usize;
    assert_eq!((number, stl.len()), (2 * mesh.triangles.len(), 84 + 50 * number));
    assert!(!stl.starts_with(b"solid"));
    let mut from_stl = Vec::new();
    for facet in stl[84..].chunks(50) {
        let floats: Vec<f64> = facet[..48]
            .chunks(4)
            .map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap())))
            .collect();
        let point = |at: usize| [floats[at], floats[at + 1], floats[at + 2]];
        let [normal, a, b, c] = [point(0), point(3), point(6), point(9)];
        // The normal is of length 1 and along one axis, and the corners lie in a plane across it.
        let axis = normal.iter().position(|v| v.abs() == 1.0).unwrap();
        assert!(a[axis] == b[axis] && b[axis] == c[axis]);
        from_stl.push([a, b, c].map(in_microns));
    }
    let mut vertices = Vec::new();
    let mut from_obj = Vec::new();
    let text = String::from_utf8(obj).unwrap();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "v" => vertices.push([1, 2, 3].map(|at: usize| words[at].parse::<f64>().unwrap())),
            "f" => from_obj
                .push([1, 2, 3].map(|at: usize| {
                    in_microns(vertices[words[at].parse::<usize>().unwrap() - 1])
                })),
            _ => {}
        }
    }
    assert_eq!(text.lines().filter(|line| line.starts_with("o ")).count(), 2);
    assert_eq!(from_stl, from_obj);
    let edges = edges(&from_obj);
    assert!(edges.iter().all(|((a, b), n)| *n == 1 && edges.get(&(*b, *a)) == Some(&1)));
}

fn read(bytes: &[u8]) -> Result<Vec<Item>, ReadError> {
    let reader = Reader::new(bytes, None, &Options::default())?;
    assert_eq!(reader.format(), Format::Xmpuzzle);
    reader.collect()
}

fn sole_figures(items: &[Item]) -> Vec<(String, Figure)> {
    let entry = |item: &Item| match item {
        Item::Entry(entry) => (entry.label(), entry.figure.clone()),
        Item::Problem(problem) => panic!("{problem}"),
    };
    items.iter().map(entry).collect()
}

#[test]
fn puzzles_come_back_unmirrored() {
    let mut random = Random::new(77);
    let soma = PieceSet::soma(1);
    let puzzles: Vec<(String, Figure, PieceSet)> = (0..20)
        .map(|at| (format!("no. {at} <&\">"), grow(27, None, &mut random), soma.clone()))
        .collect();
    let mut bytes = Vec::new();
    write_xmpuzzle(&puzzles, &mut bytes).unwrap();
    let turned = |figure: &Figure| figure.canonical_up_to(Identity::Rotations).signature;
    let back = sole_figures(&read(&bytes).unwrap());
    assert_eq!(back.len(), puzzles.len());
    for ((name, figure), (wanted_name, wanted, _)) in back.iter().zip(&puzzles) {
        assert_eq!((name, turned(figure)), (wanted_name, turned(wanted)));
        // Reading undoes the turn that writing makes.
        assert_eq!(figure, wanted);
    }
    // Without problems every shape is a figure: first the pieces, each with its own handedness.
    let mut xml = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut xml).unwrap();
    let (shapes, _) = xml.split_once("<problems>").unwrap();
    let shapes = sole_figures(&read(format!("{shapes}</puzzle>").as_bytes()).unwrap());
    for ((piece, _), (name, shape)) in soma.pieces().iter().zip(&shapes) {
        assert_eq!(*name, piece.name().to_string());
        assert!(piece.has_shape(shape.cells()), "{name} is mirrored");
    }
    assert_eq!(shapes.len(), 7 + 20, "the pieces are written once");
}

/// As BurrTools writes: colors behind voxels, indentation, shapes without names.
const BY_HAND: &str = r##"<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="0"/>
  <colors><color red="1" green="2" blue="3"/></colors>
  <shapes>
    <voxel x="2" y="2" z="1" type="0">##1#_</voxel>
    <voxel x="2" y="1" z="2" name="stairs" type="0">#12__#</voxel>
    <voxel x="3" y="1" z="1" type="0">#+#</voxel>
    <voxel x="2" y="2" z="2" type="0">####</voxel>
  </shapes>
  <problems>
    <problem state="0" name="first"><result id="0"/></problem>
    <problem state="0"><result id="1"/></problem>
    <problem state="0" name="open"><result id="2"/></problem>
    <problem state="0"><result id="3"/></problem>
    <problem state="0"><result id="9"/></problem>
  </problems>
</puzzle>
"##;

#[test]
fn puzzles_by_other_hands_are_read_and_their_faults_named() {
    let items = read(BY_HAND.as_bytes()).unwrap();
    let shown: Vec<String> = items
        .iter()
        .map(|item| match item {
            Item::Entry(e) => format!("{}:{} {}", e.line, e.label(), e.figure.len()),
            Item::Problem(problem) => problem.to_string(),
        })
        .collect();
    let wanted = [
        "6:first 3",
        "7:stairs 2",
        "line 8: open: 1 cell may be filled or not (+): which figure is meant is open",
        "line 9: 4 voxels are given, a box of 2x2x2 has 8",
        "line 16: the problem does not name a shape to build",
    ];
    assert_eq!(shown, wanted);
    // z is up there and down here: the second cell of the stairs, right and above, comes to lie on top.
    let (_, stairs) = &sole_figures(&items[1..2])[0];
    assert_eq!(stairs.cells(), [Cell::new(0, 0, 1), Cell::new(1, 0, 0)]);
}

#[test]
fn what_is_no_puzzle_is_refused() {
    let packed = |bytes: &[u8]| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    };
    let refused = |bytes: &[u8], words: &str| {
        let error = Reader::new(bytes, None, &Options::default()).err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&packed(&vec![b' '; 80 << 20]), "more than 64 MiB");
    refused(&packed(b"/SOMA text\n/111\n"), "no puzzle of BurrTools");
    refused(&packed(BY_HAND.as_bytes())[..100], "cannot be unpacked");
    refused(BY_HAND.replace("gridType type=\"0\"", "gridType type=\"1\"").as_bytes(), "type 1");
    refused(b"<puzzle version=\"2\"><shapes>", "no puzzle of BurrTools");
    refused(b"<!DOCTYPE puzzle [<!ENTITY a \"b\">]><puzzle>&a;</puzzle>", "format");
}
