//! Building instructions in words, for hands without eyes on a picture: where each piece of a packing goes.
//!
//! Layers are counted from the top, rows from the back, columns from the left, as SOMA text writes them. For example:
//!
//! ```text
//! Lay L flat, its long side from left to right: layer 3, row 1, columns 1 to 3; row 2, column 1.
//! ```
//!
//! The places alone determine the packing; how the piece lies says the same again for a hand that holds it.

use super::packing::{Building, Packing};
use somacat_formats::join_words;
use std::collections::BTreeMap;

/// The last line of the instructions.
pub const HOW_TO_COUNT: &str =
    "Layers are counted from the top, rows from the back, columns from the left.";

impl Packing {
    /// Returns a sentence for each piece, in building order.
    pub fn instructions(&self) -> Vec<String> {
        let low = |axis: usize| {
            let all = self.pieces.iter().flat_map(|(_, cells)| cells);
            all.map(|cell| cell.to_array()[axis]).min().unwrap_or(0)
        };
        let origin = [low(0), low(1), low(2)];
        let instruction = |&at: &usize| {
            let (name, cells) = &self.pieces[at];
            let cells: Vec<[i32; 3]> = cells
                .iter()
                .map(|cell| std::array::from_fn(|axis| cell.to_array()[axis] - origin[axis] + 1))
                .collect();
            format!("{}: {}.", position(*name, &cells), places(&cells))
        };
        self.order.iter().map(instruction).collect()
    }

    /// Returns what hands must know besides, if anything.
    pub fn warning(&self) -> Option<&'static str> {
        (self.building == Building::Interlocked)
            .then_some("In no order can all pieces be lowered from above.")
    }
}

/// Says how a piece lies: `Lay L flat, its long side from left to right`.
fn position(name: char, cells: &[[i32; 3]]) -> String {
    let extents: [i32; 3] = std::array::from_fn(|axis| {
        let values = || cells.iter().map(|cell| cell[axis]);
        values().max().unwrap_or(0) - values().min().unwrap_or(0) + 1
    });
    let [width, depth, _] = extents;
    let posture = match extents {
        [1, 1, 1] => format!("Put {name}"),
        [_, _, 1] => format!("Lay {name} flat"),
        _ if width == 1 || depth == 1 => format!("Stand {name} upright"),
        _ => format!("Put {name}"),
    };
    let longest = extents.into_iter().max().unwrap_or(0);
    let direction = match extents.map(|extent| extent == longest) {
        [true, false, false] => "from left to right",
        [false, true, false] => "from back to front",
        [false, false, true] if width * depth > 1 => "from top to bottom",
        _ => return posture,
    };
    format!("{posture}, its long side {direction}")
}

/// Lists the places of cells: `layer 3, row 1, columns 1 to 3; row 2, column 1`.
fn places(cells: &[[i32; 3]]) -> String {
    let mut rows: BTreeMap<(i32, i32), Vec<i32>> = BTreeMap::new();
    for &[column, row, layer] in cells {
        rows.entry((layer, row)).or_default().push(column);
    }
    let mut last_layer = None;
    let words = rows.into_iter().map(|((layer, row), mut columns)| {
        columns.sort_unstable();
        let new = last_layer.replace(layer) != Some(layer);
        let layer = if new { format!("layer {layer}, ") } else { String::new() };
        format!("{layer}row {row}, {}", columns_in_words(&columns))
    });
    words.collect::<Vec<_>>().join("; ")
}

/// Writes `column 2`, `columns 1 to 3`, `columns 1 and 3`.
fn columns_in_words(columns: &[i32]) -> String {
    match columns {
        [column] => format!("column {column}"),
        [first, .., last] if columns.len() > 2 && last - first + 1 == columns.len() as i32 => {
            format!("columns {first} to {last}")
        }
        _ => {
            let words: Vec<String> = columns.iter().map(ToString::to_string).collect();
            format!("columns {}", join_words(&words))
        }
    }
}
