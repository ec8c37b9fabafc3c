//! Everything that pages tell about a figure, ready for a template.

use super::building_order;
use crate::catalog::{Called, Origin};
use crate::figure::{Figure, ParseSignatureError, Signature, prefilter};
use crate::formats::{piece_marks, soma_figure, soma_packing};
use crate::lattice::Cell;
use crate::pieces::PieceSet;
use crate::solve::{Limits, Problem, SolveError, Trace, first, trace};
use crate::symmetry::{Class, PlanSymbol};
use serde::Serialize;
use std::collections::HashMap;

/// What the catalog holds about one figure.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Its rows, one for each piece set; at least one.
    pub rows: Vec<Called>,
    /// Where its names come from.
    pub entries: Vec<Origin>,
}

/// Collects rows of a catalog by figure, in the order in which figures come first.
#[derive(Default, Debug)]
pub struct ByFigure {
    figures: Vec<Known>,
    positions: HashMap<String, usize>,
}

impl ByFigure {
    /// Takes one row.
    pub fn push(&mut self, row: Called) {
        let next = self.figures.len();
        let at = *self.positions.entry(row.record.signature.clone()).or_insert(next);
        if at == next {
            self.figures.push(Known::default());
        }
        self.figures[at].rows.push(row);
    }

    /// The figures.
    #[must_use]
    pub fn into_figures(self) -> Vec<Known> {
        self.figures
    }
}

/// A figure as pages show it. Field names are what templates use.
#[derive(Clone, Serialize, Debug)]
pub struct Dossier {
    /// The first name; the signature if there is none.
    pub heading: String,
    /// The canonical form.
    pub signature: String,
    /// All names, in the order they became known.
    pub names: Vec<String>,
    /// Where they come from.
    pub sources: Vec<Source>,
    /// The symmetry class by its full name.
    pub class: &'static str,
    /// Its elements in words.
    pub class_description: &'static str,
    /// Bob Allen's letter, or nothing.
    pub allen: String,
    /// Elements of the group.
    pub order: usize,
    /// Rotations among them.
    pub rotation_order: usize,
    /// The orders of the elements, ascending.
    pub cyclic_orders: Vec<usize>,
    /// GNU Go's sign for the symmetry of the plan.
    pub plan: String,
    /// Number of cells.
    pub cells: usize,
    /// Extents along x, y and z.
    pub extents: [u32; 3],
    /// Separate parts.
    pub parts: usize,
    /// |black − white|.
    pub parity: u32,
    /// The figure as SOMA text; empty if its box is too large for it.
    pub soma: String,
    /// One for each piece set that it was counted with; one without a set if it never was.
    pub outcomes: Vec<Outcome>,
    /// The cells in canonical position, ascending.
    #[serde(skip)]
    pub figure: Figure,
}

/// An entry of a source.
#[derive(Clone, Serialize, Debug)]
pub struct Source {
    /// The name there, or file and line.
    pub name: String,
    /// The file as it was named.
    pub source: String,
    /// Its line, from 1.
    pub line: u64,
    /// The comment there, or nothing.
    pub title: String,
}

/// What is known of a figure with one piece set. Counts are decimal text, empty if not known.
#[derive(Clone, Serialize, Debug)]
pub struct Outcome {
    /// The piece set; empty if the figure was never counted.
    pub set: String,
    /// `counted`, `unsolvable`, `solvable`, `unknown`, `failed`, or empty.
    pub verdict: String,
    /// The reason's word, or the error's text; may be empty.
    pub reason: String,
    /// Verdict and reason in a sentence.
    pub told: String,
    /// Whether `raw` is only a lower bound.
    pub at_least: bool,
    /// All packings.
    pub raw: String,
    /// Packings up to the figure's rotations.
    pub rotation: String,
    /// Packings up to the figure's rotations and reflections.
    pub unique: String,
    /// A sample packing, if one was found.
    pub packing: Option<Packing>,
    /// Why there is none; empty if there is one or the figure has none.
    pub no_packing: String,
    /// The first steps of a search for its packings, if they were asked for.
    #[serde(skip)]
    pub trace: Option<SearchTrace>,
}

