//! Where figures of an import come from.

use crate::formats::{EntryStream, Format, OpenError, open_source, source_label};
use std::io::BufRead;
use std::path::{Path, PathBuf, absolute};

/// A source of figures to import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// The folder of the plan that names it; empty if no plan does.
        plan: PathBuf,
    },
    /// Standard input.
    Stdin,
    /// A text built into the program, with the label it is shown under.
    Text(String, &'static str),
}

impl Source {
    /// The items of the source, as they come.
    pub(super) fn entry_stream(&self, format: Option<Format>) -> EntryStream {
        let source = self.clone();
        EntryStream::begin(move || source.open(), format)
    }

    /// Opens the source to be read.
    pub(crate) fn open(&self) -> Result<Box<dyn BufRead + Send>, OpenError> {
        Ok(match self {
            Self::File { path, .. } => open_source(path)?,
            Self::Stdin => open_source(Path::new("-"))?,
            Self::Text(_, text) => Box::new(text.as_bytes()),
        })
    }

    /// Where a file is on this machine.
    pub(crate) fn place(&self) -> Option<PathBuf> {
        if let Self::File { path, .. } = self { path.canonicalize().ok() } else { None }
    }

    /// How the source is named in messages: as it was given.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::File { path, .. } => source_label(path),
            Self::Stdin => source_label(Path::new("-")),
            Self::Text(label, _) => label.clone(),
        }
    }

    /// How the source is named in the catalog, which others may read: a file by its path from the working directory or
    /// from the folder of the plan, and if it lies elsewhere, by its name. Absolute paths tell of the machine.
    #[must_use]
    pub fn label(&self) -> String {
        let Self::File { path, plan } = self else { return self.shown() };
        let below = |folder: &Path| {
            let whole = absolute(path).ok()?;
            let rest = whole.strip_prefix(absolute(folder).ok()?).ok()?;
            Some(rest.to_owned()).filter(|rest| rest.parent().is_some())
        };
        let path = match below(Path::new(".")).or_else(|| below(plan)) {
            Some(path) => path,
            None if path.is_relative() => path.clone(),
            None => path.file_name().map_or_else(|| path.clone(), PathBuf::from),
        };
        source_label(&path)
    }
}
