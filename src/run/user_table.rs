//! Tables that users wrote, as editors and spreadsheets save them.
//!
//! The separator is a comma, a semicolon or a tab, whichever the header has most of. Capitals in the header do not
//! matter, lines that begin with `#` are comments, and lines with nothing but separators are skipped.

use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};
use serde::de::DeserializeOwned;
use somacat_formats::count_noun;
use std::collections::BTreeMap;

/// Why a user's table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("the file has no rows; its first line names the columns, one of them `{0}`")]
    Empty(String),
    #[error("the first line names no column `{0}`")]
    NoColumn(String),
    #[error("the first line names the column `{column}`, but the columns are {}", .known.join(", "))]
    UnknownColumn { column: String, known: &'static [&'static str] },
    #[error(
        "line {line} has {}, but the first line names {}", count_noun(*fields, "field"), count_noun(*columns, "column")
    )]
    Fields { line: u64, fields: u64, columns: u64 },
    #[error("line {line}: {problem}")]
    Line { line: u64, problem: String },
    #[error(transparent)]
    Csv(csv::Error),
}

impl From<csv::Error> for TableError {
    fn from(error: csv::Error) -> Self {
        match error.kind() {
            &ErrorKind::UnequalLengths {
                pos: Some(ref at),
                expected_len: columns,
                len: fields,
            } => Self::Fields { line: at.line(), fields, columns },
            ErrorKind::Deserialize { pos: Some(at), err } => {
                Self::Line { line: at.line(), problem: err.kind().to_string() }
            }
            _ => Self::Csv(error),
        }
    }
}

/// Reads the rows of a decoded text, each with its line. The table must have the column `required`, and may have no
/// others than those `known`; none are known if all are allowed.
pub fn table_rows<T: DeserializeOwned>(
    text: &str,
    required: &str,
    known: &'static [&'static str],
) -> Result<Vec<(u64, T)>, TableError> {
    let is_content = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let header = text.lines().find(is_content).unwrap_or_default();
    let mut reader = ReaderBuilder::new()
        .delimiter(separator(header))
        .comment(Some(b'#'))
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let names: StringRecord = reader.headers()?.iter().map(str::to_lowercase).collect();
    if !names.iter().any(|name| name == required) {
        return Err(match header {
            "" => TableError::Empty(required.to_owned()),
            _ => TableError::NoColumn(required.to_owned()),
        });
    }
    let is_unknown = |name: &&str| !known.is_empty() && !name.is_empty() && !known.contains(name);
    if let Some(column) = names.iter().find(is_unknown) {
        return Err(TableError::UnknownColumn { column: column.to_owned(), known });
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        if record.iter().any(|field| !field.is_empty()) {
            let line = record.position().map_or(0, csv::Position::line);
            rows.push((line, record.deserialize(Some(&names))?));
        }
    }
    Ok(rows)
}

/// Returns the most frequent separator of a line. A line without any has one field.
fn separator(line: &str) -> u8 {
    let count = |sign: u8| line.bytes().filter(|&byte| byte == sign).count();
    // Of equally frequent ones `max_by_key` returns the last.
    [b'\t', b';', b','].into_iter().max_by_key(|&sign| count(sign)).unwrap_or(b',')
}

/// Returns a figure without the remark that ` #` begins. Names may contain this sign: `is_name` knows those that exist.
pub fn without_remark(figure: &str, is_name: impl Fn(&str) -> bool) -> &str {
    let shorter = || figure.rmatch_indices(" #").map(|(at, _)| figure[..at].trim_end());
    let Some(shortest) = shorter().last().filter(|name| !name.is_empty()) else { return figure };
    std::iter::once(figure).chain(shorter()).find(|name| is_name(name)).unwrap_or(shortest)
}

/// Returns the figures of a list, each with its line: a figure on each line, or a table with a column `figure` or `name`.
///
/// On the lines of a plain list a tab or a semicolon may begin remarks, and `#` or `;` a comment line. Behind a figure
/// ` #` begins a remark, unless `is_name` knows the whole as a name.
pub fn listed_figures(
    text: &str,
    is_name: impl Fn(&str) -> bool,
) -> Result<Vec<(u64, String)>, TableError> {
    let plain =
        |(line, figure): (u64, String)| (line, without_remark(&figure, &is_name).to_owned());
    let unquoted = |field: &str| field.trim().trim_matches('"').trim().to_owned();
    let is_content = |(_, line): &(u64, &str)| !line.is_empty() && !line.starts_with(['#', ';']);
    let mut lines = (1..).zip(text.lines().map(str::trim)).filter(is_content).peekable();
    let header = lines.peek().map(|(_, line)| line.to_lowercase()).unwrap_or_default();
    let names: Vec<String> = header.split(['\t', ';', ',']).map(unquoted).collect();
    let column = ["figure", "name"].into_iter().find(|name| names.iter().any(|own| own == name));
    if let Some(column) = column {
        let rows: Vec<(u64, BTreeMap<String, String>)> = table_rows(text, column, &[])?;
        let figure = |(line, mut row): (u64, BTreeMap<String, String>)| {
            Some((line, row.remove(column).filter(|figure| !figure.is_empty())?))
        };
        return Ok(rows.into_iter().filter_map(figure).map(plain).collect());
    }
    let first = |line: &str| line.split(['\t', ';']).next().map(unquoted).unwrap_or_default();
    Ok(lines
        .map(|(line, text)| plain((line, first(text))))
        .filter(|(_, figure)| !figure.is_empty())
        .collect())
}
