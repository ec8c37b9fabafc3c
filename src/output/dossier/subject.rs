//! A requested figure with its data in the catalog, which may also find it by name.

use super::{Presentation, leading_entry};
use somacat_catalog::{Catalog, CatalogError, Filter, NamePattern, Origin, Row, Vocabulary};
use somacat_counting::enumerate::NumberError;
use somacat_formats::{
    Entry, OpenError, ReadError, Refusal, choose_set, looks_like_path, names_its_pieces,
};
use somacat_geometry::figure::{Equivalence, Figure, FigureError, ParseSignatureError, Signature};
use somacat_geometry::pieces::PieceSet;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The largest number of catalog entries kept for one figure.
const MAX_ORIGINS: usize = 50;

/// A requested figure with its data in the catalog.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in the file or catalog, or else the signature.
    pub name: String,
    /// The figure, positioned as in the file, or else as displayed.
    pub figure: Figure,
    /// Title, credit and position.
    pub presentation: Presentation,
    /// Its entry in a file; `None` if not read from one.
    pub file: Option<FileEntry>,
    /// The rows of the catalog, one for each piece set.
    pub rows: Vec<Row>,
    pub origins: Vec<Origin>,
    pub enumerations: Vec<String>,
    /// The sets with which the figure was counted or imported. The set of the requested name comes first, then those
    /// of the rows.
    pub sets: Vec<PieceSet>,
}

