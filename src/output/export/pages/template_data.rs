//! The data of figures for templates. Templates use the field names, which `site/template_variables.txt` lists.

use crate::dossier::{Dossier, Packing, SetOutcome, entry_in_words, file_name};
use crate::draw::Scene;
use crate::export::explanation;
use serde::Serialize;
use somacat_counting::prove::{CaseStep, Marks};
use somacat_formats::{piece_marks, soma_figure, soma_packing};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::GAP;
use somacat_geometry::spelling::Spelling;
use somacat_geometry::symmetry::PlanSymbol;
use std::collections::BTreeSet;

#[derive(Serialize)]
pub(super) struct FigureData {
    /// The first name, or the entry's file and number. The signature if there is neither.
    heading: String,
    /// The title from its source, or empty.
    title: String,
    /// Its credit, or empty.
    credit: String,
    /// The other comments of its source, or empty.
    note: String,
    signature: String,
    /// All names: the displayed one first, the others in the order of import.
    names: Vec<String>,
    /// The other names, with mirror images marked.
    other_names: Vec<String>,
    /// The name of the figure that this one mirrors, or empty.
    mirror_image_of: String,
    sources: Vec<SourceData>,
    /// The symmetry class by its full name.
    class: &'static str,
    class_description: &'static str,
    /// Bob Allen's letter, or empty.
    allen: String,
    /// Elements of the group.
    order: usize,
    /// Rotations among them.
    rotation_order: usize,
    /// The symmetry in plain words: "no symmetry" if there is none.
    symmetry: String,
    /// How symmetric the figure is: "very symmetric".
    symmetry_degree: &'static str,
    cyclic_orders: Vec<usize>,
    /// GNU Go's sign for the symmetry of the plan.
    plan: String,
    cells: usize,
    /// Extents along x, y and z.
    extents: [u32; 3],
    /// Separate parts.
    parts: usize,
    /// |black − white|.
    parity: u32,
    /// The pictures' corner of view in a sentence; empty if usual.
    view: String,
    /// The figure as SOMA text; empty if its box is too large.
    soma: String,
    /// One outcome for each piece set. A figure never counted has one without a set.
    pub(super) outcomes: Vec<OutcomeData>,
}

/// An entry of a source.
#[derive(Serialize)]
struct SourceData {
    /// The name there, or file and line.
    name: String,
    /// The file, without its folders.
    source: String,
    /// Its line, from 1.
    line: u64,
    /// The entry's title, or empty.
    title: String,
    /// Its other comments, or empty.
    note: String,
    /// The name of the figure that the entry mirrors, or empty.
    mirror_image_of: String,
}

/// The results for a figure with one piece set. Counts are decimal text, empty if unknown.
#[derive(Serialize)]
pub(super) struct OutcomeData {
    /// The piece set; empty if the figure was never counted.
    pub(in crate::export) set: String,
    /// The verdict's word, or empty.
    pub(in crate::export) verdict: &'static str,
    /// The reason's word, or the error's text; may be empty.
    pub(in crate::export) reason: String,
    /// Verdict and reason in a sentence.
    sentence: String,
    /// The number of unique packings as part of a sentence: "1 unique solution"; empty if the figure was never
    /// counted.
    pub(in crate::export) solutions: String,
    /// The number of ways to build it: "240 ways to build it".
    ways: String,
    /// The difficulty from 1 to 5; 0 if unknown.
    pub(super) difficulty: usize,
    /// The difficulty as five stars, filled and empty; or empty.
    stars: String,
    /// The difficulty in words: "medium"; or empty.
    difficulty_word: &'static str,
    parity_argument: String,
    /// True if `raw` is only a lower bound.
    at_least: bool,
    pub(in crate::export) raw: String,
    /// Packings up to the figure's rotations.
    pub(in crate::export) rotation: String,
    /// Packings up to the figure's rotations and reflections.
    pub(in crate::export) unique: String,
    /// The connections of its packings, or empty if the catalog lacks them.
    map: String,
    /// The stability of its packings, or empty.
    stand: String,
    /// A sample packing, if one was found.
    pub(in crate::export) packing: Option<PackingData>,
    /// The reason for having no sample. Empty if there is one or the figure has no packing.
    no_packing: String,
    /// The proof that it has no packing, once [`FigureData::find_proofs`] found one.
    pub(in crate::export) proof: Option<ProofData>,
}

