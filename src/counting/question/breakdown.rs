//! Counted figures, and their numbers by class and outcome.

use super::Keep;
use somacat_geometry::figure::Columns;
use somacat_geometry::outcome::{Outcome, Reason, Report, Verdict};
use somacat_geometry::symmetry::Class;
use std::collections::BTreeMap;

/// A figure whose outcome a sink has already.
///
/// See [`FigureSink`](super::FigureSink) for an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownFigure {
    /// The number by which the sink knows the figure.
    pub id: i64,
    /// The figure's class.
    pub class: Class,
    /// The verdict that the sink has.
    pub verdict: Verdict,
    /// The reason of an unsolvable figure.
    pub reason: Option<Reason>,
}

/// Numbers of figures in a batch, by class, verdict and reason.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_counting::enumerate::{Place, ShardRange};
/// use somacat_counting::question::{Batch, CensusQuestion, Keep, Work, answer};
/// use somacat_geometry::outcome::Reason;
/// use somacat_geometry::pieces::parse_set;
/// use std::sync::atomic::AtomicBool;
///
/// // Four dominoes, and the 49 figures of eight cells in 2×2×3.
/// let census = Census::new([2, 2, 3], &parse_set("D4")?)?;
/// let question = CensusQuestion { census, keep: Keep::Totals };
/// let (mut all, stop) = (Batch::default(), AtomicBool::new(false));
/// answer(&question, ShardRange::ALL, Place::default(), Work::until(&stop), &mut all)?;
/// assert_eq!((all.totals.figures(), all.totals.buildable()), (49, 24));
/// // A domino covers one cell of each color. In this box, all figures with as many black as white cells are buildable.
/// let by_parity = all.totals.iter().filter(|(_, _, reason, _)| *reason == Some(Reason::Parity));
/// assert_eq!(by_parity.map(|(.., figures)| figures).sum::<u64>(), 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Breakdown(BTreeMap<(Class, Verdict, Option<Reason>), u64>);

impl Breakdown {
    /// Adds a figure.
    pub fn add(&mut self, class: Class, verdict: Verdict, reason: Option<Reason>) {
        self.add_many(class, verdict, reason, 1);
    }

    /// Adds a figure with its outcome.
    pub fn add_outcome(&mut self, class: Class, outcome: &Outcome) {
        self.add(class, outcome.verdict(), outcome.reason());
    }

    /// Adds figures.
    pub fn add_many(
        &mut self,
        class: Class,
        verdict: Verdict,
        reason: Option<Reason>,
        figures: u64,
    ) {
        *self.0.entry((class, verdict, reason)).or_default() += figures;
    }

    /// Adds the figures of another breakdown.
    pub fn add_all(&mut self, other: &Self) {
        other
            .iter()
            .for_each(|(class, verdict, reason, n)| self.add_many(class, verdict, reason, n));
    }

    /// Iterates over class, verdict, reason and number of figures, in this order.
    pub fn iter(&self) -> impl Iterator<Item = (Class, Verdict, Option<Reason>, u64)> {
        self.0.iter().map(|(&(class, verdict, reason), &figures)| (class, verdict, reason, figures))
    }

    /// Returns whether an enumeration with these totals may keep these figures.
    ///
    /// ```
    /// use somacat_counting::question::{Breakdown, Keep};
    /// use somacat_geometry::outcome::{Reason, Verdict};
    /// use somacat_geometry::symmetry::{Class, Group};
    ///
    /// // Of three figures without symmetry, one is buildable. A catalog that keeps these must have it.
    /// let class = Class::of(Group::TRIVIAL);
    /// let (mut all, mut kept) = (Breakdown::default(), Breakdown::default());
    /// all.add_many(class, Verdict::Unsolvable, Some(Reason::Parity), 2);
    /// all.add(class, Verdict::Counted, None);
    /// assert!(!all.allows(&kept, Keep::Buildable));
    /// kept.add(class, Verdict::Counted, None);
    /// assert!(all.allows(&kept, Keep::Buildable) && !all.allows(&kept, Keep::All));
    /// ```
    pub fn allows(&self, kept: &Self, keep: Keep) -> bool {
        let all = self.0.iter().filter(|((_, verdict, _), _)| keep.keeps(*verdict));
        let all = Self(all.map(|(key, figures)| (*key, *figures)).collect());
        let Keep::Top(number) = keep else { return *kept == all };
        let exist = kept.0.iter().all(|(key, some)| all.0.get(key).is_some_and(|all| some <= all));
        exist && kept.figures() >= all.figures().min(number.get().into())
    }

    /// Returns the number of figures whose count failed.
    pub fn failed(&self) -> u64 {
        self.iter()
            .filter(|(_, verdict, ..)| *verdict == Verdict::Failed)
            .map(|(.., figures)| figures)
            .sum()
    }

    /// Returns the number of figures with a packing.
    pub fn buildable(&self) -> u64 {
        self.iter()
            .filter(|(_, verdict, ..)| verdict.is_buildable())
            .map(|(.., figures)| figures)
            .sum()
    }

    /// Returns the number of all figures.
    pub fn figures(&self) -> u64 {
        self.0.values().sum()
    }
}

/// A figure with its outcome.
///
/// See [`EnumerationQuestion`](super::EnumerationQuestion) for an example.
#[derive(Clone, Debug)]
pub struct CountedRow {
    /// Its columns.
    pub columns: Columns,
    /// The outcome, with the effort that it took.
    pub report: Report,
    /// Wall-clock microseconds, if this figure was counted by itself.
    pub micros: Option<u64>,
}
