//! A part of a picture: filled areas and lines. Panels are combined into larger ones and written as SVG. The areas
//! of a panel do not overlap, so everything of one style becomes one path.

use super::color::{INK, LINE, Rgb, hex};
use super::glyph;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A point; the unit is the edge of a cell.
pub(super) type PicturePoint = [f64; 2];

/// The style of a line; in the order of drawing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Pen {
    /// Between cells.
    Inner,
    /// Around pieces.
    Outline,
    /// Letters on light cells.
    Black,
    /// Letters on dark cells.
    White,
    /// Text next to the figure.
    Ink,
    /// Empty squares of a plan.
    Dot,
    /// The same edge of a picture and of its plans: the one in front.
    Front,
}

impl Pen {
    const fn style(self) -> (&'static str, f64) {
        match self {
            Self::Inner => (LINE, 0.018),
            Self::Outline => (LINE, 0.07),
            Self::Black => ("#000", 0.05),
            Self::White => ("#fff", 0.05),
            Self::Ink => (INK, 0.045),
            Self::Dot => (INK, 0.1),
            Self::Front => (INK, 0.16),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Panel {
    areas: BTreeMap<Rgb, Vec<Vec<PicturePoint>>>,
    lines: BTreeMap<Pen, Vec<Vec<PicturePoint>>>,
    low: PicturePoint,
    high: PicturePoint,
}

impl Panel {
    pub(super) const fn new() -> Self {
        Self {
            areas: BTreeMap::new(),
            lines: BTreeMap::new(),
            low: [f64::INFINITY; 2],
            high: [f64::NEG_INFINITY; 2],
        }
    }

    pub(super) fn area(&mut self, color: Rgb, points: Vec<PicturePoint>) {
        self.reach(&points);
        self.areas.entry(color).or_default().push(points);
    }

    pub(super) fn line(&mut self, pen: Pen, points: Vec<PicturePoint>) {
        self.reach(&points);
        self.lines.entry(pen).or_default().push(points);
    }

    pub(super) fn remove_letters(&mut self) {
        self.lines.retain(|pen, _| !matches!(pen, Pen::Black | Pen::White));
    }

    pub(super) fn reserve(&mut self, point: PicturePoint) {
        self.reach(&[point]);
    }

    /// Adds text above the upper left corner.
    pub(super) fn label(&mut self, line: &str, height: f64) {
        let at = [self.low[0], self.low[1] - 1.6 * height];
        self.text(line, at, height);
    }

    /// Adds text with its upper left corner at `at`. Capitals have the given height. Returns its width.
    pub(super) fn text(&mut self, line: &str, at: PicturePoint, height: f64) -> f64 {
        let scale = height / glyph::CAP_HEIGHT;
        let (strokes, width) = glyph::text(line);
        for stroke in strokes {
            let points = stroke.iter().map(|[x, y]| [at[0] + x * scale, at[1] + y * scale]);
            self.line(Pen::Ink, points.collect());
        }
        width * scale
    }

    fn reach(&mut self, points: &[PicturePoint]) {
        for [x, y] in points {
            self.low = [self.low[0].min(*x), self.low[1].min(*y)];
            self.high = [self.high[0].max(*x), self.high[1].max(*y)];
        }
    }

    pub(super) fn size(&self) -> PicturePoint {
        [(self.high[0] - self.low[0]).max(0.0), (self.high[1] - self.low[1]).max(0.0)]
    }

    /// Adds another panel, with its upper left corner at a point.
    pub(super) fn place(&mut self, other: &Self, at: PicturePoint) {
        let moved = |points: &Vec<PicturePoint>| -> Vec<PicturePoint> {
            let shift =
                |s: &PicturePoint| [s[0] - other.low[0] + at[0], s[1] - other.low[1] + at[1]];
            points.iter().map(shift).collect()
        };
        for (color, all) in &other.areas {
            for points in all {
                self.area(*color, moved(points));
            }
        }
        for (pen, all) in &other.lines {
            for points in all {
                self.line(*pen, moved(points));
            }
        }
    }

    /// Writes the elements of the picture. An edge has `unit` pixels, and the margin is `margin` edges wide. If
    /// `whole` is set, every point is on a whole pixel, and paths are written as steps, which takes a third less.
    pub(super) fn elements(&self, unit: f64, margin: f64, whole: bool) -> String {
        let mut svg = String::new();
        let pixels = |point: &PicturePoint| -> PicturePoint {
            std::array::from_fn(|axis| (point[axis] - self.low[axis] + margin) * unit)
        };
        let path = |all: &[Vec<PicturePoint>], close: bool| {
            let mut d = String::new();
            for points in all {
                let points = points.iter().map(pixels);
                match whole {
                    true => push_steps(&mut d, points.map(|point| point.map(|v| v.round() as i64))),
                    false => push_points(&mut d, points),
                }
                d.push_str(if close { "Z" } else { "" });
            }
            d
        };
        for (color, all) in &self.areas {
            let _ = writeln!(svg, "<path fill=\"{}\" d=\"{}\"/>", hex(*color), path(all, true));
        }
        const ROUND: &str = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
        svg += &if whole { format!("<g fill=\"none\" {ROUND}>\n") } else { String::new() };
        for (pen, all) in &self.lines {
            let (color, width) = pen.style();
            let mut shown = String::new();
            push_number(&mut shown, (width * unit).max(0.5));
            let style = format!("stroke=\"{color}\" stroke-width=\"{shown}\"");
            let style = if whole { style } else { format!("fill=\"none\" {style} {ROUND}") };
            let _ = writeln!(svg, "<path {style} d=\"{}\"/>", path(all, false));
        }
        svg + if whole { "</g>\n" } else { "" }
    }
}

fn push_points(d: &mut String, points: impl Iterator<Item = PicturePoint>) {
    for (at, [x, y]) in points.enumerate() {
        d.push(if at == 0 { 'M' } else { 'L' });
        push_number(d, x);
        d.push(' ');
        push_number(d, y);
    }
}

/// Writes the first point, and the steps from one point to the next.
fn push_steps(d: &mut String, points: impl Iterator<Item = [i64; 2]>) {
    let mut last = None;
    for [x, y] in points {
        let _ = match last.replace([x, y]).map(|[a, b]| [x - a, y - b]) {
            None => write!(d, "M{x} {y}"),
            Some([0, down]) => write!(d, "v{down}"),
            Some([across, 0]) => write!(d, "h{across}"),
            Some([across, down]) if down < 0 => write!(d, "l{across}{down}"),
            Some([across, down]) => write!(d, "l{across} {down}"),
        };
    }
}

/// Writes a number with up to two decimals, identical on every machine.
pub(super) fn push_number(text: &mut String, value: f64) {
    let hundredths = (value * 100.0).round() as i64;
    let (whole, rest) = (hundredths / 100, (hundredths % 100).abs());
    let sign = if hundredths < 0 && whole == 0 { "-" } else { "" };
    let _ = match rest {
        0 => write!(text, "{whole}"),
        _ if rest % 10 == 0 => write!(text, "{sign}{whole}.{}", rest / 10),
        _ => write!(text, "{sign}{whole}.{rest:02}"),
    };
}