/// The first steps of a search, with the letters of the pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchTrace {
    /// Depth, letter and cells of each placement, and whether it completes a packing.
    pub steps: Vec<(usize, char, Vec<Cell>, bool)>,
    /// The search came to its end in so many steps.
    pub complete: bool,
}

/// A packing, its pieces in an order of building.
#[derive(Clone, Serialize, Debug)]
pub struct Packing {
    /// As SOMA text; empty if the box is too large for it.
    pub soma: String,
    /// Whether every piece can be lowered from above in that order.
    pub lowered: bool,
    /// Letters and cells of the pieces.
    #[serde(skip)]
    pub pieces: Vec<(char, Vec<Cell>)>,
}

/// Why there is no dossier.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DossierError {
    /// The catalog holds a signature that spells no figure.
    #[error("the catalog is damaged: {0}")]
    Signature(#[from] ParseSignatureError),
    /// No rows were given.
    #[error("a figure without any row of the catalog")]
    NoRows,
}

impl Dossier {
    /// Gathers what is told about a figure. Where its verdict says that there is a packing, one is
    /// searched for within `limits`, with the set among `sets` that bears the outcome's name.
    ///
    /// # Errors
    /// If the signature spells no figure or there are no rows.
    pub fn new(
        known: &Known,
        sets: &HashMap<String, PieceSet>,
        limits: Limits<'_>,
    ) -> Result<Self, DossierError> {
        let row = &known.rows.first().ok_or(DossierError::NoRows)?.record;
        let figure = row.signature.parse::<Signature>()?.figure()?;
        let group = figure.canonical().group;
        let class = Class::of(group);
        let mut names: Vec<String> = Vec::new();
        // Further solutions under one header are no further names, nor sources.
        let mut sources: Vec<Source> = Vec::new();
        for entry in &known.entries {
            let name = entry.called();
            if !names.contains(&name) {
                names.push(name.clone());
            }
            if !sources.iter().any(|known| known.name == name && known.source == entry.source) {
                sources.push(Source {
                    name,
                    source: entry.source.clone(),
                    line: entry.line,
                    title: entry.title.clone().unwrap_or_default(),
                });
            }
        }
        let heading = names.first().unwrap_or(&row.signature).clone();
        let outcome = |row: &Called| {
            let set = row.set.as_ref().and_then(|name| sets.get(name));
            Outcome::new(row, &heading, &figure, set, limits)
        };
        Ok(Self {
            signature: row.signature.clone(),
            sources,
            class: class.name(),
            class_description: class.description(),
            allen: class.allen().map(String::from).unwrap_or_default(),
            order: group.order(),
            rotation_order: group.rotation_order(),
            cyclic_orders: group.cyclic_orders(),
            plan: PlanSymbol::of(group).to_string(),
            cells: figure.len(),
            extents: figure.extents(),
            parts: figure.parts().len(),
            parity: figure.color_difference().unsigned_abs(),
            soma: soma_figure(Some(&shown(&heading)), None, &figure).unwrap_or_default(),
            outcomes: known.rows.iter().map(outcome).collect(),
            names,
            figure,
            heading,
        })
    }
}

impl Dossier {
    /// Records the first `steps` steps of a search with each set that the figure was counted with.
    /// Where nothing has to be tried there is none.
    ///
    /// # Errors
    /// If the problem is too large for the solver.
    pub fn add_traces(
        &mut self,
        sets: &HashMap<String, PieceSet>,
        limits: Limits<'_>,
        steps: usize,
    ) -> Result<(), SolveError> {
        for outcome in &mut self.outcomes {
            let Some(set) = sets.get(&outcome.set) else { continue };
            let Trace { steps, complete, .. } =
                trace(&Problem::new(&self.figure, set), limits, steps)?;
            let step = |step: crate::solve::Step| {
                let letter = set.pieces()[step.placement.piece].0.name();
                (step.depth, letter, step.placement.cells, step.solved)
            };
            let steps: Vec<_> = steps.into_iter().map(step).collect();
            outcome.trace = (!steps.is_empty()).then_some(SearchTrace { steps, complete });
        }
        Ok(())
    }
}

