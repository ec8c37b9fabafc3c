//! The packings of a figure that differ for whoever sets them up, and what comes of their loose pieces.

use super::{Assembly, MAX_STAGES, StandError};
use crate::solve::{Limits, PackingSymmetries, Placement, Problem, SolveError, visit};
use rustc_hash::{FxBuildHasher, FxHashSet};
use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::Group;
use std::hash::BuildHasher;
use std::ops::ControlFlow;

/// Packings, and whether they are all.
#[derive(Clone, Debug)]
pub struct UprightPackings {
    /// The packings.
    pub packings: Vec<Vec<Placement>>,
    /// Whether the search came to its end.
    pub complete: bool,
}

/// Packings up to the symmetries that leave up and down alone, at most `most`: turned on their heads, pieces stand
/// otherwise. All that a search may meet are those with the least images; if `limits` let it meet so many packings
/// only, it may end before there is any of these, and the first of each that it meets is taken.
///
/// # Errors
/// If the figure cannot be searched.
pub fn upright_packings(
    problem: &Problem<'_>,
    limits: Limits<'_>,
    most: usize,
) -> Result<UprightPackings, SolveError> {
    let down = Cell::new(0, 0, 1);
    let upright = problem.group().iter().filter(|t| t.apply(down) == down);
    let problem =
        Problem::with_group(problem.figure(), problem.set(), Group::generated_by(upright));
    let symmetries = PackingSymmetries::of(&problem);
    let search = |is_new: &mut dyn FnMut(&[Placement]) -> bool| {
        let (mut packings, mut complete) = (Vec::new(), true);
        let report = visit(&problem, limits, &mut |packing| {
            if is_new(packing) {
                complete = packings.len() < most;
                if complete {
                    packings.push(packing.to_vec());
                }
            }
            if complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(UprightPackings { packings, complete: complete && report.outcome.is_exact() })
    };
    let least = search(&mut |packing| symmetries.is_least(packing))?;
    if least.complete || limits.packings.is_none() {
        return Ok(least);
    }
    // By number: that two classes have the same is as good as impossible, and would leave one out.
    let mut met = FxHashSet::default();
    search(&mut |packing| met.insert(FxBuildHasher.hash_one(symmetries.least(packing))))
}

impl UprightPackings {
    /// Positions of `most` packings, spread evenly, or of all if there are no more.
    #[must_use]
    pub fn spread(&self, most: usize) -> Vec<usize> {
        let number = self.packings.len().min(most);
        (0..number).map(|at| at * self.packings.len() / number).collect()
    }
}

/// What comes of the loose pieces of a packing.
#[derive(Clone, PartialEq, Debug)]
pub struct Loose {
    /// They may stand.
    pub stands: bool,
    /// An order in which they can be built, as positions of the pieces, if there is one; or why it is not known.
    pub order: Result<Option<Vec<usize>>, StandError>,
}

/// Sets up the pieces of a packing, each given by its cells.
///
/// # Errors
/// As for [`Assembly::new`] and [`Assembly::stands`].
pub fn analyze_stability(pieces: Vec<Vec<Cell>>, friction: f64) -> Result<Loose, StandError> {
    let mut assembly = Assembly::new(pieces, friction)?;
    Ok(Loose { stands: assembly.stands()?, order: assembly.building_order(MAX_STAGES) })
}
