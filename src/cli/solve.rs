//! `somacat solve`: the packings themselves.

use super::input::{Entries, piece_set};
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::catalog::{Catalog, Filter};
use crate::figure::{Figure, Signature, prefilter};
use crate::formats::{Format, Marks, packing_marks, soma_solution};
use crate::lattice::Cell;
use crate::pieces::PieceSet;
use crate::run::placed_pieces;
use crate::solve::{Images, Limits, Placement, Problem, Remainder, Report, Verdict, first, visit};
use anyhow::{Context, anyhow};
use clap::Args;
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Write the packings of a figure
#[derive(Args, Debug)]
#[command(after_help = "\
The figure is a file (or - for standard input), a signature, or a name in the catalog. In SOMA text
a figure may show pieces in place: digits or letters for them, one of * # o x + ? for free cells;
the rest is solved. Equal pieces of a double set are told apart by digits and letters.

Examples:
  echo '333 333 333' | somacat solve --first -
  somacat solve --unique --jsonl s1-2x2x7-yzzzz7
  somacat solve --limit 10 tower")]
pub(crate) struct SolveArgs {
    /// A file, -, a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, or a file of pieces.
    #[arg(long, default_value = "SOMA")]
    set: String,
    /// One packing, as fast as one can be found.
    #[arg(long, conflicts_with_all = ["limit", "unique"])]
    first: bool,
    /// At most so many packings of a figure.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Only one packing of each class under the figure's rotations and reflections.
    #[arg(long)]
    unique: bool,
    /// JSON Lines with the cells of each piece instead of SOMA text.
    #[arg(long)]
    jsonl: bool,
    /// The file's format, soma, cells or heightmap; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

/// A figure to solve.
struct Asked {
    name: String,
    figure: Figure,
    placed: Option<Marks>,
}

pub(super) fn solve(global: &Global, args: &SolveArgs) -> anyhow::Result<Exit> {
    let set = piece_set(&args.set)?;
    let stop = stop_on_signals()?;
    let (asked, faults) = asked(global, args)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for one in &asked {
        let limits = Limits { stop: Some(stop), ..Limits::default() };
        solve_one(one, &set, args, limits, &mut out, global.quiet)
            .with_context(|| one.name.clone())?;
        if limits.stopped() {
            out.flush()?;
            return Ok(Exit::Stopped);
        }
    }
    out.flush()?;
    Ok(if faults > 0 { Exit::Partial } else { Exit::Ok })
}

/// The figures meant by the argument, and the number of faulty entries beside them.
fn asked(global: &Global, args: &SolveArgs) -> anyhow::Result<(Vec<Asked>, u64)> {
    let text = args.figure.as_str();
    if text == "-" || Path::new(text).exists() {
        let mut entries = Entries::open(Path::new(text), args.format)?;
        let list = entries.chunk(usize::MAX)?;
        entries.require_any()?;
        let ask = |e: crate::formats::Entry| Asked {
            name: e.label(),
            figure: e.figure,
            placed: e.placed,
        };
        return Ok((list.into_iter().map(ask).collect(), entries.faults));
    }
    if let Ok(signature) = text.parse::<Signature>() {
        let figure = signature.figure()?;
        return Ok((vec![Asked { name: text.to_owned(), figure, placed: None }], 0));
    }
    let unknown = || {
        anyhow!("`{text}` is no file, no signature (s1-…) and no name in {}", global.db.display())
    };
    let catalog = Catalog::open_read_only(&global.db).map_err(|_| unknown())?;
    let filter = Filter { name: Some(text.to_owned()), ..Filter::default() };
    let mut found = Vec::new();
    catalog.select::<anyhow::Error>(&filter, |called| {
        let signature: Signature = called.record.signature.parse()?;
        let name = called.record.name.unwrap_or_else(|| signature.to_string());
        found.push(Asked { name, figure: signature.figure()?, placed: None });
        Ok(())
    })?;
    if found.is_empty() { Err(unknown()) } else { Ok((found, 0)) }
}

fn solve_one(
    asked: &Asked,
    set: &PieceSet,
    args: &SolveArgs,
    limits: Limits<'_>,
    out: &mut impl Write,
    quiet: bool,
) -> anyhow::Result<()> {
    let fixed = asked.placed.as_ref().map(|marks| placed_pieces(marks, set));
    let fixed = fixed.transpose().map_err(anyhow::Error::msg)?;
    let remainder = match &fixed {
        Some(placed) => Some(Remainder::new(&asked.figure, set, placed)?),
        None => None,
    };
    let problem =
        remainder.as_ref().map_or_else(|| Problem::new(&asked.figure, set), Remainder::problem);
    let named = |packing: &[Placement]| -> Vec<(char, Vec<Cell>)> {
        let by_name = |p: &Placement| (set.pieces()[p.piece].0.name(), p.cells.clone());
        let mut pieces: Vec<(char, Vec<Cell>)> = match &remainder {
            Some(rest) => rest.in_whole(packing),
            None => packing.iter().map(by_name).collect(),
        };
        pieces.extend(fixed.iter().flatten().map(by_name));
        let position = |name: char| set.pieces().iter().position(|(p, _)| p.name() == name);
        pieces.sort_by_key(|(name, cells)| (position(*name), cells.clone()));
        pieces
    };
    let (mut written, mut failed) = (0_u64, None);
    let mut write = |packing: &[Placement]| {
        written += 1;
        let result = write_packing(out, &asked.name, written, &named(packing), args.jsonl);
        failed = result.err();
        let enough = args.limit.is_some_and(|most| written >= most);
        if enough || failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let report = if args.first {
        let (packing, report) = first(&problem, limits)?;
        if let Some(packing) = packing {
            let _ = write(&packing);
        }
        report
    } else {
        let images = args.unique.then(|| Images::of(&problem));
        visit(&problem, limits, &mut |packing| {
            let wanted = images.as_ref().is_none_or(|images| images.is_least(packing));
            if wanted { write(packing) } else { ControlFlow::Continue(()) }
        })?
    };
    if let Some(error) = failed {
        return Err(error);
    }
    if !quiet {
        eprintln(&format!("{}: {}", asked.name, told(&report, written, asked, set)));
    }
    Ok(())
}

/// The result in words.
fn told(report: &Report, written: u64, asked: &Asked, set: &PieceSet) -> String {
    match (report.verdict, report.reason) {
        (Verdict::Counted, _) => {
            let number = |n: Option<u128>| n.map(|n| n.to_string()).unwrap_or_default();
            format!(
                "{written} written; {} packings, {} up to rotation, {} up to rotation and reflection",
                report.raw,
                number(report.rotation),
                number(report.unique)
            )
        }
        (Verdict::Unsolvable, Some(reason)) => match prefilter(&asked.figure, set) {
            Some(blocked) => format!("no packing ({reason}): {blocked}"),
            None => format!("no packing ({reason})"),
        },
        (Verdict::Unknown, _) => "stopped before a packing was found".to_owned(),
        _ => format!("{written} written; there are at least {}", report.raw),
    }
}

fn write_packing(
    out: &mut impl Write,
    name: &str,
    number: u64,
    pieces: &[(char, Vec<Cell>)],
    jsonl: bool,
) -> anyhow::Result<()> {
    if jsonl {
        let piece = |(piece, cells): &(char, Vec<Cell>)| {
            json!({"piece": piece.to_string(),
                   "cells": cells.iter().map(|c| c.to_array()).collect::<Vec<_>>()})
        };
        let pieces: Vec<_> = pieces.iter().map(piece).collect();
        serde_json::to_writer(
            &mut *out,
            &json!({"name": name, "packing": number, "pieces": pieces}),
        )?;
        return Ok(writeln!(out)?);
    }
    let marks = packing_marks(pieces);
    Ok(out.write_all(soma_solution(Some(name), None, &marks)?.as_bytes())?)
}
