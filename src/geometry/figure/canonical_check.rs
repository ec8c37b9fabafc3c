//! A check that a text is the canonical form of a figure, several times as fast as computing the form.
//!
//! Merges check signatures by the million. A text states a position, and most other positions are ruled out without
//! looking at cells one by one. By the definition in [`super::canonical`], the position must have the smallest
//! descriptions of its axes: none may be smaller in the other direction, and they must ascend from x to z. Only
//! transforms that keep all descriptions are left to compare: none for most figures, and for symmetric ones a few beyond
//! their symmetries. A transform whose image has a higher last cell is settled by that cell.
//!
//! This confirms signatures of small figures. What it does not confirm, the definition decides.

use super::signature::digit_value;
use super::{Candidate, Columns, Identity, ParseSignatureError, Signature};
use crate::lattice::Transform;
use crate::symmetry::Group;
use std::cmp::Ordering;

/// The most cells of a figure, and the most layers of its box.
const MOST: usize = 64;

/// The most cells of a box.
const MOST_VOLUME: usize = 4096;

/// For each transform, a bit for each image axis: that of its source axis and direction, three pairs to an axis.
static SOURCES: [u32; 48] = {
    let (mut all, mut index) = ([0; 48], 0);
    while index < 48 {
        let sources = Transform::from_index(index).sources();
        let mut image = 0;
        while image < 3 {
            let (axis, negated) = sources[image];
            all[index] |= 1 << (6 * image + 2 * axis + negated as usize);
            image += 1;
        }
        index += 1;
    }
    all
};

impl Columns {
    /// Derives the columns of a signature that is canonical up to `identity`, and the group of its figure.
    ///
    /// # Errors
    /// If the text is not a signature, or not the canonical one.
    pub fn of_signature(
        signature: &Signature,
        identity: Identity,
    ) -> Result<(Self, Group), ParseSignatureError> {
        let quick = match identity {
            Identity::Reflections => Placed::read(signature.as_str()).and_then(|placed| {
                let group = placed.group_if_canonical()?;
                Some((placed.columns(signature, group)?, group))
            }),
            Identity::Rotations => None,
        };
        if let Some(known) = quick {
            return Ok(known);
        }
        let candidate = Candidate::new(signature.figure()?, identity);
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
    len: usize,
    /// The coordinates of the cells, in the order of their numbers. The others are those of the last cell.
    at: [[i16; MOST]; 3],
    /// The number of the last cell.
    last: i16,
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
        let [x, y, z] = extents;
        let volume = x * y * z;
        if volume > MOST_VOLUME {
            return None;
        }
        let mut placed =
            Self { extents, len: 0, at: [[0; MOST]; 3], last: 0, board: [0; MOST_VOLUME / 64] };
        match mark {
            b'-' => placed.read_bitmap(rest)?,
            _ => placed.read_gaps(rest)?,
        }
        // A signature has a bitmap if the figure fills an eighth of its box, else gaps.
        if placed.len == 0 || (mark == b'-') != (volume <= 8 * placed.len) {
            return None;
        }
        for axis in &mut placed.at {
            let last = axis[placed.len - 1];
            axis[placed.len..].fill(last);
        }
        Some(placed)
    }

    fn read_bitmap(&mut self, digits: &[u8]) -> Option<()> {
        if digits.len() != self.extents.iter().product::<usize>().div_ceil(5) {
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
    fn push(&mut self, number: usize) -> Option<()> {
        let [x, y, z] = self.extents;
        if self.len == MOST || number >= x * y * z {
            return None;
        }
        let (row, layer) = (number / x, number / (x * y));
        let cell = [number - row * x, row - layer * y, layer];
        for (axis, value) in self.at.iter_mut().zip(cell) {
            axis[self.len] = value as i16;
        }
        self.board[number / 64] |= 1 << (number % 64);
        (self.len, self.last) = (self.len + 1, number as i16);
        Some(())
    }

    /// Counts the cells in the layers along each axis. Returns `None` if an outer layer is empty.
    fn layers(&self) -> Option<[Layers; 3]> {
        let mut all = [Layers { counts: [0; MOST], len: 0 }; 3];
        for ((layers, at), &extent) in all.iter_mut().zip(&self.at).zip(&self.extents) {
            for &value in &at[..self.len] {
                layers.counts[value as usize] += 1;
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
        // The sources with the description of each image axis.
        let mut same = 0;
        for (image, own) in alike.into_iter().enumerate() {
            for axis in (0..3).filter(|axis| alike[*axis] == own) {
                let both = if directions[axis].is_eq() { 0b11 } else { 0b01 };
                same |= both << (6 * image + 2 * axis);
            }
        }
        let mut group = 1;
        let keep_descriptions = (1..48).filter(|index| SOURCES[*index] & !same == 0);
        for t in keep_descriptions.map(Transform::from_index) {
            match self.compare_with_image(t) {
                Ordering::Less => {}
                Ordering::Equal => group |= 1 << t.index(),
                Ordering::Greater => return None,
            }
        }
        Some(Group::from_trusted_mask(group))
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
        self.last.cmp(&last).then_with(|| {
            let mut board = [0; MOST_VOLUME / 64];
            for &number in &numbers[..self.len] {
                board[number as usize / 64] |= 1 << (number % 64);
            }
            let words = self.last as usize / 64 + 1;
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

    /// Counts the parts: removes one after the other from the board.
    fn parts(&self) -> usize {
        let [x, y, z] = self.extents;
        let (mut board, mut parts) = (self.board, 0);
        let mut open = [0_u16; MOST];
        while let Some(word) = board.iter().position(|word| *word != 0) {
            let start = 64 * word + board[word].trailing_zeros() as usize;
            board[word] &= board[word] - 1;
            (open[0], parts) = (start as u16, parts + 1);
            let mut len = 1;
            while len > 0 {
                len -= 1;
                let at = usize::from(open[len]);
                let (row, layer) = (at / x, at / (x * y));
                let (column, row) = (at - row * x, row - layer * y);
                let steps = [
                    (column > 0, at.wrapping_sub(1)),
                    (column + 1 < x, at + 1),
                    (row > 0, at.wrapping_sub(x)),
                    (row + 1 < y, at + x),
                    (layer > 0, at.wrapping_sub(x * y)),
                    (layer + 1 < z, at + x * y),
                ];
                for (_, to) in steps.into_iter().filter(|(inside, _)| *inside) {
                    let bit = 1 << (to % 64);
                    if board[to / 64] & bit != 0 {
                        board[to / 64] &= !bit;
                        open[len] = to as u16;
                        len += 1;
                    }
                }
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
            let known = Candidate::new(figure, Identity::Reflections);
            let canonical = known.signature().figure().unwrap();
            for t in Transform::all() {
                let position = canonical.transformed(t);
                let text = stated(&position);
                let found = Columns::of_signature(&text, Identity::Reflections);
                if text != *known.signature() {
                    assert!(found.is_err(), "{text}");
                    continue;
                }
                let expected = Candidate::new(position, Identity::Reflections);
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
            assert!(Columns::of_signature(&text, Identity::Reflections).is_err(), "{text}");
        }
    }

    /// Writes a figure as a signature in its position, canonical or not.
    fn stated(figure: &Figure) -> Signature {
        let [x, y, _] = figure.extents().map(u128::from);
        let number = |c: &Cell| c.x as u128 + x * (c.y as u128 + y * c.z as u128);
        let mut numbers: Vec<u128> = figure.cells().iter().map(number).collect();
        numbers.sort_unstable();
        Signature::encode(Identity::Reflections, figure.extents(), &numbers)
    }
}
