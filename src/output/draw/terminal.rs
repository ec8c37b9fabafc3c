//! An isometric picture in characters for a terminal.
//!
//! A character is two pixels, one above the other: a half block with colors, a sign for each side of a cell without.
//! Cells without pieces are checkered, so they can be counted.

use super::color::{FaceSide, Rgb, darker, piece_color, rgb_of_256, shade, terminal_color};
use super::corner::Corner;
use super::scene::Scene;
use super::surface::{Face, Point, Surface};
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminalColors {
    /// No colors: signs distinguish the sides of cells, but not the pieces.
    Plain,
    /// The 256 colors of nearly every terminal.
    Ansi256,
    /// 24-bit color.
    True,
}

/// The pixels of half a rhombus, from the largest: columns across, and rows for half an edge.
const SCALES: [(i64, i64); 2] = [(4, 2), (2, 1)];

/// Draws a scene from a corner within the given columns and rows. Also returns the number of hidden cells. `None` if
/// it does not fit.
pub fn terminal(
    scene: &Scene,
    corner: Corner,
    [columns, rows]: [usize; 2],
    colors: TerminalColors,
) -> Option<(String, usize)> {
    let surface = Surface::new(&scene.cells, corner);
    let painted = surface.faces.iter().map(|face| (face, pixel(scene, face, colors)));
    let painted: Vec<(&Face, String)> = painted.collect();
    let seen: BTreeMap<Point, &(&Face, String)> =
        painted.iter().flat_map(|face| face.0.seen.iter().map(move |&t| (t, face))).collect();
    let left = seen.keys().map(|(a, _)| *a).min()?;
    let right = seen.keys().map(|(a, _)| a + 1).max()?;
    let top = seen.keys().map(|(_, b)| b - 1).min()?;
    let bottom = seen.keys().map(|(_, b)| b + 1).max()?;
    let [columns, rows] = [columns, rows].map(|room| i64::try_from(room).unwrap_or(i64::MAX));
    let has_room = |(across, down): &(i64, i64)| {
        (right - left) * across <= columns && ((bottom - top) * down + 1) / 2 <= rows
    };
    let (across, down) = SCALES.into_iter().find(has_room)?;
    let face_at = |x: i64, y: i64| {
        let a = left + x.div_euclid(across);
        let along = (x.rem_euclid(across) as f64 + 0.5) / across as f64;
        let height = (y as f64 + 0.5) / down as f64 + top as f64;
        let b = height.floor() as i64;
        let beyond = height - b as f64;
        // Of the two triangles at this height, the one that is wide enough here.
        let reach = if (a + b) % 2 == 0 { along } else { 1.0 - along };
        seen.get(&(a, if beyond <= reach { b } else { b + 1 })).copied()
    };
    let color_at = |x, y| face_at(x, y).map(|(_, color)| color.as_str());
    let mut picture = String::new();
    let mut y = 0;
    while y < (bottom - top) * down {
        let mut line = String::new();
        for x in 0..(right - left) * across {
            if colors == TerminalColors::Plain {
                let face = face_at(x, y).or_else(|| face_at(x, y + 1));
                line.push(face.map_or(' ', |(face, _)| sign(face)));
            } else {
                half_blocks(&mut line, color_at(x, y), color_at(x, y + 1));
            }
        }
        picture += line.trim_end();
        if colors != TerminalColors::Plain {
            picture += "\x1b[0m";
        }
        picture.push('\n');
        y += 2;
    }
    if let Some(gaps) = scene.gaps_in_words() {
        picture += &format!("{gaps}\n");
    }
    Some((picture, surface.hidden.len()))
}

/// Returns the sign of a face, which depends on the cell's color.
fn sign(face: &Face) -> char {
    match (face.side, face.cell.is_black()) {
        (FaceSide::Top, true) => '.',
        (FaceSide::Top, false) => '-',
        (FaceSide::Left, true) => '+',
        (FaceSide::Left, false) => 'x',
        (FaceSide::Right | FaceSide::Bottom, true) => '#',
        (FaceSide::Right | FaceSide::Bottom, false) => '%',
    }
}

/// Returns the escape sequence's parameters for the color of a face. Without pieces, white cells are a little darker;
/// with pieces, further copies are.
fn pixel(scene: &Scene, face: &Face, colors: TerminalColors) -> String {
    let label = scene.label(scene.cells[&face.cell]);
    let (name, black) = (label.map(|label| label.name), face.cell.is_black());
    if colors == TerminalColors::True {
        let percent = if label.is_some() || black { 100 } else { 88 };
        let [r, g, b] =
            shade(piece_color(label), face.side).map(|v| (u32::from(v) * percent / 100) as u8);
        return format!("2;{r};{g};{b}");
    }
    let color = terminal_color(name, face.side, black);
    let color = match label.map_or(0, |label| label.copy) {
        0 | 1 => color,
        copy => nearest_of_256(darker(rgb_of_256(color), copy)),
    };
    format!("5;{color}")
}

fn half_blocks(line: &mut String, up: Option<&str>, below: Option<&str>) {
    let (ink, ground, sign) = match (up, below) {
        (None, None) => (None, None, ' '),
        (None, below) => (below, None, '▄'),
        (up, None) => (up, None, '▀'),
        (up, below) if up == below => (None, up, ' '),
        (up, below) => (up, below, '▀'),
    };
    line.push_str("\x1b[0");
    for (layer, color) in [(38, ink), (48, ground)] {
        if let Some(color) = color {
            let _ = write!(line, ";{layer};{color}");
        }
    }
    line.push('m');
    line.push(sign);
}

/// Returns the nearest of the 256 colors above the first sixteen.
fn nearest_of_256(color: Rgb) -> u8 {
    let distance = |at: &u8| -> i32 {
        let difference = |(a, b): (u8, u8)| (i32::from(a) - i32::from(b)).pow(2);
        rgb_of_256(*at).into_iter().zip(color).map(difference).sum()
    };
    (16..=255).min_by_key(distance).expect("there are 240 colors")
}
