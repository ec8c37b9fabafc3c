//! The errors of commands, with their exit codes.

use super::Exit;
use crate::catalog::{CatalogError, EditError, PublishError, SalvageError};
use crate::census::CensusError;
use crate::dossier::{DossierError, LookupError, NoPacking};
use crate::draw::{PngError, SceneError};
use crate::enumerate::EnumerateError;
use crate::export::{NewFolderError, ParquetWriteError, SiteError};
use crate::figure::{FigureError, ParseSignatureError};
use crate::formats::{OpenError, PieceSetError, WriteError};
use crate::map::MapError;
use crate::pieces::ParseSetError;
use crate::prove::ProveError;
use crate::run::{PiecesInPlaceError, PlanError, RunError};
use crate::solve::{RemainderError, SolveError};
use crate::stand::StandError;
use crate::symmetry::ParseClassError;
use crate::units::UnitsError;
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

    /// Returns an error for a command that was stopped before it had a result.
    pub(crate) fn stopped(text: impl Into<String>) -> Self {
        Self::Error(Exit::Stopped, anyhow::Error::msg(text.into()))
    }

    /// Returns an error for a command that failed.
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::Error(Exit::Failed, anyhow::Error::msg(text.into()))
    }
}

/// Adds the subject of an error, such as a file or a figure.
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

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Error(Exit::Failed, error.into()),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl From<PieceSetError> for Failure {
    fn from(error: PieceSetError) -> Self {
        // An invalid name is a usage error; anything else is a fault in a file.
        let usage = matches!(error, PieceSetError::Text(_));
        Self::Error(if usage { Exit::Usage } else { Exit::Failed }, error.into())
    }
}

impl From<CatalogError> for Failure {
    fn from(error: CatalogError) -> Self {
        let no_file = matches!(error, CatalogError::NoFile(_));
        Self::Error(if no_file { Exit::Usage } else { Exit::Failed }, error.into())
    }
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Name(error) => error.into(),
            other => Self::Error(Exit::Failed, other.into()),
        }
    }
}

impl From<SalvageError> for Failure {
    fn from(error: SalvageError) -> Self {
        match error {
            SalvageError::Target(error) => error.into(),
            other => Self::Error(Exit::Failed, other.into()),
        }
    }
}

impl From<ProveError> for Failure {
    fn from(error: ProveError) -> Self {
        match error {
            ProveError::Write(error) => error.into(),
            other => Self::Error(Exit::Failed, other.into()),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Catalog(error) => error.into(),
            other => Self::Error(Exit::Failed, other.into()),
        }
    }
}

impl From<UnitsError> for Failure {
    fn from(error: UnitsError) -> Self {
        match error {
            UnitsError::Catalog(error) => error.into(),
            UnitsError::Run(error) => error.into(),
            // Another process is working on the unit; the same command can continue it later.
            UnitsError::Busy(_) => Self::Error(Exit::Stopped, error.into()),
            UnitsError::Damaged(_)
            | UnitsError::Contradiction { .. }
            | UnitsError::DoNotAddUp { .. } => Self::Error(Exit::Mismatch, error.into()),
            other => Self::Error(Exit::Failed, other.into()),
        }
    }
}

/// Converts each kind of error to a failure with an exit code.
macro_rules! exit_codes {
    ($($exit:ident: $($error:ty),+;)+) => {$($(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Error(Exit::$exit, error.into())
            }
        }
    )+)+};
}

exit_codes!(
    Usage: ParseClassError, ParseSetError, EnumerateError;
    Failed: CensusError, DossierError, EditError, FigureError, LookupError, MapError, NewFolderError, NoPacking,
        OpenError, ParquetWriteError, ParseSignatureError, PiecesInPlaceError, PlanError, PngError,
        RemainderError, SceneError, SiteError, SolveError, StandError, WriteError;
);
