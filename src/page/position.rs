//! A puzzle in play: the pieces that a visitor has placed, the next one, and the ways to finish.

use crate::answer::{Hint, InPlace, Ways};
use somacat_counting::solve::{
    self, Limits, PackingSymmetries, Placement, Problem, Remainder, first,
};
use somacat_counting::stand::building_order;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;

/// Pieces of a set in a figure, in the order in which they were placed.
pub(crate) struct Position<'a> {
    figure: &'a Figure,
    set: &'a PieceSet,
    placed: Vec<Placement>,
}

/// How a position can be finished.
enum Finish {
    /// With these pieces.
    With(Vec<Placement>),
    /// Not at all.
    No,
    /// The search reached its limit.
    Unknown,
}

impl<'a> Position<'a> {
    /// Reads pieces in place. Whether they fit is seen when they are used.
    pub(crate) fn new(
        figure: &'a Figure,
        set: &'a PieceSet,
        placed: &[InPlace],
    ) -> Result<Self, String> {
        let placement = |(piece, cells): &InPlace| {
            let cell = |&at: &usize| figure.cells().get(at).copied();
            let mut cells = cells.iter().map(cell).collect::<Option<Vec<Cell>>>()?;
            cells.sort_unstable();
            (*piece < set.pieces().len()).then_some(Placement { piece: *piece, cells })
        };
        let placed = placed.iter().map(placement).collect::<Option<_>>();
        let placed = placed.ok_or("a piece or a cell in place does not exist")?;
        Ok(Self { figure, set, placed })
    }

    /// Returns the next piece of a packing that contains all pieces in place. If there is no such packing, returns a
    /// piece to take back.
    pub(crate) fn hint(&self, limits: Limits<'_>) -> Result<Hint, String> {
        let mut hint = Hint::default();
        match self.finish(&self.placed, limits)? {
            Finish::With(rest) if rest.is_empty() => hint.complete = true,
            Finish::With(rest) => hint.next = Some(self.next(rest)),
            Finish::No => (hint.back, hint.decided) = (self.mistake(limits)?, true),
            Finish::Unknown => {}
        }
        hint.decided |= hint.complete || hint.next.is_some();
        Ok(hint)
    }

    /// Counts the ways to finish. If there is none, returns a piece to take back.
    pub(crate) fn ways(&self, limits: Limits<'_>) -> Result<Ways, String> {
        let report = match self.remainder(&self.placed)? {
            Some(rest) => solve::count(&rest.problem(), limits),
            None => solve::count(&Problem::new(self.figure, self.set), limits),
        };
        let outcome = report.map_err(text)?.outcome;
        let exact = outcome.is_exact();
        let raw = outcome.raw().filter(|&raw| exact || raw > 0);
        let none = exact && raw.is_none_or(|raw| raw == 0);
        let back = if none { self.mistake(limits)? } else { None };
        let raw = if none { Some(0) } else { raw };
        Ok(Ways { raw: raw.map(|raw| raw.to_string()), exact, back })
    }

    /// Returns the first of several packings that is equal to this one up to the figure's symmetries.
    pub(crate) fn same(&self, packings: &[Vec<InPlace>]) -> Result<Option<usize>, String> {
        let symmetries = PackingSymmetries::of(&Problem::new(self.figure, self.set));
        let own = symmetries.least(&self.placed);
        for (at, packing) in packings.iter().enumerate() {
            if symmetries.least(&Self::new(self.figure, self.set, packing)?.placed) == own {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Returns what pieces in place leave; `None` if there are none.
    fn remainder(&self, placed: &[Placement]) -> Result<Option<Remainder>, String> {
        let rest = || Remainder::new(self.figure, self.set, placed).map_err(text);
        (!placed.is_empty()).then(rest).transpose()
    }

    fn finish(&self, placed: &[Placement], limits: Limits<'_>) -> Result<Finish, String> {
        if placed.iter().map(|one| one.cells.len()).sum::<usize>() == self.figure.len() {
            return Ok(Finish::With(Vec::new()));
        }
        let rest = self.remainder(placed)?;
        let problem =
            rest.as_ref().map_or_else(|| Problem::new(self.figure, self.set), Remainder::problem);
        let (found, report) = first(&problem, limits).map_err(text)?;
        Ok(match found {
            Some(packing) => Finish::With(rest.map_or(packing.clone(), |rest| {
                let named = rest.in_whole(&packing);
                named.into_iter().map(|piece| self.placement(piece)).collect()
            })),
            None if report.outcome.is_exact() => Finish::No,
            None => Finish::Unknown,
        })
    }

    /// Returns a piece with its number in the set. Its pieces have different letters.
    fn placement(&self, (letter, cells): (char, Vec<Cell>)) -> Placement {
        let piece = self.set.pieces().iter().position(|(piece, _)| piece.letter() == letter);
        Placement { piece: piece.expect("the rest is of the set"), cells }
    }

    /// Returns the first of the pieces left in a building order of the whole.
    fn next(&self, rest: Vec<Placement>) -> InPlace {
        let all: Vec<Placement> = self.placed.iter().cloned().chain(rest).collect();
        let letter = |one: &Placement| self.set.pieces()[one.piece].0.letter();
        let named: Vec<_> = all.iter().map(|one| (letter(one), one.cells.clone())).collect();
        let order = building_order(&named).0;
        let next = order.into_iter().find(|&at| at >= self.placed.len());
        let Placement { piece, cells } = &all[next.expect("pieces are left")];
        let at = cells.iter().filter_map(|cell| self.figure.cells().binary_search(cell).ok());
        (*piece, at.collect())
    }

    /// Returns the number of a piece without which the position can be finished, the last one if there are several. If no
    /// single one suffices, returns the first with which it can no longer be finished. `None` if neither is found
    /// within the limits, or if the figure cannot be built.
    fn mistake(&self, limits: Limits<'_>) -> Result<Option<usize>, String> {
        for at in (0..self.placed.len()).rev() {
            let mut others = self.placed.clone();
            others.remove(at);
            if matches!(self.finish(&others, limits)?, Finish::With(_)) {
                return Ok(Some(at));
            }
        }
        for number in (0..self.placed.len().saturating_sub(1)).rev() {
            match self.finish(&self.placed[..number], limits)? {
                Finish::With(_) => return Ok(Some(number)),
                Finish::No => {}
                Finish::Unknown => return Ok(None),
            }
        }
        Ok(None)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
