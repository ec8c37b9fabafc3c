//! The reader of BurrTools `.xmpuzzle` files: XML, usually gzip-compressed.
//!
//! A puzzle lists shapes and problems. A problem names the shape to build and the shapes that are its pieces. The
//! shapes to build are the figures, each with the pieces of its problem, or all shapes if there is no problem. A shape
//! is a box of voxels, x fastest, then y, then z: `_` empty, `#` filled, `+` filled or not. The number of a color may
//! follow each. BurrTools has z up, so reading turns shapes by 180° about the x axis to bring z down. A problem lists
//! the pairs of colors, of a piece and of the shape to build, that may meet.
//!
//! BurrTools counts fewer packings where groups of pieces, or a number of holes, restrict them. Such a restriction is
//! reported with the figure, because it is not obeyed here.

use super::limits::MAX_SHAPE_BYTES;
use super::text::clip;
use super::xml_tags::{Tag, TagEvent, XmlTags};
use super::{Entry, Fault, FaultReason, Item, PuzzleError, PuzzleSetError, Warning, XmlFault};
use flate2::bufread::MultiGzDecoder;
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Figure, FigureColors, FigureError, MAX_CELLS};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{MAX_COLOR, OPTIONAL, PieceSet, with_standard_name};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Cursor, Read};
use twox_hash::XxHash64;

/// The first bytes of a gzip file.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Returns `true` if a text begins like an uncompressed puzzle.
pub(super) fn looks_like_puzzle(text: &str) -> bool {
    let mut root = text.trim_start_matches('\u{feff}').trim_start();
    for (begin, end) in [("<?", "?>"), ("<!--", "-->")] {
        while root.starts_with(begin) {
            root = root.split_once(end).map_or("", |(_, rest)| rest.trim_start());
        }
    }
    root.strip_prefix("<puzzle").is_some_and(|rest| rest.starts_with([' ', '>', '\t', '\n', '\r']))
}

#[derive(Default)]
pub(super) struct Puzzle {
    pub(super) shapes: Vec<PuzzleShape>,
    pub(super) problems: Vec<PuzzleProblem>,
    bytes: usize,
}

pub(super) struct PuzzleShape {
    pub(super) line: usize,
    pub(super) name: Option<String>,
    pub(super) figure: Result<Figure, FaultReason>,
    /// The color of each cell, ascending, 0 for none. Empty if no cell has a color.
    pub(super) colors: Vec<u8>,
}

pub(super) struct PuzzleProblem {
    line: usize,
    name: Option<String>,
    result: Option<usize>,
    /// `None` if the problem does not list pieces.
    pub(super) pieces: Option<Vec<PieceUse>>,
    /// The colors of a piece and of the shape to build that may meet, numbered from 0.
    pairs: BTreeSet<(usize, usize)>,
    has_groups: bool,
    limits_holes: bool,
}

pub(super) struct PieceUse {
    pub(super) line: usize,
    pub(super) shape: Option<usize>,
    /// The smallest and the largest number of copies.
    pub(super) copies: Option<(usize, usize)>,
}

pub(super) fn read_puzzle(mut input: impl BufRead) -> Result<Puzzle, PuzzleError> {
    let mut beginning = Vec::new();
    let taken = input.by_ref().take(GZIP.len() as u64).read_to_end(&mut beginning);
    taken.map_err(PuzzleError::Io)?;
    let packed = beginning == GZIP;
    let input = Cursor::new(beginning).chain(input);
    if packed {
        let unpacked = read(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input)));
        unpacked.map_err(|error| match error {
            PuzzleError::Xml { reason: XmlFault::NoTag, .. } => PuzzleError::PackedOther,
            other => other,
        })
    } else {
        read(input)
    }
}

