//! The complete picture: the drawing, plans of the layers where cells are hidden, and the caption.

use super::corner::Corner;
use super::glyph;
use super::layers::{FRONT, LABEL, exploded, plans, rows, tile_size};
use super::panel::{Panel, Pen, PicturePoint, push_number};
use super::scene::{Scene, SceneError};
use super::solid::{LETTER, picture_point, solid};
use super::surface::project;
use crate::xml::xml_text;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ViewKind {
    /// The whole, in isometric projection.
    #[default]
    Solid,
    /// Every layer by itself, in isometric projection.
    Exploded,
    /// Every layer as a plan.
    Layers,
}

/// The condition for plans of the layers next to a solid picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Plans {
    /// Plans if cells are hidden or the figure has separate parts. A picture does not show the distance of parts.
    #[default]
    WhenNeeded,
    Always,
    /// Never, as for thumbnails. [`Picture::hidden`] and the caption still give the number of hidden cells.
    Never,
}

#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The viewer's corner. By default the upper one from which the most cells are seen.
    pub corner: Option<Corner>,
    pub kind: ViewKind,
    /// The condition for plans next to it.
    pub plans: Plans,
    /// True to mark the front edge even without plans, as for words that speak of the front.
    pub front: bool,
    /// True to draw the caption. [`Picture::caption`] and the description always have it.
    pub caption: bool,
    /// The space for the picture on paper, in millimeters, if known. Plans have numbers of at least seven points there.
    /// Smaller numbers of copies are left out, and letters of pieces below five points.
    pub space: Option<[f64; 2]>,
    /// The longer side in pixels. By default the edge of a cell has 32 pixels (30 with `whole_pixels`), but the side at
    /// most 1600.
    pub size: Option<u32>,
    /// True to put every point on a whole pixel. This makes the files of plain figures a third smaller. Letters need
    /// fractions of pixels.
    pub whole_pixels: bool,
    /// The title, which is not drawn but read by screen readers.
    pub title: String,
    /// What the picture shows, as the beginning of the caption; may be empty.
    pub note: String,
}

