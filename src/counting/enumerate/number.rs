//! Permanent numbers of figures.
//!
//! A figure's number is its position among all connected figures of its class and size. To find it, these are listed,
//! and those whose signatures come before are counted; to find the figure of a number, the signature at the position is
//! selected. Nothing is stored, so numbers exist only where listing is fast.

use super::{Enumeration, FoundFigure, Place, ShardRange, SymmetricSpec};
use somacat_geometry::figure::{Candidate, Equivalence, Figure, Signature};
use somacat_geometry::lattice::is_connected;
use somacat_geometry::symmetry::Class;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// The most cells of figures with a number, by class in order. Up to there, listing takes at most a second or two of
/// one core, and has at most 200,000 figures. Larger values would give more figures a number and change none.
#[rustfmt::skip]
const MOST_CELLS: [usize; 33] = [
    0, 0, 0, 0, 0, 0, 27, 19, 20, 21, 27, 27, 32, 27, 28, 27, 47, 37, 42, 33, 35, 35, 36, 40, 43, 55, 83, 65, 55, 95, 83,
    100, 100,
];

/// The number of a figure: its position, from 1, among all connected figures of its size whose group is of the same
/// class, in the order of their signatures. Mirror images are one figure.
///
/// Neither signatures nor classes ever change, so numbers do not either.
///
/// ```
/// use somacat_counting::enumerate::FigureNumber;
///
/// let number: FigureNumber = "Oh-27.1".parse()?;
/// assert_eq!(number.signature()?.as_str(), "s1-3x3x3-zzzzz3");
/// # Ok::<(), somacat_counting::enumerate::NumberError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureNumber {
    class: Class,
    cells: usize,
    position: u64,
}

/// The reason why a number names no figure.
///
/// ```
/// use somacat_counting::enumerate::{FigureNumber, NumberError};
///
/// // Eleven figures of 27 cells contain D3d, of which ten have exactly this symmetry.
/// let number: FigureNumber = "D3d-27.11".parse()?;
/// assert_eq!(number.signature(), Err(NumberError::Beyond { number, figures: 10 }));
/// # Ok::<(), NumberError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum NumberError {
    #[error("`{0}` is not the number of a figure, such as C4-27.17")]
    Malformed(String),
    #[error(
        "`{text}` is not the number of a figure: figures of a class and a size are numbered from 1, and the first is \
         {first}"
    )]
    Spelling { text: String, first: FigureNumber },
    #[error(
        "`{text}` is not the number of a figure: {class} is not a class; numbers look like C4-27.17"
    )]
    NoClass { text: String, class: String },
    #[error("figures of {cells} cells of class {class} have no numbers; there are too many")]
    TooMany { class: Class, cells: usize },
    #[error("no figure has the number {number}; its class has {figures} of that size")]
    Beyond { number: FigureNumber, figures: u64 },
}

impl FigureNumber {
    /// Returns whether a figure has a number: if it is connected, and its class does not have too many figures of its
    /// size.
    ///
    /// ```
    /// use somacat_counting::enumerate::FigureNumber;
    /// use somacat_geometry::figure::{Candidate, Equivalence, Figure};
    ///
    /// let box_without = |cells: usize| {
    ///     let cells = Figure::of_box([3, 3, 3])?.cells()[cells..].to_vec();
    ///     Figure::new(cells).map(|figure| Candidate::new(figure, Equivalence::Reflections))
    /// };
    /// // The cube has a number. Figures whose only symmetry is a mirror have none: there are too many.
    /// let (cube, other) = (box_without(0)?, box_without(2)?);
    /// assert_eq!((cube.class().name(), FigureNumber::exists(&cube)), ("Oh", true));
    /// assert_eq!((other.class().name(), FigureNumber::exists(&other)), ("Cs(diagonal)", false));
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn exists(candidate: &Candidate) -> bool {
        let figure = candidate.figure();
        figure.len() <= MOST_CELLS[candidate.class().number()] && is_connected(figure.cells())
    }

