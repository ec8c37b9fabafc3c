//! Checks certificates that figures cannot be built, or of the number of their packings.

use super::certificate_lines::{CertificateError, CertificateLines, CertificateProblem as Problem};
use super::claim::{Certified, Claim, Follow, best_choice, number, read_claim};
use super::count_certificate::count_nodes;
use super::placements::NumberedPlacement;
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::PieceSet;
use std::collections::BTreeSet;
use std::io::BufRead;

const SUPPORTED_VERSION: &str = "somacat certificate 1";

/// An item that a packing must cover or use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CertificateItem {
    Cell(usize),
    Piece(usize),
    /// All free cells, which no choice of the pieces left fills.
    Size,
}

impl std::fmt::Display for CertificateItem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cell(cell) => write!(f, "c{cell}"),
            Self::Piece(piece) => write!(f, "p{}", piece + 1),
            Self::Size => write!(f, "size"),
        }
    }
}

/// Checks a certificate, which must be about `figure` and `set` if given.
///
/// ```
/// use somacat_checking::check_certificate;
/// use somacat_geometry::outcome::ProofKind;
///
/// // Mark the ends of two arms and the corner between them: V covers at most one mark.
/// let certificate = "somacat certificate 1
/// signature s1-1x3x3-wd
/// figure 0,0,0 0,1,0 1,0,0 1,1,0 1,2,0 2,0,0
/// set V2
/// piece V 2 0,0,0 0,1,0 1,0,0
/// reason marks 3 2
/// mark 0 1
/// mark 4 1
/// mark 5 1
/// end 0
/// ";
/// let certified = check_certificate(certificate.as_bytes(), None, None)?;
/// assert_eq!((certified.kind, certified.raw), (ProofKind::Marks, 0));
/// # Ok::<(), somacat_checking::CertificateError>(())
/// ```
///
/// # Errors
/// Returns the first problem, with its line.
pub fn check_certificate(
    reader: impl BufRead,
    figure: Option<&Figure>,
    set: Option<&PieceSet>,
) -> Result<Certified, CertificateError> {
    let mut lines = CertificateLines::new(reader);
    read(&mut lines, figure, set).map_err(|problem| CertificateError { line: lines.line, problem })
}

fn read(
    lines: &mut CertificateLines<impl BufRead>,
    asked: Option<&Figure>,
    asked_set: Option<&PieceSet>,
) -> Result<Certified, Problem> {
    if !lines.take(SUPPORTED_VERSION)?.is_empty() {
        return Err(Problem::Expected(SUPPORTED_VERSION));
    }
    let claim = read_claim(lines, asked, asked_set)?;
    let reason = lines.take("reason")?;
    let mut raw = 0;
    let (kind, nodes) = match reason.split_once(' ').unwrap_or((&reason, "")) {
        ("size", numbers) => (claim.size(numbers)?, 0),
        _ if !claim.is_choice() && !claim.can_be_filled() => {
            return Err(Problem::Reason("the numbers of cells differ".to_owned()));
        }
        ("parity", difference) => (claim.parity(difference)?, 0),
        ("parts", "") => (claim.divided()?, 0),
        ("marks", sums) => {
            CertificateTree::new(&claim).marks(lines, sums)?;
            (ProofKind::Marks, 0)
        }
        ("cases", "") => (ProofKind::Cases, CertificateTree::new(&claim).check(lines, true)?),
        ("tree", "") => {
            let nodes = CertificateTree::new(&claim).check(lines, false)?;
            (if nodes == 1 { ProofKind::NoFit } else { ProofKind::Exhausted }, nodes)
        }
        ("count", number) => {
            let checked = count_nodes(lines, &claim, number)?;
            raw = checked.raw;
            (ProofKind::Count, checked.nodes)
        }
        _ => return Err(Problem::Word(reason)),
    };
    let end = lines.take("end")?;
    if end != nodes.to_string() {
        let said = end.parse().map_err(|_| Problem::Word(end))?;
        return Err(Problem::Nodes(nodes, said));
    }
    match lines.peek()? {
        Some(_) => Err(Problem::AfterEnd),
        None => {
            let Claim { figure, set, optional } = claim;
            let optional = (0..figure.len()).filter(|&cell| optional[cell]).collect();
            Ok(Certified { figure, optional, set, kind, raw, nodes })
        }
    }
}

