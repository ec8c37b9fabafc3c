//! The check of a part's rows: each is a figure that its unit lists, and no figure of a question is listed twice.
//!
//! A digest shows only that a part is as it was written. Here every signature is parsed as untrusted text and must be
//! canonical for its set, and the other columns must follow from it.

use super::error::{PartFault, UnitsError};
use super::part::{Block, Blocks};
use super::unit::{SetText, Unit, UnitWork};
use crate::catalog::problem_of_counted_row;
use crate::figure::{Candidate, Identity, Signature};
use crate::lattice::Transform;
use crate::pieces::PieceSet;
use crate::run::class_recount;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// Checks the rows of a block. Adds the digests of a question's figures to `digests`.
pub(super) fn check_rows(
    unit: &Unit,
    block: &Block,
    digests: &mut Vec<u64>,
) -> Result<(), PartFault> {
    match &unit.work {
        UnitWork::Question(shards) => {
            if block.len() > block.batch.rows.len() {
                return Err(invalid("a question has only figures".to_owned()));
            }
            let set = shards.set.set().map_err(|error| invalid(error.to_string()))?;
            let family = class_recount(&shards.key, Some(&set));
            let family = family.ok_or_else(|| invalid(format!("{} is unknown", shards.key)))?;
            let identity = Identity::for_set(&set);
            let rows = &block.batch.rows;
            let fault = rows.par_iter().find_map_first(|row| {
                let signature = &row.columns.signature;
                problem_of_counted_row(row, identity).or_else(|| {
                    let is_other = !family.includes(&row.columns);
                    is_other.then(|| format!("{signature} is not a figure of its question"))
                })
            });
            digests.extend(rows.iter().map(|row| digest(&row.columns.signature)));
            fault.map_or(Ok(()), |problem| Err(invalid(problem)))
        }
        UnitWork::Import { entries, .. } => check_entries(block, *entries),
        UnitWork::Published { .. } => Ok(()),
    }
}

/// Checks the entries, faults and outcomes of a range of a source's entries.
fn check_entries(block: &Block, [first, end]: [u64; 2]) -> Result<(), PartFault> {
    let sets = block.sets.iter().map(SetText::set).collect::<Result<Vec<PieceSet>, _>>();
    let sets = sets.map_err(|error| invalid(error.to_string()))?;
    let set = |at: usize| sets.get(at).ok_or_else(|| invalid(format!("there is no set {at}")));
    let names = block.names.iter().map(|(.., name)| name.ordinal);
    let faults = block.faults.iter().map(|fault| fault.ordinal);
    if let Some(ordinal) = names.chain(faults).find(|at| !(first..end).contains(at)) {
        let problem = format!("entry {ordinal} is not one of {first} to {end}");
        return Err(invalid(problem));
    }
    let mut uncounted = HashSet::new();
    for (signature, transform, at, _) in &block.names {
        entry_candidate(signature.clone(), *transform, set(*at)?)?;
        uncounted.insert((*at, signature.as_str()));
    }
    for (at, row) in &block.counts {
        if let Some(problem) = problem_of_counted_row(row, Identity::for_set(set(*at)?)) {
            return Err(invalid(problem));
        }
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

/// Restores a figure in its position in a source.
pub(super) fn entry_candidate(
    signature: String,
    transform: u8,
    set: &PieceSet,
) -> Result<Candidate, PartFault> {
    let signature = Signature::from_trusted(signature);
    let transform = Transform::from_number(transform);
    let transform =
        transform.ok_or_else(|| invalid(format!("{signature}: there is no such transform")))?;
    let figure = signature.figure()?.transformed(transform);
    let candidate = Candidate::new(figure, Identity::for_set(set));
    match candidate.signature() {
        own if *own == signature => Ok(candidate),
        own => Err(invalid(format!("{signature} should be {own}"))),
    }
}

/// Refuses parts of a question that list a figure twice. `digests` are those of all their figures.
///
/// Digests take 8 bytes a figure. If two are equal, the figures themselves are compared.
pub(super) fn refuse_repetitions<'a>(
    parts: impl Iterator<Item = (&'a Unit, &'a PathBuf)>,
    mut digests: Vec<u64>,
) -> Result<(), UnitsError> {
    digests.sort_unstable();
    let equal: HashSet<u64> =
        digests.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    if equal.is_empty() {
        return Ok(());
    }
    let mut seen = BTreeSet::new();
    for (unit, path) in parts {
        let damaged = |fault| UnitsError::Damaged(vec![(path.clone(), fault)]);
        let mut blocks = Blocks::open(path, unit).map_err(damaged)?;
        while let Some(block) = blocks.next().map_err(damaged)? {
            for row in block.batch.rows {
                let signature = row.columns.signature;
                if equal.contains(&digest(&signature)) && !seen.insert(signature.clone()) {
                    return Err(damaged(invalid(format!("{signature} is there twice"))));
                }
            }
        }
    }
    Ok(())
}

fn digest(signature: &Signature) -> u64 {
    let mut hasher = DefaultHasher::new();
    signature.as_str().hash(&mut hasher);
    hasher.finish()
}

fn invalid(problem: String) -> PartFault {
    PartFault::Row(problem)
}
