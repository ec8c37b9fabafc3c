//! Classification of a line of SOMA text: a header, a row, a comment, or prose around the figures.

use super::text::without_date;
use super::{FREE_MARKS, FaultReason};
use somacat_geometry::excerpt;
use somacat_geometry::pieces::STANDARD_LETTERS;

/// What the lines above allow this line to be.
#[derive(Clone, Copy)]
pub(super) enum Section<'a> {
    /// Between figures, where prose is free.
    Outside,
    /// Below a header with a slash, before any row.
    Header,
    /// Below a row, whose groups have these widths. `spaced` if its cells have blanks between them.
    Rows { widths: &'a [usize], spaced: bool },
}

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
    /// A line that is meant as a row, but cannot be read as one.
    Faulty(FaultReason),
    /// A line of dashes, as below a heading.
    Rule,
    /// Words.
    Caption,
    /// Neither words nor a row. Only outside a figure.
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
    /// Text follows the row.
    pub(super) remark: bool,
}

impl<'a> MarkRow<'a> {
    /// Returns the groups: layers, from top to bottom.
    pub(super) fn groups(self) -> impl Iterator<Item = &'a str> {
        self.text.split(SEPARATORS).map(str::trim)
    }

    fn has_words(self) -> bool {
        has_word(self.text)
    }

    /// Returns `true` if all groups are equally wide.
    fn is_even(self) -> bool {
        let mut widths = self.groups().map(|group| group.chars().count());
        let first = widths.next().unwrap_or(0);
        first > 0 && widths.all(|width| width == first)
    }

    /// Returns `true` if there are only usual marks.
    fn is_usual(self) -> bool {
        self.groups().all(|group| group.chars().all(is_usual_mark))
    }

    /// Returns `true` if there are several layers.
    fn has_layers(self) -> bool {
        self.text.contains(SEPARATORS)
    }

    /// Returns `true` if the row is more than letters, which may be words such as `lab/pad`.
    pub(super) fn is_drawn(self) -> bool {
        self.text.contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
    }

    fn fits(self, widths: &[usize]) -> bool {
        self.groups().map(|group| group.chars().count()).eq(widths.iter().copied())
    }
}

const SEPARATORS: [char; 2] = ['/', '|'];

/// Signs that people write between layers, but that mean something else elsewhere.
const OTHER_SEPARATORS: [char; 8] = ['\\', ':', '／', '∕', '⁄', '＼', '｜', '¦'];

/// Returns `true` for signs between layers, or those that people write in their place.
fn separates_layers(c: char) -> bool {
    SEPARATORS.contains(&c) || OTHER_SEPARATORS.contains(&c)
}

/// Returns `true` for control characters that are no blanks.
fn is_stray(c: char) -> bool {
    c.is_control() && !c.is_whitespace()
}

