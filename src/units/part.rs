//! Parts: the results of units. A part is a file of JSON lines: its unit, its rows, and what these lines must contain.
//!
//! All bytes but the processor time in the last line depend on the unit alone.

use super::block::{Block, Blocks};
use super::error::{PartFault, UnitsError};
use super::progress_file::{ProgressFile, require_file};
use super::record::{End, LAST_LINE, PartRecord, PlainFigure};
use super::row_check::{RowDigest, check_rows};
use super::unit::{SetText, Unit, described, short_digest};
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
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Rows after which a block ends, at the end of a shard. A block is merged in one transaction.
const BLOCK_ROWS: usize = 1 << 13;

/// The sums of a part, in its last line.
#[derive(Serialize, Deserialize)]
pub(super) struct PartSums {
    /// The version of the program that worked it.
    pub(super) version: String,
    /// Lines with a figure, a name, a fault or a count.
    pub(super) rows: u64,
    /// The digest of the lines before.
    pub(super) sha256: String,
    /// Milliseconds of processor time that the unit took: the only value that does not depend on the unit alone.
    pub(super) processor_ms: u64,
    /// Figures by class, verdict and reason, kept or not.
    pub(super) totals: Vec<PlainTotal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) census: Option<CensusSums>,
}

/// What a status needs of them.
#[derive(Deserialize)]
pub(super) struct PartState {
    sha256: String,
    pub(super) processor_ms: u64,
}

/// What is between the sums and the digits of the line's check, and behind these.
const CHECK: [&str; 2] = [",\"check\":\"", "\"}\n"];

/// The digits of the check.
const CHECK_DIGITS: usize = 8;

impl PartSums {
    fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("sums are made of texts and numbers");
        let check = short_digest(&[&json], CHECK_DIGITS);
        [LAST_LINE, &json, CHECK[0], &check, CHECK[1]].concat()
    }
}

/// The end of the names of progress files.
pub(super) const PROGRESS_ENDING: &str = ".unfinished";

/// The paths of a part and its progress file.
pub(super) struct PartPaths {
    pub(super) part: PathBuf,
    pub(super) progress: PathBuf,
}

impl PartPaths {
    pub(super) fn new(folder: &Path, unit: &Unit) -> Self {
        Self::named(folder, &unit.part_name())
    }

    pub(super) fn named(folder: &Path, part: &str) -> Self {
        let progress = folder.join(format!("{part}{PROGRESS_ENDING}"));
        Self { progress, part: folder.join(part) }
    }

    /// Returns whether there is a sound part.
    pub(super) fn is_finished(&self, unit: &Unit) -> Result<bool, UnitsError> {
        // A missing or damaged part is rebuilt.
        let Ok(mut part) = PartFile::open(&self.part) else { return Ok(false) };
        if let Some(Ok(other)) = part.unit_line().map(Unit::of_line)
            && other != *unit
        {
            let (path, found) = (self.part.clone(), described(&other, unit));
            return Err(UnitsError::OtherUnit { path, found, wanted: described(unit, &other) });
        }
        Ok(part.state_of(&unit.line()).is_some())
    }
}

/// The bytes that are read at once: all of a small part.
const CHUNK: usize = 1 << 14;

/// A part in a folder.
pub(super) struct PartFile {
    file: File,
    /// The beginning of the file, at least its first line.
    start: Vec<u8>,
    last_line: String,
    /// The bytes of the lines before the last one.
    bytes: u64,
}

impl PartFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        require_file(path)?;
        Self::read(File::open(path)?)
    }

    /// Reads the beginning and the end of a file.
    pub(super) fn read(mut file: File) -> io::Result<Self> {
        let mut start = Vec::with_capacity(CHUNK);
        let is_whole = loop {
            let read = (&file).take(CHUNK as u64).read_to_end(&mut start)?;
            if read < CHUNK || start.contains(&b'\n') {
                break read < CHUNK;
            }
        };
        let (last, length) = match is_whole {
            true => (last_line(&start).to_vec(), start.len() as u64),
            false => read_last_line(&mut file)?,
        };
        let bytes = length - last.len() as u64;
        // Damaged bytes become others, which the check reveals.
        Ok(Self { file, start, last_line: String::from_utf8_lossy(&last).into_owned(), bytes })
    }

    /// Returns the first line, which should be that of the unit. `None` if it is not text.
    pub(super) fn unit_line(&self) -> Option<&str> {
        let end = self.start.iter().position(|&byte| byte == b'\n')?;
        std::str::from_utf8(&self.start[..end]).ok()
    }

    /// Reads the last line. `None` if it is not that of a part, or does not have its check.
    fn sums<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        let (json, check) = self.last_line.strip_prefix(LAST_LINE)?.rsplit_once(CHECK[0])?;
        let is_sound = check.strip_suffix(CHECK[1])? == short_digest(&[json], CHECK_DIGITS);
        serde_json::from_str(json).ok().filter(|_| is_sound)
    }

    /// Returns the sums of a part.
    pub(super) fn part_sums(&self) -> Result<PartSums, PartFault> {
        self.sums().ok_or(PartFault::End)
    }

    /// Returns the SHA-256 of the lines before the last one.
    fn digest(&mut self) -> io::Result<String> {
        let start = &self.start[..self.start.len().min(self.bytes as usize)];
        let rest = self.bytes - start.len() as u64;
        if rest == 0 {
            return Ok(hexadecimal(Sha256::new_with_prefix(start)));
        }
        self.file.seek(SeekFrom::Start(start.len() as u64))?;
        let (digest, length) = sha256_of(&mut start.chain((&self.file).take(rest)))?;
        match length == self.bytes {
            true => Ok(digest),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Returns the state of the part if it is a sound part of the unit with this line.
    pub(super) fn state_of(&mut self, line: &str) -> Option<PartState> {
        let state: PartState = self.sums()?;
        let is_sound = self.unit_line() == Some(line) && self.digest().ok()? == state.sha256;
        is_sound.then_some(state)
    }

    /// Returns the bytes of the file.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes + self.last_line.len() as u64
    }
}

