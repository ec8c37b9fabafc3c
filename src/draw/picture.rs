//! The finished picture: drawing, plans of the layers where cells are hidden, caption.

use super::corner::Corner;
use super::glyph;
use super::layers::{exploded, plans, rows, tile_size};
use super::panel::{Panel, push_number};
use super::scene::{Scene, SceneError, WIDEST_GAP};
use super::solid::solid;
use crate::figure::Figure;
use crate::formats::xml_text;
use crate::lattice::Cell;
use std::fmt::Write;

/// How a scene is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// As it stands, in isometric projection.
    #[default]
    Solid,
    /// Every layer by itself, in isometric projection.
    Exploded,
    /// Every layer as a plan.
    Layers,
}

/// When the plans of the layers are drawn beside a solid picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Plans {
    /// If cells are hidden, or separate parts leave open how they lie to each other.
    #[default]
    WhenNeeded,
    /// Always.
    Always,
    /// Never: for thumbnails. [`Picture::hidden`] still tells, and so does the caption.
    Never,
}

/// How to look at a scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Where the viewer stands.
    pub corner: Corner,
    /// What is drawn.
    pub kind: Kind,
    /// Whether plans are drawn beside.
    pub plans: Plans,
    /// Draw the caption into the picture; else it is only in [`Picture::caption`] and the description.
    pub caption: bool,
    /// The longer side in pixels; if not given, 32 pixels for an edge, and at most 1600 in all.
    pub size: Option<u32>,
    /// Put every point on a whole pixel, which makes the file a third smaller: for plain figures on many pages.
    /// Letters need fractions of pixels.
    pub whole_pixels: bool,
    /// What the picture is called; not drawn, but read out by screen readers.
    pub title: String,
}

impl Default for View {
    fn default() -> Self {
        Self {
            corner: Corner::default(),
            kind: Kind::default(),
            plans: Plans::default(),
            caption: true,
            size: None,
            whole_pixels: false,
            title: String::new(),
        }
    }
}

/// A picture and what has to be said about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// A whole SVG file: self-contained, without scripts, fonts, ids or references, fit to be put into
    /// HTML as it is. The background is transparent; everything is readable on white and on black.
    pub svg: String,
    /// Pixels from left to right.
    pub width: f64,
    /// Pixels from top to bottom.
    pub height: f64,
    /// The number of cells of which nothing is to be seen from the corner; plans may show them.
    pub hidden: usize,
    /// What a reader has to know: hidden cells, how the layers lie, shortened gaps. May be empty.
    pub caption: String,
}

/// Pixels for an edge unless a size is asked for.
const EDGE: f64 = 32.0;
/// The same where points are whole pixels: a rhombus is then 26 by 15 pixels, nearly exactly.
const WHOLE_EDGE: f64 = 30.0;
/// The longest side in pixels unless a size is asked for.
const LONGEST: f64 = 1600.0;
/// Around the picture, in edges.
const MARGIN: f64 = 0.15;
/// Between tiles, in edges.
const GAP: f64 = 0.7;
/// The height of the caption's capitals, in edges, and the least width it is wrapped to.
const CAPTION: f64 = 0.27;
const NARROWEST: f64 = 8.0;

impl Picture {
    /// Draws a scene.
    #[must_use]
    pub fn new(scene: &Scene, view: &View) -> Self {
        let (mut panel, hidden, with_plans) = drawing(scene, view);
        let caption = caption(scene, view, hidden, with_plans);
        if view.caption && !caption.is_empty() {
            let width = panel.size()[0].max(NARROWEST);
            let lines = glyph::wrapped(&caption, width / CAPTION * glyph::CAP_HEIGHT);
            let mut text = Panel::new();
            for (at, line) in lines.iter().enumerate() {
                text.text(line, [0.0, at as f64 * 1.8 * CAPTION], CAPTION);
            }
            let mut whole = Panel::new();
            whole.place(&panel, [0.0, 0.0]);
            whole.place(&text, [0.0, panel.size()[1] + 1.6 * CAPTION]);
            panel = whole;
        }
        let [width, height] = panel.size().map(|side| side + 2.0 * MARGIN);
        let longest = width.max(height);
        let edge = if view.whole_pixels { WHOLE_EDGE } else { EDGE };
        let unit = edge.min(LONGEST / longest);
        let scale = view.size.map_or(1.0, |size| f64::from(size) / (longest * unit));
        let (width, height) = (width * unit, height * unit);
        let svg = svg(&panel, unit, [width, height], scale, view, &described(scene, &caption));
        Self { svg, width: width * scale, height: height * scale, hidden, caption }
    }
}

/// A figure as SVG.
#[must_use]
pub fn figure_svg(figure: &Figure, view: &View) -> String {
    Picture::new(&Scene::of_figure(figure), view).svg
}

/// A packing as SVG: pieces by name, each with its cells in the figure's coordinates.
///
/// # Errors
/// If a piece lies outside the figure or two overlap.
pub fn packing_svg(
    figure: &Figure,
    packing: &[(char, Vec<Cell>)],
    view: &View,
) -> Result<String, SceneError> {
    Ok(Picture::new(&Scene::of_packing(figure, packing)?, view).svg)
}

/// The plans of the layers of a figure as SVG, with its pieces if any are given.
///
/// # Errors
/// If a piece lies outside the figure or two overlap.
pub fn layers_svg(
    figure: &Figure,
    packing: &[(char, Vec<Cell>)],
    view: &View,
) -> Result<String, SceneError> {
    packing_svg(figure, packing, &View { kind: Kind::Layers, ..view.clone() })
}

