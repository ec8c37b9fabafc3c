//! Parts: the results of units. A part is a file of JSON lines with a sidecar that states what it must contain.
//!
//! The bytes of a part depend on its unit alone.

use super::block::{Block, Blocks};
use super::error::{PartFault, UnitsError};
use super::progress_file::{ProgressFile, require_file};
use super::record::{End, PartRecord, PlainFigure};
use super::row_check::{RowDigest, check_rows};
use super::unit::{CheckedLine, SetText, Unit, described};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use somacat_catalog::{PlainReport, PlainTotal, hexadecimal, sha256_of};
use somacat_checking::positions;
use somacat_counting::enumerate::Place;
use somacat_counting::question::{Batch, Breakdown, CensusSums, CountedRow, Keep, add_sums};
use somacat_output::export::OutputFile;
use somacat_run::VERSION;
use somacat_run::class_recount;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Rows after which a block ends, at the end of a shard. A block is merged in one transaction.
const BLOCK_ROWS: usize = 1 << 13;

const SIDECAR: &str = "json";

/// The sums of a part, stated in its sidecar.
#[derive(Serialize, Deserialize)]
pub(super) struct Sidecar {
    pub(super) unit: CheckedLine,
    /// The version of the program that worked it.
    pub(super) version: String,
    /// Lines with a figure, a name, a fault or a count.
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) sha256: String,
    /// Milliseconds of processor time that the unit took: the only value that does not depend on the unit alone.
    pub(super) processor_ms: u64,
    /// Figures by class, verdict and reason, kept or not.
    pub(super) totals: Vec<PlainTotal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) census: Option<CensusSums>,
}

/// The paths of a part, its sidecar and its progress file.
pub(super) struct PartPaths {
    pub(super) part: PathBuf,
    pub(super) sidecar: PathBuf,
    pub(super) progress: PathBuf,
}

impl PartPaths {
    pub(super) fn new(folder: &Path, unit: &Unit) -> Self {
        Self::named(folder, &unit.part_name())
    }

    pub(super) fn named(folder: &Path, part: &str) -> Self {
        let part = folder.join(part);
        let (sidecar, progress) = (part.with_extension(SIDECAR), part.with_extension("unfinished"));
        Self { part, sidecar, progress }
    }

    /// Returns whether there is a part that matches its sidecar.
    pub(super) fn is_finished(&self, unit: &Unit) -> Result<bool, UnitsError> {
        // A missing or damaged part is rebuilt.
        let Ok(sidecar) = Sidecar::read(&self.sidecar) else { return Ok(false) };
        let other = &sidecar.unit.unit;
        if other != unit {
            let (path, found) = (self.sidecar.clone(), described(other, unit));
            return Err(UnitsError::OtherUnit { path, found, wanted: described(unit, other) });
        }
        Ok(self.has(&sidecar.sha256))
    }

    /// Returns whether the part has the digest that its sidecar states.
    pub(super) fn has(&self, stated: &str) -> bool {
        digest_of(&self.part).is_ok_and(|(digest, _)| digest == stated)
    }
}

/// Returns the SHA-256 and the length of a file.
fn digest_of(path: &Path) -> io::Result<(String, u64)> {
    require_file(path)?;
    sha256_of(&mut File::open(path)?)
}

impl Sidecar {
    pub(super) fn read(path: &Path) -> Result<Self, PartFault> {
        require_file(path)?;
        let text = fs::read_to_string(path)?;
        serde_json::from_str(&text).map_err(|error| match Unit::has_other_format(&text) {
            true => PartFault::Format,
            false => PartFault::Sidecar(error.to_string()),
        })
    }
}

/// What a status needs of a sidecar.
#[derive(Deserialize)]
pub(super) struct PartState {
    pub(super) bytes: u64,
    pub(super) sha256: String,
    pub(super) processor_ms: u64,
}

impl PartState {
    /// Reads the sidecar of the unit with this line. `None` if there is no valid one.
    pub(super) fn read(path: &Path, line: &str) -> Option<Self> {
        require_file(path).ok()?;
        let text = fs::read_to_string(path).ok()?;
        // The unit is there as its line has it, and need not be parsed.
        let rest = text.strip_prefix("{\"unit\":").and_then(|rest| rest.strip_prefix(line));
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix(',')) {
            return serde_json::from_str(&format!("{{{rest}")).ok();
        }
        let Sidecar { unit, bytes, sha256, processor_ms, .. } = serde_json::from_str(&text).ok()?;
        let is_own = Unit::of_line(line).is_ok_and(|own| own == unit.unit);
        is_own.then_some(Self { bytes, sha256, processor_ms })
    }
}

struct PartWriter<'a> {
    path: &'a Path,
    file: OutputFile,
    hash: Sha256,
    bytes: u64,
    rows: u64,
    totals: Breakdown,
    census: Option<CensusSums>,
}

