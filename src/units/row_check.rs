//! The check of a part's rows: each is a figure that its unit lists, and no figure of a question is listed twice.
//!
//! A digest shows only that a part is as it was written. Here every signature is parsed as untrusted text and must be
//! canonical for its set, and the other columns must follow from it, as do reasons that cost little to derive.
//!
//! What a part does not contain is not checked. A figure may be listed by another unit of its question than its own:
//! which shard lists it depends on the search tree down to the cut, and for most questions on the figure's least image
//! there, which costs far more than comparing a few images. A count may be wrong in a possible way, and a figure's position in
//! a source may be another orientation, unless a published packing fits only the right one: the source is not read
//! again.

use super::block::{Block, Blocks, entry_candidate};
use super::error::{PartFault, UnitsError};
use super::unit::{SetText, Unit, UnitWork};
use rayon::prelude::*;
use somacat_catalog::problem_of_counted_row;
use somacat_counting::question::CountedRow;
use somacat_formats::PublishedPacking;
use somacat_geometry::figure::{Columns, Equivalence, Signature, prefilter};
use somacat_geometry::outcome::{Counts, Outcome, Reason};
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_output::export::Spelling;
use somacat_run::class_recount;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use twox_hash::XxHash64;

/// Checks the rows of a block. Adds the digests of a question's figures to `digests`.
pub(super) fn check_rows(
    unit: &Unit,
    block: &Block,
    digests: &mut Vec<RowDigest>,
) -> Result<(), PartFault> {
    match &unit.work {
        UnitWork::Question(shards) => {
            if block.len() > block.batch.rows.len() {
                return Err(invalid("a question has only figures".to_owned()));
            }
            let set = shards.set.set().map_err(|error| invalid(error.to_string()))?;
            let family = class_recount(&shards.key, Some(&set));
            let family = family.ok_or_else(|| invalid(format!("{} is unknown", shards.key)))?;
            let equivalence = Equivalence::for_set(&set);
            let rows = &block.batch.rows;
            let fault = rows.par_iter().find_map_first(|row| {
                let signature = &row.columns.signature;
                let problem = problem_of_counted_row(row, equivalence).or_else(|| {
                    let is_other = !family.includes(&row.columns);
                    is_other.then(|| format!("{signature} is not a figure of its question"))
                });
                let problem = problem.or_else(|| problem_of_nodes(row, unit.nodes));
                problem.or_else(|| problem_of_reason(row, &set))
            });
            let key = set_key(&shards.set);
            digests.extend(rows.iter().map(|row| digest(row, &key)));
            fault.map_or(Ok(()), |problem| Err(invalid(problem)))
        }
        UnitWork::Import { entries, .. } => check_entries(block, *entries, unit.nodes, digests),
        UnitWork::Published { .. } => Ok(()),
    }
}

/// Checks the entries, faults and outcomes of a range of a source's entries.
fn check_entries(
    block: &Block,
    [first, end]: [u64; 2],
    most_nodes: Option<u64>,
    digests: &mut Vec<RowDigest>,
) -> Result<(), PartFault> {
    let sets = block.sets.iter().map(SetText::set).collect::<Result<Vec<PieceSet>, _>>();
    let sets = sets.map_err(|error| invalid(error.to_string()))?;
    let is_other = |set: &&PieceSet| {
        parse_set(set.name()).is_ok_and(|known| known.definition() != set.definition())
    };
    if let Some(set) = sets.iter().find(is_other) {
        return Err(invalid(format!("its set {} has other pieces than that", set.name())));
    }
    let set = |at: usize| sets.get(at).ok_or_else(|| invalid(format!("there is no set {at}")));
    let names = block.names.iter().map(|(.., name)| name.ordinal);
    let faults = block.batch.faults.iter().map(|fault| fault.ordinal);
    if let Some(ordinal) = names.chain(faults).find(|at| !(first..end).contains(at)) {
        let problem = format!("entry {ordinal} is not one of {first} to {end}");
        return Err(invalid(problem));
    }
    let mut uncounted = HashSet::new();
    let mut ordinals = HashSet::new();
    for (signature, transform, at, name) in &block.names {
        if !ordinals.insert(name.ordinal) {
            return Err(invalid(format!("entry {} is there twice", name.ordinal)));
        }
        let candidate = entry_candidate(signature.clone(), *transform, set(*at)?)?;
        let figure = candidate.figure();
        if let Some(letters) = &name.packing
            && PublishedPacking::from_letters(figure, letters, set(*at)?).is_none()
        {
            let shown = letters.escape_debug();
            return Err(invalid(format!("{signature}: {shown} is not a packing of its pieces")));
        }
        uncounted.insert((*at, signature.as_str()));
    }
    let keys: Vec<String> = block.sets.iter().map(set_key).collect();
    for (at, row) in &block.counts {
        let own = set(*at)?;
        let problem = problem_of_counted_row(row, Equivalence::for_set(own))
            .or_else(|| problem_of_nodes(row, most_nodes));
        if let Some(problem) = problem.or_else(|| problem_of_reason(row, own)) {
            return Err(invalid(problem));
        }
        digests.push(digest(row, &keys[*at]));
        let signature = row.columns.signature.as_str();
        if !uncounted.remove(&(*at, signature)) {
            return Err(invalid(format!("{signature} is counted twice, or is no entry's figure")));
        }
    }
    match block.batch.rows.is_empty() {
        true => Ok(()),
        false => Err(invalid("a source has no figures of questions".to_owned())),
    }
}

