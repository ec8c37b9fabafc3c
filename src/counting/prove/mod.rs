//! Certificates: independently checkable proofs that a figure cannot be built, or of the number of its packings.
//!
//! A certificate is plain text. It names the figure by its cells, the pieces by theirs, and the reason. The shortest
//! argument wins: the number of cells, the colors, or the sizes of the parts; then [`Marks`]; then a [`CaseTree`], whose
//! ends are marks; then a search tree. Each node of a tree names an item that must be covered. Below it are all ways to
//! do so, down to nodes with no way. The count of a buildable figure is proved by nodes that several packings share
//! (`count.rs`). `docs/certificates.md` has the format. `check_certificate` of `somacat-checking` checks it with other
//! code.
//!
//! Everything holds for choices and gaps too: a claim has the least and the greatest number of copies of each piece, the
//! number of pieces if a packing uses a given one, and the cells that may stay empty (`choices.rs`).

mod case_words;
mod cases;
mod choices;
mod count;
mod error;
mod items;
mod marks;
mod tree;

pub use crate::cell_placements::{CellPlacement, placements};
pub use case_words::CaseStep;
pub use cases::{CaseTree, find_cases};
pub use error::{MAX_PROOF_CELLS, ProveError};
pub use items::ProofItem;
pub use marks::{Marks, find_invariant_marks, find_marks};

use crate::solve::{Limits, Problem, first};
use somacat_geometry::figure::{Equivalence, Obstruction, prefilter_with_colors};
use somacat_geometry::outcome::{Outcome, ProofKind, Reason};
use somacat_geometry::pieces::GAP;
use std::io::{self, Write};

/// The version of the certificate format.
pub const CERTIFICATE_VERSION: u32 = 1;

/// An argument that a figure cannot be built.
///
/// See [`Argument::find`] for an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The number of cells, the colors, or the sizes of the parts.
    Obstruction(Obstruction),
    /// Marks on the cells.
    Marks(Marks),
    /// Marks in each of a few cases.
    Cases(CaseTree),
    /// A search, which may also find a packing.
    Search,
    /// None: the figure can be built, and the certificate states its raw count.
    Count,
}

impl Argument {
    /// Finds the most readable argument that a figure cannot be built, or [`Self::Count`] if it can.
    ///
    /// The argument is the number of cells, the colors or the sizes of the parts; else marks, a case tree, or a search.
    /// If a packing search stops at a limit, it is [`Self::Search`]: the limit bounds the work for a readable proof, too.
    ///
    /// ```
    /// use somacat_counting::prove::Argument;
    /// use somacat_counting::solve::{Limits, Problem};
    /// use somacat_geometry::figure::{Figure, Signature};
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let soma = PieceSet::soma(1);
    /// let w_wall = "s1-3x5x5-00w00w0yz0e0zf0".parse::<Signature>()?.figure()?;
    /// let argument = Argument::find(&Problem::new(&w_wall, &soma), Limits::default());
    /// assert!(matches!(argument, Argument::Marks(_)));
    /// let cube = Figure::of_box([3, 3, 3])?;
    /// assert_eq!(Argument::find(&Problem::new(&cube, &soma), Limits::default()), Argument::Count);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(problem: &Problem<'_>, limits: Limits<'_>) -> Self {
        let (figure, set) = (problem.figure(), problem.set());
        if let Some(obstruction) = prefilter_with_colors(figure, set, problem.colors()) {
            return Self::Obstruction(obstruction);
        }
        if let Some(marks) = find_marks(problem, limits) {
            return Self::Marks(marks);
        }
        // A search for a packing is faster than one for cases, or a tree.
        let cases = match first(problem, limits).map(|(_, report)| report.outcome) {
            Ok(Outcome::AtLeast(_)) => return Self::Count,
            Ok(Outcome::Unsolvable(_)) | Err(_) => find_cases(problem, limits),
            Ok(_) => None,
        };
        let cases = cases.filter(|cases| limits.nodes.is_none_or(|most| cases.nodes() <= most));
        cases.map_or(Self::Search, Self::Cases)
    }
}

/// The statement of a certificate, and its size.
///
/// ```
/// use somacat_counting::prove::{Argument, write_certificate};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::outcome::ProofKind;
/// use somacat_geometry::pieces::parse_set;
///
/// let (cube, dominoes, mut text) = (Figure::of_box([2, 2, 2])?, parse_set("D4")?, Vec::new());
/// let claim = (&cube, &dominoes);
/// let size = write_certificate("cube", claim, &Argument::Count, Limits::default(), &mut text)?;
/// assert_eq!((size.kind, size.raw, size.bytes), (ProofKind::Count, 9, text.len() as u64));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertificateSize {
    /// The kind of the proof.
    pub kind: ProofKind,
    /// The raw count; 0 if the figure cannot be built.
    pub raw: u128,
    /// The number of nodes; 0 if none is needed.
    pub nodes: u64,
    /// The size of the text in bytes.
    pub bytes: u64,
}

