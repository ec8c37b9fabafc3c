//! What is known about the packings of a figure with a piece set.
//!
//! Shared by what counts (`solve`, `census`) and what keeps and shows counts. How outcomes are spelled is for
//! `catalog::words` and `export::words`.

/// Three counts of the packings of one figure. Equal pieces are indistinguishable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts {
    /// All packings.
    pub raw: u128,
    /// Packings up to the figure's rotations.
    pub rotation: u128,
    /// Packings up to the figure's rotations and reflections. For a set that is not closed under
    /// reflection this is the rotation count.
    pub unique: u128,
}

/// What a count came to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The exact counts, each at least 1.
    Counted(Counts),
    /// There is no packing, by an exhaustive search or a proof.
    Unsolvable(Reason),
    /// A limit came first: the raw count is at least this, which is at least 1.
    AtLeast(u128),
    /// A limit came before a packing was found or ruled out.
    Unknown,
    /// The count itself failed, for the reason given in words.
    Failed(String),
}

/// An outcome without its numbers and texts.
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

/// Why a figure has no packing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The pieces do not fill as many cells as the figure has.
    Size,
    /// The checkerboard colors cannot come out right.
    Parity,
    /// The pieces cannot be dealt out to the separate parts.
    Parts,
    /// Some cell or some piece has no placement at all.
    NoFit,
    /// Every possibility was tried.
    Exhausted,
}

/// A way to count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// Walks through the packings of one figure; nodes are placements made.
    Search,
    /// Sweeps over one figure and counts partial packings together that look alike at the frontier; nodes
    /// are the states of all sweeps.
    Frontier,
    /// Counts every figure of a box at once; no nodes belong to a single figure.
    Census,
}

/// An outcome with the work it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What is known.
    pub outcome: Outcome,
    /// Nodes of the engine, the same in every run; none if no work belongs to this figure alone.
    pub nodes: Option<u64>,
    /// The engine that counted; none if nothing had to be tried.
    pub engine: Option<Engine>,
}

impl Outcome {
    /// What is known when a limit came first and so many packings had been met.
    #[must_use]
    pub const fn bound(raw: u128) -> Self {
        if raw > 0 { Self::AtLeast(raw) } else { Self::Unknown }
    }

    /// The outcome without its numbers and texts.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::Counted(_) => Verdict::Counted,
            Self::Unsolvable(_) => Verdict::Unsolvable,
            Self::AtLeast(_) => Verdict::AtLeast,
            Self::Unknown => Verdict::Unknown,
            Self::Failed(_) => Verdict::Failed,
        }
    }

    /// Why there is no packing, if there is none.
    #[must_use]
    pub const fn reason(&self) -> Option<Reason> {
        if let Self::Unsolvable(reason) = self { Some(*reason) } else { None }
    }

    /// The exact counts, if they are known: zeros for an unsolvable figure.
    #[must_use]
    pub fn counts(&self) -> Option<Counts> {
        match self {
            Self::Counted(counts) => Some(*counts),
            Self::Unsolvable(_) => Some(Counts::default()),
            Self::AtLeast(_) | Self::Unknown | Self::Failed(_) => None,
        }
    }

    /// The raw count, exact or a lower bound; none if the count failed.
    #[must_use]
    pub fn raw(&self) -> Option<u128> {
        match self {
            Self::Counted(counts) => Some(counts.raw),
            Self::AtLeast(raw) => Some(*raw),
            Self::Unsolvable(_) | Self::Unknown => Some(0),
            Self::Failed(_) => None,
        }
    }

    /// The exact count up to rotation, if it is known.
    #[must_use]
    pub fn rotation(&self) -> Option<u128> {
        self.counts().map(|counts| counts.rotation)
    }

    /// The exact count up to rotation and reflection, if it is known.
    #[must_use]
    pub fn unique(&self) -> Option<u128> {
        self.counts().map(|counts| counts.unique)
    }

    /// Whether the counts are exact.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        matches!(self, Self::Counted(_) | Self::Unsolvable(_))
    }
}

impl Verdict {
    /// Whether the figure has a packing for certain.
    #[must_use]
    pub const fn is_buildable(self) -> bool {
        matches!(self, Self::Counted | Self::AtLeast)
    }

    /// Whether the counts are exact.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Counted | Self::Unsolvable)
    }
}

impl Report {
    /// A count that failed, and why.
    #[must_use]
    pub fn failed(error: &impl std::fmt::Display) -> Self {
        Self { outcome: Outcome::Failed(error.to_string()), nodes: None, engine: None }
    }
}
