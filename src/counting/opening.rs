//! Taking the pieces out of a box through an opening in its lid.
//!
//! A box has walls on all sides but for an opening in its lid. The lid is one cell thick: the layer of cells above the
//! box is wall, except for the squares of the opening, and everything above the lid is free. A *move* takes one piece by
//! one cell in one of the six directions, onto cells that are neither wall nor another piece's. A piece *is out* once no
//! cell of it is inside of the box and nothing is above it, so that it can be lifted away. Pieces move one at a time and
//! do not turn, and gravity does not count: a piece stays where it was moved.
//!
//! **Pieces come out in any order that works.** Taking a piece away never hurts: the others can make the same moves. So
//! once a piece has come out, it stays out. And moves can be undone: without that piece, the others can go back to where
//! they were. Thus from any arrangement in which a piece leaves, the others come out if they do from the first one. So
//! the search looks for *some* piece that comes out, then begins again with the others, and never takes back a piece.
//! If no arrangement that can be reached lets a piece out, the pieces left stay in the box, and the answer is exact.
//!
//! **Search.** Breadth first over the arrangements: the positions of all pieces left. There may be very many in a box
//! with much room, so each piece first tries alone, with the others at rest, which mostly suffices. After a number of
//! arrangements the search gives up and reports that it is undecided.
//!
//! For example, in a box of two by two cells and one layer with an opening above one corner, three single cubes come
//! out: the one below the opening rises, and each other one slides there first.

use crate::takeapart::Direction;
use somacat_geometry::boxes::cell_image;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::spelling::Spelling;
use somacat_geometry::symmetry::Group;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The inside of a box, and the opening in its lid.
///
/// ```
/// use somacat_counting::opening::{OpenBox, WayOut};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
///
/// // A bar of three cells lies below an opening of one square. It cannot turn upright.
/// let figure = Figure::of_box([3, 1, 1])?;
/// let bar = vec![figure.cells().to_vec()];
/// assert_eq!(OpenBox::new(&figure, [[0, 0]]).take_out(&bar, 1000).end, WayOut::Stuck);
/// let wide = OpenBox::new(&figure, [[0, 0], [1, 0], [2, 0]]);
/// assert_eq!(wide.take_out(&bar, 1000).end, WayOut::Out);
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenBox {
    extents: [u32; 3],
    inside: HashSet<Cell>,
    /// The squares of the opening, as x and y.
    opening: BTreeSet<[i32; 2]>,
}

/// Moves of one piece in one direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slide {
    /// The position of the piece.
    pub piece: usize,
    /// Where it moves.
    pub direction: Direction,
    /// By how many cells. If the piece then is out, until it has left the box.
    pub cells: usize,
    /// True if the piece is out then.
    pub is_out: bool,
}

/// How taking pieces out ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayOut {
    /// All pieces are out.
    Out,
    /// No moves let a further piece out.
    Stuck,
    /// There were more arrangements than the search may look at.
    Undecided,
}

/// The moves that take pieces out of a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenOut {
    /// The moves, in order.
    pub slides: Vec<Slide>,
    /// The positions of the pieces that remain.
    pub left: Vec<usize>,
    /// Whether these can come out.
    pub end: WayOut,
}

/// The positions of the pieces left: how far each was moved.
type Arrangement = Vec<Cell>;

impl OpenBox {
    /// Creates a box. `opening` has the squares of the lid that are open, in the figure's coordinates.
    pub fn new(figure: &Figure, opening: impl IntoIterator<Item = [i32; 2]>) -> Self {
        let inside = figure.cells().iter().copied().collect();
        Self { extents: figure.extents(), inside, opening: opening.into_iter().collect() }
    }

    /// Returns the elements of the figure's symmetry group that keep the lid on top and its opening in place.
    pub fn symmetries(&self, group: Group) -> Group {
        let (up, sides) = (Cell::new(0, 0, -1), self.extents.map(|extent| extent as i32));
        let keeps_opening = |&[x, y]: &[i32; 2]| {
            move |t| {
                let image = cell_image(t, Cell::new(x, y, 0), sides);
                self.opening.contains(&[image.x, image.y])
            }
        };
        let kept = group.iter().filter(|&t| {
            t.apply(up) == up && self.opening.iter().all(|square| keeps_opening(square)(t))
        });
        Group::generated_by(kept)
    }

    /// Returns true unless a cell is wall.
    fn is_free(&self, cell: Cell) -> bool {
        match cell.z {
            0.. => self.inside.contains(&cell),
            -1 => self.opening.contains(&[cell.x, cell.y]),
            _ => true,
        }
    }

