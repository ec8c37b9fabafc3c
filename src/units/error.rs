//! Errors of work units and parts.

use somacat_catalog::{CatalogError, InvalidCode};
use somacat_counting::enumerate::KeyError;
use somacat_geometry::figure::{ParseSignatureError, Signature};
use somacat_geometry::pieces::ParseSetError;
use somacat_run::{PlanError, RunError};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum UnitFault {
    #[error("this is not a work unit ({0}); `somacat units PLAN` writes work units")]
    Malformed(String),
    #[error(
        "this unit has format {format}, from another build of somacat; this build has format {own}; write the units \
         again with `somacat units`"
    )]
    Format { format: u32, own: u32 },
    #[error(
        "this unit was edited or truncated: its check is {check}, and its text has {own}; write the units again with \
         `somacat units`"
    )]
    Edited { check: String, own: String },
    #[error(
        "this unit was made by somacat {unit}, and this is somacat {own}; work it with that version, or write the \
         units again"
    )]
    Version { unit: String, own: &'static str },
    #[error("this is {found}, but the first line belongs to {wanted}")]
    OtherPlan { found: String, wanted: String },
    #[error(
        "this is unit {number}, but unit {wanted} belongs here; write the file again with `somacat units`"
    )]
    Number { number: u64, wanted: u64 },
    #[error(
        "this is unit {number} of {of}, from {first} to {end}: there is no such unit; write the units again with `somacat units`"
    )]
    Impossible { number: u64, of: u64, first: u64, end: u64 },
    #[error(transparent)]
    Question(#[from] KeyError),
    #[error(transparent)]
    Set(#[from] ParseSetError),
    #[error(
        "{file} changed since the units were made: its SHA-256 begins {found}, expected {wanted}; restore the old \
         file, or write the units again"
    )]
    OtherFile { file: String, found: String, wanted: String },
    #[error("no file {0} is built into this somacat")]
    NoBuiltIn(String),
}

#[derive(Debug, thiserror::Error)]
pub enum PartFault {
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("is damaged: its first line is not a unit")]
    Begin,
    #[error("was written by another build of somacat, with another format")]
    Format,
    #[error("is damaged: its last line, which states its SHA-256, is missing or was changed")]
    End,
    #[error("is damaged: its SHA-256 begins {found}, its last line states {noted}")]
    Digest { found: String, noted: String },
    #[error("line {line} is invalid: {problem}")]
    Line { line: u64, problem: String },
    #[error("has the part of another unit now")]
    OtherUnit,
    #[error("has a row that its unit cannot have: {0}")]
    Row(String),
    #[error("its {what} do not add up to what its last line states")]
    Sums { what: &'static str },
}

impl From<InvalidCode> for PartFault {
    fn from(fault: InvalidCode) -> Self {
        Self::Row(fault.to_string())
    }
}

impl From<ParseSignatureError> for PartFault {
    fn from(error: ParseSignatureError) -> Self {
        Self::Row(error.to_string())
    }
}

/// An error in cutting, working or merging units.
#[derive(Debug, thiserror::Error)]
pub enum UnitsError {
    #[error("cannot read {what}: {error}")]
    Read { what: String, error: io::Error },
    #[error("{path}:{line}: {fault}")]
    Line { path: PathBuf, line: u64, fault: Box<UnitFault> },
    #[error("{unit}: {fault}")]
    Unit { unit: String, fault: Box<UnitFault> },
    #[error(
        "{path} has {found} units, and the plan has {of}; write the file again with `somacat units`"
    )]
    Incomplete { path: PathBuf, found: u64, of: u64 },
    #[error("{0} has no units; `somacat units` writes them")]
    Empty(PathBuf),
    #[error(
        "{0} does not have the units of one plan in their original form; write it again with `somacat units`"
    )]
    Mixed(PathBuf),
    #[error("{path} has no unit {number}")]
    NoUnit { path: PathBuf, number: u64 },
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(
        "two files of the plan would both be called {0} in the catalog; put them below the folder of the plan, or \
         rename one of them"
    )]
    EqualLabels(String),
    #[error(
        "`map`, `stand` and `prove` need a catalog and cannot be cut into units; remove them from this plan, and after the \
         merge run a plan with them on that catalog, which counts nothing twice"
    )]
    Structures,
    #[error("standard input cannot be cut into units; name a file")]
    Stream,
    #[error("the path {0} is not valid Unicode; rename the file")]
    Path(PathBuf),
    #[error(
        "{path} belongs to {found}, not to {wanted}; choose another folder for the parts of each plan"
    )]
    OtherUnit { path: PathBuf, found: String, wanted: String },
    #[error("another program is working on this unit: {0} is locked")]
    Busy(PathBuf),
    #[error(transparent)]
    Run(Box<RunError>),
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Folder(#[from] somacat_output::export::NewFolderError),
    #[error(transparent)]
    Parquet(#[from] somacat_output::export::ParquetWriteError),
    #[error("{number} of {of} units have no part: {list}; work them, and merge again")]
    Missing { number: u64, of: u64, list: String },
    #[error("{path} belongs to {found}, and {units} has units of {wanted}; remove it")]
    ForeignPart { path: PathBuf, found: String, units: PathBuf, wanted: String },
    #[error(
        "{first} and {second} are both parts of unit {number} and differ, so one is damaged: remove both and work the \
         unit again"
    )]
    Contradiction { number: u64, first: PathBuf, second: PathBuf },
    #[error(
        "{first} and {second} have different counts of {signature} ({found}), so one is damaged: remove both and work \
         their units again"
    )]
    Counts { first: PathBuf, second: PathBuf, signature: Signature, found: String },
    #[error("{}", list(.0))]
    Damaged(Vec<(PathBuf, PartFault)>),
    #[error(
        "{label}: the parts contain {found}, expected {known}; nothing was merged. Work the units again, into an empty \
         folder"
    )]
    DoNotAddUp { label: String, found: String, known: String },
}

impl From<RunError> for UnitsError {
    fn from(error: RunError) -> Self {
        Self::Run(Box::new(error))
    }
}

fn list(faults: &[(PathBuf, PartFault)]) -> String {
    let lines = faults.iter().map(|(path, fault)| format!("{}: {fault}", path.display()));
    let lines: Vec<String> = lines.collect();
    format!("{}; remove damaged files and work these units again", lines.join("\n"))
}

impl UnitsError {
    pub(super) fn of_unit(unit: String, fault: impl Into<UnitFault>) -> Self {
        Self::Unit { unit, fault: Box::new(fault.into()) }
    }

    pub(super) fn read(role: &str, path: &Path, error: io::Error) -> Self {
        Self::Read { what: format!("{role} {}", path.display()), error }
    }

    pub(super) fn write(path: &Path, error: io::Error) -> Self {
        RunError::Write { path: path.to_owned(), error }.into()
    }
}
