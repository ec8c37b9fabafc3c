//! The filters and the order of rows that `query` and `export` share.

use super::failure::{Failure, Result};
use crate::boxes::{parse_box, sides_text};
use crate::catalog::{Catalog, Filter, NamePattern, SortKey, Vocabulary};
use crate::export::{Spelling, parse_word};
use crate::formats::count_noun;
use crate::outcome::{Reason, Verdict};
use crate::pieces::parse_set;
use crate::symmetry::{Class, ParseClassError};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::str::FromStr;

/// A type of options that may be absent.
trait Given {
    type Value;

    fn given(&self) -> Option<&Self::Value>;
}

impl Given for bool {
    type Value = ();

    fn given(&self) -> Option<&()> {
        self.then_some(&())
    }
}

impl<T> Given for Option<T> {
    type Value = T;

    fn given(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// Declares the filters: for each the option, its condition, and a phrase that completes "none has".
macro_rules! filters {
    ($($(#[$attribute:meta])* $name:ident: $type:ty, $condition:expr, $phrase:expr;)+) => {
        // The filters on the catalog's rows.
        #[derive(Args, Debug)]
        pub(crate) struct FilterArgs {
            $(#[arg(long, help_heading = "Filters")] $(#[$attribute])* $name: $type,)+
        }

        impl FilterArgs {
            const NAMES: &[&str] = &[$(stringify!($name)),+];

            pub(crate) fn filter(&self) -> Filter {
                let mut filter = Filter::default();
                $(if let Some(value) = self.$name.given() {
                    let set: fn(&mut Filter, &<$type as Given>::Value) = $condition;
                    set(&mut filter, value);
                })+
                filter
            }

            /// Returns the filters as phrases that complete "none has".
            pub(crate) fn phrases(&self) -> Vec<String> {
                let mut phrases = Vec::new();
                $(if let Some(value) = self.$name.given() {
                    let phrase: fn(&<$type as Given>::Value) -> String = $phrase;
                    phrases.push(phrase(value));
                })+
                phrases
            }
        }
    };
}

filters! {
    /// Groups with an element of order N: Nungester's reading of "N-fold".
    #[arg(value_name = "N")]
    fold: Option<usize>,
        |filter, n| filter.fold = Some(*n), |n| format!("an element of order {n}");
    /// Groups of order N: Allen's reading of "N-fold".
    #[arg(value_name = "N")]
    order: Option<usize>,
        |filter, n| filter.order = Some(*n), |n| format!("a group of order {n}");
    /// Symmetry class: D3d, C2v (all classes of that symbol), C2v(edge), or Allen's letter.
    #[arg(value_name = "CLASS")]
    class: Option<Vec<ClassSymbol>>,
        |filter, symbols| filter.classes = Some(classes(symbols)),
        |symbols| format!("the class {}", class_texts(symbols).join(" or "));
    /// Figures with at least one packing.
    #[arg(conflicts_with = "unsolvable")]
    solvable: bool,
        |filter, ()| filter.buildable = true, |()| "a packing".to_owned();
    /// Figures proved to have no packing.
    unsolvable: bool,
        |filter, ()| filter.unsolvable = true, |()| "a proof that there is no packing".to_owned();
    /// counted, unsolvable, at-least, unknown or failed.
    #[arg(value_parser = parse_word::<Verdict>)]
    verdict: Option<Verdict>,
        |filter, verdict| filter.verdict = Some(*verdict), |verdict| format!("the verdict {}", verdict.word());
    /// size, parity, parts, no-fit or exhausted.
    #[arg(value_parser = parse_word::<Reason>)]
    reason: Option<Reason>,
        |filter, reason| filter.reason = Some(*reason), |reason| format!("the reason {}", reason.word());
    /// Exact raw count ≥ N.
    #[arg(value_name = "N")]
    raw_min: Option<u64>,
        |filter, n| filter.raw_min = Some(*n), |n| format!("at least {}", count_noun(n, "packing"));
    /// Exact raw count ≤ N.
    #[arg(value_name = "N")]
    raw_max: Option<u64>,
        |filter, n| filter.raw_max = Some(*n), |n| format!("at most {}", count_noun(n, "packing"));
    /// Exact unique count ≥ N: packings up to rotation and reflection.
    #[arg(value_name = "N")]
    unique_min: Option<u64>,
        |filter, n| filter.unique_min = Some(*n),
        |n| format!("at least {} up to rotation and reflection", count_noun(n, "packing"));
    /// Exact unique count ≤ N.
    #[arg(value_name = "N")]
    unique_max: Option<u64>,
        |filter, n| filter.unique_max = Some(*n),
        |n| format!("at most {} up to rotation and reflection", count_noun(n, "packing"));
    /// Exact unique count N: packings up to rotation and reflection.
    #[arg(visible_alias = "unique", value_name = "N", conflicts_with_all = ["unique_min", "unique_max"])]
    unique_count: Option<u64>,
        |filter, n| (filter.unique_min, filter.unique_max) = (Some(*n), Some(*n)),
        |n| format!("{} up to rotation and reflection", count_noun(n, "packing"));
    /// Figures with a packing that may stand as loose pieces. Known only if a plan computed this.
    stands: bool,
        |filter, ()| filter.stands = true, |()| "a packing that is known to stand".to_owned();
    /// Figures with a packing buildable by hand, every stage standing. Known only if a plan computed this.
    buildable_by_hand: bool,
        |filter, ()| filter.by_hand = true, |()| "a packing that is known to be buildable by hand".to_owned();
    /// Number of cells.
    #[arg(value_name = "N")]
    cells: Option<usize>,
        |filter, n| filter.cells = Some(*n), |n| format!("{n} cells");
    /// The bounding box of the figure, in any orientation: 3x3x4.
    #[arg(long = "box", value_name = "AxBxC", value_parser = parse_box)]
    bounds: Option<[u32; 3]>,
        |filter, bounds| filter.bounds = Some(*bounds), |bounds| format!("the box {}", sides_text(*bounds));
    /// Number of separate parts.
    #[arg(value_name = "N")]
    parts: Option<usize>,
        |filter, n| filter.parts = Some(*n), |n| format!("{n} separate parts");
    /// |black - white| of the checkered figure.
    #[arg(value_name = "N")]
    parity: Option<u32>,
        |filter, n| filter.parity = Some(*n), |n| format!("parity {n}");
    /// Part of a name or title; or all of it, with * for any text and ? for any character.
    name: Option<String>,
        |filter, name| filter.name = Some(NamePattern::new(name)), |name| format!("a name or title like `{name}`");
    /// The full name of a file or enumeration that contains it; * and ? as with names.
    source: Option<String>,
        |filter, source| filter.source = Some(source.clone()), |source| format!("the source `{source}`");
    /// The piece set that the count is for.
    set: Option<String>,
        |filter, set| filter.set = Some(set.clone()), |set| format!("a count with the set `{set}`");
}

impl FilterArgs {
    pub(crate) fn names_without_set() -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().copied().filter(|name| *name != "set")
    }

    /// Returns true if no filter is given, except that of the set.
    fn selects_all(&self) -> bool {
        self.phrases().len() == usize::from(self.set.is_some())
    }

    pub(crate) fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    /// Refuses a set that the catalog lacks, unless it lists pieces. Such a set is a mistake, not a question without an
    /// answer.
    pub(crate) fn check_set(&self, catalog: &Catalog) -> Result<()> {
        let Some(set) = self.set() else { return Ok(()) };
        if parse_set(set).is_ok() || catalog.piece_sets()?.values().any(|known| known.name() == set)
        {
            return Ok(());
        }
        let hint = suggestion(catalog, Vocabulary::Sets, set)?;
        let db = catalog.path().display();
        Err(Failure::usage(format!("no figure in {db} was counted with a set {set}{hint}")))
    }

    /// Returns name, source and set, which may be misspelled.
    pub(crate) fn spelled(&self) -> [Option<&str>; 3] {
        [self.name.as_deref(), self.source.as_deref(), self.set.as_deref()]
    }
}

/// A symbol on the command line, with the classes that it names.
#[derive(Clone, Debug)]
struct ClassSymbol {
    text: String,
    classes: Vec<Class>,
}

impl FromStr for ClassSymbol {
    type Err = ParseClassError;

    fn from_str(text: &str) -> std::result::Result<Self, ParseClassError> {
        Ok(Self { text: text.to_owned(), classes: Class::matching(text)? })
    }
}

fn classes(symbols: &[ClassSymbol]) -> Vec<Class> {
    symbols.iter().flat_map(|symbol| symbol.classes.clone()).collect()
}

fn class_texts(symbols: &[ClassSymbol]) -> Vec<&str> {
    symbols.iter().map(|symbol| symbol.text.as_str()).collect()
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
    /// Only the first N rows.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    top: Option<usize>,
}

// The rows to show or export, in their order.
#[derive(Args, Debug)]
pub(crate) struct SelectionArgs {
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    #[command(flatten)]
    order: OrderArgs,
}

impl SelectionArgs {
    /// Returns true if no figure is left out, except by the set.
    pub(super) fn selects_all(&self) -> bool {
        self.filter.selects_all() && self.order.top.is_none()
    }

    /// Returns the catalog's filter with the order of rows.
    pub(crate) fn filter(&self, catalog: &Catalog) -> Result<Filter> {
        self.filter.check_set(catalog)?;
        let OrderArgs { sort, top } = self.order;
        Ok(Filter { sort, top, ..self.filter.filter() })
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
