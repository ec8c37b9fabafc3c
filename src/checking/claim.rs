//! The claim of a certificate: the figure, the cells that may stay empty, and the pieces with their numbers of copies.
//!
//! A packing of the figure uses each piece at least and at most as often as the claim says, and so many pieces if it
//! gives their number. It fills every cell once, but may leave optional cells empty.

use super::certificate_lines::{CertificateLines, CertificateProblem as Problem};
use super::placements::{NumberedPlacement, placements};
use super::reason::{colors, colors_reached, divisible, part_colors, piece_colors, separate_parts};
use super::turns::{AxisMap, apply, image, orientations, reflections, rotations};
use somacat_geometry::figure::{Figure, Signature};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::{
    Piece, PieceSet, parse_set_with_ranges, reads_as_choice, set_within_limits,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

/// A figure and its pieces.
pub(super) struct Claim {
    pub(super) figure: Figure,
    pub(super) set: PieceSet,
    /// For each cell, true if it may stay empty.
    pub(super) optional: Vec<bool>,
}

/// The copies of a piece that may follow, of the size and with the most marks of a copy; `None` if it lies nowhere.
pub(super) struct Follow {
    pub(super) size: usize,
    pub(super) copies: [usize; 2],
    /// False for a cell left empty.
    pub(super) is_piece: bool,
    pub(super) marks: Option<i128>,
}

/// Returns the most marks that pieces cover together if they fill so many cells, and are so many if `number` is given.
/// `None` if none do.
pub(super) fn best_choice(follow: &[Follow], cells: usize, number: Option<usize>) -> Option<i128> {
    // The most marks for each number of cells and of pieces.
    let mut best = BTreeMap::from([((0, 0), 0)]);
    for &Follow { size, copies: [least, most], is_piece, marks } in follow {
        // Copies that must follow but lie nowhere cover no marks.
        let most = if marks.is_some() { most.min(cells / size) } else { least };
        let mut next = BTreeMap::new();
        for ((filled, pieces), sum) in best {
            for copies in least..=most {
                let pieces = pieces + if is_piece && number.is_some() { copies } else { 0 };
                let filled = filled + copies * size;
                if filled > cells || number.is_some_and(|number| pieces > number) {
                    break;
                }
                let sum = sum + copies as i128 * marks.unwrap_or(0);
                let known = next.entry((filled, pieces)).or_insert(sum);
                *known = sum.max(*known);
            }
        }
        best = next;
    }
    best.get(&(cells, number.unwrap_or(0))).copied()
}

/// Reads the lines before the reason. The claim must be about the figure and the set, if given.
pub(super) fn read_claim(
    lines: &mut CertificateLines<impl BufRead>,
    asked: Option<&Figure>,
    asked_set: Option<&PieceSet>,
) -> Result<Claim, Problem> {
    let signature = lines.take("signature")?;
    let figure = figure(&lines.take("figure")?)?;
    let line = lines.line;
    let mut optional = vec![false; figure.len()];
    if lines.peek()?.is_some_and(|line| line.starts_with("optional ")) {
        for word in lines.take("optional")?.split(' ') {
            match optional.get_mut(number::<usize>(word)?) {
                Some(known) if !*known => *known = true,
                _ => return Err(Problem::Word(word.to_owned())),
            }
        }
    }
    let set = set(lines, asked_set)?;
    // Whether mirror images are the same figure depends on the set.
    let named = signature.parse::<Signature>().ok().and_then(|signature| signature.figure().ok());
    let problem = if !named.is_some_and(|named| is_same(&named, &figure, &set)) {
        Some(Problem::Signature(signature))
    } else if asked.is_some_and(|asked| !is_same(asked, &figure, &set)) {
        Some(Problem::OtherFigure)
    } else {
        None
    };
    match problem {
        Some(problem) => {
            lines.line = line;
            Err(problem)
        }
        None => Ok(Claim { figure, set, optional }),
    }
}

/// Reads the pieces, which must be those of `asked` if given, and those that the name stands for.
fn set(
    lines: &mut CertificateLines<impl BufRead>,
    asked: Option<&PieceSet>,
) -> Result<PieceSet, Problem> {
    let name = lines.take("set")?;
    let mut pieces = vec![piece(&lines.take("piece")?)?];
    while lines.peek()?.is_some_and(|line| line.starts_with("piece ")) {
        pieces.push(piece(&lines.take("piece")?)?);
    }
    let listed = pieces.len();
    let mut set = set_within_limits(&name, pieces)?;
    if set.pieces().len() != listed {
        return Err(Problem::RepeatedPiece);
    }
    if lines.peek()?.is_some_and(|line| line.starts_with("pieces ")) {
        let number = number(&lines.take("pieces")?)?;
        let ranges: Vec<_> = set.ranges().map(|(piece, range)| (piece.clone(), range)).collect();
        set = PieceSet::with_ranges(name.as_str(), ranges, Some(number));
    }
    let own = <[Cell]>::to_vec;
    // A part of a set has its name too. Ranges in a name are those of the pieces.
    let other = |named: &PieceSet| {
        let (named_shapes, own_shapes) = (shapes(named, own), shapes(&set, own));
        let most = |shapes: &[(Vec<Cell>, [usize; 2])]| -> Vec<(Vec<Cell>, usize)> {
            shapes.iter().map(|(shape, [_, most])| (shape.clone(), *most)).collect()
        };
        match named.is_choice() {
            true => named_shapes != own_shapes,
            false => most(&named_shapes) != most(&own_shapes),
        }
    };
    let differs = |asked: &PieceSet| {
        shapes(asked, own) != shapes(&set, own) || asked.number() != set.number()
    };
    let names_other = parse_set_with_ranges(&name).is_ok_and(|named| other(&named));
    match names_other || reads_as_choice(&name) || asked.is_some_and(differs) {
        true => Err(Problem::OtherSet(asked.map_or(name, |asked| asked.name().to_owned()))),
        false => Ok(set),
    }
}

/// Parses a word that is a number.
pub(super) fn number<T: std::str::FromStr>(word: &str) -> Result<T, Problem> {
    word.parse().map_err(|_| Problem::Word(word.to_owned()))
}

fn cells<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Cell>, Problem> {
    words
        .map(|word| {
            let values: Vec<i32> = word.split(',').map(number).collect::<Result<_, _>>()?;
            let triple = <[i32; 3]>::try_from(values);
            triple.map(Cell::from).map_err(|_| Problem::Word(word.to_owned()))
        })
        .collect()
}

/// Parses the figure. Its cells must be in order, because they are identified by number.
fn figure(text: &str) -> Result<Figure, Problem> {
    let cells = cells(text.split(' '))?;
    let figure = Figure::new(cells.iter().copied())?;
    match figure.cells().iter().zip(&cells).find(|(own, given)| own != given) {
        Some((_, given)) => Err(Problem::Word(given.to_string())),
        None => Ok(figure),
    }
}

/// Parses a piece with its copies: a number, or the least and the greatest one.
fn piece(text: &str) -> Result<(Piece, [usize; 2]), Problem> {
    let mut words = text.split(' ');
    let name = words.next().unwrap_or_default();
    let mut letters = name.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return Err(Problem::Word(name.to_owned()));
    };
    let copies = words.next().unwrap_or_default();
    let (least, most) = copies.split_once("..").unwrap_or((copies, copies));
    let [least, most]: [usize; 2] = [number(least)?, number(most)?];
    match least <= most {
        true => Ok((Piece::new(letter, &cells(words)?)?, [least, most])),
        false => Err(Problem::Word(copies.to_owned())),
    }
}

