//! Compression of drawings, in the format of zlib (RFC 1950 and 1951).
//!
//! Most pixels of a drawing are those to the left or above. So the longest repetition at these two distances, or at two
//! places that began with the same pixels, is taken, and only where a repetition begins is a place noted. A general
//! compressor, which notes every place, takes seven times as long for files of the same size.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The longest repetition, and the shortest that is taken: shorter ones save nothing.
const LONGEST: usize = 258;
const SHORTEST: usize = 6;
/// The farthest repetition.
const WINDOW: usize = 1 << 15;
/// A repetition of so many bytes is not compared with those noted.
const LONG: usize = 64;
/// The bits of the hash of a place's first bytes: four, so more than a pixel.
const HASH_BITS: u32 = 12;

/// The numbers of symbols: bytes, the end, and classes of lengths; classes of distances; lengths of codes.
const SYMBOLS: usize = 286;
const END: usize = 256;
const DISTANCES: usize = 30;
/// The order in which the lengths of codes for lengths of codes are written.
const LENGTH_ORDER: [usize; 19] =
    [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

enum Token {
    Byte(u8),
    Repetition { length: u16, distance: u16 },
}

/// Compresses rows of pixels, at least one byte, given the bytes of a pixel, and of a row with its filter.
pub(super) fn compress(bytes: &[u8], pixel: usize, row: usize) -> Vec<u8> {
    let tokens = tokens(bytes, pixel, row);
    let mut counts = vec![0; SYMBOLS];
    // A code needs two symbols.
    let mut distance_counts = vec![0; DISTANCES];
    distance_counts[..2].fill(1);
    counts[END] = 1;
    for token in &tokens {
        match *token {
            Token::Byte(byte) => counts[usize::from(byte)] += 1,
            Token::Repetition { length, distance } => {
                counts[length_class(length).class] += 1;
                distance_counts[distance_class(distance).class] += 1;
            }
        }
    }
    let (symbols, distances) = (Codes::new(&counts, 15), Codes::new(&distance_counts, 15));
    // The window's size and a check number, then the only block, which has codes of its own.
    let mut bits = Bits { bytes: vec![0x78, 0x01], waiting: 0, count: 0 };
    bits.push(0b101, 3);
    write_codes(&mut bits, &symbols, &distances);
    for token in &tokens {
        match *token {
            Token::Byte(byte) => symbols.write(&mut bits, usize::from(byte)),
            Token::Repetition { length, distance } => {
                for (codes, part) in
                    [(&symbols, length_class(length)), (&distances, distance_class(distance))]
                {
                    codes.write(&mut bits, part.class);
                    bits.push(part.rest, part.rest_bits);
                }
            }
        }
    }
    symbols.write(&mut bits, END);
    bits.push(0, 7);
    let mut compressed = bits.bytes;
    compressed.extend(simd_adler32::adler32(&bytes).to_be_bytes());
    compressed
}

/// Finds repetitions.
fn tokens(bytes: &[u8], pixel: usize, row: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    // For each hash, the last two places at which it was met, plus 1.
    let mut places = vec![[0; 2]; 1 << HASH_BITS];
    let mut at = 0;
    while at < bytes.len() {
        let most = LONGEST.min(bytes.len() - at);
        let mut best = (0, 0);
        let mut try_from = |distance: usize| {
            if distance <= at.min(WINDOW) {
                let length = common(bytes, at, distance, most);
                best = if length > best.0 { (length, distance) } else { best };
            }
            best.0
        };
        try_from(pixel);
        if try_from(row) < LONG
            && let Some(first) = bytes[at..].first_chunk()
        {
            let hash = u32::from_le_bytes(*first).wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS);
            let noted = &mut places[hash as usize];
            noted.iter().for_each(|place| _ = try_from(at + 1 - place));
            *noted = [at + 1, noted[0]];
        }
        if best.0 >= SHORTEST {
            let (length, distance) = (best.0 as u16, best.1 as u16);
            tokens.push(Token::Repetition { length, distance });
            at += best.0;
        } else {
            // Up to the next pixel. Each row begins with its filter.
            let until = match at % row {
                0 => 1,
                in_row => pixel - (in_row - 1) % pixel,
            };
            tokens.extend(bytes[at..].iter().take(until).map(|&byte| Token::Byte(byte)));
            at = bytes.len().min(at + until);
        }
    }
    tokens
}

