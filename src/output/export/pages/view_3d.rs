//! Figures and packings in 3D for notebooks. The frame needs no further files.

use super::templates::script_json;
use minijinja::HtmlEscape;
use somacat_geometry::lattice::Cell;

const SCRIPTS: &str = concat!(
    include_str!("../site/picture.js"),
    include_str!("../site/scene.js"),
    include_str!("../site/view.js"),
    include_str!("../site/view_3d.js"),
);

/// Returns HTML that shows bodies in 3D. The mouse, a finger or keys turn them. Each body has the letter of its piece,
/// or a space for none, and its cells.
pub fn view_frame(bodies: &[(char, Vec<Cell>)]) -> String {
    let bodies: Vec<(char, Vec<[i32; 3]>)> = bodies
        .iter()
        .map(|(piece, cells)| (*piece, cells.iter().map(|cell| cell.to_array()).collect()))
        .collect();
    let bodies = script_json(&bodies).expect("letters and numbers are valid JSON");
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><style>html, body, #stage, #picture, svg {{ width: 100%; height: 100%; \
         margin: 0; overflow: hidden; touch-action: pinch-zoom }}</style><canvas id=\"stage\" tabindex=\"0\" role=\"img\" \
         aria-label=\"3D view: drag, or use the arrow keys, to turn\"></canvas><div id=\"picture\"></div>\
         <script>const BODIES = {bodies};\n{SCRIPTS}</script>"
    );
    format!(
        "<iframe title=\"3D view\" sandbox=\"allow-scripts\" width=\"480\" height=\"360\" style=\"border: 0\" \
         srcdoc=\"{}\"></iframe>",
        HtmlEscape(&page)
    )
}