/// Returns true if the same holds for two figures and a set: if they are equal up to rotation, or are mirror images and
/// the set has the mirror image of each piece.
fn is_same(one: &Figure, other: &Figure, set: &PieceSet) -> bool {
    maps(set).any(|map| image(map, one.cells()) == other.cells())
}

/// Returns the maps that change nothing about the packings with a set: the rotations, and the reflections if it has the
/// mirror image of each piece.
fn maps(set: &PieceSet) -> impl Iterator<Item = &'static AxisMap> {
    let mirrored = |cells: &[Cell]| -> Vec<Cell> {
        cells.iter().map(|cell| Cell::new(-cell.x, cell.y, cell.z)).collect()
    };
    let reflects = || shapes(set, <[Cell]>::to_vec) == shapes(set, mirrored);
    let reflections = if reflects() { reflections() } else { &[] };
    rotations().iter().chain(reflections)
}

/// The claim of a sound certificate: the number of packings of the figure with the set, which may be 0.
///
/// ```
/// use somacat_checking::check_certificate;
///
/// // Two V fill a rectangle of 2×3 in two ways: a node for each set of free cells that is reached.
/// let certificate = "somacat certificate 1
/// signature s1-1x2x3-z1
/// figure 0,0,0 0,1,0 0,2,0 1,0,0 1,1,0 1,2,0
/// set V2
/// piece V 2 0,0,0 0,1,0 1,0,0
/// reason count 2
/// 3f > c0
/// 2c > c3
/// 26 > c1
/// 34 > c4
/// end 4
/// ";
/// let certified = check_certificate(certificate.as_bytes(), None, None)?;
/// assert_eq!((certified.raw, certified.nodes, certified.figure.len()), (2, 4, 6));
/// # Ok::<(), somacat_checking::CertificateError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// The figure.
    pub figure: Figure,
    /// The numbers of its cells that may stay empty.
    pub optional: Vec<usize>,
    /// The pieces, perhaps with ranges of copies.
    pub set: PieceSet,
    /// The kind of the proof.
    pub kind: ProofKind,
    /// The number of all packings; 0 if the figure cannot be built. Equal pieces are not distinguished, and the images
    /// of a packing under the figure's symmetries count.
    pub raw: u128,
    /// The number of nodes; 0 if none is needed.
    pub nodes: u64,
}

