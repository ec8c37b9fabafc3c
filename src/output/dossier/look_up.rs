//! Figure lookup from user input, the same for every command: a file, a signature, a number, or a name in
//! the catalog.

use super::subject::catalog_if_any;
use super::{FigureArgument, FileEntry, LookupError, Subject};
use somacat_formats::{Colors, Entry, Format, Item, OpenError, Reader};
use somacat_formats::{entry_message, open_source, source_label, text_label};
use somacat_geometry::excerpt;
use somacat_geometry::pieces::PieceSet;
use std::io::BufRead;
use std::path::Path;

/// Looks up figures in files, in the text itself, or by signature, number or name ([`FigureArgument`]). The file `-` is
/// standard input. A name is looked up in the catalog `db` ([`super::look_up_in`]), which the others do not need. `set` decides
/// between figures of one name. `colors` says which figures with colors are taken. Calls `warn` if the catalog cannot be read, for every faulty entry of a file, and for
/// unreadable files among several.
pub fn look_up(
    db: &Path,
    text: &str,
    (format, colors): (Option<Format>, Colors),
    set: Option<&PieceSet>,
    warn: &dyn Fn(&str),
) -> Result<Vec<Subject>, LookupError> {
    let of_file = |path: &Path| {
        let label = source_label(path);
        of_source(db, (label, open_source(path)?), (format, colors), &Entry::label, warn)
    };
    match FigureArgument::of_text(db, text, format, set, warn)? {
        FigureArgument::Subject(subject) => Ok(vec![*subject]),
        FigureArgument::Text(rows) => {
            let source = (excerpt(&rows), rows.as_bytes());
            of_source(db, source, (format, colors), &text_label, warn)
        }
        FigureArgument::File(path) => of_file(&path),
        FigureArgument::Files(paths) => {
            let mut subjects = Vec::new();
            for path in paths {
                match of_file(&path) {
                    Ok(found) => subjects.extend(found),
                    Err(error) => warn(&error.to_string()),
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

/// Reads the figures of a source with a label. `name` gives them labels.
fn of_source(
    db: &Path,
    (label, source): (String, impl BufRead),
    (format, colors): (Option<Format>, Colors),
    name: &dyn Fn(&Entry, &str, u64) -> String,
    warn: &dyn Fn(&str),
) -> Result<Vec<Subject>, LookupError> {
    let failed = |error| LookupError::Read { label: label.clone(), error };
    let reader = Reader::new(source, format).map_err(failed)?.with_colors(colors);
    let catalog = catalog_if_any(db, warn);
    let (mut subjects, mut entries) = (Vec::new(), 0);
    for item in reader {
        entries += 1;
        match item.map_err(failed)? {
            Item::Fault(fault) => {
                warn(&entry_message(&label, fault.line, fault.name.as_deref(), &fault.reason));
            }
            Item::Entry(entry) => {
                let (name, figure) = (name(&entry, &label, entries), entry.figure.clone());
                let file = Some(FileEntry { entry, label: label.clone(), number: entries });
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
