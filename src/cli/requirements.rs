//! Parsing a command line in which no option is ignored.

use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, Error};
use std::ffi::OsString;

/// Parses a command line, and refuses an option whose required partner is missing.
///
/// Clap does not miss a required option if another one that was given conflicts with it: with `--steps` requiring
/// `--trace`, and `--trace` conflicting with `--csv`, it accepts `--steps 5 --csv`, and `--steps` would be ignored. A
/// second parse, in which nothing conflicts, finds these. It takes two options to be in this state.
///
/// # Errors
///
/// The usage error, or the help or version that was requested.
pub(super) fn parse(command: &mut Command, arguments: Vec<OsString>) -> Result<ArgMatches, Error> {
    let matches = command.try_get_matches_from_mut(arguments.iter())?;
    if options_given(&matches) > 1 {
        without_conflicts(command.clone()).try_get_matches_from(arguments)?;
    }
    Ok(matches)
}

/// Returns the number of arguments that the command line gives, those of subcommands included.
fn options_given(matches: &ArgMatches) -> usize {
    let given =
        |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let below = matches.subcommand().map_or(0, |(_, below)| options_given(below));
    matches.ids().filter(given).count() + below
}

/// Removes all conflicts. A first parse has set up the commands that the command line uses.
fn without_conflicts(command: Command) -> Command {
    let groups: Vec<String> =
        command.get_groups().map(|group| group.get_id().to_string()).collect();
    let command = command.mut_args(|arg| arg.conflicts_with(Resettable::Reset));
    let command = groups
        .iter()
        .fold(command, |command, group| command.mut_group(group, |group| group.multiple(true)));
    command.mut_subcommands(without_conflicts)
}
