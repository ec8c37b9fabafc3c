//! An animated picture: a packing, built piece by piece.

use super::layers::reserve_box;
use super::picture::{MARGIN, Measure, Picture, View, description, svg};
use super::scene::{Scene, SceneError};
use super::solid::solid;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Seconds for each stage, and for the complete figure.
const STAGE: f64 = 1.2;
const COMPLETE: f64 = 3.6;

/// Draws the stages of building a figure as an animated SVG file. The animation, in CSS, shows one stage after the
/// other. Programs without animations, and readers who prefer reduced motion, see the complete figure. Pieces come in
/// building order.
pub fn building(
    figure: &Figure,
    pieces: &[(char, Vec<Cell>)],
    view: &View,
) -> Result<Picture, SceneError> {
    let scene = Scene::of_packing(figure, pieces)?;
    let corner = scene.corner(view.corner);
    let stage = |number: usize| {
        let placed: BTreeMap<Cell, Option<usize>> = (scene.cells.iter())
            .filter(|(_, piece)| piece.is_some_and(|at| at < number))
            .map(|(cell, piece)| (*cell, *piece))
            .collect();
        let (mut panel, hidden) = solid(&scene, &placed, corner);
        // Every stage takes the space of the complete figure.
        reserve_box(&mut panel, [0; 3], scene.extents(), corner);
        (panel, hidden)
    };
    let (complete, hidden) = stage(pieces.len());
    let measure = Measure::new(complete.size(), view);
    let total = STAGE * (pieces.len() as f64 - 1.0) + COMPLETE;
    let percent = |seconds: f64| format!("{:.3}%", 100.0 * seconds / total);
    // Stages begin one after the other. Until then they are at the hidden end of their cycle.
    let mut elements = format!(
        "<style>@media (prefers-reduced-motion:no-preference){{.stage{{animation:stage {total:.1}s step-end infinite}}\
         .complete{{animation-name:complete}}}}\
         @keyframes stage{{0%{{visibility:visible}}{}{{visibility:hidden}}}}\
         @keyframes complete{{0%{{visibility:visible}}{}{{visibility:hidden}}}}</style>\n",
        percent(STAGE),
        percent(COMPLETE)
    );
    for number in 1..=pieces.len() {
        let (class, hidden) = if number == pieces.len() {
            ("stage complete", "")
        } else {
            ("stage", " visibility=\"hidden\"")
        };
        let delay = STAGE * (number as f64 - 1.0) - total;
        let shapes = stage(number).0.elements(measure.unit, MARGIN, view.whole_pixels);
        let _ = writeln!(
            elements,
            "<g class=\"{class}\" style=\"animation-delay:{delay:.1}s\"{hidden}>\n{shapes}</g>"
        );
    }
    let order: Vec<String> = pieces.iter().map(|(name, _)| name.to_string()).collect();
    let caption = format!("Built in the order {}.", order.join(" "));
    let svg = svg(&elements, measure.size, measure.scale, view, &description(&scene, &caption));
    let [width, height] = measure.scaled();
    Ok(Picture { svg, width, height, hidden, caption, with_plans: false })
}