/// The most cases of a proof that are shown one by one: a page of them.
const MAX_CASES: usize = 24;

/// A proof that a figure has no packing: marks, or cases.
#[derive(Serialize)]
pub(super) struct ProofData {
    /// Which pieces cover how many marks, or into how many cases the proof divides.
    words: String,
    /// The marks, or the cell to be covered, on the layers from top to bottom, turned as in the picture; empty if they do
    /// not fit.
    pub(super) layers: Vec<String>,
    /// The cases, each with its words and layers. Marks have none, nor are there too many.
    pub(super) cases: Vec<CaseData>,
    #[serde(skip)]
    pub(super) marks: Option<Marks>,
}

/// A case of a proof.
#[derive(Serialize)]
pub(super) struct CaseData {
    words: String,
    /// The pieces that lie there, and marks, on the layers from top to bottom.
    pub(super) layers: Vec<String>,
}

/// A packing with its pieces in building order.
#[derive(Serialize)]
pub(super) struct PackingData {
    /// The packing as SOMA text; empty if the box is too large.
    soma: String,
    /// Its layers from top to bottom, turned as in the picture, the back row first.
    pub(super) layers: Vec<String>,
    /// True if the layers have the numbers of copies, which no SOMA text has.
    numbered: bool,
    /// What hands must know besides; may be empty.
    warning: &'static str,
    /// Where each piece goes, in words, in that order, turned as in the picture.
    instructions: Vec<String>,
}

impl FigureData {
    pub(in crate::export) fn new(dossier: &Dossier) -> Self {
        let (figure, group) = (dossier.candidate.figure(), dossier.candidate.group());
        let (class, columns) = (group.class(), dossier.candidate.columns());
        let mirrored = |name: &str| {
            let image = dossier.presentation.mirror_image(name);
            image.map(|image| image.of.clone()).unwrap_or_default()
        };
        let mut sources: Vec<SourceData> = Vec::new();
        for origin in &dossier.origins {
            let (name, source) = (entry_in_words(origin), file_name(&origin.source).to_owned());
            // Further solutions under one header are not further sources.
            if !sources.iter().any(|known| known.name == name && known.source == source) {
                let title = origin.title.clone().unwrap_or_default();
                let note = origin.note.clone().unwrap_or_default();
                let mirror_image_of = mirrored(&name);
                sources.push(SourceData {
                    name,
                    source,
                    line: origin.line,
                    title,
                    note,
                    mirror_image_of,
                });
            }
        }
        Self {
            heading: dossier.heading.clone(),
            title: dossier.presentation.title.clone().unwrap_or_default(),
            credit: dossier.presentation.credit.clone().unwrap_or_default(),
            note: dossier.presentation.note.clone().unwrap_or_default(),
            signature: dossier.signature.to_string(),
            names: dossier.names.clone(),
            other_names: dossier.names_in_words().split_off(dossier.names.len().min(1)),
            mirror_image_of: mirrored(&dossier.heading),
            sources,
            class: class.name(),
            class_description: class.description(),
            allen: class.allen().map(String::from).unwrap_or_default(),
            order: group.order(),
            rotation_order: group.rotation_order(),
            symmetry: class.in_plain_words(),
            symmetry_degree: symmetry_degree(group.order()),
            cyclic_orders: group.cyclic_orders(),
            plan: PlanSymbol::of(group).to_string(),
            cells: columns.cells,
            extents: figure.extents(),
            parts: columns.parts,
            parity: columns.parity,
            view: Scene::of_figure(figure).corner(None).in_words(),
            soma: soma_figure(header(dossier).as_deref(), None, figure).unwrap_or_default(),
            outcomes: dossier.outcomes.iter().map(|o| OutcomeData::new(dossier, o)).collect(),
        }
    }

    /// Finds proofs for the sets of which a search showed that they have no packing.
    pub(super) fn find_proofs(&mut self, dossier: &Dossier) {
        let figure = dossier.candidate.figure();
        for (known, data) in dossier.outcomes.iter().zip(&mut self.outcomes) {
            data.proof = ProofData::new(figure, known);
        }
    }
}

