//! What is wrong with the marks of a file's figure, in the words of `import`.

use crate::cli::eprintln;
use somacat_formats::{Assessment, assess, entry_message};
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::FileEntry;
use std::fmt::Display;

/// Reports what is wrong with the marks of a figure that the set may fill. The error is the message if it cannot.
pub(crate) fn report_mistakes(file: &FileEntry, set: &PieceSet) -> Result<(), String> {
    let FileEntry { entry, label, .. } = file;
    let message =
        |line: usize, what: &dyn Display| entry_message(label, line, entry.name.as_deref(), what);
    match assess(entry, set) {
        Assessment::Refused(refusal) => Err(message(entry.line, &refusal)),
        Assessment::Sound { warnings, .. } => {
            warnings.iter().for_each(|warning| eprintln(&message(warning.line(), warning)));
            Ok(())
        }
    }
}
