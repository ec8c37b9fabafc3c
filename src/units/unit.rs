//! A work unit as a line of text, and a file of them.

use super::error::{UnitFault, UnitsError};
use crate::catalog::hexadecimal;
use crate::enumerate::ShardRange;
use crate::pieces::{ParseSetError, PieceSet, parse_piece_lines, parse_set};
use crate::run::KeepWord;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

/// The version of this program, which a unit is worked and merged with.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A piece of a plan that can be worked by itself, anywhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Its number among the units of the plan, from 1.
    #[serde(rename = "unit")]
    pub number: u64,
    /// How many they are.
    pub of: u64,
    /// What tells these units from those of another plan, or of the same one cut in another way: a digest of all of them.
    pub plan: String,
    /// The version of the program that made it.
    pub version: String,
    /// The most search nodes a figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// What is to be done.
    #[serde(flatten)]
    pub work: Work,
}

/// What a unit is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Entries of a file of figures.
    Import {
        /// The file.
        #[serde(flatten)]
        file: UnitFile,
        /// What the catalog calls it.
        label: String,
        /// The pieces; by the number of cells and the marks of each figure if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        set: Option<SetText>,
        /// The first entry, counted from 0, and the one after the last.
        entries: [u64; 2],
    },
    /// Shards of an enumeration.
    Enumerate {
        /// The key of the question, with the version of the algorithm that cuts it into shards.
        question: String,
        /// The question in words.
        label: String,
        /// The pieces.
        set: SetText,
        /// What is kept.
        keep: KeepWord,
        /// The first shard and the one after the last.
        shards: [u64; 2],
        /// The search that the first shard belongs to, and that search's first shard.
        search: [u64; 2],
    },
    /// Shards of a search for figures that can be built.
    Buildable {
        /// The key of the question, with the version of the algorithm that cuts it into shards.
        question: String,
        /// The question in words.
        label: String,
        /// The pieces.
        set: SetText,
        /// What is kept.
        keep: KeepWord,
        /// The first shard and the one after the last.
        shards: [u64; 2],
    },
    /// Shards of a census.
    Census {
        /// The key of the question, with the version of the algorithm that cuts it into shards.
        question: String,
        /// The question in words.
        label: String,
        /// The pieces.
        set: SetText,
        /// What is kept.
        keep: KeepWord,
        /// The first shard and the one after the last.
        shards: [u64; 2],
    },
    /// Published counts, to compare with.
    Published {
        /// The file.
        #[serde(flatten)]
        file: UnitFile,
        /// The plan's own pieces, which may have a name that only the plan knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        set: Option<SetText>,
    },
}

/// A file that a unit reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitFile {
    /// Its path, from the working directory.
    pub file: String,
    /// It is not on disk but built into the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub builtin: bool,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

/// A piece set as text: by its name, or else with its pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SetText {
    /// A set that every somacat knows.
    Known(String),
    /// A set of somebody's own.
    Own {
        /// Its name.
        name: String,
        /// A line for each piece, as in a file of pieces.
        pieces: Vec<String>,
    },
}

impl SetText {
    /// The text for a set.
    #[must_use]
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

    /// The set.
    ///
    /// # Errors
    /// If the text is none.
    pub fn set(&self) -> Result<PieceSet, ParseSetError> {
        match self {
            Self::Known(name) => parse_set(name),
            Self::Own { name, pieces } => parse_piece_lines(name, &pieces.join("\n")),
        }
    }
}

/// A unit with the check that shows whether it was edited.
#[derive(Serialize, Deserialize)]
pub(super) struct CheckedLine {
    #[serde(flatten)]
    pub(super) unit: Unit,
    check: String,
}

impl From<Unit> for CheckedLine {
    fn from(unit: Unit) -> Self {
        let check = unit.check();
        Self { unit, check }
    }
}

/// The first `digits` hexadecimal digits of the SHA-256 of a text.
fn short_digest(text: &str, digits: usize) -> String {
    let mut all = hexadecimal(Sha256::new_with_prefix(text));
    all.truncate(digits);
    all
}