impl<'a> PartWriter<'a> {
    fn new(path: &'a Path, unit: &Unit) -> Result<Self, UnitsError> {
        let file = require_file(path).and_then(|()| OutputFile::create(path));
        let file = file.map_err(|error| UnitsError::write(path, error))?;
        let (hash, totals) = (Sha256::new(), Breakdown::default());
        let mut writer = Self { path, file, hash, bytes: 0, rows: 0, totals, census: None };
        writer.line(unit.line().into_bytes())?;
        Ok(writer)
    }

    fn line(&mut self, mut line: Vec<u8>) -> Result<(), UnitsError> {
        line.push(b'\n');
        self.hash.update(&line);
        self.bytes += line.len() as u64;
        self.file.write_all(&line).map_err(|error| UnitsError::write(self.path, error))
    }

    fn record(&mut self, record: &PartRecord) -> Result<(), UnitsError> {
        self.rows += u64::from(!matches!(record, PartRecord::Set(_) | PartRecord::End(_)));
        let line = serde_json::to_vec(record);
        self.line(line.map_err(|error| UnitsError::write(self.path, error.into()))?)
    }

    fn end(&mut self, block: &Batch) -> Result<(), UnitsError> {
        self.totals.add_all(&block.totals);
        self.census = add_sums(self.census, block.sums);
        let (Place { shard, figures }, census) = (block.place, block.sums);
        let totals = PlainTotal::list(&block.totals);
        self.record(&PartRecord::End(End { shard, figures, totals, census }))
    }

    fn finish(self, unit: &Unit, sidecar: &Path, processor_ms: u64) -> Result<(), UnitsError> {
        let failed = |path: &Path, error| UnitsError::write(path, error);
        self.file.commit().map_err(|error| failed(self.path, error))?;
        let content = Sidecar {
            unit: unit.clone().into(),
            version: VERSION.clone(),
            rows: self.rows,
            bytes: self.bytes,
            sha256: hexadecimal(self.hash),
            processor_ms,
            totals: PlainTotal::list(&self.totals),
            census: self.census,
        };
        let created = require_file(sidecar).and_then(|()| OutputFile::create(sidecar));
        let written = created.and_then(|mut file| {
            serde_json::to_writer(&mut file, &content)?;
            file.write_all(b"\n")?;
            file.commit()
        });
        written.map_err(|error| failed(sidecar, error))
    }
}

/// Writes the part of a unit from its progress file. The sidecar is last.
///
/// Blocks are of whole shards, whatever batches the progress file has. The entries of a source are one block.
pub(super) fn finish(
    unit: &Unit,
    paths: &PartPaths,
    progress: &mut ProgressFile,
) -> Result<(), UnitsError> {
    let mut writer = PartWriter::new(&paths.part, unit)?;
    let (mut rows, mut block, mut shard) = (0, Batch::default(), None);
    let mut listed = SourceRecords::default();
    progress.batches(&mut |records, end| {
        if let Some(before) = shard.filter(|&before| before != end.of_shard())
            && rows >= BLOCK_ROWS
        {
            block.place = Place { shard: before + 1, figures: 0 };
            writer.end(&std::mem::take(&mut block))?;
            rows = 0;
        }
        rows += records.len();
        listed.batch_sets.clear();
        let figures = records.into_iter().filter_map(|record| listed.sort(record));
        figures.into_iter().try_for_each(|record| writer.record(&record))?;
        let added = PlainTotal::add_to(&mut block.totals, &end.totals);
        let fault = |fault| UnitsError::read("the part", &paths.progress, io::Error::other(fault));
        added.map_err(fault)?;
        block.sums = add_sums(block.sums, end.census);
        shard = Some(end.of_shard());
        Ok(())
    })?;
    listed.write(&mut writer)?;
    block.place = unit.work.end();
    writer.end(&block)?;
    writer.finish(unit, &paths.sidecar, progress.processor_ms())?;
    progress.remove()
}

/// The records of a source's entries. A part has them by kinds, whatever batches the progress file has.
#[derive(Default)]
struct SourceRecords {
    /// The sets of a batch, by their numbers in it.
    batch_sets: Vec<usize>,
    sets: Vec<SetText>,
    names: Vec<PartRecord>,
    faults: Vec<PartRecord>,
    /// Each figure has one outcome with each set, although a resumed unit counts some again.
    counts: BTreeMap<(usize, String), (PlainFigure, PlainReport)>,
}

impl SourceRecords {
    /// Takes a record, or returns one that is not an entry's.
    fn sort(&mut self, record: PartRecord) -> Option<PartRecord> {
        match record {
            PartRecord::Set(set) => {
                let known = self.sets.iter().position(|known| *known == set);
                self.batch_sets.push(known.unwrap_or(self.sets.len()));
                if known.is_none() {
                    self.sets.push(set);
                }
            }
            PartRecord::Name(signature, transform, set, name) => {
                let set = self.batch_sets[set];
                self.names.push(PartRecord::Name(signature, transform, set, name));
            }
            PartRecord::Count(set, figure, report) => {
                let key = (self.batch_sets[set], figure.0.clone());
                self.counts.insert(key, (figure, report));
            }
            fault @ PartRecord::Fault(_) => self.faults.push(fault),
            other => return Some(other),
        }
        None
    }

