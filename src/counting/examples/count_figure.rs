//! Counts the ways to build a figure from the seven pieces of SOMA, and shows one of them.
//!
//! `cargo run -p somacat-counting --example count_figure` prints
//!
//! ```text
//! 11520 packings, 480 up to rotation, 240 up to rotation and reflection
//! PPL PAL AAL
//! PBL ZAV ZVV
//! ZBB ZTB TTT
//! ```
//!
//! The rows are layers from back to front, next to each other from top to bottom. An argument names another figure:
//! `s1-2x2x7-yzzzz7` is a wall.

use somacat_counting::solve::{Limits, Problem, count, first};
use somacat_geometry::figure::Signature;
use somacat_geometry::pieces::PieceSet;
use std::error::Error;
use std::fmt::Write as _;

fn main() -> Result<(), Box<dyn Error>> {
    let cube = "s1-3x3x3-zzzzz3".to_owned();
    print!("{}", answer(&std::env::args().nth(1).unwrap_or(cube))?);
    Ok(())
}

/// Returns the counts of a figure's packings, and the layers of one.
pub fn answer(signature: &str) -> Result<String, Box<dyn Error>> {
    let figure = signature.parse::<Signature>()?.figure()?;
    let soma = PieceSet::soma(1);
    let problem = Problem::new(&figure, &soma);
    let outcome = count(&problem, Limits::default())?.outcome;
    let counts = outcome.counts().ok_or("a count without limits is exact")?;
    let mut text = format!(
        "{} packings, {} up to rotation, {} up to rotation and reflection\n",
        counts.raw, counts.rotation, counts.unique
    );
    let (packing, _) = first(&problem, Limits::default())?;
    let [width, depth, height] = figure.extents().map(|extent| extent as usize);
    let mut rows = vec![vec![vec!['.'; width]; height]; depth];
    for placed in packing.unwrap_or_default() {
        for cell in placed.cells {
            let letter = soma.pieces()[placed.piece].0.letter();
            rows[cell.y as usize][cell.z as usize][cell.x as usize] = letter;
        }
    }
    for row in rows {
        let layers: Vec<String> = row.into_iter().map(String::from_iter).collect();
        writeln!(text, "{}", layers.join(" "))?;
    }
    Ok(text)
}
