//! Merging parts into a catalog.
//!
//! Everything is checked before anything is written: each unit has a part, parts have their digests, duplicates are
//! equal, and the parts of a question have its known sums. Then the parts are written in the order of a run. A question
//! continues at the position that the catalog has, so the same command resumes a merge.

use super::block::Blocks;
use super::error::{PartFault, UnitFault, UnitsError};
use super::part::{self, PartFile, PartSums, Sums, parts};
use super::read_ahead::read_ahead;
use super::row_check::{RowDigest, refuse_different_counts, refuse_repetitions};
use super::unit::{SetText, Unit, UnitList, UnitWork, jobs};
use rayon::prelude::*;
use somacat_counting::enumerate::Place;
use somacat_counting::question::{Breakdown, FigureSink, Leaders, Origin, Question, Size};
use somacat_geometry::pieces::PieceSet;
use somacat_run::{
    CatalogSink, FlushAfter, Intake, OpenQuestion, Progress, Summary, parse_published,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The complete and valid parts of a plan.
#[derive(Debug)]
pub struct Parts {
    pub(super) units: Vec<Unit>,
    pub(super) paths: Vec<PathBuf>,
    totals: Vec<PartsTotals>,
}

#[derive(Clone, Debug)]
pub struct PartsTotals {
    pub label: String,
    pub set: PieceSet,
    /// Figures by class, verdict and reason, kept or not.
    pub totals: Breakdown,
    /// The units included in the totals, and all units of the question.
    pub units: [u64; 2],
}

#[derive(Clone, Debug)]
pub struct Merged {
    pub summary: Summary,
    pub units: u64,
}

/// The units of a plan that a merge writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    Everything,
    /// Sources and the outcomes of their figures.
    Sources,
}

impl Parts {
    /// Finds the parts of units in folders and checks every line.
    pub fn check(units_file: &Path, folders: &[PathBuf]) -> Result<Self, UnitsError> {
        let (units, paths, sums) = check_found(units_file, folders)?;
        let missing: Vec<u64> =
            units.iter().map(|unit| unit.number).filter(|n| !sums.contains_key(n)).collect();
        if !missing.is_empty() {
            let (number, of) = (missing.len() as u64, units.len() as u64);
            return Err(UnitsError::Missing { number, of, list: ranges(&missing) });
        }
        let totals = add_up(&units, &sums)?;
        Ok(Self { units, paths, totals })
    }

    /// Adds up the parts that exist, after checking every line of them.
    pub fn totals_so_far(
        units_file: &Path,
        folders: &[PathBuf],
    ) -> Result<Vec<PartsTotals>, UnitsError> {
        let (units, _, sums) = check_found(units_file, folders)?;
        add_up(&units, &sums)
    }

    /// Returns the totals of the questions of the plan, in order.
    pub fn into_totals(self) -> Vec<PartsTotals> {
        self.totals
    }