/// Returns `true` for control characters, and for signs without width such as U+200B, which copied text may contain.
fn is_invisible(c: char) -> bool {
    is_stray(c)
        || matches!(c, '\u{ad}' | '\u{fe00}'..='\u{fe0f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Returns `true` for signs that stand for no cell in a row: an empty square, blanks, and what separates layers and
/// remarks, or may.
pub(super) fn is_no_cell(c: char) -> bool {
    let signs = matches!(c, '.' | '-' | ',' | ';' | '_' | '#');
    separates_layers(c) || signs || c.is_whitespace() || is_invisible(c)
}

/// Returns `true` for marks of pieces, empty squares and free cells.
pub(super) fn is_usual_mark(c: char) -> bool {
    let signs = matches!(c, '.' | '-' | '$');
    signs || c.is_ascii_digit() || FREE_MARKS.contains(c) || is_piece_letter(c)
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

/// Returns `true` for a title: words, or letters such as `B 3` and `长城` that cannot be a row.
fn is_title(line: &str) -> bool {
    let letters = |c: char| c.is_alphabetic() && !is_usual_mark(c);
    has_word(line) || line.contains(letters) && !line.contains(SEPARATORS)
}

/// Returns `true` if a line between figures may be meant as a row. The line is not a row.
pub(super) fn resembles_row(line: &str) -> bool {
    line.contains(SEPARATORS) && line.contains(|c: char| c.is_ascii_digit() || c == '.')
}

/// Returns `true` if a line below a figure is like a row: it has only marks, and separators between, or three digits of
/// pieces, or as many marks as the figure's rows have. The line is not a row. A date is none either.
pub(super) fn is_near_row(line: &str, marks: usize) -> bool {
    let is_separator = |c: char| c.is_whitespace() || separates_layers(c);
    let line = trim(line);
    let found = line.chars().filter(|c| is_usual_mark(*c)).count();
    let drawn = line.contains(|c: char| c.is_ascii_digit() || c == '.');
    let digits = line.chars().all(|c| matches!(c, '0'..='7' | '.') || is_separator(c));
    let numbers = digits && found > 2 && line.contains(|c: char| c.is_ascii_digit());
    let like_row = line.contains(SEPARATORS) || numbers || drawn && found == marks;
    found > 0
        && like_row
        && line.chars().all(|c| is_usual_mark(c) || is_separator(c))
        && !is_date(line)
}

/// Returns `true` for a comment or a title that is a row of these widths but for one slip: a wrong first sign, a letter, a
/// mark too many or too few, or another separator. It is a fault if rows follow, which would be half a figure.
pub(super) fn is_row_with_slip(line: &str, widths: &[usize], is_spaced: bool) -> bool {
    let (line, marks) = (trim(line), widths.iter().sum::<usize>());
    if let Some(text) = line.strip_prefix(';') {
        let row = MarkRow { text, slash: false, remark: false };
        let glued = !text.starts_with(char::is_whitespace) && !is_date(text);
        return widths.len() > 1 && glued && row.is_usual() && row.fits(widths);
    }
    let separates = |c: char| separates_layers(c) || matches!(c, ',' | ';');
    let is_foreign = |c: &char| !is_usual_mark(*c) && !c.is_whitespace() && !separates(*c);
    let found = line.chars().filter(|c| !c.is_whitespace() && !separates(*c)).count();
    let is_like = line.chars().filter(is_foreign).count() < 2 && found.abs_diff(marks) < 2;
    let long = line.split_whitespace().filter(|word| word.chars().nth(1).is_some());
    let long: Vec<usize> = long.map(|word| word.chars().count()).collect();
    if line.starts_with('#') {
        let is_parted = line.contains(separates)
            || is_spaced && long.len() < 2 && line.contains(char::is_whitespace);
        return is_like && is_parted && 2 * line.matches('#').count() >= found;
    }
    if is_spaced {
        return is_like && found > 5 && matches!(long[..], [] | [2]) && !line.contains(SEPARATORS);
    }
    let groups = line.trim_matches(SEPARATORS).split(SEPARATORS).map(trim);
    let (mut number, mut odd) = (0, Vec::new());
    for (group, width) in groups.zip(widths.iter().copied().chain(std::iter::repeat(0))) {
        number += 1;
        let length = group.chars().count();
        if length != width || !group.chars().all(is_usual_mark) {
            odd.push(length.abs_diff(width) < 2 && !group.contains(char::is_whitespace));
        }
    }
    widths.len() > 1 && number == widths.len() && odd == [true]
}

fn is_date(text: &str) -> bool {
    without_date(text).is_empty()
}

/// Returns the row of these widths with which the text of a header ends: `/SOMA1 crystal /111/111`. A line end is missing.
pub(super) fn row_behind(title: &str, widths: &[usize], is_spaced: bool) -> Option<String> {
    if is_spaced {
        let is_mark = |word: &&str| word.chars().all(is_usual_mark) && word.chars().count() == 1;
        let number = title.split_whitespace().rev().take_while(is_mark).count();
        return (number == widths.iter().sum::<usize>()).then(|| excerpt(title));
    }
    if !title.contains(SEPARATORS) {
        return None;
    }
    let mut joined = title.to_owned();
    for sign in SEPARATORS {
        for blanks in [format!(" {sign} "), format!("{sign} ")] {
            joined = joined.replace(&blanks, &sign.to_string());
        }
    }
    let word = joined.split_whitespace().next_back()?;
    let (front, rest) = word.split_once(SEPARATORS).unwrap_or(("", ""));
    let fits = |text: &str| {
        let row = MarkRow { text, slash: false, remark: false };
        row.is_usual() && row.fits(widths) && !is_date(text)
    };
    let glued = front.chars().all(char::is_alphabetic) && !is_date(word) && fits(rest);
    (glued || widths.len() > 1 && fits(word)).then(|| excerpt(word))
}

pub(super) fn trim(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}' || c == '\u{feff}')
}

/// Classifies a line by its text and the lines above it.
pub(super) fn classify<'a>(line: &'a str, section: Section<'_>) -> LineKind<'a> {
    let line = trim(line);
    let Some(first) = line.chars().next() else { return LineKind::Blank };
    if first == ';' || first == '#' && !is_row_of_hashes(line, section) {
        return LineKind::Comment { text: trim(&line[1..]), semicolon: first == ';' };
    }
    if let Some(header) = header(line).or_else(|| header_with_controls(line)) {
        return LineKind::Header(header);
    }
    if line.contains(is_invisible) {
        let plain = line.replace(is_invisible, "");
        if matches!(
            classify(&plain, section),
            LineKind::Row(_) | LineKind::Spaced(_) | LineKind::Faulty(_)
        ) {
            let seen = |c: char| match is_invisible(c) {
                true => c.escape_unicode().to_string(),
                false => c.to_string(),
            };
            let shown = excerpt(&line.chars().map(seen).collect::<String>());
            return LineKind::Faulty(FaultReason::InvisibleMark(shown));
        }
    }
    if let Some(kind) = row(line, section) {
        return kind;
    }
    if let Some(groups) = spaced(line, section) {
        return LineKind::Spaced(groups);
    }
    if let Some(reason) = text_in_front(split_token(line).1) {
        return LineKind::Faulty(reason);
    }
    if let Some(separator) = other_separator(line, section) {
        return LineKind::Faulty(FaultReason::OtherSeparator { row: excerpt(line), separator });
    }
    match section {
        _ if line.chars().all(|c| matches!(c, '-' | '=' | '_' | '|')) => LineKind::Rule,
        Section::Outside if has_word(line) => LineKind::Caption,
        Section::Outside => LineKind::Junk,
        Section::Rows { widths, spaced: true } if is_row_but_for_letters(line, widths) => {
            LineKind::Faulty(FaultReason::NotARow(excerpt(line)))
        }
        _ if is_title(line) => LineKind::Caption,
        _ => LineKind::Faulty(FaultReason::NotARow(excerpt(line))),
    }
}

/// Returns `true` for a row of single marks with blanks between them, of which some are letters of no piece.
fn is_row_but_for_letters(line: &str, widths: &[usize]) -> bool {
    let plain = line.replace(|c: char| c.is_alphanumeric() && !is_usual_mark(c), "1");
    let groups = spaced(&plain, Section::Header).unwrap_or_default();
    groups.iter().map(|group| group.chars().count()).eq(widths.iter().copied())
}

fn split_token(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((token, rest)) => (token, trim(rest)),
        None => (text, ""),
    }
}

/// Returns `true` if `#` is a mark here, and not the begin of a comment: `##./#../...`, `# . #   # # #`.
fn is_row_of_hashes(line: &str, section: Section<'_>) -> bool {
    let (token, _) = split_token(line);
    let (text, rest) = row_with_blanks(line).unwrap_or_else(|| split_token(line));
    let row = MarkRow { text, slash: false, remark: false };
    let is_row = row.has_layers() && row.is_even() && row.is_usual();
    let is_spaced = token == "#" && spaced(line, Section::Header).is_some();
    match section {
        Section::Rows { widths, spaced } => {
            let is_mark = |c: char| is_usual_mark(c) || c == ' ' || SEPARATORS.contains(&c);
            // A row with a fault, such as `###/####/###`, is none of the comments.
            let is_drawn = line.matches('#').nth(1).is_some() && line.chars().all(is_mark);
            spaced && is_spaced || row.has_layers() && is_drawn || is_row && row.fits(widths)
        }
        Section::Header => is_row || is_spaced,
        Section::Outside => {
            line.matches('#').nth(1).is_some() && (is_row && rest.is_empty() || is_spaced)
        }
    }
}

/// Returns the sign between the layers of a line that would be a row with slashes.
fn other_separator(line: &str, section: Section<'_>) -> Option<char> {
    let separator = line.chars().find(|c| OTHER_SEPARATORS.contains(c))?;
    let inside = !matches!(section, Section::Outside);
    // `10:45` is a time.
    if line.contains(char::is_whitespace)
        || separator == ':' && !line.starts_with(':')
        || line.contains(SEPARATORS)
    {
        return None;
    }
    let text = line.strip_prefix(separator).unwrap_or(line);
    let mut groups = text.strip_suffix(separator).unwrap_or(text).split(separator);
    let first = groups.next()?;
    let is_mark = |c: char| is_usual_mark(c) || inside && c.is_alphanumeric();
    let is_group =
        |group: &str| group.chars().count() == first.chars().count() && group.chars().all(is_mark);
    let drawn = line.contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '*'));
    let several = groups.clone().next().is_some();
    let is_row = !first.is_empty() && several && is_group(first) && groups.all(is_group);
    (is_row && (inside || drawn)).then_some(separator)
}

