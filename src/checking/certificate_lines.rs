//! The lines of a certificate, and the problems that reject one.

use somacat_geometry::figure::FigureError;
use somacat_geometry::pieces::{ParseSetError, PieceError};
use std::io::{self, BufRead};

/// Maximum length of a line: 1,024 cells with the longest coordinates take less.
const MAX_PROOF_LINE_BYTES: u64 = 1 << 16;

/// The rejection of a certificate.
///
/// ```
/// use somacat_checking::check_certificate;
///
/// let error = check_certificate("somacat certificate 2\n".as_bytes(), None, None).unwrap_err();
/// assert_eq!(error.to_string(), "line 1: expected a line `somacat certificate 1`");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct CertificateError {
    /// The line, from 1, at which it is rejected.
    pub line: u64,
    /// The problem found.
    pub problem: CertificateProblem,
}

/// A problem with a certificate.
///
/// ```
/// use somacat_checking::{CertificateProblem, check_certificate};
///
/// // A copy that breaks off after two lines is not taken for a wrong proof.
/// let half = "somacat certificate 1\nsignature s1-1x2x3-z1\n";
/// let error = check_certificate(half.as_bytes(), None, None).unwrap_err();
/// assert!(matches!(error.problem, CertificateProblem::Truncated("figure")));
/// assert_eq!(error.to_string(), "line 3: the certificate ends too early, before `figure`");
/// ```
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum CertificateProblem {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("expected a line `{0}`")]
    Expected(&'static str),
    #[error("the certificate ends too early, in the middle of a line")]
    CutLine,
    #[error("the certificate ends too early, before `{0}`")]
    Truncated(&'static str),
    #[error("unexpected text after the end")]
    AfterEnd,
    #[error("the line is too long for a certificate")]
    Long,
    #[error("unexpected `{0}`")]
    Word(String),
    #[error(transparent)]
    Figure(#[from] FigureError),
    #[error(transparent)]
    Piece(#[from] PieceError),
    #[error(transparent)]
    Set(#[from] ParseSetError),
    #[error("the signature {0} does not match these cells")]
    Signature(String),
    #[error("the certificate is for another figure")]
    OtherFigure,
    #[error("the pieces differ from those of {0}")]
    OtherSet(String),
    #[error("a piece is listed twice, or without copies")]
    RepeatedPiece,
    #[error("the reason does not hold: {0}")]
    Reason(String),
    #[error("dividing the pieces among the parts takes too many steps to check")]
    Undecided,
    #[error("unexpected node of depth {0}")]
    Depth(usize),
    #[error("`{placement}` is not a remaining way to cover {item} of line {parent}")]
    UnexpectedPlacement { placement: String, item: String, parent: u64 },
    #[error("`{placement}` covers {item} of line {parent}, but is not followed")]
    Missing { placement: String, item: String, parent: u64 },
    #[error("{0} is already covered or used")]
    Closed(String),
    #[error("{0} is already a node, or no node above leads to it")]
    UnexpectedNode(String),
    #[error("a placement leads to the free cells {0}, but no node below follows it")]
    NodeMissing(String),
    #[error("the number of ways does not fit 128 bits")]
    Overflow,
    #[error("the numbers of copies are too large for a count")]
    TooManyChoices,
    #[error("the figure has more than {0} cells, too many for a count")]
    TooLarge(usize),
    #[error("the certificate has {0} nodes, not {1}")]
    Nodes(u64, u64),
}

/// The lines of a certificate, without comments.
pub(super) struct CertificateLines<R> {
    reader: R,
    /// The number of lines read.
    pub(super) line: u64,
    /// A line that was read but not taken yet.
    next: Option<String>,
}

impl<R: BufRead> CertificateLines<R> {
    pub(super) const fn new(reader: R) -> Self {
        Self { reader, line: 0, next: None }
    }

    /// Returns the next line, if there is one, without taking it.
    pub(super) fn peek(&mut self) -> Result<Option<&str>, CertificateProblem> {
        while self.next.is_none() {
            let mut text = String::new();
            self.line += 1;
            if io::Read::take(&mut self.reader, MAX_PROOF_LINE_BYTES).read_line(&mut text)? == 0 {
                return Ok(None);
            }
            if text.len() as u64 == MAX_PROOF_LINE_BYTES {
                return Err(CertificateProblem::Long);
            }
            if !text.ends_with('\n') {
                return Err(CertificateProblem::CutLine);
            }
            text.truncate(text.trim_end().len());
            self.next = Some(text).filter(|text| !text.starts_with('#'));
        }
        Ok(self.next.as_deref())
    }

    /// Takes the next line, which begins with `word`, and returns the rest.
    pub(super) fn take(&mut self, word: &'static str) -> Result<String, CertificateProblem> {
        let line = self.peek()?.ok_or(CertificateProblem::Truncated(word))?;
        let rest = line.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        let rest = rest.ok_or(CertificateProblem::Expected(word))?.trim_start().to_owned();
        self.next = None;
        Ok(rest)
    }

    /// Takes the next line, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<String>, CertificateProblem> {
        self.peek()?;
        Ok(self.next.take())
    }
}
