//! Where figures of an import come from.

use crate::formats::{OpenError, open_source, source_label};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// A source of figures to import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file, shown under its path.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// A text built into the program, with the label it is shown under.
    Text(String, &'static str),
}

impl Source {
    /// The text of the source.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(super) fn open(&self) -> Result<Box<dyn BufRead + Send>, OpenError> {
        Ok(match self {
            Self::File(path) => open_source(path)?,
            Self::Stdin => open_source(Path::new("-"))?,
            Self::Text(_, text) => Box::new(text.as_bytes()),
        })
    }

    /// How the source is named in the catalog and in messages.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::File(path) => source_label(path),
            Self::Stdin => source_label(Path::new("-")),
            Self::Text(label, _) => label.clone(),
        }
    }
}
