//! The packings of a figure to set up, and their stability.

use super::{Assembly, MAX_STAGES, StandError};
use crate::solve::{Limits, PackingSymmetries, Placement, Problem, SolveError, visit};
use rustc_hash::{FxBuildHasher, FxHashSet};
use somacat_geometry::lattice::Cell;
use somacat_geometry::symmetry::Group;
use std::hash::BuildHasher;
use std::ops::ControlFlow;

/// A list of packings that may be incomplete.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_counting::stand::upright_packings;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let found = upright_packings(&Problem::new(&cube, &soma), Limits::default(), 100)?;
/// assert_eq!((found.packings.len(), found.complete), (100, false));
/// assert_eq!(found.spread(4), [0, 25, 50, 75]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct UprightPackings {
    /// The packings.
    pub packings: Vec<Vec<Placement>>,
    /// True if the search was complete.
    pub complete: bool,
}

/// Returns at most `most` packings, up to the symmetries of the figure that keep up and down.
///
/// Other symmetries are not used, because pieces may stand differently upside down. If the search may visit all
/// packings, the least of each class is returned. If `limits` restricts the packings, the search may end before it
/// finds any of these. Then the first of each class that it finds is returned.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem};
/// use somacat_counting::stand::upright_packings;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// // Upright, the cube has 8 of its 48 symmetries, so its 11,520 packings form 1,440 classes.
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let found = upright_packings(&Problem::new(&cube, &soma), Limits::default(), 10_000)?;
/// assert_eq!((found.packings.len(), found.complete), (1_440, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the figure cannot be searched.
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
    // Classes are identified by hash. A collision is practically impossible, and would drop one.
    let mut met = FxHashSet::default();
    search(&mut |packing| met.insert(FxBuildHasher.hash_one(symmetries.least(packing))))
}

impl UprightPackings {
    /// Returns the positions of up to `most` packings in the list, spread evenly.
    pub fn spread(&self, most: usize) -> Vec<usize> {
        let number = self.packings.len().min(most);
        (0..number).map(|at| at * self.packings.len() / number).collect()
    }
}

/// The stability of the loose pieces of a packing.
///
/// ```
/// use somacat_counting::stand::{DEFAULT_FRICTION, analyze_stability};
/// use somacat_geometry::lattice::Cell;
///
/// // A cell between the arms of a U that lies on its side. Both stand, but neither can be lowered after the other.
/// let u = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 2]].map(Cell::from).to_vec();
/// let loose = analyze_stability(vec![u, vec![Cell::new(1, 0, 1)]], DEFAULT_FRICTION)?;
/// assert_eq!((loose.stands, loose.order), (true, Ok(None)));
/// # Ok::<(), somacat_counting::stand::StandError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct LoosePieces {
    /// True if they may stand.
    pub stands: bool,
    /// A building order, as positions of the pieces. `None` if there is none, an error if it is unknown.
    pub order: Result<Option<Vec<usize>>, StandError>,
}

/// Tests the pieces of a packing, each given by its cells, with a coefficient of friction.
///
/// ```
/// use somacat_counting::stand::{DEFAULT_FRICTION, analyze_stability};
/// use somacat_geometry::lattice::Cell;
///
/// // Two dominoes, one on the other.
/// let domino = |z| vec![Cell::new(0, 0, z), Cell::new(1, 0, z)];
/// let loose = analyze_stability(vec![domino(0), domino(1)], DEFAULT_FRICTION)?;
/// assert_eq!((loose.stands, loose.order), (true, Ok(Some(vec![1, 0]))));
/// # Ok::<(), somacat_counting::stand::StandError>(())
/// ```
///
/// # Errors
/// Fails like [`Assembly::new`] and [`Assembly::stands`].
pub fn analyze_stability(pieces: Vec<Vec<Cell>>, friction: f64) -> Result<LoosePieces, StandError> {
    let mut assembly = Assembly::new(pieces, friction)?;
    let order = assembly.building_order(MAX_STAGES);
    Ok(LoosePieces { stands: assembly.stands()?, order })
}
