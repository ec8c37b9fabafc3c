//! Letters as strokes. A picture therefore needs no font and looks the same everywhere.
//!
//! A letter is drawn on a grid with x to the right and y down. Capitals reach from 0 to 6, small letters from 2 to
//! 6, and descenders to 8. In the table a stroke is a list of points `xy`; a comma lifts the pen.

/// The points through which the pen moves.
pub(super) type Stroke = Vec<[f64; 2]>;

/// The height of a capital letter on the grid.
pub(super) const CAP_HEIGHT: f64 = 6.0;

const SPACE: f64 = 3.0;
const BETWEEN: f64 = 2.0;

/// An empty box, for any other name of a piece.
const BOX: &str = "00 40 46 06 00";

/// Letters and their strokes.
const LETTERS: [(&str, &str); 96] = [
    ("A", "06 20 46,14 34"),
    ("B", "03 33 44 45 36 06 00 30 41 42 33"),
    ("C", "41 30 10 01 05 16 36 45"),
    ("D", "00 06 26 44 42 20 00"),
    ("E", "40 00 06 46,03 33"),
    ("F", "40 00 06,03 33"),
    ("G", "41 30 10 01 05 16 36 45 43 23"),
    ("H", "00 06,40 46,03 43"),
    ("I", "20 26,10 30,16 36"),
    ("J", "40 45 36 16 05"),
    ("K", "00 06,40 03 46"),
    ("L", "00 06 46"),
    ("M", "06 00 23 40 46"),
    ("N", "06 00 46 40"),
    ("O0", "10 30 41 45 36 16 05 01 10"),
    ("P", "06 00 30 41 42 33 03"),
    ("Q", "10 30 41 45 36 16 05 01 10,24 46"),
    ("R", "06 00 30 41 42 33 03,23 46"),
    ("S", "41 30 10 01 02 13 33 44 45 36 16 05"),
    ("T", "00 40,20 26"),
    ("U", "00 05 16 36 45 40"),
    ("V", "00 26 40"),
    ("W", "00 16 22 36 40"),
    ("X", "00 46,40 06"),
    ("Y", "00 23 40,23 26"),
    ("Z", "00 40 06 46"),
    ("1", "01 10 16,06 26"),
    ("2", "01 10 30 41 42 06 46"),
    ("3", "01 10 30 41 42 33 13,33 44 45 36 16 05"),
    ("4", "36 30 04 44"),
    ("5", "40 00 03 33 44 45 36 16 05"),
    ("6", "41 30 10 01 05 16 36 45 44 33 03"),
    ("7", "00 40 16"),
    ("8", "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33"),
    ("9", "05 16 36 45 41 30 10 01 02 13 43"),
    ("a", "32 36,33 22 12 03 05 16 26 35"),
    ("b", "00 06,03 12 22 33 35 26 16 05"),
    ("c", "33 22 12 03 05 16 26 35"),
    ("d", "30 36,33 22 12 03 05 16 26 35"),
    ("e", "04 34 33 22 12 03 05 16 26 35"),
    ("f", "30 20 11 16,02 22"),
    ("g", "33 22 12 03 05 16 26 35,32 37 28 18 07"),
    ("h", "00 06,03 12 22 33 36"),
    ("i", "02 06,00 00"),
    ("j", "12 17 08,10 10"),
    ("k", "00 06,32 04 36"),
    ("l", "00 05 16"),
    ("m", "06 02,03 12 23 26,23 32 43 46"),
    ("n", "02 06,03 12 22 33 36"),
    ("o", "12 22 33 35 26 16 05 03 12"),
    ("p", "02 08,03 12 22 33 35 26 16 05"),
    ("q", "32 38,33 22 12 03 05 16 26 35"),
    ("r", "02 06,03 12 22"),
    ("s", "32 12 03 14 24 35 26 06"),
    ("t", "10 15 26,02 22"),
    ("u", "02 05 16 26 35,32 36"),
    ("v", "02 26 42"),
    ("w", "02 16 23 36 42"),
    ("x", "02 36,32 06"),
    ("y", "02 26,42 18"),
    ("z", "02 32 06 36"),
    (".", "06 06"),
    (",", "16 07"),
    (":", "03 03,06 06"),
    (";", "13 13,16 07"),
    ("-", "04 24"),
    ("+", "22 26,04 44"),
    ("/", "06 40"),
    ("(", "20 11 15 26"),
    (")", "00 11 15 06"),
    ("=", "03 43,05 45"),
    ("!", "10 14,16 16"),
    ("?", "01 10 30 41 42 33 24,26 26"),
    ("'’‘", "00 02"),
    ("\"“”", "00 02,20 22"),
    ("#", "10 06,30 26,02 42,04 44"),
    ("%", "06 40,01 11,35 45"),
    ("&", "46 02 11 20 31 32 04 05 16 26 44"),
    ("*", "22 26,03 45,05 43"),
    ("<", "42 04 46"),
    (">", "02 44 06"),
    ("[", "20 00 06 26"),
    ("]", "00 20 26 06"),
    ("_", "06 46"),
    ("–—", "04 44"),
    ("·", "04 04"),
    ("…", "06 06,26 26,46 46"),
    ("×", "02 46,42 06"),
    ("°", "10 20 21 11 10"),
    ("ß", "06 01 10 20 31 22 33 35 26 16"),
    ("ø", "12 22 33 35 26 16 05 03 12,06 32"),
    ("Ø", "10 30 41 45 36 16 05 01 10,06 40"),
    ("æ", "02 12 22 24 04 05 16 22,24 44 43 32 22 26 36 45"),
    ("Æ", "06 20 26 46,14 24,20 40,23 43"),
    ("ł", "00 05 16,12 04"),
    ("ı", "02 06"),
];

