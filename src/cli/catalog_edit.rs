//! `somacat catalog rename` and `somacat catalog remove`: edit names, figures and sources.

use super::failure::Result;
use super::{Exit, Global, eprintln};
use crate::catalog::{Catalog, EditError, Removal, RunEnd, Session};
use crate::formats::count_noun;
use clap::Args;

/// Rename a figure or a source
#[derive(Args, Debug)]
#[command(
    allow_missing_positional = true,
    after_help = "\
FIGURE is a name or a signature. Importing the source again restores the source's own names.

Examples:
  somacat catalog rename SOMA010 'The gallows'
  somacat catalog rename --source figures.txt 'Newsletter 12'"
)]
pub(crate) struct RenameArgs {
    /// The figure to rename.
    #[arg(value_name = "FIGURE", required_unless_present = "source", conflicts_with = "source")]
    figure: Option<String>,
    /// The new name.
    #[arg(value_name = "NEW")]
    new: String,
    /// The source to rename.
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
}

/// Remove figures, or a source with the figures that only it has
#[derive(Args, Debug)]
#[command(after_help = "\
Removing a figure also removes its names and counts. Removing a source also removes its names and
the figures that no other source or enumeration has. A figure of an enumeration is never removed,
because the enumeration would be incomplete. To make a copy first, use somacat catalog publish.

Examples:
  somacat catalog remove tower
  somacat catalog remove --source figures.txt")]
pub(crate) struct RemoveArgs {
    /// Names or signatures of figures.
    #[arg(value_name = "FIGURE", required_unless_present = "source")]
    figures: Vec<String>,
    /// A source to remove.
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
}

pub(super) fn rename(global: &Global, args: &RenameArgs) -> Result<Exit> {
    let RenameArgs { figure, new, source } = args;
    if let Some(source) = source {
        return edit(global, &format!("rename --source {source} {new}"), |session| {
            session.rename_source(source, new)?;
            Ok(format!("the source {source} is now {new}"))
        });
    }
    let old = figure.as_deref().unwrap_or_default();
    edit(global, &format!("rename {old} {new}"), |session| {
        let entries = session.rename_figure(old, new)?;
        Ok(format!("{old} is now {new}, in {}", count_noun(entries, "entry")))
    })
}

pub(super) fn remove(global: &Global, args: &RemoveArgs) -> Result<Exit> {
    for figure in &args.figures {
        edit(global, &format!("remove {figure}"), |session| {
            Ok(removal_message(figure, session.remove_figure(figure)?))
        })?;
    }
    if let Some(source) = &args.source {
        edit(global, &format!("remove --source {source}"), |session| {
            Ok(removal_message(source, session.remove_source(source)?))
        })?;
    }
    Ok(Exit::Ok)
}

/// Returns the message for a removal.
fn removal_message(name: &str, removal: Removal) -> String {
    let Removal { entries, figures, .. } = removal;
    let (entries, figures) = (count_noun(entries, "entry"), count_noun(figures, "figure"));
    format!("{name} is removed: {entries}, {figures}")
}

/// Applies an edit, records it in the catalog as a run, and reports it.
fn edit(
    global: &Global,
    command: &str,
    change: impl FnOnce(&mut Session) -> std::result::Result<String, EditError>,
) -> Result<Exit> {
    // Fails if the catalog does not exist; `Session::begin` would create it.
    drop(Catalog::open_read_only(&global.db)?);
    let mut session = Session::begin(&global.db, &format!("catalog {command}"))?;
    match change(&mut session) {
        Ok(text) => {
            session.end(RunEnd::Finished)?;
            if !global.quiet {
                eprintln(&text);
            }
            Ok(Exit::Ok)
        }
        Err(error) => {
            session.end(RunEnd::Failed(&error.to_string()))?;
            Err(error.into())
        }
    }
}
