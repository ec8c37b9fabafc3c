//! Questions of catalogs of schema version 1, which stored an enumeration's description only. They are parsed, so
//! that such enumerations can continue.

use crate::{EnumerationId, checksum, enumerations};
use rusqlite::{Connection, params};
use somacat_counting::census::Census;
use somacat_counting::enumerate::{BoxSpec, ClassChoice, FigureShape, Question, SymmetricSpec};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::Identity;
use somacat_geometry::pieces::{PieceSet, parse_piece_lines};

/// An enumeration of schema version 1.
struct First {
    id: EnumerationId,
    words: String,
    set: Option<PieceSet>,
    complete: bool,
}

/// Gives every enumeration the key of its question and a checksum. Enumerations that cannot continue are deleted,
/// but not their figures. Asked again, they restart.
pub(super) fn restate(connection: &Connection) -> rusqlite::Result<()> {
    // Of several descriptions of one question, the most advanced stays.
    let mut statement = connection.prepare(
        "SELECT e.id, e.label, p.name, p.definition, e.complete FROM enumeration e
         JOIN piece_set p ON p.id = e.set_id ORDER BY e.complete DESC, e.shard DESC, e.listed DESC, e.id",
    )?;
    let rows = statement.query_map([], |row| {
        let (name, definition): (String, String) = (row.get(2)?, row.get(3)?);
        let set = parse_piece_lines(&name, &definition).ok();
        Ok(First { id: row.get(0)?, words: row.get(1)?, set, complete: row.get(4)? })
    })?;
    for first in rows.collect::<Result<Vec<First>, _>>()? {
        let restated = match first.restated() {
            Some((question, label)) => connection.execute(
                "UPDATE OR IGNORE enumeration SET question = ?, label = ? WHERE id = ?",
                params![question, label, first.id],
            )?,
            None => 0,
        };
        if restated == 0 {
            enumerations::forget(connection, first.id)?;
        } else {
            checksum::seal(connection, first.id)?;
        }
    }
    enumerations::forget_unsound(connection)?;
    Ok(())
}

impl First {
    /// Returns the key and the label of the question. `None` if the enumeration cannot continue, or was wrong.
    fn restated(&self) -> Option<(String, String)> {
        let set = self.set.as_ref()?;
        if let Some(rest) = self.words.strip_prefix("census of ") {
            // The split depended on the available memory.
            let sides = parse_box(rest.split(' ').next()?).ok()?;
            let census = Census::new(sides, set).ok().filter(|_| self.complete)?;
            let label = rest.split(' ').next().map(|sides| format!("census of {sides}"))?;
            return Some((census.key(), label));
        }
        // Mirror images were left out even where they are different figures.
        let identity = Some(Identity::for_set(set)).filter(|id| *id == Identity::Reflections)?;
        let question = question(&self.words)?.with_identity(identity);
        // Figures of several parts came in another order.
        let several = matches!(&question, Question::Symmetric(spec) if spec.parts > 1);
        (self.complete || !several).then(|| (question.key(), self.words.clone()))
    }
}

/// Parses a description.
fn question(words: &str) -> Option<Question> {
    if let Some(rest) = words.strip_prefix("symmetric figures of ") {
        let (cells, words) = rest.split_once(" cells: ")?;
        return Some(Question::Symmetric(symmetric(cells.parse().ok()?, words)?));
    }
    let (kind, rest) = words.split_once(" of ")?;
    let (cells, sides) = rest.split_once(" cells in ")?;
    let all = BoxSpec::new(parse_box(sides).ok()?, cells.parse().ok()?);
    let (connected, shape) = match kind {
        "figures" => (false, FigureShape::Any),
        "connected figures" => (true, FigureShape::Any),
        "tower figures" => (false, FigureShape::Towers),
        "connected tower figures" => (true, FigureShape::Towers),
        _ => return None,
    };
    Some(Question::Box(BoxSpec { connected, shape, ..all }))
}

