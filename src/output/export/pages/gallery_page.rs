//! The data and files of one figure of a gallery.

use super::gallery_index::{CARDS, shape};
use super::template_data::seen_by_reader;
use super::templates::script_json;
use crate::dossier::{Building, Dossier, Packing, SetOutcome, Story, StoryKind, rule_in_words};
use crate::draw::{Picture, Scene, View, ViewKind};
use crate::export::{Mesh, MeshSize, PuzzleFigure, SiteError, write_stl, write_xmpuzzle};
use serde::Serialize;
use somacat_counting::places::{PlaceOrbit, color_rules};
use somacat_counting::prove::{Argument, write_certificate, write_claim};
use somacat_counting::solve::{self, Limits, SearchTrace};
use somacat_geometry::figure::{Figure, prefilter};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Verdict;
use somacat_geometry::pieces::{Piece, PieceSet, parse_set};
use somacat_geometry::somap::SomapCode;

/// Returns a name as the name of a file to download: at most 60 letters, digits, underscores and hyphens of ASCII.
pub(super) fn download_name(heading: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = heading.split(|c| !plain(c)).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("-").chars().take(60).collect();
    if name.is_empty() { "figure".to_owned() } else { name }
}

/// The trace of a search, in the format of `somacat solve --trace`.
#[derive(Serialize)]
pub(super) struct Track<'a> {
    name: &'a str,
    set: &'a str,
    cells: Vec<[i32; 3]>,
    steps: Vec<Step>,
    /// True if it is the whole search.
    complete: bool,
    packings: usize,
}

#[derive(Serialize)]
struct Step {
    n: usize,
    depth: usize,
    piece: char,
    cells: Vec<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    solved: bool,
}

/// Why a figure cannot be built with a set.
#[derive(Serialize)]
pub(super) struct PageStory {
    set: String,
    steps: Vec<String>,
    /// The marks of a figure with a name as SVG; else empty. Those of the many others are text, which is smaller.
    picture: String,
    text: String,
    #[serde(skip)]
    told: Story,
}

impl PageStory {
    /// Shows the story of an outcome. `None` if the figure may be built.
    pub(super) fn new(dossier: &Dossier, outcome: &SetOutcome) -> Option<Self> {
        let figure = dossier.candidate.figure();
        let told = outcome.story.clone()?;
        let StoryKind::Marks(marks) = &told.kind else {
            return Some(Self::in_words(outcome, told));
        };
        let nameless = dossier.names.is_empty();
        let text = if nameless { seen_by_reader(figure, marks) } else { String::new() };
        let picture = if text.is_empty() {
            let title = "A proof that the figure cannot be built: marked cells".to_owned();
            let view = View { caption: false, title, ..View::default() };
            Picture::new(&Scene::of_weights(figure, &marks.weights), &view).svg
        } else {
            String::new()
        };
        Some(Self { picture, text, ..Self::in_words(outcome, told) })
    }

    fn in_words(outcome: &SetOutcome, told: Story) -> Self {
        let set = outcome.set.as_deref().unwrap_or_default().to_owned();
        let (picture, text) = <_>::default();
        Self { set, steps: told.steps.clone(), picture, text, told }
    }
}

/// The data within a figure's page.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    /// The cells as they are shown, as `shape` writes them.
    cells: String,
    /// The recorded searches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    searches: Vec<Track<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<PagePuzzle<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<PageWhy<'a>>,
}

/// The numbers of a story.
#[derive(Serialize)]
struct PageWhy<'a> {
    kind: &'static str,
    /// The mark of each cell, unless the page has them as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<&'a [i64]>,
    /// Name and shape of each piece, what it adds, and its copies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pieces: Vec<(&'a str, String, i64, usize)>,
    /// The color difference of the figure, or the sum of its marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<i64>,
}

