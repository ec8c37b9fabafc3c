//! Blanks in front of rows and between their squares, which may stand for empty squares.

use super::FaultReason;

/// Compares the indentation of a figure's rows.
#[derive(Default)]
pub(super) struct Gaps {
    indent: Option<String>,
}

impl Gaps {
    /// Returns why the blanks of a row may be empty squares: the row is indented unlike the first one, or its squares
    /// have unequal gaps. In a table with other separators a value is missing instead.
    pub(super) fn fault(&mut self, line: &str) -> Option<FaultReason> {
        let row = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        let values = line.trim_matches(['\u{1a}', ' ']);
        if row.contains([',', ';']) {
            let is_empty = |value: &str| value.trim().is_empty();
            return values.split([',', ';']).any(is_empty).then_some(FaultReason::EmptyValue);
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let first = self.indent.get_or_insert_with(|| indent.to_owned());
        let is_square = |c: char| !c.is_whitespace();
        let mut gaps = row.split(is_square).filter(|gap| !gap.is_empty());
        let gap = gaps.next();
        let even = first == indent && gaps.all(|other| Some(other) == gap);
        (!even).then_some(FaultReason::UnequalGaps)
    }
}

/// Returns `true` for `;3;3`, as a spreadsheet writes a row whose first value is missing. It is no comment.
pub(super) fn lacks_first_value(line: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_digit() || matches!(c, ';' | '-');
    line.strip_prefix(';').is_some_and(|rest| rest.contains(';')) && line.chars().all(is_sign)
}
