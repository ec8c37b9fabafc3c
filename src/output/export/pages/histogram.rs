//! Histograms of counts with doubling classes, because counts cover many magnitudes.

use crate::draw::INK;
use std::fmt::Write;

/// The color of bars: distinct from white and from black.
const BAR: &str = "#3d85c6";
/// Sizes in pixels.
const CHART_WIDTH: usize = 560;
const ROW_HEIGHT: usize = 22;
const LABEL_WIDTH: usize = 150;
const NUMBER_WIDTH: usize = 60;

/// Groups counts into classes with their numbers of figures. The classes are 0, 1, 2 to 3, 4 to 7, …. Covers the
/// range from the first to the last non-empty class.
pub fn doubling_classes(counts: &[u128]) -> Vec<(String, usize)> {
    // Class k > 0 contains 2^(k-1) ≤ count < 2^k.
    let class = |count: u128| (u128::BITS - count.leading_zeros()) as usize;
    let mut numbers = [0_usize; 129];
    for &count in counts {
        numbers[class(count)] += 1;
    }
    let Some(first) = numbers.iter().position(|&n| n > 0) else { return Vec::new() };
    let last = numbers.iter().rposition(|&n| n > 0).unwrap_or(first);
    let label = |k: usize| match k {
        0 => "0".to_owned(),
        1 => "1".to_owned(),
        _ => format!("{} to {}", 1_u128 << (k - 1), u128::MAX >> (128 - k)),
    };
    (first..=last).map(|k| (label(k), numbers[k])).collect()
}

/// Draws the classes as SVG bars with labels and numbers. The SVG is self-contained, and readable on white and on
/// black. Empty without counts.
pub fn histogram_svg(classes: &[(String, usize)], title: &str) -> String {
    let Some(most) = classes.iter().map(|(_, n)| *n).max().filter(|&n| n > 0) else {
        return String::new();
    };
    let height = ROW_HEIGHT * classes.len() + 8;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {CHART_WIDTH} {height}\" width=\"{CHART_WIDTH}\" \
         height=\"{height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\"><title>{title}</title>"
    );
    for (at, (label, number)) in classes.iter().enumerate() {
        let (top, base) = (4 + at * ROW_HEIGHT, 4 + at * ROW_HEIGHT + 15);
        let bar = (CHART_WIDTH - LABEL_WIDTH - NUMBER_WIDTH) * number / most;
        let bar = if *number > 0 { bar.max(2) } else { 0 };
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\" fill=\"{INK}\">{label}</text>\
             <rect x=\"{LABEL_WIDTH}\" y=\"{top}\" width=\"{bar}\" height=\"{}\" fill=\"{BAR}\"/>\
             <text x=\"{}\" y=\"{base}\" fill=\"{INK}\">{number}</text>",
            LABEL_WIDTH - 8,
            ROW_HEIGHT - 5,
            LABEL_WIDTH + bar + 6,
        );
    }
    svg += "</svg>\n";
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_in_the_class_that_names_it() {
        let counts = [0, 0, 1, 2, 3, 4, 7, 8, 240, u128::MAX];
        let classes = doubling_classes(&counts);
        assert_eq!(classes.iter().map(|(_, n)| n).sum::<usize>(), counts.len());
        assert_eq!(classes[0], ("0".to_owned(), 2));
        assert_eq!(classes[2], ("2 to 3".to_owned(), 2));
        assert_eq!(classes[3], ("4 to 7".to_owned(), 2));
        assert_eq!(classes[8], ("128 to 255".to_owned(), 1));
        assert_eq!(classes.len(), 129);
        assert!(doubling_classes(&[]).is_empty());
    }
}
