//! Beyond one machine: a plan is cut into *work units*, each a line of text that is complete in itself; working one
//! leaves a *part*, a file; parts are merged into a catalog, which equals that of a run of the plan.
//!
//! A unit names a range of what a run goes through: shards of an enumeration or a census, entries of a file. The units
//! of a plan are the same on every machine, and so are the bytes of a part, however often its unit was stopped, killed
//! or worked twice. The folder of parts is all there is to know about how far the work is: whichever queue hands out
//! the units may forget them. docs/cluster.md has the formats.

mod columnar;
mod cut;
mod error;
mod merge;
mod part;
mod progress_file;
mod read_ahead;
mod record;
mod sorter;
mod unit;
mod work;

pub use columnar::MergedFiles;
pub use cut::{Cut, cut};
pub use error::{PartFault, UnitFault, UnitsError};
pub use merge::{Merged, Parts, PartsTotals};
pub use unit::{SetText, Unit, UnitList, Work};
pub use work::{WorkEnd, work};
