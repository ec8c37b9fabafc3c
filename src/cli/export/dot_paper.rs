//! `somacat export dot-paper`: writes a page to draw figures on.

use crate::cli::Exit;
use crate::cli::failure::Result;
use crate::cli::shared::output::{FileArg, to_file};
use clap::{Args, ValueEnum};
use somacat_output::draw::dot_paper;

// The options of dot paper.
#[derive(Args, Debug)]
pub(crate) struct DotPaperArgs {
    #[command(flatten)]
    file: FileArg,
    /// The size of the page.
    #[arg(long, value_enum, default_value = "a4")]
    paper: Paper,
    /// Distance between dots, the edge of a drawn cell, in millimeters: 2 to 50.
    #[arg(long, value_name = "MM", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=50))]
    edge: u32,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Paper {
    A4,
    Letter,
}

pub(crate) fn export_dot_paper(args: &DotPaperArgs) -> Result<Exit> {
    let size = match args.paper {
        Paper::A4 => [210.0, 297.0],
        Paper::Letter => [215.9, 279.4],
    };
    to_file(&args.file.file, |out| {
        Ok(out.write_all(dot_paper(size, args.edge.into()).as_bytes())?)
    })?;
    Ok(Exit::Ok)
}
