//! The lines of a part.

use super::error::PartFault;
use super::unit::SetText;
use crate::catalog::{FaultRow, NameRow, PlainReport, PlainTotal, plain_class};
use crate::enumerate::Place;
use crate::figure::{Columns, Signature};
use serde::{Deserialize, Serialize};

/// A line of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Record {
    /// A figure that is kept of an enumeration or a census.
    Figure(PlainFigure, PlainReport),
    /// A set that the lines after it refer to by its number, from 0.
    Set(SetText),
    /// An entry of a source: signature, transform from the canonical form to the figure as it lies there, set.
    Name(String, u8, usize, NameRow),
    /// A faulty entry of a source.
    Fault(FaultRow),
    /// What a figure of a source came to, with the number of its set.
    Count(usize, PlainFigure, PlainReport),
    /// The text of a file of published counts.
    Published(String),
    /// The end of a stretch.
    End(End),
    /// The CRC-32 of the lines since the last; in progress files only.
    Crc(u32),
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

/// The end of a stretch: what its figures came to, kept or not.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct End {
    /// The shard where the unit goes on.
    pub(super) shard: u64,
    /// The figures of that shard before that place; of an import, the entries of the file.
    pub(super) figures: u64,
    /// Figures by class, verdict and reason.
    pub(super) totals: Vec<PlainTotal>,
    /// Of a census: the packings of its shards as they were counted, the same as a sum over figures, and the subsets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) census: Option<[u128; 3]>,
}

impl End {
    pub(super) const fn place(&self) -> Place {
        Place { shard: self.shard, figures: self.figures }
    }

    /// The shard that the figures of the stretch belong to.
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
        Ok(Self::of_canonical(signature, cells, extents, plain_class(class)?, parity, parts))
    }
}