fn strokes_of(letter: char) -> &'static str {
    let drawn = LETTERS.iter().find(|(letters, _)| letters.contains(letter));
    drawn.map_or(BOX, |(_, strokes)| strokes)
}

/// Marks above or below letters: their strokes above a small letter, the letters that have them, and these without.
const MARKS: [(&str, &str, &str); 8] = [
    ("11 20", "áéíóúýćńśźÁÉÍÓÚÝĆŃŚŹ", "aeıouycnszAEIOUYCNSZ"),
    ("10 21", "àèìòùÀÈÌÒÙ", "aeıouAEIOU"),
    ("00 00,20 20", "äëïöüÿÄËÏÖÜ", "aeıouyAEIOU"),
    ("01 10 21", "âêîôûÂÊÎÔÛ", "aeıouAEIOU"),
    ("01 10 21 30", "ãñõÃÑÕ", "anoANO"),
    ("00 20 21 01 00", "åůÅŮ", "auAU"),
    ("00 11 20", "čěňřšžČĚŇŘŠŽ", "cenrszCENRSZ"),
    ("26 17", "çşÇŞ", "csCS"),
];

/// Splits a marked letter into the plain letter and the mark's strokes.
fn marked(letter: char) -> Option<(char, &'static str)> {
    MARKS.iter().find_map(|(strokes, with, without)| {
        let at = with.chars().position(|known| known == letter)?;
        Some((without.chars().nth(at)?, *strokes))
    })
}

/// Returns whether every letter of a line of text can be drawn.
pub(super) fn has_letters(line: &str) -> bool {
    let plain = |letter| marked(letter).map_or(letter, |(plain, _)| plain);
    line.chars().all(|letter| letter == ' ' || strokes_of(plain(letter)) != BOX)
}

/// Returns the strokes of a line of text and its width. The line begins at the origin of the letters' grid.
pub(super) fn text(line: &str) -> (Vec<Stroke>, f64) {
    let (mut strokes, mut x, mut end) = (Vec::new(), 0.0, 0.0);
    for letter in line.chars() {
        if letter == ' ' {
            x += SPACE;
            continue;
        }
        let (plain, mark) = marked(letter).unwrap_or((letter, ""));
        let mut width: f64 = 0.0;
        for stroke in strokes_of(plain).split(',') {
            let points = points_of(stroke);
            width = points.iter().fold(width, |w, p| w.max(p[0]));
            strokes.push(points.iter().map(|[px, py]| [px + x, *py]).collect());
        }
        // Marks of capitals are above the line of letters.
        let lift = if plain.is_uppercase() && !mark.starts_with('2') { 2.0 } else { 0.0 };
        for stroke in mark.split(',').filter(|stroke| !stroke.is_empty()) {
            let right = x + width / 2.0 - 1.0;
            strokes
                .push(points_of(stroke).iter().map(|[px, py]| [px + right, py - lift]).collect());
        }
        end = x + width;
        x = end + BETWEEN;
    }
    (strokes, end)
}

fn points_of(stroke: &str) -> Stroke {
    let point = |pair: &str| {
        let digit = |at: usize| f64::from(pair.as_bytes()[at] - b'0');
        [digit(0), digit(1)]
    };
    stroke.split(' ').map(point).collect()
}

/// Breaks a text at spaces into lines of at most `width`.
pub(super) fn wrap(paragraph: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text(&format!("{line} {word}")).1 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_scripts_cannot_be_drawn() {
        assert!(has_letters("Čeněk’s tower – 2"));
        for line in ["\u{4e2d}\u{570b}", "a tower \u{4e2d}", "\u{442}", "\u{3b1}"] {
            assert!(!has_letters(line), "{line}");
        }
    }

    #[test]
    fn latin_letters_and_signs_are_drawn() {
        let box_ = text("\u{4e2d}").0;
        let ascii: String = (' '..='~').filter(|c| !"$@\\^`{|}~".contains(*c)).collect();
        let letters: String = MARKS.iter().flat_map(|(_, with, _)| with.chars()).collect();
        for c in (ascii + &letters + "ßøØæÆł–—’“”…×°").chars() {
            let (strokes, width) = text(&c.to_string());
            assert!(c == ' ' || strokes != box_, "{c}");
            assert!(has_letters(&c.to_string()), "{c}");
            assert!(
                strokes
                    .iter()
                    .flatten()
                    .all(|[x, y]| (-1.0..=5.0).contains(x) && (-2.0..=8.0).contains(y)),
                "{c} {width}"
            );
        }
        for (_, with, without) in MARKS {
            assert_eq!(with.chars().count(), without.chars().count());
            // A mark is added to the plain letter.
            for (c, plain) in with.chars().zip(without.chars()) {
                assert_eq!(
                    text(&c.to_string()).0[..text(&plain.to_string()).0.len()],
                    text(&plain.to_string()).0
                );
                assert_ne!(text(&c.to_string()).0, text(&plain.to_string()).0);
            }
        }
    }
}