impl Outcome {
    fn new(
        row: &Called,
        heading: &str,
        figure: &Figure,
        set: Option<&PieceSet>,
        limits: Limits<'_>,
    ) -> Self {
        let record = &row.record;
        let verdict = record.verdict.clone().unwrap_or_default();
        let reason = record.reason.clone().unwrap_or_default();
        let number = |n: Option<u128>| n.map(|n| n.to_string()).unwrap_or_default();
        let at_least = verdict == "solvable";
        let exact = matches!(verdict.as_str(), "counted" | "unsolvable");
        let solvable = at_least || verdict == "counted";
        let found = match set {
            Some(set) if solvable => Packing::find(heading, figure, set, limits),
            _ => Ok(None),
        };
        let (packing, no_packing) = match found {
            Ok(None) if solvable => (None, "none was found within the budget of the search".into()),
            Ok(packing) => (packing, String::new()),
            Err(error) => (None, error.to_string()),
        };
        Self {
            told: told(&verdict, &reason, figure, set),
            at_least,
            raw: number(record.raw.filter(|_| exact || at_least)),
            rotation: number(record.rotation.filter(|_| exact)),
            unique: number(record.unique.filter(|_| exact)),
            set: row.set.clone().unwrap_or_default(),
            packing,
            no_packing,
            trace: None,
            verdict,
            reason,
        }
    }
}

impl Packing {
    fn find(
        name: &str,
        figure: &Figure,
        set: &PieceSet,
        limits: Limits<'_>,
    ) -> Result<Option<Self>, SolveError> {
        let (found, _) = first(&Problem::new(figure, set), limits)?;
        let Some(found) = found else { return Ok(None) };
        let mut by_set = found;
        by_set.sort();
        let pieces: Vec<(char, Vec<Cell>)> =
            by_set.into_iter().map(|p| (set.pieces()[p.piece].0.name(), p.cells)).collect();
        // Without marks there is no text, but still the packing.
        let marks = piece_marks(&pieces).unwrap_or_default();
        let (order, lowered) = building_order(&pieces);
        Ok(Some(Self {
            soma: soma_packing(Some(&shown(name)), None, &marks).unwrap_or_default(),
            lowered,
            pieces: order.into_iter().map(|at| pieces[at].clone()).collect(),
        }))
    }
}

/// A name for a header line of SOMA text.
fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A verdict in a sentence.
fn told(verdict: &str, reason: &str, figure: &Figure, set: Option<&PieceSet>) -> String {
    let blocked = || set.and_then(|set| prefilter(figure, set)).map(|blocked| blocked.to_string());
    match (verdict, reason) {
        ("counted", _) => "All packings were counted.".to_owned(),
        ("solvable", _) => {
            "It can be built; counting stopped at a limit, so the number is a lower bound.".into()
        }
        ("unsolvable", "no-fit") => {
            "It cannot be built: some cell or some piece has no placement at all.".to_owned()
        }
        ("unsolvable", "exhausted") => {
            "It cannot be built: every possibility was tried.".to_owned()
        }
        ("unsolvable", word) => match blocked() {
            Some(argument) => format!("It cannot be built ({word}): {argument}."),
            None => format!("It cannot be built ({word})."),
        },
        ("unknown", _) => "Undecided: the search stopped at a limit before it found a packing \
                           or could rule one out."
            .to_owned(),
        ("failed", error) => format!("The search failed: {error}"),
        _ => "Not counted yet.".to_owned(),
    }
}
