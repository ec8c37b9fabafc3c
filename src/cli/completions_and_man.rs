//! `somacat completions` and `somacat man`: generate completions and manual pages from the help.

use super::Exit;
use super::failure::{Context, Failure, Result};
use crate::cli::shared::output::folder_parser;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use somacat_geometry::pieces::FAMOUS_SETS;
use somacat_geometry::symmetry::Class;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  somacat completions bash > /etc/bash_completion.d/somacat")]
pub(crate) struct CompletionArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  somacat man query | man -l -
  somacat man enumerate symmetric > somacat-enumerate-symmetric.1
  somacat man --out /usr/local/share/man/man1")]
pub(crate) struct ManArgs {
    /// A command and its subcommand; somacat itself if not given.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// A folder for the pages of somacat and all its commands; created if missing.
    #[arg(long, value_name = "PATH", value_parser = folder_parser(), conflicts_with = "command")]
    out: Option<PathBuf>,
}

pub(super) fn completions(command: &mut Command, args: &CompletionArgs) -> Result<Exit> {
    // Written to memory first: clap_complete panics if its writer fails, for example a closed pipe.
    let mut script = Vec::new();
    // `build` sets up the options of all commands.
    command.build();
    let mut command = offering_names(std::mem::take(command));
    clap_complete::generate(args.shell, &mut command, "somacat", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Ok)
}

/// Lists the names of sets and classes as values, for completions only: the options take other values, too.
fn offering_names(command: Command) -> Command {
    let sets = ["auto", "SOMA", "2xSOMA", "SOMA+"].into_iter();
    let sets: Vec<&str> = sets.chain(FAMOUS_SETS.iter().map(|set| set.name)).collect();
    // Symbols, because the full names of classes have blanks and parentheses.
    let classes: BTreeSet<&str> = Class::iter().map(Class::schoenflies).collect();
    let offering = |arg: Arg| match arg.get_long() {
        Some("set" | "from") => arg.value_parser(PossibleValuesParser::new(sets.iter().copied())),
        Some("class") => arg.value_parser(PossibleValuesParser::new(classes.iter().copied())),
        _ => arg,
    };
    command.mut_args(offering).mut_subcommands(offering_names)
}

pub(super) fn man(mut command: Command, args: &ManArgs) -> Result<Exit> {
    // `build` adds full names and global options. The subcommand `help` needs no manual page.
    command = command.disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder).context(format!("folder {}", folder.display()))?;
        write_pages(&command, folder, "somacat")?;
        return Ok(Exit::Ok);
    }
    let mut page = &command;
    for name in &args.command {
        let found = page.get_subcommands().find(|sub| sub.get_name() == name);
        page = found.ok_or_else(|| {
            let command = args.command.join(" ");
            Failure::usage(format!("there is no command `{command}`; see somacat --help"))
        })?;
    }
    io::stdout().write_all(&rendered(page)?)?;
    Ok(Exit::Ok)
}

/// The day of the manual's last revision, which its pages have in their footers.
const REVISED: &str = "2026-11-28";

fn rendered(page: &Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let version = format!("somacat {}", env!("CARGO_PKG_VERSION"));
    let title = page.get_display_name().unwrap_or(page.get_name()).to_uppercase();
    let man = clap_mangen::Man::new(page.clone()).title(title);
    man.source(version).date(REVISED).render(&mut text)?;
    let text = String::from_utf8(text).map_err(|error| Failure::failed(error.to_string()))?;
    Ok(tidied(&text).into_bytes())
}

/// The longest line of a source of a manual page.
const LINE_CHARS: usize = 80;

/// Rewrites a manual page so that `mandoc -Tlint` accepts it: short lines without blanks at their ends, and one break
/// where clap has three.
fn tidied(page: &str) -> String {
    let page = page.replace("\n.br\n\n.br\n", "\n.sp\n");
    let (mut text, mut is_filled, mut is_tag) = (String::new(), true, false);
    for line in page.lines().map(str::trim_end) {
        is_filled = match line {
            ".nf" => false,
            ".fi" => true,
            _ => is_filled,
        };
        // Indented lines are examples, each on a line of its own.
        if line.starts_with(['.', '\'', ' ']) || !is_filled || is_tag {
            text.push_str(line);
        } else {
            let mut width = 0;
            for word in line.split(' ') {
                // Other characters are read as `\[u2026]`.
                let chars: usize = word.chars().map(|c| if c.is_ascii() { 1 } else { 8 }).sum();
                // At the beginning of a line, a point would be a macro.
                if width > 0 && (width + 1 + chars <= LINE_CHARS || word.starts_with(['.', '\''])) {
                    text.push(' ');
                    width += 1;
                } else if width > 0 {
                    text.push('\n');
                    width = 0;
                }
                text.push_str(word);
                width += chars;
            }
        }
        text.push('\n');
        is_tag = line == ".TP";
    }
    text
}

fn write_pages(command: &Command, folder: &Path, name: &str) -> Result<()> {
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, rendered(command)?).context(format!("output file {}", path.display()))?;
    command
        .get_subcommands()
        .try_for_each(|sub| write_pages(sub, folder, &format!("{name}-{}", sub.get_name())))
}
