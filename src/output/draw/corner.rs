//! The eight corners from which a figure can be seen.

use somacat_geometry::lattice::Cell;
use std::fmt;
use std::str::FromStr;

/// The viewer's position: beyond one corner of the figure's box, looking at its center.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Corner {
    /// True at the right side (larger x), false at the left.
    pub right: bool,
    /// True in front (larger y), false behind.
    pub front: bool,
    /// True above (smaller z), false below.
    pub above: bool,
}

/// A text that does not name a corner.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a corner; write left or right, front or back, top or bottom, as in right-front-top"
)]
pub struct ParseCornerError(pub String);

impl Corner {
    /// Returns the eight corners, the default one first.
    pub fn iter() -> [Self; 8] {
        std::array::from_fn(|at| Self {
            right: at & 1 == 0,
            front: at & 2 == 0,
            above: at & 4 == 0,
        })
    }

    /// Returns the four upper corners, the default one first.
    pub fn upper() -> impl Iterator<Item = Self> {
        Self::iter().into_iter().filter(|corner| corner.above)
    }

    /// Returns the corner as a sentence: `Seen from the left, in front and above.` Empty for the default one.
    pub fn in_words(self) -> String {
        if self == Self::default() {
            return String::new();
        }
        let side = if self.right { "right" } else { "left" };
        let depth = if self.front { "in front" } else { "behind" };
        let height = if self.above { "above" } else { "below" };
        format!("Seen from the {side}, {depth} and {height}.")
    }

    /// Turns a cell about the upright axis to suit the default corner. From there it looks as it did before from this
    /// upper corner.
    pub const fn turned_to_default(self, Cell { x, y, z }: Cell) -> Cell {
        match (self.right, self.front) {
            (true, true) => Cell::new(x, y, z),
            (false, true) => Cell::new(y, -x, z),
            (true, false) => Cell::new(-y, x, z),
            (false, false) => Cell::new(-x, -y, z),
        }
    }

    /// Returns the direction from the figure to the viewer: +1 or -1 along x, y and upwards.
    pub(super) const fn signs(self) -> [i64; 3] {
        const fn sign(positive: bool) -> i64 {
            if positive { 1 } else { -1 }
        }
        [sign(self.right), sign(self.front), sign(self.above)]
    }
}

impl Default for Corner {
    fn default() -> Self {
        Self { right: true, front: true, above: true }
    }
}

impl fmt::Display for Corner {
    /// Formats as `right-front-top`, which [`str::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.right { "right" } else { "left" };
        let depth = if self.front { "front" } else { "back" };
        let height = if self.above { "top" } else { "bottom" };
        write!(f, "{side}-{depth}-{height}")
    }
}

impl FromStr for Corner {
    type Err = ParseCornerError;

    /// Parses three words in any order, joined by `-`, `,` or blanks.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseCornerError(text.to_owned());
        let (mut right, mut front, mut above) = (None, None, None);
        for word in text.split(['-', ',', ' ']).filter(|word| !word.is_empty()) {
            let (slot, value) = match word.to_ascii_lowercase().as_str() {
                "right" => (&mut right, true),
                "left" => (&mut right, false),
                "front" => (&mut front, true),
                "back" => (&mut front, false),
                "top" => (&mut above, true),
                "bottom" => (&mut above, false),
                _ => return Err(wrong()),
            };
            if slot.replace(value).is_some() {
                return Err(wrong());
            }
        }
        match (right, front, above) {
            (Some(right), Some(front), Some(above)) => Ok(Self { right, front, above }),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_corner_is_read_back_and_nonsense_is_not() {
        for corner in Corner::iter() {
            assert_eq!(corner.to_string().parse(), Ok(corner));
        }
        assert_eq!("Top left front".parse::<Corner>().unwrap().to_string(), "left-front-top");
        for wrong in ["", "top", "left-right-top", "left-front-top-top", "north-front-top"] {
            assert!(wrong.parse::<Corner>().is_err(), "{wrong}");
        }
    }
}
