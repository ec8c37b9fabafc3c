//! An instance of the program: its pieces, and the files that it has read.

use crate::elements::axes_and_mirrors;
use crate::position::Position;
use crate::request::Request;
use crate::{answer, why};
use serde::Serialize;
use somacat_counting::cell_placements::{CellPlacement, placements};
use somacat_counting::map::{Exchange, SolutionMap};
use somacat_counting::places::places;
use somacat_counting::plain_search::{MAX_PLACEMENTS, difficulty, plain_effort};
use somacat_counting::question::CountedRow;
use somacat_counting::solve::{Limits, PackingSymmetries, Placement, Problem, first, visit};
use somacat_counting::stand::building_order;
use somacat_formats::{
    Assessment, Colors, Entry, Item, ReadError, Reader, Warning, assess, choose_set,
    colored_piece_set_of, entry_message, piece_letter, piece_marks, soma_figure, soma_packing,
};
use somacat_geometry::figure::{
    Candidate, Equivalence, Figure, FigureColors, Signature, prefilter_with_colors,
};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::{Outcome, Reason, Report};
use somacat_geometry::pieces::{FAMOUS_SETS, FamousSet, GAP, PieceSet, parse_set_with_ranges};
use somacat_geometry::somap::SomapCode;
use somacat_geometry::spelling::Spelling;
use somacat_rows::{
    COUNT_COLUMNS, Delimited, Field, FigureRow, GivenFigure, Json, JsonStyle, NamedPieces,
    OpenFigure, RowSink, column_names, column_values, explanation, let_stay_empty,
};
use std::fmt::Display;
use std::io;
use std::iter;
use std::ops::ControlFlow;
use std::path::Path;

/// Memory of the frontier engine in bytes. An instance has at most 4 GiB, and a page several instances.
const MEMORY: u64 = 1 << 30;

/// The choice of pieces, as `--set` makes it.
#[derive(Default)]
enum Choice {
    Fixed(PieceSet),
    Auto,
    /// The pieces of a puzzle, or SOMA for other figures.
    #[default]
    Default,
}

/// A figure of a file, with the label of its row.
struct Labeled {
    label: String,
    entry: Entry,
    /// The colors of the file, also if every cell may stay empty now.
    colors: Option<Box<FigureColors>>,
}

#[derive(Default)]
pub(crate) struct Session {
    choice: Choice,
    gaps: bool,
    files: Vec<Vec<Labeled>>,
}

type Result<T> = std::result::Result<T, String>;

fn text(error: impl Display) -> String {
    error.to_string()
}

impl Session {
    /// Answers a request: a line of JSON, and the bytes of a file after it.
    pub(crate) fn answer(&mut self, request: &[u8]) -> String {
        let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
        let (line, bytes) = (&request[..end], request.get(end + 1..).unwrap_or_default());
        let answer = serde_json::from_slice(line).map_err(text);
        let answer = answer.and_then(|request| self.call(request, bytes));
        answer.unwrap_or_else(|error| json(&answer::Failure { error }))
    }

