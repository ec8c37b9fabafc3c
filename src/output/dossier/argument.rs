//! The meaning of an argument that names figures.
//!
//! A text is, in this order, a file, a signature or a number, a name in the catalog spelled exactly, a folder, the
//! files that wildcards match, a figure written out (`3x3x4`, `67 77`), or a part of a name. Exact names come early,
//! so that nothing hides a figure of the catalog; parts of names come last, because they match easily.

use super::{LookupError, Subject};
use glob::MatchOptions;
use somacat_catalog::{Catalog, CatalogError, NamePattern, database_of, is_database};
use somacat_counting::enumerate::{FigureNumber, NumberError};
use somacat_formats::{Format, OpenError, is_figure_text, looks_like_path};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::{Candidate, Equivalence, Figure, ParseSignatureError, Signature};
use somacat_geometry::pieces::PieceSet;
use somacat_rows::{CATALOG_COLUMNS, column_names};
use std::fs::{DirEntry, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What an argument names.
#[derive(Clone, Debug)]
pub enum FigureArgument {
    /// A file, or standard input for `-`.
    File(PathBuf),
    /// The files of a folder, or those that wildcards match. Not empty.
    Files(Vec<PathBuf>),
    /// The text of figures itself.
    Text(String),
    /// A figure looked up by signature, number, name or box.
    Subject(Box<Subject>),
}

impl FigureArgument {
    /// Finds out what a text names. See [`super::look_up`] for the parameters.
    pub fn of_text(
        db: &Path,
        text: &str,
        format: Option<Format>,
        set: Option<&PieceSet>,
        warn: &dyn Fn(&str),
    ) -> Result<Self, LookupError> {
        // A folder is not a file of figures, but a figure may have the same name.
        let path = Path::new(text);
        if text == "-" || (path.exists() && !path.is_dir()) {
            return Ok(Self::File(path.to_owned()));
        }
        let misspelled = match signature_of(text) {
            Ok(signature) => return Self::of_figure(db, text, signature.figure()?, warn),
            Err(error) => error,
        };
        let catalog = match Catalog::open_read_only(db) {
            Err(CatalogError::Missing(_)) => Ok(None),
            catalog => catalog.map(Some),
        };
        let exact = [NamePattern::exact(text)];
        if let Ok(Some(catalog)) = &catalog
            && let Some(subject) = super::subject::find_named(catalog, text, &exact, set)?
        {
            return Ok(Self::Subject(Box::new(subject)));
        }
        let files =
            figure_files(path).map_err(|error| OpenError::Io { file: text.to_owned(), error })?;
        match files {
            Some(files) if files.is_empty() => {
                return Err(OpenError::EmptyFolder(text.to_owned()).into());
            }
            Some(files) => return Ok(Self::Files(files)),
            None => {}
        }
        if let Ok(sides) = parse_box(text) {
            let (figure, _) =
                Candidate::new(Figure::of_box(sides)?, Equivalence::Reflections).canonical();
            return Self::of_figure(db, text, figure, warn);
        }
        if is_figure_text(text, format) {
            return Ok(Self::Text(text.to_owned()));
        }
        let found = match catalog? {
            None => {
                let (text, catalog) = (text.to_owned(), db.to_owned());
                Err(LookupError::Unknown { text, catalog, missing: true, near: Vec::new() })
            }
            Some(catalog) => super::look_up_in(&catalog, text, set),
        };
        match (found, misspelled) {
            (Err(LookupError::Unknown { .. }), Some(error)) => Err(error),
            (Err(LookupError::Unknown { .. }), None) if looks_like_path(text) => {
                Err(OpenError::Missing(text.to_owned()).into())
            }
            (found, _) => Ok(Self::Subject(Box::new(found?))),
        }
    }

    fn of_figure(
        db: &Path,
        text: &str,
        figure: Figure,
        warn: &dyn Fn(&str),
    ) -> Result<Self, LookupError> {
        let catalog = super::subject::catalog_if_any(db, warn);
        let subject = Subject::new(catalog.as_ref(), text.to_owned(), None, figure, None)?;
        Ok(Self::Subject(Box::new(subject)))
    }
}

/// Returns the signature that a text spells, or that of the figure whose number it is. Of other texts, returns an error
/// if they are nearly one of these. They may still be names.
fn signature_of(text: &str) -> Result<Signature, Option<LookupError>> {
    match text.parse::<FigureNumber>() {
        Ok(number) => return number.signature().map_err(|error| Some(error.into())),
        Err(error @ (NumberError::Spelling { .. } | NumberError::NoClass { .. })) => {
            return Err(Some(error.into()));
        }
        Err(_) => {}
    }
    text.parse().map_err(|error| match error {
        ParseSignatureError::Malformed(_) => None,
        error => Some(error.into()),
    })
}

/// Returns the files below a folder, or those that a path with wildcards (`*`, `?`, `[…]`) matches, in the order of
/// their names. `None` if the path is neither.
///
/// Leaves out hidden files, catalogs and their tables. Shells on Windows pass wildcards on, as other shells do with quoted ones. Rows
/// of marks such as `/**/**` are a figure, although they match files of the whole disk.
pub fn figure_files(path: &Path) -> io::Result<Option<Vec<PathBuf>>> {
    if path.is_dir() {
        return files_below(path).map(Some);
    }
    let is_rows = |text: &str| text.starts_with('/') && text.chars().all(|c| "/*. ".contains(c));
    let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']) && !is_rows(text));
    let pattern = pattern.filter(|_| !path.exists());
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
    let Some(Ok(paths)) = pattern.map(|pattern| glob::glob_with(pattern, options)) else {
        return Ok(None);
    };
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| {
            let path = error.path().to_owned();
            named(&path)(error.into())
        })?;
        match path.is_dir() {
            true => found.extend(files_below(&path)?),
            false => found.extend(Some(path).filter(|path| is_of_figures(path))),
        }
    }
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// Names the file that cannot be read.
fn named(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = folder.read_dir().and_then(Iterator::collect);
    let mut entries: Vec<DirEntry> = entries.map_err(named(folder))?;
    entries.sort_by_key(DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // Links to folders are not followed: they may form a cycle.
        if entry.file_type()?.is_dir() {
            found.extend(files_below(&path)?);
        } else if is_of_figures(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Returns `true` for files that are neither catalogs nor tables of them.
fn is_of_figures(path: &Path) -> bool {
    let is_table = || File::open(path).and_then(is_catalog_table).is_ok_and(|is| is == Some(true));
    path.is_file() && !is_database(path) && database_of(path).is_none() && !is_table()
}

/// Returns whether a file is a table that a run writes beside its catalog. `None` for an empty file.
///
/// ```
/// use somacat_output::dossier::is_catalog_table;
///
/// assert_eq!(is_catalog_table(&b"name,cells,signature,order\n"[..])?, Some(true));
/// assert_eq!(is_catalog_table(&b"333 333 333\n"[..])?, Some(false));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If reading fails.
pub fn is_catalog_table(input: impl Read) -> io::Result<Option<bool>> {
    let mut start = Vec::new();
    input.take(64).read_to_end(&mut start)?;
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start);
    let columns = column_names(&CATALOG_COLUMNS[..3]).join(",");
    Ok((!start.is_empty()).then(|| start.starts_with(columns.as_bytes())))
}