/// Returns the row of a commented-out figure. Only strictly written rows count, because comments contain drawings.
pub(super) fn commented_row(comment: &str) -> Option<MarkRow<'_>> {
    match classify(comment, Section::Outside) {
        LineKind::Row(row) if row.slash && !row.remark && row.is_usual() => Some(row),
        _ => None,
    }
}

fn header(line: &str) -> Option<Header<'_>> {
    let (slash, text) = match line.strip_prefix(separates_layers) {
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
        let row = MarkRow { text: row, slash: true, remark: false };
        return Some(Header { name, rest, slash, row: Some(row) });
    }
    // Its row may also stand behind a blank: `/SOMA001 /226/466/333`.
    let row = rest.strip_prefix(SEPARATORS).filter(|_| is_certain_row(rest));
    if let Some(text) = row.filter(|_| token.len() > 4) {
        let row = MarkRow { text, slash: true, remark: false };
        return Some(Header { name: token, rest: "", slash, row: Some(row) });
    }
    if token.len() == 4 {
        return Some(Header { name: rest, rest: "", slash, row: None });
    }
    Some(Header { name: token.trim_end_matches([':', ',', ';']), rest, slash, row: None })
}

/// Reads a header with control characters, whose name has them, so that its figure is refused.
fn header_with_controls(line: &str) -> Option<Header<'_>> {
    if !line.contains(is_stray) {
        return None;
    }
    // Behind an escape character `[1m` sets a color.
    let plain = line.replace(is_stray, "");
    let at = plain.find(SEPARATORS).filter(|at| !plain[..*at].contains(char::is_whitespace))?;
    header(&plain[at..])?;
    Some(Header { name: line, rest: "", slash: true, row: None })
}

