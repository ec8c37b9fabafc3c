//! What can go wrong with work units and their parts.

use crate::buildable::ParseBuildableError;
use crate::catalog::{CatalogError, InvalidCode};
use crate::census::CensusError;
use crate::enumerate::{EnumerateError, ParseQuestionError};
use crate::figure::ParseSignatureError;
use crate::pieces::ParseSetError;
use crate::run::{PlanError, RunError};
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a unit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnitFault {
    /// Not the text of a unit.
    #[error("this is no work unit ({0}); `somacat units PLAN` writes them")]
    Malformed(String),
    /// The check at its end does not fit.
    #[error(
        "this unit was edited or cut off: its check is {check}, and its text has {own}; make the units again with \
         `somacat units`"
    )]
    Edited {
        /// The check in the line.
        check: String,
        /// The check of its text.
        own: String,
    },
    /// A unit of another version of the program.
    #[error(
        "this unit is of somacat {unit}, and this is somacat {own}; work it with that version, or make the units again"
    )]
    Version {
        /// The version that made it.
        unit: String,
        /// This version.
        own: &'static str,
    },
    /// A unit of another plan.
    #[error("this is {found}, and here is work of {wanted}")]
    OtherPlan {
        /// The unit.
        found: String,
        /// The plan that belongs here.
        wanted: String,
    },
    /// A unit out of its order.
    #[error(
        "this is unit {number}, and unit {wanted} belongs here; make the file again with `somacat units`"
    )]
    Number {
        /// Its number.
        number: u64,
        /// The number that belongs here.
        wanted: u64,
    },
    /// A question that this program does not ask.
    #[error(transparent)]
    Question(#[from] ParseQuestionError),
    /// A question that makes no sense.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// A search for figures that can be built, and that this program does not make.
    #[error(transparent)]
    Buildable(#[from] ParseBuildableError),
    /// A census that cannot be made.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// The key of a census that this program does not make.
    #[error("`{key}` is of another version: this somacat counts `{own}`")]
    CensusVersion {
        /// The key in the unit.
        key: String,
        /// The key of the same census here.
        own: String,
    },
    /// A set that is none.
    #[error(transparent)]
    Set(#[from] ParseSetError),
    /// A file of another content than that of the plan.
    #[error(
        "{file} is another file than when the units were made: its SHA-256 begins {found}, and {wanted} is wanted; \
         put the old one in its place, or make the units again"
    )]
    OtherFile {
        /// The file.
        file: String,
        /// The first digits of its digest.
        found: String,
        /// Those of the plan.
        wanted: String,
    },
    /// A file that is built into the program, but not into this one.
    #[error("no file {0} is built into this somacat")]
    NoBuiltIn(String),
}

/// What is wrong with a part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartFault {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The sidecar is not one.
    #[error("is no sidecar of a part ({0})")]
    Sidecar(String),
    /// There is a sidecar, and no part.
    #[error("has a sidecar, and is not there")]
    Missing,
    /// The content is not what the sidecar says.
    #[error("is damaged: its SHA-256 begins {found}, and its sidecar says {noted}")]
    Digest {
        /// The first digits of its digest.
        found: String,
        /// Those in the sidecar.
        noted: String,
    },
    /// A line makes no sense.
    #[error("line {line} makes no sense: {problem}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// The part is of another unit than its sidecar.
    #[error("is of another unit than its sidecar says")]
    OtherUnit,
    /// It does not come to what its sidecar says.
    #[error("its {what} do not add up to what its sidecar says")]
    Sums {
        /// Which numbers.
        what: &'static str,
    },
    /// The unit of its sidecar has a fault.
    #[error("its sidecar: {0}")]
    Unit(Box<UnitFault>),
}

impl From<InvalidCode> for PartFault {
    fn from(fault: InvalidCode) -> Self {
        Self::Line { line: 0, problem: fault.to_string() }
    }
}

impl From<ParseSignatureError> for PartFault {
    fn from(error: ParseSignatureError) -> Self {
        Self::Line { line: 0, problem: error.to_string() }
    }
}