impl Certified {
    /// Returns true if the cells that may stay empty are those of another copy of the figure, for which `may_be_empty` is
    /// true by number.
    ///
    /// ```
    /// use somacat_checking::check_certificate;
    /// use somacat_geometry::figure::Figure;
    ///
    /// // A domino in a row of three cells, of which an end may stay empty.
    /// let certificate = "somacat certificate 1
    /// signature s1-1x1x3-7
    /// figure 0,0,0 1,0,0 2,0,0
    /// optional 2
    /// set D
    /// piece D 1 0,0,0 1,0,0
    /// reason count 1
    /// 7 > c0
    /// 4 > c2
    /// end 2
    /// ";
    /// let certified = check_certificate(certificate.as_bytes(), None, None)?;
    /// let row = Figure::of_box([1, 3, 1])?;
    /// assert!(certified.leaves_empty(&row, |cell| cell == 0));
    /// assert!(!certified.leaves_empty(&row, |cell| cell == 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leaves_empty(&self, copy: &Figure, may_be_empty: impl Fn(usize) -> bool) -> bool {
        let equals = |map: &AxisMap| {
            let moved: Vec<Cell> = copy.cells().iter().map(|&cell| apply(map, cell)).collect();
            let corner = Cell::min_corner(&moved);
            copy.len() == self.figure.len()
                && moved.iter().enumerate().all(|(at, &cell)| {
                    let own = self.figure.cells().binary_search(&(cell - corner));
                    own.is_ok_and(|own| self.optional.contains(&own) == may_be_empty(at))
                })
        };
        maps(&self.set).any(equals)
    }
}

/// Returns the shapes of a set with their copies, in fixed order. `of` is applied to the cells of each.
fn shapes(set: &PieceSet, of: impl Fn(&[Cell]) -> Vec<Cell>) -> Vec<(Vec<Cell>, [usize; 2])> {
    let shape = |(piece, copies): (&Piece, [usize; 2])| {
        let least = orientations(&of(piece.cells())).pop_first();
        (least.expect("there are 24 rotations"), copies)
    };
    let mut shapes: Vec<_> = set.ranges().map(shape).collect();
    shapes.sort_unstable();
    shapes
}

impl Claim {
    /// Lists all placements. Cells that may stay empty have one of the number after all pieces.
    pub(super) fn placements(&self) -> Vec<NumberedPlacement> {
        let gap = self.set.pieces().len();
        let empty = (0..self.figure.len()).filter(|&cell| self.optional[cell]);
        let pieces = placements(&self.figure, &self.set).into_iter().flatten();
        pieces.chain(empty.map(|cell| (gap, vec![cell]))).collect()
    }

    pub(super) fn has_gaps(&self) -> bool {
        self.optional.contains(&true)
    }

    /// Returns true if packings may use different pieces, or leave cells empty.
    pub(super) fn is_choice(&self) -> bool {
        self.set.is_choice() || self.has_gaps()
    }

    /// Returns true if some pieces have as many cells as the figure, perhaps without some that stay empty.
    pub(super) fn can_be_filled(&self) -> bool {
        let empty = [0, self.optional.iter().filter(|optional| **optional).count()];
        let pieces = self.set.ranges().map(|(piece, copies)| (piece.size(), copies, true));
        let all = pieces.chain([(1, empty, false)]);
        let follow: Vec<Follow> = all
            .map(|(size, copies, is_piece)| Follow { size, copies, is_piece, marks: Some(0) })
            .collect();
        best_choice(&follow, self.figure.len(), self.set.number()).is_some()
    }

