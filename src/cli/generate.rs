//! `somacat completions` and `somacat man`: made from the same definitions as the help.

use super::Exit;
use super::failure::{Failure, Result};
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
Examples:
  somacat man query | man -l -
  somacat man enumerate symmetric > somacat-enumerate-symmetric.1")]
pub(crate) struct ManArgs {
    /// The command, and the command below it; somacat itself if not given.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn completions(command: &mut Command, args: &CompletionArgs) -> Result<Exit> {
    // Into memory first: clap_complete panics if its writer fails, and pipes do.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "somacat", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Ok)
}

pub(super) fn man(mut command: Command, args: &ManArgs) -> Result<Exit> {
    // Gives the commands their whole names and the global options; without the command `help`,
    // which has nothing to say on paper.
    command = command.disable_help_subcommand(true);
    command.build();
    let mut page = &command;
    for name in &args.command {
        let found = page.get_subcommands().find(|sub| sub.get_name() == name);
        page = found.ok_or_else(|| {
            let command = args.command.join(" ");
            Failure::usage(format!("there is no command `{command}`; see somacat --help"))
        })?;
    }
    let mut text = Vec::new();
    let version = format!("somacat {}", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(page.clone()).source(version).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(Exit::Ok)
}
