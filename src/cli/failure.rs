//! The errors of commands, with their exit codes.

use super::Exit;
use somacat_catalog::{CatalogError, PublishError, SalvageError};
use somacat_counting::enumerate::EnumerateError;
use somacat_counting::prove::ProveError;
use somacat_formats::PieceSetError;
use somacat_geometry::pieces::ParseSetError;
use somacat_geometry::symmetry::ParseClassError;
use somacat_run::RunError;
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
}

/// Formats an error with its causes. Leaves out a cause that is in the text already, because many messages contain
/// theirs.
pub(crate) fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| {
        match (text.as_str(), text.contains(&cause)) {
            ("", _) => cause,
            (_, true) => text,
            (_, false) => format!("{text}: {cause}"),
        }
    })
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

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        match exit_code(&error) {
            Some(exit) => Self::Error(exit, error.into()),
            None => Self::ClosedPipe,
        }
    }
}

/// Returns the exit code of an error; `None` for a closed pipe.
fn exit_code(error: &(dyn Error + 'static)) -> Option<Exit> {
    if let Some(error) = error.downcast_ref::<io::Error>() {
        return (error.kind() != io::ErrorKind::BrokenPipe).then_some(Exit::Failed);
    }
    if let Some(error) = error.downcast_ref::<serde_json::Error>() {
        return (error.io_error_kind() != Some(io::ErrorKind::BrokenPipe)).then_some(Exit::Failed);
    }
    // These pass on an error of another kind.
    if let Some(PublishError::Name(error)) = error.downcast_ref() {
        return exit_code(error);
    }
    if let Some(SalvageError::Target(error)) = error.downcast_ref() {
        return exit_code(error);
    }
    if let Some(ProveError::Write(error)) = error.downcast_ref() {
        return exit_code(error);
    }
    if let Some(RunError::Catalog(error)) = error.downcast_ref() {
        return exit_code(error);
    }
    if let Some(error) = error.downcast_ref() {
        return match error {
            UnitsError::Catalog(error) => exit_code(error),
            UnitsError::Run(error) => exit_code(error.as_ref()),
            // Another process is working on the unit; the same command can continue it later.
            UnitsError::Busy(_) => Some(Exit::Stopped),
            UnitsError::Damaged(_)
            | UnitsError::Contradiction { .. }
            | UnitsError::Counts { .. }
            | UnitsError::DoNotAddUp { .. } => Some(Exit::Mismatch),
            _ => Some(Exit::Failed),
        };
    }
    let is_usage = error.is::<ParseClassError>()
        || error.is::<ParseSetError>()
        || error.is::<EnumerateError>()
        || matches!(error.downcast_ref(), Some(CatalogError::NoFile(_)))
        // Anything else about a set is a fault in a file.
        || matches!(error.downcast_ref(), Some(PieceSetError::Text(_)));
    Some(if is_usage { Exit::Usage } else { Exit::Failed })
}