/// A puzzle for the reader: the pieces of a set that builds the figure.
#[derive(Serialize)]
struct PagePuzzle<'a> {
    set: &'a str,
    /// The exact number of unique packings, if known.
    unique: Option<String>,
    /// The number of packings in words.
    solutions: String,
    /// The pieces as a set file, unless the name of the set stands for them.
    lines: Option<String>,
}

impl<'a> PageData<'a> {
    pub(super) fn new(dossier: &'a Dossier, story: Option<&'a PageStory>) -> Self {
        let outcomes = dossier.outcomes.iter();
        let searches =
            outcomes.clone().filter_map(|o| Some(Track::new(dossier, o, o.trace.as_ref()?)));
        let order = dossier.candidate.group().order();
        let puzzle = outcomes.filter_map(|outcome| PagePuzzle::new(outcome, order)).next();
        let why = story.map(|story| PageWhy::new(dossier, story));
        let cells = shape(dossier.candidate.figure());
        Self { cells, searches: searches.collect(), puzzle, why }
    }
}

impl<'a> PageWhy<'a> {
    fn new(dossier: &'a Dossier, PageStory { set, text, told, .. }: &'a PageStory) -> Self {
        let figure = dossier.candidate.figure();
        let (kind, marks, total) = match &told.kind {
            StoryKind::Colors => {
                ("colors", None, Some(i64::from(figure.color_difference().unsigned_abs())))
            }
            // The script reads marks from their text.
            StoryKind::Marks(marks) => {
                ("marks", text.is_empty().then_some(&marks.weights[..]), Some(marks.total()))
            }
            StoryKind::Cases(_) | StoryKind::StoredCases(_) | StoryKind::Words => {
                ("words", None, None)
            }
        };
        let of_set = |outcome: &&SetOutcome| outcome.set.as_deref() == Some(set);
        let pieces = dossier.outcomes.iter().find(of_set).and_then(|known| known.pieces.as_ref());
        // The sums of a choice of pieces are not those of all pieces.
        let pieces = pieces.filter(|pieces| !pieces.is_choice()).map(PieceSet::pieces);
        let piece = |((piece, copies), amount): (&'a (Piece, usize), &i64)| {
            (piece.name(), shape(&figure_of(piece)), *amount, *copies)
        };
        let pieces = pieces.unwrap_or_default().iter().zip(&told.amounts).map(piece);
        Self { kind, marks, pieces: pieces.collect(), total }
    }
}

impl<'a> PagePuzzle<'a> {
    /// Creates the puzzle of an outcome. `None` if the set builds no packing or its pieces are unknown.
    fn new(outcome: &'a SetOutcome, order: usize) -> Option<Self> {
        let buildable = outcome.verdict().is_some_and(Verdict::is_buildable);
        let set = outcome.pieces.as_ref().filter(|_| buildable)?;
        let is_known = parse_set(set.name()).is_ok_and(|known| known.lines() == set.lines());
        Some(Self {
            set: set.name(),
            unique: unique(outcome),
            solutions: outcome.solutions_in_words(order),
            lines: (!is_known).then(|| set.lines().join("\n")),
        })
    }
}

/// Returns the exact number of unique packings as decimal text, if known.
fn unique(outcome: &SetOutcome) -> Option<String> {
    Some(outcome.report.as_ref()?.outcome.unique()?.to_string())
}

impl<'a> Track<'a> {
    fn new(dossier: &'a Dossier, outcome: &'a SetOutcome, trace: &SearchTrace) -> Self {
        let cells = dossier.candidate.figure().cells();
        let number = |cell: &Cell| cells.binary_search(cell).ok();
        let set = outcome.pieces.as_ref().expect("a search was recorded with these pieces");
        let step = |(at, step): (usize, &solve::SearchStep)| Step {
            n: at + 1,
            depth: step.depth,
            piece: set.pieces()[step.placement.piece].0.letter(),
            cells: step.placement.cells.iter().filter_map(number).collect(),
            solved: step.solved,
        };
        Self {
            name: &dossier.heading,
            set: outcome.set.as_deref().unwrap_or_default(),
            cells: triples(dossier),
            steps: trace.steps.iter().enumerate().map(step).collect(),
            complete: trace.complete,
            packings: trace.steps.iter().filter(|step| step.solved).count(),
        }
    }
}