/// Digests of a figure with its set, and of its exact counts: 0 if they are not known.
pub(super) type RowDigest = [u64; 2];

/// Refuses parts of a question that list a figure twice. `digests` are those of all their figures.
///
/// If two are equal, the figures themselves are compared.
pub(super) fn refuse_repetitions<'a>(
    parts: impl Iterator<Item = (&'a Unit, &'a PathBuf)>,
    digests: &mut [RowDigest],
) -> Result<(), UnitsError> {
    digests.par_sort_unstable();
    let equal = equal_figures(digests, |_, _| true);
    let mut seen = BTreeSet::new();
    visit_rows(parts, &equal, |path, _, row| {
        let signature = &row.columns.signature;
        match seen.insert(signature.clone()) {
            true => Ok(()),
            false => {
                let fault = invalid(format!("{signature} is there twice"));
                Err(UnitsError::Damaged(vec![(path.clone(), fault)]))
            }
        }
    })
}

/// Refuses parts with different exact counts of a figure with a set. `digests` are those of all parts.
pub(super) fn refuse_different_counts<'a>(
    parts: impl Iterator<Item = (&'a Unit, &'a PathBuf)>,
    mut digests: Vec<RowDigest>,
) -> Result<(), UnitsError> {
    digests.par_sort_unstable();
    let different = equal_figures(&digests, |one, other| one != 0 && one != other);
    let mut known: HashMap<(Signature, String), (PathBuf, Counts)> = HashMap::new();
    visit_rows(parts, &different, |path, set, row| {
        let Some(counts) = row.report.outcome.counts() else { return Ok(()) };
        let signature = row.columns.signature.clone();
        let key = (signature.clone(), set.to_owned());
        let (first, before) = known.entry(key).or_insert_with(|| (path.clone(), counts));
        if *before == counts {
            return Ok(());
        }
        let (first, second) = (first.clone(), path.clone());
        let found = format!(
            "raw {} and {}, unique {} and {}",
            before.raw, counts.raw, before.unique, counts.unique
        );
        Err(UnitsError::Counts { first, second, signature, found })
    })
}

/// Returns the figures of sorted digests that follow each other, if `differ` holds for their counts.
fn equal_figures(digests: &[RowDigest], differ: impl Fn(u64, u64) -> bool) -> HashSet<u64> {
    let pairs = digests.windows(2);
    pairs
        .filter(|two| two[0][0] == two[1][0] && differ(two[0][1], two[1][1]))
        .map(|two| two[0][0])
        .collect()
}

