//! One row of the public face: a figure, a piece set and what is known about them.

/// The columns of `count`, of exports and of the view `figures`, in this order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The first name the figure was given, or file and line.
    pub name: Option<String>,
    /// The number of cells.
    pub cells: usize,
    /// The canonical form.
    pub signature: String,
    /// The symmetry class by its full name.
    pub class: String,
    /// The number of elements of the symmetry group.
    pub order: usize,
    /// |black − white| of the checkered figure.
    pub parity: u32,
    /// `counted`, `unsolvable`, `solvable`, `unknown`, `failed`; empty if never counted.
    pub verdict: Option<String>,
    /// Why, if unsolvable; the error's text, if failed.
    pub reason: Option<String>,
    /// All packings; with verdict `solvable` at least so many.
    pub raw: Option<u128>,
    /// Packings up to rotation.
    pub rotation: Option<u128>,
    /// Packings up to rotation and reflection.
    pub unique: Option<u128>,
    /// Search nodes.
    pub nodes: Option<u64>,
    /// Wall-clock microseconds of the search; differs from run to run.
    pub micros: Option<u64>,
    /// The method that counted: `search`, `frontier` or `census`; none if nothing had to be searched.
    pub engine: Option<String>,
}

/// A record of the catalog with all names of its figure.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Called {
    /// The columns.
    pub record: Record,
    /// All names, in the order they became known.
    pub names: Vec<String>,
    /// The piece set, if there is an outcome.
    pub set: Option<String>,
}

impl Record {
    /// The position of `micros`, the only column that differs from run to run.
    pub const MICROS: usize = 12;

    /// The column names, as in CSV headers.
    pub const COLUMNS: [&'static str; 14] = [
        "name",
        "cells",
        "signature",
        "class",
        "order",
        "parity",
        "verdict",
        "reason",
        "raw",
        "rotation",
        "unique",
        "nodes",
        "micros",
        "engine",
    ];
}
