//! Colors of pieces: the palette of Okabe and Ito without black.
//!
//! Masataka Okabe and Kei Ito, "Color Universal Design" (2002), chose colors that people with any kind of color
//! blindness can distinguish. Further pieces are gray.

use super::label::PieceLabel;

/// Red, green, blue.
pub(super) type Rgb = [u8; 3];

/// A piece's color, and its colors among the 256 of terminals: top, left, right and bottom.
type PieceColor = (char, Rgb, [u8; 4]);

/// The pieces with a fixed color: the seven of SOMA in the palette's colors, then those of SOMA+plus.
///
/// The nearest of a terminal's 256 colors are the same for some sides. These are chosen by contrast.
static PIECES: [PieceColor; 11] = [
    ('V', [0xF0, 0xE4, 0x42], [228, 184, 142, 100]), // yellow
    ('L', [0xE6, 0x9F, 0x00], [221, 214, 136, 94]),  // orange
    ('T', [0x56, 0xB4, 0xE9], [117, 74, 67, 60]),    // sky blue
    ('Z', [0xD5, 0x5E, 0x00], [209, 166, 130, 88]),  // vermilion
    ('A', [0x00, 0x9E, 0x73], [79, 36, 29, 23]),     // bluish green
    ('B', [0x00, 0x72, 0xB2], [69, 25, 18, 16]),     // blue
    ('P', [0xCC, 0x79, 0xA7], [218, 175, 132, 95]),  // reddish purple
    ('D', [0xF2, 0xF2, 0xF2], [231, 252, 248, 244]),
    ('I', [0xC4, 0xC4, 0xC4], [254, 250, 246, 242]),
    ('Q', [0x9A, 0x9A, 0x9A], [249, 245, 241, 238]),
    ('S', [0x76, 0x76, 0x76], [247, 243, 239, 236]),
];

/// The color of cells without a piece: light oak. In 256 colors, black cells, then white ones. In tmux with only 16
/// colors, each side keeps a color of its own.
const PLAIN: Rgb = [0xD8, 0xC3, 0x9A];
const PLAIN_256: [[u8; 4]; 2] = [[230, 180, 59, 235], [187, 137, 238, 233]];

/// The color of text and dots outside the figure. Its contrast is 4.5 : 1 against white and against black.
pub(crate) const INK: &str = "#767676";

/// The color of lines on the figure.
pub(super) const LINE: &str = "#141414";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum FaceSide {
    Top,
    /// The upright face at the left of the picture.
    Left,
    /// The upright face at the right of the picture.
    Right,
    /// The bottom, seen from below.
    Bottom,
}

/// Returns the color of a piece, darker for a further copy of it; `None` means no piece.
pub(super) fn piece_color(label: Option<PieceLabel>) -> Rgb {
    label.map_or(PLAIN, |label| darker(colors_of(label.name).1, label.copy))
}

/// Darkens a color for the second copy of a piece (copy 2), more for the third, and most from the fourth on.
pub(super) fn darker(color: Rgb, copy: usize) -> Rgb {
    let percent = 100 - 18 * copy.clamp(1, 4).saturating_sub(1) as u32;
    color.map(|v| (u32::from(v) * percent / 100) as u8)
}

/// Returns the color of a side in a terminal with 256 colors. Without a piece, white cells are darker than black ones.
pub(super) fn terminal_color(name: Option<char>, side: FaceSide, black: bool) -> u8 {
    name.map_or(PLAIN_256[usize::from(!black)], |name| colors_of(name).2)[side as usize]
}

fn colors_of(name: char) -> &'static PieceColor {
    let known = PIECES.iter().find(|(known, ..)| *known == name.to_ascii_uppercase());
    // A piece of another set has an arbitrary but fixed color.
    known.unwrap_or_else(|| &PIECES[name as usize % PIECES.len()])
}

/// Returns the red, green and blue of a terminal's color. Colors from 16 to 255 are a cube of six levels, and grays.
pub(super) fn rgb_of_256(color: u8) -> Rgb {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match color.saturating_sub(16) {
        at @ 0..=215 => [at / 36, at / 6 % 6, at % 6].map(|level| LEVELS[usize::from(level)]),
        gray => [8 + 10 * (gray - 216); 3],
    }
}

/// Shades a color for one side of a cell. Light comes from above and from the left.
pub(super) fn shade(color: Rgb, side: FaceSide) -> Rgb {
    let toward = |target: u8, percent: u32| {
        color.map(|v| ((u32::from(v) * (100 - percent) + u32::from(target) * percent) / 100) as u8)
    };
    match side {
        FaceSide::Top => toward(255, 28),
        FaceSide::Left => color,
        FaceSide::Right => toward(0, 24),
        FaceSide::Bottom => toward(0, 42),
    }
}

/// Formats a color as `#rrggbb`.
pub(super) fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Computes the relative luminance, 0 to 1. The Web Content Accessibility Guidelines define it.
fn luminance(color: Rgb) -> f64 {
    let [r, g, b] = color.map(|v| {
        let v = f64::from(v) / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Returns whether white letters have more contrast than black ones.
pub(super) fn needs_white(color: Rgb) -> bool {
    let l = luminance(color);
    1.05 / (l + 0.05) > (l + 0.05) / 0.05
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_readable_on_every_side_of_every_piece() {
        for (name, color, _) in PIECES {
            for side in [FaceSide::Top, FaceSide::Left, FaceSide::Right, FaceSide::Bottom] {
                let l = luminance(shade(color, side));
                let contrast = if needs_white(shade(color, side)) {
                    1.05 / (l + 0.05)
                } else {
                    (l + 0.05) / 0.05
                };
                assert!(contrast >= 4.5, "{name} {side:?}: {contrast:.2}");
            }
        }
    }

    fn contrast(a: u8, b: u8) -> f64 {
        let [a, b] = [a, b].map(|color| luminance(rgb_of_256(color)) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn sides_differ_in_256_colors_and_so_do_pieces() {
        let plain = PLAIN_256.as_flattened();
        for (at, &a) in plain.iter().enumerate() {
            assert!(plain[..at].iter().all(|&b| contrast(a, b) > 1.2), "{a} of {plain:?}");
        }
        let mut all: Vec<u8> = Vec::new();
        for (name, _, sides) in PIECES {
            for pair in sides.windows(2) {
                let lighter = luminance(rgb_of_256(pair[0])) > luminance(rgb_of_256(pair[1]));
                assert!(lighter && contrast(pair[0], pair[1]) > 1.2, "{name} {pair:?}");
            }
            // The bottom is seen from below only.
            all.extend(&sides[..3]);
        }
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number, "two pieces share a color");
    }
}
