//! Work units as lines of text, and files of them.

use super::error::{UnitFault, UnitsError};
use super::unit_line::unit_line;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use somacat_catalog::hexadecimal;
use somacat_counting::enumerate::{Place, ShardRange};
use somacat_counting::question::{Keep, Question, of_key};
use somacat_geometry::pieces::{ParseSetError, PieceSet, parse_piece_lines, parse_set};
use somacat_run::{SetChoice, Source, SourceQuestion, VERSION, starter_source};
use std::fs;
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The format of units and parts. The first development builds wrote 1, without this number.
const FORMAT: u32 = 6;

/// A self-contained piece of a plan's work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Its number among the units of the plan, from 1.
    #[serde(rename = "unit")]
    pub number: u64,
    pub of: u64,
    /// A digest of all units. Another plan, or another cut of the same plan, has another one.
    pub plan: String,
    pub version: String,
    pub format: u32,
    /// The most search nodes per figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The estimated work, in milliseconds of one core of an ordinary machine.
    pub estimated_ms: u64,
    /// The estimated rows of its part.
    pub estimated_rows: u64,
    /// The estimated memory of a thread, in MiB.
    pub memory_mib: u64,
    #[serde(flatten)]
    pub work: UnitWork,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnitWork {
    Import {
        #[serde(flatten)]
        file: UnitFile,
        /// Its name in the catalog.
        label: String,
        /// The pieces; by default each figure's cells and marks decide.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        set: Option<SetText>,
        /// The first entry, from 0, and the one after the last.
        entries: [u64; 2],
    },
    Question(UnitShards),
    Published {
        #[serde(flatten)]
        file: UnitFile,
        /// The plan's own pieces, whose name may be unknown elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        set: Option<SetText>,
    },
}

/// The work of a unit, with its estimated seconds, rows and memory. The memory is the bytes of a thread.
pub(super) struct EstimatedWork {
    pub(super) work: UnitWork,
    pub(super) seconds: f64,
    pub(super) rows: f64,
    pub(super) memory: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitShards {
    /// The question in normal form. The key includes the version of the algorithm that cuts the question into shards.
    pub key: String,
    pub label: String,
    pub set: SetText,
    pub keep: Keep,
    /// The first shard and the one after the last.
    pub shards: [u64; 2],
    /// The first shard's search, and the first shard of that search. Only an enumeration has them.
    #[serde(default, skip_serializing_if = "is_first")]
    pub search: [u64; 2],
}

fn is_first(search: &[u64; 2]) -> bool {
    *search == [0, 0]
}

impl UnitShards {
    fn continues(&self, before: &Self) -> bool {
        let Self { key, set, keep, .. } = before;
        (&self.key, &self.set, self.keep) == (key, set, *keep) && before.shards[1] == self.shards[0]
    }
}

impl UnitWork {
    pub(super) const fn shards(&self) -> Option<&UnitShards> {
        if let Self::Question(shards) = self { Some(shards) } else { None }
    }

    /// Returns the question of which it is a range. Published counts are none: they are only carried to the merge.
    pub(super) fn question(&self) -> Result<Option<Arc<dyn Question>>, UnitFault> {
        match self {
            Self::Question(UnitShards { key, set, keep, .. }) => {
                Ok(Some(of_key(key, &set.set()?, *keep)?))
            }
            Self::Import { file, label, set, .. } => {
                let set = set.as_ref().map(SetText::set).transpose()?;
                let set = set.map_or(SetChoice::Auto, SetChoice::Fixed);
                let (source, label, sha256) = (file.source()?, label.clone(), file.sha256.clone());
                Ok(Some(Arc::new(SourceQuestion::counting(source, label, set, sha256))))
            }
            Self::Published { .. } => Ok(None),
        }
    }

    /// Returns the name of the question in messages and in a catalog.
    pub(super) fn label(&self) -> &str {
        match self {
            Self::Import { label, .. } | Self::Question(UnitShards { label, .. }) => label,
            Self::Published { file, .. } => &file.file,
        }
    }

