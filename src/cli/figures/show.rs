//! `somacat show`: shows everything about a figure, with a picture.

use super::figure_view::{FigureView, Screen, layers, reason_text, soma_text};
use super::packings::triples;
use super::picture_files::PictureFiles;
use super::show_display::{
    describe, describe_building, describe_cases, describe_proof, marks_in_words,
};
use super::show_set::{NamedSet, show_set};
use super::stand::{rounded, stable_sides_text};
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::files_read::note_read;
use crate::cli::shared::input::{announce_waiting, piece_set};
use crate::cli::shared::mistakes::report_mistakes;
use crate::cli::shared::output::{colored_stdout, stdout};
use crate::cli::{Exit, Global, eprintln, report_refused, stop_on_signals};
use clap::{ArgGroup, Args, ValueEnum};
use serde::Serialize;
use somacat_catalog::StructureNumbers;
use somacat_counting::enumerate::FigureNumber;
use somacat_counting::places::{PlaceOrbit, color_rules};
use somacat_counting::prove::{CaseStep, Marks};
use somacat_counting::solve::Limits;
use somacat_counting::stand::{DEFAULT_FRICTION, Side, SolidStability, solid_stability};
use somacat_formats::{Colors, Format, count_noun, read_piece_set};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Transform;
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::somap::SomapCode;
use somacat_geometry::symmetry::PlanSymbol;
use somacat_output::dossier::{
    Building, LookupReports, Packing, PackingSource, SetOutcome, Subject, look_up, rule_in_words,
};
use somacat_output::draw::{Picture, Scene, View, ViewKind, building};
use somacat_output::export::{Spelling, explanation};
use somacat_run::default_limits;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
FIGURE is a file (or - for standard input), a signature, a number such as Oh-27.1, or a name in the
catalog. A part of a name or title is enough if it belongs to only one figure; * and ? stand for
any text and any character. The figure has the position of the given name. A file needs no catalog.
Missing counts are computed within --nodes. A solution is checked as loose pieces with friction 0.5;
`somacat stand` checks all solutions, on any side and with other friction.

In a terminal the picture is drawn in color, unless NO_COLOR is set, and the output is arranged to
fit the screen; --all shows everything. --svg and --png write only the picture, to a file. Plans
next to it show the cells that are hidden from the chosen corner.

Examples:
  somacat show cube
  somacat show bedlam
  somacat show s1-2x2x7-yzzzz7 --json
  somacat show figures.soma --number 3
  somacat show tower --svg tower.svg --kind packing
  somacat show cube --svg cube.svg --kind building
  somacat show cube --kind building
  somacat show W-wall --kind proof
  somacat show tower --png tower.png --kind exploded --size 1200 --corner left-back-top")]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true))]
pub(crate) struct ShowArgs {
    /// A figure, or a set of `somacat sets`. A figure is a file, -, a signature, a number, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// Only the N-th sound figure of a file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// The pieces, as for `count`; by default those that the marks of a packing name, those of the
    /// catalog, or a whole set that has the figure's number of cells.
    #[arg(long)]
    set: Option<String>,
    /// Search limit, in nodes, for counting and again for finding a solution; 20,000,000 if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Write the picture as SVG to a file, or - for standard output.
    #[arg(long, value_name = "FILE", help_heading = "Picture")]
    svg: Option<PathBuf>,
    /// Write the picture as PNG to a file, or - for standard output.
    #[arg(long, value_name = "FILE", help_heading = "Picture")]
    png: Option<PathBuf>,
    /// Content of the picture; exploded and layers show a solution if there is one. Without a file, proof is shown in
    /// the terminal, and building in words.
    #[arg(
        long,
        value_enum,
        default_value = "figure",
        help_heading = "Picture",
        requires_ifs = ["figure", "packing", "exploded", "layers"].map(|kind| (kind, "picture"))
    )]
    kind: PictureKind,
    /// The longer side of the picture in pixels; 32 for each edge of a cell if not given.
    #[arg(
        long, value_name = "PIXELS", help_heading = "Picture", requires = "picture",
        value_parser = clap::value_parser!(u32).range(16..=16384)
    )]
    size: Option<u32>,
    /// Everything but the picture as a JSON array of objects.
    #[arg(long, conflicts_with_all = ["svg", "png", "corner"], help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    screen: Screen,
    /// The file's format; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