impl ProofData {
    fn new(figure: &Figure, known: &SetOutcome) -> Option<Self> {
        let Some(marks) = known.marks(figure) else { return Self::by_cases(figure, known) };
        let words = marks.in_words(known.pieces.as_ref()?);
        let layers = layers_of(&seen_by_reader(figure, &marks));
        Some(Self { words, layers, cases: Vec::new(), marks: Some(marks) })
    }

    fn by_cases(figure: &Figure, known: &SetOutcome) -> Option<Self> {
        let corner = Scene::of_figure(figure).corner(None);
        let cells = figure.cells().iter().map(|&cell| corner.turned_to_default(cell));
        let turned = Figure::new(cells).expect("a turned figure is a figure");
        let steps = known.cases(&turned)?;
        let is_first = |step: &&CaseStep| !step.number.is_empty() && !step.number.contains('.');
        let each = if steps.iter().filter(is_first).count() == 1 { "It" } else { "Each" };
        let data = |step: CaseStep| CaseData {
            words: step.words,
            layers: layers_of(&step.drawing.unwrap_or_default()),
        };
        let mut cases: Vec<_> = steps.into_iter().map(data).collect();
        let CaseData { mut words, layers } = cases.remove(0);
        if cases.len() > MAX_CASES {
            words += &format!(" {each} fails, in {} cases together.", cases.len());
            cases.clear();
        }
        Some(Self { words, layers, cases, marks: None })
    }
}

/// Divides a drawing of layers beside each other into the layers.
fn layers_of(drawing: &str) -> Vec<String> {
    let rows: Vec<Vec<&str>> = drawing.lines().map(|row| row.split(' ').collect()).collect();
    let number = rows.first().map_or(0, Vec::len);
    let layer = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<_>>().join("\n");
    (0..number).map(layer).collect()
}

/// Draws marks on the layers of the figure as its picture shows it: turned to the viewer. Empty if they do not fit.
pub(super) fn seen_by_reader(figure: &Figure, marks: &Marks) -> String {
    let corner = Scene::of_figure(figure).corner(None);
    let cells = figure.cells().iter().map(|&cell| corner.turned_to_default(cell));
    let mut weights: Vec<_> = cells.clone().zip(marks.weights.iter().copied()).collect();
    weights.sort_unstable_by_key(|(cell, _)| *cell);
    let turned = Figure::new(cells).expect("a turned figure is a figure");
    let weights = weights.into_iter().map(|(_, weight)| weight).collect();
    Marks { weights, ..marks.clone() }.drawing(&turned).unwrap_or_default()
}

impl OutcomeData {
    fn new(dossier: &Dossier, known: &SetOutcome) -> Self {
        let outcome = known.report.as_ref().map(|report| &report.outcome);
        let number = |n: Option<u128>| n.map(|n| n.to_string()).unwrap_or_default();
        let order = dossier.candidate.group().order();
        let at_least = matches!(outcome, Some(Outcome::AtLeast(_)));
        let counted = outcome.filter(|outcome| outcome.is_exact() || at_least);
        let packing = known.first_packing();
        let difficulty = known.difficulty();
        let stars = |filled| "★".repeat(filled) + &"☆".repeat(5 - filled);
        let failed = known.packings.as_ref().and_then(|packing| packing.as_ref().err());
        Self {
            set: known.set.as_deref().unwrap_or_default().to_owned(),
            verdict: outcome.map(|outcome| outcome.verdict().word()).unwrap_or_default(),
            reason: outcome.and_then(explanation).unwrap_or_default().to_owned(),
            sentence: known.sentence(dossier.candidate.figure()),
            solutions: known.solutions_in_words(order),
            ways: known.ways_in_words(order),
            difficulty: difficulty.unwrap_or(0),
            stars: difficulty.map(stars).unwrap_or_default(),
            difficulty_word: known.difficulty_in_words().unwrap_or_default(),
            parity_argument: dossier.parity_argument(known.pieces.as_ref()),
            at_least,
            raw: number(counted.and_then(Outcome::raw)),
            rotation: number(counted.and_then(Outcome::rotation)),
            unique: number(counted.and_then(Outcome::unique)),
            map: known.map_in_words().unwrap_or_default(),
            stand: known.stand_in_words().unwrap_or_default(),
            packing: packing.map(|packing| PackingData::new(dossier, packing)),
            no_packing: failed.map(ToString::to_string).unwrap_or_default(),
            proof: None,
        }
    }
}

