//! Translations along the fixed directions, packed into one number.

/// Translations along up to three directions, the first in the highest digits. Packed translations compare
/// lexicographically and add digit by digit, each as one number.
pub(super) type Height = i32;

/// The number of bits of a digit. Digits range from −512 to 511. A figure has at most 150 cells, or fits in a box of at
/// most 150 cells a side. So no translation exceeds half of that range.
const DIGIT: u32 = 10;

/// Packs numbers of translations along each direction.
pub(super) const fn pack(times: [i32; 3]) -> Height {
    (times[0] << (2 * DIGIT)) + (times[1] << DIGIT) + times[2]
}

/// Returns the numbers of translations of a height. Digits have signs, so a negative one has borrowed from the digit
/// before.
pub(super) const fn unpack(height: Height) -> [i32; 3] {
    let half = 1 << (DIGIT - 1);
    let last = ((height + half) & ((1 << DIGIT) - 1)) - half;
    let rest = (height - last) >> DIGIT;
    let middle = ((rest + half) & ((1 << DIGIT) - 1)) - half;
    [(rest - middle) >> DIGIT, middle, last]
}
