//! The results of counting a figure's packings with a piece set.
//!
//! [`crate::spelling`] has their words.

/// Three counts of the packings of one figure. Equal pieces are indistinguishable.
///
/// ```
/// use somacat_geometry::outcome::{Counts, Outcome};
///
/// // The packings of the cube with SOMA: no packing has a symmetry, so 240 × 48 = 11,520.
/// let cube = Outcome::Counted(Counts { raw: 11_520, rotation: 480, unique: 240 });
/// assert_eq!(cube.unique().map(|unique| unique * 48), cube.raw());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// All packings.
    pub raw: u128,
    /// Packings up to the figure's rotations.
    pub rotation: u128,
    /// Packings up to the figure's rotations and reflections. For a set that is not closed under reflection this is
    /// the rotation count.
    pub unique: u128,
}

/// The result of a count.
///
/// ```
/// use somacat_geometry::outcome::{Outcome, Reason, Verdict};
///
/// let ruled_out = Outcome::Unsolvable(Reason::Parity);
/// assert_eq!(ruled_out.verdict(), Verdict::Unsolvable);
/// assert_eq!(ruled_out.raw(), Some(0));
/// // Packings were found, but the limit came before the last.
/// assert_eq!(Outcome::bound(12), Outcome::AtLeast(12));
/// assert_eq!(Outcome::bound(12).unique(), None);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The exact counts, each at least 1.
    Counted(Counts),
    /// No packing exists, as an exhaustive search or a proof shows.
    Unsolvable(Reason),
    /// A limit was reached after packings were found: a lower bound of the raw count, at least 1.
    AtLeast(u128),
    /// The figure is undecided. A limit was reached before a packing was found or all were ruled out.
    Unknown,
    /// The count failed, with this error message.
    Failed(String),
}

/// The kind of an outcome.
///
/// ```
/// use somacat_geometry::outcome::Verdict;
///
/// assert!(Verdict::AtLeast.is_buildable() && !Verdict::AtLeast.is_exact());
/// assert!(!Verdict::Unsolvable.is_buildable() && Verdict::Unsolvable.is_exact());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// See [`Outcome::Counted`].
    Counted,
    /// See [`Outcome::Unsolvable`].
    Unsolvable,
    /// See [`Outcome::AtLeast`].
    AtLeast,
    /// See [`Outcome::Unknown`].
    Unknown,
    /// See [`Outcome::Failed`].
    Failed,
}

/// The reason why a figure has no packing.
///
/// ```
/// use somacat_geometry::outcome::{ProofKind, Reason};
/// use somacat_geometry::spelling::Spelling;
///
/// assert_eq!(Reason::Parity.word(), "parity");
/// assert_eq!(ProofKind::from(Reason::NoFit), ProofKind::NoFit);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The pieces and the figure have different numbers of cells.
    Size,
    /// The pieces cannot reach the checkerboard color difference.
    Parity,
    /// The pieces cannot be divided among the separate parts.
    Parts,
    /// Some cell or some piece has no placement.
    NoFit,
    /// An exhaustive search found no packing.
    Exhausted,
}

/// The kind of a proof: that a figure has no packing, or of the number of its packings.
///
/// ```
/// use somacat_geometry::outcome::ProofKind;
/// use somacat_geometry::spelling::parse_word;
///
/// assert_eq!(parse_word("marks"), Ok(ProofKind::Marks));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProofKind {
    /// The pieces and the figure have different numbers of cells.
    Size,
    /// The pieces cannot reach the checkerboard color difference.
    Parity,
    /// The pieces cannot be divided among the separate parts.
    Parts,
    /// Weights on the cells add up to more than the pieces can cover.
    Marks,
    /// Weights on the cells in each of a few cases.
    Cases,
    /// A search tree of one node: some cell or some piece has no placement.
    NoFit,
    /// A larger search tree.
    Exhausted,
    /// All packings, counted.
    Count,
}

impl From<Reason> for ProofKind {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Size => Self::Size,
            Reason::Parity => Self::Parity,
            Reason::Parts => Self::Parts,
            Reason::NoFit => Self::NoFit,
            Reason::Exhausted => Self::Exhausted,
        }
    }
}

/// An algorithm that counts packings.
///
/// ```
/// use somacat_geometry::outcome::Engine;
/// use somacat_geometry::spelling::Spelling;
///
/// assert_eq!([Engine::Search, Engine::Census].map(Engine::word), ["search", "census"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// Visits the packings of one figure. Its nodes are placements made.
    Search,
    /// Sweeps over one figure. It counts partial packings with the same frontier together. Its nodes are the states of
    /// all sweeps.
    Frontier,
    /// Counts all figures of a box at once. No nodes belong to a single figure.
    Census,
}

