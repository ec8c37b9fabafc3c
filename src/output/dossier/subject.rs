//! Looking up a figure by what a user typed, the same for every command: a file, a signature, or a name in the
//! catalog.

use super::{Presentation, leading};
use somacat_catalog::{Catalog, CatalogError, Filter, NamePattern, Origin, Row, Vocabulary};
use somacat_formats::{Entry, Format, Item, OpenError, Options, ReadError, Reader, choose_set};
use somacat_formats::{looks_like_path, open_source, source_label};
use somacat_geometry::figure::{Figure, Identity, ParseSignatureError, Signature};
use somacat_geometry::pieces::PieceSet;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// The most entries of the catalog that are kept of one figure.
const MAX_ORIGINS: usize = 50;

/// A figure that was asked for, with what the catalog has on it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in the file, or else in the catalog, or else its signature.
    pub name: String,
    /// As it lies in its file, else as it is presented.
    pub figure: Figure,
    /// Title, credit and position.
    pub presentation: Presentation,
    /// What its file says; none if it was not read from a file.
    pub file: Option<FileEntry>,
    /// The rows of the catalog, one for each piece set.
    pub rows: Vec<Row>,
    /// Its entries in the catalog.
    pub origins: Vec<Origin>,
    /// Descriptions of the enumerations that list it.
    pub enumerations: Vec<String>,
    /// The piece sets of the rows that have one, in the order of their names.
    pub sets: Vec<PieceSet>,
}

/// A figure in a file.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// The entry.
    pub entry: Entry,
    /// The name of the file, as given.
    pub label: String,
    /// The number of the entry in it, from 1; faulty ones count too.
    pub number: u64,
}

/// Why a look-up failed.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// Nothing has this name.
    #[error("`{text}` matches no file, signature or name in {catalog}{}", suggestion(.missing, .near))]
    Unknown {
        /// What was asked for.
        text: String,
        /// The catalog.
        catalog: PathBuf,
        /// Whether the catalog does not exist.
        missing: bool,
        /// Similar names.
        near: Vec<String>,
    },
    /// Several figures match.
    #[error("`{text}` means {number} figures: {}{}", .some.join(", "), if *.number > .some.len() { ", …" } else { "" })]
    Ambiguous {
        /// What was asked for.
        text: String,
        /// The number of figures that match.
        number: usize,
        /// Names and signatures of the first few.
        some: Vec<String>,
    },
    /// No entry of the file is a valid figure.
    #[error("{0} holds no sound figure")]
    NoFigure(String),
    /// The file cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file cannot be read.
    #[error("{label}: {error}")]
    Read {
        /// The file.
        label: String,
        /// What went wrong.
        error: ReadError,
    },
    /// The signature is malformed.
    #[error(transparent)]
    Signature(#[from] ParseSignatureError),
    /// The catalog could not be read.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

fn suggestion(missing: &bool, near: &[String]) -> String {
    if *missing {
        ", which does not exist".to_owned()
    } else if near.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", near.join(", "))
    }
}

/// Looks up figures: those of a file (or of standard input for `-`), the one with a signature, or the one with a
/// name in the catalog `db` ([`look_up_in`]). Files and signatures need no catalog; `warn` is told if it cannot be read, and of every faulty entry of a file.
///
/// # Errors
/// If no figure or more than one matches a name, or if the file or the catalog cannot be read.
pub fn look_up(
    db: &Path,
    text: &str,
    format: Option<Format>,
    warn: &dyn Fn(&str),
) -> Result<Vec<Subject>, LookupError> {
    // A folder is no file of figures, but a figure may have the same name.
    let path = Path::new(text);
    if text == "-" || (path.exists() && !path.is_dir()) {
        return of_file(db, text, format, warn);
    }
    if let Ok(signature) = text.parse::<Signature>() {
        let catalog = catalog_if_any(db, warn);
        let name = text.to_owned();
        let asked = Asked { name, pattern: None };
        return Ok(vec![Subject::new(catalog.as_ref(), asked, signature.figure()?, None)?]);
    }
    let catalog = match Catalog::open_read_only(db) {
        Err(CatalogError::Missing(_)) if path.is_dir() => {
            return Err(OpenError::Directory(text.to_owned()).into());
        }
        Err(CatalogError::Missing(_)) if looks_like_path(text) => {
            return Err(OpenError::Missing(text.to_owned()).into());
        }
        Err(CatalogError::Missing(_)) => {
            let (text, catalog) = (text.to_owned(), db.to_owned());
            return Err(LookupError::Unknown { text, catalog, missing: true, near: Vec::new() });
        }
        other => other?,
    };
    match look_up_in(&catalog, text) {
        Err(LookupError::Unknown { .. }) if path.is_dir() => {
            Err(OpenError::Directory(text.to_owned()).into())
        }
        Err(LookupError::Unknown { .. }) if looks_like_path(text) => {
            Err(OpenError::Missing(text.to_owned()).into())
        }
        found => Ok(vec![found?]),
    }
}

