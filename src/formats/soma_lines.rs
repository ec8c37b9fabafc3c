//! Classification of a line of SOMA text: a header, a row, a comment, or prose around the figures.

use super::FaultReason;
use somacat_geometry::excerpt;
use somacat_geometry::pieces::STANDARD_LETTERS;

pub(super) enum LineKind<'a> {
    Blank,
    /// The text after a `;` or `#`, trimmed.
    Comment {
        text: &'a str,
        semicolon: bool,
    },
    Header(Header<'a>),
    Row(MarkRow<'a>),
    /// Marks with blanks between them, and wider gaps between layers.
    Spaced(Vec<String>),
    /// Rows mixed with other text.
    Mixed(FaultReason),
    /// Words.
    Caption,
    /// Neither words nor a row.
    Junk,
}

/// `/SOMA001 rest of line`.
pub(super) struct Header<'a> {
    /// Empty for a bare `/SOMA`.
    pub(super) name: &'a str,
    pub(super) rest: &'a str,
    /// Without a slash a header counts only if rows follow.
    pub(super) slash: bool,
    /// A row on the header's line: `/SOMA001/226/466/333`.
    pub(super) row: Option<MarkRow<'a>>,
}

/// A row of a figure, without the slash in front.
#[derive(Clone, Copy)]
pub(super) struct MarkRow<'a> {
    text: &'a str,
    /// The row begins with a slash or bar.
    pub(super) slash: bool,
    /// All groups are equally wide, or all marks are usual: this is not a path or a fraction.
    pub(super) plausible: bool,
    /// Text follows the row.
    pub(super) remark: bool,
}

impl<'a> MarkRow<'a> {
    /// Returns the groups: layers, from top to bottom.
    pub(super) fn groups(self) -> impl Iterator<Item = &'a str> {
        self.text.split(SEPARATORS)
    }
}

const SEPARATORS: [char; 2] = ['/', '|'];

/// Returns `true` for marks of pieces, empty squares and drawn cells.
fn is_usual_mark(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | '-' | '$' | '*' | '+') || is_piece_letter(c)
}

fn is_piece_letter(c: char) -> bool {
    STANDARD_LETTERS.contains(c.to_ascii_uppercase())
}

/// Returns `true` if the text has a word: three letters in a row that are not all pieces or all equal.
fn has_word(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| {
        let first = word.chars().next();
        word.chars().count() >= 3
            && !word.chars().all(is_piece_letter)
            && word.chars().any(|c| Some(c) != first)
    })
}

/// Returns `true` if a line may be meant as a row. The line is not a row.
pub(super) fn resembles_row(line: &str) -> bool {
    line.contains(SEPARATORS) && line.contains(|c: char| c.is_ascii_digit() || c == '.')
}

pub(super) fn trim(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}' || c == '\u{feff}')
}

pub(super) fn classify(line: &str) -> LineKind<'_> {
    let line = trim(line);
    let Some(first) = line.chars().next() else { return LineKind::Blank };
    if matches!(first, ';' | '#') {
        return LineKind::Comment { text: trim(&line[1..]), semicolon: first == ';' };
    }
    if let Some(header) = header(line) {
        return LineKind::Header(header);
    }
    let (token, rest) = split_token(line);
    let slash = first == '/' || first == '|';
    if slash || token.contains(SEPARATORS) {
        return row_like(token, rest, slash);
    }
    if let Some(groups) = spaced(line) {
        return LineKind::Spaced(groups);
    }
    if let Some(reason) = text_in_front(split_token(line).1) {
        return LineKind::Mixed(reason);
    }
    if has_word(line) { LineKind::Caption } else { LineKind::Junk }
}

fn split_token(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((token, rest)) => (token, trim(rest)),
        None => (text, ""),
    }
}

/// Returns the row of a commented-out figure. Only strictly written rows count, because comments contain drawings.
pub(super) fn commented_row(comment: &str) -> Option<MarkRow<'_>> {
    match classify(comment) {
        LineKind::Row(row) if row.slash && row.plausible && !row.remark => {
            row.text.chars().all(|c| is_usual_mark(c) || SEPARATORS.contains(&c)).then_some(row)
        }
        _ => None,
    }
}

