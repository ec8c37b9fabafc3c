//! `somacat completions` and `somacat man`: generate completions and manual pages from the help.

use super::Exit;
use super::failure::{Context, Failure, Result};
use super::output::folder_parser;
use clap::{Args, Command};
use clap_complete::Shell;
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
    clap_complete::generate(args.shell, command, "somacat", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Ok)
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

fn rendered(page: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let version = format!("somacat {}", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(page.clone()).source(version).render(&mut text)?;
    Ok(text)
}

fn write_pages(command: &Command, folder: &Path, name: &str) -> Result<()> {
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, rendered(command)?).context(format!("output file {}", path.display()))?;
    command
        .get_subcommands()
        .try_for_each(|sub| write_pages(sub, folder, &format!("{name}-{}", sub.get_name())))
}
