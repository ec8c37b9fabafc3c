//! `somacat catalog rename` and `somacat catalog remove`: edit names, figures and sources.

use crate::cli::failure::{Failure, Result};
use crate::cli::shared::input::read_whole;
use crate::cli::{Exit, Global};
use clap::Args;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use somacat_catalog::{
    Catalog, CatalogError, EditError, EditedFigure, NameEdit, Removal, RunEnd, Session, hexadecimal,
};
use somacat_formats::{MAX_NAME_CHARS, count_noun, decode_text, shell_command};
use somacat_geometry::excerpt;
use somacat_run::VERSION;
use somacat_run::{table_rows, without_remark};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Rename a figure or source, or set a title and a credit
#[derive(Args, Debug)]
#[command(after_help = "\
FIGURE is a name or a signature. Importing the source again restores the source's own names, titles
and credits.

A list is a table with the column `figure` and one or more of `name`, `title` and `credit`, with
commas, semicolons or tabs between. Empty fields keep their values. # begins a comment line, and
behind a figure and a blank a remark. If a figure of the list is not found, nothing is changed.

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

/// Refuses names that cannot be typed or read, or that an import would cut.
fn parse_name(text: &str) -> std::result::Result<String, String> {
    let characters = text.chars().count();
    match text {
        _ if text.trim().is_empty() => {
            Err("a name, title or credit has at least one character".to_owned())
        }
        _ if text.contains(char::is_control) => {
            Err("a name, title or credit has no control characters".to_owned())
        }
        _ if characters > MAX_NAME_CHARS => Err(format!(
            "a name or title has at most {MAX_NAME_CHARS} characters, and this one has {characters}"
        )),
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

pub(crate) fn rename(global: &Global, args: &RenameArgs) -> Result<Exit> {
    let RenameArgs { names, title, credit, list, source } = args;
    if let Some(list) = list {
        return rename_all(global, list);
    }
    match (source, &names[..]) {
        (Some(source), [new]) => edit(
            global,
            &shell_command("rename --source", [source, new]),
            |catalog| catalog.source_to_rename(source, new),
            |catalog| catalog.source_to_edit(new).is_ok(),
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
            let mut text = shell_command("rename", names);
            for (option, value) in [("title", title), ("credit", credit)] {
                if let Some(value) = value {
                    text += &shell_command(&format!(" --{option}"), [value]);
                }
            }
            let shared = Cell::new(false);
            edit(
                global,
                &text,
                |catalog| {
                    let figure = catalog.figure_to_rename(old, new)?;
                    let names_another = |label| catalog.names_another(label, &figure);
                    shared.set(label.map(names_another).transpose()?.unwrap_or(false));
                    Ok(figure)
                },
                |catalog| label.is_some_and(|label| catalog.figure_to_edit(label).is_ok()),
                |session, figure: &EditedFigure| {
                    let entries = count_noun(session.rename_figures(&[(figure, new)])?, "entry");
                    Ok(match label {
                        Some(label) if shared.get() => {
                            format!("{old} is now {label}, in {entries}; {SHARED_NAME}")
                        }
                        Some(label) => format!("{old} is now {label}, in {entries}"),
                        None => format!("{old} is changed, in {entries}"),
                    })
                },
            )
        }
    }
}

const SHARED_NAME: &str =
    "another figure is called so too, and commands need a signature to tell them apart";

/// The columns of a list, which are those of [`ListedName`].
const LIST_COLUMNS: [&str; 4] = ["figure", "name", "title", "credit"];

#[derive(Deserialize)]
struct ListedName {
    figure: String,
    name: Option<String>,
    title: Option<String>,
    credit: Option<String>,
}

impl ListedName {
    /// Returns the figure's name after the edit.
    fn newest(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.figure)
    }
}

fn rename_all(global: &Global, path: &Path) -> Result<Exit> {
    let (label, bytes) = read_whole(path)?;
    let failed = |error: &dyn std::fmt::Display| Failure::failed(format!("{label}: {error}"));
    let text = decode_text(&bytes);
    let mut lines: Vec<(u64, ListedName)> =
        table_rows(&text, "figure", &LIST_COLUMNS).map_err(|e| failed(&e))?;
    let changes =
        |line: &ListedName| line.name.is_some() || line.title.is_some() || line.credit.is_some();
    if lines.is_empty() {
        return Err(failed(&"the list has no rows below its columns"));
    }
    if !lines.iter().any(|(_, line)| changes(line)) {
        return Err(failed(
            &"the list changes nothing; it needs a column `name`, `title` or `credit`",
        ));
    }
    let catalog = Catalog::open_read_only(&global.db)?;
    let is_name = |text: &str| !matches!(catalog.figure_to_edit(text), Err(EditError::NoFigure(_)));
    for (number, line) in &mut lines {
        let listed = line.figure.trim_matches('"').to_owned();
        let figure = without_remark(&listed, is_name);
        // A name that no figure has any more stays whole: this list may have changed it before.
        let is_remark = figure != listed && is_name(figure);
        line.figure = if is_remark { figure.to_owned() } else { listed.clone() };
        // A remark ends the line, so it may hold what looks like further fields.
        let behind = || text.lines().nth(*number as usize - 1)?.split_once(&listed);
        let has_fields =
            is_remark && behind().is_some_and(|(_, rest)| rest.contains(char::is_alphanumeric));
        for text in [&line.name, &line.title, &line.credit].into_iter().flatten() {
            let checked = match text.contains(" # ") || has_fields {
                true => {
                    Err("this may be a comment; write comments on lines of their own".to_owned())
                }
                false => parse_name(text).map(|_| ()),
            };
            checked.map_err(|error| {
                failed(&format!(
                    "line {number}: `{}`: {error}",
                    excerpt(&text.escape_debug().to_string())
                ))
            })?;
        }
    }
    drop(catalog);
    fn new(line: &ListedName) -> NameEdit<'_> {
        let ListedName { name, title, credit, .. } = line;
        NameEdit { label: name.as_deref(), title: title.as_deref(), credit: credit.as_deref() }
    }
    // A list that was edited is another command.
    let digest = hexadecimal(Sha256::new_with_prefix(&bytes));
    let edits = || lines.iter().map(|(number, line)| (*number, line.figure.as_str(), new(line)));
    edit(
        global,
        &format!("rename --list {} (SHA-256 {digest})", path.display()),
        |catalog| catalog.figures_to_rename(&label, edits()),
        |catalog| {
            let newest =
                |(_, line): &(_, ListedName)| catalog.figure_to_edit(line.newest()).is_ok();
            lines.iter().all(newest)
        },
        |session, figures: &Vec<EditedFigure>| {
            let edits: Vec<_> = figures.iter().zip(edits().map(|(.., edit)| edit)).collect();
            session.rename_figures(&edits)?;
            let mut text = format!("{} changed", count_noun(figures.len(), "figure"));
            for (figure, (number, line)) in figures.iter().zip(&lines) {
                if let Some(name) = &line.name
                    && session.catalog().names_another(name, figure)?
                {
                    text += &format!("\n{label}: line {number}: {name}: {SHARED_NAME}");
                }
            }
            Ok(text)
        },
    )
}