fn symmetric(cells: usize, words: &str) -> Option<SymmetricSpec> {
    let (mut names, mut fold, mut order) = (Vec::new(), None, None);
    let (mut bounds, mut exact, mut parts) = (None, false, 1);
    for word in words.split(", ").filter(|word| !word.is_empty()) {
        if let Some(n) = word.strip_suffix("-fold") {
            fold = Some(n.parse().ok()?);
        } else if let Some(n) =
            word.strip_prefix("of order ").and_then(|rest| rest.strip_suffix(" or more"))
        {
            order = Some(n.parse().ok()?);
        } else if let Some(sides) = word.strip_prefix("within ") {
            bounds = Some(parse_box(sides).ok()?);
        } else if word == "and no more symmetry" {
            exact = true;
        } else if let Some(n) =
            word.strip_prefix("in ").and_then(|rest| rest.strip_suffix(" parts"))
        {
            parts = n.parse().ok()?;
        } else {
            names.push(word.to_owned());
        }
    }
    let classes = ClassChoice::new(&names, fold, order).ok()?;
    Some(SymmetricSpec { classes, exact, cells, bounds, parts, identity: Identity::Reflections })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // Tests may panic.
mod tests {
    use super::*;
    use somacat_geometry::pieces::parse_set;

    fn restated(words: &str, set: &str, complete: bool) -> Option<(String, String)> {
        let set = Some(parse_set(set).unwrap());
        First { id: EnumerationId(1), words: words.to_owned(), set, complete }.restated()
    }

    /// Descriptions of the first version, and their current keys.
    #[test]
    fn words_of_the_first_version_are_the_questions_of_today() {
        let class = |names: &[&str], fold, order| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            ClassChoice::new(&names, fold, order).unwrap()
        };
        let all = |classes| SymmetricSpec {
            classes,
            exact: false,
            cells: 27,
            bounds: None,
            parts: 1,
            identity: Identity::Reflections,
        };
        let symmetric = |spec| Question::Symmetric(spec).key();
        let five = [[3, 2, 5], [2, 5, 3]];
        for (words, key) in [
            ("symmetric figures of 27 cells: 6-fold", symmetric(all(class(&[], Some(6), None)))),
            (
                "symmetric figures of 27 cells: of order 4 or more, C2v(face,planar), G",
                symmetric(all(class(&["C2v(face,planar)", "Oh"], None, Some(4)))),
            ),
            (
                "symmetric figures of 27 cells: Ci, within 3x4x5, and no more symmetry, in 1 parts",
                symmetric(SymmetricSpec {
                    bounds: Some([5, 4, 3]),
                    exact: true,
                    ..all(class(&["Ci"], None, None))
                }),
            ),
            ("figures of 27 cells in 3x2x5", Question::Box(BoxSpec::new(five[1], 27)).key()),
            (
                "connected tower figures of 27 cells in 3x2x5",
                Question::Box(BoxSpec {
                    connected: true,
                    shape: FigureShape::Towers,
                    ..BoxSpec::new(five[0], 27)
                })
                .key(),
            ),
        ] {
            assert_eq!(restated(words, "SOMA", false), Some((key, words.to_owned())));
            assert_eq!(restated(words, "A L T Z P V2", true), None, "mirror images were missing");
        }
        let parts = "symmetric figures of 27 cells: Ci, within 3x4x5, in 2 parts";
        assert_eq!(restated(parts, "SOMA", false), None);
        assert!(restated(parts, "SOMA", true).is_some());
        let census = "census of 2x3x5 in 35 parts";
        assert_eq!(restated(census, "SOMA", false), None);
        let (key, label) = restated(census, "SOMA", true).unwrap();
        assert!(key.starts_with("census/1 box=2x3x5 set=V+L+T+Z+A+B+P"), "{key}");
        assert_eq!(label, "census of 2x3x5");
        assert_eq!(restated("something else", "SOMA", true), None);
    }
}
