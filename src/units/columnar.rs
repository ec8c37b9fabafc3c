//! Merging parts into Parquet files, without a catalog.
//!
//! The files have the same bytes as those of `export parquet` from the merged catalog. Figures come in the order of
//! their units and are sorted on the disk by class and signature. Figures of sources, which have names, are merged into
//! a small catalog first. Memory holds the sorter, a block of a part for each thread, and the rows of a row group.

use super::error::UnitsError;
use super::merge::{Extent, Parts};
use super::part::Blocks;
use super::sorter::{SortBuffer, Sorter};
use super::unit::{Unit, UnitWork, jobs};
use somacat_catalog::{Catalog, Filter, PlainReport};
use somacat_counting::question::{Leaders, Size};
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::Report;
use somacat_geometry::symmetry::Class;
use somacat_output::export::{FigureRow, NewFolder, ParquetFiles, ParquetSummary};
use somacat_run::{Progress, Summary};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const SORT_MEMORY: usize = 256 << 20;

#[derive(Clone, Debug)]
pub struct MergedFiles {
    /// The files; `None` if the merge was stopped.
    pub files: Option<ParquetSummary>,
    /// The numbers of the sources of the plan.
    pub sources: Summary,
    pub units: u64,
}

/// A row while it is sorted, behind class, signature and set.
struct SortedRow {
    set: u16,
    name: Option<String>,
    cells: usize,
    parity: u32,
    parts: usize,
    report: Option<Report>,
}

/// The values of a row behind its sort key.
type PlainRow = (Option<String>, usize, u32, usize, Option<PlainReport>);

impl Parts {
    /// Writes the parts' figures to a new folder of Parquet files. Ends early if `stop` is set.
    pub fn to_parquet(
        &self,
        folder: &Path,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<MergedFiles, UnitsError> {
        let target = NewFolder::create(folder, ParquetFiles::is_folder_of_them)?;
        let failed = |error| UnitsError::write(folder, error);
        let work = tempfile::tempdir_in(target.path()).map_err(failed)?;
        let units = self.units.len() as u64;
        let stopped = |mut sources: Summary| {
            sources.stopped = true;
            Ok(MergedFiles { files: None, sources, units })
        };
        let from_source = |work: &UnitWork| matches!(work, UnitWork::Import { .. });
        let (mut sources, mut named) = (Summary::default(), None);
        if self.units.iter().any(|unit| from_source(&unit.work)) {
            let path = work.path().join("sources.db");
            sources = self.merge(&path, Extent::Sources, stop, progress)?.summary;
            named = Some(Catalog::open_read_only(&path)?);
        }
        let sets = self.set_names(named.as_ref())?;
        let threads = rayon::current_num_threads();
        let sorter = Sorter::create(&work.path().join("rows"), SORT_MEMORY, threads);
        let sorter = sorter.map_err(failed)?;
        progress.begin("sorting figures", Size::Unknown);
        let rows = Rows { parts: self, sorter: &sorter, sets: &sets, folder, ranks: ranks() };
        let (tasks, next) = (tasks(&self.units), AtomicUsize::new(0));
        let done = rayon::broadcast(|_| rows.of_questions(&tasks, &next, stop, progress));
        done.into_iter().collect::<Result<(), _>>()?;
        if let Some(catalog) = &named {
            rows.of_sources(catalog)?;
        }
        progress.end();
        if stop.load(Ordering::Relaxed) {
            return stopped(sources);
        }
        progress.begin("writing figures", Size::Unknown);
        let mut files = ParquetFiles::create(target.path())?;
        let mut sorted = sorter.sorted().map_err(failed)?;
        let (mut bytes, mut figure) = (Vec::new(), OneFigure::new(&sets));
        while sorted.next(&mut bytes).map_err(failed)? {
            if figure.add(&bytes, &mut files)? {
                progress.advance(1);
            }
            if stop.load(Ordering::Relaxed) {
                return stopped(sources);
            }
        }
        figure.write(&mut files)?;
        let summary = files.finish()?;
        progress.end();
        drop((sorted, named));
        work.close().map_err(failed)?;
        target.commit()?;
        Ok(MergedFiles { files: Some(summary), sources, units })
    }

    fn set_names(&self, sources: Option<&Catalog>) -> Result<Vec<String>, UnitsError> {
        let mut names = BTreeSet::new();
        for unit in &self.units {
            if let Some(shards) = unit.work.shards() {
                let set =
                    shards.set.set().map_err(|error| UnitsError::of_unit(unit.name(), error))?;
                names.insert(set.name().to_owned());
            }
        }
        if let Some(catalog) = sources {
            names.extend(catalog.sets_by_name()?.into_keys());
        }
        Ok(names.into_iter().collect())
    }
}

/// Returns each class's rank in the order of the rows. The position is the class's number.
fn ranks() -> Vec<u8> {
    let sorted = Class::sorted_by_name();
    let rank = |class: Class| sorted.iter().position(|other| *other == class);
    Class::iter().map(|class| rank(class).expect("every class is there") as u8).collect()
}

/// Returns the units that one thread sorts after another: each by itself, or those of a question that keeps leaders.
fn tasks(units: &[Unit]) -> Vec<&[Unit]> {
    let leads =
        |job: &[Unit]| job[0].work.shards().is_some_and(|shards| shards.keep.top().is_some());
    jobs(units).flat_map(|job| job.chunks(if leads(job) { job.len() } else { 1 })).collect()
}

struct Rows<'a> {
    parts: &'a Parts,
    sorter: &'a Sorter,
    sets: &'a [String],
    folder: &'a Path,
    ranks: Vec<u8>,
}