/// A node of the tree with ways that are not followed yet.
struct OpenNode {
    line: u64,
    item: CertificateItem,
    ways: BTreeSet<NumberedPlacement>,
    /// The placement that leads to it; `None` for the root.
    placed: Option<NumberedPlacement>,
}

/// The part of the tree read so far.
struct CertificateTree {
    placements: Vec<NumberedPlacement>,
    free: Vec<bool>,
    /// For each piece, the number of copies left. The last number is that of the cells that may stay empty.
    left: Vec<usize>,
    path: Vec<OpenNode>,
    set: PieceSet,
    /// True if packings may use different pieces, or leave cells empty.
    is_choice: bool,
}

impl CertificateTree {
    fn new(claim: &Claim) -> Self {
        let copies = claim.set.pieces().iter().map(|(_, copies)| *copies);
        // As many as the pieces leave that every packing uses.
        let needed = claim.set.ranges().map(|(piece, [least, _])| piece.size() * least);
        let room = claim.figure.len().saturating_sub(needed.sum());
        let gaps = if claim.has_gaps() { room } else { 0 };
        Self {
            placements: claim.placements(),
            free: vec![true; claim.figure.len()],
            left: copies.chain([gaps]).collect(),
            path: Vec::new(),
            set: claim.set.clone(),
            is_choice: claim.is_choice(),
        }
    }

    /// Returns the position after all pieces, which stands for a cell that stays empty.
    fn gap(&self) -> usize {
        self.set.pieces().len()
    }

    fn text_of(&self, (piece, cells): &NumberedPlacement) -> String {
        let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
        let piece = if *piece == self.gap() { "~".to_owned() } else { format!("p{}", piece + 1) };
        format!("{piece} {}", cells.join(" "))
    }

    /// Returns the number of copies of a piece that must follow.
    fn needed(&self, piece: usize) -> usize {
        let used = self.set.pieces()[piece].1 - self.left[piece];
        self.set.least(piece).saturating_sub(used)
    }

    /// Returns the most marks that the pieces cover which may follow, if a copy of each covers at most `marks`. `None` if
    /// no choice of them fills the free cells.
    fn most(&self, marks: &[Option<i128>]) -> Option<i128> {
        let sizes = self.set.pieces().iter().map(|(piece, _)| piece.size()).chain([1]);
        let follow = sizes.zip(marks).enumerate().map(|(at, (size, &marks))| {
            let is_piece = at < self.gap();
            let least = if is_piece { self.needed(at) } else { 0 };
            Follow { size, copies: [least, self.left[at]], is_piece, marks }
        });
        let used = |at: usize| self.set.pieces()[at].1 - self.left[at];
        let number = match self.set.number() {
            Some(number) => Some(number.checked_sub((0..self.gap()).map(used).sum())?),
            None => None,
        };
        let cells = self.free.iter().filter(|free| **free).count();
        best_choice(&follow.collect::<Vec<_>>(), cells, number)
    }

    /// Reads all nodes and returns their number. In a tree of cases, nodes may be marks.
    fn check(
        mut self,
        lines: &mut CertificateLines<impl BufRead>,
        is_cases: bool,
    ) -> Result<u64, Problem> {
        let mut nodes = 0;
        loop {
            let ends = lines.peek()?.ok_or(Problem::Truncated("end"))?.starts_with("end");
            // Without a root nothing is proved.
            if ends && nodes > 0 {
                self.leave(0)?;
                return Ok(nodes);
            }
            let line = lines.next()?.ok_or(Problem::Truncated("end"))?;
            let (node, next) =
                line.split_once(" > ").ok_or(Problem::Expected("depth placement > item"))?;
            let way = self.enter(node, nodes == 0)?;
            match next.strip_prefix("marks ").filter(|_| is_cases) {
                Some(sums) => {
                    self.marks(lines, sums)?;
                    if let Some(way) = &way {
                        self.remove(way);
                    }
                }
                None => self.open(next, lines.line, way)?,
            }
            nodes += 1;
        }
    }

