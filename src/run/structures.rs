//! Properties of packings that a plan requests: how they are connected, and which are stable.

use super::mismatch::Mismatch;
use super::share::Check;
use super::{Run, RunError, default_limits, try_figure};
use rayon::prelude::*;
use somacat_catalog::{
    Catalog, CatalogError, MapNumbers, Pending, RequestedAnalyses, StandNumbers, StructureNumbers,
};
use somacat_counting::map::{MapError, SolutionMap};
use somacat_counting::question::Size;
use somacat_counting::solve::{Limits, Placement, Problem};
use somacat_counting::stand::{
    DEFAULT_FRICTION, LoosePieces, Side, analyze_stability, solid_stability, upright_packings,
};
use somacat_geometry::figure::{Figure, Signature};
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::in_usual_position;
use somacat_output::export::Field;
use std::sync::Arc;

/// Packings of a figure that are tested as loose pieces, spread evenly.
pub const SET_UP: usize = 100;

/// The most packings from which these are drawn, images included: enough for all but the largest figures, and few
/// enough to hold in memory on every core.
const MAX_PACKINGS_SEARCHED: u64 = 100_000;

const BATCH: usize = 64;

impl Run<'_> {
    /// Computes the properties of packings that the plan requests. Covers the run's figures.
    pub(super) fn find_structures(&mut self) -> Result<(), RunError> {
        let wanted = self.plan.wanted;
        if !(wanted.map || wanted.stand) || self.intake.stopped() {
            return Ok(());
        }
        let (limits, progress) = (self.work().limits, self.intake.progress);
        let session = &mut self.intake.session;
        let sets = session.catalog().piece_sets()?;
        progress.begin("packings", Size::Unknown);
        let mut last: Option<Pending> = None;
        loop {
            let batch = session.missing_structures(wanted, last.as_ref(), BATCH)?;
            let Some(end) = batch.last() else { break };
            last = Some(end.clone());
            let mut shown = Vec::new();
            for pending in batch {
                let origins = session.catalog().origins(&pending.signature)?;
                shown.push((pending, origins));
            }
            let find = |(pending, origins): (Pending, Vec<_>)| {
                let set = sets.get(&pending.set)?;
                let canonical = pending.signature.figure().ok()?;
                let figure = in_usual_position(&canonical, &origins);
                // The solver refuses the same figures when it counts them.
                let found = try_figure(|| numbers(&figure, set, wanted, limits)).ok()?;
                progress.advance(1);
                (!limits.stopped()).then_some((pending, found))
            };
            let found: Vec<_> = shown.into_par_iter().with_max_len(1).filter_map(find).collect();
            session.keep_structures(&found)?;
            if limits.stopped() {
                break;
            }
        }
        progress.end();
        Ok(())
    }
}

/// A row with stored results.
#[derive(Clone, Debug)]
pub(super) struct StoredStructure {
    pub(super) signature: Signature,
    /// The name of the set.
    pub(super) set: Arc<str>,
    pub(super) numbers: StructureNumbers,
    /// Whether all packings were set up. Of a figure with more, a run analyzes a sample that depends on its limit of
    /// nodes, so these numbers cannot be compared.
    pub(super) has_all_packings: bool,
}

/// Computes stored results again. Returns the differences, and the number of results that could not be computed.
pub(super) fn check_structures(
    catalog: &Catalog,
    stored: &[StoredStructure],
    check: &Check<'_>,
) -> Result<(Vec<Mismatch>, u64), CatalogError> {
    let (mut mismatches, mut left) = (Vec::new(), 0);
    for batch in stored.chunks(BATCH) {
        let mut shown = Vec::new();
        for row in batch {
            shown.push((row, check.sets.get(&*row.set), catalog.origins(&row.signature)?));
        }
        let find = |(row, set, origins): &(&StoredStructure, Option<&PieceSet>, Vec<_>)| {
            let (set, canonical) = ((*set)?, row.signature.figure().ok()?);
            let figure = in_usual_position(&canonical, origins);
            let (map, stand) = (row.numbers.map.is_some(), row.numbers.stand.is_some());
            let wanted = RequestedAnalyses { map, stand, prove: false };
            let limits = default_limits(check.stop);
            let found = try_figure(|| numbers(&figure, set, wanted, limits)).ok()?;
            // A map without components was given up.
            let is_known = found.map.is_none_or(|map| map.components > 0) && !limits.stopped();
            is_known.then(|| mismatch(row, found))
        };
        let found: Vec<Option<Option<Mismatch>>> =
            shown.par_iter().with_max_len(1).map(find).collect();
        let is_left = |(row, found): &(&StoredStructure, &Option<_>)| {
            found.is_none() || row.numbers.stand.is_some() && !row.has_all_packings
        };
        left += batch.iter().zip(&found).filter(is_left).count() as u64;
        mismatches.extend(found.into_iter().flatten().flatten());
    }
    Ok((mismatches, left))
}