const DEFAULT_NODES: u64 = 20_000_000;

impl ShowArgs {
    fn files(&self) -> Result<PictureFiles> {
        PictureFiles::open(self.svg.as_deref(), self.png.as_deref())
    }

    /// Refuses options that would not change what is shown of the figures.
    fn require_effect(&self, global: &Global, subjects: &[Subject]) -> Result<()> {
        let of_file = subjects.iter().any(|subject| subject.file.is_some());
        if self.format.is_some() && !of_file {
            return Err(Failure::usage("--format is for figures in files"));
        }
        let useless = match self.kind {
            PictureKind::Proof => Some("--json has every proof in `counts`, without --kind proof"),
            PictureKind::Building => Some("--json has the solution, without --kind building"),
            _ => None,
        };
        if let (Some(text), true) = (useless, self.json) {
            return Err(Failure::usage(text));
        }
        if self.kind == PictureKind::Layers && self.screen.corner.is_some() {
            return Err(Failure::usage("--kind layers draws plans, which have no --corner"));
        }
        if self.svg.is_none() && self.png.is_none() || self.kind != PictureKind::Figure {
            return Ok(());
        }
        let useless = |option: &str| {
            let text =
                "is for a solution, which --kind figure does not draw; choose another --kind";
            Err(Failure::usage(format!("{option} {text}")))
        };
        if self.nodes.is_some() {
            return useless("--nodes");
        }
        // A set also selects one of several figures of a name.
        let is_same = |found: Vec<Subject>| {
            found.len() == subjects.len()
                && found.iter().zip(subjects).all(|(a, b)| a.figure == b.figure)
        };
        let silent = LookupReports { note: &|_| {}, refusal: &|_| {} };
        let without = || look_up(&global.db, &self.figure, (None, Colors::Refused), None, silent);
        if self.set.is_some() && (of_file || without().is_ok_and(is_same)) {
            return useless("--set");
        }
        Ok(())
    }
}

/// The limit of work on stability: hundreds of stages of seven pieces. See
/// [`somacat_output::dossier::Dossier::analyze_stability`].
const STABILITY_WORK: usize = 1 << 18;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum PictureKind {
    /// The figure.
    Figure,
    /// A solution, each piece in its color and with its letter.
    Packing,
    /// A solution that is built piece by piece: an animation; as PNG its end.
    Building,
    /// Each layer separately.
    Exploded,
    /// Plans of the layers.
    Layers,
    /// The figure with marks that prove that it cannot be built, or as text with a proof of a few cases; also without a
    /// file.
    Proof,
}

