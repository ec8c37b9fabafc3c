//! The writer of figures as JSON.

use serde_json::json;
use somacat_geometry::figure::Figure;

/// Writes a figure as an object on one line, without a line end: `{"cells":[[0,0,0]],"name":"SOMA001"}`. `texts` are
/// the title, the credit and the note.
///
/// ```
/// use somacat_formats::json_line;
/// use somacat_geometry::figure::Figure;
///
/// let domino = Figure::of_box([2, 1, 1]).expect("two cells");
/// let line = json_line(Some("domino"), [None; 3], &domino);
/// assert_eq!(line, r#"{"cells":[[0,0,0],[1,0,0]],"name":"domino"}"#);
/// ```
pub fn json_line(name: Option<&str>, texts: [Option<&str>; 3], figure: &Figure) -> String {
    let [title, credit, note] = texts;
    let cells: Vec<[i32; 3]> = figure.cells().iter().map(|cell| cell.to_array()).collect();
    let mut object = json!({ "cells": cells });
    for (key, text) in [("name", name), ("title", title), ("credit", credit), ("note", note)] {
        if let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) {
            object[key] = text.into();
        }
    }
    object.to_string()
}
