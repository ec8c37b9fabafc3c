//! Certificates: independently checkable proofs that a figure cannot be built.
//!
//! A certificate is plain text. It names the figure by its cells, the pieces by theirs, and the reason. The shortest
//! argument wins: the number of cells, the colors, or the sizes of the parts; then [`Marks`]; then a [`CaseTree`], whose
//! ends are marks; then a search tree. Each node of a tree names an item that must be covered. Below it are all ways to do so, down to nodes with no way.
//! `docs/certificates.md` has the format. `check_certificate` of `somacat-checking` checks it with other code.

mod cases;
mod items;
mod marks;
mod placements;
mod tree;

pub use cases::{CaseTree, find_cases};
pub use items::ProofItem;
pub use marks::{Marks, find_marks};
pub use placements::{CellPlacement, placements};

use crate::solve::{Limits, Problem, first};
use somacat_geometry::figure::{Figure, Obstruction, prefilter};
use somacat_geometry::outcome::{Outcome, ProofKind, Reason};
use somacat_geometry::pieces::PieceSet;
use std::io::{self, Write};

/// Maximum number of cells of a figure in a certificate.
pub const MAX_PROOF_CELLS: usize = 128;

/// The version of the certificate format.
pub const CERTIFICATE_VERSION: u32 = 1;

/// An error that prevents a certificate.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum ProveError {
    #[error("the figure can be built: it has a packing")]
    Buildable,
    #[error("the proof tree exceeds the limit of {0} nodes")]
    Nodes(u64),
    #[error("stopped")]
    Stopped,
    #[error("proofs support figures of up to {MAX_PROOF_CELLS} cells; this figure has {0}")]
    TooLarge(usize),
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// An argument that a figure cannot be built.
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
}

impl Argument {
    /// Finds the most readable argument that a figure cannot be built.
    ///
    /// It is the number of cells, the colors or the sizes of the parts; else marks, a case tree, or a search.
    ///
    /// # Errors
    /// If the figure can be built.
    pub fn find(problem: &Problem<'_>, limits: Limits<'_>) -> Result<Self, ProveError> {
        let (figure, set) = (problem.figure(), problem.set());
        if let Some(obstruction) = prefilter(figure, set) {
            return Ok(Self::Obstruction(obstruction));
        }
        if let Some(marks) = find_marks(figure, set, limits) {
            return Ok(Self::Marks(marks));
        }
        // A search for a packing is faster than one for cases, or a tree.
        let found = first(problem, limits);
        if found.is_ok_and(|(_, report)| matches!(report.outcome, Outcome::AtLeast(_))) {
            return Err(ProveError::Buildable);
        }
        let cases = find_cases(figure, set, limits)
            .filter(|cases| limits.nodes.is_none_or(|most| cases.nodes() <= most));
        Ok(cases.map_or(Self::Search, Self::Cases))
    }
}

/// The kind of a certificate, and its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertificateSize {
    /// The kind of the proof.
    pub kind: ProofKind,
    /// The number of nodes of the tree; 0 if none is needed.
    pub nodes: u64,
    /// The size of the text in bytes.
    pub bytes: u64,
}

/// Writes a certificate that a figure cannot be built with a set.
///
/// The text has `name` in a comment. Of the limits only the nodes and the stop apply, and only to a search.
///
/// # Errors
/// Fails if the figure can be built, or if a limit, a stop or a write error comes first. The text written so far is
/// then not a certificate.
pub fn write_certificate(
    name: &str,
    (figure, set): (&Figure, &PieceSet),
    argument: &Argument,
    limits: Limits<'_>,
    out: &mut dyn Write,
) -> Result<CertificateSize, ProveError> {
    let mut out = CountedWriter { out, bytes: 0 };
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(out, "somacat certificate {CERTIFICATE_VERSION}\n# {name}")?;
    let form = figure.canonical();
    writeln!(out, "signature {}", form.signature)?;
    write!(out, "figure")?;
    for cell in figure.cells() {
        write!(out, " {cell}")?;
    }
    writeln!(out, "\nset {}", set.name())?;
    for (piece, copies) in set.pieces() {
        write!(out, "piece {} {copies}", piece.letter())?;
        for cell in piece.cells() {
            write!(out, " {cell}")?;
        }
        writeln!(out)?;
    }
    let (kind, nodes) = match argument {
        Argument::Obstruction(obstruction) => {
            writeln!(out, "# {obstruction}")?;
            match obstruction {
                Obstruction::Size { figure, pieces } => {
                    writeln!(out, "reason size {figure} {pieces}")?;
                }
                Obstruction::Parity { difference, .. } => {
                    writeln!(out, "reason parity {difference}")?;
                }
                Obstruction::Parts { .. } => writeln!(out, "reason parts")?,
            }
            (Reason::from(obstruction).into(), 0)
        }
        Argument::Marks(marks) => {
            marks.write(figure, set, &mut out)?;
            (ProofKind::Marks, 0)
        }
        Argument::Cases(cases) => {
            cases.write(figure, set, &mut out)?;
            (ProofKind::Cases, cases.nodes())
        }
        Argument::Search => tree::write_tree(figure, set, limits, &mut out)?,
    };
    writeln!(out, "end {nodes}")?;
    out.flush()?;
    Ok(CertificateSize { kind, nodes, bytes: out.bytes })
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