pub(crate) fn remove(global: &Global, args: &RemoveArgs) -> Result<Exit> {
    // There is no undo, and a name is easily mistyped: nothing is removed before everything is found.
    let catalog = Catalog::open_read_only(&global.db)?;
    // Each with what was found, or with an earlier name of the same figure.
    let mut figures: Vec<(&String, Option<EditedFigure>, Option<&String>)> = Vec::new();
    for figure in &args.figures {
        let found = catalog.figure_to_remove(figure);
        let found =
            found_or_done(&catalog, &shell_command("catalog remove", [figure]), found, |_| true)?;
        let mut same = None;
        for (name, earlier, _) in &figures {
            if let (Some(_), Some(earlier)) = (&found, earlier)
                && !catalog.names_another(figure, earlier)?
            {
                same = same.or(Some(*name));
            }
        }
        if same != Some(figure) {
            figures.push((figure, found.filter(|_| same.is_none()), same));
        }
    }
    if let Some(source) = &args.source {
        let found = catalog.source_to_edit(source);
        found_or_done(
            &catalog,
            &shell_command("catalog remove --source", [source]),
            found,
            |_| true,
        )?;
    }
    drop(catalog);
    for (figure, _, same) in figures {
        let command = shell_command("remove", [figure]);
        if let Some(same) = same {
            // Recorded, so that the command can be repeated.
            let told =
                |_: &mut Session, (): &()| Ok(format!("{figure} was another name of {same}"));
            edit(global, &command, |_| Ok(()), |_| true, told)?;
            continue;
        }
        edit(
            global,
            &command,
            |catalog| catalog.figure_to_remove(figure),
            |_| true,
            |session, id| Ok(removal_message(figure, session.remove_figure(id)?)),
        )?;
    }
    if let Some(source) = &args.source {
        edit(
            global,
            &shell_command("remove --source", [source]),
            |catalog| catalog.source_to_edit(source),
            |_| true,
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

/// Returns what was found, or `None` if it is missing because this same edit was made before. `is_made` tells whether the
/// catalog looks as it would then.
fn found_or_done<T>(
    catalog: &Catalog,
    command: &str,
    found: std::result::Result<T, EditError>,
    is_made: impl Fn(&Catalog) -> bool,
) -> Result<Option<T>> {
    match found {
        Err(error) if error.is_missing() && catalog.has_run(command)? && is_made(catalog) => {
            Ok(None)
        }
        found => Ok(Some(found?)),
    }
}

/// Applies `change` to the result of `find` and reports it. Records the edit in the catalog as a run. An edit that was
/// made before is reported ([`found_or_done`]).
fn edit<T>(
    global: &Global,
    command: &str,
    find: impl FnOnce(&Catalog) -> std::result::Result<T, EditError>,
    is_made: impl Fn(&Catalog) -> bool,
    change: impl FnOnce(&mut Session, &T) -> std::result::Result<String, CatalogError>,
) -> Result<Exit> {
    let command = format!("catalog {command}");
    // Read-only: neither a missing catalog nor a mistyped name changes anything.
    let catalog = Catalog::open_read_only(&global.db)?;
    let found = found_or_done(&catalog, &command, find(&catalog), is_made)?;
    drop(catalog);
    let mut session = Session::begin(&global.db, &command, &VERSION)?;
    let Some(found) = found else {
        // The program may have been killed before it could record this.
        session.end(RunEnd::Finished)?;
        global.note(&format!("nothing to change: `{command}` was done before"));
        return Ok(Exit::Ok);
    };
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