    /// Returns its shards, or its entries.
    pub const fn range(&self) -> ShardRange {
        let ([start, end], [search, search_start]) = match self {
            Self::Import { entries, .. } => (*entries, [0, 0]),
            Self::Question(UnitShards { shards, search, .. }) => (*shards, *search),
            Self::Published { .. } => ([0, 0], [0, 0]),
        };
        ShardRange { start, end, search: search as usize, search_start }
    }

    /// Returns the place behind all of it.
    pub(super) const fn end(&self) -> Place {
        match self {
            Self::Question(UnitShards { shards: [_, shard], .. }) => {
                Place { shard: *shard, figures: 0 }
            }
            Self::Import { entries: [_, figures], .. } => Place { shard: 0, figures: *figures },
            Self::Published { .. } => Place { shard: 0, figures: 0 },
        }
    }

    /// Returns whether this work follows `before` in one source or question.
    pub(super) fn continues(&self, before: &Self) -> bool {
        match (before, self) {
            (Self::Import { label: one, .. }, Self::Import { label: next, .. }) => one == next,
            (Self::Question(before), Self::Question(shards)) => shards.continues(before),
            _ => false,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitFile {
    /// Its path from the working directory.
    pub file: String,
    /// True if it is built into the program, not on disk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub builtin: bool,
    /// The SHA-256 of its content in hexadecimal digits.
    pub sha256: String,
}

impl UnitFile {
    /// Returns the source that it names.
    pub(super) fn source(&self) -> Result<Source, UnitFault> {
        match self.builtin {
            true => {
                starter_source(&self.file).ok_or_else(|| UnitFault::NoBuiltIn(self.file.clone()))
            }
            false => Ok(Source::File { path: PathBuf::from(&self.file), plan: PathBuf::new() }),
        }
    }
}

/// A piece set as text: a name, or the pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SetText {
    Known(String),
    Own {
        name: String,
        /// Lines of a file of pieces.
        pieces: Vec<String>,
    },
}

impl SetText {
    pub fn of(set: &PieceSet) -> Self {
        let name = set.name().to_owned();
        if parse_set(&name).as_ref() == Ok(set) {
            return Self::Known(name);
        }
        let pieces = set.pieces().iter().map(|(piece, count)| {
            let cells: Vec<String> = piece.cells().iter().map(ToString::to_string).collect();
            format!("{}*{count}: {}", piece.name(), cells.join(" "))
        });
        Self::Own { name, pieces: pieces.collect() }
    }

    pub fn set(&self) -> Result<PieceSet, ParseSetError> {
        match self {
            Self::Known(name) => parse_set(name),
            Self::Own { name, pieces } => parse_piece_lines(name, &pieces.join("\n")),
        }
    }
}

/// A unit with a check that detects edits.
#[derive(Serialize, Deserialize)]
pub(super) struct CheckedLine {
    #[serde(flatten)]
    pub(super) unit: Unit,
    check: String,
}

/// What is between a unit and its check in a line.
const CHECK: &str = ",\"check\":\"";

impl CheckedLine {
    /// Parses a line. Units of questions, nearly all of a large plan, take a shortcut past the general parser, which
    /// collects all keys before it decides what they are.
    fn parse(line: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct QuestionLine {
            unit: u64,
            of: u64,
            plan: String,
            version: String,
            format: u32,
            nodes: Option<u64>,
            estimated_ms: u64,
            estimated_rows: u64,
            memory_mib: u64,
            question: UnitShards,
            check: String,
        }
        let Ok(parsed) = serde_json::from_str::<QuestionLine>(line) else {
            return serde_json::from_str(line);
        };
        let QuestionLine { unit: number, of, plan, version, format, nodes, check, .. } = parsed;
        let QuestionLine { estimated_ms, estimated_rows, memory_mib, question, .. } = parsed;
        let work = UnitWork::Question(question);
        let unit = Unit {
            number,
            of,
            plan,
            version,
            format,
            nodes,
            estimated_ms,
            estimated_rows,
            memory_mib,
            work,
        };
        Ok(Self { unit, check })
    }
}

impl From<Unit> for CheckedLine {
    fn from(unit: Unit) -> Self {
        let check = unit.check();
        Self { unit, check }
    }
}

/// Returns the first hexadecimal digits of the SHA-256 of a text in pieces.
pub(super) fn short_digest(text: &[&str], digits: usize) -> String {
    let mut hash = Sha256::new();
    text.iter().for_each(|piece| hash.update(piece));
    let mut all = hexadecimal(hash);
    all.truncate(digits);
    all
}

impl Unit {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("a unit is made of texts and numbers")
    }

    /// Returns a digest of the unit, which detects edits of its line.
    pub(super) fn check(&self) -> String {
        short_digest(&[&self.json()], 8)
    }

    pub(super) fn numbered(nodes: Option<u64>, work: Vec<EstimatedWork>) -> Vec<Self> {
        let of = work.len() as u64;
        let unit = |(number, one): (u64, EstimatedWork)| Self {
            number,
            of,
            plan: String::new(),
            version: VERSION.clone(),
            format: FORMAT,
            nodes,
            estimated_ms: (one.seconds * 1e3).round() as u64,
            estimated_rows: one.rows.round() as u64,
            memory_mib: one.memory.div_ceil(1 << 20),
            work: one.work,
        };
        let mut units: Vec<Self> = (1..).zip(work).map(unit).collect();
        let plan = Self::plan_digest(&units);
        units.iter_mut().for_each(|unit| unit.plan.clone_from(&plan));
        units
    }

    fn plan_digest(units: &[Self]) -> String {
        let mut digest = PlanDigest::default();
        for unit in units {
            let json = unit.json();
            digest.add(unit, json.strip_suffix('}').unwrap_or(&json));
        }
        digest.finish()
    }

    pub fn line(&self) -> String {
        serde_json::to_string(&CheckedLine::from(self.clone()))
            .expect("a unit is made of texts and numbers")
    }

    /// Parses a line; the unit may have another version.
    pub fn of_line(line: &str) -> Result<Self, UnitFault> {
        Self::with_text(line).map(|(unit, _)| unit)
    }

    /// Parses a line. Also returns its text without the check and the last brace.
    fn with_text(line: &str) -> Result<(Self, &str), UnitFault> {
        /// The keys of every format.
        #[derive(Deserialize)]
        struct AnyFormat {
            #[serde(rename = "unit")]
            _number: u64,
            format: Option<u32>,
        }
        let malformed = |error: serde_json::Error| UnitFault::Malformed(error.to_string());
        let parsed = CheckedLine::parse(line);
        if parsed.as_ref().map_or(true, |checked| checked.unit.format != FORMAT) {
            let any: AnyFormat = serde_json::from_str(line).map_err(malformed)?;
            if any.format != Some(FORMAT) {
                return Err(UnitFault::Format { format: any.format.unwrap_or(1), own: FORMAT });
            }
        }
        let CheckedLine { unit, check } = parsed.map_err(malformed)?;
        let (text, _) = line.rsplit_once(CHECK).unwrap_or((line, ""));
        let own = short_digest(&[text, "}"], 8);
        if own != check {
            return Err(UnitFault::Edited { check, own });
        }
        let (number, of) = (unit.number, unit.of);
        let ShardRange { start: first, end, .. } = unit.work.range();
        if number == 0 || number > of || first > end {
            return Err(UnitFault::Impossible { number, of, first, end });
        }
        Ok((unit, text))
    }

    /// Refuses a unit of another version: a build works and merges its own units.
    pub fn check_version(&self) -> Result<(), UnitFault> {
        if self.version == *VERSION {
            return Ok(());
        }
        Err(UnitFault::Version { unit: self.version.clone(), own: &VERSION })
    }

    pub fn name(&self) -> String {
        format!("unit {} of {} of plan {}", self.number, self.of, self.plan)
    }

    pub fn part_name(&self) -> String {
        part_name(self.number, self.of)
    }
}

pub(super) fn part_name(number: u64, of: u64) -> String {
    let digits = of.to_string().len().max(4);
    format!("{number:0digits$}")
}

/// The digest of all units of a plan, which each of them states. Here they state none.
#[derive(Default)]
struct PlanDigest {
    hash: Sha256,
    is_begun: bool,
}

impl PlanDigest {
    /// Adds a unit, whose text lacks the last brace.
    fn add(&mut self, unit: &Unit, text: &str) {
        if std::mem::replace(&mut self.is_begun, true) {
            self.hash.update("\n");
        }
        let stated = format!("\"plan\":\"{}\"", unit.plan);
        let (before, after) = text.split_once(&stated).unwrap_or((text, ""));
        [before, "\"plan\":\"\"", after, "}"].iter().for_each(|piece| self.hash.update(piece));
    }