/// What is drawn above the caption, the number of hidden cells, and whether plans are part of it.
fn drawing(scene: &Scene, view: &View) -> (Panel, usize, bool) {
    match view.kind {
        Kind::Layers => (arranged(&plans(scene), 1.6), 0, true),
        Kind::Exploded => {
            let tiles = exploded(scene, view.corner);
            // A few layers stand above each other, as they are taken off.
            let panel = if tiles.len() <= 4 { rows(&tiles, 1, GAP) } else { arranged(&tiles, 1.2) };
            (panel, 0, false)
        }
        Kind::Solid => {
            let (panel, hidden) = solid(scene, &scene.cells, view.corner);
            let with_plans = match view.plans {
                Plans::WhenNeeded => hidden > 0 || scene.parts > 1,
                Plans::Always => true,
                Plans::Never => false,
            };
            let panel = if with_plans { beside(&panel, &plans(scene)) } else { panel };
            (panel, hidden, with_plans)
        }
    }
}

/// Tiles in rows, in as many columns as come nearest to a ratio of width to height.
fn arranged(tiles: &[Panel], ratio: f64) -> Panel {
    let [width, height] = tile_size(tiles).map(|side| side + GAP);
    let badness = |columns: usize| {
        let lines = tiles.len().div_ceil(columns) as f64;
        (columns as f64 * width / (lines * height) / ratio).ln().abs()
            + ragged(tiles.len(), columns)
    };
    let best = (1..=tiles.len()).min_by(|&a, &b| badness(a).total_cmp(&badness(b)));
    rows(tiles, best.unwrap_or(1), GAP)
}

/// What a last row that is not full weighs against a better ratio.
const fn ragged(tiles: usize, columns: usize) -> f64 {
    if tiles > columns && !tiles.is_multiple_of(columns) { 0.3 } else { 0.0 }
}

/// A drawing with tiles at its right or below it, in as many columns as come nearest to the ratio of a
/// page; each in the middle of the other.
fn beside(drawing: &Panel, tiles: &[Panel]) -> Panel {
    const RATIO: f64 = 1.6;
    let [width, height] = drawing.size();
    let [tile_width, tile_height] = tile_size(tiles);
    let extent = |number: usize, side: f64| number as f64 * (side + GAP) - GAP;
    let badness = |&(columns, below): &(usize, bool)| {
        let across = extent(columns, tile_width);
        let down = extent(tiles.len().div_ceil(columns), tile_height);
        let (w, h) = if below {
            (width.max(across), height + GAP + down)
        } else {
            (width + GAP + across, height.max(down))
        };
        (w / h / RATIO).ln().abs() + ragged(tiles.len(), columns)
    };
    let layouts = (1..=tiles.len()).flat_map(|columns| [(columns, false), (columns, true)]);
    let best = layouts.min_by(|a, b| badness(a).total_cmp(&badness(b)));
    let (columns, below) = best.unwrap_or((1, false));
    let tiles = rows(tiles, columns, GAP);
    let [across, down] = tiles.size();
    let mut whole = Panel::new();
    if below {
        let room = width.max(across);
        whole.place(drawing, [(room - width) / 2.0, 0.0]);
        whole.place(&tiles, [(room - across) / 2.0, height + GAP]);
    } else {
        let room = height.max(down);
        whole.place(drawing, [0.0, (room - height) / 2.0]);
        whole.place(&tiles, [width + 1.5 * GAP, (room - down) / 2.0]);
    }
    whole
}

fn caption(scene: &Scene, view: &View, hidden: usize, with_plans: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    if view.kind != Kind::Layers && view.corner != Corner::default() {
        parts.push(format!("Seen from {}.", view.corner));
    }
    if hidden > 0 {
        let are = if hidden == 1 { "cell is" } else { "cells are" };
        parts.push(format!("{hidden} of {} {are} hidden from this corner.", scene.cells.len()));
    }
    if with_plans {
        parts.push("Plans: layers from top to bottom, back of the figure upwards.".to_owned());
    } else if view.kind == Kind::Exploded {
        parts.push("Layers from top to bottom.".to_owned());
    }
    let ways = ["left to right", "back to front", "top to bottom"];
    let gaps: Vec<String> = ways
        .iter()
        .zip(scene.shortened)
        .filter_map(|(way, gap)| Some(format!("up to {} cells {way}", gap?)))
        .collect();
    if !gaps.is_empty() {
        parts.push(format!("Wide gaps ({}) are drawn as {WIDEST_GAP}.", gaps.join(", ")));
    }
    parts.join(" ")
}

/// What is to be seen, for those who do not see it.
fn described(scene: &Scene, caption: &str) -> String {
    let number = scene.cells.len();
    let mut text = format!("{number} cell{}", if number == 1 { "" } else { "s" });
    if scene.has_pieces() {
        let names: Vec<String> = scene.pieces.iter().map(|piece| piece.name.to_string()).collect();
        let _ = write!(text, ", pieces {}", names.join(" "));
    }
    text.push('.');
    if !caption.is_empty() {
        text = format!("{text} {caption}");
    }
    text
}

fn svg(
    panel: &Panel,
    unit: f64,
    [width, height]: [f64; 2],
    scale: f64,
    view: &View,
    description: &str,
) -> String {
    let number = |value: f64| {
        let mut text = String::new();
        push_number(&mut text, value);
        text
    };
    let title = if view.title.is_empty() { "A figure of cubes" } else { &view.title };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" \
         role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n{}</svg>\n",
        number(width * scale),
        number(height * scale),
        number(width),
        number(height),
        xml_text(title),
        xml_text(description),
        panel.elements(unit, MARGIN, view.whole_pixels)
    )
}
