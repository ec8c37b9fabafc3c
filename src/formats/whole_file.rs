//! A hint for files whose lines are one figure.

use super::{Format, Item, Reader, open_source, source_label};
use std::path::Path;

/// Returns a hint for a file without a figure of a usable size, if the file as one figure has such a size.
pub fn whole_file_hint(path: &Path, is_usable: impl Fn(usize) -> bool) -> Option<String> {
    [Format::Points, Format::Layers].into_iter().find_map(|format| {
        let mut items = Reader::new(open_source(path).ok()?, Some(format)).ok()?;
        let (Some(Ok(Item::Entry(entry))), None) = (items.next(), items.next()) else { return None };
        let cells = entry.figure.len();
        let file = source_label(path);
        is_usable(cells).then(|| {
            format!(
                "{file}: no figure has a size that the pieces fill, but the file as one figure has: \
                 {cells} cells with --format {format}"
            )
        })
    })
}
