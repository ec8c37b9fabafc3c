//! Verification of a catalog: canonical forms, groups, parities and counts derived a second time.

use super::completeness::{Completeness, check_enumerations};
use super::mismatch::{Mismatch, MismatchValue};
use super::{Progress, Size, available_memory};
use crate::catalog::{Catalog, CatalogError, DamagedRow, Filter, Row};
use crate::figure::{Figure, Identity, Signature};
use crate::outcome::{Counts, Outcome};
use crate::pieces::PieceSet;
use crate::verify::{
    RecountError, plain_bounds, plain_class, plain_parity, plain_parts, plain_reason,
    plain_signature, recount, recount_at_least, recount_modulo,
};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Rows that were checked.
    pub rows: u64,
    /// Rows whose counts were recounted.
    pub recounted: u64,
    /// Of these, rows with too many packings to visit. Their counts were checked modulo two primes.
    pub modulo: u64,
    /// Rows whose recount would exceed the allowed steps or memory.
    pub too_large: u64,
    /// Rows without a count: never counted, undecided or failed.
    pub uncounted: u64,
    /// Enumerations whose figures were recounted.
    pub enumerations: Completeness,
    /// Mismatches of enumerations, then of rows in the order of their signatures.
    pub mismatches: Vec<Mismatch>,
    /// The verification was stopped early.
    pub stopped: bool,
}

/// Rows checked at a time.
const BATCH_ROWS: usize = 1000;

/// Orbits of cells that are placed in the time of a piece.
const ORBITS: u64 = 10;

/// Allows one sweep at a time, since each may take all available memory.
static SWEEPING: Mutex<()> = Mutex::new(());