/// Looks up a figure by its name in a catalog: one that has exactly this name, or else one with a name or title that
/// fits it ([`NamePattern::new`]). It lies as the entry of that name has it.
///
/// # Errors
/// If no figure or more than one matches, or if the catalog cannot be read.
pub fn look_up_in(catalog: &Catalog, name: &str) -> Result<Subject, LookupError> {
    let mut patterns = vec![NamePattern::exact(name)];
    // What looks like a missing file is not meant as a part of the names of its figures.
    if !looks_like_path(name) && !name.trim().is_empty() {
        patterns.push(NamePattern::new(name));
    }
    for pattern in patterns {
        let filter = Filter { name: Some(pattern.clone()), ..Filter::default() };
        // A figure has a row for each of its piece sets.
        let mut named: BTreeMap<Signature, String> = BTreeMap::new();
        catalog.select::<CatalogError>(&filter, |row| {
            let signature = row.record.signature;
            let name = row.record.name.unwrap_or_else(|| signature.to_string());
            named.insert(signature, name);
            Ok(())
        })?;
        let number = named.len();
        match named.pop_first() {
            None => {}
            Some((signature, name)) if number == 1 => {
                let asked = Asked { name, pattern: Some(pattern) };
                return Subject::new(Some(catalog), asked, signature.figure()?, None);
            }
            Some(first) => {
                let mut all: Vec<_> = std::iter::once(first).chain(named).collect();
                all.sort_by(|(_, a), (_, b)| a.cmp(b));
                let some = all.iter().take(8);
                let some = some.map(|(signature, name)| format!("{name} ({signature})")).collect();
                return Err(LookupError::Ambiguous { text: name.to_owned(), number, some });
            }
        }
    }
    Err(LookupError::Unknown {
        text: name.to_owned(),
        catalog: catalog.path().to_owned(),
        missing: false,
        near: catalog.suggest(Vocabulary::Names, name)?,
    })
}

/// What a figure is called, and the name or title that it was asked for by.
#[derive(Clone, Debug)]
struct Asked {
    name: String,
    pattern: Option<NamePattern>,
}

fn of_file(
    db: &Path,
    text: &str,
    format: Option<Format>,
    warn: &dyn Fn(&str),
) -> Result<Vec<Subject>, LookupError> {
    let path = Path::new(text);
    let label = source_label(path);
    let failed = |error| LookupError::Read { label: label.clone(), error };
    let reader = Reader::new(open_source(path)?, format, &Options::default()).map_err(failed)?;
    let catalog = catalog_if_any(db, warn);
    let (mut subjects, mut entries) = (Vec::new(), 0);
    for item in reader {
        entries += 1;
        match item.map_err(failed)? {
            Item::Fault(fault) => {
                let name = fault.name.map(|name| format!("{name}: ")).unwrap_or_default();
                warn(&format!("{label}:{}: {name}{}", fault.line, fault.reason));
            }
            Item::Entry(entry) => {
                let (name, figure) = (entry.label(&label, entries), entry.figure.clone());
                let file = Some(FileEntry { entry, label: label.clone(), number: entries });
                let asked = Asked { name, pattern: None };
                subjects.push(Subject::new(catalog.as_ref(), asked, figure, file)?);
            }
        }
    }
    match (subjects.is_empty(), entries) {
        (false, _) => Ok(subjects),
        (true, 1..) => Err(LookupError::NoFigure(label)),
        (true, 0) => Err(OpenError::NoFigure(label).into()),
    }
}

/// The catalog, if there is one.
fn catalog_if_any(db: &Path, warn: &dyn Fn(&str)) -> Option<Catalog> {
    match Catalog::open_read_only(db) {
        Ok(catalog) => Some(catalog),
        Err(CatalogError::Missing(_)) => None,
        Err(error) => {
            warn(&format!("without a catalog: {error}"));
            None
        }
    }
}