    /// Reads the depth of a node and the placement that leads to it, and places that.
    fn enter(&mut self, node: &str, root: bool) -> Result<Option<NumberedPlacement>, Problem> {
        let mut words = node.split(' ');
        let depth: usize = number(words.next().unwrap_or_default())?;
        if depth > self.path.len() || (depth == 0) != root {
            return Err(Problem::Depth(depth));
        }
        self.leave(depth)?;
        let placement = words.clone().collect::<Vec<_>>().join(" ");
        let placed = match words.next() {
            None => None,
            Some(piece) => {
                let piece = if piece == "~" { self.gap() } else { numbered(piece, 'p', 1)? };
                Some((piece, words.map(number).collect::<Result<_, _>>()?))
            }
        };
        match (self.path.last_mut(), &placed) {
            (None, None) => {}
            (None, Some(_)) => return Err(Problem::Word(placement)),
            (Some(above), placed) => {
                if !placed.as_ref().is_some_and(|way| above.ways.remove(way)) {
                    let (item, parent) = (above.item.to_string(), above.line);
                    return Err(Problem::UnexpectedPlacement { placement, item, parent });
                }
            }
        }
        if let Some(way) = &placed {
            self.place(way);
        }
        Ok(placed)
    }

    /// Reads the item that a node covers, and lists the ways to do so.
    fn open(
        &mut self,
        item: &str,
        line: u64,
        placed: Option<NumberedPlacement>,
    ) -> Result<(), Problem> {
        let (item, is_open) = match item.chars().next() {
            Some('c') => {
                let cell = numbered(item, 'c', 0)?;
                (CertificateItem::Cell(cell), self.free.get(cell) == Some(&true))
            }
            Some('s') if item == "size" => {
                let (all, item) = (vec![Some(0); self.left.len()], CertificateItem::Size);
                match self.is_choice && self.most(&all).is_none() {
                    true => (item, true),
                    false => return Err(Problem::Reason("pieces fill the free cells".to_owned())),
                }
            }
            _ => {
                let piece = numbered(item, 'p', 1)?;
                (CertificateItem::Piece(piece), piece < self.gap() && self.needed(piece) > 0)
            }
        };
        if !is_open {
            return Err(Problem::Closed(item.to_string()));
        }
        let covers = |(piece, cells): &&NumberedPlacement| match item {
            CertificateItem::Cell(cell) => cells.contains(&cell),
            CertificateItem::Piece(wanted) => *piece == wanted,
            CertificateItem::Size => false,
        };
        let ways = self.fitting().filter(covers).cloned().collect();
        self.path.push(OpenNode { line, item, ways, placed });
        Ok(())
    }

    /// Checks that the marks add up to the first sum, that no choice of placements of all pieces that are left covers
    /// more than the second, and that the second is less.
    ///
    /// A packing would cover every mark once, so there is none. If a piece has no placement, there is no packing either,
    /// and it counts as 0.
    fn marks(&self, lines: &mut CertificateLines<impl BufRead>, sums: &str) -> Result<(), Problem> {
        let mut weights = vec![0_i128; self.free.len()];
        while lines.peek()?.is_some_and(|line| line.starts_with("mark ")) {
            let line = lines.take("mark")?;
            let (cell, weight) =
                line.split_once(' ').ok_or(Problem::Expected("mark cell weight"))?;
            let (cell, weight): (usize, i64) = (number(cell)?, number(weight)?);
            match weights.get_mut(cell) {
                Some(old) if *old == 0 && weight != 0 && self.free[cell] => *old = weight.into(),
                _ => return Err(Problem::Word(line)),
            }
        }
        let mut largest: Vec<Option<i128>> = vec![None; self.left.len()];
        for (piece, cells) in self.fitting() {
            let sum = cells.iter().map(|&cell| weights[cell]).sum();
            largest[*piece] = largest[*piece].max(Some(sum));
        }
        let copies = self.left.iter().map(|copies| *copies as i128);
        let all = largest.iter().zip(copies).map(|(sum, copies)| sum.unwrap_or(0) * copies);
        let most = if self.is_choice { self.most(&largest) } else { Some(all.sum()) };
        let none =
            || Problem::Reason("no choice of the pieces left fills the free cells".to_owned());
        let most = most.ok_or_else(none)?;
        let total: i128 = weights.iter().sum();
        if sums != format!("{total} {most}") {
            let text = format!("the marks add up to {total}, and the pieces cover at most {most}");
            return Err(Problem::Reason(text));
        }
        match most < total {
            true => Ok(()),
            false => Err(Problem::Reason("the pieces can cover all marks".to_owned())),
        }
    }