/// Draws the layers of a figure as plans, turned to the viewer of its picture.
pub(super) fn plans(dossier: &Dossier) -> String {
    let scene = Scene::of_figure(dossier.candidate.figure());
    let scene = scene.turned(scene.corner(None));
    let title = format!("The layers of {}", dossier.heading);
    let view = View { kind: ViewKind::Layers, caption: false, title, ..View::default() };
    Picture::new(&scene, &view).svg
}

fn figure_of(piece: &Piece) -> Figure {
    Figure::new(piece.cells().iter().copied()).expect("a piece is a figure")
}

fn triples(dossier: &Dossier) -> Vec<[i32; 3]> {
    dossier.candidate.figure().cells().iter().map(|c| c.to_array()).collect()
}

#[derive(Serialize)]
struct SolutionList<'a> {
    set: &'a str,
    /// The exact number of unique packings as decimal text, if known.
    unique: Option<String>,
    packings: Vec<String>,
    /// The codes of the packings, for the cube only.
    #[serde(skip_serializing_if = "Option::is_none")]
    somap: Option<Vec<String>>,
    /// All raw packings.
    raw: Option<String>,
    /// The placements that packings use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<UsedPlace>,
    /// The consequences of the coloring.
    rules: Vec<String>,
}

/// An orbit of placements: the piece, its number, the number of placements, that of packings, and the cells of one of
/// them, as positions in the figure.
type UsedPlace = (String, usize, usize, u64, Vec<usize>);

/// The most orbits of a piece that a page lists: the most used ones.
const MAX_ORBITS: usize = 16;

fn most_used_places(dossier: &Dossier, outcome: &SetOutcome) -> Vec<UsedPlace> {
    let (Some(set), Some(found)) = (&outcome.pieces, &outcome.places) else { return Vec::new() };
    let cells = dossier.candidate.figure().cells();
    let place = |(number, orbit): (usize, &PlaceOrbit)| {
        let name = set.pieces()[orbit.first.piece].0.name().to_owned();
        let at = orbit.first.cells.iter().filter_map(|cell| cells.binary_search(cell).ok());
        (name, number, orbit.placements, orbit.packings, at.collect())
    };
    found.most_used(MAX_ORBITS).map(place).collect()
}

/// Returns the additional files of a figure, with their names.
pub(super) fn extras(
    dossier: &Dossier,
    stem: &str,
    picture: &Picture,
    story: Option<&PageStory>,
) -> Result<Vec<(String, Vec<u8>)>, SiteError> {
    let order = dossier.candidate.group().order();
    let solutions = dossier.main_outcome().map(|main| main.solutions_in_words(order));
    let card = picture.card([&dossier.heading, &solutions.unwrap_or_default()])?;
    let mut files = vec![(format!("{CARDS}{stem}.png"), card)];
    let figure = dossier.candidate.figure();
    let lists: Vec<SolutionList<'_>> =
        dossier.outcomes.iter().filter_map(|outcome| SolutionList::new(dossier, outcome)).collect();
    if !lists.is_empty() {
        let script = format!("showSolutions({});\n", script_json(&lists)?);
        files.push((format!("solutions/{stem}.js"), script.into_bytes()));
    }
    let name = download_name(&dossier.heading);
    let in_memory = |source| SiteError::Io { path: stem.into(), source };
    let mesh =
        Mesh::new(&dossier.heading, figure.cells(), figure.extents()[2], MeshSize::default());
    let mut solid = Vec::new();
    write_stl(&[mesh], &mut solid).map_err(in_memory)?;
    files.push((format!("downloads/{stem}/{name}.stl"), solid));
    let puzzles: Vec<_> = dossier
        .outcomes
        .iter()
        .filter_map(|o| Some(PuzzleFigure::full(&dossier.heading, figure, o.pieces.clone()?)))
        .collect();
    let mut puzzle = Vec::new();
    // A figure too large for the format has no such file.
    if !puzzles.is_empty() && write_xmpuzzle(&puzzles, &mut puzzle).is_ok() {
        files.push((format!("downloads/{stem}/{name}.xmpuzzle"), puzzle));
    }
    if let Some(proof) = story.and_then(|story| certificate(dossier, story)) {
        files.push((format!("downloads/{stem}/{name}{CERTIFICATE}"), proof));
    }
    Ok(files)
}

