//! Reports and totals as plain numbers, for parts of work units. Codes of verdicts, reasons and engines are those of
//! the catalog.

use super::Breakdown;
use super::codes::{Code, InvalidCode};
use super::outcomes::OutcomeColumns;
use serde::{Deserialize, Serialize};
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

impl Breakdown {
    pub fn plain(&self) -> Vec<PlainTotal> {
        let plain = self.iter().map(|(class, verdict, reason, figures)| {
            PlainTotal(class.number(), verdict.code(), reason.map(Code::code), figures)
        });
        plain.collect()
    }

    pub fn add_plain(&mut self, totals: &[PlainTotal]) -> Result<(), InvalidCode> {
        for &PlainTotal(class, verdict, reason, figures) in totals {
            let reason = reason.map(Reason::decode).transpose()?;
            self.add_many(plain_class(class)?, Verdict::decode(verdict)?, reason, figures);
        }
        Ok(())
    }
}

pub fn plain_class(number: usize) -> Result<Class, InvalidCode> {
    let class = Class::all().nth(number);
    class.ok_or_else(|| InvalidCode(format!("unknown symmetry class {number}")))
}