    pub(super) fn size(&self, numbers: &str) -> Result<ProofKind, Problem> {
        let (cells, pieces) = (self.figure.len(), self.set.total_cells());
        let (claim, fill) = match self.is_choice() {
            true => (cells.to_string(), String::new()),
            false => (format!("{cells} {pieces}"), format!(", and the pieces fill {pieces}")),
        };
        if numbers != claim {
            let text = format!("the figure's number of cells is {cells}{fill}");
            return Err(Problem::Reason(text));
        }
        match (self.can_be_filled(), self.is_choice()) {
            (true, false) => Err(Problem::Reason("the numbers are equal".to_owned())),
            (true, true) => {
                Err(Problem::Reason(format!("some choice of pieces fills {cells} cells")))
            }
            (false, _) => Ok(ProofKind::Size),
        }
    }

    /// Checks that the figure, unlike the pieces, can reach this color difference. Parts of the figure may be moved by a
    /// cell.
    pub(super) fn parity(&self, difference: &str) -> Result<ProofKind, Problem> {
        let difference: i64 = number(difference)?;
        // For each way to move parts: the difference, and the optional cells of both colors.
        let mut moved = BTreeSet::from([(0, [0, 0])]);
        for (own, [even, odd]) in self.parts() {
            let with = |(sum, [a, b]): &(i64, [usize; 2])| {
                [(sum + own, [a + even, b + odd]), (sum - own, [a + odd, b + even])]
            };
            moved = moved.iter().flat_map(with).collect();
        }
        moved.retain(|(sum, _)| *sum == difference);
        if moved.is_empty() {
            return Err(Problem::Reason(format!("the colors never differ by {difference}")));
        }
        let reached = |(_, empty): &(i64, [usize; 2])| self.reaches(difference, *empty);
        match moved.iter().all(reached) {
            true => Err(Problem::Reason(format!("the pieces reach {difference}"))),
            false => Ok(ProofKind::Parity),
        }
    }

    /// Returns for each part the difference of its colors, and the numbers of its optional cells of both colors.
    fn parts(&self) -> Vec<(i64, [usize; 2])> {
        let is_optional = |cell: &&Cell| {
            self.figure.cells().binary_search(cell).is_ok_and(|at| self.optional[at])
        };
        let of_part = |part: &Vec<Cell>| {
            let optional: Vec<Cell> = part.iter().filter(is_optional).copied().collect();
            let (all, difference) = (optional.len() as i64, colors(&optional));
            let [even, odd] = [all + difference, all - difference].map(|twice| twice as usize / 2);
            (colors(part), [even, odd])
        };
        separate_parts(&self.figure).iter().map(of_part).collect()
    }

    /// Returns true if pieces, and cells that stay empty, can have this color difference. At most so many cells of both
    /// colors stay empty.
    fn reaches(&self, difference: i64, [even, odd]: [usize; 2]) -> bool {
        if !self.is_choice() {
            return colors_reached(piece_colors(&self.set)).contains(&difference);
        }
        let cells = self.figure.len();
        // The numbers of cells that pieces fill, with the differences of their colors.
        let mut reached = BTreeSet::from([(0, 0)]);
        for (piece, [least, most]) in self.set.ranges() {
            let (size, own) = (piece.size(), colors(piece.cells()));
            let mut next = BTreeSet::new();
            for copy in 0..=most.min(cells / size) {
                if copy >= least {
                    next.extend(reached.iter().copied());
                }
                let with = |(filled, sum): &(usize, i64)| {
                    [(filled + size, sum + own), (filled + size, sum - own)]
                };
                reached = reached.iter().flat_map(with).filter(|(n, _)| *n <= cells).collect();
            }
            reached = next;
        }
        reached.into_iter().any(|(filled, sum)| {
            let empty = cells - filled;
            let evens = empty.saturating_sub(odd)..=empty.min(even);
            evens.into_iter().any(|evens| sum + 2 * evens as i64 - empty as i64 == difference)
        })
    }

    pub(super) fn divided(&self) -> Result<ProofKind, Problem> {
        let empty: Vec<[usize; 2]> = self.parts().into_iter().map(|(_, empty)| empty).collect();
        match divisible(&part_colors(&self.figure), &self.set, &empty) {
            None => Err(Problem::Undecided),
            Some(true) => Err(Problem::Reason("the pieces can be divided".to_owned())),
            Some(false) => Ok(ProofKind::Parts),
        }
    }
}
