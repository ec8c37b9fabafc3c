//! A check that a text is the canonical form of a figure, several times as fast as computing the form.
//!
//! Merges check signatures by the million. A text states a position, and most other positions are ruled out without
//! looking at cells one by one. By the definition in [`super::canonical`], the position must have the smallest
//! descriptions of its axes: none may be smaller in the other direction, and they must ascend from x to z. Only
//! transforms that keep all descriptions are left to compare: none for most figures, and for symmetric ones a few beyond
//! their symmetries. A symmetry followed by a transform has the same image as the transform alone, so one transform of
//! each coset is compared. One whose image has a higher last cell is settled by that cell.
//!
//! This confirms signatures of small figures. What it does not confirm, the definition decides.

use super::signature::digit_value;
use super::{Candidate, Columns, Equivalence, ParseSignatureError, Signature};
use crate::lattice::Transform;
use crate::symmetry::Group;
use std::cmp::Ordering;

/// The most cells of a figure, and the most layers of its box.
const MOST: usize = 64;

/// The most cells of a box.
const MOST_VOLUME: usize = 4096;

/// By image axis, source axis and direction: the transforms that map so, as a mask.
static MAPPING: [[[u64; 2]; 3]; 3] = {
    let (mut all, mut index) = ([[[0; 2]; 3]; 3], 0);
    while index < 48 {
        let sources = Transform::from_index(index).sources();
        let mut image = 0;
        while image < 3 {
            let (axis, negated) = sources[image];
            all[image][axis][negated as usize] |= 1 << index;
            image += 1;
        }
        index += 1;
    }
    all
};

impl Columns {
    /// Derives the columns of a signature that is canonical up to `equivalence`, and the group of its figure.
    ///
    /// ```
    /// use somacat_geometry::figure::{Columns, Equivalence};
    ///
    /// let signature = "s1-3x3x3-zzzzz3".parse()?;
    /// let (columns, group) = Columns::of_signature(&signature, Equivalence::Reflections)?;
    /// assert_eq!((columns.cells, columns.parity, group.order()), (27, 1, 48));
    /// # Ok::<(), somacat_geometry::figure::ParseSignatureError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a signature, or not the canonical one.
    pub fn of_signature(
        signature: &Signature,
        equivalence: Equivalence,
    ) -> Result<(Self, Group), ParseSignatureError> {
        let quick = match equivalence {
            Equivalence::Reflections => Placed::read(signature.as_str()).and_then(|placed| {
                let group = placed.group_if_canonical()?;
                Some((placed.columns(signature, group)?, group))
            }),
            Equivalence::Rotations => None,
        };
        if let Some(known) = quick {
            return Ok(known);
        }
        let candidate = Candidate::new(signature.figure()?, equivalence);
        let group = candidate.group();
        match candidate.into_columns() {
            columns if columns.signature == *signature => Ok((columns, group)),
            columns => Err(ParseSignatureError::NotCanonical {
                given: signature.to_string(),
                canonical: columns.signature,
            }),
        }
    }
}

/// A figure in the position that a text states.
struct Placed {
    extents: [usize; 3],
    volume: usize,
    len: usize,
    /// The numbers of the cells, ascending.
    numbers: [u16; MOST],
    /// The coordinates of the cells, in the order of their numbers. The others are those of the last cell.
    at: [[i16; MOST]; 3],
    /// The cells by number.
    board: [u64; MOST_VOLUME / 64],
}

/// The numbers of cells in the non-empty layers along an axis.
#[derive(Clone, Copy)]
struct Layers {
    counts: [u8; MOST],
    len: usize,
}

impl Layers {
    fn counts(&self) -> &[u8] {
        &self.counts[..self.len]
    }

    /// Compares the description of the axis with that of the opposite direction.
    fn compare_directions(&self) -> Ordering {
        self.counts().iter().cmp(self.counts().iter().rev())
    }
}

