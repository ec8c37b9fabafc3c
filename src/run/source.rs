//! Sources of figures to import.

use somacat_catalog::sha256_of;
use somacat_formats::{Colors, EntryStream, Format, OpenError, open_source, source_label};
use std::io::{self, BufRead, ErrorKind};
use std::path::{Component, Path, PathBuf, absolute};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    File {
        path: PathBuf,
        /// The folder of the plan that names it; empty without a plan.
        plan: PathBuf,
    },
    Stdin,
    /// The label of a text built into the program, and the text.
    Text(String, &'static str),
}

impl Source {
    /// Begins to read items, which arrive one by one.
    pub(super) fn entry_stream(&self, format: Option<Format>) -> EntryStream {
        let source = self.clone();
        EntryStream::begin(move || source.open(), format, Colors::Refused)
    }

    pub fn open(&self) -> Result<Box<dyn BufRead + Send>, OpenError> {
        Ok(match self {
            // A catalog knows a file by its name, as text.
            Self::File { path, .. } if path.to_str().is_none() => {
                let error =
                    io::Error::new(ErrorKind::InvalidInput, "its name is not UTF-8; rename it");
                return Err(OpenError::Io { file: self.shown(), error });
            }
            Self::File { path, .. } => open_source(path)?,
            Self::Stdin => open_source(Path::new("-"))?,
            Self::Text(_, text) => Box::new(text.as_bytes()),
        })
    }

    /// Returns the SHA-256 of the content in hexadecimal digits. Reads all of it.
    pub fn sha256(&self) -> Result<String, OpenError> {
        let failed = |error| OpenError::Io { file: self.shown(), error };
        Ok(sha256_of(&mut self.open()?).map_err(failed)?.0)
    }

    /// Returns `true` if no later command can read it again: standard input, and a pipe such as `<(…)` of a shell.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::File { path, .. } => path.exists() && !path.is_file(),
            Self::Stdin => true,
            Self::Text(..) => false,
        }
    }

    /// Returns the path of a file on this machine.
    pub fn place(&self) -> Option<PathBuf> {
        if let Self::File { path, .. } = self { path.canonicalize().ok() } else { None }
    }

    /// Returns the name in messages: the path as given.
    pub fn shown(&self) -> String {
        match self {
            Self::File { path, .. } => source_label(path),
            Self::Stdin => source_label(Path::new("-")),
            Self::Text(label, _) => label.clone(),
        }
    }

    /// Returns the name in the catalog, which others may read.
    ///
    /// It is the path from the working directory or from the folder of the plan; elsewhere the file name. Any other path
    /// would contain names of local folders.
    pub fn label(&self) -> String {
        let Self::File { path, plan } = self else { return self.shown() };
        // `..` is resolved first: `../x.soma` lies outside.
        let whole = |path: &Path| absolute(path).map(|path| tidy(&path)).ok();
        let below = |folder: &Path| {
            let path = whole(path)?;
            let rest = path.strip_prefix(whole(folder)?).ok()?;
            Some(rest.to_owned()).filter(|rest| rest.parent().is_some())
        };
        let file_name = || path.file_name().map_or_else(|| path.clone(), PathBuf::from);
        let label = below(Path::new(".")).or_else(|| below(plan)).unwrap_or_else(file_name);
        source_label(&label)
    }
}

/// Normalizes a path lexically. The working directory is `.`.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir
                if matches!(tidied.components().next_back(), Some(Component::Normal(_))) =>
            {
                tidied.pop();
            }
            Component::CurDir => {}
            other => tidied.push(other),
        }
    }
    if tidied.as_os_str().is_empty() { PathBuf::from(".") } else { tidied }
}
