//! Whether the texts of a written figure can be read back.

use super::{Format, Item, Reader, WriteError};
use somacat_geometry::excerpt;

/// Writes a figure with its name and a comment, the title or note, and makes sure that a [`Reader`] finds both again.
///
/// A tag in a name may turn the rest of a file into a web page, and a comment may be taken for rows. `write` gets the
/// name and the comment, and may leave out either. Line ends in the comment become blanks.
///
/// ```
/// use somacat_formats::{Format, WriteError, readable, soma_figure};
/// use somacat_geometry::figure::Figure;
///
/// let bar = Figure::of_box([3, 1, 1]).expect("three cells");
/// let write = |comment| readable(Format::Soma, Some("bar"), comment, |n, c| soma_figure(n, c, &bar));
/// assert_eq!(write(Some("a bar")), Ok("/SOMA bar\n;a bar\n/111\n\n".to_owned()));
/// assert!(matches!(write(Some("/SOMA2")), Err(WriteError::Comment { .. })));
/// ```
///
/// # Errors
/// If the name or the comment is not read back, and as for `write`.
pub fn readable(
    format: Format,
    name: Option<&str>,
    comment: Option<&str>,
    write: impl Fn(Option<&str>, Option<&str>) -> Result<String, WriteError>,
) -> Result<String, WriteError> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let comment = comment.map(|text| text.replace(char::is_control, " "));
    let comment = comment.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let format_name = format.name();
    if !is_plain(name, true) && !is_read_back(format, name, None, &write(name, None)?) {
        let name = excerpt(name.unwrap_or_default());
        return Err(WriteError::Name { name, format: format_name });
    }
    let text = write(name, comment)?;
    if !is_plain(comment, false) && !is_read_back(format, name, comment, &text) {
        let comment = excerpt(comment.unwrap_or_default());
        return Err(WriteError::Comment { comment, format: format_name });
    }
    Ok(text)
}

/// Returns `true` if a text has no sign that means something in a format. In comments these are digits, too, which may be
/// a date. Saves reading most figures.
fn is_plain(text: Option<&str>, digits: bool) -> bool {
    let plain = |c: char| match c {
        '0'..='9' => digits,
        _ => c.is_alphabetic() || " -_+.'!?".contains(c),
    };
    text.is_none_or(|text| text.chars().all(plain))
}

fn is_read_back(format: Format, name: Option<&str>, comment: Option<&str>, text: &str) -> bool {
    // A name must not spoil the detection of the format either. Without one, a single cell has several readings.
    let given = name.is_none().then_some(format);
    let Ok(mut reader) = Reader::new(text.as_bytes(), given) else { return false };
    let (Some(Ok(Item::Entry(entry))), None) = (reader.next(), reader.next()) else { return false };
    let texts = [&entry.title, &entry.note].map(Option::as_deref);
    entry.name.as_deref() == name && (comment.is_none() || texts.contains(&comment))
}
