//! Certificates that a figure cannot be built, or of its count.

use crate::error::failed;
use crate::figure::Figure;
use crate::pieces::{PieceSet, Pieces};
use crate::stream::Stream;
use crate::work::interruptible;
use pyo3::prelude::*;
use somacat_checking::{Certified, check_certificate};
use somacat_counting::prove::{Argument, write_certificate};
use somacat_counting::solve::{Limits, Problem};
use somacat_output::export::Spelling;

/// Writes a certificate that a figure cannot be built or, if it can, of its raw count. `verify` checks it with
/// independent code.
///
/// The set may have ranges of copies. With `gaps`, cells may stay empty, as many as the figure has more than the pieces
/// fill. Raises `Error` if the certificate would have more than `nodes` nodes.
///
/// >>> slab = Figure.parse("111111111 111111111 111111111")
/// >>> print(prove(slab).splitlines()[0])
/// somacat certificate 1
/// >>> verify(prove(Figure.parse("1x2x5"), "T Z", gaps=True)).raw
/// 4
#[pyfunction]
#[pyo3(signature = (figure, pieces=None, nodes=100_000_000, name="figure", *, gaps=false))]
pub(crate) fn prove(
    py: Python<'_>,
    figure: &Bound<'_, Figure>,
    pieces: Option<Pieces>,
    nodes: u64,
    name: &str,
    gaps: bool,
) -> PyResult<String> {
    let candidate = &figure.get().candidate;
    let set = Pieces::choice_for(py, pieces, candidate.figure(), gaps)?;
    interruptible(py, None, &|| (), |stop| {
        let limits = Limits { nodes: Some(nodes), stop: Some(stop), ..Limits::default() };
        let problem = Problem::with_group(candidate.figure(), &set, candidate.group());
        let argument = Argument::find(&problem, limits);
        let mut text = Vec::new();
        write_certificate(name, problem, &argument, limits, &mut text).map_err(failed)?;
        String::from_utf8(text).map_err(failed)
    })?
}

/// A checked certificate: the figure has `raw` packings with the pieces.
#[pyclass(frozen, get_all, module = "somacat")]
pub(crate) struct Certificate {
    /// The figure.
    figure: Figure,
    /// The pieces.
    pieces: PieceSet,
    /// The kind of the proof: `size`, `parity`, `parts`, `marks`, `cases`, `no-fit`, `exhausted` or `count`.
    reason: &'static str,
    /// The number of nodes; 0 if none is needed.
    nodes: u64,
    /// The raw count; 0 if the figure cannot be built.
    raw: u128,
}

#[pymethods]
impl Certificate {
    fn __repr__(&self) -> String {
        format!("<Certificate reason={}, nodes={}, raw={}>", self.reason, self.nodes, self.raw)
    }
}

/// Checks a certificate. If a figure or pieces are given, it must be about them.
///
/// The code shares only cells and pieces with the search. Raises `Error` if the certificate is not sound.
///
/// >>> slab = Figure.parse("111111111 111111111 111111111")
/// >>> verify(prove(slab), slab, "SOMA")
/// <Certificate reason=marks, nodes=0, raw=0>
#[pyfunction]
#[pyo3(signature = (certificate, figure=None, pieces=None))]
pub(crate) fn verify(
    py: Python<'_>,
    certificate: String,
    figure: Option<&Bound<'_, Figure>>,
    pieces: Option<Pieces>,
) -> PyResult<Certificate> {
    let set = pieces.map(|pieces| Pieces::with_ranges(Some(pieces))).transpose()?;
    let figure = figure.map(|figure| figure.get().shape().clone());
    // The check cannot be stopped, but after Ctrl-C nobody waits for it.
    let checked = Stream::start(1, move |_, emit| {
        let checked = check_certificate(certificate.as_bytes(), figure.as_ref(), set.as_ref());
        let refused = |error| failed(format_args!("{error}; the certificate is refused"));
        let Certified { figure, set, kind, raw, nodes, .. } = checked.map_err(refused)?;
        let (figure, pieces, reason) = (figure.into(), PieceSet { set }, kind.word());
        let _ = emit(Certificate { figure, pieces, reason, raw, nodes });
        Ok(())
    })?;
    checked.next(py)?.ok_or_else(|| failed("internal error: the check ended without a result"))
}
