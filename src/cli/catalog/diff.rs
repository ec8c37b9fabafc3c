//! `somacat catalog diff`: compares two catalogs figure by figure.

use crate::cli::failure::{Failure, Result};
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global};
use clap::Args;
use somacat_catalog::{Catalog, Difference, diff_catalogs};
use somacat_formats::count_noun;
use std::path::PathBuf;

/// Compare two catalogs figure by figure and set by set; exit code 5 if they differ
#[derive(Args, Debug)]
#[command(after_help = "\
Each row is one difference: a figure or an outcome that only one catalog has, a column with two
values (results about packings included), different names, different pieces under one set name,
different numbers of an enumeration, or a published count. Runs, times, paths, the cost of a count
(nodes, engine), the order of imports, and what a file says of a figure besides its name (title,
credit, note, position, packing) are not compared. The summary counts outcomes that contradict each
other apart from those where one is only more precise.

Examples:
  somacat catalog diff yesterday.db somacat.db
  somacat catalog diff --csv mine.db yours.db")]
pub(crate) struct DiffArgs {
    /// The old catalog.
    old: PathBuf,
    /// The new catalog.
    new: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn diff(global: &Global, args: &DiffArgs) -> Result<Exit> {
    let (old, new) = (Catalog::open_read_only(&args.old)?, Catalog::open_read_only(&args.new)?);
    let columns = ["difference", "signature", "name", "set", "old", "new"];
    let mut rows = args.output.rows(&columns)?;
    let sum = diff_catalogs::<Failure>(&old, &new, |difference| {
        let Difference { what, signature, name, set, old, new } = difference;
        let fields =
            [what.into(), signature.into(), name.into(), set.into(), old.into(), new.into()];
        Ok(rows.row(&fields)?)
    })?;
    rows.finish()?;
    global.note(&format!(
        "{} in both, {} only in the old, {} only in the new; of those in both, with an outcome \
         in one only: {}, with different outcomes: {}, contradicting: {}, with different names: {}; other \
         differences: {}",
        count_noun(sum.in_both, "figure"),
        sum.only_old,
        sum.only_new,
        sum.one_sided,
        sum.outcomes,
        sum.contradictions,
        sum.names,
        sum.others
    ));
    Ok(if sum.is_same() { Exit::Ok } else { Exit::Mismatch })
}
