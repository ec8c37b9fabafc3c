//! Writes packings to standard output: as SOMA text, objects or rows.

use crate::cli::failure::Result;
use crate::cli::report_refused;
use crate::cli::shared::output::{OutputArgs, Stdout, Style, stdout};
use serde_json::json;
use somacat_formats::{Format, WriteError, piece_marks, readable, soma_packing};
use somacat_geometry::lattice::Cell;
use somacat_geometry::somap::SomapCode;
use somacat_output::export::{RowSink, on_one_line};
pub(crate) use somacat_rows::NamedPieces;
use std::io::{self, Write};

/// A writer of packings in the requested format.
pub(crate) enum PackingSink {
    /// With the last name that cannot be read back.
    Soma(Stdout, Option<String>),
    /// An object for each packing. If the second value is given, the objects are inside an array.
    Objects(Stdout, Option<ArrayState>),
    /// A row for each piece.
    Rows(Box<dyn RowSink>),
}

/// The state of a JSON array that is being written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArrayState {
    Empty,
    Begun,
}

const COLUMNS: [&str; 4] = ["name", "packing", "piece", "cells"];

impl PackingSink {
    pub(crate) fn new(output: OutputArgs) -> Result<Self> {
        Ok(match output.style() {
            None => Self::Soma(stdout(), None),
            Some(Style::Jsonl) => Self::Objects(stdout(), None),
            Some(Style::Json) => Self::Objects(stdout(), Some(ArrayState::Empty)),
            Some(_) => Self::Rows(output.rows(&COLUMNS)?),
        })
    }

    /// Writes packing `number` of the figure `name`, with any SOMAP code.
    pub(crate) fn packing(&mut self, name: &str, number: u64, pieces: &NamedPieces) -> Result<()> {
        let code = || SomapCode::of(pieces);
        match self {
            Self::Soma(out, refused) => {
                // A name in SOMA text must not act on a terminal.
                let name = on_one_line(name);
                let code = code().map(|code| format!("SOMAP {code}"));
                let marks = piece_marks(pieces)?;
                let write =
                    |name: Option<&str>, code: Option<&str>| soma_packing(name, code, &marks);
                let text = match readable(Format::Soma, Some(&name), code.as_deref(), write) {
                    Err(error @ WriteError::Name { .. }) => {
                        if refused.as_deref() != Some(&name) {
                            report_refused(&format!(
                                "{error}; its packings are written without it"
                            ));
                            *refused = Some(name);
                        }
                        write(None, code.as_deref())?
                    }
                    text => text?,
                };
                out.write_all(text.as_bytes())?;
            }
            Self::Objects(out, array) => {
                match array {
                    None => {}
                    Some(ArrayState::Empty) => out.write_all(b"[\n")?,
                    Some(ArrayState::Begun) => out.write_all(b",\n")?,
                }
                let piece = |(piece, cells): &(char, Vec<Cell>)| json!({"piece": piece.to_string(), "cells": triples(cells)});
                let pieces: Vec<_> = pieces.iter().map(piece).collect();
                let mut object = json!({"name": name, "packing": number, "pieces": pieces});
                if let Some(code) = code() {
                    object["somap"] = code.to_string().into();
                }
                serde_json::to_writer(&mut *out, &object)?;
                match array {
                    None => writeln!(out)?,
                    Some(array) => *array = ArrayState::Begun,
                }
            }
            Self::Rows(rows) => {
                for (piece, cells) in pieces {
                    let cells: Vec<String> = cells
                        .iter()
                        .map(|c| c.to_array().map(|v| v.to_string()).join(","))
                        .collect();
                    let (piece, cells) = (piece.to_string(), cells.join(" "));
                    rows.row(&[name.into(), number.into(), piece.into(), cells.into()])?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Soma(out, _) | Self::Objects(out, None) => out.flush(),
            Self::Objects(out, Some(array)) => {
                out.write_all(if *array == ArrayState::Begun { b"\n]\n" } else { b"[]\n" })?;
                out.flush()
            }
            Self::Rows(rows) => rows.finish(),
        }
    }
}

pub(crate) fn triples(cells: &[Cell]) -> Vec<[i32; 3]> {
    cells.iter().map(|cell| cell.to_array()).collect()
}
