//! `somacat export soma`, `cells` and `json`: write figures as text, in published or canonical positions.

use super::selection::export_selection;
use crate::cli::failure::{Failure, Result};
use crate::cli::shared::filter::SelectionArgs;
use crate::cli::shared::output::FileArg;
use crate::cli::{Exit, Global, report_refused};
use clap::{Args, ValueEnum};
use somacat_catalog::{Catalog, Filter, NamePattern, Origin, Row, SortKey};
use somacat_formats::{
    Format, PublishedPacking, WriteError, cells_line, count_noun, json_line, piece_marks, readable,
    soma_figure, soma_packing,
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

/// Writes figures as text, with the packings of their sources if the format holds packings.
pub(crate) fn export_figures(
    global: &Global,
    args: &FigureFileArgs,
    holds_packings: bool,
    text: fn(&PositionedFigure) -> Result<String>,
) -> Result<Exit> {
    export_selection(global, &args.file, &args.selection, |catalog, filter, out| {
        let sets = if holds_packings { catalog.sets_by_name()? } else { HashMap::new() };
        let source = Source { catalog, filter, positions: args.positions, sets };
        let Written { entries, without_pieces } = figures(&source, out, text)?;
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
    /// Those without a packing, whose set is not that of all figures of this size.
    without_pieces: u64,
}

/// Where the figures come from, and how they are written.
struct Source<'a> {
    catalog: &'a Catalog,
    filter: &'a Filter,
    positions: Positions,
    /// The sets whose packings are written.
    sets: HashMap<String, PieceSet>,
}

/// Writes the figures that pass the filter as text.
///
/// Published figures are written once for each of their names and positions, other figures once. A figure counted with
/// several sets is not repeated, even if it has signatures of both kinds, up to reflection and up to rotation.
fn figures(
    source: &Source<'_>,
    out: &mut dyn Write,
    text: fn(&PositionedFigure) -> Result<String>,
) -> Result<Written> {
    let &Source { catalog, filter, .. } = source;
    let mut known = WrittenEntries::default();
    let mut written = Written::default();
    let mut write = |row: &Row| -> Result<()> {
        let usual = PieceSet::standard(row.figure.cells);
        let is_usual = row.set.is_none()
            || usual.is_some_and(|usual| row.set.as_deref() == Some(usual.name()));
        for entry in PositionedFigure::of_row(source, row, &mut known)? {
            out.write_all(text(&entry)?.as_bytes())?;
            written.entries += 1;
            written.without_pieces += u64::from(!is_usual && entry.packing.is_none());
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

pub(crate) struct PositionedFigure {
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
        let &Source { catalog, filter, positions, ref sets } = source;
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
            // Solutions under one header are one figure, and one entry unless they are written.
            let same = |entry: &&mut Self| {
                let differ =
                    packing.is_some() && entry.packing.is_some() && entry.packing != packing;
                (&entry.name, &entry.figure) == (&name, &figure) && !differ
            };
            if let Some(known) = entries.iter_mut().find(same) {
                known.packing = known.packing.take().or(packing);
            } else {
                let Origin { title, credit, note, .. } = origin.clone();
                let texts = Texts { title, credit, note };
                entries.push(Self { name, texts, signature: signature.clone(), figure, packing });
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

pub(crate) fn cells_text(entry: &PositionedFigure) -> Result<String> {
    let line = |name: Option<&str>, title: Option<&str>| {
        let title = title.map(|title| format!(" # {title}")).unwrap_or_default();
        Ok(cells_line(name, &entry.figure)? + &title + "\n")
    };
    written(entry, Format::Cells, entry.texts.title.as_deref(), line)
}

pub(crate) fn json_text(entry: &PositionedFigure) -> Result<String> {
    let Texts { title, credit, note } = &entry.texts;
    let texts = [title, credit, note].map(|text| text.as_deref());
    let pieces = entry.packing.as_ref().map(|packing| packing.pieces.as_slice());
    Ok(json_line(entry.name.as_deref(), texts, &entry.figure, pieces.unwrap_or_default()) + "\n")
}

pub(crate) fn soma_text(entry: &PositionedFigure) -> Result<String> {
    let comment = entry.texts.title.as_deref().or(entry.texts.note.as_deref());
    let packing = entry.packing.as_ref().and_then(with_standard_letters);
    // Of very many equal pieces that touch, some have no mark left. Their figure is written without the packing.
    let marks = packing.and_then(|pieces| piece_marks(&pieces).ok());
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
