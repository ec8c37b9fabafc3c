//! Numbers of figures that are known before they are listed.
//!
//! Earlier enumerations counted the connected figures of each symmetry class of order 3 and more, up to some number of
//! cells, and `somacat verify` counted them again by another method. A question without a box is a union of such
//! classes, so its size is a sum of their numbers.

use super::SymmetricSpec;
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::Class;

macro_rules! sequences {
    ($($number:literal)+) => {
        &[$((
            concat!("A", $number),
            include_str!(concat!(env!("CATALOG"), "/sequences/b", $number, ".txt")),
        )),+]
    };
}

/// The files of `catalog/sequences/` by their numbers in the OEIS. A line is a number of cells and one of figures.
static SEQUENCES: &[(&str, &str)] = sequences![
    "376965" "376968" "376971" "376972" "376973" "376975" "376976" "376977" "376978" "376979" "376980" "376981"
    "376982" "376983" "376984" "376985" "376986" "376987" "376988" "376989" "376990" "376991" "377127" "377128"
    "377129" "377130" "377131"
];

/// Numbers of `catalog/atlas/` beyond these files.
const ATLAS: [(&str, usize, u128); 5] = [
    ("C2h(face)", 27, 10_528_490),
    ("C2v(edge)", 27, 11_944_164),
    ("C2v(face,planar)", 27, 70_296_348),
    ("C4h", 54, 272_133),
    ("D2d(face axes)", 54, 302_167),
];

/// Returns the number of connected figures whose group is of a class, if it is known. Mirror images are one figure.
fn known_in_class(class: Class, cells: usize) -> Option<u128> {
    let of_file = || {
        let (_, text) = SEQUENCES.iter().find(|(name, _)| *name == class.oeis())?;
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{cells} ")))?;
        line.trim().parse().ok()
    };
    let of_atlas = || ATLAS.iter().find(|(name, size, _)| *name == class.name() && *size == cells);
    of_file().or_else(|| of_atlas().map(|(.., figures)| *figures))
}

/// Returns the number of a question's figures, if that of each of its classes is known.
pub(super) fn known_total(spec: &SymmetricSpec) -> Option<u128> {
    let longest = u32::try_from(spec.cells).ok()?;
    if spec.parts != 1 || spec.tight_bounds() != Some([longest; 3]) {
        return None;
    }
    let in_class = |class: Class| {
        // Of a figure without reflections, the mirror image is another figure.
        let has_twin = spec.equivalence == Equivalence::Rotations && class.groups()[0].is_chiral();
        Some(known_in_class(class, spec.cells)? * if has_twin { 2 } else { 1 })
    };
    spec.exact_classes().into_iter().map(in_class).sum()
}
