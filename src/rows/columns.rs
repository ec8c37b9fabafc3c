//! The columns of a figure's row: name, type, meaning and value, each once for all outputs.
//!
//! CSV, tables, JSON, Parquet, Arrow and the descriptions of a data release read them here. Outputs differ in which
//! columns they have, and in which order: [`COUNT_COLUMNS`], [`CATALOG_COLUMNS`] and [`TYPED_COLUMNS`]. A new column is a
//! line here, in the lists of the outputs that have it (last), and in the view `figures` of the catalog's schema.

use super::field::Field;
use somacat_counting::question::CountedRow;
use somacat_geometry::figure::Columns;
use somacat_geometry::outcome::{Outcome, Report};
use somacat_geometry::spelling::Spelling;

/// A figure with a set and an outcome, as columns read it. Set and outcome are missing for a figure that was never
/// counted.
#[derive(Clone, Copy, Debug)]
pub struct FigureRow<'a> {
    pub name: Option<&'a str>,
    /// All names, if the row is from a catalog.
    pub names: &'a [String],
    pub figure: &'a Columns,
    pub set: Option<&'a str>,
    pub report: Option<&'a Report>,
    pub micros: Option<u64>,
}

impl<'a> FigureRow<'a> {
    fn outcome(&self) -> Option<&'a Outcome> {
        self.report.map(|report| &report.outcome)
    }

    /// Returns the raw, rotation and unique count, as far as they are known.
    fn counts(&self) -> [Option<u128>; 3] {
        let outcome = self.outcome();
        [
            outcome.and_then(Outcome::raw),
            outcome.and_then(Outcome::rotation),
            outcome.and_then(Outcome::unique),
        ]
    }

    /// Returns whether a count does not fit into 64 bits.
    pub fn has_large_counts(&self) -> bool {
        self.counts().into_iter().flatten().any(|count| i64::try_from(count).is_err())
    }

    /// Returns the counts with blanks between, if one of them is large.
    fn large_counts(&self) -> Option<String> {
        let spelled =
            || self.counts().map(|count| count.map_or_else(String::new, |n| n.to_string()));
        self.has_large_counts().then(|| spelled().join(" "))
    }

    /// Returns the box as the signature has it, behind its first separator.
    fn bounds(&self) -> &'a str {
        self.figure.signature.as_str().split(['-', '.']).nth(1).unwrap_or_default()
    }
}

impl<'a> From<&'a CountedRow> for FigureRow<'a> {
    fn from(CountedRow { columns: figure, report, micros }: &'a CountedRow) -> Self {
        let (report, micros) = (Some(report), *micros);
        Self { name: None, names: &[], figure, set: None, report, micros }
    }
}

/// The type of a column's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A text that differs from row to row.
    Text,
    /// A word that many rows share.
    Word,
    /// A number below 2³¹.
    Small,
    /// A number below 2⁶³.
    Whole,
    /// A number of packings, which may be larger. Outputs with 64 bits leave all counts of such a row empty, and
    /// [`LARGE_COUNTS`] has them.
    Count,
}

/// A column of a figure's row.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// True if each figure has a value, counted or not.
    pub always: bool,
    /// What the column means, for readers of data.
    pub meaning: &'static str,
    value: for<'a> fn(&FigureRow<'a>) -> Field<'a>,
}

impl Column {
    /// Returns the value of a row.
    pub fn value<'a>(&self, row: &FigureRow<'a>) -> Field<'a> {
        (self.value)(row)
    }
}

/// Defines each column: constant, name, presence, type, meaning, value.
macro_rules! columns {
    ($($name:ident $text:literal: $presence:ident $kind:ident, $meaning:literal, $value:expr;)+) => {$(
        #[doc = concat!("`", $text, "`: ", $meaning, ".")]
        pub const $name: Column = Column {
            name: $text,
            kind: Kind::$kind,
            always: $presence,
            meaning: $meaning,
            value: $value,
        };
    )+};
}

/// Every figure has a value.
const ALWAYS: bool = true;

/// Only some have.
const OPTIONAL: bool = false;