    /// Takes pieces out, each given by its cells, as far as possible. Looks at up to `most` arrangements for each piece
    /// that comes out.
    pub fn take_out(&self, pieces: &[Vec<Cell>], most: usize) -> TakenOut {
        let mut left: Vec<usize> = (0..pieces.len()).collect();
        let mut at: Arrangement = vec![Cell::new(0, 0, 0); pieces.len()];
        let mut slides = Vec::new();
        while !left.is_empty() {
            let cells: Vec<&[Cell]> = left.iter().map(|&piece| &pieces[piece][..]).collect();
            let alone = (0..left.len())
                .map(|one| vec![one])
                .find_map(|one| self.leave(&cells, &at, &one, most).ok().flatten());
            let all = || self.leave(&cells, &at, &(0..left.len()).collect::<Vec<_>>(), most);
            let end = match alone.map_or_else(all, |found| Ok(Some(found))) {
                Ok(Some((moves, arrangement))) => {
                    let last: &Slide = moves.last().expect("the piece that leaves moves");
                    let out = last.piece;
                    slides.extend(
                        moves.into_iter().map(|one| Slide { piece: left[one.piece], ..one }),
                    );
                    at = arrangement;
                    at.remove(out);
                    left.remove(out);
                    continue;
                }
                Ok(None) => WayOut::Stuck,
                Err(TooMany) => WayOut::Undecided,
            };
            return TakenOut { slides, left, end };
        }
        TakenOut { slides, left, end: WayOut::Out }
    }

    /// Finds moves of some of the pieces that let one of them out, and the arrangement then. `None` if there are none.
    fn leave(
        &self,
        pieces: &[&[Cell]],
        start: &Arrangement,
        movable: &[usize],
        most: usize,
    ) -> Result<Option<(Vec<Slide>, Arrangement)>, TooMany> {
        // Each arrangement with the one before it and the move between.
        let mut found: Vec<(Arrangement, usize, usize, Direction)> = Vec::new();
        let mut known: HashMap<Arrangement, usize> = HashMap::new();
        let rise = Direction::WORDS[0].0;
        found.push((start.clone(), 0, 0, rise));
        known.insert(start.clone(), 0);
        let mut done = 0;
        while done < found.len() {
            let at = found[done].0.clone();
            if let Some(out) =
                movable.iter().copied().find(|&piece| self.is_out(pieces, &at, piece))
            {
                return Ok(Some((path(&found, done, out, rise), at)));
            }
            for &piece in movable {
                for &(direction, _) in Direction::WORDS {
                    let mut next = at.clone();
                    next[piece] = next[piece] + direction.step();
                    if known.contains_key(&next) || !self.fits(pieces, &next, piece) {
                        continue;
                    }
                    if found.len() >= most {
                        return Err(TooMany);
                    }
                    known.insert(next.clone(), found.len());
                    found.push((next, done, piece, direction));
                }
            }
            done += 1;
        }
        Ok(None)
    }

    /// Returns true if a piece has no cell in a wall or in another piece.
    fn fits(&self, pieces: &[&[Cell]], at: &Arrangement, piece: usize) -> bool {
        let own = |cell: &Cell| *cell + at[piece];
        pieces[piece].iter().all(|cell| self.is_free(own(cell)))
            && (0..pieces.len()).filter(|&other| other != piece).all(|other| {
                let apart = |cell: &Cell| !pieces[other].contains(&(own(cell) - at[other]));
                pieces[piece].iter().all(apart)
            })
    }

    /// Returns true if no cell of a piece is inside of the box and no piece is above it.
    fn is_out(&self, pieces: &[&[Cell]], at: &Arrangement, piece: usize) -> bool {
        let own = || pieces[piece].iter().map(|cell| *cell + at[piece]);
        own().all(|cell| cell.z < 0)
            && (0..pieces.len()).filter(|&other| other != piece).all(|other| {
                pieces[other].iter().map(|cell| *cell + at[other]).all(|above| {
                    own().all(|cell| [cell.x, cell.y] != [above.x, above.y] || above.z > cell.z)
                })
            })
    }
}

/// The search has met too many arrangements.
struct TooMany;

/// Returns the moves to an arrangement in which a piece is out, moves of one piece in one direction together.
fn path(
    found: &[(Arrangement, usize, usize, Direction)],
    mut at: usize,
    out: usize,
    rise: Direction,
) -> Vec<Slide> {
    let mut moves = Vec::new();
    while at > 0 {
        let (_, before, piece, direction) = found[at];
        moves.push((piece, direction));
        at = before;
    }
    moves.reverse();
    let mut slides: Vec<Slide> = Vec::new();
    for (piece, direction) in moves {
        match slides.last_mut() {
            Some(last) if last.piece == piece && last.direction == direction => last.cells += 1,
            _ => slides.push(Slide { piece, direction, cells: 1, is_out: false }),
        }
    }
    match slides.last_mut() {
        Some(last) if last.piece == out && last.direction == rise => last.is_out = true,
        _ => slides.push(Slide { piece: out, direction: rise, cells: 1, is_out: true }),
    }
    slides
}
