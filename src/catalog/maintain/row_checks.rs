//! Soundness of rows: a row agrees with its signature and with itself.

use crate::codes::Code;
use crate::outcomes::OutcomeColumns;
use rusqlite::Row;
use somacat_counting::question::CountedRow;
use somacat_geometry::boxes::sides_text;
use somacat_geometry::figure::{Candidate, Columns, Equivalence, ParseSignatureError, Signature};
use somacat_geometry::outcome::{Counts, Engine, Outcome, ProofKind, Reason};
use somacat_geometry::pieces::{parse_piece_lines, parse_set};
use somacat_geometry::spelling::parse_word;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FigureColumns {
    pub(super) cells: i64,
    pub(super) bounds: String,
    pub(super) class: i64,
    pub(super) parity: i64,
    pub(super) parts: i64,
}

impl From<&Columns> for FigureColumns {
    fn from(columns: &Columns) -> Self {
        Self {
            cells: columns.cells as i64,
            bounds: sides_text(columns.extents),
            class: columns.class.number() as i64,
            parity: i64::from(columns.parity),
            parts: columns.parts as i64,
        }
    }
}

/// Checks a row of the table `figure`. Returns its problem, if any.
pub(super) fn problem_of_figure(signature: &str, stated: &FigureColumns) -> Option<String> {
    let figure = match signature.parse::<Signature>().and_then(|signature| signature.figure()) {
        Ok(figure) => figure,
        Err(error) => return Some(error.to_string()),
    };
    let derived = FigureColumns::from(Candidate::new(figure, Equivalence::Reflections).columns());
    difference(stated, &derived)
}

/// Checks a row that another program wrote, whose set is one of figures up to `equivalence`. Returns its problem, if any.
pub fn problem_of_counted_row(row: &CountedRow, equivalence: Equivalence) -> Option<String> {
    let CountedRow { columns, report, .. } = row;
    let (derived, group) = match Columns::of_signature(&columns.signature, equivalence) {
        Ok(derived) => derived,
        Err(ParseSignatureError::NotCanonical { given, canonical }) => {
            return Some(format!("{given} should be {canonical}"));
        }
        Err(error) => return Some(error.to_string()),
    };
    if *columns != derived {
        let problem = difference(&columns.into(), &FigureColumns::from(&derived));
        return Some(format!("{}: {}", columns.signature, problem?));
    }
    let orders = || [group.order(), group.rotation_order()].map(|order| order as u128);
    let problem = match &report.outcome {
        Outcome::Counted(counts) => impossible(*counts, orders()),
        _ => None,
    };
    // A catalog has integers of 63 bits.
    let too_many = || report.nodes.filter(|nodes| i64::try_from(*nodes).is_err());
    let problem = problem.or_else(|| Some(format!("{} nodes are impossible", too_many()?)));
    let work = || impossible_work(&report.outcome, report.nodes.unwrap_or(0), report.engine);
    problem.or_else(work).map(|problem| format!("{}: {problem}", columns.signature))
}

/// Returns the first difference between the stated and the derived columns of a figure.
fn difference(stated: &FigureColumns, derived: &FigureColumns) -> Option<String> {
    let pairs = [
        ("cells", stated.cells, derived.cells),
        ("class_id", stated.class, derived.class),
        ("parity", stated.parity, derived.parity),
        ("parts", stated.parts, derived.parts),
    ];
    if stated.bounds != derived.bounds {
        return Some(format!("box is {} and should be {}", stated.bounds, derived.bounds));
    }
    let (column, is, should) = pairs.into_iter().find(|(_, is, should)| is != should)?;
    Some(format!("{column} is {is} and should be {should}"))
}

/// Checks a piece set. Its name may be that of other pieces, such as `2xSOMA`. Returns its problem, if any.
pub(super) fn problem_of_set(name: &str, definition: &str) -> Option<String> {
    let set = match parse_piece_lines(name, definition) {
        Ok(set) => set,
        Err(error) => return Some(error.to_string()),
    };
    if set.lines().join("\n") != definition {
        return Some("its pieces are not written as somacat writes them".to_owned());
    }
    let known = parse_set(name).ok()?;
    (known.definition() != set.definition())
        .then(|| format!("its pieces are not those of {}", known.name()))
}

/// Checks an outcome with its work, and returns its problem, if any. `orders` are the numbers of elements and of
/// rotations of the figure's group.
pub(super) fn problem_of_outcome(
    columns: OutcomeColumns,
    (nodes, engine): (i64, Option<i64>),
    orders: [u128; 2],
) -> Option<String> {
    let outcome = match columns.outcome() {
        Err(fault) => return Some(fault.to_string()),
        Ok(outcome) => outcome,
    };
    let engine = match engine.map(Engine::decode).transpose() {
        Err(fault) => return Some(fault.to_string()),
        Ok(engine) => engine,
    };
    let Ok(work) = u64::try_from(nodes) else { return Some(format!("{nodes} nodes")) };
    let counts = match outcome {
        Outcome::Counted(counts) => impossible(counts, orders),
        _ => None,
    };
    counts.or_else(|| impossible_work(&outcome, work, engine))
}

