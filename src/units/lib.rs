//! Work units: a plan cut into lines of text, each a self-contained piece of work.
//!
//! A unit names shards of a question or entries of a file. Working it leaves a *part*, a file. Merged parts give the
//! catalog that a run of the plan gives.
//!
//! The units of a plan are the same on every machine. So are the bytes of a part, but for its processor time, however often
//! its unit was stopped, killed or worked twice. The parts folder is the only state. docs/cluster.md describes the formats.

mod block;
mod columnar;
mod cut;
mod error;
mod merge;
mod part;
mod progress_file;
mod read_ahead;
mod record;
mod row_check;
pub mod sorter;
mod status;
mod unit;
mod unit_line;
mod work;

pub use columnar::MergedFiles;
pub use cut::{Cut, CutPlan, cut};
pub use error::{PartFault, UnitFault, UnitsError};
pub use merge::{Extent, Merged, Parts, PartsTotals};
pub use record::{Phase, Worker};
pub use status::{JobStatus, UnfinishedUnit, UnitState, UnitSurvey};
pub use unit::{SetText, Unit, UnitFile, UnitList, UnitShards, UnitWork};
pub use work::{WorkEnd, work};