    /// Merges the parts into a catalog. Creates it if it does not exist, and ends early if `stop` is set.
    ///
    /// # Errors
    /// If the catalog fails, or a part changed meanwhile. The same command continues.
    pub fn merge(
        &self,
        catalog: &Path,
        extent: Extent,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<Merged, UnitsError> {
        let title = format!("merge of plan {}", self.units[0].plan);
        let mut intake = Intake::begin(catalog, &title, stop, progress)?;
        intake.summary.from_parts = true;
        intake.options.nodes = self.units[0].nodes;
        let mut merge = Merge { parts: self, intake, extent };
        let done = merge.all();
        let summary = merge.intake.end(done)?;
        Ok(Merged { summary, units: self.units.len() as u64 })
    }
}

/// A plan's units, with the paths and the sums of existing parts. The paths are in order; the sums are by unit.
type CheckedParts = (Vec<Unit>, Vec<PathBuf>, BTreeMap<u64, Sums>);

/// Finds parts of units in folders and checks every line of them.
fn check_found(units_file: &Path, folders: &[PathBuf]) -> Result<CheckedParts, UnitsError> {
    let units = UnitList::read(units_file)?;
    let units = units.units().to_vec();
    let found = find(units_file, &units, folders)?;
    let checked: Vec<(u64, PathBuf, Result<Sums, PartFault>)> = found
        .into_par_iter()
        .map(|(number, (path, stated))| {
            let sums = part::check(&path, &units[number as usize - 1], &stated);
            (number, path, sums)
        })
        .collect();
    let (mut paths, mut sums, mut damaged) = (Vec::new(), BTreeMap::new(), Vec::new());
    for (number, path, result) in checked {
        match result {
            Ok(one) => {
                paths.push(path);
                sums.insert(number, one);
            }
            Err(fault) => damaged.push((path, fault)),
        }
    }
    if !damaged.is_empty() {
        return Err(UnitsError::Damaged(damaged));
    }
    let mut all = Vec::new();
    for units in jobs(&units) {
        let own = units[0].number..=units[units.len() - 1].number;
        let digests: Vec<Vec<RowDigest>> = sums
            .range_mut(own.clone())
            .map(|(_, sums)| std::mem::take(&mut sums.digests))
            .collect();
        let parts = sums.keys().zip(&paths).filter(|(number, _)| own.contains(*number));
        let parts = parts.map(|(number, path)| (&units[(number - own.start()) as usize], path));
        let mut digests = digests.concat();
        if units[0].work.shards().is_some() {
            refuse_repetitions(parts, &mut digests)?;
        }
        all.append(&mut digests);
    }
    let parts = sums.keys().zip(&paths).map(|(number, path)| (&units[*number as usize - 1], path));
    refuse_different_counts(parts, all)?;
    Ok((units, paths, sums))
}

fn find(
    units_file: &Path,
    units: &[Unit],
    folders: &[PathBuf],
) -> Result<BTreeMap<u64, (PathBuf, PartSums)>, UnitsError> {
    let mut found: BTreeMap<u64, (PathBuf, PartSums)> = BTreeMap::new();
    let mut damaged = Vec::new();
    for folder in folders {
        for path in
            parts(folder).map_err(|error| UnitsError::read("the folder of parts", folder, error))?
        {
            let (unit, sums) = match read_ends(&path) {
                Ok(ends) => ends,
                Err(fault) => {
                    damaged.push((path, fault));
                    continue;
                }
            };
            let own = unit.number.checked_sub(1).and_then(|at| units.get(at as usize));
            if own != Some(&unit) || sums.version != unit.version {
                let found = match sums.version == units[0].version {
                    true => unit.name(),
                    false => format!("{}, worked by somacat {}", unit.name(), sums.version),
                };
                let wanted = format!("plan {}, of somacat {}", units[0].plan, units[0].version);
                let units = units_file.to_owned();
                return Err(UnitsError::ForeignPart { path, found, units, wanted });
            }
            match found.get(&unit.number) {
                None => {
                    found.insert(unit.number, (path, sums));
                }
                Some((first, known)) if known.sha256 != sums.sha256 => {
                    let (number, first, second) = (unit.number, first.clone(), path);
                    return Err(UnitsError::Contradiction { number, first, second });
                }
                // A duplicate.
                Some(_) => {}
            }
        }
    }
    if damaged.is_empty() { Ok(found) } else { Err(UnitsError::Damaged(damaged)) }
}

/// Reads the unit of a part and its sums.
fn read_ends(path: &Path) -> Result<(Unit, PartSums), PartFault> {
    let part = PartFile::open(path)?;
    let unit = match part.unit_line().map(Unit::of_line) {
        Some(Ok(unit)) => unit,
        Some(Err(UnitFault::Format { .. })) => return Err(PartFault::Format),
        _ => return Err(PartFault::Begin),
    };
    Ok((unit, part.part_sums()?))
}

/// Writes numbers as ranges: `3, 7-12`.
fn ranges(numbers: &[u64]) -> String {
    let mut text: Vec<String> = Vec::new();
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        text.push(match run {
            [first, .., last] => format!("{first}-{last}"),
            one => one[0].to_string(),
        });
    }
    text.join(", ")
}

fn question(unit: &Unit) -> Result<Option<Arc<dyn Question>>, UnitsError> {
    unit.work.question().map_err(|fault| UnitsError::of_unit(unit.name(), fault))
}

/// Adds up the parts of each question. Compares the sums with those that are known.
fn add_up(units: &[Unit], sums: &BTreeMap<u64, Sums>) -> Result<Vec<PartsTotals>, UnitsError> {
    let mut all = Vec::new();
    for units in jobs(units) {
        let sums: Vec<&Sums> = units.iter().filter_map(|unit| sums.get(&unit.number)).collect();
        let is_complete = sums.len() == units.len();
        let Some(question) = question(&units[0])? else { continue };
        let Origin::Search(set) = question.origin() else { continue };
        let mut totals = Breakdown::default();
        sums.iter().for_each(|sums| totals.add_all(&sums.totals));
        let label = units[0].work.label().to_owned();
        let differ = |found: String, known: String| {
            Err(UnitsError::DoNotAddUp { label: label.clone(), found, known })
        };
        let figures = totals.figures();
        if let Some(known) = question.total_subsets().filter(|_| is_complete) {
            let sum = |at: usize| sums.iter().filter_map(|sums| sums.census).map(|c| c[at]).sum();
            let (direct, packings, subsets): (u128, u128, u128) = (sum(0), sum(1), sum(2));
            if direct != packings {
                return differ(format!("{packings} packings"), direct.to_string());
            }
            if subsets != known {
                return differ(format!("{subsets} subsets"), known.to_string());
            }
        }
        let known = question.total().filter(|_| is_complete);
        if let Some(known) = known.filter(|known| *known != u128::from(figures)) {
            return differ(format!("{figures} figures"), known.to_string());
        }
        let set = set.clone();
        let units = [sums.len(), units.len()].map(|number| number as u64);
        all.push(PartsTotals { label, set, totals, units });
    }
    Ok(all)
}