columns! {
    NAME "name": OPTIONAL Word, "the first name, if there is one", |row| row.name.into();
    NAMES "names": OPTIONAL Text, "all names",
        |row| match row.names {
        [name] => name.as_str().into(),
        names => names.join("; ").into(),
    };
    SIGNATURE "signature": ALWAYS Text, "canonical form under the 48 symmetries of the cube, or the 24 rotations for a set that lacks mirror images",
        |row| row.figure.signature.as_str().into();
    CELLS "cells": ALWAYS Small, "number of cells", |row| row.figure.cells.into();
    BOX "box": ALWAYS Word, "extents of the bounding box, ascending", |row| row.bounds().into();
    CLASS "class": ALWAYS Word, "symmetry class", |row| row.figure.class.name().into();
    ORDER "order": ALWAYS Small, "order of the symmetry group", |row| row.figure.class.order().into();
    PARITY "parity": ALWAYS Small, "|black - white| of the checkered figure",
        |row| row.figure.parity.into();
    PARTS "parts": ALWAYS Small, "separate parts", |row| row.figure.parts.into();
    SET "set": OPTIONAL Word, "the pieces", |row| row.set.into();
    VERDICT "verdict": OPTIONAL Word, "the verdict of counting",
        |row| row.outcome().map(|outcome| outcome.verdict().word()).into();
    REASON "reason": OPTIONAL Word, "why there is no packing; of a failed count the error",
        |row| row.outcome().and_then(explanation).into();
    RAW "raw": OPTIONAL Count, "packings; a lower bound if the verdict is at-least",
        |row| row.outcome().and_then(Outcome::raw).into();
    ROTATION "rotation": OPTIONAL Count, "packings up to the figure's rotations",
        |row| row.outcome().and_then(Outcome::rotation).into();
    UNIQUE "unique": OPTIONAL Count, "packings up to the figure's rotations and reflections",
        |row| row.outcome().and_then(Outcome::unique).into();
    LARGE_COUNTS "large_counts": OPTIONAL Word, "raw, rotation and unique count if one of them is above 2^63 - 1",
        |row| row.large_counts().into();
    NODES "nodes": OPTIONAL Whole, "work of the search that counted",
        |row| row.report.and_then(|report| report.nodes).into();
    MICROS "micros": OPTIONAL Whole, "wall-clock microseconds of the count; differs from run to run",
        |row| row.micros.into();
    ENGINE "engine": OPTIONAL Word, "method that counted",
        |row| row.report.and_then(|report| report.engine).map(Spelling::word).into();
}

/// The columns of `count` and `census`.
pub static COUNT_COLUMNS: [Column; 14] = [
    NAME, CELLS, SIGNATURE, CLASS, ORDER, PARITY, VERDICT, REASON, RAW, ROTATION, UNIQUE, NODES,
    MICROS, ENGINE,
];

/// The columns of an exported catalog, as text and JSON.
pub static CATALOG_COLUMNS: [Column; 16] = [
    NAME, CELLS, SIGNATURE, CLASS, ORDER, PARITY, VERDICT, REASON, RAW, ROTATION, UNIQUE, NODES,
    MICROS, ENGINE, NAMES, SET,
];

/// The columns of typed tables: Parquet and Arrow.
pub static TYPED_COLUMNS: [Column; 15] = [
    NAME,
    SIGNATURE,
    CELLS,
    BOX,
    CLASS,
    ORDER,
    PARITY,
    PARTS,
    SET,
    VERDICT,
    REASON,
    RAW,
    ROTATION,
    UNIQUE,
    LARGE_COUNTS,
];

/// Returns the names of columns.
pub fn column_names(columns: &[Column]) -> Vec<&'static str> {
    columns.iter().map(|column| column.name).collect()
}

/// Returns the values of a row, one for each column.
pub fn column_values<'a>(columns: &[Column], row: impl Into<FigureRow<'a>>) -> Vec<Field<'a>> {
    let row = row.into();
    columns.iter().map(|column| column.value(&row)).collect()
}

/// Returns the column `reason`: the reason for having no packing, or for a failed count.
pub fn explanation(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Unsolvable(reason) => Some(reason.word()),
        Outcome::Failed(error) => Some(error),
        Outcome::Counted(_) | Outcome::AtLeast(_) | Outcome::Unknown => None,
    }
}
