//! Rows of the catalog derived again: canonical form, group and parity, and counts the plain way.

use super::Progress;
use crate::catalog::{Called, Catalog, CatalogError, Filter};
use crate::figure::{Figure, Signature};
use crate::lattice::{Cell, Transform};
use crate::pieces::PieceSet;
use crate::solve::{Limits, Problem, Reason, Verdict, count};
use crate::symmetry::Group;
use crate::verify::{Unfinished, recount};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A value of the catalog that does not come out again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The figure.
    pub signature: String,
    /// Which column.
    pub what: &'static str,
    /// What the catalog says.
    pub catalog: String,
    /// What came out.
    pub found: String,
}

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Rows looked at.
    pub rows: u64,
    /// Rows whose counts were recounted.
    pub recounted: u64,
    /// Rows whose counts would take more than the allowed steps to recount.
    pub too_large: u64,
    /// Rows without a count to check: never counted, undecided, or failed.
    pub uncounted: u64,
    /// What does not agree, in the order of the signatures.
    pub mismatches: Vec<Mismatch>,
    /// The verification was stopped before it was done.
    pub stopped: bool,
}

/// Rows checked at a time.
const CHUNK: usize = 1000;

/// Derives rows again: all, or a sample of `sample` that is the same in every call. Recounts that
/// take more than `steps` placements are given up.
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
    let sets: HashMap<String, PieceSet> =
        catalog.piece_sets()?.into_values().map(|set| (set.name().to_owned(), set)).collect();
    let total = catalog.row_count()?;
    let wanted = sample.unwrap_or(total).min(total);
    progress.begin("verifying", Some(wanted));
    let verification = Mutex::new(Verification::default());
    let check = |chunk: &mut Vec<Called>| -> Result<(), CatalogError> {
        let outlines = outlines(catalog, chunk)?;
        // One row at a time: one may take as long as all others together.
        let findings: Vec<Findings> = chunk
            .par_iter()
            .with_max_len(1)
            .map(|called| {
                let findings = if stop.load(Ordering::Relaxed) {
                    Findings::default()
                } else {
                    check(called, &sets, &outlines, steps, stop)
                };
                progress.advance(1);
                findings
            })
            .collect();
        if let Ok(mut sum) = verification.lock() {
            for found in findings {
                sum.rows += u64::from(found.looked_at);
                sum.recounted += u64::from(found.recounted);
                sum.too_large += u64::from(found.too_large);
                sum.uncounted += u64::from(found.uncounted);
                sum.mismatches.extend(found.mismatches);
            }
        }
        chunk.clear();
        Ok(())
    };
    let mut chunk = Vec::new();
    let mut seen = 0_u64;
    catalog.select::<CatalogError>(&Filter::default(), |called| {
        // Evenly spread over the order of the signatures: row i is taken if it completes a sample.
        seen += 1;
        let taken = u128::from(seen) * u128::from(wanted) / u128::from(total);
        let before = u128::from(seen - 1) * u128::from(wanted) / u128::from(total);
        if taken > before && !stop.load(Ordering::Relaxed) {
            chunk.push(called);
        }
        if chunk.len() >= CHUNK {
            check(&mut chunk)?;
        }
        Ok(())
    })?;
    check(&mut chunk)?;
    progress.end();
    let mut verification = verification.into_inner().unwrap_or_default();
    verification.stopped = stop.load(Ordering::Relaxed);
    Ok(verification)
}

#[derive(Default)]
struct Findings {
    looked_at: bool,
    recounted: bool,
    too_large: bool,
    uncounted: bool,
    mismatches: Vec<Mismatch>,
}

/// What the catalog says of the box and the parts of figures, by signature.
type Outlines = HashMap<String, [String; 2]>;

