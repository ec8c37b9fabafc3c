//! `somacat catalog rename` and `somacat catalog remove`: edit names, figures and sources.

use super::failure::{Failure, Result};
use super::{Exit, Global};
use crate::VERSION;
use crate::catalog::{
    Catalog, CatalogError, EditError, EditedFigure, NameEdit, Removal, RunEnd, Session,
};
use crate::formats::{count_noun, decode_text};
use crate::run::table_rows;
use clap::Args;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Rename a figure or source, or set a title and a credit
#[derive(Args, Debug)]
#[command(after_help = "\
FIGURE is a name or a signature. Importing the source again restores the source's own names, titles
and credits.

A list is a table with the column `figure` and one or more of `name`, `title` and `credit`, with
commas, semicolons or tabs between. Empty fields keep their values, and # begins a comment line. If
a figure of the list is not found, nothing is changed.

Examples:
  somacat catalog rename SOMA010 'The gallows'
  somacat catalog rename SOMA010 --title 'A gallows for two' --credit 'Emily'
  somacat catalog rename --list titles.csv
  somacat catalog rename --source figures.txt 'Newsletter 12'")]
pub(crate) struct RenameArgs {
    /// The figure and its new name; with --source only the new name.
    #[arg(value_names = ["FIGURE", "NEW"], num_args = 1..=2, required_unless_present = "list", value_parser = parse_name)]
    names: Vec<String>,
    /// The title of the figure.
    #[arg(long, value_name = "TITLE", conflicts_with = "source", value_parser = parse_name)]
    title: Option<String>,
    /// The maker of the figure.
    #[arg(long, value_name = "MAKER", conflicts_with = "source", value_parser = parse_name)]
    credit: Option<String>,
    /// A table of names, titles and credits.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "title", "credit", "source"])]
    list: Option<PathBuf>,
    /// The source to rename.
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
}

/// Refuses names that cannot be typed or read.
fn parse_name(text: &str) -> std::result::Result<String, &'static str> {
    match text {
        _ if text.trim().is_empty() => Err("a name has at least one character"),
        _ if text.contains(char::is_control) => Err("a name has no control characters"),
        _ => Ok(text.to_owned()),
    }
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
    let RenameArgs { names, title, credit, list, source } = args;
    if let Some(list) = list {
        return rename_all(global, list);
    }
    match (source, &names[..]) {
        (Some(source), [new]) => edit(
            global,
            &format!("rename --source {source} {new}"),
            |catalog| catalog.source_to_rename(source, new),
            |session, id| {
                session.rename_source(*id, new)?;
                Ok(format!("the source {source} is now {new}"))
            },
        ),
        (Some(_), _) => Err(Failure::usage("--source takes only the new label of the source")),
        (None, [figure]) if title.is_none() && credit.is_none() => {
            Err(Failure::usage(format!("{figure}: give a new name, --title or --credit")))
        }
        (None, _) => {
            let (old, label) = (&names[0], names.get(1).map(String::as_str));
            let new = NameEdit { label, title: title.as_deref(), credit: credit.as_deref() };
            let command = format!("rename {}", names.join(" "));
            edit(
                global,
                &command,
                |catalog| catalog.figure_to_rename(old, new),
                |session, figure: &EditedFigure| {
                    let entries = count_noun(session.rename_figure(figure, new)?, "entry");
                    Ok(match label {
                        Some(label) => format!("{old} is now {label}, in {entries}"),
                        None => format!("{old} is changed, in {entries}"),
                    })
                },
            )
        }
    }
}

#[derive(Deserialize)]
struct ListedName {
    figure: String,
    name: Option<String>,
    title: Option<String>,
    credit: Option<String>,
}

fn rename_all(global: &Global, path: &Path) -> Result<Exit> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::failed(format!("{}: {error}", path.display()));
    let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
    let lines: Vec<(u64, ListedName)> =
        table_rows(&decode_text(&bytes), "figure").map_err(|e| failed(&e))?;
    let changes =
        |line: &ListedName| line.name.is_some() || line.title.is_some() || line.credit.is_some();
    if !lines.iter().any(|(_, line)| changes(line)) {
        return Err(failed(
            &"the list changes nothing; it needs a column `name`, `title` or `credit`",
        ));
    }
    for (number, line) in &lines {
        for text in [&line.name, &line.title, &line.credit].into_iter().flatten() {
            parse_name(text).map_err(|error| {
                failed(&format!("line {number}: `{}`: {error}", text.escape_debug()))
            })?;
        }
    }
    let lines: Vec<ListedName> = lines.into_iter().map(|(_, line)| line).collect();
    fn new(line: &ListedName) -> NameEdit<'_> {
        let ListedName { name, title, credit, .. } = line;
        NameEdit { label: name.as_deref(), title: title.as_deref(), credit: credit.as_deref() }
    }
    edit(
        global,
        &format!("rename --list {}", path.display()),
        |catalog| {
            lines.iter().map(|line| catalog.figure_to_rename(&line.figure, new(line))).collect()
        },
        |session, figures: &Vec<EditedFigure>| {
            for (figure, line) in figures.iter().zip(&lines) {
                session.rename_figure(figure, new(line))?;
            }
            Ok(format!("{} changed", count_noun(figures.len(), "figure")))
        },
    )
}

pub(super) fn remove(global: &Global, args: &RemoveArgs) -> Result<Exit> {
    for figure in &args.figures {
        edit(
            global,
            &format!("remove {figure}"),
            |catalog| catalog.figure_to_remove(figure),
            |session, id| Ok(removal_message(figure, session.remove_figure(id)?)),
        )?;
    }
    if let Some(source) = &args.source {
        edit(
            global,
            &format!("remove --source {source}"),
            |catalog| catalog.source_to_edit(source),
            |session, id| Ok(removal_message(source, session.remove_source(*id)?)),
        )?;
    }
    Ok(Exit::Ok)
}

fn removal_message(name: &str, removal: Removal) -> String {
    let Removal { entries, figures, .. } = removal;
    let (entries, figures) = (count_noun(entries, "entry"), count_noun(figures, "figure"));
    format!("{name} is removed: {entries}, {figures}")
}

/// Applies `change` to the result of `find` and reports it. Records the edit in the catalog as a run.
fn edit<T>(
    global: &Global,
    command: &str,
    find: impl FnOnce(&Catalog) -> std::result::Result<T, EditError>,
    change: impl FnOnce(&mut Session, &T) -> std::result::Result<String, CatalogError>,
) -> Result<Exit> {
    // Read-only: neither a missing catalog nor a mistyped name changes anything.
    let found = find(&Catalog::open_read_only(&global.db)?)?;
    let mut session = Session::begin(&global.db, &format!("catalog {command}"), &VERSION)?;
    match change(&mut session, &found) {
        Ok(text) => {
            session.end(RunEnd::Finished)?;
            global.note(&text);
            Ok(Exit::Ok)
        }
        Err(error) => {
            session.end(RunEnd::Failed(&error.to_string()))?;
            Err(error.into())
        }
    }
}
