use super::stored_proofs::{stored_cases, stored_weights};
use super::{
    FileEntry, LookupError, NoPacking, Packing, Presentation, Story, Subject, file_name,
    in_usual_position,
};
use somacat_catalog::{Origin, Row, StructureNumbers};
use somacat_counting::places::PlaceOrbits;
use somacat_counting::plain_search::{MAX_PLACEMENTS, plain_effort};
use somacat_counting::solve::{Limits, Problem, SearchTrace, SolveError, count, guard, trace};
use somacat_geometry::figure::{Candidate, Equivalence, Figure, Signature};
use somacat_geometry::lattice::Transform;
use somacat_geometry::outcome::{ProofKind, Report, Verdict};
use somacat_geometry::pieces::PieceSet;
use std::sync::Arc;

/// The number of stages that usually suffices for a building order. It allows for some failed attempts.
const DIRECT_STAGES: usize = 64;

/// All information about one figure.
#[derive(Clone, Debug)]
pub struct Dossier {
    /// Its name in the file or catalog, or else the signature.
    pub heading: String,
    /// Title, credit and displayed position.
    pub presentation: Presentation,
    /// The canonical form, as in the catalog if the figure is there.
    pub signature: Signature,
    /// The figure in its displayed position, with its symmetry group.
    pub candidate: Candidate,
    /// All names, in the order of import. A requested name comes first.
    pub names: Vec<String>,
    pub file: Option<FileEntry>,
    pub origins: Vec<Origin>,
    pub enumerations: Vec<String>,
    /// One outcome for each piece set. A figure never counted has one without a set.
    pub outcomes: Vec<SetOutcome>,
}

/// The results for a figure with one piece set.
#[derive(Clone, Debug)]
pub struct SetOutcome {
    /// The name of the set; `None` if the figure was never counted.
    pub set: Option<Arc<str>>,
    pub pieces: Option<PieceSet>,
    pub report: Option<Report>,
    /// True if counted for this dossier, not read from the catalog.
    pub fresh: bool,
    /// Unique packings, or the reason for having none; `None` before a search. Unique packings differ up to rotations
    /// and reflections.
    pub packings: Option<Result<Vec<Packing>, NoPacking>>,
    /// The placements that a plain search tries for each packing, once measured.
    pub effort: Option<u64>,
    /// The first steps of a search for its packings, if recorded. `pieces` is known then.
    pub trace: Option<SearchTrace>,
    /// The possible placements of each piece, if determined.
    pub places: Option<PlaceOrbits>,
    /// Why there is no packing, once told.
    pub story: Option<Story>,
    /// The kind of the proof that it has no packing, if the catalog knows it.
    pub proof: Option<ProofKind>,
    /// The mark of each cell, if the catalog stores marks that prove it.
    pub(super) stored_marks: Option<Vec<i64>>,
    /// The lines of a proof by cases, if the catalog stores one. They number the cells of the signature.
    pub(super) stored_cases: Option<Arc<str>>,
    /// The catalog's results about its packings that hold for the displayed position.
    pub structure: StructureNumbers,
}