/// Reads parts again and passes on the rows of these figures, each with its part and its set.
fn visit_rows<'a>(
    parts: impl Iterator<Item = (&'a Unit, &'a PathBuf)>,
    figures: &HashSet<u64>,
    mut visit: impl FnMut(&PathBuf, &str, &CountedRow) -> Result<(), UnitsError>,
) -> Result<(), UnitsError> {
    if figures.is_empty() {
        return Ok(());
    }
    for (unit, path) in parts {
        let damaged = |fault| UnitsError::Damaged(vec![(path.clone(), fault)]);
        let mut blocks = Blocks::open(path, unit).map_err(damaged)?;
        while let Some(block) = blocks.next().map_err(damaged)? {
            let sets: Vec<String> = block.sets.iter().map(set_key).collect();
            let own = unit.work.shards().map(|shards| set_key(&shards.set)).unwrap_or_default();
            let listed = block.batch.rows.iter().map(|row| (&own, row));
            let counted = block.counts.iter().map(|(at, row)| (&sets[*at], row));
            for (set, row) in listed.chain(counted) {
                if figures.contains(&digest(row, set)[0]) {
                    visit(path, set, row)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns the text of a set, by which sets of different parts are compared.
fn set_key(set: &SetText) -> String {
    serde_json::to_string(set).expect("a set is made of texts")
}

fn digest(row: &CountedRow, set: &str) -> RowDigest {
    let of_set = XxHash64::oneshot(0, set.as_bytes());
    let figure = XxHash64::oneshot(of_set, row.columns.signature.as_str().as_bytes());
    let counts = row.report.outcome.counts().map(|Counts { raw, rotation, unique }| {
        let bytes = [raw, rotation, unique].map(u128::to_le_bytes);
        XxHash64::oneshot(0, bytes.as_flattened()).max(1)
    });
    [figure, counts.unwrap_or(0)]
}

/// Checks the nodes of an outcome against the most nodes that its unit allows.
///
/// Only a limit leaves a figure undecided, and then the nodes are the limit. A search that ends just then has counted
/// the children of one node more: the placements of all pieces on a cell, or of a piece on all cells, each with at most
/// 24 rotations.
fn problem_of_nodes(row: &CountedRow, most: Option<u64>) -> Option<String> {
    let CountedRow { columns: Columns { signature, cells, .. }, report, .. } = row;
    let (nodes, word) = (report.nodes.unwrap_or(0), report.outcome.verdict().word());
    let is_bound = matches!(report.outcome, Outcome::AtLeast(_) | Outcome::Unknown);
    match most {
        None if is_bound => {
            Some(format!("{signature} is {word}, and its unit has no limit of nodes"))
        }
        Some(most)
            if is_bound && nodes != most || nodes > most.saturating_add(24 * *cells as u64) =>
        {
            Some(format!(
                "{signature} is {word} after {nodes} nodes, and its unit has a limit of {most}"
            ))
        }
        _ => None,
    }
}

/// Checks whether a set fills a figure and reaches its colors as its outcome says. These reasons cost little to derive.
fn problem_of_reason(row: &CountedRow, set: &PieceSet) -> Option<String> {
    let CountedRow { columns, report, .. } = row;
    let Columns { signature, cells, parity, parts, .. } = columns;
    let stated = report.outcome.reason();
    let derived = if *cells != set.total_cells() {
        Some(Reason::Size)
    } else if set.color_sums().binary_search(parity).is_err() {
        Some(Reason::Parity)
    } else if *parts > 1 && matches!(stated, Some(Reason::Parity | Reason::Parts)) {
        let figure = signature.figure().ok()?;
        prefilter(&figure, set).map(|obstruction| Reason::from(&obstruction))
    } else {
        None
    };
    let is_cheap = matches!(stated, Some(Reason::Size | Reason::Parity | Reason::Parts));
    if matches!(report.outcome, Outcome::Failed(_))
        || derived == stated
        || derived.is_none() && !is_cheap
    {
        return None;
    }
    let because = |reason: Reason| format!("without a packing by its {}", reason.word());
    let is = stated.map_or_else(|| report.outcome.verdict().word().to_owned(), because);
    let should =
        derived.map_or_else(|| "is not".to_owned(), |reason| format!("is {}", because(reason)));
    Some(format!("{signature} is said to be {is}, and with {} it {should}", set.name()))
}

fn invalid(problem: String) -> PartFault {
    PartFault::Row(problem)
}
