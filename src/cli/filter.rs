//! The selection of rows that `query` and `export` share: filters and order.

use super::failure::{Failure, Result};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use somacat_catalog::{Catalog, Filter, SortKey, Vocabulary};
use somacat_geometry::pieces::parse_set;
use somacat_output::export::{Spelling, parse_word};

/// Returns the names of the filters that some options exclude: all but `set`.
pub(crate) fn filters_without_set() -> impl Iterator<Item = &'static str> {
    Filter::NAMES.iter().copied().filter(|name| *name != "set")
}

/// Refuses a set that the catalog lacks, unless it lists pieces. Such a set is a mistake, not a question without an
/// answer.
pub(crate) fn check_set(catalog: &Catalog, filter: &Filter) -> Result<()> {
    let Some(set) = &filter.set else { return Ok(()) };
    if parse_set(set).is_ok() || catalog.piece_sets()?.values().any(|known| known.name() == *set) {
        return Ok(());
    }
    let hint = suggestion(catalog, Vocabulary::Sets, set)?;
    let db = catalog.path().display();
    Err(Failure::usage(format!("no figure in {db} was counted with a set {set}{hint}")))
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
    #[arg(long, value_name = "N", help_heading = "Filters")]
    top: Option<usize>,
}

// The rows to show or export, in their order.
#[derive(Args, Debug)]
pub(crate) struct SelectionArgs {
    #[command(flatten)]
    pub(super) filter: Filter,
    #[command(flatten)]
    order: OrderArgs,
}

impl SelectionArgs {
    /// Returns true if no figure is left out, except by the set.
    pub(super) fn selects_all(&self) -> bool {
        let set = usize::from(self.filter.set.is_some());
        self.filter.phrases().len() == set && self.order.top.is_none()
    }

    /// Returns the catalog's filter with the order of rows.
    pub(crate) fn filter(&self, catalog: &Catalog) -> Result<Filter> {
        check_set(catalog, &self.filter)?;
        let OrderArgs { sort, top } = self.order;
        Ok(Filter { sort, top, ..self.filter.clone() })
    }
}

/// Returns "; did you mean …?" with similarly spelled catalog words, or nothing.
pub(super) fn suggestion(
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
