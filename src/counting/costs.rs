//! The seconds that the steps of long work take on one core of an ordinary machine.
//!
//! Estimates multiply them by numbers of steps, which are the same on every machine; so are the units that a plan is cut
//! into. Only their ratios matter for equal units.
//!
//! `cargo bench -p benches --bench costs` measures them: it compares estimated and measured seconds of work of each kind.

/// To begin the count of a figure.
pub const SEARCH: f64 = 4e-6;

/// A node of a count.
pub const NODE: f64 = 5e-8;

/// To read and recognize an entry of a file.
pub const ENTRY: f64 = 2.1e-5;

/// To write a figure's row to a catalog. One thread writes all rows.
pub const CATALOG_ROW: f64 = 1.5e-5;

/// A node of the search that lists figures.
pub const LISTING_NODE: f64 = 1.5e-7;

/// To list a figure and rule it out at first look.
pub const LISTED_FIGURE: f64 = 1e-6;

/// To write a listed figure's row to a part.
pub const LISTED_ROW: f64 = 1e-5;

/// A figure of a census, with its row in a part.
pub const CENSUS_FIGURE: f64 = 4.8e-6;

/// A subset of a census whose figures are kept.
pub const CENSUS_SUBSET: f64 = 3e-7;

/// To begin a shard of a census whose figures are kept.
pub const CENSUS_SHARD: f64 = 1e-3;

/// A figure of a census that only counts, in a small box, whose shards share their partial packings.
pub const SMALL_BOX_FIGURE: f64 = 2.5e-9;

/// To begin a shard of such a census.
pub const SMALL_BOX_SHARD: f64 = 3e-4;

/// A subset of a census that only counts, in a larger box.
pub const LARGE_BOX_SUBSET: f64 = 6e-10;

/// A packing of such a census.
pub const LARGE_BOX_PACKING: f64 = 1.2e-8;

/// To list the last pieces' placements in a larger box.
pub const LARGE_BOX_LISTING: f64 = 0.4;

/// A step of a search for buildable figures with one or two pieces left. The rest of the search takes little.
pub const BUILDABLE_STEP: f64 = 1.55e-7;

/// To list the placements of a cell for that search.
pub const BUILDABLE_PLACEMENT: f64 = 5.6e-7;

/// To find the shard that owns a buildable figure. Every shard that reaches the figure takes this time.
pub const BUILDABLE_OWNER: f64 = 3.8e-5;

/// To count a buildable figure.
pub const BUILDABLE_FIGURE: f64 = 1.8e-5;
