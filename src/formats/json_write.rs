//! The writer of figures as JSON.

use serde_json::json;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;

/// Writes a figure as an object on one line, without a line end: `{"cells":[[0,0,0]],"name":"SOMA001"}`. `texts` are
/// the title, the credit and the note. The pieces of a packing are written too, as `solve --json` does.
///
/// ```
/// use somacat_formats::json_line;
/// use somacat_geometry::figure::Figure;
///
/// let domino = Figure::of_box([2, 1, 1]).expect("two cells");
/// let line = json_line(Some("domino"), [None; 3], &domino, &[]);
/// assert_eq!(line, r#"{"cells":[[0,0,0],[1,0,0]],"name":"domino"}"#);
/// ```
pub fn json_line(
    name: Option<&str>,
    texts: [Option<&str>; 3],
    figure: &Figure,
    packing: &[(char, Vec<Cell>)],
) -> String {
    let [title, credit, note] = texts;
    let triples = |cells: &[Cell]| cells.iter().map(|cell| cell.to_array()).collect::<Vec<_>>();
    let mut object = json!({ "cells": triples(figure.cells()) });
    if !packing.is_empty() {
        let piece = |(letter, cells): &(char, Vec<Cell>)| json!({ "piece": letter.to_string(), "cells": triples(cells) });
        object["pieces"] = packing.iter().map(piece).collect();
    }
    for (key, text) in [("name", name), ("title", title), ("credit", credit), ("note", note)] {
        if let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) {
            object[key] = text.into();
        }
    }
    object.to_string()
}