    fn call(&mut self, request: Request, bytes: &[u8]) -> Result<String> {
        Ok(match request {
            Request::About => json(&about()),
            Request::Choose { set, gaps } => json(&self.choose(&set, gaps, bytes)?),
            Request::Read { name } => json(&self.read(&name, bytes)?),
            Request::Count { file, figures, nodes } => {
                let limits = limits(nodes);
                let count = |&at: &usize| Ok(self.count(at, self.figure(file, at)?, limits));
                json(&figures.iter().map(count).collect::<Result<Vec<_>>>()?)
            }
            Request::Difficulty { file, figures } => {
                let rate = |&at: &usize| {
                    let stars = self.stars(self.figure(file, at)?);
                    Ok(answer::Difficulty { figure: at, stars })
                };
                json(&figures.iter().map(rate).collect::<Result<Vec<_>>>()?)
            }
            Request::Packings { file, figure, most, nodes } => {
                json(&self.packings(self.figure(file, figure)?, most, limits(Some(nodes)))?)
            }
            Request::Places { file, figure, nodes } => {
                json(&self.places(self.figure(file, figure)?, limits(Some(nodes)))?)
            }
            Request::Map { file, figure, most, nodes } => {
                json(&self.map(self.figure(file, figure)?, most, limits(Some(nodes)))?)
            }
            Request::Why { file, figure, nodes } => {
                json(&self.why(self.figure(file, figure)?, limits(Some(nodes)))?)
            }
            Request::Puzzle { file, figure } => {
                let labeled = self.figure(file, figure)?;
                json(&puzzle(&labeled.entry.figure, &self.set_of_puzzle(labeled)?))
            }
            Request::Hint { file, figure, placed, nodes } => {
                let hint = |position: Position<'_>| position.hint(limits(Some(nodes)));
                json(&self.in_play(file, figure, &placed, hint)?)
            }
            Request::Ways { file, figure, placed, nodes } => {
                let ways = |position: Position<'_>| position.ways(limits(Some(nodes)));
                json(&self.in_play(file, figure, &placed, ways)?)
            }
            Request::Same { file, figure, placed, packings } => {
                let same = |position: Position<'_>| position.same(&packings);
                json(&self.in_play(file, figure, &placed, same)?)
            }
            Request::Symmetry { file, figure } => json(&symmetry(self.figure(file, figure)?)),
        })
    }

    fn figure(&self, file: usize, figure: usize) -> Result<&Labeled> {
        let found = self.files.get(file).and_then(|figures| figures.get(figure));
        found.ok_or_else(|| format!("there is no figure {figure} in file {file}"))
    }

    /// Chooses the pieces. The answer is the set that figures without pieces of their own are counted with.
    fn choose(&mut self, set: &str, gaps: bool, file: &[u8]) -> Result<answer::Set> {
        let choice = match set {
            _ if !file.is_empty() => {
                Choice::Fixed(colored_piece_set_of(Path::new(set), file).map_err(text)?)
            }
            "" => Choice::Default,
            name if name.eq_ignore_ascii_case("auto") => Choice::Auto,
            name => Choice::Fixed(parse_set_with_ranges(name).map_err(text)?),
        };
        (self.choice, self.gaps) = (choice, gaps);
        self.files.clear();
        Ok(match &self.choice {
            Choice::Fixed(set) => described(set),
            Choice::Auto | Choice::Default => described(&PieceSet::soma(1)),
        })
    }

    /// Returns the pieces for a figure, with gaps for the cells that stay empty.
    fn set_of(&self, entry: &Entry) -> Result<PieceSet> {
        let set = match &self.choice {
            Choice::Fixed(set) => set.clone(),
            Choice::Default if entry.pieces.is_none() => PieceSet::soma(1),
            Choice::Default | Choice::Auto => choose_set(entry).map_err(text)?,
        };
        Ok(GivenFigure { gaps: self.gaps, ..GivenFigure::from(entry) }.with_gaps(set))
    }

    /// Returns the pieces of a puzzle. Every packing uses all of them.
    fn set_of_puzzle(&self, Labeled { entry, .. }: &Labeled) -> Result<PieceSet> {
        if entry.colors.is_some() || entry.placed.is_some() || self.gaps {
            return Err(
                "a puzzle needs a figure without colors, gaps and pieces in place".to_owned()
            );
        }
        self.set_of(entry)?.plain().map_err(text)
    }