    /// Returns the number of a figure, if it has one.
    ///
    /// Takes up to a second.
    ///
    /// ```
    /// use somacat_counting::enumerate::FigureNumber;
    /// use somacat_geometry::figure::{Candidate, Figure, Equivalence};
    ///
    /// let bar = Candidate::new(Figure::of_box([1, 1, 5])?, Equivalence::Reflections);
    /// assert_eq!(FigureNumber::of(&bar).map(|number| number.to_string()), Some("D4h-5.1".to_owned()));
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn of(candidate: &Candidate) -> Option<Self> {
        Self::of_all(&[candidate]).pop().flatten()
    }

    /// Returns what the numbers of a figure's class and size begin with, also if they have too many figures for numbers.
    ///
    /// ```
    /// use somacat_counting::enumerate::FigureNumber;
    /// use somacat_geometry::figure::{Candidate, Figure, Equivalence};
    ///
    /// let cube = Candidate::new(Figure::of_box([3, 3, 3])?, Equivalence::Reflections);
    /// assert_eq!(FigureNumber::series(&cube), "Oh-27");
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn series(candidate: &Candidate) -> String {
        series(candidate.class(), candidate.figure().len())
    }

    /// Returns whether [`Self::of`] is known to be quick.
    ///
    /// It then takes at most about a fifth of a second. This holds for figures of few cells, and of 27 with at least
    /// four symmetries.
    pub fn is_quick(candidate: &Candidate) -> bool {
        let (cells, order) = (candidate.figure().len(), candidate.class().order());
        cells <= (5 * order / 2).max(16) || (cells == 27 && order >= 4)
    }

    /// Returns the number of each figure that has one. Lists the figures of each class and size once.
    pub fn of_all(candidates: &[&Candidate]) -> Vec<Option<Self>> {
        let mut lists: BTreeMap<(Class, usize), Vec<(Signature, usize)>> = BTreeMap::new();
        for (at, candidate) in candidates.iter().enumerate().filter(|(_, c)| Self::exists(c)) {
            let list = lists.entry((candidate.class(), candidate.figure().len())).or_default();
            list.push((candidate.figure().canonical().signature, at));
        }
        let mut numbers = vec![None; candidates.len()];
        for ((class, cells), mut list) in lists {
            list.sort_unstable();
            let (own, places): (Vec<Signature>, Vec<usize>) = list.into_iter().unzip();
            let mut position = 1;
            for (before, at) in numbers_between(class, cells, &own).into_iter().zip(places) {
                position += before;
                numbers[at] = Some(Self { class, cells, position });
            }
        }
        numbers
    }

    /// Returns the signature of the figure.
    ///
    /// # Errors
    /// If no figure has the number.
    pub fn signature(self) -> Result<Signature, NumberError> {
        let mut list = Vec::new();
        let signature = |found: FoundFigure<'_>| found.candidate().signature().clone();
        for_each(self.class, self.cells, signature, |signature| list.push(signature))?;
        let figures = list.len() as u64;
        match usize::try_from(self.position - 1).ok().filter(|at| *at < list.len()) {
            Some(at) => Ok(list.select_nth_unstable(at).1.clone()),
            None => Err(NumberError::Beyond { number: self, figures }),
        }
    }
}