impl Rows<'_> {
    /// Sorts the figures of questions, one task after another.
    fn of_questions(
        &self,
        tasks: &[&[Unit]],
        next: &AtomicUsize,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<(), UnitsError> {
        let mut buffer = self.sorter.buffer();
        while let Some(units) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(shards) = units[0].work.shards() else { continue };
            let mut leaders = shards.keep.top().map(|number| Leaders::after(Vec::new(), number));
            for unit in *units {
                self.of_unit(unit, leaders.as_mut(), &mut buffer, (stop, progress))?;
            }
        }
        buffer.flush().map_err(|error| UnitsError::write(self.folder, error))
    }

    /// Sorts the figures of a unit, unless `stop` is set.
    fn of_unit(
        &self,
        unit: &Unit,
        mut leaders: Option<&mut Leaders>,
        buffer: &mut SortBuffer<'_>,
        (stop, progress): (&AtomicBool, &Progress),
    ) -> Result<(), UnitsError> {
        let (at, mut bytes) = (unit.number as u32 - 1, Vec::new());
        let path = &self.parts.paths[at as usize];
        let damaged = |fault| UnitsError::Damaged(vec![(path.clone(), fault)]);
        let Some(shards) = unit.work.shards() else { return Ok(()) };
        let set = shards.set.set().map_err(|error| UnitsError::of_unit(unit.name(), error))?;
        let set = self.number(Some(set.name()));
        let mut blocks = Blocks::open(path, unit).map_err(damaged)?;
        while let Some(mut block) = blocks.next().map_err(damaged)? {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if let Some(leaders) = &mut leaders {
                leaders.filter(&mut block.batch);
            }
            for row in &block.batch.rows {
                let columns = &row.columns;
                let sorted = SortedRow {
                    set,
                    name: None,
                    cells: columns.cells,
                    parity: columns.parity,
                    parts: columns.parts,
                    report: Some(row.report.clone()),
                };
                bytes.clear();
                self.encode(&mut bytes, columns.class, &columns.signature, at, sorted);
                self.push(buffer, &bytes)?;
            }
            progress.advance(block.batch.rows.len() as u64);
        }
        Ok(())
    }

    /// Sorts the figures of sources, with their names. A run counts them last.
    fn of_sources(&self, catalog: &Catalog) -> Result<(), UnitsError> {
        let (mut buffer, mut bytes) = (self.sorter.buffer(), Vec::new());
        catalog.select::<UnitsError>(&Filter::default(), |row| {
            let record = row.record;
            let sorted = SortedRow {
                set: self.number(row.set.as_deref()),
                name: record.name,
                cells: record.cells,
                parity: record.parity,
                parts: row.parts,
                report: record.report,
            };
            bytes.clear();
            self.encode(&mut bytes, record.class, &record.signature, u32::MAX, sorted);
            self.push(&mut buffer, &bytes)
        })?;
        buffer.flush().map_err(|error| UnitsError::write(self.folder, error))
    }

    fn push(&self, buffer: &mut SortBuffer<'_>, bytes: &[u8]) -> Result<(), UnitsError> {
        buffer.push(bytes).map_err(|error| UnitsError::write(self.folder, error))
    }

    /// Returns the number of a set, from 1, or 0 for none. Sets are in the order of their names.
    fn number(&self, set: Option<&str>) -> u16 {
        let at = set.map(|set| self.sets.binary_search_by(|name| name.as_str().cmp(set)));
        at.map_or(0, |at| at.expect("all sets were listed") as u16 + 1)
    }

    /// Writes a row, beginning with its sort key. Equal rows keep the order of a run.
    fn encode(
        &self,
        bytes: &mut Vec<u8>,
        class: Class,
        signature: &Signature,
        order: u32,
        row: SortedRow,
    ) {
        bytes.push(self.ranks[class.number()]);
        bytes.extend_from_slice(signature.as_str().as_bytes());
        // Less than every character of a signature.
        bytes.push(0);
        bytes.extend_from_slice(&row.set.to_be_bytes());
        bytes.extend_from_slice(&order.to_be_bytes());
        let report = row.report.as_ref().map(PlainReport::from);
        let plain: PlainRow = (row.name, row.cells, row.parity, row.parts, report);
        postcard::to_io(&plain, bytes).expect("memory takes any bytes");
    }
}