/// The end of the names of certificates.
pub(super) const CERTIFICATE: &str = "-proof.txt";

/// Returns the certificate of a story, if one is at hand without a search.
fn certificate(dossier: &Dossier, story: &PageStory) -> Option<Vec<u8>> {
    let figure = dossier.candidate.figure();
    let of_set = |known: &&SetOutcome| known.set.as_deref() == Some(&story.set);
    let set = dossier.outcomes.iter().find(of_set)?.pieces.as_ref()?;
    let mut text = Vec::new();
    let argument = match (prefilter(figure, set), &story.told.kind) {
        (Some(obstruction), _) => Argument::Obstruction(obstruction),
        (None, StoryKind::Marks(marks)) => Argument::Marks(marks.clone()),
        (None, StoryKind::Cases(tree)) => Argument::Cases(tree.clone()),
        (None, StoryKind::StoredCases(body)) => {
            // They are those of the figure in its canonical position.
            let figure = dossier.candidate.signature().figure().ok()?;
            write_claim(&dossier.heading, (&figure, set), &mut text).ok()?;
            text.extend_from_slice(body.as_bytes());
            return Some(text);
        }
        (None, StoryKind::Colors | StoryKind::Words) => return None,
    };
    let (problem, limits) = ((figure, set), Limits::default());
    write_certificate(&dossier.heading, problem, &argument, limits, &mut text).ok()?;
    Some(text)
}

impl<'a> SolutionList<'a> {
    fn new(dossier: &Dossier, outcome: &'a SetOutcome) -> Option<Self> {
        let packings = outcome.unique_packings();
        let (figure, pieces) = (dossier.candidate.figure(), outcome.pieces.as_ref());
        let rules = pieces.map(|set| {
            color_rules(figure, set).iter().map(|rule| rule_in_words(rule, set)).collect()
        });
        let raw = outcome.report.as_ref().and_then(|report| report.outcome.raw());
        (!packings.is_empty()).then(|| Self {
            set: outcome.set.as_deref().unwrap_or_default(),
            unique: unique(outcome),
            packings: packings.iter().map(|packing| encoded(dossier, packing)).collect(),
            raw: raw.map(|raw| raw.to_string()),
            places: most_used_places(dossier, outcome),
            rules: rules.unwrap_or_default(),
            somap: packings
                .iter()
                .map(|packing| Some(SomapCode::of(&packing.pieces)?.to_string()))
                .collect(),
        })
    }
}

/// The character of piece number 0 in an encoded packing.
const FIRST_NUMBER: u32 = 0x30;

/// Encodes a packing as text. It begins with the letters of the pieces in building order and a sign for the properties
/// of that order. For each of the figure's cells, in order, follows the number of its piece in building order, as an
/// offset from `0`.
fn encoded(dossier: &Dossier, packing: &Packing) -> String {
    let cells = dossier.candidate.figure().cells();
    let mut text = packing.order_in_letters();
    text.push(match packing.building {
        Building::Stable => '=',
        Building::Unstable => '!',
        Building::StabilityUnknown => ':',
        Building::Interlocked => ';',
    });
    let owner =
        |cell: &Cell| packing.order.iter().position(|&at| packing.pieces[at].1.contains(cell));
    let sign = |at: usize| char::from_u32(FIRST_NUMBER + at as u32);
    text.extend(cells.iter().filter_map(|cell| sign(owner(cell)?)));
    text
}