impl Placed {
    /// Reads a text if it is written as a signature.
    fn read(text: &str) -> Option<Self> {
        let mut rest = text.as_bytes().strip_prefix(b"s1-")?;
        let (mut extents, mut mark) = ([0; 3], 0);
        for (extent, ends) in extents.iter_mut().zip([b"xx", b"xx", b"-."]) {
            let length = rest.iter().take(3).position(|byte| ends.contains(byte))?;
            let (number, after) = rest.split_at(length);
            for &byte in number {
                *extent = 10 * *extent + usize::from(byte.wrapping_sub(b'0'));
            }
            let in_range = number.first() != Some(&b'0') && number.iter().all(u8::is_ascii_digit);
            if !in_range || !(1..=MOST).contains(extent) {
                return None;
            }
            (mark, rest) = (after[0], &after[1..]);
        }
        let volume = extents.iter().product();
        if volume > MOST_VOLUME {
            return None;
        }
        let (numbers, at, board) = ([0; MOST], [[0; MOST]; 3], [0; MOST_VOLUME / 64]);
        let mut placed = Self { extents, volume, len: 0, numbers, at, board };
        match mark {
            b'-' => placed.read_bitmap(rest)?,
            _ => placed.read_gaps(rest)?,
        }
        // A signature has a bitmap if the figure fills an eighth of its box, else gaps.
        if placed.len == 0 || (mark == b'-') != (volume <= 8 * placed.len) {
            return None;
        }
        placed.locate();
        Some(placed)
    }

