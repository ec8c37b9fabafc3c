//! The formats in which `somacat enumerate` lists figures.

use crate::cli::failure::Result;
use clap::ValueEnum;
use serde_json::json;
use somacat_formats::{cells_line, soma_figure};
use somacat_geometry::figure::Candidate;

/// The format of a list of figures.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum FigureFormat {
    /// One figure per line: `x,y,z x,y,z …`.
    Cells,
    /// SOMA text.
    Soma,
    /// One JSON object per line: cells, signature, class, order.
    Jsonl,
}

/// Formats a figure as a line or a block of lines.
pub(crate) fn written(candidate: &Candidate, format: FigureFormat) -> Result<String> {
    let figure = candidate.figure();
    Ok(match format {
        FigureFormat::Cells => cells_line(None, figure)? + "\n",
        FigureFormat::Soma => soma_figure(Some(candidate.signature().as_str()), None, figure)?,
        FigureFormat::Jsonl => {
            let class = candidate.class();
            let cells: Vec<[i32; 3]> = figure.cells().iter().map(|c| c.to_array()).collect();
            let signature = candidate.signature().to_string();
            let object = json!({"signature": signature, "class": class.name(),
                                "order": class.order(), "cells": cells});
            format!("{object}\n")
        }
    })
}
