//! The packings of a figure that differ for whoever sets them up, and what comes of their loose pieces.

use super::{Assembly, MAX_STAGES, StandError};
use crate::lattice::Cell;
use crate::solve::{Limits, PackingSymmetries, Placement, Problem, SolveError, visit};
use crate::symmetry::Group;
use std::ops::ControlFlow;

/// Packings, and whether they are all.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UprightPackings {
    /// The packings.
    pub packings: Vec<Vec<Placement>>,
    /// Whether the search came to its end.
    pub complete: bool,
}

/// Packings up to the symmetries that leave up and down alone, at most `most`: turned on their heads, pieces stand
/// otherwise.
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
    let (symmetries, mut packings) = (PackingSymmetries::of(&problem), Vec::new());
    let mut complete = true;
    let report = visit(&problem, limits, &mut |packing| {
        if symmetries.is_least(packing) {
            complete = packings.len() < most;
            if complete {
                packings.push(packing.to_vec());
            }
        }
        if complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(UprightPackings { packings, complete: complete && report.outcome.is_exact() })
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
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Loose {
    /// They may stand.
    pub stands: bool,
    /// An order in which they can be built, as positions of the pieces.
    pub order: Option<Vec<usize>>,
}

/// Sets up the pieces of a packing, each given by its cells.
///
/// # Errors
/// As for [`Assembly`].
pub fn set_up(pieces: Vec<Vec<Cell>>, friction: f64) -> Result<Loose, StandError> {
    let mut assembly = Assembly::new(pieces, friction)?;
    Ok(Loose { stands: assembly.stands()?, order: assembly.building_order(MAX_STAGES)? })
}