/// Returns the differences of stored and computed results, if any.
fn mismatch(row: &StoredStructure, found: StructureNumbers) -> Option<Mismatch> {
    let stored = row.numbers;
    let map = |numbers: StructureNumbers| {
        numbers.map.map(|map| [("map_components", map.components), ("map_solitary", map.solitary)])
    };
    let stand = |numbers: StructureNumbers| {
        let number = |stand: StandNumbers| {
            let all = [
                ("solid_stands", usize::from(stand.solid)),
                ("set_up", stand.set_up),
                ("stand", stand.stand),
                ("by_hand", stand.by_hand),
            ];
            all.into_iter().take(if row.has_all_packings { 4 } else { 1 })
        };
        numbers.stand.into_iter().flat_map(number)
    };
    let list = |numbers: StructureNumbers| map(numbers).into_iter().flatten().chain(stand(numbers));
    let differ = list(stored).zip(list(found)).filter(|(stored, found)| stored != found);
    let mut differences: Vec<[Field<'static>; 3]> = differ
        .map(|((what, stored), (_, found))| [what.into(), stored.into(), found.into()])
        .collect();
    if let Some(stand) = stored.stand.filter(|stand| stand.friction != DEFAULT_FRICTION) {
        let [is, should] = [stand.friction, DEFAULT_FRICTION].map(|value| value.to_string());
        differences.push(["friction".into(), is.into(), should.into()]);
    }
    let signature = row.signature.as_str().to_owned();
    (!differences.is_empty()).then_some(Mismatch { signature, differences })
}

fn numbers(
    figure: &Figure,
    set: &PieceSet,
    wanted: RequestedAnalyses,
    limits: Limits<'_>,
) -> Result<StructureNumbers, String> {
    let problem = Problem::new(figure, set);
    let map = match wanted.map.then(|| SolutionMap::new(&problem, limits)) {
        None => None,
        Some(Ok(map)) => {
            Some(MapNumbers { components: map.components().len(), solitary: map.solitary() })
        }
        Some(Err(MapError::TooMany(_) | MapError::AtLeast(_) | MapError::Undecided(_))) => {
            Some(MapNumbers { components: 0, solitary: 0 })
        }
        Some(Err(error)) => return Err(error.to_string()),
    };
    let stand = wanted.stand.then(|| stand(&problem, limits)).transpose()?;
    Ok(StructureNumbers { map, stand })
}

fn stand(problem: &Problem<'_>, limits: Limits<'_>) -> Result<StandNumbers, String> {
    let first = Limits { packings: Some(MAX_PACKINGS_SEARCHED.into()), ..limits };
    let packings =
        upright_packings(problem, first, usize::MAX).map_err(|error| error.to_string())?;
    let mut numbers = StandNumbers {
        solid: solid_stability(problem.figure(), Side::Bottom).stands,
        friction: DEFAULT_FRICTION,
        set_up: 0,
        stand: 0,
        by_hand: 0,
    };
    for at in packings.spread(SET_UP) {
        let cells = |place: &Placement| place.cells.clone();
        let pieces = packings.packings[at].iter().map(cells).collect();
        // Inconclusive packings do not count.
        if let Ok(LoosePieces { stands, order: Ok(order), .. }) =
            analyze_stability(pieces, DEFAULT_FRICTION)
        {
            numbers.set_up += 1;
            numbers.stand += usize::from(stands);
            numbers.by_hand += usize::from(order.is_some());
        }
        if limits.stopped() {
            break;
        }
    }
    Ok(numbers)
}