/// Returns how many bytes at a place equal those at a distance before it; not more than `most`.
fn common(bytes: &[u8], at: usize, distance: usize, most: usize) -> usize {
    let (here, before) = (&bytes[at..at + most], &bytes[at - distance..]);
    let mut length = 0;
    let (words, _) = here.as_chunks::<8>();
    let (words_before, _) = before.as_chunks::<8>();
    for (word, word_before) in words.iter().zip(words_before) {
        let differs = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*word_before);
        if differs != 0 {
            return length + differs.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let rest = here[length..].iter().zip(&before[length..]);
    length + rest.take_while(|(a, b)| a == b).count()
}

/// A number as its class and the position in the class.
struct Classed {
    class: usize,
    rest: u32,
    rest_bits: u32,
}

/// Each power of two has `1 << class_bits` classes.
fn classed(number: usize, class_bits: u32) -> Classed {
    if number < 2 << class_bits {
        return Classed { class: number, rest: 0, rest_bits: 0 };
    }
    let rest_bits = number.ilog2() - class_bits;
    let class = ((rest_bits as usize) << class_bits) + (number >> rest_bits);
    Classed { class, rest: (number & ((1 << rest_bits) - 1)) as u32, rest_bits }
}

fn length_class(length: u16) -> Classed {
    // The longest has a class of its own.
    let of_lengths = match usize::from(length) {
        LONGEST => Classed { class: 28, rest: 0, rest_bits: 0 },
        length => classed(length - 3, 2),
    };
    Classed { class: END + 1 + of_lengths.class, ..of_lengths }
}

fn distance_class(distance: u16) -> Classed {
    classed(usize::from(distance) - 1, 1)
}

/// A prefix code: for each symbol the bits, the first one lowest, and their number; 0 if the symbol does not occur.
struct Codes {
    codes: Vec<(u32, u32)>,
}

impl Codes {
    /// Creates the code for symbols that occur so often: at least two do. No code is longer than `longest`.
    fn new(counts: &[u32], longest: u32) -> Self {
        let lengths = (0..)
            .map(|shift| code_lengths(counts, shift))
            .find(|lengths| lengths.iter().all(|&length| length <= longest))
            .expect("equal counts have short codes");
        let mut codes: Vec<(u32, u32)> = lengths.iter().map(|&length| (0, length)).collect();
        let mut next = 0_u32;
        for length in 1..=longest {
            for (code, of_symbol) in codes.iter_mut().filter(|(_, of_symbol)| *of_symbol == length)
            {
                *code = next.reverse_bits() >> (u32::BITS - *of_symbol);
                next += 1;
            }
            next <<= 1;
        }
        Self { codes }
    }

    fn write(&self, bits: &mut Bits, symbol: usize) {
        let (code, length) = self.codes[symbol];
        bits.push(code, length);
    }
}

/// Returns the lengths of Huffman's codes. `shift` makes counts more equal.
fn code_lengths(counts: &[u32], shift: u32) -> Vec<u32> {
    let occurring = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut roots: BinaryHeap<Reverse<(u32, usize)>> =
        occurring.map(|(symbol, &count)| Reverse(((count >> shift).max(1), symbol))).collect();
    // Nodes of the tree: symbols, then the others, each after those below it.
    let mut above = vec![0; counts.len()];
    while let (Some(Reverse((one, a))), Some(Reverse((other, b)))) = (roots.pop(), roots.pop()) {
        (above[a], above[b]) = (above.len(), above.len());
        roots.push(Reverse((one + other, above.len())));
        above.push(0);
    }
    let mut depths = vec![0; above.len()];
    for node in (0..above.len()).rev().filter(|&node| above[node] > 0) {
        depths[node] = depths[above[node]] + 1;
    }
    depths.truncate(counts.len());
    depths
}

/// Writes the lengths of both codes, which determine them, by a code of their own.
fn write_codes(bits: &mut Bits, symbols: &Codes, distances: &Codes) {
    let lengths =
        || symbols.codes.iter().chain(&distances.codes).map(|(_, length)| *length as usize);
    let mut counts = vec![0; LENGTH_ORDER.len()];
    lengths().for_each(|length| counts[length] += 1);
    let codes = Codes::new(&counts, 7);
    bits.push((SYMBOLS - 257) as u32, 5);
    bits.push((DISTANCES - 1) as u32, 5);
    bits.push((LENGTH_ORDER.len() - 4) as u32, 4);
    LENGTH_ORDER.iter().for_each(|&length| bits.push(codes.codes[length].1, 3));
    lengths().for_each(|length| codes.write(bits, length));
}

/// Bytes that are written bit by bit, the lowest first.
struct Bits {
    bytes: Vec<u8>,
    waiting: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, bits: u32, count: u32) {
        self.waiting |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.waiting as u8);
            self.waiting >>= 8;
            self.count -= 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use proptest::prelude::*;
    use std::io::Read;

    proptest! {
        /// Few kinds of pixels, so that many repeat, in rows of any width.
        #[test]
        fn zlib_restores_what_was_compressed(
            pixel in 1_usize..5,
            width in 1_usize..300,
            kinds in 1_u8..=255,
            bytes in prop::collection::vec(any::<u8>(), 1..5000),
            repeated in 1_usize..20,
        ) {
            let bytes: Vec<u8> = bytes.iter().map(|byte| byte % kinds).collect();
            let bytes = bytes.repeat(repeated);
            let mut restored = Vec::new();
            let compressed = compress(&bytes, pixel, 1 + pixel * width);
            ZlibDecoder::new(&compressed[..]).read_to_end(&mut restored)?;
            prop_assert!(restored == bytes);
        }
    }
}
