//! Reports and totals as plain numbers, for parts of work units. Codes of verdicts, reasons and engines are those of
//! the catalog.

use super::codes::{Code, InvalidCode};
use super::outcomes::OutcomeColumns;
use serde::{Deserialize, Serialize};
use somacat_counting::question::Breakdown;
use somacat_geometry::outcome::{Engine, Outcome, Reason, Report, Verdict};
use somacat_geometry::symmetry::Class;

/// A report: verdict, reason, error, raw, rotation and unique count, nodes, engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlainReport(
    i64,
    Option<i64>,
    Option<String>,
    Option<u128>,
    Option<u128>,
    Option<u128>,
    Option<u64>,
    Option<i64>,
);

/// The rest of a line of whole numbers and nulls, written without spaces.
#[derive(Clone, Copy, Debug)]
pub struct PlainNumbers<'a>(pub &'a [u8]);

impl PlainNumbers<'_> {
    /// Takes this text. `None` if another follows.
    pub fn text(&mut self, text: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// Takes a number or `null`, and the byte that ends it. `None` if anything else follows, or a number of 20 digits,
    /// which may not fit.
    pub fn number(&mut self, end: u8) -> Option<Option<u64>> {
        let mut value = 0;
        for (at, &byte) in self.0.iter().enumerate() {
            match byte {
                // JSON has no zeros in front.
                b'0'..=b'9' if at < 19 && (at == 0 || value > 0) => {
                    value = 10 * value + u64::from(byte - b'0');
                }
                b'n' if at == 0 => {
                    self.text(b"null")?;
                    return self.text(&[end]).map(|()| None);
                }
                _ if byte == end && at > 0 => {
                    self.0 = &self.0[at + 1..];
                    return Some(Some(value));
                }
                _ => return None,
            }
        }
        None
    }
}

impl PlainReport {
    /// Reads a report as a part writes it, several times as fast as a general parser. `None` for the few with an error
    /// or a count of 20 digits, and for any other spelling.
    pub fn read(line: &mut PlainNumbers<'_>) -> Option<Self> {
        let code = |number: Option<u64>| number.map(i64::try_from).transpose().ok();
        line.text(b"[")?;
        let verdict = code(line.number(b',')?)??;
        let reason = code(line.number(b',')?)?;
        line.text(b"null,")?;
        let mut count = || line.number(b',').map(|number| number.map(u128::from));
        let (raw, rotation, unique) = (count()?, count()?, count()?);
        let nodes = line.number(b',')?;
        let engine = code(line.number(b']')?)?;
        Some(Self(verdict, reason, None, raw, rotation, unique, nodes, engine))
    }
}

/// A total: class, verdict, reason, number of figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlainTotal(usize, i64, Option<i64>, u64);

impl From<&Report> for PlainReport {
    fn from(Report { outcome, nodes, engine }: &Report) -> Self {
        let error = if let Outcome::Failed(error) = outcome { Some(error.clone()) } else { None };
        let (verdict, reason) = (outcome.verdict().code(), outcome.reason().map(Code::code));
        let (raw, rotation, unique) = (outcome.raw(), outcome.rotation(), outcome.unique());
        Self(verdict, reason, error, raw, rotation, unique, *nodes, engine.map(Code::code))
    }
}

impl TryFrom<PlainReport> for Report {
    type Error = InvalidCode;

    fn try_from(plain: PlainReport) -> Result<Self, InvalidCode> {
        let PlainReport(verdict, reason, error, raw, rotation, unique, nodes, engine) = plain;
        let columns = OutcomeColumns { verdict, reason, error, raw, rotation, unique };
        let engine = engine.map(Engine::decode).transpose()?;
        Ok(Self { outcome: columns.outcome()?, nodes, engine })
    }
}

impl PlainTotal {
    pub fn list(totals: &Breakdown) -> Vec<Self> {
        let plain = totals.iter().map(|(class, verdict, reason, figures)| {
            Self(class.number(), verdict.code(), reason.map(Code::code), figures)
        });
        plain.collect()
    }

    /// Adds plain totals to others.
    pub fn add_to(totals: &mut Breakdown, plain: &[Self]) -> Result<(), InvalidCode> {
        for &Self(class, verdict, reason, figures) in plain {
            let reason = reason.map(Reason::decode).transpose()?;
            totals.add_many(plain_class(class)?, Verdict::decode(verdict)?, reason, figures);
        }
        Ok(())
    }
}

pub fn plain_class(number: usize) -> Result<Class, InvalidCode> {
    let class = Class::iter().nth(number);
    class.ok_or_else(|| InvalidCode(format!("unknown symmetry class {number}")))
}