/// SHA-256, in hexadecimal digits, and length of what comes to an end.
pub(super) fn digest(input: &mut dyn Read) -> io::Result<(String, u64)> {
    let (mut hash, mut length, mut bytes) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match input.read(&mut bytes) {
            Ok(0) => return Ok((hexadecimal(hash), length)),
            Ok(read) => {
                hash.update(&bytes[..read]);
                length += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl Unit {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("a unit is made of texts and numbers")
    }

    /// A digest of the unit, which shows whether its line was edited.
    pub(super) fn check(&self) -> String {
        short_digest(&self.json(), 8)
    }

    /// Numbers the units of a plan.
    pub(super) fn numbered(nodes: Option<u64>, work: Vec<Work>) -> Vec<Self> {
        let of = work.len() as u64;
        let unit = |(number, work)| Self {
            number,
            of,
            plan: String::new(),
            version: VERSION.to_owned(),
            nodes,
            work,
        };
        let mut units: Vec<Self> = (1..).zip(work).map(unit).collect();
        let plan = Self::plan_digest(&units);
        units.iter_mut().for_each(|unit| unit.plan.clone_from(&plan));
        units
    }

    /// What these units call their plan.
    fn plan_digest(units: &[Self]) -> String {
        let nameless = |unit: &Self| Self { plan: String::new(), ..unit.clone() }.json();
        let lines: Vec<String> = units.iter().map(nameless).collect();
        short_digest(&lines.join("\n"), 16)
    }

    /// The unit as a line.
    #[must_use]
    pub fn line(&self) -> String {
        serde_json::to_string(&CheckedLine::from(self.clone()))
            .expect("a unit is made of texts and numbers")
    }

    /// Reads a line; the unit may be of another version.
    ///
    /// # Errors
    /// If it is no unit, or was edited.
    pub fn of_line(line: &str) -> Result<Self, UnitFault> {
        let CheckedLine { unit, check } =
            serde_json::from_str(line).map_err(|error| UnitFault::Malformed(error.to_string()))?;
        let own = unit.check();
        if own != check {
            return Err(UnitFault::Edited { check, own });
        }
        Ok(unit)
    }

    /// Refuses a unit of another version.
    ///
    /// # Errors
    /// If the unit is one.
    pub fn check_version(&self) -> Result<(), UnitFault> {
        if self.version == VERSION {
            return Ok(());
        }
        Err(UnitFault::Version { unit: self.version.clone(), own: VERSION })
    }

    /// What tells it from units of other plans, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        format!("unit {} of {} of plan {}", self.number, self.of, self.plan)
    }

    /// The name of its part.
    #[must_use]
    pub fn part_name(&self) -> String {
        let digits = self.of.to_string().len().max(4);
        format!("{:0digits$}", self.number)
    }
}

/// The shards of a unit of an enumeration.
pub(super) const fn shard_range([start, end]: [u64; 2], [search, first]: [u64; 2]) -> ShardRange {
    ShardRange { start, end, search: search as usize, search_start: first }
}

/// A range of shards of a census.
pub(super) const fn plain_range([start, end]: [u64; 2]) -> Range<usize> {
    start as usize..end as usize
}

/// The units of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitList {
    units: Vec<Unit>,
}

impl UnitList {
    /// Reads a file of units: all of one plan, each once, in order.
    ///
    /// # Errors
    /// If it cannot be read, a line is no unit or was edited, or the lines do not belong together.
    pub fn read(path: &Path) -> Result<Self, UnitsError> {
        let text = fs::read_to_string(path).map_err(|error| UnitsError::read(path, error))?;
        let mut units: Vec<Unit> = Vec::new();
        let mut of_lines = 0;
        for (at, line) in (1..).zip(text.lines()) {
            let fault = |fault| UnitsError::Line { path: path.to_owned(), line: at, fault };
            let unit = Unit::of_line(line).map_err(fault)?;
            unit.check_version().map_err(fault)?;
            if let Some(first) = units.first().filter(|first| first.plan != unit.plan) {
                let (found, wanted) = (unit.name(), format!("plan {}", first.plan));
                return Err(fault(UnitFault::OtherPlan { found, wanted }));
            }
            if unit.number != at {
                return Err(fault(UnitFault::Number { number: unit.number, wanted: at }));
            }
            of_lines = unit.of;
            units.push(unit);
        }
        if units.is_empty() || units.len() as u64 != of_lines {
            let (path, found) = (path.to_owned(), units.len() as u64);
            return Err(UnitsError::Incomplete { path, found, of: of_lines });
        }
        if Unit::plan_digest(&units) != units[0].plan {
            return Err(UnitsError::Mixed(path.to_owned()));
        }
        Ok(Self { units })
    }

    /// Reads one unit of a file, without a look at the others.
    ///
    /// # Errors
    /// If the file cannot be read, has no such unit, or it was edited or is of another version.
    pub fn read_unit(path: &Path, number: u64) -> Result<Unit, UnitsError> {
        let file = fs::File::open(path).map_err(|error| UnitsError::read(path, error))?;
        let fault = |fault| UnitsError::Line { path: path.to_owned(), line: number, fault };
        let mut lines = BufReader::new(file).lines();
        let line = number.checked_sub(1).and_then(|skipped| lines.nth(skipped as usize));
        let line = line.ok_or_else(|| UnitsError::NoUnit { path: path.to_owned(), number })?;
        let line = line.map_err(|error| UnitsError::read(path, error))?;
        let unit = Unit::of_line(&line).map_err(fault)?;
        unit.check_version().map_err(fault)?;
        match unit.number == number {
            true => Ok(unit),
            false => Err(fault(UnitFault::Number { number: unit.number, wanted: number })),
        }
    }

    /// The units, in order.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }
}

/// How a unit is told from another that it differs from.
pub(super) fn described(unit: &Unit, other: &Unit) -> String {
    if unit.version != other.version {
        format!("{}, made by somacat {}", unit.name(), unit.version)
    } else if unit.name() == other.name() {
        format!("{} with the check {}", unit.name(), unit.check())
    } else {
        unit.name()
    }
}