#[derive(Clone, Debug)]
pub struct FileEntry {
    pub entry: Entry,
    /// The name of the file, as given.
    pub label: String,
    /// The number of the entry, from 1; faulty entries count too.
    pub number: u64,
    /// The name of the entry. A figure in the text of an argument is named by the text.
    pub name: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    #[error("`{text}` matches no file, signature or name in {catalog}{}", suggestion(.missing, .near))]
    Unknown { text: String, catalog: PathBuf, missing: bool, near: Vec<String> },
    #[error("`{text}` matches {number} figures: {}{}", .some.join(", "), if *.number > .some.len() { ", …" } else { "" })]
    Ambiguous { text: String, number: usize, some: Vec<String> },
    #[error("{0} contains no valid figure")]
    NoFigure(String),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{label}: {error}")]
    Read { label: String, error: ReadError },
    #[error(transparent)]
    Signature(#[from] ParseSignatureError),
    #[error(transparent)]
    Figure(#[from] FigureError),
    #[error(transparent)]
    Number(#[from] NumberError),
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

/// Looks up a figure by name in a catalog: an exact match first, then a matching name or title
/// ([`NamePattern::new`]). Of several figures, `set` selects those with a row for it. The figure has the position of
/// that entry.
pub fn look_up_in(
    catalog: &Catalog,
    name: &str,
    set: Option<&PieceSet>,
) -> Result<Subject, LookupError> {
    let mut patterns = vec![NamePattern::exact(name)];
    // A text that looks like a missing file is not a part of a name.
    if !looks_like_path(name) && !name.trim().is_empty() {
        patterns.push(NamePattern::new(name));
    }
    match find_named(catalog, name, &patterns, set)? {
        Some(subject) => Ok(subject),
        None => Err(LookupError::Unknown {
            text: name.to_owned(),
            catalog: catalog.path().to_owned(),
            missing: false,
            near: catalog.suggest(Vocabulary::Names, name)?,
        }),
    }
}

/// Finds the figure of the first pattern that matches any.
pub(super) fn find_named(
    catalog: &Catalog,
    name: &str,
    patterns: &[NamePattern],
    set: Option<&PieceSet>,
) -> Result<Option<Subject>, LookupError> {
    for pattern in patterns {
        let filter = Filter { name: Some(pattern.clone()), ..Filter::default() };
        // A figure has a row for each of its piece sets.
        let mut named: BTreeMap<Signature, String> = BTreeMap::new();
        let mut of_set = BTreeSet::new();
        catalog.select::<CatalogError>(&filter, |row| {
            let signature = row.figure.signature.clone();
            if set.is_some_and(|set| row.set.as_deref() == Some(set.name())) {
                of_set.insert(signature.clone());
            }
            let name = row.name().map_or_else(|| signature.to_string(), str::to_owned);
            named.insert(signature, name);
            Ok(())
        })?;
        if named.len() > 1 && !of_set.is_empty() {
            named.retain(|signature, _| of_set.contains(signature));
        }
        remove_twins(&mut named)?;
        let number = named.len();
        match named.pop_first() {
            None => {}
            Some((signature, name)) if number == 1 => {
                let figure = signature.figure()?;
                let subject = Subject::new(Some(catalog), name, Some(pattern), figure, None);
                return subject.map(Some);
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
    Ok(None)
}

/// Removes signatures up to reflection of figures with one up to rotation. A figure has both if it was counted both
/// with a set that is closed under reflection and with one that is not.
fn remove_twins(named: &mut BTreeMap<Signature, String>) -> Result<(), ParseSignatureError> {
    let mut twins = Vec::new();
    if named.len() > 1 {
        for signature in named.keys().filter(|signature| signature.as_str().starts_with('r')) {
            twins.push(signature.figure()?.canonical().signature);
        }
    }
    for twin in &twins {
        named.remove(twin);
    }
    Ok(())
}

pub(super) fn catalog_if_any(db: &Path, warn: &dyn Fn(&str)) -> Option<Catalog> {
    match Catalog::open_read_only(db) {
        Ok(catalog) => Some(catalog),
        Err(CatalogError::Missing(_)) => None,
        Err(error) => {
            warn(&format!("continuing without the catalog: {error}"));
            None
        }
    }
}

impl Subject {
    /// Creates a subject with the data of a catalog, if given. A figure of a file keeps its position. Any other
    /// figure is given in canonical form and turned to its displayed position.
    pub(super) fn new(
        catalog: Option<&Catalog>,
        name: String,
        asked: Option<&NamePattern>,
        figure: Figure,
        file: Option<FileEntry>,
    ) -> Result<Self, LookupError> {
        let (rows, origins, enumerations, sets) = <_>::default();
        let presentation = Presentation::new(&figure, &[], None);
        let mut subject =
            Self { name, figure, presentation, file, rows, origins, enumerations, sets };
        if let Some(catalog) = catalog {
            subject.gather(catalog, asked)?;
        }
        if subject.file.is_some() {
            let canonical = subject.figure.canonical();
            subject.presentation.position = canonical.to_canonical.inverse();
        } else {
            subject.figure = subject.figure.transformed(subject.presentation.position);
        }
        Ok(subject)
    }

    /// Reads the catalog's data on the figure.
    fn gather(
        &mut self,
        catalog: &Catalog,
        asked: Option<&NamePattern>,
    ) -> Result<(), LookupError> {
        for equivalence in [Equivalence::Reflections, Equivalence::Rotations] {
            let signature = self.figure.canonical_up_to(equivalence).signature;
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
            self.origins.extend(first_entries(origins, asked));
            self.enumerations.extend(catalog.enumerations_of(&signature)?);
            let signature = Some(signature);
            let filter = Filter { signature, stored_proofs: true, ..Filter::default() };
            catalog.select::<CatalogError>(&filter, |row| {
                self.rows.push(row);
                Ok(())
            })?;
        }
        let mut counted: Vec<&str> = self.rows.iter().filter_map(counted_set).collect();
        counted.sort_unstable();
        self.sets = sets_in_order(&catalog.sets_by_name()?, &counted, &self.origins, asked);
        Ok(())
    }

    /// Creates a subject from the rows of one figure in a catalog. It has the position of the requested name or
    /// title, if given.
    pub fn of_rows(
        catalog: &Catalog,
        rows: Vec<Row>,
        sets: &HashMap<String, PieceSet>,
        asked: Option<&NamePattern>,
    ) -> Result<Self, LookupError> {
        let signature = rows.first().expect("a figure has a row").figure.signature.clone();
        let origins = catalog.origins(&signature)?;
        let name = heading(&origins, asked).unwrap_or_else(|| signature.to_string());
        let counted: Vec<&str> = rows.iter().filter_map(counted_set).collect();
        let used = sets_in_order(sets, &counted, &origins, None);
        let canonical = signature.figure()?;
        let presentation = Presentation::new(&canonical, &origins, asked);
        let origins = first_entries(origins, asked);
        Ok(Self {
            name,
            figure: canonical.transformed(presentation.position),
            presentation,
            file: None,
            sets: used,
            enumerations: catalog.enumerations_of(&signature)?,
            rows,
            origins,
        })
    }

    /// Returns the likely piece set: the pieces that a puzzle lists, else the first in the catalog, or else a guess from
    /// the number of cells or the marks.
    ///
    /// # Errors
    /// If nothing suggests a set, or a puzzle's pieces are not one.
    pub fn suggested_set(&self) -> Result<PieceSet, Refusal> {
        let entry = self.file.as_ref().map(|file| &file.entry);
        match (entry, self.sets.first()) {
            (Some(entry), _) if names_its_pieces(entry) => choose_set(entry),
            (_, Some(set)) => Ok(set.clone()),
            (Some(entry), None) => choose_set(entry),
            (None, None) => {
                let cells = self.figure.len();
                PieceSet::standard(cells).ok_or(Refusal::NoSet { cells })
            }
        }
    }

    /// Returns the [`Self::suggested_set`], if there is one.
    pub fn likely_set(&self) -> Option<PieceSet> {
        self.suggested_set().ok()
    }
}

/// Returns the set of a row, if the figure was counted with it.
fn counted_set(row: &Row) -> Option<&str> {
    row.report.as_ref().and(row.set.as_deref())
}

/// Returns the sets of a figure: that of the requested name, those of its rows, and those of its other entries, which
/// nobody may have counted yet.
fn sets_in_order(
    sets: &HashMap<String, PieceSet>,
    counted: &[&str],
    origins: &[Origin],
    asked: Option<&NamePattern>,
) -> Vec<PieceSet> {
    let of_entry = |origin: &'_ Origin| origin.set.clone();
    let leading = asked.and_then(|asked| leading_entry(origins, Some(asked)));
    let leading = leading.and_then(|at| of_entry(&origins[at]));
    let counted = counted.iter().map(|&name| name.to_owned());
    let mut names: Vec<String> = Vec::new();
    for name in leading.into_iter().chain(counted).chain(origins.iter().filter_map(of_entry)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.iter().filter_map(|name| sets.get(name)).cloned().collect()
}

/// Returns the heading of a figure: the requested name, or else its first name.
fn heading(origins: &[Origin], asked: Option<&NamePattern>) -> Option<String> {
    let fits = |text: &str| asked.is_some_and(|asked| asked.fits(text));
    let fitting =
        |origin: &&Origin| fits(&origin.label()) || origin.title.as_deref().is_some_and(fits);
    let asked_for = leading_entry(origins, asked).map(|at| &origins[at]).filter(fitting);
    asked_for.or(origins.first()).map(Origin::label)
}

/// Returns the first entries, including the leading one.
fn first_entries(mut origins: Vec<Origin>, asked: Option<&NamePattern>) -> Vec<Origin> {
    if let Some(at) = leading_entry(&origins, asked).filter(|&at| at >= MAX_ORIGINS) {
        origins.swap(MAX_ORIGINS - 1, at);
    }
    origins.truncate(MAX_ORIGINS);
    origins
}
