//! Reading BurrTools `.xmpuzzle`: XML, as a rule gzip-compressed.
//!
//! A puzzle lists shapes and problems; a problem names the shape to build. Those shapes are the figures,
//! or all shapes if there is no problem. A shape is a box of voxels, x fastest, then y, then z: `_`
//! empty, `#` filled, `+` filled or not, each with the number of a color behind it or none. BurrTools has
//! z up, so shapes get the half turn about the x axis that brings z down.

use super::{Entry, Fault, Item, ProblemKind, ReadError};
use crate::figure::Figure;
use crate::lattice::Cell;
use flate2::read::MultiGzDecoder;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::VecDeque;
use std::io::Read;

/// The first bytes of a gzip file.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The most that a file may hold when it is unpacked: 64 MiB. A real puzzle has some kilobytes.
const MOST_BYTES: u64 = 64 << 20;

/// Whether a text begins like a puzzle without compression.
pub(super) fn looks_like_puzzle(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let root = if text.starts_with("<?xml") {
        text.split_once("?>").map_or("", |(_, rest)| rest.trim_start())
    } else {
        text
    };
    root.strip_prefix("<puzzle").is_some_and(|rest| rest.starts_with([' ', '>', '\t', '\n', '\r']))
}

/// Reads a whole puzzle.
pub(super) fn read_xmpuzzle(input: impl Read) -> Result<VecDeque<Item>, ReadError> {
    let failed = |source| ReadError::Io { line: 1, source };
    let mut bytes = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.starts_with(&GZIP) {
        let mut unpacked = Vec::new();
        let mut unpacker = MultiGzDecoder::new(bytes.as_slice()).take(MOST_BYTES + 1);
        let unpacking = unpacker.read_to_end(&mut unpacked);
        unpacking.map_err(|error| wrong(format!("it cannot be unpacked: {error}")))?;
        bytes = unpacked;
    }
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong(format!("it holds more than {} MiB", MOST_BYTES >> 20)));
    }
    let text = String::from_utf8_lossy(&bytes);
    let options = ParsingOptions { nodes_limit: 4_000_000, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(&text, options).map_err(|e| wrong(e.to_string()))?;
    let root = document.root_element();
    if !root.has_tag_name("puzzle") {
        return Err(wrong(format!("its root is <{}>", root.tag_name().name())));
    }
    let grid = child(root, "gridType").and_then(|grid| grid.attribute("type")).unwrap_or("0");
    if grid != "0" {
        return Err(wrong(format!("its grid is of type {grid}, not of cubes")));
    }
    Ok(items(root))
}

fn wrong(reason: String) -> ReadError {
    ReadError::Puzzle { reason }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn children<'a, 'i>(root: Node<'a, 'i>, list: &str, name: &'static str) -> Vec<Node<'a, 'i>> {
    let list = child(root, list);
    list.iter().flat_map(Node::children).filter(|node| node.has_tag_name(name)).collect()
}

fn line_of(node: Node<'_, '_>) -> usize {
    node.document().text_pos_at(node.range().start).row as usize
}

/// A name has one line, here as in the other formats.
fn name_of(node: Node<'_, '_>) -> Option<String> {
    let name = node.attribute("name")?.replace(char::is_control, " ");
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The figures of a puzzle, and what is wrong with those that are none.
fn items(root: Node<'_, '_>) -> VecDeque<Item> {
    let shapes = children(root, "shapes", "voxel");
    let problems = children(root, "problems", "problem");
    if problems.is_empty() {
        return shapes.iter().map(|shape| item(*shape, None)).collect();
    }
    let to_build = |problem: &Node<'_, '_>| {
        let id = child(*problem, "result").and_then(|result| result.attribute("id"));
        let shape = id.and_then(|id| id.parse::<usize>().ok()).and_then(|at| shapes.get(at));
        match shape {
            Some(shape) => item(*shape, name_of(*problem)),
            None => {
                let message = "the problem does not name a shape to build";
                let line = line_of(*problem);
                Fault::new(line, ProblemKind::HeaderWithoutFigure, message).of(name_of(*problem))
            }
        }
    };
    problems.iter().map(to_build).collect()
}

/// The figure of a shape, called by its own name, with the problem's as a title (or as a name).
fn item(shape: Node<'_, '_>, problem: Option<String>) -> Item {
    let line = line_of(shape);
    let (name, title) = match (name_of(shape), problem) {
        (Some(name), problem) => (Some(name), problem),
        (None, problem) => (problem, None),
    };
    match figure(shape, line) {
        Err(fault) => fault.of(name),
        Ok(figure) => Item::Entry(Entry {
            title: title.filter(|title| Some(title) != name.as_ref()),
            name,
            variant: 1,
            line,
            figure,
            solution: None,
            placed: None,
            commented_out: false,
        }),
    }
}

fn figure(shape: Node<'_, '_>, line: usize) -> Result<Figure, Fault> {
    let unreadable = |message: String| Fault::new(line, ProblemKind::Unreadable, message);
    let extent = |axis: &str| {
        let value = shape.attribute(axis).unwrap_or_default();
        let number = value.trim().parse::<u32>().ok().filter(|&n| n > 0);
        number
            .ok_or_else(|| unreadable(format!("the size {axis}=\"{value}\" is no number above 0")))
    };
    let [width, depth, height] = [extent("x")?, extent("y")?, extent("z")?];
    let volume = [width, depth, height].iter().fold(1, |v: u64, &e| v.saturating_mul(u64::from(e)));
    let text = shape.text().unwrap_or_default();
    let (mut cells, mut voxels, mut variable) = (Vec::new(), 0_u64, 0);
    for sign in text.chars().filter(|sign| !sign.is_whitespace() && !sign.is_ascii_digit()) {
        if !matches!(sign, '_' | '#' | '+') {
            return Err(unreadable(format!("`{sign}` is no voxel; they are _ # and +")));
        }
        let at = voxels;
        voxels += 1;
        if sign == '_' || at >= volume {
            continue;
        }
        variable += usize::from(sign == '+');
        let (width, depth) = (u64::from(width), u64::from(depth));
        let [x, y, z] = [at % width, at / width % depth, at / width / depth].map(|v| v as i32);
        cells.push(Cell::new(x, -y, -z));
    }
    if voxels != volume {
        let message =
            format!("{voxels} voxels are given, a box of {width}x{depth}x{height} has {volume}");
        return Err(unreadable(message));
    }
    if variable > 0 {
        let s = if variable == 1 { "" } else { "s" };
        let message =
            format!("{variable} cell{s} may be filled or not (+): which figure is meant is open");
        return Err(unreadable(message));
    }
    Figure::new(cells).map_err(|error| Fault::of_figure(line, &error))
}