impl Subject {
    /// A figure with what a catalog, if there is one, knows of it. One of a file is left as it lies there; any
    /// other is given in canonical form and turned as it is presented.
    ///
    /// # Errors
    /// If the catalog cannot be read.
    fn new(
        catalog: Option<&Catalog>,
        Asked { name, pattern }: Asked,
        figure: Figure,
        file: Option<FileEntry>,
    ) -> Result<Self, LookupError> {
        let (rows, origins, enumerations, sets) = <_>::default();
        let presentation = Presentation::new(&figure, &[], None);
        let mut subject =
            Self { name, figure, presentation, file, rows, origins, enumerations, sets };
        if let Some(catalog) = catalog {
            subject.gather(catalog, pattern.as_ref())?;
        }
        if subject.file.is_some() {
            let canonical = subject.figure.canonical();
            subject.presentation.position = canonical.to_canonical.inverse();
        } else {
            subject.figure = subject.figure.transformed(subject.presentation.position);
        }
        Ok(subject)
    }

    /// What a catalog knows of the figure.
    fn gather(
        &mut self,
        catalog: &Catalog,
        asked: Option<&NamePattern>,
    ) -> Result<(), LookupError> {
        for identity in [Identity::Reflections, Identity::Rotations] {
            let signature = self.figure.canonical_up_to(identity).signature;
            let origins = catalog.origins(&signature)?;
            // Positions lead from the form that the signature spells.
            let canonical = signature.figure()?;
            if self.file.is_some() {
                self.presentation
                    .mirror_images
                    .extend(Presentation::new(&canonical, &origins, None).mirror_images);
            } else if !origins.is_empty() && canonical == self.figure {
                self.presentation = Presentation::new(&canonical, &origins, asked);
                self.name = heading(&origins, asked).unwrap_or_else(|| self.name.clone());
            }
            self.origins.extend(the_first(origins, asked));
            self.enumerations.extend(catalog.enumerations_of(&signature)?);
            let filter = Filter { signature: Some(signature), ..Filter::default() };
            catalog.select::<CatalogError>(&filter, |row| {
                self.rows.push(row);
                Ok(())
            })?;
        }
        let used =
            |set: &PieceSet| self.rows.iter().any(|row| row.set.as_deref() == Some(set.name()));
        self.sets = catalog.piece_sets()?.into_values().filter(used).collect();
        self.sets.sort_by(|a, b| a.name().cmp(b.name()));
        Ok(())
    }

    /// A figure of a catalog from its rows, which all have the same signature; as the entry with the name or title
    /// that was asked for has it, if one was.
    ///
    /// # Errors
    /// If the catalog cannot be read, or the signature spells no figure.
    pub fn of_rows(
        catalog: &Catalog,
        rows: Vec<Row>,
        sets: &HashMap<String, PieceSet>,
        asked: Option<&NamePattern>,
    ) -> Result<Self, LookupError> {
        let signature = rows.first().expect("a figure has a row").record.signature.clone();
        let origins = catalog.origins(&signature)?;
        let name = heading(&origins, asked).unwrap_or_else(|| signature.to_string());
        let of_row = |row: &Row| row.set.as_ref().and_then(|set| sets.get(set)).cloned();
        let canonical = signature.figure()?;
        let presentation = Presentation::new(&canonical, &origins, asked);
        let origins = the_first(origins, asked);
        Ok(Self {
            name,
            figure: canonical.transformed(presentation.position),
            presentation,
            file: None,
            sets: rows.iter().filter_map(of_row).collect(),
            enumerations: catalog.enumerations_of(&signature)?,
            rows,
            origins,
        })
    }

    /// The likely piece set: the first of those in the catalog, or else what the number of cells or the marks of the
    /// figure suggest.
    #[must_use]
    pub fn likely_set(&self) -> Option<PieceSet> {
        let guess = || match &self.file {
            Some(file) => choose_set(&file.entry).ok(),
            None => PieceSet::standard(self.figure.len()),
        };
        self.sets.first().cloned().or_else(guess)
    }
}

/// What a figure with these entries is called: as it was asked for, or else by its first name.
fn heading(origins: &[Origin], asked: Option<&NamePattern>) -> Option<String> {
    let fits = |text: &str| asked.is_some_and(|asked| asked.fits(text));
    let fitting =
        |origin: &&Origin| fits(&origin.label()) || origin.title.as_deref().is_some_and(fits);
    let asked_for = leading(origins, asked).map(|at| &origins[at]).filter(fitting);
    asked_for.or(origins.first()).map(Origin::label)
}

/// The first entries, and the one that leads among them.
fn the_first(mut origins: Vec<Origin>, asked: Option<&NamePattern>) -> Vec<Origin> {
    if let Some(at) = leading(&origins, asked).filter(|&at| at >= MAX_ORIGINS) {
        origins.swap(MAX_ORIGINS - 1, at);
    }
    origins.truncate(MAX_ORIGINS);
    origins
}