fn read(input: impl BufRead) -> Result<Puzzle, PuzzleError> {
    let mut tags = XmlTags::new(input);
    let mut puzzle = Puzzle::default();
    let mut voxels: Option<(Tag, Voxels)> = None;
    loop {
        let event = tags.next(|text| {
            if let Some((_, voxels)) = &mut voxels {
                text.bytes().for_each(|byte| voxels.push(byte));
            }
        })?;
        match event {
            TagEvent::End => return Ok(puzzle),
            TagEvent::Close => {
                if let Some((tag, voxels)) = voxels.take() {
                    puzzle.add_shape(&tag, voxels.finish())?;
                }
            }
            TagEvent::Open(tag) => match tags.path().as_slice() {
                ["puzzle"] => {}
                [other] => return Err(PuzzleError::Root(excerpt(other))),
                ["puzzle", "gridType"] => match tag.attribute("type").map(str::trim) {
                    None | Some("0") => {}
                    Some(other) => return Err(PuzzleError::Grid(excerpt(other))),
                },
                ["puzzle", "shapes", "voxel"] => {
                    let reader = Voxels::new(&tag);
                    voxels = Some((tag, reader));
                }
                ["puzzle", "problems", ..] => puzzle.add_to_problems(&tag, tags.path().len())?,
                _ => {}
            },
        }
    }
}

fn name_of(tag: &Tag) -> Option<String> {
    clip(&tag.attribute("name")?.replace(char::is_control, " "))
}

fn number(tag: &Tag, name: &str) -> Option<usize> {
    tag.attribute(name)?.trim().parse().ok()
}

impl Puzzle {
    /// Adds to the memory used by the puzzle.
    fn charge(&mut self, bytes: usize, name: Option<&String>) -> Result<(), PuzzleError> {
        self.bytes += bytes + name.map_or(0, String::len);
        if self.bytes > MAX_SHAPE_BYTES { Err(PuzzleError::TooManyShapes) } else { Ok(()) }
    }

    fn add_shape(
        &mut self,
        tag: &Tag,
        shape: Result<(Figure, Vec<u8>), FaultReason>,
    ) -> Result<(), PuzzleError> {
        let (line, name) = (tag.line, name_of(tag));
        let (figure, colors) = match shape {
            Ok((figure, colors)) => (Ok(figure), colors),
            Err(fault) => (Err(fault), Vec::new()),
        };
        let cells = figure.as_ref().map_or(0, Figure::len);
        let bytes = size_of::<PuzzleShape>() + cells * size_of::<Cell>() + colors.len();
        self.charge(bytes, name.as_ref())?;
        self.shapes.push(PuzzleShape { line, name, figure, colors });
        Ok(())
    }

    /// Handles a tag at a depth inside the list of problems.
    fn add_to_problems(&mut self, tag: &Tag, depth: usize) -> Result<(), PuzzleError> {
        if (tag.name.as_str(), depth) == ("problem", 3) {
            let (line, name) = (tag.line, name_of(tag));
            self.charge(size_of::<PuzzleProblem>(), name.as_ref())?;
            let limits_holes = tag.attribute("maxHoles").is_some();
            let (result, pieces, pairs, has_groups) = Default::default();
            let problem =
                PuzzleProblem { line, name, result, pieces, pairs, has_groups, limits_holes };
            self.problems.push(problem);
        }
        if matches!((tag.name.as_str(), depth), ("shape" | "pair", 5)) {
            self.charge(size_of::<PieceUse>(), None)?;
        }
        let Some(problem) = self.problems.last_mut() else { return Ok(()) };
        match (tag.name.as_str(), depth) {
            ("result", 4) => problem.result = number(tag, "id"),
            ("shapes", 4) => {
                problem.pieces.get_or_insert_default();
            }
            ("shape", 5) => {
                let count = number(tag, "count").map(|count| (count, count));
                let range = || Some((number(tag, "min").unwrap_or(0), number(tag, "max")?));
                let copies = count.or_else(range);
                let piece = PieceUse { line: tag.line, shape: number(tag, "id"), copies };
                problem.pieces.get_or_insert_default().push(piece);
            }
            ("pair", 5) => problem.pairs.extend(number(tag, "piece").zip(number(tag, "result"))),
            ("group", 6) => problem.has_groups = true,
            _ => {}
        }
        Ok(())
    }

