//! Rows of the catalog derived again: canonical form, group and parity, and counts the plain way.

use super::completeness::{Completeness, check_enumerations};
use super::{Progress, Size, available_memory};
use crate::catalog::{Catalog, CatalogError, DamagedRow, Filter, Row};
use crate::figure::{Figure, Identity, Signature};
use crate::lattice::{Cell, Transform};
use crate::outcome::{Counts, Outcome, Reason};
use crate::pieces::PieceSet;
use crate::symmetry::{Class, Group};
use crate::verify::{RecountError, plain_reason, plain_signature, recount, recount_modulo};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A value of the catalog that does not come out again.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mismatch {
    /// The figure.
    pub signature: String,
    /// Which value.
    pub value: MismatchValue,
}

/// What differs, with what the catalog says and what came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MismatchValue {
    /// The row contradicts itself.
    Row(String),
    /// The signature spells no figure.
    Signature(String),
    /// The number of cells.
    Cells(usize, usize),
    /// The symmetry class.
    Class(Class, Class),
    /// |black − white|.
    Parity(u32, u32),
    /// The extents of the box.
    Bounds(String, String),
    /// The number of separate parts.
    Parts(usize, usize),
    /// The piece set is not defined.
    Set(String),
    /// Why there is no packing.
    Reason(Reason, Reason),
    /// The outcome: what the catalog says, and the counts that came out.
    Outcome(Outcome, Counts),
    /// All packings: what the catalog says, and what is left of another number when it is divided by [`crate::verify::PRIMES`].
    Modulo(u128, [u64; 2]),
    /// Figures of a class in an enumeration: by its totals, and as many as there are.
    Figures {
        /// The question in words.
        enumeration: String,
        /// The class.
        class: Class,
        /// By the totals.
        total: i64,
        /// As many as there are.
        found: u128,
    },
    /// Figures of a class in an enumeration: by its totals, and those that it keeps.
    Kept {
        /// The question in words.
        enumeration: String,
        /// The class.
        class: Class,
        /// By the totals.
        total: i64,
        /// Those that it keeps.
        kept: i64,
    },
    /// Figures of an enumeration that was not asked for them.
    Foreign {
        /// The question in words.
        enumeration: String,
        /// How many.
        figures: i64,
    },
}

/// The result of a verification.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Verification {
    /// Rows looked at.
    pub rows: u64,
    /// Rows whose counts were recounted.
    pub recounted: u64,
    /// Of these, rows with too many packings to visit, whose counts were found again modulo two primes.
    pub modulo: u64,
    /// Rows whose counts would take more than the allowed steps, or memory, to recount.
    pub too_large: u64,
    /// Rows without a count to check: never counted, undecided, or failed.
    pub uncounted: u64,
    /// Enumerations whose figures were counted again.
    pub enumerations: Completeness,
    /// What does not agree: of enumerations, then in the order of the signatures.
    pub mismatches: Vec<Mismatch>,
    /// The verification was stopped before it was done.
    pub stopped: bool,
}

/// Rows checked at a time.
const CHUNK: usize = 1000;

/// To place as many orbits of cells of an enumeration takes as long as to place a piece.
const ORBITS: u64 = 10;

/// One sweep at a time: each may take the memory that there is.
static SWEEPING: Mutex<()> = Mutex::new(());

/// Derives rows again: all, or a sample of `sample` that is the same in every call. Recounts that
/// take more than `steps` placements are given up; counts of such rows are found again modulo two primes if there is
/// memory for that. Of enumerations that came to their end every class is counted again, as far as `steps` allow.
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
    // Rows come in the order of their signatures, so that two of one figure and set follow each other.
    let mut before: Option<(Signature, Option<String>)> = None;
    catalog.select_any::<CatalogError>(&Filter::default(), |row| {
        // Evenly spread over the order of the signatures: row i is taken if it completes a sample.
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
        if taken > before && !stop.load(Ordering::Relaxed) {
            chunk.push(row);
        }
        if chunk.len() >= CHUNK {
            verification.check(&std::mem::take(&mut chunk), &sets, steps, stop, progress);
        }
        Ok(())
    })?;
    verification.check(&chunk, &sets, steps, stop, progress);
    progress.end();
    verification.stopped = stop.load(Ordering::Relaxed);
    Ok(verification)
}

impl Verification {
    /// Looks at some rows, on all cores.
    fn check(
        &mut self,
        rows: &[Result<Row, DamagedRow>],
        sets: &HashMap<String, PieceSet>,
        steps: u64,
        stop: &AtomicBool,
        progress: &Progress,
    ) {
        // One row at a time: one may take as long as all others together.
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
            self.rows += u64::from(row.looked_at);
            self.recounted += u64::from(row.recounted);
            self.modulo += u64::from(row.modulo);
            self.too_large += u64::from(row.too_large);
            self.uncounted += u64::from(row.uncounted);
            self.mismatches.extend(row.mismatches);
        }
    }
}