impl PackingData {
    fn new(dossier: &Dossier, packing: &Packing) -> Self {
        // Without marks there is no text, but still the packing.
        let marks = |packing: &Packing| piece_marks(&packing.pieces).unwrap_or_default();
        let soma =
            soma_packing(header(dossier).as_deref(), None, &marks(packing)).unwrap_or_default();
        // All else lies as in the picture: turned to the viewer.
        let packing = packing.turned(Scene::of_figure(dossier.candidate.figure()).corner(None));
        let lettered = lettered(&packing.pieces);
        let numbered = lettered.is_none();
        let layers = match lettered {
            Some(pieces) => packing_layers(&pieces),
            None => numbered_layers(&packing.pieces),
        };
        let warning = packing.warning().unwrap_or_default();
        Self { soma, layers, numbered, warning, instructions: packing.instructions() }
    }
}

/// Returns pieces with the letters of the picture, small ones for second copies. `None` if these do not distinguish all
/// pieces, as with a third copy. Gaps need not be distinguished.
fn lettered(pieces: &[(char, Vec<Cell>)]) -> Option<Vec<(char, Vec<Cell>)>> {
    let mut lettered = pieces.to_vec();
    let mut names = BTreeSet::new();
    for (name, _) in lettered.iter_mut().filter(|(name, _)| *name != GAP) {
        if !names.insert(*name) {
            *name = name.to_ascii_lowercase();
            if !names.insert(*name) {
                return None;
            }
        }
    }
    Some(lettered)
}

/// Writes the layers of a packing, with the mark of a piece for each of its cells.
fn packing_layers(marked: &somacat_formats::Marks) -> Vec<String> {
    let text = soma_packing(Some("layers"), None, marked).unwrap_or_default();
    let rows: Vec<Vec<&str>> =
        text.lines().skip(1).map(|row| row.split('/').skip(1).collect()).collect();
    let number = rows.first().map_or(0, Vec::len);
    let layer =
        |at: usize| -> Vec<&str> { rows.iter().filter_map(|row| row.get(at).copied()).collect() };
    (0..number).map(|at| layer(at).join("\n")).collect()
}

/// Writes the layers with the letters and numbers of the picture, in columns: `V1 V2 L`.
fn numbered_layers(pieces: &[(char, Vec<Cell>)]) -> Vec<String> {
    let copies = |name, pieces: &[(char, Vec<Cell>)]| {
        pieces.iter().filter(|(other, _)| *other == name).count()
    };
    let label = |(at, &(name, _)): (usize, &(char, Vec<Cell>))| match copies(name, pieces) {
        _ if name == GAP => GAP.to_string(),
        1 => name.to_string(),
        _ => format!("{name}{}", copies(name, &pieces[..=at])),
    };
    let labels: Vec<String> = pieces.iter().enumerate().map(label).collect();
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    // Each piece has a character for private use until its label replaces it.
    const FIRST: u32 = 0xE000;
    let stand_ins = (FIRST..).filter_map(char::from_u32);
    let marked = stand_ins.zip(pieces).map(|(mark, (_, cells))| (mark, cells.clone())).collect();
    let written = |mark: char| -> String {
        let at = (mark as u32).checked_sub(FIRST);
        let label = at.and_then(|at| labels.get(at as usize)).cloned();
        format!("{:width$}", label.unwrap_or_else(|| mark.to_string()))
    };
    let row = |row: &str| row.chars().map(written).collect::<Vec<_>>().join(" ");
    let layer = |layer: &String| {
        layer.lines().map(|line| row(line).trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    };
    packing_layers(&marked).iter().map(layer).collect()
}

/// Says how symmetric a figure with a number of symmetries is.
const fn symmetry_degree(order: usize) -> &'static str {
    match order {
        1 => "not symmetric",
        2 | 3 => "slightly symmetric",
        4..=7 => "symmetric",
        _ => "very symmetric",
    }
}

/// Returns the name for a header line of SOMA text, if any.
fn header(dossier: &Dossier) -> Option<String> {
    dossier.name_in_text().map(|name| name.replace(char::is_control, " "))
}
