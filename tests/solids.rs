//! Solids for printing are closed and have the correct volume.

use crate::support::figures::{box_cells, grow, subset};
use crate::support::random::Random;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use somacat_output::export::{Mesh, MeshSize, write_obj, write_stl};
use std::collections::{BTreeMap, BTreeSet};

type Point = [i64; 3];

/// Counts the occurrences of every directed edge. Positions identify the corners.
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
        // Many cells that touch only along edges and at corners.
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

/// Returns the volume of the figure shrunk by an eighth cell. It is in cubic eighths: the number of voxels of an eighth
/// whose 26 neighbors are also in the figure.
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
        // The normal has length 1 and is parallel to an axis, and the corners lie in a plane perpendicular to it.
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