/// Why units cannot be made, worked or merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnitsError {
    /// A file cannot be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line of a file of units has a fault.
    #[error("{path}:{line}: {fault}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        fault: UnitFault,
    },
    /// The unit has a fault.
    #[error("{unit}: {fault}")]
    Unit {
        /// What the unit is called.
        unit: String,
        /// What is wrong.
        fault: Box<UnitFault>,
    },
    /// There are fewer units in the file than belong to the plan.
    #[error(
        "{path} has {found} units, and the plan {of}; make the file again with `somacat units`"
    )]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// The units in it.
        found: u64,
        /// The units of the plan.
        of: u64,
    },
    /// The units are not those that were made of a plan.
    #[error(
        "{0} does not have the units of one plan as they were made; make it again with `somacat units`"
    )]
    Mixed(PathBuf),
    /// There is no such line.
    #[error("{path} has no unit {number}")]
    NoUnit {
        /// The file.
        path: PathBuf,
        /// The number.
        number: u64,
    },
    /// The plan cannot be made into units.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Two sources would have one label in the catalog.
    #[error(
        "two files of the plan would both be called {0} in the catalog; put them below the folder of the plan, or give \
         one of them another name"
    )]
    EqualLabels(String),
    /// Maps and what stands are found out with the catalog at hand.
    #[error(
        "`map` and `stand` are not part of units: leave them out of this plan, and after the merge run a plan with them \
         on that catalog, which counts nothing again"
    )]
    Structures,
    /// Standard input can be read once, and here only.
    #[error("standard input cannot be cut into units; name a file")]
    Stream,
    /// A path that a line of text cannot hold.
    #[error("the path {0} is not written in Unicode; rename the file")]
    Path(PathBuf),
    /// What lies in the folder of parts is of another unit.
    #[error(
        "{path} is of {found}, and here is {wanted}; choose another folder for the parts of each plan"
    )]
    OtherUnit {
        /// The file.
        path: PathBuf,
        /// The unit that it is of.
        found: String,
        /// The unit that is to be worked.
        wanted: String,
    },
    /// Another program works on the unit.
    #[error("another program is at work on this unit: {0} is locked")]
    Busy(PathBuf),
    /// The work itself failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A folder cannot be made.
    #[error(transparent)]
    Folder(#[from] crate::export::NewFolderError),
    /// Parquet files cannot be written.
    #[error(transparent)]
    Parquet(#[from] crate::export::ParquetWriteError),
    /// Some units have no part.
    #[error("{number} of {of} units have no part: {list}; work them, and merge again")]
    Missing {
        /// How many.
        number: u64,
        /// The units of the plan.
        of: u64,
        /// Which, in ranges.
        list: String,
    },
    /// Parts of another plan.
    #[error("{path} is of {found}, and {units} has units of {wanted}; take it away")]
    ForeignPart {
        /// The sidecar.
        path: PathBuf,
        /// The unit that it is of.
        found: String,
        /// The file of units.
        units: PathBuf,
        /// The plan.
        wanted: String,
    },
    /// Two parts of a unit, and they differ.
    #[error(
        "{first} and {second} are both of unit {number}, and differ; one of them is wrong: take both away and work the \
         unit again"
    )]
    Contradiction {
        /// The unit.
        number: u64,
        /// One sidecar.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Parts that are damaged.
    #[error("{}", list(.0))]
    Damaged(Vec<(PathBuf, PartFault)>),
    /// The parts of a question do not come to what is known of it.
    #[error(
        "{label}: the parts come to {found}, and {known} are known to be; nothing was merged. Work the units again, \
         into an empty folder"
    )]
    DoNotAddUp {
        /// The question in words.
        label: String,
        /// What they come to.
        found: String,
        /// What is known.
        known: String,
    },
}

/// The faults of parts, one a line.
fn list(faults: &[(PathBuf, PartFault)]) -> String {
    let lines = faults.iter().map(|(path, fault)| format!("{}: {fault}", path.display()));
    let lines: Vec<String> = lines.collect();
    format!("{}; take what is damaged away and work these units again", lines.join("\n"))
}

impl UnitsError {
    pub(super) fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_owned(), error }
    }

    pub(super) fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error }
    }
}
