//! The text of the canonical form.
//!
//! In `s1-3x3x3-zzzzz3`, `s` means "up to all 48 transforms" (`r` means "up to the 24 rotations"). The version follows,
//! then the extents X ≤ Y ≤ Z of the bounding box, and the cells. Cells are numbered x + X·(y + Y·z) and written with
//! 32 digits, `0…9 a…z` without i, l, o, u:
//!
//! * after `-`, the bitmap of the box, five cells to a digit, the lowest number in the lowest bit;
//! * after `.`, if the box has more than eight times as many cells as the figure, the gaps: each number minus its
//!   predecessor minus 1 (the first: the number itself), four bits to a digit, the lowest first, with 16 added to
//!   all but the last digit of a gap.

use super::{Equivalence, Figure};
use crate::lattice::Cell;
use std::fmt;
use std::str::FromStr;

/// The version of the canonical form and of its text. A change to either requires a new version.
pub const SIGNATURE_VERSION: u32 = 1;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The versioned canonical form of a figure as text, ordered as text.
///
/// ```
/// use somacat_geometry::figure::{Figure, Signature};
///
/// let signature: Signature = "s1-3x3x3-zzzzz3".parse()?;
/// assert_eq!(signature.figure()?, Figure::of_box([3, 3, 3]).expect("27 cells"));
/// assert_eq!(signature.extents()?, [3, 3, 3]);
/// # Ok::<(), somacat_geometry::figure::ParseSignatureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signature(Box<str>);

/// The reason why a text is not a signature.
///
/// ```
/// use somacat_geometry::figure::Signature;
///
/// // A straight piece of three cells, written along another axis.
/// let error = "s1-3x1x1-7".parse::<Signature>().unwrap_err();
/// assert_eq!(error.to_string(), "`s1-3x1x1-7` describes a figure whose signature is s1-1x1x3-7");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum ParseSignatureError {
    #[error("`{0}` is not a signature; a signature looks like s1-3x3x3-zzzzz3")]
    Malformed(String),
    #[error(
        "signature `{0}` is not of version {SIGNATURE_VERSION}, which this program reads; \
         import the figure itself again"
    )]
    Version(String),
    #[error("`{given}` describes a figure whose signature is {canonical}")]
    NotCanonical { given: String, canonical: Signature },
}

impl Signature {
    /// Returns the beginning of all signatures with a bounding box. It ends after the sides of the box.
    ///
    /// ```
    /// use somacat_geometry::figure::{Equivalence, Signature};
    ///
    /// assert_eq!(Signature::head(Equivalence::Reflections, [3, 3, 4]), "s1-3x3x4");
    /// ```
    pub fn head(equivalence: Equivalence, extents: [u32; 3]) -> String {
        let mut text = String::with_capacity(48);
        text.push(equivalence.prefix());
        push_number(&mut text, SIGNATURE_VERSION);
        for (extent, separator) in extents.into_iter().zip(['-', 'x', 'x']) {
            text.push(separator);
            push_number(&mut text, extent);
        }
        text
    }

    /// Encodes the canonical form of the cells `numbers` (ascending) in a box.
    pub(super) fn encode(equivalence: Equivalence, extents: [u32; 3], numbers: &[u128]) -> Self {
        let [x, y, z] = extents;
        let volume = u128::from(x) * u128::from(y) * u128::from(z);
        let mut text = Self::head(equivalence, extents);
        if volume <= 8 * numbers.len() as u128 {
            text.push('-');
            let mut signs = vec![0_u8; volume.div_ceil(5) as usize];
            for &n in numbers {
                signs[(n / 5) as usize] |= 1 << (n % 5);
            }
            text.extend(signs.into_iter().map(|s| DIGITS[s as usize] as char));
        } else {
            text.push('.');
            let mut next = 0;
            for &n in numbers {
                let mut gap = n - next;
                next = n + 1;
                while gap > 15 {
                    text.push(DIGITS[(gap & 15) as usize + 16] as char);
                    gap >>= 4;
                }
                text.push(DIGITS[gap as usize] as char);
            }
        }
        Self(text.into_boxed_str())
    }

    /// Encodes cells given as a set of numbers, like [`Self::encode`]. The box has at most 1,024 cells.
    pub(super) fn encode_board(
        equivalence: Equivalence,
        extents: [u32; 3],
        cells: &[u64; 16],
    ) -> Self {
        let volume: u32 = extents.into_iter().product();
        if volume > 8 * cells.iter().map(|word| word.count_ones()).sum::<u32>() {
            let is_there = |n: &u32| cells[(n >> 6) as usize] >> (n & 63) & 1 == 1;
            let numbers: Vec<u128> = (0..volume).filter(is_there).map(u128::from).collect();
            return Self::encode(equivalence, extents, &numbers);
        }
        let bits_from = |at: usize| {
            let next = cells.get(at / 64 + 1).map_or(0, |word| u128::from(*word) << 64);
            (next | u128::from(cells[at / 64])) >> (at % 64)
        };
        let mut text = Self::head(equivalence, extents);
        text.push('-');
        let digits = (0..volume as usize).step_by(5).map(|at| DIGITS[bits_from(at) as usize & 31]);
        text.extend(digits.map(char::from));
        Self(text.into_boxed_str())
    }