    fn in_play<T>(
        &self,
        file: usize,
        figure: usize,
        placed: &[answer::InPlace],
        act: impl FnOnce(Position<'_>) -> Result<T>,
    ) -> Result<T> {
        let labeled = self.figure(file, figure)?;
        let set = self.set_of_puzzle(labeled)?;
        act(Position::new(&labeled.entry.figure, &set, placed)?)
    }

    fn read(&mut self, name: &str, bytes: &[u8]) -> Result<answer::Contents> {
        let spelled = cells_of_signature(bytes);
        let bytes = spelled.as_deref().map_or(bytes, str::as_bytes);
        let mut reader = Reader::new(bytes, None).map_err(unread)?.with_colors(Colors::Obeyed);
        let (mut figures, mut messages, mut refused) = (Vec::new(), Vec::new(), 0);
        for (number, item) in (1..).zip(reader.by_ref()) {
            match item.map_err(text)? {
                Item::Fault(fault) => {
                    let name_of_figure = fault.name.as_deref();
                    messages.push(entry_message(name, fault.line, name_of_figure, &fault.reason));
                    refused += 1;
                }
                Item::Entry(mut entry) => {
                    let colors = entry.colors.clone();
                    if self.gaps {
                        let_stay_empty(&mut entry.colors);
                    }
                    self.assess(name, &entry, &mut messages);
                    if let Ok(set) = self.set_of(&entry).as_ref()
                        && !self.gaps
                    {
                        entry.placed = entry.placed_with(set).cloned();
                    }
                    figures.push(Labeled { label: entry.label(name, number), entry, colors });
                }
            }
        }
        if figures.is_empty() && refused == 0 {
            return Err("there is no figure in it".to_owned());
        }
        let described = figures.iter().map(|figure| self.described(figure)).collect();
        self.files.push(figures);
        let (file, skipped) = (self.files.len() - 1, reader.skipped_lines());
        Ok(answer::Contents { file, figures: described, messages, refused, skipped })
    }

    /// Reports the same mistakes as `count`.
    fn assess(&self, file: &str, entry: &Entry, messages: &mut Vec<String>) {
        let Ok(set) = self.set_of(entry) else { return };
        if self.gaps {
            return;
        }
        let name = entry.name.as_deref();
        match assess(entry, &set) {
            Assessment::Sound { warnings, .. } => {
                let other = |warning: &&Warning| !matches!(warning, Warning::InPlace { .. });
                let told = warnings.iter().filter(other);
                messages.extend(told.map(|one| entry_message(file, one.line(), name, one)));
            }
            Assessment::Refused(refusal) => {
                messages.push(entry_message(file, entry.line, name, &refusal));
            }
        }
    }

    fn described(&self, labeled: &Labeled) -> answer::Figure {
        let Labeled { label, entry, colors } = labeled;
        let (given, set) = (GivenFigure::from(entry), self.set_of(entry).ok());
        let candidate = recognized(&given, set.as_ref());
        let columns = given.columns(&candidate);
        answer::Figure {
            name: label.clone(),
            title: entry.title.clone(),
            credit: entry.credit.clone(),
            cells: triples(entry.figure.cells()),
            placed: entry.placed.iter().flatten().map(in_place).collect(),
            turned: entry.figure.canonical_up_to(Equivalence::Rotations).signature.to_string(),
            signature: columns.signature.to_string(),
            class: columns.class.name(),
            order: columns.class.order(),
            parity: columns.parity,
            parts: columns.parts,
            set: set.map(|set| set.name().to_owned()),
            marked: match colors.as_deref() {
                None => None,
                Some(colors) if colors.are_gaps() => Some("cells that may stay empty (~)"),
                Some(_) => Some("colors"),
            },
            soma: soma_text(labeled).unwrap_or_default(),
        }
    }

    fn count(&self, figure: usize, labeled: &Labeled, limits: Limits<'_>) -> answer::Count {
        let entry = &labeled.entry;
        let (given, set) = (GivenFigure::from(entry), self.set_of(entry));
        let candidate = recognized(&given, set.as_ref().ok());
        let counted = set.as_ref().map_err(Clone::clone);
        let counted = counted.and_then(|set| given.count(&candidate, set, limits));
        let report = counted.unwrap_or_else(|error| Report::failed(&error));
        let row = CountedRow { columns: given.columns(&candidate), report, micros: None };
        let fields = FigureRow { name: Some(&labeled.label), ..FigureRow::from(&row) };
        let (fields, report) = (column_values(&COUNT_COLUMNS, fields), &row.report);
        let outcome = &report.outcome;
        let spelled = |count: Option<u128>| count.map(|count| count.to_string());
        answer::Count {
            figure,
            verdict: outcome.verdict().word(),
            reason: explanation(outcome).map(str::to_owned),
            raw: spelled(outcome.raw()),
            rotation: spelled(outcome.rotation()),
            unique: spelled(outcome.unique()),
            nodes: report.nodes,
            engine: report.engine.map(Spelling::word),
            why: without_packing(&given, set.as_ref().ok(), outcome),
            csv: csv_line(&fields),
            json: json_line(&fields),
        }
    }

    fn stars(&self, Labeled { entry, .. }: &Labeled) -> Option<usize> {
        let canonical = entry.figure.transformed(entry.figure.canonical().to_canonical);
        let set = self.set_of(entry).ok()?;
        let plain = entry.colors.is_none() && entry.placed.is_none();
        plain_effort(&canonical, &set, MAX_PLACEMENTS).filter(|_| plain).map(difficulty)
    }

    fn packings(
        &self,
        Labeled { label, entry, .. }: &Labeled,
        most: usize,
        limits: Limits<'_>,
    ) -> Result<answer::Packings> {
        let set = self.set_of(entry)?;
        let open = OpenFigure::new(entry.into(), &set).map_err(text)?;
        let (listed, complete) = listed(&open.problem(), most, limits)?;
        let packings = listed.iter().map(|packing| in_order(label, &open.whole(packing))).collect();
        Ok(answer::Packings { packings, complete })
    }

    fn map(
        &self,
        Labeled { entry, .. }: &Labeled,
        most: usize,
        limits: Limits<'_>,
    ) -> Result<answer::Map> {
        let set = self.set_of(entry)?.plain().map_err(text)?;
        let open = OpenFigure::new(entry.into(), &set).map_err(text)?;
        let map = SolutionMap::new(&open.problem(), limits).map_err(text)?;
        let (listed, complete) = listed(&open.problem(), most, limits)?;
        let vertices: Vec<_> = listed.iter().filter_map(|packing| map.number_of(packing)).collect();
        let moves = |&vertex: &usize| {
            let packing: Vec<_> = map.packing(vertex).into_iter().cloned().collect();
            let step = |exchange: Exchange| {
                let moving: Vec<_> =
                    exchange.moving.iter().map(|&at| packing[at].clone()).collect();
                let letters = open.named(&moving).into_iter().map(|(letter, _)| letter).collect();
                Some((vertices.iter().position(|&one| one == exchange.to)?, letters))
            };
            map.exchanges(vertex).into_iter().filter_map(step).collect()
        };
        Ok(answer::Map {
            packings: map.vertices(),
            edges_2: map.edges_2().len(),
            edges_3: map.edges_3().len(),
            components: map.components(),
            diameter: map.diameter(),
            moves: vertices.iter().filter(|_| complete).map(moves).collect(),
        })
    }

    fn why(
        &self,
        Labeled { entry, .. }: &Labeled,
        limits: Limits<'_>,
    ) -> Result<Option<answer::Why>> {
        let set = self.set_of(entry)?;
        why::why(&OpenFigure::new(entry.into(), &set).map_err(text)?, limits)
    }

    fn places(
        &self,
        Labeled { entry, .. }: &Labeled,
        limits: Limits<'_>,
    ) -> Result<answer::Places> {
        let (set, cells) = (self.set_of(entry)?, entry.figure.cells());
        if entry.colors.is_some() || entry.placed.is_some() || self.gaps {
            return Err("the places of pieces are listed for plain figures only".to_owned());
        }
        let found = places(&Problem::new(&entry.figure, &set), limits).map_err(text)?;
        let listed = found.most_used(MAX_ORBITS).map(|(number, orbit)| {
            let name = set.pieces()[orbit.first.piece].0.name().to_owned();
            let at = orbit.first.cells.iter().filter_map(|cell| cells.binary_search(cell).ok());
            (name, number, orbit.placements, orbit.packings, at.collect())
        });
        Ok(answer::Places {
            complete: found.report.outcome.is_exact(),
            raw: found.report.outcome.raw().map(text),
            places: listed.collect(),
        })
    }
}

/// Returns up to `most` unique packings, and whether these are all. The first is the same for any `most`: it is found by
/// restarts, which take less time than a list.
fn listed(
    problem: &Problem<'_>,
    most: usize,
    limits: Limits<'_>,
) -> Result<(Vec<Vec<Placement>>, bool)> {
    let (found, report) = first(problem, limits).map_err(text)?;
    let Some(found) = found else { return Ok((Vec::new(), report.outcome.reason().is_some())) };
    if most == 1 {
        return Ok((vec![found], false));
    }
    let (symmetries, mut others) = (PackingSymmetries::of(problem), Vec::new());
    let mut take = |packing: &[Placement]| {
        if symmetries.is_least(packing) && !symmetries.are_images(&found, packing) {
            if others.len() + 1 == most {
                return ControlFlow::Break(());
            }
            others.push(packing.to_vec());
        }
        ControlFlow::Continue(())
    };
    let report = visit(problem, limits, &mut take).map_err(text)?;
    Ok((iter::once(found).chain(others).collect(), report.outcome.is_exact()))
}

/// The most orbits of a piece that are listed.
const MAX_ORBITS: usize = 16;

const fn limits(nodes: Option<u64>) -> Limits<'static> {
    Limits {
        packings: None,
        nodes,
        stop: None,
        engine: somacat_counting::solve::EngineChoice::Auto,
        memory: Some(MEMORY),
        available: None,
        searches: None,
    }
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("answers are texts, numbers and lists")
}