/// Returns the row, or the fault of a line that is meant as one. `None` for any other line.
fn row<'a>(line: &'a str, section: Section<'_>) -> Option<LineKind<'a>> {
    let slash = line.starts_with(SEPARATORS);
    let start = if slash { &line[1..] } else { line };
    let (text, rest) = row_with_blanks(start).unwrap_or_else(|| split_token(start));
    if !slash && !text.contains(SEPARATORS) {
        return None;
    }
    if slash && text.is_empty() {
        return (!matches!(section, Section::Outside)).then(|| blank_in_row(line));
    }
    // In `111/ 111/ 111` the other layers would be taken for a remark.
    let is_open = text.ends_with(SEPARATORS);
    let text = text.strip_suffix(SEPARATORS).unwrap_or(text);
    let row = MarkRow { text, slash, remark: !rest.is_empty() };
    let is_row = match section {
        // Without a slash in front, `and/or`, `TCP/IP` and `2x/3x` are not rows.
        Section::Outside if !slash => row.is_even() && row.is_usual() && row.has_layers(),
        Section::Outside => {
            !text.is_empty() && (row.is_even() || row.is_usual() || !row.has_words())
        }
        Section::Header => slash || row.is_usual() || row.is_even(),
        Section::Rows { widths, .. } => slash || row.fits(widths) || row.is_usual(),
    };
    if rest.split_whitespace().any(is_certain_row) {
        if !slash && !is_row {
            return None;
        }
        let (left, right) = (excerpt(split_token(line).0), excerpt(rest));
        return Some(LineKind::Faulty(FaultReason::SideBySide { left, right }));
    }
    let is_remark = rest.is_empty() || rest.starts_with([';', '#', '(', '<']) || has_word(rest);
    if !is_row {
        return None;
    }
    if let Some(reason) = unclear_sign(line, text) {
        return Some(LineKind::Faulty(reason));
    }
    match section {
        _ if !is_remark && (slash || is_open || row.has_layers()) => Some(blank_in_row(line)),
        // A path or a fraction in a line of words.
        Section::Outside if row.remark && !(row.is_even() || row.is_usual()) => None,
        _ => Some(LineKind::Row(row)),
    }
}

