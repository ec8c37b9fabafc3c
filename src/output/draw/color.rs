//! Colors of pieces: the palette of Okabe and Ito without black.
//!
//! Masataka Okabe and Kei Ito, "Color Universal Design" (2002), chose colors that people with any kind of color
//! blindness can distinguish. Further pieces are gray.

/// Red, green, blue.
pub(super) type Rgb = [u8; 3];

/// The pieces with a fixed color: the seven of SOMA in the palette's colors, then those of SOMA+plus.
const PIECES: [(char, Rgb); 11] = [
    ('V', [0xF0, 0xE4, 0x42]), // yellow
    ('L', [0xE6, 0x9F, 0x00]), // orange
    ('T', [0x56, 0xB4, 0xE9]), // sky blue
    ('Z', [0xD5, 0x5E, 0x00]), // vermilion
    ('A', [0x00, 0x9E, 0x73]), // bluish green
    ('B', [0x00, 0x72, 0xB2]), // blue
    ('P', [0xCC, 0x79, 0xA7]), // reddish purple
    ('D', [0xF2, 0xF2, 0xF2]),
    ('I', [0xC4, 0xC4, 0xC4]),
    ('Q', [0x9A, 0x9A, 0x9A]),
    ('S', [0x76, 0x76, 0x76]),
];

/// Cells without a piece: light oak.
const PLAIN: Rgb = [0xD8, 0xC3, 0x9A];

/// Text and dots outside the figure, with a contrast of 4.5 : 1 against white and against black.
pub(super) const INK: &str = "#767676";

/// Lines on the figure.
pub(super) const LINE: &str = "#141414";

/// The visible side of a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum FaceSide {
    Top,
    /// The bottom, seen from below.
    Bottom,
    /// The upright face at the left of the picture.
    Left,
    /// The upright face at the right of the picture.
    Right,
}

/// Returns the color of a piece; `None` means no piece.
pub(super) fn piece_color(name: Option<char>) -> Rgb {
    let Some(name) = name else { return PLAIN };
    let known = PIECES.iter().find(|(known, _)| *known == name.to_ascii_uppercase());
    // A piece of another set has an arbitrary but fixed color.
    known.map_or_else(|| PIECES[name as usize % PIECES.len()].1, |(_, color)| *color)
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
        for (name, color) in PIECES {
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
}
