//! `somacat sets`: lists the piece sets that are built in.

use super::figure_view::ColorChoice;
use super::show_set::{heading, pictures};
use crate::cli::Exit;
use crate::cli::failure::Result;
use crate::cli::shared::output::{OutputArgs, colored_stdout};
use clap::Args;
use somacat_geometry::pieces::{FAMOUS_SETS, PieceSet};
use somacat_output::draw::Corner;
use somacat_output::export::SOMA_SOURCE;
use std::io::Write;

#[derive(Args, Debug)]
#[command(after_help = "\
Every name can be given to --set, which also takes several SOMAs (2xSOMA) and letters (V L T2).
`somacat show NAME` draws the pieces of the famous sets, with their boxes and published counts.
Their files are in catalog/pieces/.

Examples:
  somacat sets
  somacat sets --pictures
  somacat sets --json
  somacat show bedlam
  somacat count --set diabolical cube.soma")]
pub(crate) struct SetsArgs {
    /// Draw the pieces of each set.
    #[arg(long, conflicts_with = "OutputArgs")]
    pictures: bool,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn sets(args: &SetsArgs) -> Result<Exit> {
    let soma = [PieceSet::soma(1), PieceSet::soma_plus()].map(|set| (set, SOMA_SOURCE));
    let famous = FAMOUS_SETS.iter().map(|famous| (famous.pieces(), famous.source()));
    if args.pictures {
        let mut out = colored_stdout();
        for (set, source) in soma.into_iter().chain(famous) {
            writeln!(out, "{}\nfrom {source}\n", heading(&set))?;
            for line in pictures(&set, Corner::default(), ColorChoice::Auto)? {
                writeln!(out, "{line}")?;
            }
            writeln!(out)?;
        }
        out.flush()?;
        return Ok(Exit::Ok);
    }
    let mut rows = args.output.rows(&["name", "pieces", "cells", "source"])?;
    for (set, source) in soma.into_iter().chain(famous) {
        let (pieces, cells) = (set.piece_count(), set.total_cells());
        rows.row(&[set.name().into(), pieces.into(), cells.into(), source.into()])?;
    }
    rows.finish()?;
    Ok(Exit::Ok)
}
