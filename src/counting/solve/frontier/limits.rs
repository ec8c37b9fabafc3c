//! Limits of a count, and why a sweep ended early.

use super::choices::MAX_CHOICES;
use crate::solve::word::{MaskWord, Wide};
use crate::solve::{LongSearches, SolveError};
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Limits of a count, which consists of several sweeps, one after the other.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct SweepLimits<'a> {
    /// Maximum number of bytes that a sweep uses.
    pub(in crate::solve) memory: u64,
    /// Maximum number of states: sets of sites on all levels, of all sweeps.
    pub(in crate::solve) states: Option<u64>,
    /// Maximum work, in the time that one state takes: the number of states, and one more for every
    /// [`super::COUNTS_PER_STATE`] counts.
    pub(in crate::solve) work: Option<u64>,
    pub(in crate::solve) stop: Option<&'a AtomicBool>,
    /// Receives the progress of the sweep.
    pub(in crate::solve) searches: Option<&'a LongSearches>,
}

/// Maximum number of sites: the bits of a mask.
pub(super) const MAX_SITES: usize = Wide::<2>::BITS;

impl SweepLimits<'_> {
    pub(super) fn most_states(&self) -> Option<u64> {
        [self.states, self.work].into_iter().flatten().min()
    }

    pub(super) fn stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Relaxed))
    }

    pub(super) fn need(&self, bytes: u64) -> Result<(), Halt> {
        if bytes > self.memory { Err(Halt::Memory { needed: bytes }) } else { Ok(()) }
    }
}

/// The reason why a sweep ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) enum Halt {
    /// It needs at least this many bytes.
    Memory { needed: u64 },
    /// The system refused memory.
    Allocation,
    /// More states than allowed.
    States { states: u64 },
    /// The caller asked to stop.
    Stopped,
    /// A count does not fit 128 bits.
    Overflow,
    /// More choices of pieces than are listed.
    Choices,
    /// More sites than [`MAX_SITES`].
    Sites,
}

impl From<TryReserveError> for Halt {
    fn from(_: TryReserveError) -> Self {
        Self::Allocation
    }
}

impl Halt {
    /// Returns the number of states visited, if their limit ended the sweep.
    pub(in crate::solve) const fn states(self) -> u64 {
        match self {
            Self::States { states } => states,
            _ => 0,
        }
    }

    /// Returns the corresponding error; `None` for a limit or a stop.
    pub(in crate::solve) fn error(self, limit: u64) -> Option<SolveError> {
        match self {
            Self::Memory { needed } => Some(SolveError::Memory { needed, limit }),
            Self::Allocation => Some(SolveError::Allocation),
            Self::Overflow => Some(SolveError::Overflow),
            Self::Choices => Some(SolveError::Choices { most: MAX_CHOICES }),
            Self::Sites => Some(SolveError::FrontierCells { most: MAX_SITES }),
            Self::States { .. } | Self::Stopped => None,
        }
    }
}