/// Writes a certificate that a figure cannot be built with a set, or of its raw count.
///
/// The text has `name` in a comment. Of the limits the nodes and the stop apply to a search and to a count, the memory
/// only to a count.
///
/// ```
/// use somacat_counting::prove::{Argument, write_certificate};
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// let (bar, set, mut text) = (Figure::of_box([1, 1, 7])?, parse_set("V L")?, Vec::new());
/// let argument = Argument::find(&Problem::new(&bar, &set), Limits::default());
/// write_certificate("a bar", (&bar, &set), &argument, Limits::default(), &mut text)?;
/// let text = String::from_utf8(text)?;
/// assert!(text.starts_with("somacat certificate 1\n# a bar\nsignature s1-1x1x7-z3\n"));
/// assert!(text.ends_with("\nend 0\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if a search finds a packing, if there are no pieces but gaps, or if a limit, a stop or a write error comes first.
/// The text written so far is then not a certificate.
pub fn write_certificate<'a>(
    name: &str,
    problem: impl Into<Problem<'a>>,
    argument: &Argument,
    limits: Limits<'_>,
    out: &mut dyn Write,
) -> Result<CertificateSize, ProveError> {
    let (problem, mut out) = (problem.into(), CountedWriter { out, bytes: 0 });
    let (figure, set) = (problem.figure(), problem.set());
    if set.pieces().iter().all(|(piece, _)| piece.letter() == GAP) {
        return Err(ProveError::NothingLeft);
    }
    write_claim(name, problem, &mut out)?;
    let (kind, raw, nodes) = match argument {
        Argument::Obstruction(obstruction) => {
            writeln!(out, "# {obstruction}")?;
            match obstruction {
                Obstruction::Size { figure, .. } if set.is_choice() => {
                    writeln!(out, "reason size {figure}")?;
                }
                Obstruction::Size { figure, .. } => {
                    writeln!(out, "reason size {figure} {}", set.total_cells())?;
                }
                Obstruction::Gaps { difference, .. } => {
                    writeln!(out, "reason parity {difference}")?;
                }
                Obstruction::Parity { difference, .. } => {
                    writeln!(out, "reason parity {difference}")?;
                }
                Obstruction::Parts { .. } => writeln!(out, "reason parts")?,
            }
            (Reason::from(obstruction).into(), 0, 0)
        }
        Argument::Marks(marks) => {
            marks.write(figure, set, &mut out)?;
            (ProofKind::Marks, 0, 0)
        }
        Argument::Search => {
            let (kind, nodes) = tree::write_tree(&problem, limits, &mut out)?;
            (kind, 0, nodes)
        }
        Argument::Count => {
            let (raw, nodes) = count::write_count(&problem, limits, &mut out)?;
            (ProofKind::Count, raw, nodes)
        }
        Argument::Cases(cases) => {
            cases.write(figure, set, &mut out)?;
            (ProofKind::Cases, 0, cases.nodes())
        }
    };
    writeln!(out, "end {nodes}")?;
    out.flush()?;
    Ok(CertificateSize { kind, raw, nodes, bytes: out.bytes })
}

/// Writes the lines of a certificate before its reason: the figure and the pieces.
///
/// ```
/// use somacat_counting::prove::write_claim;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// let mut text = Vec::new();
/// write_claim("a bar", (&Figure::of_box([2, 1, 1])?, &parse_set("D")?), &mut text)?;
/// assert!(String::from_utf8(text)?.ends_with("\nset D\npiece D 1 0,0,0 1,0,0\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If writing fails.
pub fn write_claim<'a>(
    name: &str,
    problem: impl Into<Problem<'a>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let problem = problem.into();
    let (figure, set) = (problem.figure(), problem.set());
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(out, "somacat certificate {CERTIFICATE_VERSION}\n# {name}")?;
    let canonical = figure.canonical_up_to(Equivalence::for_set(set));
    writeln!(out, "signature {}", canonical.signature)?;
    write!(out, "figure")?;
    for cell in figure.cells() {
        write!(out, " {cell}")?;
    }
    writeln!(out)?;
    if set.has_gaps() {
        let may_be_empty =
            |cell: &usize| problem.colors().is_none_or(|colors| colors.may_be_empty(*cell));
        write!(out, "optional")?;
        for cell in (0..figure.len()).filter(may_be_empty) {
            write!(out, " {cell}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "set {}", set.name())?;
    // Of which cells may stay empty, the rest of the claim says how many do.
    for (piece, [least, most]) in set.ranges().filter(|(piece, _)| piece.letter() != GAP) {
        let copies = if least == most { most.to_string() } else { format!("{least}..{most}") };
        write!(out, "piece {} {copies}", piece.letter())?;
        for cell in piece.cells() {
            write!(out, " {cell}")?;
        }
        writeln!(out)?;
    }
    if let Some(number) = set.number() {
        writeln!(out, "pieces {number}")?;
    }
    Ok(())
}

/// A writer that counts bytes.
struct CountedWriter<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for CountedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
