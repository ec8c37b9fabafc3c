//! The filters that `query` and `export` share.

use super::failure::Result;
use crate::boxes::{parse_box, sides_text};
use crate::catalog::{Filter, NamePattern, SortKey};
use crate::export::{Spelling, parse_word};
use crate::formats::count_noun;
use crate::outcome::{Reason, Verdict};
use crate::pieces::parse_set;
use crate::symmetry::Class;
use clap::{Args, ValueEnum};

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Sort {
    Signature,
    Name,
    Unique,
    Raw,
    Order,
    Nodes,
}

// The filters on the catalog's rows.
#[derive(Args, Debug)]
pub(crate) struct FilterArgs {
    /// Groups with an element of order N: Nungester's reading of "N-fold".
    #[arg(long, value_name = "N", help_heading = "Filters")]
    fold: Option<usize>,
    /// Groups of order N: Allen's reading of "N-fold".
    #[arg(long, value_name = "N", help_heading = "Filters")]
    order: Option<usize>,
    /// Symmetry class: D3d, C2v (all classes of that symbol), C2v(edge), or Allen's letter.
    #[arg(long, value_name = "CLASS", help_heading = "Filters")]
    class: Vec<String>,
    /// Figures with at least one packing.
    #[arg(long, help_heading = "Filters", conflicts_with = "unsolvable")]
    solvable: bool,
    /// Figures proved to have no packing.
    #[arg(long, help_heading = "Filters")]
    unsolvable: bool,
    /// counted, unsolvable, at-least, unknown or failed.
    #[arg(long, help_heading = "Filters", value_parser = parse_word::<Verdict>)]
    verdict: Option<Verdict>,
    /// size, parity, parts, no-fit or exhausted.
    #[arg(long, help_heading = "Filters", value_parser = parse_word::<Reason>)]
    reason: Option<Reason>,
    /// Exact raw count ≥ N.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    raw_min: Option<u64>,
    /// Exact raw count ≤ N.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    raw_max: Option<u64>,
    /// Exact unique count ≥ N: packings up to rotation and reflection.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    unique_min: Option<u64>,
    /// Exact unique count ≤ N.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    unique_max: Option<u64>,
    /// Exact unique count N: packings up to rotation and reflection.
    #[arg(long, visible_alias = "unique", value_name = "N", help_heading = "Filters", conflicts_with_all = ["unique_min", "unique_max"])]
    unique_count: Option<u64>,
    /// Figures with a packing that may stand as loose pieces, if a plan computed this.
    #[arg(long, help_heading = "Filters")]
    stands: bool,
    /// Figures with a packing that can be built by hand, every stage standing, if a plan computed this.
    #[arg(long, help_heading = "Filters")]
    buildable_by_hand: bool,
    /// Number of cells.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    cells: Option<usize>,
    /// The bounding box of the figure, in any orientation: 3x3x4.
    #[arg(long = "box", value_name = "AxBxC", value_parser = parse_box, help_heading = "Filters")]
    bounds: Option<[u32; 3]>,
    /// Number of separate parts.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    parts: Option<usize>,
    /// |black - white| of the checkered figure.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    parity: Option<u32>,
    /// Part of a name or title; or all of it, with * for any text and ? for any character.
    #[arg(long, help_heading = "Filters")]
    name: Option<String>,
    /// The full name of a file or enumeration that contains it; * and ? as with names.
    #[arg(long, help_heading = "Filters")]
    source: Option<String>,
    /// The piece set that the count is for.
    #[arg(long, alias = "pieces", help_heading = "Filters")]
    set: Option<String>,
    /// Sort key; counts, order and nodes are sorted from the largest down.
    #[arg(long, value_enum, default_value = "signature", help_heading = "Filters")]
    sort: Sort,
    /// Only the first N rows.
    #[arg(long, value_name = "N", help_heading = "Filters")]
    top: Option<usize>,
}

