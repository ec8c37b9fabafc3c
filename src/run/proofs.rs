//! Short proofs that figures cannot be built: found for the catalog, and checked in it.

use super::{Progress, Run, RunError, default_limits, try_figure};
use rayon::prelude::*;
use somacat_catalog::{CatalogError, Pending, Session, StoredProof};
use somacat_checking::check_certificate;
use somacat_counting::prove::{Argument, write_certificate, write_claim};
use somacat_counting::question::Size;
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::PieceSet;
use somacat_output::export::Spelling;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Figures that are proved on all cores at a time. A kill loses as many.
const BATCH: usize = 32;

/// The numbers of figures by the kind of their proofs. `None` has those without a short proof.
pub type FoundProofs = BTreeMap<Option<ProofKind>, u64>;

impl Run<'_> {
    /// Proves the run's figures that cannot be built, if the plan requests it.
    pub(super) fn find_proofs(&mut self) -> Result<(), RunError> {
        if self.plan.wanted.prove && !self.intake.stopped() {
            let (stop, progress) = (self.intake.stop, self.intake.progress);
            find_proofs(&mut self.intake.session, stop, progress)?;
        }
        Ok(())
    }
}

/// Finds proofs for the session's figures that only a search ruled out, and stores them. Figures with a stored answer
/// are skipped.
pub fn find_proofs(
    session: &mut Session,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<FoundProofs, CatalogError> {
    let limits = default_limits(stop);
    let sets = session.catalog().piece_sets()?;
    let (mut found, mut done) = (FoundProofs::new(), 0);
    progress.begin("proofs", Size::Exact(session.list_unproved()?));
    loop {
        let batch = session.unproved(done, BATCH)?;
        if batch.is_empty() || limits.stopped() {
            break;
        }
        done += batch.len() as u64;
        let find = |pending: Pending| {
            let figure = pending.signature.figure().ok()?;
            let proof = proof(&figure, sets.get(&pending.set)?, limits);
            progress.advance(1);
            (!limits.stopped()).then_some((pending, proof))
        };
        let proofs: Vec<_> = batch.into_par_iter().with_max_len(1).filter_map(find).collect();
        session.keep_proofs(&proofs)?;
        for (_, proof) in proofs {
            *found.entry(proof.map(|proof| proof.kind)).or_default() += 1;
        }
    }
    progress.end();
    Ok(found)
}

/// Finds a short proof. `None` if there is none, or after a stop.
fn proof(figure: &Figure, set: &PieceSet, limits: Limits<'_>) -> Option<StoredProof> {
    let mut text = Vec::new();
    let problem = Problem::new(figure, set);
    let kind = try_figure(|| match Argument::find(&problem, limits) {
        Argument::Search | Argument::Count => Ok(None),
        argument => write_certificate("", (figure, set), &argument, limits, &mut text)
            .map(|certificate| Some(certificate.kind)),
    });
    let text = String::from_utf8(text).ok()?;
    let body = text.find("\nreason ").map(|at| &text[at + 1..])?;
    Some(StoredProof { kind: kind.ok()??, body: body.into() })
}

/// Checks a stored proof with independent code. Returns its problem, if any.
pub(super) fn check_proof(proof: &StoredProof, figure: &Figure, set: &PieceSet) -> Option<String> {
    let mut text = Vec::new();
    write_claim("", (figure, set), &mut text).expect("memory takes every byte");
    let lines = text.iter().filter(|byte| **byte == b'\n').count() as u64;
    text.extend_from_slice(proof.body.as_bytes());
    match check_certificate(&*text, Some(figure), Some(set)) {
        Err(error) if error.line > lines => {
            Some(format!("line {} of the proof: {}", error.line - lines, error.problem))
        }
        Err(error) => Some(error.problem.to_string()),
        Ok(certified) if certified.kind != proof.kind => {
            Some(format!("the proof is one of {}", certified.kind.word()))
        }
        Ok(_) => None,
    }
}