/// Reads the columns of a row's work.
pub(super) fn work_of(row: &Row<'_>) -> rusqlite::Result<(i64, Option<i64>)> {
    Ok((row.get("nodes")?, row.get("engine_id")?))
}

/// Checks that an engine can have found an outcome with these nodes. A figure that is ruled out takes neither.
fn impossible_work(outcome: &Outcome, nodes: u64, engine: Option<Engine>) -> Option<String> {
    let is_ruled_out = match outcome {
        Outcome::Unsolvable(reason) => *reason != Reason::Exhausted,
        Outcome::Failed(_) => true,
        _ => false,
    };
    let is_counted = matches!(outcome, Outcome::Counted(_));
    match engine {
        None if !is_ruled_out => Some("its outcome takes an engine, and it has none".to_owned()),
        Some(Engine::Census) if !outcome.is_exact() => {
            Some("a census has only exact outcomes".to_owned())
        }
        None | Some(Engine::Census) if nodes > 0 => {
            Some(format!("{nodes} nodes, and no search of its own"))
        }
        Some(Engine::Search | Engine::Frontier) if is_ruled_out => {
            Some("its reason takes no engine, and it has one".to_owned())
        }
        Some(Engine::Search | Engine::Frontier) if is_counted && nodes == 0 => {
            Some("its packings were counted with 0 nodes".to_owned())
        }
        _ => None,
    }
}

/// Checks the columns `kind` and `body` of a row of the table `proof`. Returns its problem, if any.
pub(super) fn problem_of_proof(row: &Row<'_>) -> rusqlite::Result<Option<String>> {
    let (kind, body): (Option<String>, Option<String>) = (row.get("kind")?, row.get("body")?);
    let fits = match (&kind, &body) {
        (None, None) => true,
        (Some(kind), Some(body)) => {
            parse_word::<ProofKind>(kind).is_ok()
                && body.ends_with('\n')
                && body.strip_prefix("reason ").is_some_and(|rest| {
                    rest.strip_prefix(&**kind).is_some_and(|rest| rest.starts_with([' ', '\n']))
                })
        }
        _ => false,
    };
    Ok((!fits).then(|| "its kind is not that of its certificate".to_owned()))
}

/// Checks the bounds on counts. An orbit of packings has at most as many members as the group has elements. A group
/// with reflections has twice as many elements as rotations.
fn impossible(counts: Counts, [order, rotations]: [u128; 2]) -> Option<String> {
    let Counts { raw, rotation, unique } = counts;
    let possible = unique > 0
        && unique <= rotation
        && rotation <= raw
        && raw <= rotation.saturating_mul(rotations)
        && rotation <= unique.saturating_mul(2)
        && (order > rotations || unique == rotation);
    (!possible).then(|| {
        format!(
            "raw {raw}, rotation {rotation}, unique {unique} are impossible with {rotations} \
             rotations among {order} symmetries"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::outcome::Verdict;

    #[test]
    fn only_possible_outcomes_pass() {
        let cube = OutcomeColumns {
            verdict: Verdict::Counted.code(),
            reason: None,
            error: None,
            raw: Some(11520),
            rotation: Some(480),
            unique: Some(240),
        };
        let orders = [48, 24];
        let problem_of_outcome = |columns, orders| {
            super::problem_of_outcome(columns, (100, Some(Engine::Search.code())), orders)
        };
        assert_eq!(problem_of_outcome(cube.clone(), orders), None);
        let verdict = |verdict: Verdict| OutcomeColumns { verdict: verdict.code(), ..cube.clone() };
        let explained = |columns| OutcomeColumns { reason: Some(Reason::Parity.code()), ..columns };
        let wrong = [
            OutcomeColumns { raw: Some(11521), ..cube.clone() },
            OutcomeColumns { rotation: None, ..cube.clone() },
            OutcomeColumns { unique: Some(481), ..cube.clone() },
            OutcomeColumns { unique: Some(239), ..cube.clone() },
            explained(cube.clone()),
            explained(verdict(Verdict::Unsolvable)),
            verdict(Verdict::AtLeast),
            verdict(Verdict::Unknown),
            verdict(Verdict::Failed),
            OutcomeColumns { verdict: 9, ..cube.clone() },
        ];
        for columns in wrong {
            assert!(problem_of_outcome(columns.clone(), orders).is_some(), "{columns:?}");
        }
        assert!(problem_of_outcome(cube, [24, 24]).is_some());
    }
}
