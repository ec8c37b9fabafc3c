//! Certificates: independently checkable proofs that a figure cannot be built.
//!
//! A certificate is plain text. It names the figure by its cells, the pieces by theirs, and the reason. The shortest
//! argument wins: the number of cells, the colors, or the sizes of the parts; then [`Marks`]; then a search tree. Each
//! node of the tree names an item that must be covered. Below it are all ways to do so, down to nodes with no way.
//! `docs/certificates.md` has the format. `check_certificate` of `somacat-checking` checks it with other code.

mod marks;
mod placements;
mod tree;

pub use marks::{Marks, find_marks};
pub use placements::{CellPlacement, placements};

use crate::solve::Limits;
use somacat_geometry::figure::{Figure, Obstruction, prefilter};
use somacat_geometry::outcome::{ProofKind, Reason};
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
    /// A search, which may also find a packing.
    Search,
}

impl Argument {
    /// Finds the shortest argument that takes no search. If there is none, returns [`Self::Search`].
    pub fn find(figure: &Figure, set: &PieceSet, limits: Limits<'_>) -> Self {
        match prefilter(figure, set) {
            Some(obstruction) => Self::Obstruction(obstruction),
            None => find_marks(figure, set, limits).map_or(Self::Search, Self::Marks),
        }
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
    write_claim(name, figure, set, &mut out)?;
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
        Argument::Search => tree::write_tree(figure, set, limits, &mut out)?,
    };
    writeln!(out, "end {nodes}")?;
    out.flush()?;
    Ok(CertificateSize { kind, nodes, bytes: out.bytes })
}

/// Writes the lines of a certificate before its reason: the figure and the pieces.
///
/// # Errors
/// If writing fails.
pub fn write_claim(
    name: &str,
    figure: &Figure,
    set: &PieceSet,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(out, "somacat certificate {CERTIFICATE_VERSION}\n# {name}")?;
    writeln!(out, "signature {}", figure.canonical().signature)?;
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
