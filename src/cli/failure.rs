//! The errors of commands, with their exit codes.

use super::Exit;
use somacat_catalog::{CatalogError, EditError, PublishError, SalvageError, with_names_of_results};
use somacat_counting::antislide::BoxTooLarge;
use somacat_counting::census::CensusError;
use somacat_counting::enumerate::EnumerateError;
use somacat_counting::map::MapError;
use somacat_counting::prove::ProveError;
use somacat_counting::question::{NoBuildableQuestion, QuestionError};
use somacat_counting::solve::{RemainderError, SolveError};
use somacat_formats::{OpenError, PieceSetError, Refusal, WriteError};
use somacat_geometry::figure::{FigureError, ParseSignatureError};
use somacat_geometry::pieces::ParseSetError;
use somacat_geometry::symmetry::ParseClassError;
use somacat_output::dossier::LookupError;
use somacat_output::draw::{PngError, SceneError};
use somacat_output::export::{NewFolderError, ParquetWriteError, SiteError};
use somacat_rows::{OpenFigureError, PiecesInPlaceError};
use somacat_run::{PlanError, RunError, TableError};
use somacat_units::UnitsError;
use std::error::Error;
use std::fmt::Display;
use std::io;

/// The reason why a command ended without a result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error to report, with its exit code.
    Error(Exit, anyhow::Error),
    /// The reader closed the output, which is not an error.
    ClosedPipe,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Returns a usage error: the command line was parsed but is not valid.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Error(Exit::Usage, anyhow::Error::msg(text.into()))
    }

    /// Returns an error for a command stopped before it had a result.
    pub(crate) fn stopped(text: impl Into<String>) -> Self {
        Self::Error(Exit::Stopped, anyhow::Error::msg(text.into()))
    }

    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::Error(Exit::Failed, anyhow::Error::msg(text.into()))
    }

    /// Returns an error for a command whose figures were all refused.
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self::Error(Exit::Partial, anyhow::Error::msg(text.into()))
    }
}

/// Formats an error with its causes. Leaves out a cause that is in the text already, because many messages contain
/// theirs. Temporary files have the names of the results that they would have become.
pub(crate) fn with_causes(error: &anyhow::Error) -> String {
    let text = error.chain().map(ToString::to_string).fold(String::new(), |text, cause| {
        match (text.as_str(), text.contains(&cause)) {
            ("", _) => cause,
            (_, true) => text,
            (_, false) => format!("{text}: {cause}"),
        }
    });
    with_names_of_results(text)
}

/// Adds an error's subject, such as a file or a figure.
pub(crate) trait Context<T> {
    /// Puts `what` in front of the error's text.
    fn context(self, what: impl Display + Send + Sync + 'static) -> Result<T>;
}

impl<T, E: Into<Failure>> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl Display + Send + Sync + 'static) -> Result<T> {
        self.map_err(|error| match error.into() {
            Failure::Error(exit, error) => Failure::Error(exit, error.context(what)),
            Failure::ClosedPipe => Failure::ClosedPipe,
        })
    }
}

/// An error that can end a command.
///
/// Every type has an implementation of its own, and every variant is named in it. A new one does not compile before
/// somebody has chosen its exit code.
pub(crate) trait CommandError: Error + Send + Sync + 'static {
    /// Returns the exit code. `None` if the reader closed the output.
    fn exit(&self) -> Option<Exit>;
}

impl<E: CommandError> From<E> for Failure {
    fn from(error: E) -> Self {
        match error.exit() {
            Some(exit) => Self::Error(exit, error.into()),
            None => Self::ClosedPipe,
        }
    }
}

impl CommandError for io::Error {
    fn exit(&self) -> Option<Exit> {
        (self.kind() != io::ErrorKind::BrokenPipe).then_some(Exit::Failed)
    }
}

impl CommandError for serde_json::Error {
    fn exit(&self) -> Option<Exit> {
        (self.io_error_kind() != Some(io::ErrorKind::BrokenPipe)).then_some(Exit::Failed)
    }
}

impl CommandError for ParquetWriteError {
    fn exit(&self) -> Option<Exit> {
        Some(Exit::Failed)
    }
}

impl CommandError for BoxTooLarge {
    fn exit(&self) -> Option<Exit> {
        Some(Exit::Failed)
    }
}

impl CommandError for ParseClassError {
    fn exit(&self) -> Option<Exit> {
        Some(Exit::Usage)
    }
}

impl CommandError for NoBuildableQuestion {
    fn exit(&self) -> Option<Exit> {
        Some(Exit::Usage)
    }
}