    /// Iterates over the figures, with faults for problems without a shape. A shape that many problems build is held
    /// once, and so are the pieces of consecutive problems.
    pub(super) fn figures(self) -> impl Iterator<Item = Item> {
        let mut last: Option<(usize, Result<PieceSet, PuzzleSetError>)> = None;
        let mut problems_of = vec![0_usize; self.shapes.len()];
        let built = self.problems.iter().filter_map(|problem| problem.result);
        built.for_each(|at| problems_of.iter_mut().skip(at).take(1).for_each(|n| *n += 1));
        (0..).map_while(move |at| {
            if self.problems.is_empty() {
                return self.shapes.get(at).map(|shape| self.item(shape, None, None, false));
            }
            let problem = self.problems.get(at)?;
            let Some(shape) = problem.result.and_then(|at| self.shapes.get(at)) else {
                let fault = match problem.result {
                    Some(shape) => FaultReason::NoSuchShape { shape, shapes: self.shapes.len() },
                    None => FaultReason::ProblemWithoutShape,
                };
                let fault = Fault::new(problem.line, fault);
                return Some(fault.of(problem.name.clone()));
            };
            let pieces = problem.pieces.as_ref().filter(|pieces| !pieces.is_empty());
            let pieces = pieces.map(|pieces| match &last {
                Some((known, set)) if same_pieces(&self.problems[*known], problem) => set.clone(),
                _ => {
                    let set = self.set_of(pieces, "").map(named_by_pieces);
                    last = Some((at, set.clone()));
                    set
                }
            });
            let is_shared = problem.result.is_some_and(|at| problems_of[at] > 1);
            Some(self.item(shape, Some(problem), pieces, is_shared))
        })
    }

    /// Returns the figure of a shape. Its name is the shape's, and its title the problem's. A shape without a name has
    /// the problem's name, and so has one that several problems build (`is_shared`), so that their names differ.
    fn item(
        &self,
        shape: &PuzzleShape,
        problem: Option<&PuzzleProblem>,
        pieces: Option<Result<PieceSet, PuzzleSetError>>,
        is_shared: bool,
    ) -> Item {
        let (name, title) = match (shape.name.clone(), problem.and_then(|p| p.name.clone())) {
            (name, Some(title)) if is_shared => (Some(title), name),
            (Some(name), title) => (Some(name), title),
            (None, title) => (title, None),
        };
        match &shape.figure {
            Err(reason) => Fault::new(shape.line, reason.clone()).of(name),
            Ok(figure) => {
                let title = title.filter(|title| Some(title) != name.as_ref());
                let entry = Entry::new(shape.line, figure.clone()).with_title(name, title);
                let colors = match problem {
                    // The file counts from 0 here, and its voxels from 1.
                    Some(problem) => FigureColors::with_pairs(&shape.colors, |piece, figure| {
                        problem.pairs.contains(&(usize::from(piece) - 1, usize::from(figure) - 1))
                    }),
                    None => FigureColors::new(&shape.colors),
                };
                let (pieces, colors) = (pieces.map(Box::new), colors.map(Box::new));
                let mut entry = Entry { pieces, colors, ..entry };
                let ignored = problem.map(PuzzleProblem::ignored).unwrap_or_default();
                if !ignored.is_empty() {
                    entry.warnings.push(Warning::NotObeyed { line: shape.line, ignored });
                }
                Item::Entry(entry)
            }
        }
    }
}

impl PuzzleProblem {
    /// Returns what restricts the packings in BurrTools, but not here.
    fn ignored(&self) -> Vec<&'static str> {
        let restrictions =
            [("groups of pieces", self.has_groups), ("limits on holes", self.limits_holes)];
        restrictions.into_iter().filter_map(|(what, is_there)| is_there.then_some(what)).collect()
    }
}

/// Returns `true` if two problems use the same shapes as often.
fn same_pieces(one: &PuzzleProblem, other: &PuzzleProblem) -> bool {
    let uses = |problem: &PuzzleProblem| {
        let pieces = problem.pieces.as_ref().into_iter().flatten();
        pieces.map(|piece| (piece.shape, piece.copies)).collect::<Vec<_>>()
    };
    uses(one) == uses(other)
}