impl FilterArgs {
    /// Returns the filters as phrases that complete "none has".
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let quoted = |text: &String| format!("`{text}`");
        if !self.class.is_empty() {
            words.push(format!("the class {}", self.class.join(" or ")));
        }
        let numbers = [
            (self.fold.map(|n| n as u64), "an element of order N"),
            (self.order.map(|n| n as u64), "a group of order N"),
            (self.solvable.then_some(0), "a packing"),
            (self.unsolvable.then_some(0), "a proof that there is no packing"),
            (self.raw_min, "at least N packings"),
            (self.raw_max, "at most N packings"),
            (self.unique_min, "at least N packings up to rotation and reflection"),
            (self.unique_max, "at most N packings up to rotation and reflection"),
            (self.unique_count, "N packings up to rotation and reflection"),
            (self.stands.then_some(0), "a packing that is known to stand"),
            (
                self.buildable_by_hand.then_some(0),
                "a packing that is known to be buildable by hand",
            ),
            (self.cells.map(|n| n as u64), "N cells"),
            (self.parts.map(|n| n as u64), "N separate parts"),
            (self.parity.map(u64::from), "parity N"),
        ];
        let word = |(n, text): (Option<u64>, &str)| {
            let n = n?;
            let text = text.replace("N packings", &count_noun(n, "packing"));
            Some(text.replace('N', &n.to_string()))
        };
        words.extend(numbers.into_iter().filter_map(word));
        let texts = [
            ("the verdict", self.verdict.map(|verdict| verdict.word().to_owned())),
            ("the reason", self.reason.map(|reason| reason.word().to_owned())),
            ("the box", self.bounds.map(sides_text)),
            ("a name or title like", self.name.as_ref().map(quoted)),
            ("the source", self.source.as_ref().map(quoted)),
            ("a count with the set", self.set.as_ref().map(quoted)),
        ];
        words
            .extend(texts.into_iter().filter_map(|(what, text)| Some(format!("{what} {}", text?))));
        words
    }

    /// Returns true if any filter, order or number of rows is given.
    pub(crate) fn is_given(&self) -> bool {
        !self.words().is_empty() || self.top.is_some() || !matches!(self.sort, Sort::Signature)
    }

    /// Returns true if an order or a number of rows is given.
    pub(crate) fn is_ordered(&self) -> bool {
        self.top.is_some() || !matches!(self.sort, Sort::Signature)
    }

    /// Returns true if any filter, order or number of rows is given besides the set.
    pub(crate) fn is_given_beyond_set(&self) -> bool {
        self.words().len() > usize::from(self.set.is_some())
            || self.top.is_some()
            || !matches!(self.sort, Sort::Signature)
    }

    /// Returns the set as typed.
    pub(crate) fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    /// Returns name, source and set, which may be misspelled.
    pub(crate) fn spelled(&self) -> [Option<&str>; 3] {
        [self.name.as_deref(), self.source.as_deref(), self.set.as_deref()]
    }

    /// Returns the set's name in the spelling of the catalog; other names (of sets from files) are unchanged.
    pub(crate) fn set_name(&self) -> Option<String> {
        let named = |text: &String| match parse_set(text) {
            Ok(set) => set.name().to_owned(),
            Err(_) => text.clone(),
        };
        self.set.as_ref().map(named)
    }

    /// Returns the catalog's filter, with class names parsed.
    pub(crate) fn filter(&self) -> Result<Filter> {
        let mut classes = Vec::new();
        for text in &self.class {
            classes.extend(Class::matching(text)?);
        }
        Ok(Filter {
            classes: (!self.class.is_empty()).then_some(classes),
            fold: self.fold,
            order: self.order,
            buildable: self.solvable,
            unsolvable: self.unsolvable,
            verdict: self.verdict,
            reason: self.reason,
            raw_min: self.raw_min,
            raw_max: self.raw_max,
            unique_min: self.unique_count.or(self.unique_min),
            unique_max: self.unique_count.or(self.unique_max),
            stands: self.stands,
            by_hand: self.buildable_by_hand,
            cells: self.cells,
            bounds: self.bounds,
            parts: self.parts,
            parity: self.parity,
            name: self.name.as_deref().map(NamePattern::new),
            source: self.source.clone(),
            set: self.set_name(),
            signature: None,
            sort: match self.sort {
                Sort::Signature => SortKey::Signature,
                Sort::Name => SortKey::Name,
                Sort::Unique => SortKey::Unique,
                Sort::Raw => SortKey::Raw,
                Sort::Order => SortKey::Order,
                Sort::Nodes => SortKey::Nodes,
            },
            top: self.top,
        })
    }
}