impl Default for View {
    fn default() -> Self {
        Self {
            corner: None,
            kind: ViewKind::default(),
            plans: Plans::default(),
            front: false,
            caption: true,
            space: None,
            size: None,
            whole_pixels: false,
            title: String::new(),
            note: String::new(),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// An SVG file without scripts, fonts, ids or references. It can be embedded in HTML unchanged. The background
    /// is transparent, and everything is readable on white and on black.
    pub svg: String,
    pub width: f64,
    pub height: f64,
    /// The number of cells hidden from the corner; plans may show them.
    pub hidden: usize,
    /// Notes on hidden cells, layer arrangement and shortened gaps; may be empty.
    pub caption: String,
    /// True if plans of the layers accompany it.
    pub with_plans: bool,
}

/// Pixels for the edge of a cell unless a size is given.
const EDGE: f64 = 32.0;
/// The same for points on whole pixels: a rhombus is then 26 by 15 pixels, nearly exactly.
const WHOLE_EDGE: f64 = 30.0;
/// The longest side in pixels unless a size is given.
const LONGEST: f64 = 1600.0;
/// The margin around the picture, in edges.
pub(super) const MARGIN: f64 = 0.15;
/// The gap between tiles, in edges.
const GAP: f64 = 0.7;
/// The height of the caption's capitals and its least width, in edges.
const CAPTION: f64 = 0.27;
const NARROWEST: f64 = 8.0;

impl Picture {
    pub fn new(scene: &Scene, view: &View) -> Self {
        let (mut panel, hidden, with_plans) = drawing(scene, view);
        let caption = caption(scene, view, hidden, with_plans);
        if view.caption && !caption.is_empty() {
            let width = panel.size()[0].max(NARROWEST);
            let lines = glyph::wrap(&caption, width / CAPTION * glyph::CAP_HEIGHT);
            let mut text = Panel::new();
            for (at, line) in lines.iter().enumerate() {
                text.text(line, [0.0, at as f64 * 1.8 * CAPTION], CAPTION);
            }
            let mut whole = Panel::new();
            whole.place(&panel, [0.0, 0.0]);
            whole.place(&text, [0.0, panel.size()[1] + 1.6 * CAPTION]);
            panel = whole;
        }
        let measure = Measure::new(panel.size(), view);
        let elements = panel.elements(measure.unit, MARGIN, view.whole_pixels);
        let svg = svg(&elements, measure.size, measure.scale, view, &description(scene, &caption));
        let [width, height] = measure.scaled();
        Self { svg, width, height, hidden, caption, with_plans }
    }
}

pub(super) struct Measure {
    /// Pixels for the edge of a cell.
    pub(super) unit: f64,
    /// Width and height before scaling.
    pub(super) size: [f64; 2],
    /// The scale that gives the requested size.
    pub(super) scale: f64,
}

impl Measure {
    /// Returns the measure of a drawing, with margins. `size` is in edges.
    pub(super) fn new(size: PicturePoint, view: &View) -> Self {
        let size = size.map(|side| side + 2.0 * MARGIN);
        let longest = size[0].max(size[1]);
        let edge = if view.whole_pixels { WHOLE_EDGE } else { EDGE };
        let unit = edge.min(LONGEST / longest);
        let scale = view.size.map_or(1.0, |size| f64::from(size) / (longest * unit));
        Self { unit, size: size.map(|side| side * unit), scale }
    }

    pub(super) fn scaled(&self) -> [f64; 2] {
        self.size.map(|side| side * self.scale)
    }
}

/// Draws a line of text as SVG. Returns it with its size in pixels; `None` if nothing is visible, or if it has letters
/// that cannot be drawn.
pub(super) fn label(line: &str) -> Option<(String, [f64; 2])> {
    let mut panel = Panel::new();
    panel.text(line, [0.0, 0.0], 1.5 * CAPTION);
    let size = panel.size().map(|side| (side + 2.0 * MARGIN) * EDGE);
    let view = View { title: line.to_owned(), ..View::default() };
    let elements = panel.elements(EDGE, MARGIN, false);
    (panel.size()[0] > 0.0 && glyph::has_letters(line))
        .then(|| (svg(&elements, size, 1.0, &view, ""), size))
}

pub fn figure_svg(figure: &Figure, view: &View) -> String {
    Picture::new(&Scene::of_figure(figure), view).svg
}

/// Draws a packing as SVG. Pieces are given by name and cells in the figure's coordinates.
pub fn packing_svg(
    figure: &Figure,
    packing: &[(char, Vec<Cell>)],
    view: &View,
) -> Result<String, SceneError> {
    Ok(Picture::new(&Scene::of_packing(figure, packing)?, view).svg)
}

/// Returns the picture without its caption. Also returns the number of hidden cells, and whether the picture
/// contains plans.
fn drawing(scene: &Scene, view: &View) -> (Panel, usize, bool) {
    match view.kind {
        ViewKind::Layers => (arrange(&plans(scene, LABEL), RATIO), 0, true),
        ViewKind::Exploded => {
            let tiles = exploded(scene, scene.corner(view.corner));
            // A few layers are drawn above each other.
            let panel = if tiles.len() <= 4 { rows(&tiles, 1, GAP) } else { arrange(&tiles, 1.2) };
            (panel, 0, false)
        }
        ViewKind::Solid => solid_with_plans(scene, view),
    }
}

/// Draws the whole in isometric projection, and plans if they are wanted. Plans are turned to the viewer: the edge that
/// is in front in the picture is the lower one of each plan, and bold in both.
fn solid_with_plans(scene: &Scene, view: &View) -> (Panel, usize, bool) {
    let corner = scene.corner(view.corner);
    let mut scene = scene.turned(corner);
    let corner = Corner { above: corner.above, ..Corner::default() };
    let (mut panel, hidden) = solid(&scene, &scene.cells, corner);
    let seven_points = height_of_seven_points(&panel, view);
    if scene.is_numbered() && LETTER / 2.0 < seven_points {
        scene = scene.without_numbers();
        panel = solid(&scene, &scene.cells, corner).0;
    }
    if LETTER < seven_points * LETTER_POINTS / 7.0 {
        panel.remove_letters();
    }
    let with_plans = match view.plans {
        Plans::WhenNeeded => hidden > 0 || scene.parts > 1,
        Plans::Always => true,
        Plans::Never => false,
    };
    if with_plans || view.front {
        mark_front(&mut panel, &scene, corner);
    }
    if with_plans {
        panel = with_readable_plans(&panel, &scene, view);
    }
    (panel, hidden, with_plans)
}

/// Draws a bold line along the edge of the scene's box that is in front: to the left below, and above if the scene is
/// seen from below.
fn mark_front(panel: &mut Panel, scene: &Scene, corner: Corner) {
    let [width, depth, layers] = scene.extents();
    let z = if corner.above { layers } else { 0 };
    let point = |x, y| picture_point(project([x, y, z], corner));
    let [origin, outwards] = [point(0, 0), point(0, 1)];
    let ends = [point(0, depth), point(width, depth)].map(|end| {
        let moved = |axis: usize| end[axis] + 2.0 * FRONT * (outwards[axis] - origin[axis]);
        [moved(0), moved(1)]
    });
    panel.line(Pen::Front, ends.to_vec());
}

/// The height of seven-point digits, in millimeters.
const SEVEN_POINTS: f64 = 1.73;
/// The size in points of the smallest letters of pieces that are drawn.
const LETTER_POINTS: f64 = 5.0;

/// Returns the height of seven-point digits on paper, in edges. It is 0 if the space is unknown.
fn height_of_seven_points(panel: &Panel, view: &View) -> f64 {
    let [across, down] = view.space.unwrap_or([f64::INFINITY; 2]);
    let [width, depth] = panel.size().map(|side| side + 2.0 * MARGIN);
    SEVEN_POINTS * (width / across).max(depth / down)
}

/// Adds plans with numbers that are readable in the space on paper. Larger numbers make the picture larger, so their
/// height is found step by step.
fn with_readable_plans(drawing: &Panel, scene: &Scene, view: &View) -> Panel {
    let ratio = view.space.map_or(RATIO, |[across, down]| across / down);
    let mut height = LABEL;
    loop {
        let panel = place_next_to(drawing, &plans(scene, height), ratio);
        let needed = height_of_seven_points(&panel, view);
        // Far too many plans for the space stay small.
        if needed <= height || height > 4.0 * LABEL {
            return panel;
        }
        height = 1.02 * needed;
    }
}

/// Arranges tiles in columns to approximate a ratio of width to height.
fn arrange(tiles: &[Panel], ratio: f64) -> Panel {
    let [width, height] = tile_size(tiles).map(|side| side + GAP);
    let layout_penalty = |columns: usize| {
        let lines = tiles.len().div_ceil(columns) as f64;
        (columns as f64 * width / (lines * height) / ratio).ln().abs()
            + incomplete_row_penalty(tiles.len(), columns)
    };
    let best = (1..=tiles.len()).min_by(|&a, &b| layout_penalty(a).total_cmp(&layout_penalty(b)));
    rows(tiles, best.expect("a scene has layers"), GAP)
}

const fn incomplete_row_penalty(tiles: usize, columns: usize) -> f64 {
    if tiles > columns && !tiles.is_multiple_of(columns) { 0.3 } else { 0.0 }
}

/// The default ratio of width to height of a picture with plans. A picture for a space on paper has the ratio of the
/// space.
const RATIO: f64 = 1.6;

/// Places tiles to the right of a drawing or below it, centered. The number of columns approximates a ratio of width to
/// height.
fn place_next_to(drawing: &Panel, tiles: &[Panel], ratio: f64) -> Panel {
    let [width, height] = drawing.size();
    let [tile_width, tile_height] = tile_size(tiles);
    let extent = |number: usize, side: f64| number as f64 * (side + GAP) - GAP;
    let layout_penalty = |&(columns, below): &(usize, bool)| {
        let across = extent(columns, tile_width);
        let down = extent(tiles.len().div_ceil(columns), tile_height);
        let (w, h) = if below {
            (width.max(across), height + GAP + down)
        } else {
            (width + GAP + across, height.max(down))
        };
        (w / h / ratio).ln().abs() + incomplete_row_penalty(tiles.len(), columns)
    };
    let layouts = (1..=tiles.len()).flat_map(|columns| [(columns, false), (columns, true)]);
    let best = layouts.min_by(|a, b| layout_penalty(a).total_cmp(&layout_penalty(b)));
    let (columns, below) = best.expect("a scene has layers");
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
    parts.extend((!view.note.is_empty()).then(|| view.note.clone()));
    let corner = scene.corner(view.corner);
    if view.kind != ViewKind::Layers && corner != Corner::default() {
        parts.push(format!("Seen from {corner}."));
    }
    if hidden > 0 {
        let are = if hidden == 1 { "is" } else { "are" };
        parts.push(format!(
            "{hidden} of {} cells {are} hidden from this corner.",
            scene.cells.len()
        ));
    }
    if with_plans {
        let front = match view.kind {
            ViewKind::Layers => "the front is the bold edge",
            _ => "the bold edge is the one in the picture",
        };
        parts.push(format!("Plans: layers from top to bottom; {front}."));
    } else if view.kind == ViewKind::Exploded {
        parts.push("Layers from top to bottom.".to_owned());
    }
    parts.extend(scene.gaps_in_words());
    parts.join(" ")
}

/// Describes the picture for people who cannot see it.
pub(super) fn description(scene: &Scene, caption: &str) -> String {
    let number = scene.cells.len();
    let mut text = format!("{number} cell{}", if number == 1 { "" } else { "s" });
    if scene.has_marks {
        // Several weights may have one sign.
        let mut marked: BTreeMap<char, usize> = BTreeMap::new();
        for label in scene.cells.values().filter_map(|at| scene.label(*at)) {
            *marked.entry(label.name).or_default() += 1;
        }
        for (sign, cells) in marked {
            let _ = write!(text, ", {cells} marked {sign}");
        }
    } else if !scene.pieces.is_empty() {
        let names: Vec<String> = scene.pieces.iter().map(|piece| piece.name.to_string()).collect();
        let _ = write!(text, ", pieces {}", names.join(" "));
    }
    text.push('.');
    if !caption.is_empty() {
        text = format!("{text} {caption}");
    }
    text
}

/// Writes the file. `elements` are its shapes, and the size is in pixels before scaling.
pub(super) fn svg(
    elements: &str,
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
         role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n{elements}</svg>\n",
        number(width * scale),
        number(height * scale),
        number(width),
        number(height),
        xml_text(title),
        xml_text(description),
    )
}
