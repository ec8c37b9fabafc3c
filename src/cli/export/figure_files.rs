//! `somacat export soma`, `cells` and `json`: write figures as text, in published or canonical positions.

use super::selection::export_selection;
use crate::cli::failure::{Failure, Result};
use crate::cli::shared::filter::SelectionArgs;
use crate::cli::shared::output::FileArg;
use crate::cli::{Exit, Global, report_refused};
use clap::{Args, ValueEnum};
use somacat_catalog::{Catalog, Filter, NamePattern, Origin, Row, SortKey};
use somacat_formats::{
    Format, PublishedPacking, WriteError, cells_line, count_noun, is_remark, json_line,
    piece_marks, readable, soma_figure, soma_packing,
};
use somacat_geometry::figure::{Figure, Signature};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{PieceSet, STANDARD_LETTERS};
use std::collections::{HashMap, HashSet};
use std::io::Write;

/// The positions of figures.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Positions {
    /// The position in the source of the name: once for each name and published position.
    Published,
    /// The position of the signature: once for each figure.
    Canonical,
}

// The options of figures as text.
#[derive(Args, Debug)]
pub(crate) struct FigureFileArgs {
    #[command(flatten)]
    file: FileArg,
    /// The positions of figures; those without a source are written in the position of their
    /// signature.
    #[arg(long, value_enum, default_value = "published", value_name = "WHICH")]
    positions: Positions,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// A format of figures as text.
pub(crate) struct FigureText {
    /// Returns whether a packing in it tells which pieces these are. `None` if it holds no packings.
    tells_pieces: Option<fn(&PublishedPacking) -> bool>,
    /// Returns those of an entry's texts that it holds.
    texts: fn(&Origin) -> Texts,
    write: fn(&PositionedFigure) -> Result<String>,
}

pub(crate) const SOMA_TEXT: FigureText = FigureText {
    tells_pieces: Some(|packing| with_standard_letters(packing).is_some()),
    texts: |origin| {
        let comment = || origin.note.clone().filter(|note| is_remark(note));
        Texts { title: origin.title.clone().or_else(comment), ..Texts::default() }
    },
    write: soma_text,
};

pub(crate) const CELLS: FigureText = FigureText {
    tells_pieces: None,
    texts: |origin| Texts { title: origin.title.clone(), ..Texts::default() },
    write: cells_text,
};

pub(crate) const JSON: FigureText = FigureText {
    tells_pieces: Some(|_| true),
    texts: |origin| {
        let Origin { title, credit, note, .. } = origin.clone();
        Texts { title, credit, note }
    },
    write: json_text,
};

/// Writes figures as text, with the packings of their sources if the format holds packings.
pub(crate) fn export_figures(
    global: &Global,
    args: &FigureFileArgs,
    format: &FigureText,
) -> Result<Exit> {
    export_selection(global, &args.file, &args.selection, |catalog, filter, out| {
        let sets = match format.tells_pieces {
            Some(_) => catalog.sets_by_name()?,
            None => HashMap::new(),
        };
        let source = Source { catalog, filter, positions: args.positions, sets, format };
        let Written { entries, without_pieces } = figures(&source, out)?;
        if without_pieces > 0 {
            let figures = count_noun(without_pieces, "figure");
            global.note(&format!(
                "for {figures} the file does not say which pieces; they are read back with --set"
            ));
        }
        Ok(entries)
    })
}

#[derive(Default)]
struct Written {
    entries: u64,
    /// Those without a packing that tells the pieces, whose set is not that of all figures of this size.
    without_pieces: u64,
}

/// Where the figures come from, and how they are written.
struct Source<'a> {
    catalog: &'a Catalog,
    filter: &'a Filter,
    positions: Positions,
    /// The sets whose packings are written.
    sets: HashMap<String, PieceSet>,
    format: &'a FigureText,
}

/// Writes the figures that pass the filter as text.
///
/// Published figures are written once for each of their names and positions, and again with other texts or another
/// packing; other figures once. A figure counted with several sets is not repeated, even if it has signatures of both
/// kinds, up to reflection and up to rotation.
fn figures(source: &Source<'_>, out: &mut dyn Write) -> Result<Written> {
    let &Source { catalog, filter, .. } = source;
    let mut known = WrittenEntries::default();
    let mut written = Written::default();
    let mut write = |row: &Row| -> Result<()> {
        let usual = PieceSet::standard(row.figure.cells);
        let is_usual = row.set.is_none()
            || usual.is_some_and(|usual| row.set.as_deref() == Some(usual.name()));
        for entry in PositionedFigure::of_row(source, row, &mut known)? {
            out.write_all((source.format.write)(&entry)?.as_bytes())?;
            written.entries += 1;
            let is_told = source.format.tells_pieces.zip(entry.packing.as_ref());
            let is_told = is_told.is_some_and(|(tells, packing)| tells(packing));
            written.without_pieces += u64::from(!is_usual && !is_told);
        }
        Ok(())
    };
    if filter.top.is_some() {
        let figures = catalog.select_figures(filter)?;
        figures.iter().filter_map(|rows| rows.first()).try_for_each(write)?;
    } else {
        let mut known = HashSet::new();
        // Rows of one figure are adjacent if sorted by signature; in another order they may not be.
        let mut last: Option<Signature> = None;
        let in_order = filter.sort == SortKey::Signature;
        catalog.select::<Failure>(filter, |row| {
            let signature = &row.figure.signature;
            let new = match in_order {
                true => last.as_ref() != Some(signature),
                false => known.insert(signature.clone()),
            };
            if new {
                write(&row)?;
            }
            last = Some(row.figure.signature);
            Ok(())
        })?;
    }
    out.flush()?;
    Ok(written)
}