    fn write(self, writer: &mut PartWriter<'_>) -> Result<(), UnitsError> {
        let sets = self.sets.into_iter().map(PartRecord::Set);
        let counts = self.counts.into_iter();
        let counts =
            counts.map(|((set, _), (figure, report))| PartRecord::Count(set, figure, report));
        let mut records = sets.chain(self.names).chain(self.faults).chain(counts);
        records.try_for_each(|record| writer.record(&record))
    }
}

/// The sums of a part that matches its sidecar.
pub(super) struct Sums {
    pub(super) totals: Breakdown,
    pub(super) census: Option<CensusSums>,
    /// Digests of the figures with an outcome.
    pub(super) digests: Vec<RowDigest>,
}

pub(super) fn check(path: &Path, sidecar: &Sidecar) -> Result<Sums, PartFault> {
    let unit = &sidecar.unit.unit;
    if !path.exists() {
        return Err(PartFault::Missing);
    }
    let (digest, bytes) = digest_of(path)?;
    if (&digest, bytes) != (&sidecar.sha256, sidecar.bytes) {
        let begin = |digest: &str| digest.chars().take(12).collect();
        return Err(PartFault::Digest { found: begin(&digest), noted: begin(&sidecar.sha256) });
    }
    let mut blocks = Blocks::open(path, unit)?;
    let (mut rows, mut kept) = (0, Breakdown::default());
    let (mut totals, mut census, mut place) = (Breakdown::default(), None, None);
    let mut digests = Vec::new();
    let mut packings = RowPackings::new(unit);
    while let Some(block) = blocks.next()? {
        check_rows(unit, &block, &mut digests)?;
        packings.add(&block);
        rows += block.len() as u64;
        let Batch { rows: figures, totals: of_block, sums, place: end, .. } = &block.batch;
        figures.iter().for_each(|row| kept.add_outcome(row.columns.class, &row.report.outcome));
        totals.add_all(of_block);
        census = add_sums(census, *sums);
        place = Some(*end);
    }
    let mut noted = Breakdown::default();
    PlainTotal::add_to(&mut noted, &sidecar.totals)
        .map_err(|_| PartFault::Sums { what: "totals" })?;
    let all = unit.work.shards().map_or(Keep::Totals, |shards| shards.keep);
    let sums = [
        ("rows", rows == sidecar.rows),
        ("totals", totals == noted),
        ("figures", totals.allows(&kept, all)),
        ("packings", census == sidecar.census && census.is_none_or(|sums| packings.fit(sums))),
        ("ends", place == Some(unit.work.end())),
    ];
    match sums.into_iter().find(|(_, agree)| !agree) {
        Some((what, _)) => Err(PartFault::Sums { what }),
        None => Ok(Sums { totals, census, digests }),
    }
}

/// The sums over the rows of a part of a census: raw packings times positions in the box, and positions.
struct RowPackings {
    /// The sides of the box, and true if figures are equal up to reflection. `None` unless the rows have all packings.
    of: Option<([u32; 3], bool)>,
    keep: Keep,
    packings: u128,
    subsets: u128,
}

impl RowPackings {
    fn new(unit: &Unit) -> Self {
        let keep = unit.work.shards().map_or(Keep::Totals, |shards| shards.keep);
        let of = || {
            let shards = unit.work.shards()?;
            let set = shards.set.set().ok()?;
            let sides = class_recount(&shards.key, Some(&set))?.family.bounds?;
            Some((sides, set.is_mirror_closed()))
        };
        Self { of: of(), keep, packings: 0, subsets: 0 }
    }

    fn add(&mut self, block: &Block) {
        let Some((sides, mirrored)) = self.of else { return };
        for CountedRow { columns, report, .. } in &block.batch.rows {
            let each = positions(columns.extents, sides, columns.class, mirrored);
            let raw = report.outcome.raw().unwrap_or(0);
            self.packings = self.packings.saturating_add(raw.saturating_mul(each));
            self.subsets = self.subsets.saturating_add(each);
        }
    }

    /// Returns whether the rows have the sums of the part. Some of the figures have at most these.
    fn fit(&self, [_, packings, subsets]: CensusSums) -> bool {
        match self.keep {
            Keep::All => (self.packings, self.subsets) == (packings, subsets),
            Keep::Buildable => self.packings == packings && self.subsets <= subsets,
            Keep::Top(_) | Keep::Totals => self.packings <= packings && self.subsets <= subsets,
        }
    }
}

pub(super) fn sidecars(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let paths = entries?.into_iter().map(|entry| entry.path());
    let is_sidecar = |path: &PathBuf| {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        !hidden && path.extension().is_some_and(|ending| ending == SIDECAR)
    };
    let mut found: Vec<PathBuf> = paths.filter(is_sidecar).collect();
    found.sort();
    Ok(found)
}
