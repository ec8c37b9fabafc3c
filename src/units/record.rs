//! Lines of a part.

use super::error::PartFault;
use super::unit::SetText;
use serde::{Deserialize, Serialize};
use somacat_catalog::{PlainNumbers, PlainReport, PlainTotal, plain_class};
use somacat_counting::enumerate::Place;
use somacat_counting::question::{CensusSums, CountedRow, EntryFault, EntryName};
use somacat_geometry::figure::{Columns, Signature};
use somacat_geometry::lattice::Transform;
use somacat_geometry::outcome::Report;

/// The beginning of a part's last line, which is no record.
pub(super) const LAST_LINE: &str = "{\"part\":";

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PartRecord {
    /// A figure that a question keeps.
    Figure(PlainFigure, PlainReport),
    /// A set. The lines after it name it by its number, from 0.
    Set(SetText),
    /// An entry of a source: signature, transform from the canonical form to its position there, set.
    Name(String, u8, usize, EntryName),
    Fault(EntryFault),
    /// The outcome of a source's figure, with the number of its set.
    Count(usize, PlainFigure, PlainReport),
    /// The text of a file of published counts.
    Published(String),
    End(End),
    /// A check, only in progress files: the CRC-32 of the lines since the last CRC, the milliseconds of processor time
    /// that the unit has taken, and who wrote them.
    Crc(u32, u64, Worker),
}

impl PartRecord {
    /// Reads a line. Figures, nearly all lines of a large part, take a shortcut past the general parser.
    pub(super) fn read(line: &str) -> serde_json::Result<Self> {
        figure(line).map_or_else(|| serde_json::from_str(line), Ok)
    }
}

/// A program that works on a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Worker {
    pub host: String,
    /// The job of a queue; empty without one.
    pub job: String,
    pub phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// At work, unless it was killed.
    #[default]
    Working,
    Stopped,
    /// Ended by an error.
    Failed,
}

/// The variables by which queues tell a program its job: Slurm, PBS, LSF, Grid Engine.
const JOB_VARIABLES: [&str; 4] = ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"];

impl Worker {
    /// Describes this program.
    pub(super) fn this() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let array = || {
            let (array, task) = (variable("SLURM_ARRAY_JOB_ID")?, variable("SLURM_ARRAY_TASK_ID")?);
            Some(format!("{array}_{task}"))
        };
        let job = array().or_else(|| JOB_VARIABLES.into_iter().find_map(variable));
        let host = sysinfo::System::host_name().unwrap_or_default();
        Self { host, job: job.unwrap_or_default(), phase: Phase::Working }
    }
}

/// Reads a figure that is written as [`PartRecord`] is serialized. `None` for anything else.
fn figure(line: &str) -> Option<PartRecord> {
    let line = line.strip_prefix("{\"figure\":[[\"")?;
    let end = line.bytes().position(|byte| matches!(byte, b'"' | b'\\'))?;
    let (signature, rest) = line.split_at(end);
    let mut rest = PlainNumbers(rest.as_bytes());
    let size = |number: Option<u64>| usize::try_from(number?).ok();
    rest.text(b"\",")?;
    let (cells, class) = (size(rest.number(b',')?)?, size(rest.number(b',')?)?);
    let parity = u32::try_from(rest.number(b',')??).ok()?;
    let parts = size(rest.number(b']')?)?;
    rest.text(b",")?;
    let report = PlainReport::read(&mut rest)?;
    rest.text(b"]}")?;
    let figure = PlainFigure(signature.to_owned(), cells, class, parity, parts);
    rest.0.trim_ascii().is_empty().then_some(PartRecord::Figure(figure, report))
}

/// A figure: signature, cells, class, parity, parts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct PlainFigure(
    pub(super) String,
    pub(super) usize,
    pub(super) usize,
    pub(super) u32,
    pub(super) usize,
);

pub(super) fn row(figure: PlainFigure, report: PlainReport) -> Result<CountedRow, PartFault> {
    let (columns, report) = (Columns::try_from(figure)?, Report::try_from(report)?);
    Ok(CountedRow { columns, report, micros: None })
}

/// The end of a batch, with totals of all its figures. They include figures that are not kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct End {
    /// The shard where the unit continues.
    pub(super) shard: u64,
    /// The figures of that shard before the position. For an import, the entries of the file.
    pub(super) figures: u64,
    /// Figures by class, verdict and reason.
    pub(super) totals: Vec<PlainTotal>,
    /// The sums at the end of a shard of a census.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) census: Option<CensusSums>,
}

impl End {
    pub(super) const fn place(&self) -> Place {
        Place { shard: self.shard, figures: self.figures }
    }

    /// Returns the shard of the batch's figures.
    pub(super) const fn of_shard(&self) -> u64 {
        if self.figures == 0 { self.shard.saturating_sub(1) } else { self.shard }
    }
}

impl From<&Columns> for PlainFigure {
    fn from(columns: &Columns) -> Self {
        let signature = columns.signature.to_string();
        let (class, parity, parts) = (columns.class.number(), columns.parity, columns.parts);
        Self(signature, columns.cells, class, parity, parts)
    }
}

impl TryFrom<PlainFigure> for Columns {
    type Error = PartFault;

    fn try_from(plain: PlainFigure) -> Result<Self, PartFault> {
        let PlainFigure(signature, cells, class, parity, parts) = plain;
        let signature = Signature::from_trusted(signature);
        let extents = signature.extents()?;
        let (class, to_canonical) = (plain_class(class)?, Transform::IDENTITY);
        Ok(Self { signature, to_canonical, cells, extents, class, parity, parts })
    }
}