/// What a source says of an entry besides its name.
#[derive(Default)]
struct Texts {
    title: Option<String>,
    credit: Option<String>,
    note: Option<String>,
}

/// The entries of sources that are written: for each source, and each 64 numbers of entries there, one bit each.
#[derive(Default)]
struct WrittenEntries(HashMap<String, HashMap<u64, u64>>);

impl WrittenEntries {
    /// Returns true if the entry was not written before.
    fn insert(&mut self, source: &str, number: u64) -> bool {
        let numbers = self.0.entry(source.to_owned()).or_default();
        let (bits, bit) = (numbers.entry(number / 64).or_default(), 1 << (number % 64));
        let new = *bits & bit == 0;
        *bits |= bit;
        new
    }
}

struct PositionedFigure {
    /// `None` if its entry has no name.
    name: Option<String>,
    /// The texts of its entry; none if the figure was enumerated.
    texts: Texts,
    signature: Signature,
    figure: Figure,
    /// The packing of its entry, in the figure's position.
    packing: Option<PublishedPacking>,
}

impl PositionedFigure {
    /// Returns an entry for each requested name of a row's figure, and for each of its packings. If none of its names
    /// was requested, each has an entry.
    fn of_row(source: &Source<'_>, row: &Row, written: &mut WrittenEntries) -> Result<Vec<Self>> {
        let &Source { catalog, filter, positions, ref sets, format } = source;
        let signature = row.figure.signature.clone();
        let canonical = signature.figure()?;
        let mut origins = match row.name() {
            Some(_) => catalog.origins(&signature)?,
            None => Vec::new(),
        };
        let source = filter.source.as_deref().map(NamePattern::whole);
        let wanted = |origin: &Origin| {
            let title = origin.title.as_deref().unwrap_or_default();
            let named = |name: &NamePattern| name.fits(&origin.label()) || name.fits(title);
            filter.name.as_ref().is_none_or(named)
                && source.as_ref().is_none_or(|source| source.fits(&origin.source))
        };
        // Without a match (the figure is from a requested enumeration, or has its name from another source), all stay.
        if origins.iter().any(wanted) {
            origins.retain(wanted);
        }
        let of_sources = !origins.is_empty();
        origins.retain(|origin| written.insert(&origin.source, origin.number));
        if of_sources && origins.is_empty() {
            return Ok(Vec::new());
        }
        let positioned = |origin: &Origin| match positions {
            Positions::Published => origin.position(&canonical),
            Positions::Canonical => canonical.clone(),
        };
        let mut entries: Vec<Self> = Vec::new();
        for origin in &origins {
            let (name, figure) = (origin.name.clone(), positioned(origin));
            let packing = packing_of(origin, &canonical, &figure, sets);
            let (signature, texts) = (signature.clone(), (format.texts)(origin));
            let entry = Self { name, texts, signature, figure, packing };
            // Solutions under one header are one figure, and one entry unless they are written.
            match entries.iter_mut().find(|known| known.agrees(&entry)) {
                Some(known) => known.complete(entry),
                None => entries.push(entry),
            }
        }
        if entries.is_empty() {
            let name = row.name().map_or_else(|| signature.to_string(), str::to_owned);
            let (name, texts) = (Some(name), Texts::default());
            entries.push(Self { name, texts, signature, figure: canonical, packing: None });
        } else if positions == Positions::Canonical {
            entries.truncate(1);
        }
        Ok(entries)
    }

    /// Returns whether two entries have one name and position, and nothing that the other has differently.
    fn agrees(&self, other: &Self) -> bool {
        fn agree<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.is_none() || other.is_none() || one == other
        }
        let (ours, theirs) = (&self.texts, &other.texts);
        (&self.name, &self.figure) == (&other.name, &other.figure)
            && agree(&self.packing, &other.packing)
            && agree(&ours.title, &theirs.title)
            && agree(&ours.credit, &theirs.credit)
            && agree(&ours.note, &theirs.note)
    }

    /// Takes over what it lacks from an entry that agrees.
    fn complete(&mut self, other: Self) {
        let (ours, theirs) = (&mut self.texts, other.texts);
        self.packing = self.packing.take().or(other.packing);
        ours.title = ours.title.take().or(theirs.title);
        ours.credit = ours.credit.take().or(theirs.credit);
        ours.note = ours.note.take().or(theirs.note);
    }
}