#[derive(Debug, thiserror::Error)]
pub enum DossierError {
    #[error(transparent)]
    Lookup(#[from] LookupError),
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl Dossier {
    /// Returns the outcome that a list of figures shows: the first with a packing, or else the first.
    pub fn main_outcome(&self) -> Option<&SetOutcome> {
        let is_buildable = |outcome: &&SetOutcome| {
            outcome.report.as_ref().is_some_and(|report| report.outcome.verdict().is_buildable())
        };
        self.outcomes.iter().find(is_buildable).or_else(|| self.outcomes.first())
    }

    /// Collects the known results about a figure, without counting or searching.
    pub fn new(subject: &Subject) -> Self {
        let candidate = Candidate::new(subject.figure.clone(), Equivalence::Reflections);
        let mut names: Vec<String> = Vec::new();
        let of_file = subject.file.iter().filter_map(|file| file.entry.name.clone());
        let known = subject.rows.iter().flat_map(|row| row.names.iter().cloned());
        // Further solutions under one header are not further names.
        for name in known.chain(subject.origins.iter().map(Origin::label)).chain(of_file) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if let Some(at) = names.iter().position(|name| *name == subject.name) {
            names[..=at].rotate_right(1);
        }
        let outcome = |row: &Row| {
            let named = |set: &&PieceSet| row.set.as_deref() == Some(set.name());
            SetOutcome {
                structure: structure_as_shown(row, subject),
                proof: row.proof,
                stored_marks: stored_weights(row, &subject.figure),
                stored_cases: stored_cases(row),
                ..SetOutcome::new(
                    row.set.clone(),
                    subject.sets.iter().find(named).cloned(),
                    row.report.clone(),
                )
            }
        };
        // The catalog may have a figure of a file twice: up to reflection and up to rotation.
        let known = subject.rows.first().filter(|_| subject.file.is_none());
        let signature = known.map_or(candidate.signature(), |row| &row.figure.signature).clone();
        Self {
            heading: subject.name.clone(),
            presentation: subject.presentation.clone(),
            signature,
            candidate,
            names,
            file: subject.file.clone(),
            origins: subject.origins.clone(),
            enumerations: subject.enumerations.clone(),
            outcomes: subject.rows.iter().map(outcome).collect(),
        }
    }

    /// Gives a figure of a file the signature that the catalog would give it with a set: up to rotation for a set
    /// without the mirror images of its pieces. Its position leads from the form that the signature spells.
    pub fn sign_for(&mut self, set: &PieceSet) {
        if self.file.is_some() {
            let figure = self.candidate.figure();
            let canonical = figure.canonical_up_to(Equivalence::for_set(set));
            self.presentation.position = canonical.to_canonical.inverse();
            self.signature = canonical.signature;
        }
    }

    /// Replaces the labels of entries without a name with descriptions. Pages show descriptions; commands accept
    /// labels.
    pub fn describe_unnamed(&mut self) {
        let images = self.presentation.mirror_images.iter_mut();
        let known = images.flat_map(|image| [&mut image.name, &mut image.of]);
        for name in known.chain(&mut self.names).chain([&mut self.heading]) {
            let labeled = |origin: &&Origin| origin.label() == *name;
            if self.origins.iter().filter(labeled).all(|origin| origin.name.is_none())
                && let Some(origin) = self.origins.iter().find(labeled)
            {
                *name = entry_in_words(origin);
            }
        }
    }

    /// Returns the name for SOMA text: the signature of a figure that nobody named. An entry without a name has none.
    pub fn name_in_text(&self) -> Option<&str> {
        if self.names.is_empty() && self.file.is_none() {
            return Some(self.signature.as_str());
        }
        let described =
            |origin: &Origin| origin.name.is_none() && entry_in_words(origin) == self.heading;
        (!self.origins.iter().any(described)).then_some(&self.heading)
    }

    /// Returns the outcome with a set. Counts the figure now, within limits, if there is none yet.
    pub fn outcome_with(&mut self, set: &PieceSet, limits: Limits<'_>) -> &mut SetOutcome {
        let of_set = |outcome: &SetOutcome| outcome.set.as_deref() == Some(set.name());
        let at = self.outcomes.iter().position(of_set).unwrap_or_else(|| {
            self.outcomes.push(SetOutcome::new(Some(set.name().into()), Some(set.clone()), None));
            self.outcomes.len() - 1
        });
        if self.outcomes[at].report.is_none() {
            let problem = Problem::with_group(self.candidate.figure(), set, self.candidate.group());
            let report =
                guard(|| count(&problem, limits)).unwrap_or_else(|error| Report::failed(&error));
            let known = SetOutcome::new(Some(set.name().into()), Some(set.clone()), Some(report));
            self.outcomes[at] = SetOutcome { fresh: true, ..known };
        }
        &mut self.outcomes[at]
    }

    /// Searches for `most` unique packings with every set known to have one.
    pub fn find_packings(&mut self, limits: Limits<'_>, most: usize) {
        let buildable =
            |outcome: &&SetOutcome| outcome.verdict().is_some_and(Verdict::is_buildable);
        let sets: Vec<PieceSet> = self
            .outcomes
            .iter()
            .filter(buildable)
            .filter_map(|outcome| outcome.pieces.clone())
            .collect();
        for set in sets {
            self.find_packings_with(&set, limits, most);
        }
    }

    /// Searches for `most` unique packings with a set that has an outcome. See [`Self::outcome_with`].
    pub fn find_packings_with(&mut self, set: &PieceSet, limits: Limits<'_>, most: usize) {
        let figure = self.candidate.figure();
        let entry = self.file.as_ref().map(|file| &file.entry);
        let published = Packing::published(figure, entry, &self.origins, set);
        let of_set = |outcome: &&mut SetOutcome| outcome.set.as_deref() == Some(set.name());
        if let Some(outcome) = self.outcomes.iter_mut().find(of_set) {
            let reason = outcome.report.as_ref().and_then(|report| report.outcome.reason());
            outcome.packings = Some(match (reason, most) {
                (Some(reason), _) => Err(NoPacking::Unsolvable(reason)),
                (None, 0 | 1) => Packing::find(figure, published, set, limits).map(|one| vec![one]),
                (None, _) => Packing::find_unique(figure, published, set, limits, most),
            });
        }
    }

    /// Measures the effort of plain searches, for the figure's difficulty. Searches with each set that builds the
    /// figure.
    pub fn measure_effort(&mut self) {
        let figure = self.candidate.figure();
        for outcome in &mut self.outcomes {
            let buildable = outcome.verdict().is_some_and(Verdict::is_buildable);
            let Some(set) = outcome.pieces.as_ref().filter(|_| buildable) else { continue };
            // The effort depends on the position. A set without the mirror images of its pieces, or its mirror image
            // with that of the figure, is tried in one hand, so that both have the same difficulty.
            let mirrored = set.mirror_image_if_first();
            let hand = Transform::iter().find(|t| t.is_rotation() == mirrored.is_none());
            let figure = hand.map_or_else(|| figure.clone(), |turn| figure.transformed(turn));
            let set = mirrored.as_ref().unwrap_or(set);
            let to_canonical = figure.canonical_up_to(Equivalence::for_set(set)).to_canonical;
            outcome.effort = plain_effort(&figure.transformed(to_canonical), set, MAX_PLACEMENTS);
        }
    }

    /// Tells why there are no packings. A proof by cases is searched only for figures with a name, of which there are few.
    pub fn tell_stories(&mut self) {
        let (figure, has_name) = (self.candidate.figure(), !self.names.is_empty());
        for outcome in &mut self.outcomes {
            outcome.story = outcome.tell(figure, has_name);
        }
    }

    /// Determines the stability of the found packings as loose pieces. Also finds building orders with every stage
    /// stable.
    ///
    /// At most `work` is spent on each set's packings, so a figure takes bounded time. A stability test of some
    /// pieces costs the cube of the number of all pieces. A packing without such an order leaves the others their
    /// shares, or at least enough for the first of them to find an order directly.
    pub fn analyze_stability(&mut self, limits: Limits<'_>, work: usize) {
        for outcome in &mut self.outcomes {
            let Some(Ok(packings)) = &mut outcome.packings else { continue };
            let (mut left, mut number) = (work, packings.len());
            for packing in packings {
                let each = packing.pieces.len().pow(3).max(1);
                let stages = (left / number).max(DIRECT_STAGES * each).min(left) / each;
                if stages == 0 || limits.stopped() {
                    break;
                }
                left = left.saturating_sub(each * packing.analyze_stability(stages));
                number -= 1;
            }
        }
    }

    /// Records the first `steps` steps of a search with each set. A figure settled without a search has no trace.
    pub fn record_searches(
        &mut self,
        limits: Limits<'_>,
        steps: usize,
    ) -> Result<(), DossierError> {
        let figure = self.candidate.figure();
        for outcome in &mut self.outcomes {
            let Some(set) = &outcome.pieces else { continue };
            let trace = trace(&Problem::new(figure, set), limits, steps)?;
            outcome.trace = Some(trace).filter(|trace| !trace.steps.is_empty());
        }
        Ok(())
    }
}

/// Returns the name of an entry, or a description: `Figure 13 of figures.txt`.
pub fn entry_in_words(origin: &Origin) -> String {
    let described = || format!("Figure {} of {}", origin.number, file_name(&origin.source));
    origin.name.clone().unwrap_or_else(described)
}

/// Returns the catalog's results about a figure's packings. Stability results hold only for the catalog's displayed
/// position, which may differ for another name or a file.
fn structure_as_shown(row: &Row, subject: &Subject) -> StructureNumbers {
    let lies_so =
        |canonical: &Figure| in_usual_position(canonical, &subject.origins) == subject.figure;
    let known = row.structure;
    let holds = known.stand.is_some() && row.figure.signature.figure().as_ref().is_ok_and(lies_so);
    StructureNumbers { stand: known.stand.filter(|_| holds), ..known }
}

impl SetOutcome {
    fn new(set: Option<Arc<str>>, pieces: Option<PieceSet>, report: Option<Report>) -> Self {
        Self {
            set,
            pieces,
            report,
            fresh: false,
            packings: None,
            effort: None,
            trace: None,
            places: None,
            story: None,
            proof: None,
            stored_marks: None,
            stored_cases: None,
            structure: StructureNumbers::default(),
        }
    }

    pub fn verdict(&self) -> Option<Verdict> {
        self.report.as_ref().map(|report| report.outcome.verdict())
    }

    pub fn first_packing(&self) -> Option<&Packing> {
        self.unique_packings().first()
    }

    pub fn unique_packings(&self) -> &[Packing] {
        match &self.packings {
            Some(Ok(packings)) => packings,
            _ => &[],
        }
    }
}