fn header(line: &str) -> Option<Header<'_>> {
    let (slash, text) = match line.strip_prefix(SEPARATORS) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    if !text.get(..4)?.eq_ignore_ascii_case("SOMA") {
        return None;
    }
    let (token, rest) = split_token(text);
    if !slash {
        // Prose begins with `SOMA` too, so require a number directly after it.
        let number = token[4..].strip_prefix('-').unwrap_or(&token[4..]);
        let number = number.trim_start_matches(|c: char| c.is_ascii_uppercase());
        let clean = token.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let numbered = number.starts_with(|c: char| c.is_ascii_digit());
        let named = clean && numbered && token.starts_with("SOMA");
        return named.then_some(Header { name: token, rest, slash, row: None });
    }
    if let Some((name, row)) = token.split_once(SEPARATORS) {
        // Accept `/SOMA001/226/466/333`, but not the path `/SOMA/FIGURES/A001.HTM`.
        let groups: Vec<&str> = row.split(SEPARATORS).collect();
        let usual = groups.iter().all(|group| group.chars().all(is_usual_mark));
        if name.len() == 4 || !usual || !rest.is_empty() {
            return None;
        }
        let row = MarkRow { text: row, slash: true, plausible: true, remark: false };
        return Some(Header { name, rest, slash, row: Some(row) });
    }
    if token.len() == 4 {
        return Some(Header { name: rest, rest: "", slash, row: None });
    }
    Some(Header { name: token.trim_end_matches([':', ',', ';']), rest, slash, row: None })
}

fn row_like<'a>(token: &'a str, rest: &'a str, slash: bool) -> LineKind<'a> {
    let prose = |text: &str| if has_word(text) { LineKind::Caption } else { LineKind::Junk };
    let text = if slash { &token[1..] } else { token };
    let text = text.strip_suffix(SEPARATORS).unwrap_or(text);
    let mut widths = text.split(SEPARATORS).map(|group| group.chars().count());
    let first = widths.next().unwrap_or(0);
    let even = first > 0 && widths.all(|width| width == first);
    let usual = text.chars().all(|c| is_usual_mark(c) || SEPARATORS.contains(&c));
    let plausible = !text.is_empty() && (even || usual || slash && !has_word(text));
    if !slash {
        // Without a slash in front, `and/or`, `TCP/IP` and `2x/3x` are not rows.
        let drawn = text.contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
        if !(even && usual && drawn && text.contains(SEPARATORS)) {
            return text_in_front(rest).map_or_else(|| prose(token), LineKind::Mixed);
        }
    }
    let is_remark = rest.starts_with([';', '#', '(', '<']) || has_word(rest);
    if rest.split_whitespace().any(is_certain_row) {
        let (left, right) = (excerpt(token), excerpt(rest));
        return LineKind::Mixed(FaultReason::SideBySide { left, right });
    }
    if !rest.is_empty() && !is_remark {
        if !plausible {
            return prose(rest);
        }
        return LineKind::Mixed(FaultReason::BlankInRow(excerpt(&format!("{token} {rest}"))));
    }
    if !plausible && !rest.is_empty() {
        return LineKind::Caption;
    }
    LineKind::Row(MarkRow { text, slash, plausible, remark: !rest.is_empty() })
}

/// Returns the fault of a line of text that contains rows.
fn text_in_front(rest: &str) -> Option<FaultReason> {
    let mut rows = rest.split_whitespace().filter(|word| is_certain_row(word));
    rows.next().map(|_| FaultReason::TextInFront { side_by_side: rows.next().is_some() })
}

/// Returns `true` if a word among others is certainly a row.
fn is_certain_row(word: &str) -> bool {
    word.strip_prefix(SEPARATORS).is_some_and(|text| {
        let mut widths = text.split(SEPARATORS).map(str::len);
        let first = widths.next().unwrap_or(0);
        first > 0
            && text.contains(SEPARATORS)
            && widths.all(|width| width == first)
            && text.contains(|c: char| c.is_ascii_digit() || c == '.')
            && text.chars().all(|c| is_usual_mark(c) || SEPARATORS.contains(&c))
    })
}

/// Parses `. 5 .    5 5 .`: single marks, gaps, and wider gaps between layers.
fn spaced(line: &str) -> Option<Vec<String>> {
    let mut marks: Vec<(usize, char)> = Vec::new();
    let mut column = 0;
    let mut words = line.split(char::is_whitespace).peekable();
    while let Some(word) = words.next() {
        let mut chars = word.chars();
        match (chars.next(), chars.next()) {
            (Some(mark), None) if is_usual_mark(mark) => marks.push((column, mark)),
            (None, _) => {}
            // Accept words such as `BACK` and `FRONT` at the end.
            _ if has_word(word) && words.all(|w| w.is_empty() || has_word(w)) => break,
            _ => return None,
        }
        column += word.chars().count() + 1;
        if words.peek().is_none() {
            break;
        }
    }
    let drawn =
        |&(_, mark): &(usize, char)| mark.is_ascii_digit() || matches!(mark, '.' | '-' | '*');
    if marks.len() < 3 || !marks.iter().any(drawn) {
        return None;
    }
    let gap = marks.windows(2).map(|pair| pair[1].0 - pair[0].0).min()?;
    let mut groups = vec![String::new()];
    let mut last = None;
    for (column, mark) in marks {
        if last.is_some_and(|last| column - last > gap) {
            groups.push(String::new());
        }
        groups.last_mut()?.push(mark);
        last = Some(column);
    }
    Some(groups)
}
