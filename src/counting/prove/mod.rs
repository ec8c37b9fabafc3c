//! Certificates: proofs that a figure cannot be built, for others to check.
//!
//! A certificate is plain text. It names the figure by its cells, the pieces by theirs, and the reason; where that
//! is not the number of cells, the colors or the sizes of the parts, a search tree follows: at each node something
//! that must be covered, and below it every way to do so, down to nodes with no way. `docs/certificates.md` has the
//! format; [`somacat_checking::check_certificate`] checks it with other code.

mod placements;
mod tree;

pub use placements::{CellPlacement, placements};

use crate::solve::{Limits, MAX_SEARCH_CELLS};
use somacat_geometry::figure::{Figure, Obstruction, prefilter};
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::PieceSet;
use std::io::{self, Write};

/// The version of the format of certificates.
pub const CERTIFICATE_VERSION: u32 = 1;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// The figure can be built.
    #[error("it can be built: there is a packing")]
    Buildable,
    /// The tree would have more nodes than allowed.
    #[error("the tree of the proof has more than {0} nodes, the limit")]
    Nodes(u64),
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
    /// More cells than a search takes.
    #[error("proofs are written for figures of up to {MAX_SEARCH_CELLS} cells; this has {0}")]
    TooLarge(usize),
    /// The certificate cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// What a certificate says, and how large it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertificateSize {
    /// Why the figure cannot be built.
    pub reason: Reason,
    /// The nodes of the tree; 0 if none is needed.
    pub nodes: u64,
    /// The size of the text.
    pub bytes: u64,
}

/// Writes a certificate that a figure cannot be built with a set, called `name` in a comment. Of the limits only the
/// nodes and the stop count.
///
/// # Errors
/// If the figure can be built, or a limit, a stop or a failure to write came first. What has been written by then is
/// no certificate.
pub fn write_certificate(
    name: &str,
    figure: &Figure,
    set: &PieceSet,
    limits: Limits<'_>,
    out: &mut dyn Write,
) -> Result<CertificateSize, ProveError> {
    let mut out = Counted { out, bytes: 0 };
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
        write!(out, "piece {} {copies}", piece.name())?;
        for cell in piece.cells() {
            write!(out, " {cell}")?;
        }
        writeln!(out)?;
    }
    let (reason, nodes) = match prefilter(figure, set) {
        Some(obstruction) => {
            writeln!(out, "# {obstruction}")?;
            match &obstruction {
                Obstruction::Size { figure, pieces } => {
                    writeln!(out, "reason size {figure} {pieces}")?;
                }
                Obstruction::Parity { difference, .. } => {
                    writeln!(out, "reason parity {difference}")?;
                }
                Obstruction::Parts { .. } => writeln!(out, "reason parts")?,
            }
            (Reason::from(&obstruction), 0)
        }
        None => tree::write_tree(figure, set, limits, &mut out)?,
    };
    writeln!(out, "end {nodes}")?;
    out.flush()?;
    Ok(CertificateSize { reason, nodes, bytes: out.bytes })
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