    /// Returns the placements of pieces that are left on free cells.
    fn fitting(&self) -> impl Iterator<Item = &NumberedPlacement> {
        self.placements.iter().filter(|(piece, cells)| {
            self.left[*piece] > 0 && cells.iter().all(|&cell| self.free[cell])
        })
    }

    /// Ascends until `depth` nodes are open. All ways of the closed ones must have been followed.
    fn leave(&mut self, depth: usize) -> Result<(), Problem> {
        while self.path.len() > depth {
            let node = self.path.pop().expect("the path is longer");
            if let Some(way) = node.ways.first() {
                let (placement, item) = (self.text_of(way), node.item.to_string());
                return Err(Problem::Missing { placement, item, parent: node.line });
            }
            if let Some(way) = node.placed {
                self.remove(&way);
            }
        }
        Ok(())
    }

    fn place(&mut self, (piece, cells): &NumberedPlacement) {
        cells.iter().for_each(|&cell| self.free[cell] = false);
        self.left[*piece] -= 1;
    }

    fn remove(&mut self, (piece, cells): &NumberedPlacement) {
        cells.iter().for_each(|&cell| self.free[cell] = true);
        self.left[*piece] += 1;
    }
}

/// Parses the number after a letter, counted from `first`.
fn numbered(word: &str, letter: char, first: usize) -> Result<usize, Problem> {
    let bad = || Problem::Word(word.to_owned());
    let digits = word.strip_prefix(letter).ok_or_else(bad)?;
    number::<usize>(digits)?.checked_sub(first).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recount;
    use std::collections::BTreeMap;

    /// A certificate of each kind but `size`, `no-fit` and `cases`: the lines after the version.
    const CERTIFICATES: [(ProofKind, u128, &str); 6] = [
        (
            ProofKind::Count,
            2,
            "signature s1-1x2x3-z1\nfigure 0,0,0 0,1,0 0,2,0 1,0,0 1,1,0 1,2,0\nset V2\n\
             piece V 2 0,0,0 0,1,0 1,0,0\nreason count 2\n3f > c0\n2c > c3\n26 > c1\n34 > c4\nend 4\n",
        ),
        (
            ProofKind::Count,
            1,
            "signature s1-1x2x3-t1\nfigure 0,0,0 1,0,0 2,0,0 2,1,0\nset D2\n\
             piece D 2 0,0,0 1,0,0\nreason count 1\nf > c0\nc > c2\nend 2\n",
        ),
        (
            ProofKind::Exhausted,
            0,
            "signature s1-1x3x3-wd\nfigure 0,0,0 0,1,0 1,0,0 1,1,0 1,2,0 2,0,0\nset V2\n\
             piece V 2 0,0,0 0,1,0 1,0,0\nreason tree\n0 > c4\n1 p1 1 3 4 > c0\nend 2\n",
        ),
        (
            ProofKind::Marks,
            0,
            "signature s1-1x3x3-wd\nfigure 0,0,0 0,1,0 1,0,0 1,1,0 1,2,0 2,0,0\nset V2\n\
             piece V 2 0,0,0 0,1,0 1,0,0\nreason marks 3 2\nmark 0 1\nmark 4 1\nmark 5 1\nend 0\n",
        ),
        (
            ProofKind::Parity,
            0,
            "signature s1-2x3x3-8w21\nfigure 0,1,0 1,0,0 1,1,0 1,1,1 1,2,0 2,1,0\nset V2\n\
             piece V 2 0,0,0 0,1,0 1,0,0\nreason parity 4\nend 0\n",
        ),
        (
            ProofKind::Parts,
            0,
            "signature s1-1x3x4-4e3\nfigure 0,0,0 2,0,0 2,1,0 2,2,0 3,0,0 3,1,0\nset V2\n\
             piece V 2 0,0,0 0,1,0 1,0,0\nreason parts\nend 0\n",
        ),
    ];

    fn check(text: &str) -> Result<Certified, CertificateError> {
        check_certificate(text.as_bytes(), None, None)
    }

    fn certificates() -> impl Iterator<Item = (ProofKind, u128, String)> {
        let whole = |text| format!("somacat certificate 1\n# a comment\n{text}");
        CERTIFICATES.into_iter().map(move |(kind, raw, text)| (kind, raw, whole(text)))
    }

    #[test]
    fn sound_certificates_are_accepted() {
        for (kind, raw, text) in certificates() {
            let certified = check(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!((certified.kind, certified.raw), (kind, raw), "{text}");
        }
    }

    /// Replaces each character by others. What is still accepted is another certificate, and true: a recount finds the
    /// same number of packings.
    #[test]
    fn what_is_accepted_after_a_change_is_true() {
        let (mut refused, mut accepted): (BTreeMap<ProofKind, u32>, u32) = Default::default();
        for (kind, _, text) in certificates() {
            for at in 0..text.len() {
                for other in ["0", "1", "2", "3", "5", "a", "f", ",", " ", "\n", "-", "p", "c", ""]
                {
                    let mut changed = text.clone();
                    changed.replace_range(at..=at, other);
                    match check(&changed) {
                        Ok(certified) => {
                            let counts = recount(&certified.figure, &certified.set, u64::MAX, None);
                            assert_eq!(counts.map(|c| c.raw), Ok(certified.raw), "{changed}");
                            accepted += 1;
                        }
                        Err(error) => {
                            assert!((1..=text.lines().count() as u64 + 1).contains(&error.line));
                            *refused.entry(kind).or_default() += 1;
                        }
                    }
                }
            }
        }
        assert!(refused.len() == 5 && refused.values().all(|number| *number > 1000), "{refused:?}");
        assert!(accepted > 100, "{accepted}: comments, names and the order of nodes may change");
    }

    #[test]
    fn missing_and_repeated_lines_are_refused() {
        for (_, _, text) in certificates() {
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with('#')) {
                let without = [&lines[..at], &lines[at + 1..]].concat().join("\n");
                assert!(check(&without).is_err(), "without {line}:\n{without}");
                let twice = [&lines[..=at], &lines[at..]].concat().join("\n");
                assert!(check(&twice).is_err(), "{line} twice:\n{twice}");
            }
        }
    }

    #[test]
    fn problems_are_named_with_their_line() {
        let (_, _, text) = certificates().next().unwrap();
        for (from, to, problem) in [
            ("certificate 1", "certificate 2", "line 1: expected a line `somacat certificate 1`"),
            (
                "s1-1x2x3-z1",
                "s1-1x2x3-t1",
                "line 4: the signature s1-1x2x3-t1 does not match these cells",
            ),
            ("0,2,0", "0,1,0", "line 4: cell 0,1,0 is listed twice"),
            ("end 4\n", "", "line 12: the certificate ends too early, before `end`"),
            ("end 4\n", "end 4\nmore\n", "line 13: unexpected text after the end"),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_eq!(check(&changed).unwrap_err().to_string(), problem);
        }
        let figure = Figure::of_box([1, 1, 6]).unwrap();
        let other = check_certificate(text.as_bytes(), Some(&figure), None).unwrap_err();
        assert_eq!(other.to_string(), "line 4: the certificate is for another figure");
    }
}
