//! Recognizes figures that are written where a file or a name is expected, such as `67 77`.

use super::{Entry, Format, Reader};
use somacat_geometry::excerpt;

/// Returns the label of a figure that a text is: its name, or the text itself, with its number from the second on.
pub fn text_label(entry: &Entry, text: &str, number: u64) -> String {
    match (&entry.name, number) {
        (Some(_), _) => entry.label("", number),
        (None, 1) => excerpt(text.trim()),
        (None, number) => format!("{} {number}", excerpt(text.trim())),
    }
}

/// Returns `true` if a text is a figure, not the name of one or of a file.
///
/// It may have several lines. One line has several rows or cells, and after any `name:` only digits and marks, which
/// may be letters in rows with slashes: words are names.
///
/// ```
/// use somacat_formats::is_figure_text;
///
/// assert!(is_figure_text("333 333 333", None));
/// assert!(is_figure_text("0,0,0 1,0,0", None));
/// assert!(!is_figure_text("cube", None));
/// ```
pub fn is_figure_text(text: &str, format: Option<Format>) -> bool {
    let text = text.trim();
    let rows = text.rsplit_once(':').map_or(text, |(_, rows)| rows.trim());
    let letters = if rows.contains('/') { "oOxX" } else { "" };
    let is_mark = |c: char| !c.is_alphanumeric() || c.is_ascii_digit() || letters.contains(c);
    let separators = |c: char| c.is_whitespace() || matches!(c, '/' | ',' | ';');
    let is_one_figure = rows.contains(separators)
        && rows.contains(|c: char| c.is_alphanumeric() || matches!(c, '*' | '#' | '+' | '@'))
        && rows.chars().all(is_mark);
    let is_object = text.starts_with(['[', '{']);
    (text.contains('\n') || is_one_figure || is_object)
        && Reader::new(text.as_bytes(), format).is_ok_and(|mut items| items.next().is_some())
}
