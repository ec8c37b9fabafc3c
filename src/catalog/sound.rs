//! What makes a row sound: it agrees with what its signature says, and with itself.

use super::words::verdict_word;
use crate::figure::{Identity, Signature, part_count};
use crate::symmetry::Class;

/// The columns of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FigureColumns {
    pub(super) cells: i64,
    pub(super) bounds: String,
    pub(super) class: i64,
    pub(super) parity: i64,
    pub(super) parts: i64,
}

/// The columns that a signature's figure has.
///
/// # Errors
/// What is wrong with the signature.
pub(super) fn derive(signature: &str) -> Result<FigureColumns, String> {
    let signature: Signature = signature.parse().map_err(|error| format!("{error}"))?;
    let figure = signature.figure().map_err(|error| error.to_string())?;
    let mut extents = figure.extents();
    extents.sort_unstable();
    let class: Class = figure.canonical_up_to(Identity::Reflections).group.class();
    Ok(FigureColumns {
        cells: figure.len() as i64,
        bounds: extents.map(|extent| extent.to_string()).join("x"),
        class: class.number() as i64,
        parity: i64::from(figure.color_difference().unsigned_abs()),
        parts: part_count(figure.cells()) as i64,
    })
}

impl FigureColumns {
    /// The first column in which two figures differ, with both values.
    pub(super) fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let pairs = [
            ("cells", self.cells, other.cells),
            ("class_id", self.class, other.class),
            ("parity", self.parity, other.parity),
            ("parts", self.parts, other.parts),
        ];
        if self.bounds != other.bounds {
            return Some(("box", self.bounds.clone(), other.bounds.clone()));
        }
        let (column, ours, theirs) = pairs.into_iter().find(|(_, a, b)| a != b)?;
        Some((column, ours.to_string(), theirs.to_string()))
    }
}

/// What an outcome says, and the symmetry of its figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OutcomeColumns {
    pub(super) verdict: i64,
    pub(super) has_reason: bool,
    pub(super) has_error: bool,
    pub(super) raw: Option<u128>,
    pub(super) rotation: Option<u128>,
    pub(super) unique: Option<u128>,
    /// Elements of the figure's group, and rotations among them.
    pub(super) orders: [u128; 2],
}

impl OutcomeColumns {
    /// Why no count can come out so, if none can.
    pub(super) fn contradiction(&self) -> Option<String> {
        let Some(verdict) = verdict_word(self.verdict) else {
            return Some(format!("verdict {} is none", self.verdict));
        };
        let Self { has_reason, has_error, raw, rotation, unique, .. } = *self;
        let none = (Some(0), Some(0), Some(0));
        let told = match verdict {
            "counted" if has_reason || has_error => "counted, but with a reason",
            "counted" => match (raw, rotation, unique) {
                (Some(raw), Some(rotation), Some(unique)) => {
                    return self.impossible(raw, rotation, unique);
                }
                _ => "counted, but not every count is there",
            },
            "unsolvable" if !has_reason => "unsolvable, but without a reason",
            "unsolvable" if (raw, rotation, unique) != none => "unsolvable, but with packings",
            "solvable" if raw.unwrap_or(0) == 0 => "solvable, but without packings",
            "unknown" if raw.unwrap_or(0) > 0 => "unknown, but with packings",
            "solvable" | "unknown" if has_reason || has_error => "undecided, but with a reason",
            "solvable" | "unknown" if rotation.is_some() || unique.is_some() => {
                "undecided, but with an exact count"
            }
            "failed" if !has_error => "failed, but it is not said why",
            "failed" if raw.is_some() => "failed, but with a count",
            _ => return None,
        };
        Some(told.to_owned())
    }

    /// An orbit of packings has at most as many members as the group has elements, and a group with
    /// reflections has twice as many elements as rotations.
    fn impossible(&self, raw: u128, rotation: u128, unique: u128) -> Option<String> {
        let [order, rotations] = self.orders;
        let possible = unique > 0
            && unique <= rotation
            && rotation <= raw
            && raw <= rotation.saturating_mul(rotations)
            && rotation <= unique.saturating_mul(2)
            && (order > rotations || unique == rotation);
        (!possible).then(|| {
            format!(
                "raw {raw}, rotation {rotation}, unique {unique} cannot be with {rotations} \
                 rotations among {order} symmetries"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_is_sound_and_what_contradicts_itself_is_not() {
        let verdict = super::super::words::verdict_id;
        let cube = OutcomeColumns {
            verdict: verdict("counted"),
            has_reason: false,
            has_error: false,
            raw: Some(11520),
            rotation: Some(480),
            unique: Some(240),
            orders: [48, 24],
        };
        assert_eq!(cube.contradiction(), None);
        let wrong = [
            OutcomeColumns { raw: Some(11521), ..cube },
            OutcomeColumns { rotation: None, ..cube },
            OutcomeColumns { unique: Some(481), ..cube },
            OutcomeColumns { unique: Some(239), ..cube },
            OutcomeColumns { orders: [24, 24], ..cube },
            OutcomeColumns { has_reason: true, ..cube },
            OutcomeColumns { verdict: verdict("unsolvable"), has_reason: true, ..cube },
            OutcomeColumns { verdict: verdict("solvable"), ..cube },
            OutcomeColumns { verdict: verdict("unknown"), ..cube },
            OutcomeColumns { verdict: verdict("failed"), ..cube },
            OutcomeColumns { verdict: 9, ..cube },
        ];
        for outcome in wrong {
            assert!(outcome.contradiction().is_some(), "{outcome:?}");
        }
    }
}