/// Returns why the marks of a row may be something else: a remark without a blank in front, other separators between
/// layers, or `_` for an empty square.
fn unclear_sign(line: &str, text: &str) -> Option<FaultReason> {
    let separator = text.chars().find(|c| *c == ',' || OTHER_SEPARATORS.contains(c));
    let width = text.find(SEPARATORS).unwrap_or(text.len());
    let last = text.rfind(SEPARATORS).map_or(0, |at| at + 1);
    // In a row of equal layers `#` is a mark.
    let hash =
        text[last..].find('#').filter(|&at| at == width && at > 0 && !text[..last].contains('#'));
    if let Some(at) = text.find(';').or(hash.map(|at| last + at)) {
        Some(FaultReason::GluedRemark(excerpt(&text[at..])))
    } else if text.contains('_') {
        Some(FaultReason::Underscore(excerpt(text)))
    } else {
        separator.map(|separator| FaultReason::OtherSeparator { row: excerpt(line), separator })
    }
}

fn blank_in_row(line: &str) -> LineKind<'_> {
    LineKind::Faulty(FaultReason::BlankInRow(excerpt(line)))
}

/// Splits `*** / *** / *** rest` into the row and the rest. There are blanks on both sides of each inner separator.
fn row_with_blanks(text: &str) -> Option<(&str, &str)> {
    let is_separator = |word: &str| word == "/" || word == "|";
    let start = text.trim_start();
    let (mut layers, mut rest) = (0, start);
    let end = loop {
        let (group, after) = split_token(rest);
        if group.is_empty() || group.contains(SEPARATORS) {
            return None;
        }
        layers += 1;
        let end = start.len() - rest.len() + group.len();
        let (separator, next) = split_token(after);
        if !is_separator(separator) || next.is_empty() {
            rest = if is_separator(separator) { next } else { after };
            break end;
        }
        rest = next;
    };
    let is_row =
        layers > 1 && MarkRow { text: &start[..end], slash: false, remark: false }.is_even();
    is_row.then_some((&start[..end], rest))
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

/// Parses `. 5 .    5 5 .`: single marks, gaps, and wider gaps between layers. Next to blanks a tab is a wide gap.
fn spaced(line: &str, section: Section<'_>) -> Option<Vec<String>> {
    let mut marks: Vec<(usize, char)> = Vec::new();
    let mut column = 0;
    let wide_tab = if line.contains(' ') { 8 } else { 1 };
    let mut start = 0;
    let mut words = line.split(char::is_whitespace).peekable();
    while let Some(word) = words.next() {
        start += word.len();
        let gap = line[start..].chars().next();
        start += gap.map_or(0, char::len_utf8);
        let mut chars = word.chars();
        match (chars.next(), chars.next()) {
            (Some(mark), None) if is_usual_mark(mark) => marks.push((column, mark)),
            (None, _) => {}
            // Accept words such as `BACK` and `FRONT` at the end.
            _ if has_word(word) && words.all(|w| w.is_empty() || has_word(w)) => break,
            _ => return None,
        }
        column += word.chars().count() + if gap == Some('\t') { wide_tab } else { 1 };
        if words.peek().is_none() {
            break;
        }
    }
    let drawn =
        |&(_, mark): &(usize, char)| mark.is_ascii_digit() || matches!(mark, '.' | '-' | '*');
    // In a line of prose, letters are words.
    let outside = matches!(section, Section::Outside);
    if marks.len() < 3 || outside && !marks.iter().any(drawn) {
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
