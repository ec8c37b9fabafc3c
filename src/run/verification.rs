//! Verification of a catalog: canonical forms, groups, parities and counts derived a second time.

use super::completeness::{Completeness, check_enumerations};
use super::mismatch::Mismatch;
use super::proofs::check_proof;
use super::share::{Check, Share};
use super::structures::{StoredStructure, check_structures};
use super::{Progress, available_memory};
use rayon::prelude::*;
use somacat_catalog::{Catalog, CatalogError, DamagedRow, Filter, Row, StructureNumbers};
use somacat_checking::{
    PRIMES, RecountError, plain_bounds, plain_class, plain_parity, plain_parts, plain_reason,
    plain_signature, recount, recount_at_least, recount_modulo,
};
use somacat_counting::question::Size;
use somacat_geometry::boxes::sides_text;
use somacat_geometry::figure::{Columns, Equivalence, Figure, Signature};
use somacat_geometry::outcome::{Counts, Engine, Outcome};
use somacat_geometry::pieces::PieceSet;
use somacat_output::export::{Field, Spelling};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Debug, Default)]
pub struct Verification {
    pub rows: u64,
    /// Rows whose counts were recounted.
    pub recounted: u64,
    /// Rows among these with too many packings to visit. Their counts were checked modulo two primes.
    pub modulo: u64,
    /// Rows whose recount would exceed the allowed steps or memory.
    pub too_large: u64,
    /// Rows without a count: never counted, undecided or failed.
    pub uncounted: u64,
    /// Stored proofs that were checked.
    pub proofs: u64,
    /// Rows with nodes and an engine of a search, which are not derived again.
    pub searched: u64,
    /// Rows with a name, whose texts only its source could confirm.
    pub named: u64,
    /// Rows with maps or stability that were not computed again, because of a limit.
    pub structures_left: u64,
    /// Enumerations whose figures were recounted.
    pub enumerations: Completeness,
    /// Mismatches of enumerations, then of rows in the order of their signatures.
    pub mismatches: Vec<Mismatch>,
    pub stopped: bool,
    /// Rows with maps or stability, to be computed again.
    structures: Vec<StoredStructure>,
}

const BATCH_ROWS: usize = 1000;

/// Allows one sweep at a time. Each may take all available memory.
static SWEEPING: Mutex<()> = Mutex::new(());

/// The rows to verify.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowChoice {
    /// All rows, or a sample that is the same in every call; of these, and of the enumerations, only a share.
    Spread { sample: Option<u64>, share: Share },
    /// The rows of one figure, identified up to reflection and up to rotation.
    Figure([Signature; 2]),
}

impl RowChoice {
    /// Returns whether rows of this figure may be among the chosen ones.
    pub fn has(&self, signature: &str) -> bool {
        match self {
            Self::Spread { .. } => true,
            Self::Figure(signatures) => signatures.iter().any(|own| own.as_str() == signature),
        }
    }
}