impl SortedRow {
    /// Reads the bytes behind the order.
    fn decode(set: u16, bytes: &[u8]) -> Option<Self> {
        let (name, cells, parity, parts, report): PlainRow = postcard::from_bytes(bytes).ok()?;
        let report = report.map(Report::try_from).transpose().ok()?;
        Some(Self { set, name, cells, parity, parts, report })
    }

    /// Merges another row of the same figure and set. As in a catalog, an exact outcome stays, and so does the bound
    /// with more nodes.
    fn learn(&mut self, other: Self) {
        let exact = |row: &Self| row.report.as_ref().is_some_and(|r| r.outcome.is_exact());
        let nodes = |row: &Self| row.report.as_ref().and_then(|report| report.nodes).unwrap_or(0);
        if !exact(self) && (exact(&other) || nodes(&other) >= nodes(self)) {
            self.report = other.report;
        }
        self.name = self.name.take().or(other.name);
    }
}

struct OneFigure<'a> {
    sets: &'a [String],
    classes: Vec<Class>,
    /// The sort key: class and signature.
    key: Vec<u8>,
    rows: Vec<SortedRow>,
}

impl<'a> OneFigure<'a> {
    fn new(sets: &'a [String]) -> Self {
        Self { sets, classes: Class::sorted_by_name(), key: Vec::new(), rows: Vec::new() }
    }

    /// Adds a row, and returns whether it begins a figure. If so, writes the previous figure first.
    fn add(&mut self, bytes: &[u8], files: &mut ParquetFiles) -> Result<bool, UnitsError> {
        let (key, set, rest) = split(bytes).ok_or_else(unreadable)?;
        let begins = key != self.key;
        if begins {
            self.write(files)?;
            self.key.clear();
            self.key.extend_from_slice(key);
        }
        let row = SortedRow::decode(set, rest).ok_or_else(unreadable)?;
        match self.rows.last_mut() {
            Some(last) if last.set == set => last.learn(row),
            _ => self.rows.push(row),
        }
        Ok(begins)
    }

    fn write(&mut self, files: &mut ParquetFiles) -> Result<(), UnitsError> {
        let Some((&rank, signature)) = self.key.split_first() else { return Ok(()) };
        let signature = str::from_utf8(signature).map_err(|_| unreadable())?;
        let signature = Signature::from_trusted(signature.to_owned());
        // A name belongs to the figure, whatever the set.
        let name = self.rows.iter().find_map(|row| row.name.clone());
        let counted = self.rows.iter().any(|row| row.set > 0);
        for row in self.rows.drain(..).filter(|row| row.set > 0 || !counted) {
            files.row(FigureRow {
                name: name.as_deref(),
                names: &[],
                signature: &signature,
                cells: row.cells,
                class: self.classes[usize::from(rank)],
                parity: row.parity,
                parts: Some(row.parts),
                set: row.set.checked_sub(1).map(|at| self.sets[usize::from(at)].as_str()),
                report: row.report.as_ref(),
                micros: None,
            })?;
        }
        Ok(())
    }
}

/// Splits a row's bytes: class and signature, set, and the bytes behind the order.
fn split(bytes: &[u8]) -> Option<(&[u8], u16, &[u8])> {
    let end = 1 + bytes.get(1..)?.iter().position(|&byte| byte == 0)?;
    let set = bytes.get(end + 1..end + 3)?.try_into().ok()?;
    Some((&bytes[..end], u16::from_be_bytes(set), bytes.get(end + 7..)?))
}

fn unreadable() -> UnitsError {
    let error = io::Error::new(io::ErrorKind::InvalidData, "its content changed");
    UnitsError::Read { what: "the temporary file of the merge".to_owned(), error }
}
