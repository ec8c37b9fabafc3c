//! The share of a catalog that one program verifies. Also the conditions of its checks.

use somacat_geometry::pieces::PieceSet;
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// Orbits of cells that are placed in the time of a piece.
const ORBITS: u64 = 10;

/// The number of this program among those of a verification, as `3/64`.
///
/// Each checks its share of the rows and enumerations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    number: u64,
    of: u64,
}

impl Share {
    /// The only program.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// Returns whether this is the first program. It checks everything that is not divided.
    pub const fn is_first(self) -> bool {
        self.number == 1
    }

    /// Returns the number of items of the share among the first `items`.
    pub(super) const fn number_below(self, items: u64) -> u64 {
        let before = self.number - 1;
        items.saturating_sub(before).div_ceil(self.of)
    }

    /// Returns whether the item with this number belongs to the share. Numbers begin at 0.
    pub(super) const fn has(self, at: u64) -> bool {
        at % self.of == self.number - 1
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(number, of)| (number.parse(), of.parse()));
        match numbers {
            Some((Ok(number), Ok(of))) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("write the number and the count of shards, such as 3/64".to_owned()),
        }
    }
}

/// The conditions of a second derivation.
pub(super) struct Check<'a> {
    pub(super) sets: HashMap<String, PieceSet>,
    pub(super) steps: u64,
    pub(super) stop: &'a AtomicBool,
}

impl Check<'_> {
    /// Returns the steps that the recount of an enumeration may take.
    pub(super) const fn enumeration_steps(&self) -> u64 {
        self.steps.saturating_mul(ORBITS)
    }
}