/// Returns the last line, with its end.
fn last_line(text: &[u8]) -> &[u8] {
    let (_, before) = text.split_last().unwrap_or((&0, &[]));
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    &text[start..]
}

/// Reads the last line of a file that has several. Also returns the length of the file.
fn read_last_line(file: &mut File) -> io::Result<(Vec<u8>, u64)> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut size = CHUNK as u64;
    loop {
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(length.saturating_sub(size)))?;
        (&*file).take(size).read_to_end(&mut end)?;
        let line = last_line(&end);
        if line.len() < end.len() || size >= length {
            return Ok((line.to_vec(), length));
        }
        size *= 4;
    }
}

struct PartWriter<'a> {
    path: &'a Path,
    file: OutputFile,
    hash: Sha256,
    rows: u64,
    totals: Breakdown,
    census: Option<CensusSums>,
}

impl<'a> PartWriter<'a> {
    fn new(path: &'a Path, unit: &Unit) -> Result<Self, UnitsError> {
        let file = require_file(path).and_then(|()| OutputFile::create(path));
        let file = file.map_err(|error| UnitsError::write(path, error))?;
        let (hash, totals) = (Sha256::new(), Breakdown::default());
        let mut writer = Self { path, file, hash, rows: 0, totals, census: None };
        writer.line(unit.line().into_bytes())?;
        Ok(writer)
    }

    fn line(&mut self, mut line: Vec<u8>) -> Result<(), UnitsError> {
        line.push(b'\n');
        self.hash.update(&line);
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

    /// Writes the last line, and renames the file into place.
    fn finish(mut self, processor_ms: u64) -> Result<(), UnitsError> {
        let sums = PartSums {
            version: VERSION.clone(),
            rows: self.rows,
            sha256: hexadecimal(self.hash),
            processor_ms,
            totals: PlainTotal::list(&self.totals),
            census: self.census,
        };
        let written = self.file.write_all(sums.line().as_bytes());
        let written = written.and_then(|()| self.file.commit());
        written.map_err(|error| UnitsError::write(self.path, error))
    }
}

/// Writes the part of a unit from its progress file.
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
    writer.finish(progress.processor_ms())?;
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

/// The sums of a sound part.
pub(super) struct Sums {
    pub(super) totals: Breakdown,
    pub(super) census: Option<CensusSums>,
    /// Digests of the figures with an outcome.
    pub(super) digests: Vec<RowDigest>,
}

pub(super) fn check(path: &Path, unit: &Unit, stated: &PartSums) -> Result<Sums, PartFault> {
    let digest = PartFile::open(path)?.digest()?;
    if digest != stated.sha256 {
        let begin = |digest: &str| digest.chars().take(12).collect();
        return Err(PartFault::Digest { found: begin(&digest), noted: begin(&stated.sha256) });
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
    PlainTotal::add_to(&mut noted, &stated.totals)
        .map_err(|_| PartFault::Sums { what: "totals" })?;
    let all = unit.work.shards().map_or(Keep::Totals, |shards| shards.keep);
    let sums = [
        ("rows", rows == stated.rows),
        ("totals", totals == noted),
        ("figures", totals.allows(&kept, all)),
        ("packings", census == stated.census && census.is_none_or(|sums| packings.fit(sums))),
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

/// Returns the paths of the parts in a folder, in order. Their names are numbers.
pub(super) fn parts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let is_number = |name: &OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let names = entries?.into_iter().map(|entry| entry.file_name());
    let mut found: Vec<PathBuf> =
        names.filter(|name| is_number(name)).map(|name| folder.join(name)).collect();
    found.sort();
    Ok(found)
}