/// Assigns an exit code to each variant of error types. A variant with `inner` has the exit code of the error in it.
macro_rules! exit_codes {
    ($($error:ty {
        $($($variant:ident)|+ => $exit:ident),+ $(,)? $(; $($inner:ident)|+ => inner)?
    })+) => {
        $(impl CommandError for $error {
            fn exit(&self) -> Option<Exit> {
                match self {
                    $($(Self::$variant { .. })|+ => Some(Exit::$exit),)+
                    $($(Self::$inner(error) => error.exit(),)+)?
                }
            }
        })+
    };
}

// Mathematics. Sets, classes and boxes are parts of the command line.
exit_codes! {
    CensusError { Volume | TooSmall | NoPieces | Split | Memory => Failed }
    EnumerateError {
        Cells | NoClass | BoxRequired | PartsNeedBox | Parts | EmptyBox | BoxTooSmall | BoxTooLarge
            | TooManyPlaces => Usage,
    }
    FigureError { Empty | TooManyCells | RepeatedCell | CoordinateOutOfRange | TooWide => Failed }
    MapError { TooMany | AtLeast | Undecided | Stopped | Solve => Failed }
    ParseSetError { Unknown | UnknownPiece | Copies | TooLarge | Empty | Colored | Range | Line => Usage }
    ParseSignatureError { Malformed | Version | NotCanonical => Failed }
    ProveError {
        Buildable | Nodes | Memory | Overflow | Choices | NothingLeft | Stopped | TooLarge | Size => Failed;
        Write => inner
    }
    QuestionError { Memory | Uncounted | Source | Threads => Failed; Census => inner }
    RemainderError { TooMany | TooManyPieces | WrongShape | NotFree | NothingLeft | Figure => Failed }
    SolveError {
        TooLarge | Remainder | TooManyParts | Memory | Allocation | Choices | FrontierCells | Overflow
            | Threads => Failed,
    }
}

// Figures as text. A set is a part of the command line unless it is in a file.
exit_codes! {
    OpenError { Missing | Directory | EmptyFolder | Io | NoFigure => Failed }
    PieceSetError { Text => Usage, Open | Missing | TooLong | Contents => Failed }
    Refusal { CellCount | NoChoice | NoSet | OwnPieces => Failed }
    WriteError { Name | Comment | TooLarge | Mark | Marks | Figure => Failed }
}

// The catalog.
exit_codes! {
    CatalogError {
        NoFile => Usage,
        Missing | Foreign | Empty | Version | InUse | Gone | Moved | Overtaken | SeveralNames | ForeignLog
            | DamagedLog | ForeignObject | WrongTotal | Unmerged | Unversioned | TimeLimit | Creation | Lock
            | NoRoom | Sql | Malformed | Damaged | SetChanged | SetUnreadable | Signature | NotReadOnly => Failed,
    }
    EditError {
        NoSource | SourceExists | NoFigure | SeveralFigures | NameOfAnother | NoName | Enumerated | Repeated
            | Listed | Catalog
            => Failed,
    }
    PublishError { Exists | NotAFile | BesideDatabase | Itself | Busy | Write => Failed; Name => inner }
    SalvageError { Catalog | Exists | Write | Unsound => Failed; Target => inner }
}

// Output.
exit_codes! {
    LookupError {
        // The entries of the file were refused.
        NoFigure => Partial,
        Unknown | Ambiguous | Open | Read | Signature | Figure | Number | Catalog => Failed,
    }
    NewFolderError { Exists | Io => Failed }
    PngError { Size | Render => Failed }
    SceneError { Outside | Overlap => Failed }
    SiteError {
        Io | NotAFolder | NotOurs | UnknownFile | Template | TemplateMemory | Picture | Json => Failed,
    }
}

// Runs and units.
exit_codes! {
    OpenFigureError { Placed | Remainder => Failed }
    PiecesInPlaceError { NoPiece | Size => Failed }
    PlanError { File | Toml | Fault | Published | Line => Failed }
    RunError { Open | Write => Failed; Catalog | Question => inner }
    TableError { Empty | NoColumn | UnknownColumn | Fields | Line | Csv => Failed }
    UnitsError {
        // Another process is working on the unit; the same command can continue it later.
        Busy => Stopped,
        Damaged | Contradiction | Counts | DoNotAddUp => Mismatch,
        Read | Line | Unit | Incomplete | Empty | Mixed | NoUnit | Plan | EqualLabels | Structures | Stream | Path
            | OtherUnit | Folder | Parquet | Missing | ForeignPart => Failed;
        Catalog | Run => inner
    }
}
