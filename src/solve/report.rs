//! What a count says, and how far it may go.

use super::FixedError;
use super::choice::{DEFAULT_MEMORY, Engine};
use crate::figure::Blocked;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is known about a figure and a piece set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The counts are exact and at least 1.
    Counted,
    /// There is no packing, by an exhaustive search or a proof.
    Unsolvable,
    /// There are packings; the search stopped at a limit, so the raw count is "at least".
    Solvable,
    /// The search stopped before it found a packing or could rule one out.
    Unknown,
    /// The search itself failed.
    Failed,
}

/// Why a figure is unsolvable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The pieces do not fill as many cells as the figure has.
    Size,
    /// The checkerboard colors cannot come out.
    Parity,
    /// The pieces cannot be dealt out to the separate parts.
    Parts,
    /// Some cell or some piece has no placement at all.
    NoFit,
    /// Every possibility was tried.
    Exhausted,
}

macro_rules! words {
    ($type:ty, $what:literal, $($variant:ident = $word:literal),+ $(,)?) => {
        impl $type {
            /// The word used in columns and output.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
        impl FromStr for $type {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => {
                        let known = [$($word),+].join(", ");
                        Err(format!("`{text}` is no {}; there are {known}", $what))
                    }
                }
            }
        }
    };
}

pub(super) use words;

words!(
    Verdict,
    "verdict",
    Counted = "counted",
    Unsolvable = "unsolvable",
    Solvable = "solvable",
    Unknown = "unknown",
    Failed = "failed"
);
words!(
    Reason,
    "reason",
    Size = "size",
    Parity = "parity",
    Parts = "parts",
    NoFit = "no-fit",
    Exhausted = "exhausted"
);

impl From<&Blocked> for Reason {
    fn from(blocked: &Blocked) -> Self {
        match blocked {
            Blocked::Size { .. } => Self::Size,
            Blocked::Parity { .. } => Self::Parity,
            Blocked::Parts { .. } => Self::Parts,
        }
    }
}

/// How far a count may go, and by which means. The default is to the end.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// Stop after so many packings.
    pub packings: Option<u128>,
    /// Stop after so many nodes.
    pub nodes: Option<u64>,
    /// Stop soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// Count with this engine; chosen by itself if there is none.
    pub engine: Option<Engine>,
    /// Bytes the frontier engine may take, [`DEFAULT_MEMORY`] if not given. One figure at a time has
    /// them, however many are counted.
    pub memory: Option<u64>,
}

impl Limits<'_> {
    /// Bytes the frontier engine may take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// Whether someone asked to stop.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// The result of a count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What is known.
    pub verdict: Verdict,
    /// Why, if the figure is unsolvable.
    pub reason: Option<Reason>,
    /// All packings: exact if the verdict is [`Verdict::Counted`] or [`Verdict::Unsolvable`], else
    /// a lower bound.
    pub raw: u128,
    /// Packings up to the figure's rotations, if the count is exact.
    pub rotation: Option<u128>,
    /// Packings up to the figure's rotations and reflections, if the count is exact. For a set
    /// that is not closed under reflection this is the rotation count.
    pub unique: Option<u128>,
    /// Placements made by the search, or states of the frontier engine: the same in every run.
    pub nodes: u64,
    /// The engine that counted; none if nothing had to be tried.
    pub engine: Option<Engine>,
}

impl Report {
    /// A limit came first: at least `raw` packings.
    #[must_use]
    pub const fn undecided(raw: u128, nodes: u64) -> Self {
        let verdict = if raw > 0 { Verdict::Solvable } else { Verdict::Unknown };
        let engine = Some(Engine::Search);
        Self { verdict, reason: None, raw, rotation: None, unique: None, nodes, engine }
    }

    /// No packing exists.
    #[must_use]
    pub const fn unsolvable(reason: Reason, nodes: u64) -> Self {
        Self {
            verdict: Verdict::Unsolvable,
            reason: Some(reason),
            raw: 0,
            rotation: Some(0),
            unique: Some(0),
            nodes,
            engine: None,
        }
    }
}

/// Why no search could be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// More cells, or more kinds of pieces, than the search handles.
    #[error(
        "figures of up to {max} cells and sets of up to {most} kinds of pieces are searched; this is \
         {cells} cells and {kinds} kinds",
        max = super::MAX_SEARCH_CELLS,
        most = super::solver::MAX_KINDS
    )]
    TooLarge {
        /// Cells of the figure.
        cells: usize,
        /// Kinds of pieces of the set.
        kinds: usize,
    },
    /// The pieces in place cannot lie so.
    #[error(transparent)]
    Fixed(#[from] FixedError),
    /// More separate parts than can be mirrored one by one.
    #[error(
        "moving each part by itself is counted for figures of up to {most} parts; this has {0}",
        most = super::by_part::MAX_PARTS
    )]
    TooManyParts(usize),
    /// The frontier engine would need too much memory.
    #[error(
        "the frontier engine needs {} for this figure, or more, and may take {}; give it more memory \
         or let the search count",
        in_words(*needed),
        in_words(*limit)
    )]
    Memory {
        /// Bytes known to be needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The frontier engine lists all choices of pieces that may be left.
    #[error(
        "the frontier engine takes sets with {most} choices of pieces at most; let the search count"
    )]
    Choices {
        /// The most choices it lists.
        most: usize,
    },
    /// Exact counts end at 128 bits.
    #[error("the number of packings does not fit 128 bits")]
    Overflow,
    /// No threads could be had.
    #[error("the frontier engine could not start its threads: {0}")]
    Threads(String),
}

fn in_words(bytes: u64) -> String {
    match bytes {
        1_000_000_000.. => format!("{:.2} GB", bytes as f64 / 1e9),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