    /// Wraps a text that this program wrote, such as from a catalog.
    ///
    /// The text is not checked. Use [`str::parse`] for text from elsewhere.
    pub fn from_trusted(text: String) -> Self {
        Self(text.into_boxed_str())
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the transforms up to which the form is canonical.
    pub fn equivalence(&self) -> Equivalence {
        if self.0.starts_with('r') { Equivalence::Rotations } else { Equivalence::Reflections }
    }

    /// Returns the sides of the figure's bounding box, ascending.
    ///
    /// # Errors
    /// If the text is malformed, which is possible only after [`Signature::from_trusted`].
    pub fn extents(&self) -> Result<[u32; 3], ParseSignatureError> {
        self.extents_and_code().map(|(extents, _)| extents).ok_or_else(|| self.malformed())
    }

    /// Returns the figure in canonical position.
    ///
    /// # Errors
    /// If the text is malformed, which is possible only after [`Signature::from_trusted`].
    pub fn figure(&self) -> Result<Figure, ParseSignatureError> {
        self.decoded().ok_or_else(|| self.malformed())
    }

    fn malformed(&self) -> ParseSignatureError {
        ParseSignatureError::Malformed(self.0.to_string())
    }

    /// Splits the text into the sides of the box and the code. The code is the cells with the mark in front of them.
    fn extents_and_code(&self) -> Option<([u32; 3], &str)> {
        let bytes = self.0.as_bytes();
        let (mut extents, mut at) = ([0_u32; 3], bytes.iter().position(|&byte| byte == b'-')?);
        for (extent, ends) in extents.iter_mut().zip([b"xx", b"xx", b"-."]) {
            let begin = at + 1;
            at = begin;
            while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
                *extent = extent.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
                at += 1;
            }
            if at == begin || !ends.contains(bytes.get(at)?) {
                return None;
            }
        }
        Some((extents, &self.0[at..]))
    }

    fn decoded(&self) -> Option<Figure> {
        let (extents, code) = self.extents_and_code()?;
        let [x, y, z] = extents.map(u128::from);
        let value = |digit| digit_value(digit).map(u128::from);
        let values: Vec<u128> = code[1..].bytes().map(value).collect::<Option<_>>()?;
        let bitmap = code.starts_with('-');
        let numbers = if bitmap { decode_bitmap(&values) } else { decode_gaps(&values)? };
        if x * y * z == 0 || numbers.last().is_none_or(|&last| last >= x * y * z) {
            return None;
        }
        let cell = |n: &u128| Cell::new((n % x) as i32, (n / x % y) as i32, (n / x / y) as i32);
        Figure::new(numbers.iter().map(cell)).ok()
    }
}

/// The value of each digit by its character; 255 for others.
static VALUES: [u8; 256] = {
    let (mut values, mut digit) = ([u8::MAX; 256], 0);
    while digit < DIGITS.len() {
        values[DIGITS[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
};

/// Returns the value of a digit.
pub(super) fn digit_value(digit: u8) -> Option<u8> {
    Some(VALUES[usize::from(digit)]).filter(|value| *value < 32)
}

/// Writes `s1-3x3x4` without the formatting machinery. Signatures are made by the million.
fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

fn decode_bitmap(values: &[u128]) -> Vec<u128> {
    let bits = values.iter().enumerate().flat_map(|(at, value)| {
        (0..5).filter(move |bit| value >> bit & 1 == 1).map(move |bit| 5 * at as u128 + bit)
    });
    bits.collect()
}

fn decode_gaps(values: &[u128]) -> Option<Vec<u128>> {
    let (mut numbers, mut next, mut gap, mut shift) = (Vec::new(), 0_u128, 0_u128, 0_u32);
    for value in values {
        if shift > 112 {
            return None;
        }
        gap |= (value & 15) << shift;
        shift += 4;
        if *value < 16 {
            numbers.push(next + gap);
            next += gap + 1;
            (gap, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(numbers)
}

impl FromStr for Signature {
    type Err = ParseSignatureError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = || ParseSignatureError::Malformed(text.chars().take(80).collect());
        let (head, _) = text.split_once('-').ok_or_else(malformed)?;
        let equivalence = match head.as_bytes().first() {
            Some(b's') => Equivalence::Reflections,
            Some(b'r') => Equivalence::Rotations,
            _ => return Err(malformed()),
        };
        let version: u32 = head[1..].parse().map_err(|_| malformed())?;
        if version != SIGNATURE_VERSION {
            return Err(ParseSignatureError::Version(text.to_owned()));
        }
        let signature = Self(text.into());
        let canonical = signature.figure()?.canonical_up_to(equivalence).signature;
        if canonical == signature {
            Ok(signature)
        } else {
            Err(ParseSignatureError::NotCanonical { given: text.to_owned(), canonical })
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