struct Merge<'a> {
    parts: &'a Parts,
    intake: Intake<'a>,
    extent: Extent,
}

impl Merge<'_> {
    /// Merges in the order of a run: sources, other questions, published counts.
    fn all(&mut self) -> Result<(), UnitsError> {
        let parts = self.parts;
        let mut rest = parts.paths.as_slice();
        for units in jobs(&parts.units) {
            if self.intake.stopped() {
                break;
            }
            let (paths, later) = rest.split_at(units.len());
            rest = later;
            let Some(question) = question(&units[0])? else { continue };
            let is_source = matches!(question.origin(), Origin::Source(_));
            if is_source || self.extent == Extent::Everything {
                self.question(question.as_ref(), units, paths)?;
            }
        }
        if self.extent == Extent::Everything {
            self.published()?;
        }
        Ok(())
    }

    fn question(
        &mut self,
        question: &dyn Question,
        units: &[Unit],
        paths: &[PathBuf],
    ) -> Result<(), UnitsError> {
        let (label, nodes) = (units[0].work.label().to_owned(), units[0].nodes);
        let mut open = self.intake.begin_question(question, label, nodes)?;
        let progress = self.intake.progress;
        progress.begin(&format!("merging {}", open.label), Size::Unknown);
        if !open.is_complete() && !self.figures(&mut open, units, paths)? {
            // A run stopped between two blocks. The catalog keeps its outcomes.
            self.intake.restart_question(&mut open)?;
            self.figures(&mut open, units, paths)?;
        }
        progress.end();
        Ok(self.intake.end_question(question, &open)?)
    }

    /// Writes the blocks behind the position of a question. Returns false if no block begins there.
    fn figures(
        &mut self,
        open: &mut OpenQuestion,
        units: &[Unit],
        paths: &[PathBuf],
    ) -> Result<bool, UnitsError> {
        let (begun, mut end, mut is_end) = (open.place(), Place::default(), true);
        let label = PathBuf::from(&open.label);
        let (stop, progress) = (self.intake.stop, self.intake.progress);
        let keep = open.keep;
        let mut sink = CatalogSink::new(&mut self.intake, open, FlushAfter::COPY);
        let mut leaders = match keep.top() {
            Some(number) => Some(Leaders::after(sink.most_packings(number)?, number)),
            None => None,
        };
        read_ahead(units, paths, |blocks| {
            for block in blocks {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let block = block?;
                let from = std::mem::replace(&mut end, block.batch.place);
                if end <= begun {
                    continue;
                }
                is_end &= from >= begun;
                if !is_end {
                    break;
                }
                let damaged = |fault| UnitsError::Damaged(vec![(label.clone(), fault)]);
                let mut batch = block.into_batch().map_err(damaged)?;
                let figures = batch.totals.figures() + batch.entries.len() as u64;
                if let Some(leaders) = &mut leaders {
                    leaders.filter(&mut batch);
                }
                sink.take(batch)?;
                progress.advance(figures);
            }
            Ok::<(), UnitsError>(())
        })?;
        sink.flush()?;
        Ok(is_end)
    }

    fn published(&mut self) -> Result<(), UnitsError> {
        let parts = self.parts;
        for (unit, path) in parts.units.iter().zip(&parts.paths) {
            let UnitWork::Published { file, set } = &unit.work else { continue };
            if self.intake.stopped() {
                break;
            }
            let set = set.as_ref().map(SetText::set).transpose();
            let set = set.map_err(|error| UnitsError::of_unit(unit.name(), error))?;
            let block = Blocks::open(path, unit).and_then(|mut blocks| blocks.next());
            let block = block.map_err(|fault| UnitsError::Damaged(vec![(path.clone(), fault)]))?;
            let text = block.and_then(|block| block.published).unwrap_or_default();
            let lines = parse_published(Path::new(&file.file), &text, set.as_ref())?;
            self.intake.keep_published(&lines)?;
        }
        Ok(())
    }
}