/// Derives rows a second time: all, or a sample that is the same in every call.
///
/// Gives up a recount after `steps` placements, and checks such counts modulo two primes if there is enough memory. Of
/// complete enumerations every class is recounted, as far as `steps` allow.
///
/// # Errors
/// If the catalog cannot be read.
pub fn verify_catalog(
    catalog: &Catalog,
    sample: Option<u64>,
    steps: u64,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Verification, CatalogError> {
    let sets = catalog.sets_by_name()?;
    let total = catalog.row_count()?;
    let wanted = sample.unwrap_or(total).min(total);
    progress.begin("verifying", Size::Exact(wanted));
    let mut verification = Verification::default();
    verification.enumerations = check_enumerations(
        catalog,
        &sets,
        steps.saturating_mul(ORBITS),
        stop,
        &mut verification.mismatches,
    )?;
    let mut chunk: Vec<Result<Row, DamagedRow>> = Vec::new();
    let mut seen = 0_u64;
    // Rows are sorted by signature, so two rows of a figure and set are adjacent.
    let mut before: Option<(Signature, Option<String>)> = None;
    let read = catalog.select_any::<Option<CatalogError>>(&Filter::default(), |row| {
        if stop.load(Ordering::Relaxed) {
            return Err(None);
        }
        // Samples are spread evenly: a row is taken if it completes one.
        seen += 1;
        if let Ok(row) = &row {
            let this = (row.record.signature.clone(), row.set.clone());
            if before.as_ref() == Some(&this) {
                let signature = this.0.to_string();
                let value = MismatchValue::Row("there is another row of this figure".to_owned());
                verification.mismatches.push(Mismatch { signature, value });
            }
            before = Some(this);
        }
        let taken = u128::from(seen) * u128::from(wanted) / u128::from(total);
        let before = u128::from(seen - 1) * u128::from(wanted) / u128::from(total);
        if taken > before {
            chunk.push(row);
        }
        if chunk.len() >= BATCH_ROWS {
            verification.check(&std::mem::take(&mut chunk), &sets, steps, stop, progress);
        }
        Ok(())
    });
    // No error is a request to stop.
    if let Err(Some(error)) = read {
        return Err(error);
    }
    verification.check(&chunk, &sets, steps, stop, progress);
    progress.end();
    verification.stopped = stop.load(Ordering::Relaxed);
    Ok(verification)
}

impl Verification {
    /// Checks rows on all cores.
    fn check(
        &mut self,
        rows: &[Result<Row, DamagedRow>],
        sets: &HashMap<String, PieceSet>,
        steps: u64,
        stop: &AtomicBool,
        progress: &Progress,
    ) {
        // One row at a time, since one may take as long as all others.
        let findings: Vec<Findings> = rows
            .par_iter()
            .with_max_len(1)
            .map(|row| {
                let findings = match row {
                    _ if stop.load(Ordering::Relaxed) => Findings::default(),
                    Err(damaged) => Findings::damaged(damaged),
                    Ok(row) => check(row, sets, steps, stop),
                };
                progress.advance(1);
                findings
            })
            .collect();
        for row in findings {
            self.rows += u64::from(row.checked);
            self.recounted += u64::from(row.recounted);
            self.modulo += u64::from(row.modulo);
            self.too_large += u64::from(row.too_large);
            self.uncounted += u64::from(row.uncounted);
            self.mismatches.extend(row.mismatches);
        }
    }
}

/// The result of one row.
#[derive(Default)]
struct Findings {
    checked: bool,
    recounted: bool,
    modulo: bool,
    too_large: bool,
    uncounted: bool,
    mismatches: Vec<Mismatch>,
}

impl Findings {
    fn damaged(row: &DamagedRow) -> Self {
        let value = MismatchValue::Row(row.problem.clone());
        let mismatch = Mismatch { signature: row.signature.to_string(), value };
        Self { checked: true, mismatches: vec![mismatch], ..Self::default() }
    }

    fn add(&mut self, row: &Row, value: MismatchValue) {
        let signature = row.record.signature.to_string();
        self.mismatches.push(Mismatch { signature, value });
    }
}

fn check(row: &Row, sets: &HashMap<String, PieceSet>, steps: u64, stop: &AtomicBool) -> Findings {
    let mut findings = Findings { checked: true, ..Findings::default() };
    let signature = row.record.signature.as_str();
    // Parsing as untrusted text shows whether it is canonical.
    let parsed = signature.parse::<Signature>().and_then(|s| s.figure());
    let figure = match parsed {
        Ok(figure) => figure,
        Err(error) => {
            findings.add(row, MismatchValue::Signature(error.to_string()));
            return findings;
        }
    };
    check_columns(row, &figure, &mut findings);
    let outcome = match row.record.report.as_ref().map(|report| &report.outcome) {
        None | Some(Outcome::Unknown | Outcome::Failed(_)) => {
            findings.uncounted = true;
            return findings;
        }
        Some(outcome) => outcome,
    };
    let named = row.set.as_deref().unwrap_or_default();
    let Some(set) = sets.get(named) else {
        findings.add(row, MismatchValue::Set(named.to_owned()));
        return findings;
    };
    if let Outcome::Unsolvable(reason) = *outcome
        && let Some(why) = plain_reason(&figure, set)
        && reason != why
    {
        findings.add(row, MismatchValue::Reason(reason, why));
    }
    let counted = match outcome {
        // Packings beyond the bound are not visited.
        Outcome::AtLeast(least) => recount_at_least(&figure, set, *least, steps, Some(stop))
            .map(|raw| (raw < *least).then_some(Counts { raw, ..Counts::default() })),
        exact => recount(&figure, set, steps, Some(stop))
            .map(|counts| (exact.counts() != Some(counts)).then_some(counts)),
    };
    match counted {
        Ok(contradiction) => {
            findings.recounted = true;
            if let Some(counts) = contradiction {
                findings.add(row, MismatchValue::Outcome(outcome.clone(), counts));
            }
        }
        Err(unfinished) => {
            // A bound has no counts to compare.
            match outcome.counts().filter(|_| unfinished == RecountError::Steps) {
                Some(counts) => sweep(&figure, set, counts, steps, stop, &mut findings),
                None => findings.too_large = unfinished != RecountError::Stopped,
            }
            findings.checked = findings.too_large || findings.modulo;
        }
    }
    findings
}

/// Derives the columns of a figure that do not depend on a set.
fn check_columns(row: &Row, figure: &Figure, findings: &mut Findings) {
    let record = &row.record;
    let signature = record.signature.as_str();
    let plain = plain_signature(figure, signature.starts_with('s'));
    if plain != signature {
        let problem = format!("describes a figure whose signature is {plain}");
        findings.add(row, MismatchValue::Signature(problem));
    }
    let (class, parity) = (plain_class(figure), plain_parity(figure));
    let (bounds, parts) = (plain_bounds(figure), plain_parts(figure));
    for (is_wrong, value) in [
        (record.cells != figure.len(), MismatchValue::Cells(record.cells, figure.len())),
        (record.class.name() != class, MismatchValue::Class(record.class.name(), class)),
        (record.parity != parity, MismatchValue::Parity(record.parity, parity)),
        (row.bounds != bounds, MismatchValue::Bounds(row.bounds.clone(), bounds)),
        (row.parts != parts, MismatchValue::Parts(row.parts, parts)),
    ] {
        if is_wrong {
            findings.add(row, value);
        }
    }
}

/// Checks counts modulo two primes, where there are too many packings to visit.
fn sweep(
    figure: &Figure,
    set: &PieceSet,
    counts: Counts,
    steps: u64,
    stop: &AtomicBool,
    findings: &mut Findings,
) {
    // A sweep that panicked leaves nothing inconsistent.
    let _alone = SWEEPING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut add = |value| {
        let signature = figure.canonical_up_to(Identity::for_set(set)).signature.to_string();
        findings.mismatches.push(Mismatch { signature, value });
    };
    match recount_modulo(figure, set, available_memory(), steps, Some(stop)) {
        Err(unfinished) => findings.too_large = unfinished != RecountError::Stopped,
        Ok(found) => {
            let exact = found.counts(counts.raw);
            if !found.fit(counts.raw) {
                add(MismatchValue::Modulo(counts.raw, found.raw));
            } else if exact != counts {
                add(MismatchValue::Outcome(Outcome::Counted(counts), exact));
            }
            (findings.recounted, findings.modulo) = (true, true);
        }
    }
}