/// Returns the packing of a source, moved to a figure in its published or its canonical position. `None` if the source
/// has none with pieces of these sets.
fn packing_of(
    origin: &Origin,
    canonical: &Figure,
    figure: &Figure,
    sets: &HashMap<String, PieceSet>,
) -> Option<PublishedPacking> {
    let (letters, set) = (origin.packing.as_deref()?, sets.get(origin.set.as_deref()?)?);
    let published = origin.position(canonical);
    let packing = PublishedPacking::from_letters(&published, letters, set)?;
    if published == *figure {
        return Some(packing);
    }
    let back = origin.transform?.inverse();
    let turned: Vec<Vec<Cell>> = packing
        .pieces
        .iter()
        .map(|(_, cells)| cells.iter().map(|cell| back.apply(*cell)).collect())
        .collect();
    let corner = Cell::min_corner(&turned.concat());
    let moved = |cells: Vec<Cell>| {
        let mut cells: Vec<Cell> = cells.into_iter().map(|cell| cell - corner).collect();
        cells.sort_unstable();
        // A mirror image of the figure has mirror images of the pieces.
        let (piece, _) = set.pieces().iter().find(|(piece, _)| piece.has_shape(&cells))?;
        Some((piece.letter(), cells))
    };
    let pieces = turned.into_iter().map(moved).collect::<Option<_>>()?;
    Some(PublishedPacking { pieces })
}

/// Writes a figure whose name the format cannot hold with its signature, leaves out such a comment, and reports both.
fn written(
    entry: &PositionedFigure,
    format: Format,
    mut comment: Option<&str>,
    write: impl Fn(Option<&str>, Option<&str>) -> std::result::Result<String, WriteError>,
) -> Result<String> {
    let signature = entry.signature.as_str();
    let mut name = entry.name.as_deref();
    loop {
        match readable(format, name, comment, &write) {
            Err(error @ WriteError::Name { .. }) if name != Some(signature) => {
                report_refused(&format!("{error}; the figure is written as {signature}"));
                name = Some(signature);
            }
            Err(error @ WriteError::Comment { .. }) => {
                let label = name.unwrap_or(signature);
                report_refused(&format!("{label}: {error}; it is left out"));
                comment = None;
            }
            text => return Ok(text?),
        }
    }
}

fn cells_text(entry: &PositionedFigure) -> Result<String> {
    let line = |name: Option<&str>, title: Option<&str>| {
        let title = title.map(|title| format!(" # {title}")).unwrap_or_default();
        Ok(cells_line(name, &entry.figure)? + &title + "\n")
    };
    written(entry, Format::Cells, entry.texts.title.as_deref(), line)
}

fn json_text(entry: &PositionedFigure) -> Result<String> {
    let Texts { title, credit, note } = &entry.texts;
    let texts = [title, credit, note].map(|text| text.as_deref());
    let pieces = entry.packing.as_ref().map(|packing| packing.pieces.as_slice());
    Ok(json_line(entry.name.as_deref(), texts, &entry.figure, pieces.unwrap_or_default()) + "\n")
}

fn soma_text(entry: &PositionedFigure) -> Result<String> {
    let comment = entry.texts.title.as_deref();
    // Further pieces have the letters of their set, which readers take with it.
    let packing = entry.packing.as_ref();
    let packing = packing
        .map(|packing| with_standard_letters(packing).unwrap_or_else(|| packing.pieces.clone()));
    // Of very many equal pieces that touch, or pieces with other letters, some have no mark.
    let marks = packing.and_then(|pieces| match piece_marks(&pieces) {
        Ok(marks) => Some(marks),
        Err(error) => {
            let label = entry.name.as_deref().unwrap_or(entry.signature.as_str());
            report_refused(&format!("{label}: {error}; it is written without its packing"));
            None
        }
    });
    written(entry, Format::Soma, comment, |name, comment| match &marks {
        Some(marks) => soma_packing(name, comment, marks),
        None => soma_figure(name, comment, &entry.figure),
    })
}

/// Returns the pieces of a packing with the letters that their shapes have in SOMA text. `None` if one has no letter there.
fn with_standard_letters(packing: &PublishedPacking) -> Option<Vec<(char, Vec<Cell>)>> {
    let standard = |(_, cells): &(char, Vec<Cell>)| {
        let mut pieces = STANDARD_LETTERS.chars().filter_map(PieceSet::standard_piece);
        Some((pieces.find(|piece| piece.has_shape(cells))?.letter(), cells.clone()))
    };
    packing.pieces.iter().map(standard).collect()
}
