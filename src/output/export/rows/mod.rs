//! Rows as tables for a terminal and as Parquet. CSV and JSON are in crate `rows`.

pub(super) mod parquet;
pub(super) mod table;