pub(crate) fn show(global: &Global, args: &ShowArgs) -> Result<Exit> {
    let set = args.set.as_deref().map(piece_set).transpose()?;
    if let Some(named) = NamedSet::find(&args.figure).filter(|_| !Path::new(&args.figure).exists())
    {
        let kind = args.kind != PictureKind::Figure;
        let of_figures = args.number.is_some() || set.is_some() || args.nodes.is_some();
        if of_figures || args.format.is_some() || kind {
            let text =
                "is a set of pieces; --number, --set, --nodes, --kind and --format are for figures";
            return Err(Failure::usage(format!("{} {text}", args.figure)));
        }
        let (files, screen) = (&mut args.files()?, &args.screen);
        return show_set(&named, (screen, args.size, args.json), files, global);
    }
    announce_waiting(Path::new(&args.figure));
    note_read(Path::new(&args.figure));
    // A signal ends the program while it reads a pipe.
    let reports = LookupReports { note: &eprintln, refusal: &report_refused };
    let form = (args.format, Colors::Refused);
    let mut subjects = look_up(&global.db, &args.figure, form, set.as_ref(), reports)?;
    if subjects.len() > 1 {
        note_pieces(global, &args.figure);
    }
    args.require_effect(global, &subjects)?;
    let stop = stop_on_signals()?;
    let limits = Limits { nodes: args.nodes.or(Some(DEFAULT_NODES)), ..default_limits(stop) };
    let mut files = args.files()?;
    if let Some(number) = args.number {
        subjects = vec![numbered(subjects, number as usize, &args.figure)?];
    }
    if files.any() && subjects.len() > 1 {
        let most = subjects.len();
        let text =
            format!("{} has {most} figures; --number 1 … {most} draws one of them", args.figure);
        return Err(Failure::failed(text));
    }
    let mut out: Box<dyn Write> =
        if args.json { Box::new(stdout()) } else { Box::new(colored_stdout()) };
    let mut all = Vec::new();
    for (at, subject) in subjects.iter().enumerate() {
        let mut shown = FigureView::new(subject, set.as_ref(), limits);
        if let (Some(file), Ok(set)) = (&subject.file, &shown.set) {
            report_mistakes(file, set).unwrap_or_else(|refusal| eprintln(&refusal));
        }
        if args.kind == PictureKind::Building {
            shown.dossier.analyze_stability(limits, STABILITY_WORK);
        }
        if files.any() {
            draw(&mut files, &shown, args, limits, global).context(subject.name.clone())?;
        } else if matches!(args.kind, PictureKind::Proof | PictureKind::Building) {
            if at > 0 {
                writeln!(out)?;
            }
            let described = if args.kind == PictureKind::Proof {
                proof(&mut out, &shown, args, limits)
            } else {
                solution(&shown)
                    .and_then(|packing| describe_building(&mut out, &shown, &args.screen, packing))
            };
            described.context(subject.name.clone())?;
        } else {
            shown.dossier.analyze_stability(limits, STABILITY_WORK);
            if args.json {
                shown.dossier.find_places(limits);
                all.push(Facts::new(&shown).context(subject.name.clone())?);
            } else {
                if at > 0 {
                    writeln!(out)?;
                }
                describe(&mut out, &shown, &args.screen).context(subject.name.clone())?;
            }
        }
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// Returns the figure of a file with a number from 1.
fn numbered(mut subjects: Vec<Subject>, number: usize, file: &str) -> Result<Subject> {
    if number > subjects.len() {
        let has = count_noun(subjects.len(), "figure");
        return Err(Failure::failed(format!("{file} has {has}, not {number}")));
    }
    Ok(subjects.swap_remove(number - 1))
}

/// Says that a file of several figures may be meant as pieces.
fn note_pieces(global: &Global, file: &str) {
    if let Ok(set) = read_piece_set(Path::new(file)) {
        let (pieces, cells) = (count_noun(set.piece_count(), "piece"), set.total_cells());
        global.note(&format!("--set {file} takes this file as {pieces}, {cells} cells in total"));
    }
}

/// Returns the shown solution.
fn solution(shown: &FigureView) -> Result<&Packing> {
    let none = |why: String| Failure::failed(format!("no solution to draw: {why}"));
    shown.packing().map_err(|why| none(reason_text(&why)))
}

/// Returns the marks that prove that the figure cannot be built with the shown set.
fn marks(shown: &FigureView, limits: Limits<'_>) -> Result<Marks> {
    let figure = shown.dossier.candidate.figure();
    let outcome = shown.outcome();
    let report = outcome.and_then(|outcome| outcome.report.as_ref());
    if report.is_some_and(|report| report.outcome.verdict().is_buildable()) {
        return Err(Failure::failed("it can be built; `somacat prove` proves its count"));
    }
    let marks = outcome.and_then(|outcome| outcome.any_marks(figure, limits));
    marks.ok_or_else(|| {
        let text = "no marks prove that it cannot be built; `somacat prove` looks for other proofs";
        Failure::failed(text)
    })
}

/// Prints marks that prove that the figure cannot be built or, without any, cases.
fn proof(
    out: &mut impl Write,
    shown: &FigureView,
    args: &ShowArgs,
    limits: Limits<'_>,
) -> Result<()> {
    match marks(shown, limits) {
        Ok(marks) => describe_proof(out, shown, &args.screen, &marks),
        Err(none) => match cases(shown) {
            Some(steps) => describe_cases(out, shown, &args.screen, &steps),
            None => Err(none),
        },
    }
}

/// Returns the steps of a proof by cases that the figure cannot be built with the shown set.
fn cases(shown: &FigureView) -> Option<Vec<CaseStep>> {
    shown.outcome()?.cases(shown.dossier.candidate.figure())
}

/// Everything about a figure, for programs.
#[derive(Serialize)]
struct Facts {
    name: String,
    title: Option<String>,
    credit: Option<String>,
    /// The other comments of its source.
    note: Option<String>,
    cells: usize,
    #[serde(rename = "box")]
    extents: [u32; 3],
    parts: usize,
    signature: String,
    /// The permanent number; `None` if the class has too many figures.
    number: Option<String>,
    class: &'static str,
    schoenflies: &'static str,
    hermann_mauguin: &'static str,
    allen: Option<char>,
    oeis: &'static str,
    description: &'static str,
    order: usize,
    rotation_order: usize,
    cyclic_orders: Vec<usize>,
    elements: Vec<u8>,
    plan: String,
    /// The sides on which it stands as one solid.
    stands: String,
    sides: Vec<SideFacts>,
    parity: u32,
    parity_argument: String,
    counts: Vec<CountFacts>,
    names: Vec<String>,
    /// Names of published mirror images, with the names of the mirrored figures.
    mirror_images: BTreeMap<String, String>,
    origins: Vec<String>,
    layers: Option<String>,
    solution: Option<SolutionFacts>,
    /// The reason why there is no solution.
    no_solution: Option<String>,
    /// The places of each piece, as `somacat places` lists them. Empty without packings or with too many.
    places: Vec<PlaceFacts>,
    /// The consequences of a checkerboard coloring for the set of the solution.
    color_rules: Vec<String>,
}

#[derive(Serialize)]
struct PlaceFacts {
    set: String,
    piece: String,
    orbit: usize,
    placements: usize,
    packings: u64,
    /// The cells of one of the placements.
    first: Vec<[i32; 3]>,
}

#[derive(Serialize)]
struct CountFacts {
    set: String,
    verdict: &'static str,
    reason: Option<String>,
    raw: Option<u128>,
    rotation: Option<u128>,
    unique: Option<u128>,
    /// The kind of the proof that there is no packing: `marks` or `cases` if some were found now, that of the catalog, or
    /// else the reason.
    proof: Option<&'static str>,
    /// The proof by marks in words.
    proof_in_words: Option<String>,
    /// The steps of a proof by cases, if there are no marks.
    proof_cases: Vec<CaseFacts>,
    /// `catalog`, or `now` if it was counted for this answer.
    counted: &'static str,
    /// The results in the catalog's columns about packings.
    map_components: Option<usize>,
    map_solitary: Option<usize>,
    friction: Option<f64>,
    set_up: Option<usize>,
    stand: Option<usize>,
    by_hand: Option<usize>,
}

#[derive(Serialize)]
struct CaseFacts {
    /// The number of the case, such as `1.2`; empty for the whole figure.
    case: String,
    words: String,
    /// The layers as `--kind proof` draws them.
    drawing: Option<String>,
}

#[derive(Serialize)]
struct SideFacts {
    side: &'static str,
    stands: bool,
    /// In cells; negative if it tips over.
    margin: f64,
}

#[derive(Serialize)]
struct SolutionFacts {
    set: String,
    /// `file` if the figure's file shows it, `now` if newly found.
    found: &'static str,
    /// `None` if it cannot be written as SOMA text.
    soma: Option<String>,
    friction: f64,
    /// True if it stands as loose pieces; `None` if unknown.
    stands: Option<bool>,
    /// True if buildable from above with every stage standing; `None` if unknown.
    by_hand: Option<bool>,
    /// The letters of the pieces in such an order.
    order: Option<String>,
    /// For the cube, its code on the map of Conway and Guy.
    somap: Option<String>,
    /// The code of its mirror image.
    somap_mirror: Option<String>,
}

impl Facts {
    fn new(shown: &FigureView) -> Result<Self> {
        let dossier = &shown.dossier;
        let (figure, group) = (dossier.candidate.figure(), dossier.candidate.group());
        let (class, columns) = (group.class(), dossier.candidate.columns());
        let (solution, no_solution) = match shown.packing() {
            Ok(packing) => (Some(SolutionFacts::new(shown, packing)?), None),
            Err(why) => (None, Some(reason_text(&why))),
        };
        Ok(Self {
            name: dossier.heading.clone(),
            title: dossier.presentation.title.clone(),
            credit: dossier.presentation.credit.clone(),
            note: dossier.presentation.note.clone(),
            cells: columns.cells,
            extents: figure.extents(),
            parts: columns.parts,
            signature: dossier.signature.to_string(),
            number: FigureNumber::of(&dossier.candidate).map(|number| number.to_string()),
            class: class.name(),
            schoenflies: class.schoenflies(),
            hermann_mauguin: class.hermann_mauguin(),
            allen: class.allen(),
            oeis: class.oeis(),
            description: class.description(),
            order: group.order(),
            rotation_order: group.rotation_order(),
            cyclic_orders: group.cyclic_orders(),
            elements: group.iter().map(Transform::number).collect(),
            plan: PlanSymbol::of(group).to_string(),
            stands: stable_sides_text(figure),
            sides: Side::ALL.map(|side| SideFacts::new(figure, side)).into(),
            parity: columns.parity,
            parity_argument: dossier.parity_argument(shown.set.as_ref().ok()),
            counts: (dossier.outcomes.iter())
                .filter_map(|known| CountFacts::new(known, figure))
                .collect(),
            names: dossier.names.clone(),
            mirror_images: (dossier.presentation.mirror_images.iter())
                .map(|image| (image.name.clone(), image.of.clone()))
                .collect(),
            origins: dossier.origins_in_words(),
            layers: layers(dossier),
            solution,
            no_solution,
            places: dossier.outcomes.iter().flat_map(PlaceFacts::all).collect(),
            color_rules: (shown.set.iter())
                .flat_map(|set| {
                    let rules = color_rules(figure, set).into_iter();
                    rules.map(move |rule| rule_in_words(&rule, set))
                })
                .collect(),
        })
    }
}

impl PlaceFacts {
    fn all(known: &SetOutcome) -> Vec<Self> {
        let (Some(set), Some(found)) = (&known.pieces, &known.places) else { return Vec::new() };
        let one = |(orbit, place): (usize, &PlaceOrbit)| Self {
            set: set.name().to_owned(),
            piece: set.pieces()[place.first.piece].0.name().to_owned(),
            orbit,
            placements: place.placements,
            packings: place.packings,
            first: triples(&place.first.cells),
        };
        found.numbered().map(one).collect()
    }
}

impl CountFacts {
    fn new(known: &SetOutcome, figure: &Figure) -> Option<Self> {
        let outcome = &known.report.as_ref()?.outcome;
        let marks = known.marks(figure);
        let steps = if marks.is_some() { None } else { known.cases(figure) };
        let case = |CaseStep { number: case, words, drawing }| CaseFacts { case, words, drawing };
        let proof_cases: Vec<_> = steps.into_iter().flatten().map(case).collect();
        let by_marks = marks.as_ref().map(|_| ProofKind::Marks);
        let by_cases = (!proof_cases.is_empty()).then_some(ProofKind::Cases);
        let proof = by_marks.or(by_cases).or(known.proof).or(outcome.reason().map(ProofKind::from));
        let StructureNumbers { map, stand } = known.structure;
        Some(Self {
            set: known.set.as_deref()?.to_owned(),
            verdict: outcome.verdict().word(),
            reason: explanation(outcome).map(str::to_owned),
            raw: outcome.raw(),
            rotation: outcome.rotation(),
            unique: outcome.unique(),
            proof: proof.map(ProofKind::word),
            proof_cases,
            proof_in_words: marks.and_then(|marks| Some(marks.in_words(known.pieces.as_ref()?))),
            counted: if known.fresh { "now" } else { "catalog" },
            map_components: map.map(|map| map.components),
            map_solitary: map.map(|map| map.solitary),
            friction: stand.map(|stand| stand.friction),
            set_up: stand.map(|stand| stand.set_up),
            stand: stand.map(|stand| stand.stand),
            by_hand: stand.map(|stand| stand.by_hand),
        })
    }
}

impl SideFacts {
    fn new(figure: &Figure, side: Side) -> Self {
        let SolidStability { stands, margin, .. } = solid_stability(figure, side);
        Self { side: side.word(), stands, margin: rounded(margin) }
    }
}

impl SolutionFacts {
    fn new(shown: &FigureView, packing: &Packing) -> Result<Self> {
        Ok(Self {
            set: shown.set_name().unwrap_or_default().to_owned(),
            found: match packing.source {
                PackingSource::File => "file",
                PackingSource::Search => "now",
            },
            soma: soma_text(shown, packing).ok(),
            friction: DEFAULT_FRICTION,
            stands: packing.stands,
            by_hand: packing.can_be_built_by_hand(),
            order: (packing.building == Building::Stable).then(|| packing.order_in_letters()),
            somap: SomapCode::of(&packing.pieces).map(|code| code.to_string()),
            somap_mirror: SomapCode::of_mirror_image(&packing.pieces).map(|code| code.to_string()),
        })
    }
}

/// Draws a figure as the options demand.
fn draw(
    files: &mut PictureFiles,
    shown: &FigureView,
    args: &ShowArgs,
    limits: Limits<'_>,
    global: &Global,
) -> Result<()> {
    let figure = shown.dossier.candidate.figure();
    let mut note = String::new();
    let scene = match (args.kind, shown.packing()) {
        (PictureKind::Proof, _) => {
            let marks = marks(shown, limits)?;
            note = marks_in_words(shown, &marks);
            Scene::of_weights(figure, &marks.weights)
        }
        (PictureKind::Packing | PictureKind::Building, _) => {
            Scene::of_packing(figure, &solution(shown)?.pieces)?
        }
        (PictureKind::Figure, _) | (_, Err(_)) => Scene::of_figure(figure),
        (_, Ok(packing)) => Scene::of_packing(figure, &packing.pieces)?,
    };
    let view = View {
        corner: args.screen.corner,
        kind: match args.kind {
            PictureKind::Figure
            | PictureKind::Packing
            | PictureKind::Building
            | PictureKind::Proof => ViewKind::Solid,
            PictureKind::Exploded => ViewKind::Exploded,
            PictureKind::Layers => ViewKind::Layers,
        },
        size: args.size,
        title: shown.dossier.heading.clone(),
        note,
        ..View::default()
    };
    let picture = match shown.packing() {
        Ok(packing) if args.kind == PictureKind::Building => {
            let pieces: Vec<_> =
                (packing.order.iter()).map(|&at| packing.pieces[at].clone()).collect();
            building(figure, &pieces, &view)?
        }
        _ => Picture::new(&scene, &view),
    };
    files.write(&picture, global)
}
