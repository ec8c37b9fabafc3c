//! `somacat completions` and `somacat man`: made from the same definitions as the help.

use super::Exit;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// Write a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  somacat completions bash > /etc/bash_completion.d/somacat")]
pub(crate) struct CompletionArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual page of somacat or one of its commands
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  somacat man query | man -l -")]
pub(crate) struct ManArgs {
    /// The command; somacat itself if not given.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(super) fn completions(command: &mut Command, args: &CompletionArgs) -> anyhow::Result<Exit> {
    // Into memory first: clap_complete panics if its writer fails, and pipes do.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "somacat", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Ok)
}

pub(super) fn man(command: Command, args: &ManArgs) -> anyhow::Result<Exit> {
    let page = match &args.command {
        None => command,
        Some(name) => {
            let found = command.get_subcommands().find(|sub| sub.get_name() == name).cloned();
            let Some(found) = found else {
                anyhow::bail!("there is no command `{name}`; see somacat --help");
            };
            found.display_name(format!("somacat-{name}"))
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(Exit::Ok)
}
