//! Counting.

use crate::error::{invalid, unsolved};
use crate::figure::Figure;
use crate::pieces::{PieceSet, Pieces, without_gaps};
use crate::work::interruptible;
use pyo3::prelude::*;
use somacat_counting::solve::{self, EngineChoice, Limits, Problem};
use somacat_geometry::outcome::{self, Engine, Verdict};
use somacat_output::export::{Spelling, explanation, parse_word};
use somacat_run::available_memory;
use std::ops::ControlFlow;

/// The result of a count. Reports can be compared, be elements of sets, be copied and pickled.
#[pyclass(frozen, eq, hash, get_all, module = "somacat")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Report {
    /// `counted`, `unsolvable`, `at-least` or `unknown`. A limit came first in the last two: `unknown` means before the
    /// first packing.
    verdict: &'static str,
    /// The reason why there is no packing: `size`, `parity`, `parts`, `no-fit` or `exhausted`.
    reason: Option<String>,
    /// All packings; a lower bound with the verdict `at-least`.
    raw: Option<u128>,
    /// The packings up to the figure's rotations.
    rotation: Option<u128>,
    /// The packings up to the figure's rotations and reflections.
    unique: Option<u128>,
    /// The nodes of the engine, the same in every run.
    nodes: Option<u64>,
    /// The engine that counted: `search` or `frontier`; `None` if none was needed.
    engine: Option<&'static str>,
}

/// The values of a report, in the order of its fields.
type Fields =
    (String, Option<String>, Option<u128>, Option<u128>, Option<u128>, Option<u64>, Option<String>);

impl From<outcome::Report> for Report {
    fn from(report: outcome::Report) -> Self {
        let outcome::Report { outcome, nodes, engine } = report;
        Self {
            verdict: outcome.verdict().word(),
            reason: explanation(&outcome).map(str::to_owned),
            raw: outcome.raw(),
            rotation: outcome.rotation(),
            unique: outcome.unique(),
            nodes,
            engine: engine.map(Spelling::word),
        }
    }
}

#[pymethods]
impl Report {
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Fields,))> {
        let Self { verdict, reason, raw, rotation, unique, nodes, engine } = this.get().clone();
        let engine = engine.map(str::to_owned);
        let fields = (verdict.to_owned(), reason, raw, rotation, unique, nodes, engine);
        Ok((this.get_type().getattr("_restore")?, (fields,)))
    }

    /// Makes a report again from its pickled fields.
    #[staticmethod]
    fn _restore(fields: Fields) -> PyResult<Self> {
        let (verdict, reason, raw, rotation, unique, nodes, engine) = fields;
        let verdict = parse_word::<Verdict>(&verdict).map_err(invalid)?.word();
        let engine = engine.map(|word| parse_word::<Engine>(&word)).transpose().map_err(invalid)?;
        let engine = engine.map(Spelling::word);
        Ok(Self { verdict, reason, raw, rotation, unique, nodes, engine })
    }

    fn __repr__(&self) -> String {
        let mut text = format!("<Report {}", self.verdict);
        if let Some(reason) = &self.reason {
            text.push_str(&format!(", reason={reason}"));
        }
        for (name, count) in
            [("raw", self.raw), ("rotation", self.rotation), ("unique", self.unique)]
        {
            if let Some(count) = count.filter(|&count| count > 0) {
                text.push_str(&format!(", {name}={count}"));
            }
        }
        text.push('>');
        text
    }
}

/// Counts all packings of a figure with all pieces of a set, or with all choices of pieces within its ranges of copies.
/// The default set is SOMA.
///
/// Beyond `nodes`, or `limit` packings, the search stops with a lower bound. With `gaps`, cells may stay empty, as many as
/// the figure has more than the pieces fill. The engine is `auto`, `search` or `frontier`; the latter takes `memory` bytes
/// at most. `threads` is by default one per core; the counts and nodes do not depend on it.
///
/// >>> count(Figure.parse("67 77"))
/// <Report counted, raw=1520, rotation=1520, unique=760>
/// >>> count(Figure.parse("333333 333333 333333"), "2xSOMA").raw
/// 40443182120
/// >>> count(Figure.parse("2x3x5"), gaps=True).raw
/// 3651128
#[pyfunction]
#[pyo3(signature = (
    figure, pieces=None, nodes=None, threads=None, *, limit=None, memory=None, engine="auto", gaps=false
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn count(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
    nodes: Option<u64>,
    threads: Option<usize>,
    limit: Option<u64>,
    memory: Option<u64>,
    engine: &str,
    gaps: bool,
) -> PyResult<Report> {
    if limit == Some(0) {
        return Err(invalid("a limit is at least 1 packing"));
    }
    let candidate = &figure.get().candidate;
    let engine = match engine {
        "auto" => EngineChoice::Auto,
        word => match parse_word(word).map_err(invalid)? {
            Engine::Search => EngineChoice::Search,
            Engine::Frontier if limit.is_none() => EngineChoice::Frontier,
            Engine::Frontier => {
                let text = format!("{word} counts all packings at once, so it takes no limit");
                return Err(invalid(text));
            }
            _ => return Err(invalid(format_args!("{word} counts the figures of a box"))),
        },
    };
    let set = Pieces::choice_for(py, pieces, candidate.figure(), gaps)?;
    let counted = interruptible(py, threads, &|| (), |stop| {
        let available = Some(available_memory as fn() -> u64);
        let packings = limit.map(u128::from);
        let stop = Some(stop);
        let limits = Limits { packings, nodes, stop, engine, memory, available, searches: None };
        solve::count(&Problem::with_group(candidate.figure(), &set, candidate.group()), limits)
    })?;
    Ok(counted.map_err(|error| unsolved(&error))?.into())
}

/// Counts the packings of a figure with each choice of pieces of a set that fills it.
///
/// Any pieces may be left out, or, of a set with ranges of copies or a number of pieces (`PieceSet.partial`), those that
/// it allows. With `gaps`, cells may stay empty. Returns the choices that have a packing, or that the limit of nodes left
/// undecided. A choice has the name of its pieces; if all cells may stay empty, one is `none`.
///
/// >>> [(pieces.name, report.raw) for pieces, report in count_partial(Figure.parse("11 11 11 11"), "L2 Q2 D")]
/// [('L2', 2), ('Q2', 1)]
/// >>> [(pieces.name, report.raw) for pieces, report in count_partial(Figure.parse("1x2x2"), "V D", gaps=True)]
/// [('V', 4), ('D', 4), ('none', 1)]
#[pyfunction]
#[pyo3(signature = (figure, pieces=None, nodes=None, threads=None, *, gaps=false))]
pub(crate) fn count_partial(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
    nodes: Option<u64>,
    threads: Option<usize>,
    gaps: bool,
) -> PyResult<Vec<(PieceSet, Report)>> {
    let candidate = &figure.get().candidate;
    let set = PieceSet { set: Pieces::with_ranges(pieces)?.partial(None) };
    let set = Pieces::choice_for(py, Some(Pieces::Set(set)), candidate.figure(), gaps)?;
    let mut choices = Vec::new();
    let counted = interruptible(py, threads, &|| (), |stop| {
        let available = Some(available_memory as fn() -> u64);
        let limits = Limits { nodes, stop: Some(stop), available, ..Limits::default() };
        let problem = Problem::with_group(candidate.figure(), &set, candidate.group());
        solve::count_partial(&problem, &[], limits, &mut |choice| {
            choices.push((without_gaps(&choice.pieces), choice.report.into()));
            ControlFlow::Continue(())
        })
    })?;
    counted.map_err(|error| unsolved(&error))?;
    Ok(choices)
}
