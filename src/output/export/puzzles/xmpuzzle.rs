//! BurrTools `.xmpuzzle`: gzip-compressed XML with the pieces, the figures, and a problem for each.
//!
//! In BurrTools z points up, in SOMA text down. Figures and pieces get the same half turn about the x axis, so
//! nothing is mirrored. Voxels are `#` or `_`, x fastest, then y, then z, and `+` if they may stay empty.

use crate::xml::xml_text;
use flate2::{Compression, GzBuilder};
use somacat_counting::solve::Problem;
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::{GAP, PieceSet};
use std::fmt::Write as _;
use std::io::{self, Write};

/// T4 in Nungester's numbering: (x, -y, -z).
const HALF_TURN: u8 = 4;

/// The largest box of a figure, in cells.
pub const MAX_VOXELS: u64 = 1_000_000;

/// A figure to write, with its pieces.
#[derive(Clone, Debug)]
pub struct PuzzleFigure {
    pub name: String,
    pub figure: Figure,
    /// Says which cells may stay empty, if the set has gaps; `None` if all may.
    pub colors: Option<FigureColors>,
    pub set: PieceSet,
}

impl PuzzleFigure {
    /// Takes a problem: what pieces in place leave free, if there are any.
    pub fn new(name: &str, problem: &Problem<'_>) -> Self {
        let colors = problem.colors().cloned();
        Self { colors, ..Self::full(name, problem.figure(), problem.set().clone()) }
    }

    /// Returns a figure of which the pieces fill every cell.
    pub fn full(name: &str, figure: &Figure, set: PieceSet) -> Self {
        Self { name: name.to_owned(), figure: figure.clone(), colors: None, set }
    }
}

/// A figure that the format cannot hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleFault {
    /// The format also stores empty cells.
    #[error("the box of {name} has {volume} cells; the limit is {MAX_VOXELS}")]
    TooLarge { name: String, volume: u64 },
    #[error(
        "{name}: a puzzle of BurrTools cannot ask for {number} of the pieces; leave out --pieces, or give ranges of copies"
    )]
    Number { name: String, number: usize },
}

/// Writes a puzzle with a problem for each figure and set.
///
/// # Errors
/// If writing fails, or the format cannot hold a figure (with [`PuzzleFault`] inside).
pub fn write_xmpuzzle(figures: &[PuzzleFigure], out: &mut impl Write) -> io::Result<()> {
    let xml = xml(figures).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    // No file name and no time, so that the same puzzle is the same bytes.
    let mut gzip = GzBuilder::new().mtime(0).write(out, Compression::best());
    gzip.write_all(xml.as_bytes())?;
    gzip.finish()?.flush()
}

fn xml(figures: &[PuzzleFigure]) -> Result<String, PuzzleFault> {
    let mut shapes: Vec<String> = Vec::new();
    let mut problems = String::new();
    for PuzzleFigure { name, figure, colors, set } in figures {
        if let Some(number) = set.number() {
            return Err(PuzzleFault::Number { name: name.clone(), number });
        }
        // Marks are kept even if the pieces fill all cells: other symmetries keep them than the figure.
        let may_be_empty = |cell: &Cell| match colors {
            None => set.has_gaps(),
            Some(colors) => {
                figure.cells().binary_search(cell).is_ok_and(|at| colors.may_be_empty(at))
            }
        };
        let mut id = |name: &str, cells: &[Cell], may_be_empty: &dyn Fn(&Cell) -> bool| {
            let shape = voxel(name, cells, may_be_empty)?;
            let known = shapes.iter().position(|other| *other == shape);
            Ok(known.unwrap_or_else(|| {
                shapes.push(shape);
                shapes.len() - 1
            }))
        };
        let mut pieces = String::new();
        for (piece, [least, most]) in set.ranges().filter(|(piece, _)| piece.letter() != GAP) {
            let at = id(piece.name(), piece.cells(), &|_| false)?;
            let copies = match least == most {
                true => format!("count=\"{most}\""),
                false => format!("min=\"{least}\" max=\"{most}\""),
            };
            let _ = write!(pieces, "<shape id=\"{at}\" {copies}/>");
        }
        let (result, name) = (id(name, figure.cells(), &may_be_empty)?, xml_text(name));
        let _ = writeln!(
            problems,
            "<problem name=\"{name}\" state=\"0\"><shapes>{pieces}</shapes><result id=\"{result}\"/>\
             <bitmap/></problem>"
        );
    }
    let shapes = shapes.concat();
    Ok(format!(
        "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n<gridType type=\"0\"/>\n<colors/>\n\
         <shapes>\n{shapes}</shapes>\n<problems>\n{problems}</problems>\n<comment/>\n</puzzle>\n"
    ))
}

/// Formats `<voxel x="3" y="3" z="3" type="0" name="V">###…</voxel>`.
fn voxel(
    name: &str,
    cells: &[Cell],
    may_be_empty: &dyn Fn(&Cell) -> bool,
) -> Result<String, PuzzleFault> {
    let turn = Transform::from_number(HALF_TURN).unwrap_or(Transform::IDENTITY);
    let turned = Figure::from_distinct(cells.to_vec()).transformed(turn);
    // Turning moves the smallest coordinates to 0; the half turn leads back.
    let corner = Cell::min_corner(&cells.iter().map(|&cell| turn.apply(cell)).collect::<Vec<_>>());
    let sign_of = |cell: Cell| if may_be_empty(&turn.apply(cell + corner)) { '+' } else { '#' };
    let [width, depth, height] = turned.extents();
    let volume = [width, depth, height].map(u64::from).into_iter().fold(1, u64::saturating_mul);
    if volume > MAX_VOXELS {
        return Err(PuzzleFault::TooLarge { name: name.to_owned(), volume });
    }
    let mut text = format!(
        "<voxel x=\"{width}\" y=\"{depth}\" z=\"{height}\" type=\"0\" name=\"{}\">",
        xml_text(name)
    );
    for z in 0..height {
        for y in 0..depth {
            let sign = |x: u32| {
                let cell = Cell::from([x, y, z].map(|at| at as i32));
                if turned.cells().binary_search(&cell).is_ok() { sign_of(cell) } else { '_' }
            };
            text.extend((0..width).map(sign));
        }
    }
    Ok(text + "</voxel>\n")
}