fn triples(cells: &[Cell]) -> Vec<[i32; 3]> {
    cells.iter().map(|cell| cell.to_array()).collect()
}

/// Says why a file cannot be read. The page has no choice of a format.
fn unread(error: ReadError) -> String {
    match error {
        ReadError::AmbiguousFormat(_) | ReadError::MissingSlashes | ReadError::NumberedCells => {
            "it can be read in several ways; write each figure on one line, as cells (0,0,0 1,0,0 …) or as heights \
             (333 333 333)"
                .to_owned()
        }
        other => other.to_string(),
    }
}

/// Writes a figure with the marks that it was given: `~` for cells that may stay empty, and pieces in place. `None` if
/// its box is too large, or if it has colors, which SOMA text lacks.
fn soma_text(Labeled { label, entry, colors }: &Labeled) -> Option<String> {
    let (title, cells, colors) = (entry.title.as_deref(), entry.figure.cells(), colors.as_deref());
    if colors.is_none() && entry.placed.is_none() {
        return soma_figure(Some(label), title, &entry.figure).ok();
    }
    if colors.is_some_and(|colors| !colors.are_gaps()) {
        return None;
    }
    let mut marks = entry.placed.clone().unwrap_or_default();
    let is_marked = |cell: &Cell| marks.iter().any(|(_, cells)| cells.contains(cell));
    let free = (0..cells.len()).filter(|&at| !is_marked(&cells[at]));
    let (optional, filled): (Vec<usize>, Vec<usize>) =
        free.partition(|&at| colors.is_some_and(|colors| colors.may_be_empty(at)));
    for (mark, free) in [('*', filled), (GAP, optional)] {
        if !free.is_empty() {
            marks.push((mark, free.into_iter().map(|at| cells[at]).collect()));
        }
    }
    soma_packing(Some(label), title, &marks).ok()
}

