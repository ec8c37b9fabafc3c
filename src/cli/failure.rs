//! Why a command did not do its work, and with which exit code it ends.

use super::Exit;
use crate::catalog::{CatalogError, EditError, PublishError, SalvageError};
use crate::census::CensusError;
use crate::dossier::{DossierError, LookupError, NoPacking};
use crate::draw::{PngError, SceneError};
use crate::enumerate::EnumerateError;
use crate::export::{MeshSizeError, SiteError};
use crate::figure::ParseSignatureError;
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

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error to tell, and the exit code that goes with it.
    Error(Exit, anyhow::Error),
    /// Whoever read the output has seen enough: not an error.
    ClosedPipe,
}

/// What commands return.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// The command line makes no sense, though it could be parsed.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Error(Exit::Usage, anyhow::Error::msg(text.into()))
    }

    /// The command could not do its work.
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::Error(Exit::Failed, anyhow::Error::msg(text.into()))
    }
}

/// Tells what an error is about: a file, a figure.
pub(crate) trait About<T> {
    /// Puts `what` in front of the error's text.
    fn about(self, what: impl Display + Send + Sync + 'static) -> Result<T>;
}

impl<T, E: Into<Failure>> About<T> for std::result::Result<T, E> {
    fn about(self, what: impl Display + Send + Sync + 'static) -> Result<T> {
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
        // A file's fault, unless it has a name that it cannot have.
        let usage = matches!(error, PieceSetError::Name { .. } | PieceSetError::Text(_));
        Self::Error(if usage { Exit::Usage } else { Exit::Failed }, error.into())
    }
}

impl From<CatalogError> for Failure {
    fn from(error: CatalogError) -> Self {
        let no_file = matches!(error, CatalogError::NoFile(_));
        Self::Error(if no_file { Exit::Usage } else { Exit::Failed }, error.into())
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
            // Whoever is at work on the unit finishes it, or leaves it to the same command.
            UnitsError::Busy(_) => Self::Error(Exit::Stopped, error.into()),
            UnitsError::Damaged(_)
            | UnitsError::Contradiction { .. }
            | UnitsError::DoNotAddUp { .. } => Self::Error(Exit::Mismatch, error.into()),
            other => Self::Error(Exit::Failed, other.into()),
        }
    }
}

/// The exit code of each kind of error.
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
    Failed: CensusError, DossierError, EditError, LookupError, MapError, MeshSizeError, NoPacking, RemainderError,
        OpenError, ParseSignatureError, PiecesInPlaceError, PlanError, PngError, ProveError, PublishError, SalvageError, SceneError, SiteError, SolveError, StandError, WriteError;
);

#[cfg(feature = "parquet")]
exit_codes!(Failed: crate::export::NewFolderError, crate::export::ParquetWriteError;);