fn outlines(catalog: &Catalog, chunk: &[Called]) -> Result<Outlines, CatalogError> {
    let quoted = |called: &Called| format!("'{}'", called.record.signature.replace('\'', "''"));
    let list: Vec<String> = chunk.iter().map(quoted).collect();
    let sql = format!(
        "SELECT signature, box, parts FROM figures WHERE signature IN ({})",
        list.join(",")
    );
    let mut outlines = Outlines::new();
    catalog.select_sql::<CatalogError>(&sql, |values| {
        if let [Some(signature), bounds, parts] = values.as_slice() {
            let text = |value: &Option<String>| value.clone().unwrap_or_default();
            outlines.insert(signature.clone(), [text(bounds), text(parts)]);
        }
        Ok(())
    })?;
    Ok(outlines)
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

/// Why a figure without a packing has none, as the solver tells it: what it proves without a search,
/// or that all was tried.
fn reason(figure: &Figure, set: &PieceSet) -> Reason {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let report = count(&Problem::new(figure, set), limits);
    report.ok().and_then(|report| report.reason).unwrap_or(Reason::Exhausted)
}

fn check(
    called: &Called,
    sets: &HashMap<String, PieceSet>,
    outlines: &Outlines,
    steps: u64,
    stop: &AtomicBool,
) -> Findings {
    let record = &called.record;
    let mut findings = Findings { looked_at: true, ..Findings::default() };
    let mut compare = |what, catalog: String, found: String| {
        if catalog != found {
            let signature = record.signature.clone();
            findings.mismatches.push(Mismatch { signature, what, catalog, found });
        }
    };
    let figure = match record.signature.parse::<Signature>().and_then(|s| s.figure()) {
        Ok(figure) => figure,
        Err(error) => {
            compare("signature", record.signature.clone(), error.to_string());
            return findings;
        }
    };
    let fixed = |t: &Transform| figure.transformed(*t) == figure;
    let group = Group::generated_by(Transform::all().filter(fixed));
    let black = figure.cells().iter().filter(|c| c.is_black()).count();
    let parity = black.abs_diff(figure.len() - black);
    compare("cells", record.cells.to_string(), figure.len().to_string());
    compare("class", record.class.clone(), group.class().to_string());
    compare("order", record.order.to_string(), group.order().to_string());
    compare("parity", record.parity.to_string(), parity.to_string());
    if let Some([bounds, apart]) = outlines.get(&record.signature) {
        let mut extents = figure.extents();
        extents.sort_unstable();
        compare("box", bounds.clone(), extents.map(|e| e.to_string()).join("x"));
        compare("parts", apart.clone(), parts(&figure).to_string());
    }
    let verdict: Option<Verdict> = record.verdict.as_ref().and_then(|v| v.parse().ok());
    let exact = matches!(verdict, Some(Verdict::Counted | Verdict::Unsolvable));
    if !exact && verdict != Some(Verdict::Solvable) {
        findings.uncounted = true;
        return findings;
    }
    let named = called.set.clone().unwrap_or_default();
    let Some(set) = sets.get(&named) else {
        compare("set", named, "not defined".to_owned());
        return findings;
    };
    let why = (verdict == Some(Verdict::Unsolvable)).then(|| reason(&figure, set).to_string());
    compare("reason", record.reason.clone().unwrap_or_default(), why.unwrap_or_default());
    let counts = match recount(&figure, set, steps, Some(stop)) {
        Ok(counts) => counts,
        Err(unfinished) => {
            findings.too_large = unfinished == Unfinished::Steps;
            findings.looked_at = findings.too_large;
            return findings;
        }
    };
    let text = |n: Option<u128>| n.map(|n| n.to_string()).unwrap_or_default();
    if exact {
        compare("raw", text(record.raw), counts.raw.to_string());
        compare("rotation", text(record.rotation), counts.rotation.to_string());
        compare("unique", text(record.unique), counts.unique.to_string());
    } else if record.raw.is_none_or(|least| least > counts.raw) {
        compare("raw", format!("at least {}", text(record.raw)), counts.raw.to_string());
    }
    findings.recounted = true;
    findings
}