/// What came of one row.
#[derive(Default)]
struct Findings {
    looked_at: bool,
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
        Self { looked_at: true, mismatches: vec![mismatch], ..Self::default() }
    }
}

/// The parts of a figure, by walking from cell to cell.
fn parts(figure: &Figure) -> usize {
    let mut rest: BTreeSet<Cell> = figure.cells().iter().copied().collect();
    let mut parts = 0;
    while let Some(cell) = rest.pop_first() {
        parts += 1;
        let mut edge = vec![cell];
        while let Some(cell) = edge.pop() {
            edge.extend(cell.neighbors().into_iter().filter(|next| rest.remove(next)));
        }
    }
    parts
}

fn check(row: &Row, sets: &HashMap<String, PieceSet>, steps: u64, stop: &AtomicBool) -> Findings {
    let record = &row.record;
    let mut findings = Findings { looked_at: true, ..Findings::default() };
    let signature = record.signature.as_str();
    let mut tell = |wrong: bool, value: MismatchValue| {
        if wrong {
            findings.mismatches.push(Mismatch { signature: signature.to_owned(), value });
        }
    };
    // Read as a text from elsewhere is: this says whether it is canonical.
    let parsed = signature.parse::<Signature>().and_then(|s| s.figure());
    let figure = match parsed {
        Ok(figure) => figure,
        Err(error) => {
            tell(true, MismatchValue::Signature(error.to_string()));
            return findings;
        }
    };
    let plain = plain_signature(&figure, signature.starts_with('s'));
    if plain != signature {
        let problem = format!("spells a figure whose signature is {plain}");
        tell(true, MismatchValue::Signature(problem));
    }
    let fixed = |t: &Transform| figure.transformed(*t) == figure;
    let class = Group::generated_by(Transform::all().filter(fixed)).class();
    let black = figure.cells().iter().filter(|c| c.is_black()).count();
    let parity = black.abs_diff(figure.len() - black) as u32;
    let mut extents = figure.extents();
    extents.sort_unstable();
    let bounds = crate::boxes::sides_text(extents);
    let parts = parts(&figure);
    tell(record.cells != figure.len(), MismatchValue::Cells(record.cells, figure.len()));
    tell(record.class != class, MismatchValue::Class(record.class, class));
    tell(record.parity != parity, MismatchValue::Parity(record.parity, parity));
    tell(row.bounds != bounds, MismatchValue::Bounds(row.bounds.clone(), bounds));
    tell(row.parts != parts, MismatchValue::Parts(row.parts, parts));
    let outcome = match record.report.as_ref().map(|report| &report.outcome) {
        None | Some(Outcome::Unknown | Outcome::Failed(_)) => {
            findings.uncounted = true;
            return findings;
        }
        Some(outcome) => outcome,
    };
    let named = row.set.as_deref().unwrap_or_default();
    let Some(set) = sets.get(named) else {
        tell(true, MismatchValue::Set(named.to_owned()));
        return findings;
    };
    if let Outcome::Unsolvable(reason) = *outcome
        && let Some(why) = plain_reason(&figure, set)
    {
        tell(reason != why, MismatchValue::Reason(reason, why));
    }
    let counts = match recount(&figure, set, steps, Some(stop)) {
        Ok(counts) => counts,
        Err(unfinished) => {
            // Bounds, which are no counts, have nothing that could be compared.
            match outcome.counts().filter(|_| unfinished == RecountError::Steps) {
                Some(counts) => sweep(&figure, set, counts, steps, stop, &mut findings),
                None => findings.too_large = unfinished == RecountError::Steps,
            }
            findings.looked_at = findings.too_large || findings.modulo;
            return findings;
        }
    };
    let wrong = match outcome {
        Outcome::AtLeast(least) => *least > counts.raw,
        exact => exact.counts() != Some(counts),
    };
    tell(wrong, MismatchValue::Outcome(outcome.clone(), counts));
    findings.recounted = true;
    findings
}

/// Finds counts again of which there are too many packings to visit.
fn sweep(
    figure: &Figure,
    set: &PieceSet,
    counts: Counts,
    steps: u64,
    stop: &AtomicBool,
    findings: &mut Findings,
) {
    // A sweep that panicked left nothing behind.
    let _alone = SWEEPING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut tell = |value| {
        let signature = figure.canonical_up_to(Identity::for_set(set)).signature.to_string();
        findings.mismatches.push(Mismatch { signature, value });
    };
    match recount_modulo(figure, set, available_memory(), steps, Some(stop)) {
        Err(unfinished) => findings.too_large = unfinished != RecountError::Stopped,
        Ok(found) => {
            let exact = found.counts(counts.raw);
            if !found.fit(counts.raw) {
                tell(MismatchValue::Modulo(counts.raw, found.raw));
            } else if exact != counts {
                tell(MismatchValue::Outcome(Outcome::Counted(counts), exact));
            }
            (findings.recounted, findings.modulo) = (true, true);
        }
    }
}