/// Recognizes a figure up to the transforms that leave its counts with the set unchanged.
fn recognized(given: &GivenFigure<'_>, set: Option<&PieceSet>) -> Candidate {
    let unknown = || Candidate::new(given.figure.clone(), Equivalence::Reflections);
    set.map_or_else(unknown, |set| given.candidate(set))
}

/// Returns the cells of a signature as a line of a file, if the bytes are one.
fn cells_of_signature(bytes: &[u8]) -> Option<String> {
    let signature: Signature = str::from_utf8(bytes).ok()?.trim().parse().ok()?;
    let word = |cell: &Cell| cell.to_array().map(|v| v.to_string()).join(",");
    let words: Vec<String> = signature.figure().ok()?.cells().iter().map(word).collect();
    Some(words.join(" "))
}

fn puzzle(figure: &Figure, set: &PieceSet) -> answer::Puzzle {
    let mut places = vec![Vec::new(); set.pieces().len()];
    for CellPlacement { piece, mut cells } in placements((figure, set)) {
        cells.sort_unstable();
        places[piece].push(cells);
    }
    answer::Puzzle { pieces: described(set).pieces, places }
}

fn in_place((mark, cells): &(char, Vec<Cell>)) -> (char, Vec<[i32; 3]>) {
    (piece_letter(*mark).unwrap_or(*mark), triples(cells))
}

