//! Figure lookup from user input, the same for every command: a file, a signature, a number, or a name in
//! the catalog.

use super::subject::catalog_if_any;
use super::{FigureArgument, FileEntry, LookupError, Subject};
use somacat_formats::{Colors, Format, Item, OpenError, Reader};
use somacat_formats::{entry_message, open_source, source_label, text_label};
use somacat_geometry::excerpt;
use somacat_geometry::pieces::PieceSet;
use std::io::BufRead;
use std::path::Path;

/// What [`look_up`] calls with its messages.
#[derive(Clone, Copy)]
pub struct LookupReports<'a> {
    /// Called if the catalog cannot be read.
    pub note: &'a dyn Fn(&str),
    /// Called for every faulty entry of a file, and for each unreadable file among several.
    pub refusal: &'a dyn Fn(&str),
}

/// Looks up figures in files, in the text itself, or by signature, number or name ([`FigureArgument`]). The file `-` is
/// standard input. A name is looked up in the catalog `db` ([`super::look_up_in`]), which the others do not need. `set` decides
/// between figures of one name. `colors` says which figures with colors are taken.
pub fn look_up(
    db: &Path,
    text: &str,
    (format, colors): (Option<Format>, Colors),
    set: Option<&PieceSet>,
    reports: LookupReports<'_>,
) -> Result<Vec<Subject>, LookupError> {
    let of_file = |path: &Path| {
        let label = source_label(path);
        of_source(db, (label, open_source(path)?), (format, colors), false, reports)
    };
    match FigureArgument::of_text(db, text, format, set, reports.note)? {
        FigureArgument::Subject(subject) => Ok(vec![*subject]),
        FigureArgument::Text(rows) => {
            let source = (excerpt(&rows), rows.as_bytes());
            of_source(db, source, (format, colors), true, reports)
        }
        FigureArgument::File(path) => of_file(&path),
        FigureArgument::Files(paths) => {
            let mut subjects = Vec::new();
            for path in paths {
                match of_file(&path) {
                    Ok(found) => subjects.extend(found),
                    Err(error) => (reports.refusal)(&error.to_string()),
                }
            }
            if subjects.is_empty() {
                Err(LookupError::NoFigure(text.to_owned()))
            } else {
                Ok(subjects)
            }
        }
    }
}

/// Reads the figures of a source with a label: a file, or the text of an argument, whose figures it names.
fn of_source(
    db: &Path,
    (label, source): (String, impl BufRead),
    (format, colors): (Option<Format>, Colors),
    is_text: bool,
    reports: LookupReports<'_>,
) -> Result<Vec<Subject>, LookupError> {
    let failed = |error| LookupError::Read { label: label.clone(), error };
    let reader = Reader::new(source, format).map_err(failed)?.with_colors(colors);
    let catalog = catalog_if_any(db, reports.note);
    let (mut subjects, mut entries) = (Vec::new(), 0);
    for item in reader {
        entries += 1;
        match item.map_err(failed)? {
            Item::Fault(fault) => {
                let name = fault.name.as_deref();
                (reports.refusal)(&entry_message(&label, fault.line, name, &fault.reason));
            }
            Item::Entry(entry) => {
                let figure = entry.figure.clone();
                let name = match is_text {
                    true => text_label(&entry, &label, entries),
                    false => entry.label(&label, entries),
                };
                let own = (is_text || entry.name.is_some()).then(|| name.clone());
                let file =
                    Some(FileEntry { entry, label: label.clone(), number: entries, name: own });
                subjects.push(Subject::new(catalog.as_ref(), name, None, figure, file)?);
            }
        }
    }
    match (subjects.is_empty(), entries) {
        (false, _) => Ok(subjects),
        (true, 1..) => Err(LookupError::NoFigure(label)),
        (true, 0) => Err(OpenError::NoFigure(label).into()),
    }
}