    fn read_bitmap(&mut self, digits: &[u8]) -> Option<()> {
        if digits.len() != self.volume.div_ceil(5) {
            return None;
        }
        for (&digit, first) in digits.iter().zip((0..).step_by(5)) {
            let mut bits = digit_value(digit)?;
            while bits != 0 {
                self.push(first + bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
            }
        }
        Some(())
    }

    fn read_gaps(&mut self, digits: &[u8]) -> Option<()> {
        let (mut next, mut gap, mut shift) = (0, 0, 0);
        for &digit in digits {
            let value = usize::from(digit_value(digit)?);
            gap |= (value & 15) << shift;
            if value > 15 {
                shift += 4;
                if shift > 12 {
                    return None;
                }
            } else if shift > 0 && value == 0 {
                // A gap has no digits that change nothing.
                return None;
            } else {
                self.push(next + gap)?;
                (next, gap, shift) = (next + gap + 1, 0, 0);
            }
        }
        (shift == 0).then_some(())
    }

    /// Adds the cell with the next number.
    #[inline]
    fn push(&mut self, number: usize) -> Option<()> {
        if self.len == MOST || number >= self.volume {
            return None;
        }
        self.numbers[self.len] = number as u16;
        self.board[number / 64] |= 1 << (number % 64);
        self.len += 1;
        Some(())
    }

    /// Computes the coordinates from the numbers.
    fn locate(&mut self) {
        let [x, y, _] = self.extents.map(|extent| extent as u16);
        let [xs, ys, zs] = &mut self.at;
        let cells = xs.iter_mut().zip(ys).zip(zs).zip(&self.numbers[..self.len]);
        for (((at_x, at_y), at_z), number) in cells {
            let row = number / x;
            let layer = row / y;
            (*at_x, *at_y) = ((number - row * x) as i16, (row - layer * y) as i16);
            *at_z = layer as i16;
        }
        for axis in &mut self.at {
            let last = axis[self.len - 1];
            axis[self.len..].fill(last);
        }
    }

    /// Counts the cells in the layers along each axis. Returns `None` if an outer layer is empty.
    fn layers(&self) -> Option<[Layers; 3]> {
        let mut all = [Layers { counts: [0; MOST], len: 0 }; 3];
        for ((layers, at), &extent) in all.iter_mut().zip(&self.at).zip(&self.extents) {
            for &value in &at[..self.len] {
                layers.counts[value as usize % MOST] += 1;
            }
            if layers.counts[0] == 0 || layers.counts[extent - 1] == 0 {
                return None;
            }
            for at in 0..extent {
                let count = layers.counts[at];
                layers.counts[layers.len] = count;
                layers.len += usize::from(count > 0);
            }
        }
        Some(all)
    }

    /// Returns the group of the figure if no other position is smaller.
    fn group_if_canonical(&self) -> Option<Group> {
        let layers = self.layers()?;
        let directions = layers.each_ref().map(Layers::compare_directions);
        let axes = [(0, 1), (1, 2)].map(|(a, b)| {
            let extents = self.extents[a].cmp(&self.extents[b]);
            extents.then_with(|| layers[a].counts().cmp(layers[b].counts()))
        });
        if directions.iter().chain(&axes).any(|order| *order == Ordering::Greater) {
            return None;
        }
        // The first axis with the same description.
        let alike = match axes.map(Ordering::is_eq) {
            [false, false] => [0, 1, 2],
            [true, false] => [0, 0, 2],
            [false, true] => [0, 1, 1],
            [true, true] => [0, 0, 0],
        };
        // The transforms whose image axes all have the description of their source.
        let mut rest = !1;
        for (image, own) in alike.into_iter().enumerate() {
            let mut same = 0;
            for axis in (0..3).filter(|axis| alike[*axis] == own) {
                let [along, against] = MAPPING[image][axis];
                same |= if directions[axis].is_eq() { along | against } else { along };
            }
            rest &= same;
        }
        let mut symmetries = 1_u64;
        while rest != 0 {
            let t = Transform::from_index(63 - rest.leading_zeros() as usize);
            // The transforms with the same image, as far as symmetries are known.
            let (mut coset, mut known) = (0_u64, symmetries);
            while known != 0 {
                let symmetry = Transform::from_index(known.trailing_zeros() as usize);
                coset |= 1 << symmetry.then(t).index();
                known &= known - 1;
            }
            match self.compare_with_image(t) {
                Ordering::Less => {}
                Ordering::Equal => symmetries |= coset,
                Ordering::Greater => return None,
            }
            rest &= !coset;
        }
        Some(Group::from_trusted_mask(symmetries))
    }

    /// Compares the figure with an image in the same box, as numbers whose bits are the cells.
    fn compare_with_image(&self, t: Transform) -> Ordering {
        let (mut base, mut factors, mut stride) = (0, [0; 3], 1);
        for (axis, negated) in t.sources() {
            let extent = self.extents[axis] as i16;
            factors[axis] = if negated { -stride } else { stride };
            base += if negated { (extent - 1) * stride } else { 0 };
            stride *= extent;
        }
        let ([xs, ys, zs], [fx, fy, fz]) = (&self.at, factors);
        let mut numbers = [0; MOST];
        let half = if self.len <= MOST / 2 { MOST / 2 } else { MOST };
        for (((number, x), y), z) in numbers[..half].iter_mut().zip(xs).zip(ys).zip(zs) {
            *number = base + x * fx + y * fy + z * fz;
        }
        let last = numbers[..half].iter().copied().fold(0, i16::max);
        let own_last = self.numbers[self.len - 1] as i16;
        own_last.cmp(&last).then_with(|| {
            let mut board = [0; MOST_VOLUME / 64];
            for &number in &numbers[..self.len] {
                board[number as usize / 64 % board.len()] |= 1 << (number % 64);
            }
            let words = last as usize / 64 + 1;
            self.board[..words].iter().rev().cmp(board[..words].iter().rev())
        })
    }

    fn columns(&self, signature: &Signature, group: Group) -> Option<Columns> {
        let [xs, ys, zs] = &self.at;
        let cells = xs.iter().zip(ys).zip(zs).take(self.len);
        let odd = cells.filter(|((x, y), z)| (*x ^ *y ^ *z) & 1 == 1).count();
        Some(Columns {
            signature: signature.clone(),
            to_canonical: Transform::IDENTITY,
            cells: self.len,
            extents: self.extents.map(|extent| extent as u32),
            class: group.class(),
            parity: self.len.abs_diff(2 * odd) as u32,
            parts: self.parts(),
        })
    }

    /// Counts the connected parts.
    fn parts(&self) -> usize {
        let (numbers, [x, y, _]) = (&self.numbers[..self.len], self.extents);
        // For each cell, its neighbors.
        let mut near = [0_u64; MOST];
        // That along x has the next number.
        for (low, pair) in numbers.windows(2).enumerate() {
            if pair[1] == pair[0] + 1 && self.at[0][(low + 1) % MOST] > 0 {
                near[low % MOST] |= 2 << low;
                near[(low + 1) % MOST] |= 1 << low;
            }
        }
        for (at, step) in self.at[1..].iter().zip([x, x * y]) {
            // Numbers ascend, so those of the lower neighbors ascend, too.
            let mut low = 0;
            for (high, (&number, &coordinate)) in numbers.iter().zip(at).enumerate() {
                if coordinate == 0 {
                    continue;
                }
                let lower = number - step as u16;
                while self.numbers[low % MOST] < lower {
                    low += 1;
                }
                if self.numbers[low % MOST] == lower {
                    near[low % MOST] |= 1 << high;
                    near[high] |= 1 << low;
                }
            }
        }
        let (mut left, mut parts) = (u64::MAX >> (MOST - self.len), 0);
        while left != 0 {
            let mut open = left & left.wrapping_neg();
            (left, parts) = (left ^ open, parts + 1);
            while open != 0 {
                let found = near[open.trailing_zeros() as usize] & left;
                open = open & (open - 1) | found;
                left ^= found;
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;
    use crate::lattice::Cell;

    /// Of all positions of random figures, many of them symmetric, those that are canonical are confirmed, with the
    /// same columns and group, and no others.
    #[test]
    fn only_canonical_positions_are_confirmed() {
        let mut state = 58_u64;
        let mut random = |below: u64| {
            // A linear congruential generator (Knuth); its upper bits are random enough.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let (mut confirmed, mut symmetric) = (0, 0);
        for _ in 0..600 {
            let [x, y, z] = [4, 4, 5].map(|most| 1 + random(most) as i32);
            let chosen = (0..x * y * z).filter(|_| random(3) > 0).take(30);
            let mut cells: Vec<Cell> =
                chosen.map(|n| Cell::new(n % x, n / x % y, n / x / y)).collect();
            cells.push(Cell::default());
            for _ in 0..random(3) {
                let t = Transform::from_index(random(48) as usize);
                cells.extend(cells.clone().into_iter().map(|cell| t.apply(cell)));
            }
            cells.sort_unstable();
            cells.dedup();
            let figure = Figure::new(cells).unwrap();
            let known = Candidate::new(figure, Equivalence::Reflections);
            let canonical = known.signature().figure().unwrap();
            for t in Transform::iter() {
                let position = canonical.transformed(t);
                let text = written_in_position(&position);
                let found = Columns::of_signature(&text, Equivalence::Reflections);
                if text != *known.signature() {
                    assert!(found.is_err(), "{text}");
                    continue;
                }
                let expected = Candidate::new(position, Equivalence::Reflections);
                let group = expected.group();
                assert_eq!(found, Ok((expected.into_columns(), group)));
                if let Some(placed) = Placed::read(text.as_str()) {
                    assert_eq!(placed.group_if_canonical(), Some(group), "{text}");
                    confirmed += 1;
                    symmetric += u32::from(group != Group::TRIVIAL);
                }
            }
        }
        assert!(confirmed > 500 && symmetric > 100, "{confirmed} {symmetric}");
    }

    /// Texts that describe a figure in other words than its signature.
    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "s1-3x3x3-zzzzz7",
            "s1-3x3x3-zzzzz30",
            "s1-3x3x3-zzzzz",
            "s1-03x3x3-zzzzz3",
            "s1-3x3x4-zzzzz300",
            "s1-3x3x3-zzzzZ3",
            "s2-3x3x3-zzzzz3",
            "s1-3x3x3.zzzzz3",
            "",
        ] {
            let text = Signature::from_trusted(text.to_owned());
            assert!(Columns::of_signature(&text, Equivalence::Reflections).is_err(), "{text}");
        }
    }

    /// Writes a figure as a signature in its position, canonical or not.
    fn written_in_position(figure: &Figure) -> Signature {
        let [x, y, _] = figure.extents().map(u128::from);
        let number = |c: &Cell| c.x as u128 + x * (c.y as u128 + y * c.z as u128);
        let mut numbers: Vec<u128> = figure.cells().iter().map(number).collect();
        numbers.sort_unstable();
        Signature::encode(Equivalence::Reflections, figure.extents(), &numbers)
    }
}