    fn finish(self) -> String {
        let mut all = hexadecimal(self.hash);
        all.truncate(16);
        all
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitList {
    units: Vec<Unit>,
}

impl UnitList {
    /// Reads a file of units: all of one plan, each once, in order.
    pub fn read(path: &Path) -> Result<Self, UnitsError> {
        let mut units = Vec::new();
        read_units(path, |unit, _| units.push(unit))?;
        Ok(Self { units })
    }

    /// Reads one unit of a file, without the units before it.
    pub fn read_unit(path: &Path, number: u64) -> Result<Unit, UnitsError> {
        let failed = |error| UnitsError::read("the unit file", path, error);
        let file = fs::File::open(path).map_err(failed)?;
        let line = unit_line(&mut BufReader::new(file), number).map_err(failed)?;
        let line = line.ok_or_else(|| UnitsError::NoUnit { path: path.to_owned(), number })?;
        let fault = |fault| UnitsError::Line {
            path: path.to_owned(),
            line: number,
            fault: Box::new(fault),
        };
        let unit = Unit::of_line(&line).map_err(fault)?;
        unit.check_version().map_err(fault)?;
        match unit.number == number {
            true => Ok(unit),
            false => Err(fault(UnitFault::Number { number: unit.number, wanted: number })),
        }
    }

    pub fn units(&self) -> &[Unit] {
        &self.units
    }
}

/// The lines that are parsed at once, on all cores.
const BATCH_LINES: usize = 1 << 12;

/// Reads a file of units: all of one plan, each once, in order. Passes each to `visit`, with the bytes of its line in
/// the text, which is returned.
pub(super) fn read_units(
    path: &Path,
    mut visit: impl FnMut(Unit, Range<usize>),
) -> Result<String, UnitsError> {
    let text =
        fs::read_to_string(path).map_err(|error| UnitsError::read("the unit file", path, error))?;
    let mut lines = text.lines();
    let (mut digest, mut number, mut first) = (PlanDigest::default(), 0, None::<(String, u64)>);
    loop {
        let batch: Vec<&str> = lines.by_ref().take(BATCH_LINES).collect();
        if batch.is_empty() {
            break;
        }
        let parsed: Vec<_> = batch.par_iter().map(|line| Unit::with_text(line)).collect();
        for (line, parsed) in batch.into_iter().zip(parsed) {
            number += 1;
            let fault = |fault| UnitsError::Line {
                path: path.to_owned(),
                line: number,
                fault: Box::new(fault),
            };
            let (unit, own) = parsed.map_err(fault)?;
            unit.check_version().map_err(fault)?;
            let (plan, _) = first.get_or_insert_with(|| (unit.plan.clone(), unit.of));
            if *plan != unit.plan {
                let (found, wanted) = (unit.name(), format!("plan {plan}"));
                return Err(fault(UnitFault::OtherPlan { found, wanted }));
            }
            if unit.number != number {
                return Err(fault(UnitFault::Number { number: unit.number, wanted: number }));
            }
            digest.add(&unit, own);
            let start = line.as_ptr().addr() - text.as_ptr().addr();
            visit(unit, start..start + line.len());
        }
    }
    let (plan, of) = first.unwrap_or_default();
    if number == 0 {
        return Err(UnitsError::Empty(path.to_owned()));
    }
    if number != of {
        return Err(UnitsError::Incomplete { path: path.to_owned(), found: number, of });
    }
    match digest.finish() == plan {
        true => Ok(text),
        false => Err(UnitsError::Mixed(path.to_owned())),
    }
}

/// Returns the units of each source and question.
pub(super) fn jobs(units: &[Unit]) -> impl Iterator<Item = &[Unit]> {
    units.chunk_by(|a, b| b.work.continues(&a.work))
}

pub(super) fn described(unit: &Unit, other: &Unit) -> String {
    if unit.version != other.version {
        format!("{}, made by somacat {}", unit.name(), unit.version)
    } else if unit.name() == other.name() {
        format!("{} with the check {}", unit.name(), unit.check())
    } else {
        unit.name()
    }
}
