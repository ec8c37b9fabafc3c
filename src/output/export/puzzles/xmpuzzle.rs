//! BurrTools `.xmpuzzle`: gzip-compressed XML with the pieces, the figures, and a problem for each.
//!
//! In BurrTools z points up, in SOMA text down. Figures and pieces get the same half turn about the x axis, so
//! nothing is mirrored. Voxels are `#` or `_`, x fastest, then y, then z.

use crate::xml::xml_text;
use flate2::{Compression, GzBuilder};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::PieceSet;
use std::fmt::Write as _;
use std::io::{self, Write};

/// T4 in Nungester's numbering: (x, -y, -z).
const HALF_TURN: u8 = 4;

/// The largest box of a figure, in cells.
pub const MAX_VOXELS: u64 = 1_000_000;

/// A figure whose box is too large. The format also stores empty cells.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the box of {name} has {volume} cells; the limit is {MAX_VOXELS}")]
pub struct TooLarge {
    pub name: String,
    pub volume: u64,
}

/// Writes a puzzle with a problem for each figure and set.
///
/// # Errors
/// If writing fails, or a figure's box is too large (with [`TooLarge`] inside).
pub fn write_xmpuzzle(
    figures: &[(String, Figure, PieceSet)],
    out: &mut impl Write,
) -> io::Result<()> {
    let xml = xml(figures).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    // No file name and no time, so that the same puzzle is the same bytes.
    let mut gzip = GzBuilder::new().mtime(0).write(out, Compression::best());
    gzip.write_all(xml.as_bytes())?;
    gzip.finish()?.flush()
}

fn xml(figures: &[(String, Figure, PieceSet)]) -> Result<String, TooLarge> {
    let mut shapes: Vec<String> = Vec::new();
    let mut problems = String::new();
    for (name, figure, set) in figures {
        let mut id = |name: &str, cells: &[Cell]| {
            let shape = voxel(name, cells)?;
            let known = shapes.iter().position(|other| *other == shape);
            Ok(known.unwrap_or_else(|| {
                shapes.push(shape);
                shapes.len() - 1
            }))
        };
        let mut pieces = String::new();
        for (piece, [least, most]) in set.ranges() {
            let at = id(piece.name(), piece.cells())?;
            let copies = match least == most {
                true => format!("count=\"{most}\""),
                false => format!("min=\"{least}\" max=\"{most}\""),
            };
            let _ = write!(pieces, "<shape id=\"{at}\" {copies}/>");
        }
        let (result, name) = (id(name, figure.cells())?, xml_text(name));
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
fn voxel(name: &str, cells: &[Cell]) -> Result<String, TooLarge> {
    let turn = Transform::from_number(HALF_TURN).unwrap_or(Transform::IDENTITY);
    let turned = Figure::from_distinct(cells.to_vec()).transformed(turn);
    let [width, depth, height] = turned.extents();
    let volume = [width, depth, height].map(u64::from).into_iter().fold(1, u64::saturating_mul);
    if volume > MAX_VOXELS {
        return Err(TooLarge { name: name.to_owned(), volume });
    }
    let mut text = format!(
        "<voxel x=\"{width}\" y=\"{depth}\" z=\"{height}\" type=\"0\" name=\"{}\">",
        xml_text(name)
    );
    for z in 0..height {
        for y in 0..depth {
            let filled = |x| {
                turned.cells().binary_search(&Cell::from([x, y, z].map(|at| at as i32))).is_ok()
            };
            let sign = |x| if filled(x) { '#' } else { '_' };
            text.extend((0..width).map(sign));
        }
    }
    Ok(text + "</voxel>\n")
}