/// For each signature of `own`, which are sorted, counts the figures of a class that come before it and not before the
/// previous one. Returns an empty list if the class has too many figures.
fn numbers_between(class: Class, cells: usize, own: &[Signature]) -> Vec<u64> {
    // Most figures lie in a box that none of the signatures has, and the box begins a signature.
    let boxes: BTreeSet<[u32; 3]> = own.iter().filter_map(|known| known.extents().ok()).collect();
    let position = |found: FoundFigure<'_>| {
        let mut cells = Vec::new();
        found.list_cells(&mut cells);
        let mut sides = Figure::from_distinct(cells).extents();
        sides.sort_unstable();
        if boxes.contains(&sides) {
            let signature = found.candidate().signature().clone();
            own.partition_point(|known| *known <= signature)
        } else {
            let head = Signature::head(Equivalence::Reflections, sides);
            own.partition_point(|known| known.as_str() < head.as_str())
        }
    };
    let mut between = vec![0; own.len() + 1];
    let all = for_each(class, cells, position, |at| between[at] += 1);
    between.truncate(own.len());
    if all.is_ok() { between } else { Vec::new() }
}

/// Applies `look` in parallel to all connected figures of a class and size, and passes the results to `visit`.
fn for_each<T: Send>(
    class: Class,
    cells: usize,
    look: impl Fn(FoundFigure<'_>) -> T + Sync,
    mut visit: impl FnMut(T),
) -> Result<(), NumberError> {
    let too_many = NumberError::TooMany { class, cells };
    if cells > MOST_CELLS[class.number()] {
        return Err(too_many);
    }
    let enumeration = Enumeration::symmetric(SymmetricSpec::exactly(class, cells));
    let enumeration = enumeration.map_err(|_| too_many)?;
    let never = AtomicBool::new(false);
    let (all, from) = (ShardRange::ALL, Place::default());
    let look = |found: FoundFigure<'_>| Some(look(found));
    let _ = enumeration.for_each_in(all, from, &never, look, &mut |_, result| {
        visit(result);
        ControlFlow::Continue(())
    });
    Ok(())
}

/// Returns what the numbers of a class and size begin with: `C2v-face-planar-27`.
fn series(class: Class, cells: usize) -> String {
    format!("{}-{cells}", plain_name(class))
}

/// Returns the name of a class without brackets, commas and blanks: `C2v-face-planar`.
fn plain_name(class: Class) -> String {
    let words = class.name().split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

impl fmt::Display for FigureNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", series(self.class, self.cells), self.position)
    }
}

impl FromStr for FigureNumber {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let parsed = || {
            let (name, numbers) = text.rsplit_once('-')?;
            let (cells, position) = numbers.split_once('.')?;
            let cells = cells.parse().ok().filter(|cells| *cells > 0)?;
            let position = position.parse().ok()?;
            let class = Class::iter().find(|class| plain_name(*class).eq_ignore_ascii_case(name));
            let first = class.map(|class| Self { class, cells, position: 1 });
            Some((first.ok_or_else(|| name.to_owned()), position))
        };
        let text = text.to_owned();
        match parsed() {
            None => Err(NumberError::Malformed(text)),
            Some((Err(class), _)) => Err(NumberError::NoClass { text, class }),
            Some((Ok(first), position)) => {
                let number = Self { position, ..first };
                // Each number has one spelling, without a sign and without zeros in front.
                let is_spelled = position > 0 && number.to_string().len() == text.len();
                if is_spelled { Ok(number) } else { Err(NumberError::Spelling { text, first }) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_numbers() {
        for class in Class::iter() {
            let number = FigureNumber { class, cells: 27, position: 17 };
            let text = number.to_string();
            assert!(
                text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.'),
                "{text}"
            );
            assert_eq!(text.parse(), Ok(number));
            assert_eq!(text.to_lowercase().parse(), Ok(number));
            assert!(text.parse::<Signature>().is_err());
        }
        for text in ["C4-27", "C4-0.1", "C4.27.1", "C4-27.x", "s1-2x2x2.1"] {
            assert_eq!(text.parse::<FigureNumber>(), Err(NumberError::Malformed(text.to_owned())));
        }
        for text in ["C4-27.0", "C4-027.1", "C4-27.01", "C4-27.+1"] {
            let error = text.parse::<FigureNumber>().unwrap_err().to_string();
            assert!(error.contains(text) && error.ends_with("the first is C4-27.1"), "{error}");
        }
    }
}