/// An outcome, with the work it took.
///
/// ```
/// use somacat_geometry::outcome::{Outcome, Reason, Report};
///
/// let report = Report::without_search(Reason::Size);
/// assert_eq!(report.outcome.reason(), Some(Reason::Size));
/// assert_eq!((report.nodes, report.engine), (Some(0), None));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The outcome.
    pub outcome: Outcome,
    /// The nodes of the engine, the same in every run. `None` if no work belongs to this figure alone.
    pub nodes: Option<u64>,
    /// The engine that counted, or `None` if none was needed.
    pub engine: Option<Engine>,
}

impl Outcome {
    /// Returns the outcome of a count that reached a limit.
    ///
    /// `raw` packings were found before it.
    ///
    /// ```
    /// use somacat_geometry::outcome::Outcome;
    ///
    /// assert_eq!(Outcome::bound(0), Outcome::Unknown);
    /// assert_eq!(Outcome::bound(7), Outcome::AtLeast(7));
    /// ```
    pub const fn bound(raw: u128) -> Self {
        if raw > 0 { Self::AtLeast(raw) } else { Self::Unknown }
    }

    /// Returns the verdict: the outcome without its numbers and messages.
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::Counted(_) => Verdict::Counted,
            Self::Unsolvable(_) => Verdict::Unsolvable,
            Self::AtLeast(_) => Verdict::AtLeast,
            Self::Unknown => Verdict::Unknown,
            Self::Failed(_) => Verdict::Failed,
        }
    }

    /// Returns the reason why an unsolvable figure has no packing.
    pub const fn reason(&self) -> Option<Reason> {
        if let Self::Unsolvable(reason) = self { Some(*reason) } else { None }
    }

    /// Returns the exact counts, if they are known: zeros for an unsolvable figure.
    pub fn counts(&self) -> Option<Counts> {
        match self {
            Self::Counted(counts) => Some(*counts),
            Self::Unsolvable(_) => Some(Counts::default()),
            Self::AtLeast(_) | Self::Unknown | Self::Failed(_) => None,
        }
    }

    /// Returns the raw count, exact or a lower bound.
    ///
    /// `None` if the count failed.
    ///
    /// ```
    /// use somacat_geometry::outcome::{Outcome, Reason};
    ///
    /// // A proof that there are none is a count, and so is a bound. A search that found none before its limit knows only
    /// // that there are zero or more.
    /// assert_eq!(Outcome::Unsolvable(Reason::Exhausted).raw(), Some(0));
    /// assert_eq!((Outcome::AtLeast(12).raw(), Outcome::AtLeast(12).counts()), (Some(12), None));
    /// assert_eq!((Outcome::Unknown.raw(), Outcome::Unknown.counts()), (Some(0), None));
    /// ```
    pub fn raw(&self) -> Option<u128> {
        match self {
            Self::Counted(counts) => Some(counts.raw),
            Self::AtLeast(raw) => Some(*raw),
            Self::Unsolvable(_) | Self::Unknown => Some(0),
            Self::Failed(_) => None,
        }
    }

    /// Returns the exact count up to rotation, if it is known.
    pub fn rotation(&self) -> Option<u128> {
        self.counts().map(|counts| counts.rotation)
    }

    /// Returns the exact count up to rotation and reflection, if known.
    pub fn unique(&self) -> Option<u128> {
        self.counts().map(|counts| counts.unique)
    }

    /// Returns a lower bound of the count up to rotation and reflection, for a figure whose group has `order` elements:
    /// at most so many raw packings are images of one. It is exact if the count is known, and 0 without any.
    ///
    /// ```
    /// use somacat_geometry::outcome::Outcome;
    ///
    /// // 1,000 raw packings of the cube are images of 21 at least: 20 have no more than 960.
    /// assert_eq!(Outcome::AtLeast(1_000).least_unique(48), 21);
    /// ```
    pub fn least_unique(&self, order: usize) -> u128 {
        let bound = || self.raw().unwrap_or(0).div_ceil(order.max(1) as u128);
        self.unique().unwrap_or_else(bound)
    }

    /// Returns `true` if the counts are exact.
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::Counted(_) | Self::Unsolvable(_))
    }
}

impl Verdict {
    /// Returns `true` if the figure is known to have a packing.
    pub const fn is_buildable(self) -> bool {
        matches!(self, Self::Counted | Self::AtLeast)
    }

    /// Returns `true` if the counts are exact.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Counted | Self::Unsolvable)
    }
}

impl Report {
    /// Creates the report of a figure ruled out without a search.
    pub const fn without_search(reason: Reason) -> Self {
        Self { outcome: Outcome::Unsolvable(reason), nodes: Some(0), engine: None }
    }

    /// Creates the report of a failed count, with its error message.
    pub fn failed(error: &impl std::fmt::Display) -> Self {
        Self { outcome: Outcome::Failed(error.to_string()), nodes: None, engine: None }
    }
}