fn described(set: &PieceSet) -> answer::Set {
    let pieces = set.pieces().iter().map(|(piece, copies)| answer::Piece {
        letter: piece.letter(),
        name: piece.name().to_owned(),
        copies: *copies,
        cells: triples(piece.cells()),
    });
    answer::Set { name: set.name().to_owned(), cells: set.total_cells(), pieces: pieces.collect() }
}

fn about() -> answer::About {
    let soma = [PieceSet::soma(1), PieceSet::soma(2), PieceSet::soma_plus()];
    let famous = FAMOUS_SETS.iter().map(FamousSet::pieces);
    answer::About {
        version: env!("CARGO_PKG_VERSION"),
        csv: column_names(&COUNT_COLUMNS).join(",") + "\n",
        sets: soma.into_iter().chain(famous).map(|set| described(&set)).collect(),
    }
}

/// Returns the line of `count --csv` for a row.
fn csv_line(fields: &[Field<'_>]) -> String {
    let mut out = Vec::new();
    let rows = Delimited::csv(&mut out, &column_names(&COUNT_COLUMNS));
    write_row(rows, fields);
    // The header is the first line.
    let header = 1 + out.iter().position(|&byte| byte == b'\n').expect("a header ends");
    String::from_utf8(out.split_off(header)).expect("fields are text")
}

/// Returns the line of `count --jsonl` for a row.
fn json_line(fields: &[Field<'_>]) -> String {
    let mut out = Vec::new();
    write_row(Ok(Json::new(&mut out, JsonStyle::Lines, &column_names(&COUNT_COLUMNS))), fields);
    String::from_utf8(out).expect("JSON is text")
}

fn write_row(sink: io::Result<impl RowSink>, fields: &[Field<'_>]) {
    let written = sink.and_then(|mut sink| sink.row(fields).and_then(|()| sink.finish()));
    written.expect("memory can be written");
}

/// Returns why a figure has no packing or no count.
fn without_packing(given: &GivenFigure<'_>, set: Option<&PieceSet>, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed(error) => error.clone(),
        Outcome::Unsolvable(Reason::Size | Reason::Parity | Reason::Parts) => {
            let argument =
                set.and_then(|set| prefilter_with_colors(given.figure, set, given.colors));
            argument.map(text).unwrap_or_default()
        }
        Outcome::Unsolvable(Reason::NoFit) => {
            "some cell or some piece has no placement at all".to_owned()
        }
        Outcome::Unsolvable(Reason::Exhausted) => "every possibility was tried".to_owned(),
        Outcome::Counted(_) | Outcome::AtLeast(_) | Outcome::Unknown => String::new(),
    }
}

/// Returns a packing in building order.
fn in_order(label: &str, pieces: &NamedPieces) -> answer::Packing {
    let (order, lowered) = building_order(pieces);
    let somap = SomapCode::of(pieces).map(|code| code.to_string());
    let title = somap.as_ref().map(|code| format!("SOMAP {code}"));
    let marks = piece_marks(pieces);
    let soma = marks.and_then(|marks| soma_packing(Some(label), title.as_deref(), &marks));
    let pieces = order.iter().map(|&at| (pieces[at].0, triples(&pieces[at].1)));
    answer::Packing { pieces: pieces.collect(), lowered, somap, soma: soma.unwrap_or_default() }
}

fn symmetry(Labeled { entry, .. }: &Labeled) -> answer::Symmetry {
    let group = entry.figure.canonical().group;
    let colors = entry.colors.as_deref();
    let group = colors.map_or(group, |colors| colors.symmetries(&entry.figure, group));
    let class = group.class();
    let (axes, mirrors) = axes_and_mirrors(group);
    answer::Symmetry {
        words: class.in_plain_words(),
        description: class.description(),
        allen: class.allen(),
        rotations: group.rotation_order(),
        elements: group.to_string(),
        orders: group.cyclic_orders(),
        inversion: group.contains(Transform::INVERSION),
        axes,
        mirrors,
    }
}
