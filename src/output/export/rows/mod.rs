//! Rows as data: CSV, JSON, tables and Parquet.

pub mod columns;
pub(super) mod delimited;
pub(super) mod field;
pub(super) mod json;
pub(super) mod parquet;
pub(super) mod table;
