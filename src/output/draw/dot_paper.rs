//! Isometric dot paper: a page of dots in a triangular grid, for drawing figures by hand.

use super::color::INK;
use super::panel::push_number;
use std::fmt::Write;

/// The margin of the page, in millimeters.
const MARGIN: f64 = 10.0;

/// Returns a page of a size in millimeters as SVG. Dots are `edge` millimeters apart, in upright columns. The grid is
/// centered.
pub fn dot_paper([width, height]: [f64; 2], edge: f64) -> String {
    let across = edge * 3.0_f64.sqrt() / 2.0;
    let columns = ((width - 2.0 * MARGIN) / across) as usize;
    let rows = ((height - 2.0 * MARGIN) / edge) as usize;
    let left = (width - columns as f64 * across) / 2.0;
    let top = (height - rows as f64 * edge) / 2.0;
    let mut dots = String::new();
    for column in 0..=columns {
        // Every second column is half an edge lower, with a dot less.
        let lower = column % 2;
        for row in 0..=rows - lower {
            dots.push('M');
            push_number(&mut dots, left + column as f64 * across);
            dots.push(' ');
            push_number(&mut dots, top + (row as f64 + lower as f64 / 2.0) * edge);
            dots.push_str("h0");
        }
    }
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>Isometric dot paper</title>\n\
         <path fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.5\" stroke-linecap=\"round\" d=\"{dots}\"/>\n</svg>"
    );
    svg
}