/// Derives rows a second time.
///
/// Gives up a recount after `steps` placements, and checks such counts modulo two primes if there is enough memory.
/// Recounts every class of complete enumerations, as far as `steps` allow, unless only one figure is verified.
pub fn verify_catalog(
    catalog: &Catalog,
    choice: &RowChoice,
    steps: u64,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Verification, CatalogError> {
    let check = Check { sets: catalog.sets_by_name()?, steps, stop };
    let mut verification = Verification::default();
    match choice {
        RowChoice::Spread { sample, share } => {
            let total = catalog.row_count()?;
            let wanted = sample.unwrap_or(total).min(total);
            progress.begin("verifying", Size::Exact(share.number_below(wanted)));
            let (enumerations, mismatches) = check_enumerations(catalog, &check, *share)?;
            verification = Verification { enumerations, mismatches, ..verification };
            let spread = Spread { wanted, total, share: *share };
            let filter = Filter { stored_proofs: true, ..Filter::default() };
            verification.check_rows(catalog, &filter, spread, &check, progress)?;
        }
        RowChoice::Figure(signatures) => {
            progress.begin("verifying", Size::Unknown);
            for signature in signatures {
                let signature = Some(signature.clone());
                let filter = Filter { signature, stored_proofs: true, ..Filter::default() };
                let every = Spread { wanted: 1, total: 1, share: Share::ALL };
                verification.check_rows(catalog, &filter, every, &check, progress)?;
            }
        }
    }
    let structures = std::mem::take(&mut verification.structures);
    let (mismatches, left) = check_structures(catalog, &structures, &check)?;
    verification.mismatches.extend(mismatches);
    verification.structures_left = left;
    progress.end();
    verification.stopped = stop.load(Ordering::Relaxed);
    Ok(verification)
}

/// How the rows that are verified are spread over all: `wanted` of each `total`, and of these a share.
#[derive(Clone, Copy)]
struct Spread {
    wanted: u64,
    total: u64,
    share: Share,
}

/// The rows between two verified ones from which on each is looked up. Reading rows in order is faster for fewer.
const SPARSE: u64 = 8;

impl Spread {
    /// Returns whether the rows are so few that each is looked up. The first program also compares all rows with their
    /// neighbors, unless it verifies a sample.
    fn is_sparse(self) -> bool {
        let number = self.share.number_below(self.wanted);
        let is_partial = self.wanted < self.total || !self.share.is_first();
        is_partial && number.saturating_mul(SPARSE) <= self.total
    }

    /// Returns the number of sample rows among the first `rows`.
    fn number_among(self, rows: u64) -> u64 {
        // At most `wanted`.
        (u128::from(rows) * u128::from(self.wanted) / u128::from(self.total)) as u64
    }

    /// Returns the positions of the verified rows.
    fn positions(self) -> impl Iterator<Item = u64> {
        let (wanted, total) = (u128::from(self.wanted), u128::from(self.total));
        // The first row with which there are `at + 1` sample rows.
        let position = move |at: u64| ((u128::from(at + 1) * total).div_ceil(wanted) - 1) as u64;
        (0..self.wanted).filter(move |&at| self.share.has(at)).map(position)
    }
}

impl Verification {
    /// Checks the rows that pass a filter, as they are spread.
    fn check_rows(
        &mut self,
        catalog: &Catalog,
        filter: &Filter,
        spread: Spread,
        check: &Check<'_>,
        progress: &Progress,
    ) -> Result<(), CatalogError> {
        let mut chunk: Vec<Result<Row, DamagedRow>> = Vec::new();
        let mut seen = 0_u64;
        // Rows are sorted by signature, so two rows of a figure and set are adjacent.
        let mut before: Option<(Signature, Option<Arc<str>>)> = None;
        let is_sparse = spread.is_sparse() && catalog.has_single_rows()?;
        let visit = |row: Result<Row, DamagedRow>| {
            if check.stop.load(Ordering::Relaxed) {
                return Err(None);
            }
            seen += 1;
            if let Ok(row) = &row {
                let this = (row.figure.signature.clone(), row.set.clone());
                if spread.share.is_first() && before.as_ref() == Some(&this) {
                    let problem = "there is another row of this figure";
                    self.add(&this.0, "row", Field::Empty, problem);
                }
                before = Some(this);
            }
            // Samples are spread evenly: a row is taken if it completes one.
            let (earlier, now) = (spread.number_among(seen - 1), spread.number_among(seen));
            if is_sparse || now > earlier && spread.share.has(earlier) {
                chunk.push(row);
            }
            if chunk.len() >= BATCH_ROWS {
                self.add_rows(&std::mem::take(&mut chunk), check, progress);
            }
            Ok(())
        };
        let read = match is_sparse {
            true => catalog.select_at::<Option<CatalogError>>(filter, spread.positions(), visit),
            false => catalog.select_any::<Option<CatalogError>>(filter, visit).map(|_| ()),
        };
        // No error is a request to stop.
        if let Err(Some(error)) = read {
            return Err(error);
        }
        self.add_rows(&chunk, check, progress);
        Ok(())
    }

    /// Checks rows on all cores.
    fn add_rows(
        &mut self,
        rows: &[Result<Row, DamagedRow>],
        check: &Check<'_>,
        progress: &Progress,
    ) {
        // One row at a time, since one may take as long as all others.
        let findings: Vec<Self> = rows
            .par_iter()
            .with_max_len(1)
            .map(|row| {
                let findings = match row {
                    _ if check.stop.load(Ordering::Relaxed) => Self::default(),
                    Err(DamagedRow { signature, problem }) => {
                        let mut damaged = Self { rows: 1, ..Self::default() };
                        damaged.add(signature, "row", Field::Empty, problem.clone());
                        damaged
                    }
                    Ok(row) => check.row(row).unless_interrupted(),
                };
                progress.advance(1);
                findings
            })
            .collect();
        for row in findings {
            self.rows += row.rows;
            self.recounted += row.recounted;
            self.modulo += row.modulo;
            self.too_large += row.too_large;
            self.uncounted += row.uncounted;
            self.proofs += row.proofs;
            self.searched += row.searched;
            self.structures.extend(row.structures);
            self.named += row.named;
            self.mismatches.extend(row.mismatches);
        }
    }

    /// Leaves only the differences found of a row whose recount a stop interrupted.
    fn unless_interrupted(self) -> Self {
        match self.rows {
            0 => Self { mismatches: self.mismatches, ..Self::default() },
            _ => self,
        }
    }

    fn add(
        &mut self,
        signature: &Signature,
        what: &'static str,
        catalog: impl Into<Field<'static>>,
        found: impl Into<Field<'static>>,
    ) {
        self.mismatches.push(Mismatch::new(signature.as_str(), what, catalog, found));
    }
}

impl Check<'_> {
    fn row(&self, row: &Row) -> Verification {
        let signature = &row.figure.signature;
        let engine = row.report.as_ref().and_then(|report| report.engine);
        let mut findings = Verification {
            rows: 1,
            named: u64::from(!row.names.is_empty()),
            searched: u64::from(matches!(engine, Some(Engine::Search | Engine::Frontier))),
            ..Verification::default()
        };
        let numbers = row.structure;
        if let Some(set) = row.set.as_ref().filter(|_| numbers != StructureNumbers::default()) {
            let counts = row.report.as_ref().and_then(|report| report.outcome.counts());
            let has_all_packings = counts
                .zip(numbers.stand)
                .is_some_and(|(counts, stand)| counts.raw == stand.set_up as u128);
            let (signature, set) = (signature.clone(), set.clone());
            let stored = StoredStructure { signature, set, numbers, has_all_packings };
            findings.structures.push(stored);
        }
        // Parsing as untrusted text shows whether it is canonical.
        let parsed = signature.as_str().parse::<Signature>().and_then(|s| s.figure());
        let figure = match parsed {
            Ok(figure) => figure,
            Err(error) => {
                findings.add(signature, "signature", Field::Empty, error.to_string());
                return findings;
            }
        };
        check_columns(row, &figure, &mut findings);
        let outcome = match row.report.as_ref().map(|report| &report.outcome) {
            None | Some(Outcome::Unknown | Outcome::Failed(_)) => {
                findings.uncounted = 1;
                return findings;
            }
            Some(outcome) => outcome,
        };
        let named = row.set.as_deref().unwrap_or_default();
        let Some(set) = self.sets.get(named) else {
            findings.add(signature, "set", named.to_owned(), "not defined");
            return findings;
        };
        let prefix = Equivalence::for_set(set).prefix();
        if !signature.as_str().starts_with(prefix) {
            let problem = format!("begins with {prefix} if counted with {named}");
            findings.add(signature, "signature", Field::Empty, problem);
        }
        if let Outcome::Unsolvable(reason) = *outcome
            && let Some(why) = plain_reason(&figure, set)
            && reason != why
        {
            findings.add(signature, "reason", reason.word(), why.word());
        }
        if let Some(proof) = &row.stored_proof {
            match check_proof(proof, &figure, set) {
                None => findings.proofs = 1,
                Some(problem) => findings.add(signature, "proof", proof.kind.word(), problem),
            }
        }
        let counted = match outcome {
            // Packings beyond the bound are not visited.
            Outcome::AtLeast(least) => {
                recount_at_least(&figure, set, *least, self.steps, Some(self.stop))
                    .map(|raw| (raw < *least).then_some(Counts { raw, ..Counts::default() }))
            }
            exact => recount(&figure, set, self.steps, Some(self.stop))
                .map(|counts| (exact.counts() != Some(counts)).then_some(counts)),
        };
        match counted {
            Ok(contradiction) => {
                findings.recounted = 1;
                let differ = |counts| Mismatch::of_counts(signature.as_str(), outcome, counts);
                findings.mismatches.extend(contradiction.map(differ));
            }
            // The proof shows the same as a recount.
            Err(RecountError::Steps) if findings.proofs > 0 => {}
            Err(unfinished) => {
                // A bound has no counts to compare.
                match outcome.counts().filter(|_| unfinished == RecountError::Steps) {
                    Some(counts) => self.sweep(&figure, set, counts, &mut findings),
                    None => findings.too_large = u64::from(unfinished != RecountError::Stopped),
                }
                findings.rows = findings.too_large + findings.modulo;
            }
        }
        findings
    }

    /// Checks counts modulo two primes if packings are too many to visit.
    fn sweep(&self, figure: &Figure, set: &PieceSet, counts: Counts, findings: &mut Verification) {
        // A sweep that panicked leaves nothing inconsistent.
        let _alone = SWEEPING.lock().unwrap_or_else(PoisonError::into_inner);
        let signature = figure.canonical_up_to(Equivalence::for_set(set)).signature;
        match recount_modulo(figure, set, available_memory(), self.steps, Some(self.stop)) {
            Err(unfinished) => findings.too_large = u64::from(unfinished != RecountError::Stopped),
            Ok(found) => {
                let exact = found.counts(counts.raw);
                if !found.fit(counts.raw) {
                    let rests = found.raw.iter().zip(PRIMES);
                    let rests = rests.map(|(rest, prime)| format!("{rest} modulo {prime}"));
                    let rests = rests.collect::<Vec<_>>().join(", ");
                    findings.add(&signature, "raw", counts.raw, rests);
                } else if exact != counts {
                    let outcome = Outcome::Counted(counts);
                    findings.mismatches.push(Mismatch::of_counts(
                        signature.as_str(),
                        &outcome,
                        exact,
                    ));
                }
                (findings.recounted, findings.modulo) = (1, 1);
            }
        }
    }
}

/// Checks the columns of a figure that are independent of sets.
fn check_columns(row: &Row, figure: &Figure, findings: &mut Verification) {
    let Columns { signature, cells, extents, class, parity, parts, .. } = &row.figure;
    let plain = plain_signature(figure, signature.as_str().starts_with('s'));
    if plain != signature.as_str() {
        let problem = format!("describes a figure whose signature is {plain}");
        findings.add(signature, "signature", Field::Empty, problem);
    }
    let columns: [(_, Field<'_>, Field<'_>); 5] = [
        ("cells", (*cells).into(), figure.len().into()),
        ("class", class.name().into(), plain_class(figure).into()),
        ("parity", (*parity).into(), plain_parity(figure).into()),
        ("box", sides_text(*extents).into(), plain_bounds(figure).into()),
        ("parts", (*parts).into(), plain_parts(figure).into()),
    ];
    for (what, catalog, found) in columns {
        if catalog != found {
            findings.add(signature, what, catalog, found);
        }
    }
}