/// Names a problem's pieces: as if typed if they are those of SOMA, else by a digest of their shapes.
///
/// A catalog has one set under each name. Names of files or problems could stand for other pieces tomorrow.
fn named_by_pieces(set: PieceSet) -> PieceSet {
    with_standard_name(&set).unwrap_or_else(|| {
        let digest = XxHash64::oneshot(0, set.lines().join("\n").as_bytes());
        set.renamed(format!("pieces-{:08x}", digest >> 32))
    })
}

/// The color of a voxel that may be filled or not, above all others.
const VARIABLE: u32 = u32::MAX;

struct Voxels {
    size: [u32; 3],
    volume: u64,
    number: u64,
    /// The cells with their colors, 0 for none, and [`VARIABLE`] for one that may stay empty.
    cells: Vec<(Cell, u32)>,
    /// True if the last voxel is a cell.
    at_cell: bool,
    fault: Option<FaultReason>,
}

impl Voxels {
    fn new(tag: &Tag) -> Self {
        let mut fault = None;
        let size = ['x', 'y', 'z'].map(|axis| {
            let value = tag.attribute(axis.encode_utf8(&mut [0; 4])).unwrap_or_default();
            let size = value.trim().parse::<u32>().ok().filter(|&size| size > 0);
            size.unwrap_or_else(|| {
                fault.get_or_insert(FaultReason::ShapeSize { axis, value: excerpt(value) });
                1
            })
        });
        let volume = size.iter().fold(1, |v: u64, &e| v.saturating_mul(u64::from(e)));
        let (number, cells, at_cell) = Default::default();
        Self { size, volume, number, cells, at_cell, fault }
    }

    fn push(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            return;
        }
        if byte.is_ascii_digit() {
            match self.cells.last_mut().filter(|_| self.at_cell) {
                Some((_, color)) if *color == VARIABLE => {
                    self.fault.get_or_insert(FaultReason::ColoredVariable);
                }
                Some((_, color)) => {
                    *color = color.saturating_mul(10).saturating_add(u32::from(byte - b'0'));
                    *color = (*color).min(VARIABLE - 1);
                }
                None => {}
            }
            return;
        }
        if !matches!(byte, b'_' | b'#' | b'+') {
            let sign = if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER };
            self.fault.get_or_insert(FaultReason::NotAVoxel(excerpt(&sign.to_string())));
        }
        let at = self.number;
        self.number += 1;
        self.at_cell = false;
        if byte == b'_' || at >= self.volume {
            return;
        }
        // One more cell than a figure may have shows that there are too many.
        if self.cells.len() <= MAX_CELLS {
            let [width, depth, _] = self.size.map(u64::from);
            let position = [at % width, at / width % depth, at / width / depth];
            // Coordinates have 32 bits. `Figure::new` refuses the largest value.
            let [x, y, z] = position.map(|v| i32::try_from(v).unwrap_or(i32::MAX));
            let color = if byte == b'+' { VARIABLE } else { 0 };
            self.cells.push((Cell::new(x, -y, -z), color));
            self.at_cell = true;
        }
    }

    /// Returns the figure and the colors of its cells, or none if no cell has a color.
    fn finish(self) -> Result<(Figure, Vec<u8>), FaultReason> {
        let Self { size, volume, number, mut cells, fault, .. } = self;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if number != volume {
            return Err(FaultReason::VoxelCount { voxels: number, size, volume });
        }
        if cells.len() > MAX_CELLS {
            return Err(FigureError::TooManyCells.into());
        }
        let is_color = |color: u32| color == VARIABLE || color <= u32::from(MAX_COLOR);
        if let Some((_, color)) = cells.iter().find(|(_, color)| !is_color(*color)) {
            return Err(FaultReason::VoxelColor(*color));
        }
        cells.sort_unstable();
        let (cells, colors): (Vec<Cell>, Vec<u8>) =
            cells.into_iter().map(|(cell, color)| (cell, color.min(OPTIONAL.into()) as u8)).unzip();
        let colors = if colors.iter().all(|&color| color == 0) { Vec::new() } else { colors };
        Ok((Figure::new(cells)?, colors))
    }
}
