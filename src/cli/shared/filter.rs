//! The selection of rows that `query` and `export` share: filters and order.

use super::input::piece_set;
use crate::cli::failure::{Failure, Result};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Id};
use somacat_catalog::{Catalog, Filter, FilterOption, SortKey, Vocabulary};
use somacat_geometry::pieces::parse_set;
use somacat_output::export::{Spelling, parse_word};
use std::ops::Deref;
use std::path::Path;

/// The options of all filters, which the catalog lists.
#[derive(Clone, Debug)]
pub struct FilterArgs(pub Filter);

impl Deref for FilterArgs {
    type Target = Filter;

    fn deref(&self) -> &Filter {
        &self.0
    }
}

impl Args for FilterArgs {
    fn augment_args(command: Command) -> Command {
        let group = ArgGroup::new(FILTERS).multiple(true).args(filters());
        command.group(group).args(Filter::OPTIONS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }

    fn group_id() -> Option<Id> {
        Some(FILTERS.into())
    }
}

impl FromArgMatches for FilterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, Error> {
        let mut filter = Filter::default();
        let mut read = |option: &FilterOption, text: &str| {
            (option.read)(&mut filter, text).expect("clap has read this value before");
        };
        for option in Filter::OPTIONS {
            match option.value {
                None if matches.get_flag(option.field) => read(option, ""),
                None => (),
                Some(_) => {
                    let values = matches.get_many::<String>(option.field).into_iter().flatten();
                    values.for_each(|text| read(option, text));
                }
            }
        }
        Ok(Self(filter))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The name of the group of all filters.
const FILTERS: &str = "Filter";

fn argument(option: &'static FilterOption) -> Arg {
    // Like the derived options, whose descriptions clap takes from comments.
    let help = option.help.strip_suffix('.').unwrap_or(option.help);
    let argument = Arg::new(option.field)
        .long(option.name)
        .visible_aliases(option.alias)
        .conflicts_with_all(option.excludes)
        .help(help)
        .help_heading("Filters");
    let Some(value) = option.value else { return argument.action(ArgAction::SetTrue) };
    let action = if option.is_list { ArgAction::Append } else { ArgAction::Set };
    argument.action(action).value_name(value).value_parser(|text: &str| {
        (option.read)(&mut Filter::default(), text).map(|()| text.to_owned())
    })
}

fn filters() -> impl Iterator<Item = &'static str> {
    Filter::OPTIONS.iter().map(|option| option.field)
}

/// Returns the names of the filters that some options exclude: all but `set`.
pub(crate) fn filters_without_set() -> impl Iterator<Item = &'static str> {
    filters().filter(|name| *name != "set")
}

/// Returns a filter with the set as the catalog calls it: a file of pieces may have another name there.
///
/// Refuses a set that the catalog lacks, unless it lists pieces. Such a set is a mistake, not a question without an
/// answer.
pub(crate) fn with_known_set(catalog: &Catalog, filter: &Filter) -> Result<Filter> {
    let Some(text) = &filter.set else { return Ok(filter.clone()) };
    let known = catalog.piece_sets()?;
    if parse_set(text).is_ok() || known.values().any(|known| known.name() == *text) {
        return Ok(filter.clone());
    }
    let db = catalog.path().display();
    if !Path::new(text).is_file() {
        let hint = suggestion(catalog, Vocabulary::Sets, text)?;
        return Err(Failure::usage(format!(
            "no figure in {db} was counted with a set {text}{hint}"
        )));
    }
    let pieces = piece_set(text)?;
    match known.values().find(|known| known.definition() == pieces.definition()) {
        Some(known) => Ok(Filter { set: Some(known.name().to_owned()), ..filter.clone() }),
        None => {
            Err(Failure::usage(format!("no figure in {db} was counted with the pieces of {text}")))
        }
    }
}

fn sort_key_parser() -> impl TypedValueParser<Value = SortKey> {
    let words = PossibleValuesParser::new(SortKey::WORDS.iter().map(|(_, word)| *word));
    words.try_map(|word| parse_word(&word))
}

// The order and the number of rows.
#[derive(Args, Debug)]
pub(crate) struct OrderArgs {
    /// Sort key; counts, order, nodes and difficulty (nodes for each unique packing) are sorted from
    /// the largest down.
    #[arg(long, value_parser = sort_key_parser(), default_value = "signature", help_heading = "Filters")]
    sort: SortKey,
    /// Only the first N: rows in tables, figures everywhere else.
    #[arg(
        long, value_name = "N", help_heading = "Filters",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..)
    )]
    top: Option<usize>,
}

// The rows to show or export, in their order.
#[derive(Args, Debug)]
pub(crate) struct SelectionArgs {
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    order: OrderArgs,
}

impl SelectionArgs {
    /// Returns true if no figure is left out, except by the set.
    pub(crate) fn selects_all(&self) -> bool {
        let set = usize::from(self.filter.set.is_some());
        self.filter.phrases().len() == set && self.order.top.is_none()
    }

    /// Returns the catalog's filter with the order of rows.
    pub(crate) fn filter(&self, catalog: &Catalog) -> Result<Filter> {
        let OrderArgs { sort, top } = self.order;
        Ok(Filter { sort, top, ..with_known_set(catalog, &self.filter)? })
    }
}

/// Returns "; did you mean …?" with similarly spelled catalog words, or nothing.
pub(crate) fn suggestion(
    catalog: &Catalog,
    vocabulary: Vocabulary,
    wanted: &str,
) -> Result<String> {
    let near = catalog.suggest(vocabulary, wanted)?;
    Ok(match near.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", near.join(", ")),
    })
}
