//! All placements of the pieces of a set in a figure.

use crate::solve::Problem;
use somacat_geometry::figure::FigureColors;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::ColoredShape;

/// A piece in place, by numbers.
///
/// ```
/// use somacat_counting::cell_placements::placements;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // A domino lies in a row of three cells in two ways.
/// let all = placements((&Figure::of_box([3, 1, 1])?, &parse_set("D")?));
/// let cells: Vec<&[usize]> = all.iter().map(|placement| placement.cells.as_slice()).collect();
/// assert_eq!(cells, [[0, 1], [1, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellPlacement {
    /// Position in [`somacat_geometry::pieces::PieceSet::pieces`].
    pub piece: usize,
    /// Positions in [`somacat_geometry::figure::Figure::cells`], ascending.
    pub cells: Vec<usize>,
}

/// Lists all placements of each piece of a set in a figure, by piece, then by orientation, then by first cell. Several
/// copies of a piece have the same placements, which are listed once. Colors of the figure's cells are obeyed.
///
/// ```
/// use somacat_counting::cell_placements::placements;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// // The seven pieces lie in the cube in 144, 144, 72, 72, 96, 96 and 64 ways.
/// let all = placements((&Figure::of_box([3, 3, 3])?, &PieceSet::soma(1)));
/// let of_piece = |piece| all.iter().filter(|placement| placement.piece == piece).count();
/// assert_eq!([0, 1, 2, 3, 4, 5, 6].map(of_piece), [144, 144, 72, 72, 96, 96, 64]);
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn placements<'a>(problem: impl Into<Problem<'a>>) -> Vec<CellPlacement> {
    let problem = problem.into();
    let (figure, set) = (problem.figure(), problem.set());
    let number = |cell: Cell| figure.cells().binary_search(&cell).ok();
    let mut all = Vec::new();
    for (piece, (shape, _)) in set.pieces().iter().enumerate() {
        let colors = problem.colors().filter(|_| shape.is_colored());
        let colored = colors.map(|colors| (colors, shape.colored_orientations()));
        for cells in shape.orientations() {
            for &first in figure.cells() {
                let covered = cells.iter().map(|&cell| number(cell - cells[0] + first));
                let covered: Option<Vec<usize>> = covered.collect();
                let allowed = |covered: &Vec<usize>| {
                    colored.as_ref().is_none_or(|(colors, turned)| {
                        let mut turned = turned.iter().filter(|turned| turned.cells == cells);
                        turned.any(|turned| takes(colors, turned, covered))
                    })
                };
                all.extend(covered.filter(allowed).map(|cells| CellPlacement { piece, cells }));
            }
        }
    }
    all
}

/// Returns true if the colors of a figure allow a colored shape on the cells `covered`.
fn takes(colors: &FigureColors, shape: &ColoredShape, covered: &[usize]) -> bool {
    covered.iter().zip(&shape.colors).all(|(&cell, &color)| colors.takes(cell, color))
}
