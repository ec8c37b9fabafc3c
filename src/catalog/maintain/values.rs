//! Values that a program which computes checksums can forge, but that contradict each other or the program's own.

use super::check::Checking;
use crate::EnumerationId;
use crate::codes::buildable_verdicts;
use crate::collect::collect_rows;
use crate::enumerations::delete_enumeration;
use rusqlite::{Connection, Row};
use somacat_formats::PublishedPacking;
use somacat_geometry::figure::{Equivalence, Signature};
use somacat_geometry::lattice::Transform;
use somacat_geometry::pieces::{PieceSet, parse_piece_lines};
use std::collections::BTreeMap;

/// A condition that holds for every row that the program writes.
struct Rule {
    table: &'static str,
    condition: &'static str,
    problem: &'static str,
}

/// What a row is about, as SQL for each table.
const ENTRY: &str =
    "(SELECT label FROM source WHERE id = source_id) || ', entry ' || (ordinal + 1)";
const FIGURE: &str = "(SELECT signature FROM figure WHERE id = figure_id)";
const ENUMERATION: &str = "(SELECT label FROM enumeration WHERE id = enumeration_id)";

static RULES: [Rule; 11] = [
    Rule {
        table: "name",
        condition: "ordinal >= 0 AND line >= 1 AND variant >= 1 AND one_sided IN (0, 1)
            AND commented_out IN (0, 1)",
        problem: "its numbers are out of range",
    },
    Rule {
        table: "fault",
        condition: "ordinal >= 0 AND line >= 0 AND refused IN (0, 1)",
        problem: "its numbers are out of range",
    },
    Rule {
        table: "published_count",
        condition: "value >= 0",
        problem: "a published count below 0",
    },
    Rule { table: "enumeration_total", condition: "figures >= 0", problem: "a total below 0" },
    Rule {
        table: "enumeration_total",
        condition:
            "(reason_id > 0) = (verdict_id = (SELECT id FROM verdict WHERE name = 'unsolvable'))
            AND (reason_id = 0 OR reason_id IN (SELECT id FROM reason))",
        problem: "a total has a reason that its verdict excludes",
    },
    Rule {
        table: "enumeration",
        condition: "complete IN (0, 1) AND (NOT complete OR shard = 0 AND listed = 0)",
        problem: "its position is not that of a complete enumeration",
    },
    Rule {
        table: "enumeration",
        condition: "keep <> 'totals'
            OR NOT EXISTS (SELECT 1 FROM enumerated WHERE enumeration_id = enumeration.id)",
        problem: "it keeps totals alone, but has figures",
    },
    Rule {
        table: "enumeration",
        condition: "CASE WHEN keep GLOB 'top:*' THEN question GLOB 'census/*'
                WHEN keep = 'solvable' THEN question NOT GLOB 'buildable/*' ELSE TRUE END",
        problem: "a question of its kind keeps other figures",
    },
    Rule {
        table: "structure",
        condition: "(map_components IS NULL) = (map_solitary IS NULL)
            AND COALESCE(map_components, 0) >= 0
            AND COALESCE(map_solitary, 0) BETWEEN 0 AND COALESCE(map_components, 0)",
        problem: "its map is impossible",
    },
    Rule {
        table: "structure",
        condition:
            "(friction IS NULL) = (solid_stands IS NULL) AND (friction IS NULL) = (set_up IS NULL)
            AND (friction IS NULL) = (stand IS NULL) AND (friction IS NULL) = (by_hand IS NULL)
            AND COALESCE(solid_stands, 0) IN (0, 1) AND COALESCE(friction, 1) BETWEEN 0 AND 1000
            AND COALESCE(set_up, 0) >= 0 AND COALESCE(stand, 0) BETWEEN 0 AND COALESCE(set_up, 0)
            AND COALESCE(by_hand, 0) BETWEEN 0 AND COALESCE(stand, 0)",
        problem: "its stability is impossible",
    },
    // An outcome without a unique count is only a lower bound.
    Rule {
        table: "structure",
        condition: "EXISTS (SELECT 1 FROM outcome o WHERE o.figure_id = structure.figure_id
                AND o.set_id = structure.set_id AND o.verdict_id IN (buildable)
                AND (o.\"unique\" IS NULL OR COALESCE(map_components <= o.\"unique\", TRUE)
                    AND COALESCE(set_up <= o.raw, TRUE)))",
        problem: "it has more packings than its figure",
    },
];

impl Rule {
    /// Returns an SQL condition for the rows that break the rule.
    fn broken(&self) -> String {
        let buildable = format!("({})", buildable_verdicts());
        format!("({}) IS NOT TRUE", self.condition.replace("(buildable)", &buildable))
    }
}

/// Deletes rows that break a rule, names with impossible positions or packings, and the enumerations of such rows. They
/// restart when they are requested again.
pub(super) fn delete_impossible(connection: &Connection) -> rusqlite::Result<()> {
    for rule in &RULES {
        let (table, broken) = (rule.table, rule.broken());
        let enumerations = match table {
            "enumeration" => format!("SELECT id FROM enumeration WHERE {broken}"),
            "enumeration_total" => {
                format!("SELECT DISTINCT enumeration_id FROM enumeration_total WHERE {broken}")
            }
            _ => {
                connection.execute(&format!("DELETE FROM {table} WHERE {broken}"), [])?;
                continue;
            }
        };
        let ids: Vec<EnumerationId> =
            collect_rows(connection, &enumerations, [], |row| row.get(0))?;
        for id in ids {
            delete_enumeration(connection, id)?;
        }
    }
    let mut keys: Vec<[i64; 3]> = Vec::new();
    for_each_impossible_name(connection, |row, _| {
        keys.push([row.get("source_id")?, row.get("ordinal")?, row.get("one_sided")?]);
        Ok(())
    })?;
    for key in keys {
        let sql = "DELETE FROM name WHERE source_id = ? AND ordinal = ? AND one_sided = ?";
        connection.execute(sql, key)?;
    }
    Ok(())
}

impl Checking<'_> {
    /// Checks numbers that the program cannot have written.
    pub(super) fn ranges(&mut self) -> rusqlite::Result<()> {
        for rule in &RULES {
            let Rule { table, problem, .. } = rule;
            let what = match *table {
                "name" | "fault" => ENTRY,
                "enumeration_total" => ENUMERATION,
                "enumeration" => "label",
                _ => FIGURE,
            };
            let sql = format!("SELECT COALESCE({what}, '') FROM {table} WHERE {}", rule.broken());
            let connection = self.connection;
            let mut statement = connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                self.find(table, row.get::<_, String>(0)?, *problem);
            }
        }
        Ok(())
    }

    /// Checks that each entry's position exists, and that its packing has the pieces of its set.
    pub(super) fn names(&mut self) -> rusqlite::Result<()> {
        let connection = self.connection;
        for_each_impossible_name(connection, |row, problem| {
            self.find("name", row.get::<_, String>("what")?, problem);
            Ok(())
        })
    }
}

/// Calls `visit` for each name with an impossible position or packing, and its problem.
fn for_each_impossible_name(
    connection: &Connection,
    mut visit: impl FnMut(&Row<'_>, String) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    // Damaged sets are findings of their own.
    let sql = "SELECT id, name, definition FROM piece_set";
    let sets: Vec<(i64, Option<PieceSet>)> = collect_rows(connection, sql, [], |row| {
        let (name, definition): (String, String) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, parse_piece_lines(&name, &definition).ok()))
    })?;
    let sets = sets.into_iter().collect();
    let sql = format!(
        "SELECT COALESCE({ENTRY}, '') AS what, n.source_id, n.ordinal, f.signature, n.one_sided, n.transform,
            n.set_id, n.packing
         FROM name n JOIN figure f ON f.id = n.figure_id"
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(problem) = problem_of_name(row, &sets)? {
            visit(row, problem)?;
        }
    }
    Ok(())
}

/// Checks the position and the packing of an entry. Returns its problem, if any.
fn problem_of_name(
    row: &Row<'_>,
    sets: &BTreeMap<i64, Option<PieceSet>>,
) -> rusqlite::Result<Option<String>> {
    let problem = |text: &str| Ok(Some(text.to_owned()));
    let signature: String = row.get("signature")?;
    let equivalence = match row.get::<_, i64>("one_sided")? {
        0 => Equivalence::Reflections,
        _ => Equivalence::Rotations,
    };
    if !signature.starts_with(equivalence.prefix()) {
        return problem("its figure is of the other kind, up to rotation or up to reflection");
    }
    let transform = match row.get::<_, Option<i64>>("transform")? {
        None => Transform::IDENTITY,
        Some(number) => match u8::try_from(number).ok().and_then(Transform::from_number) {
            Some(t) if t.is_rotation() || equivalence == Equivalence::Reflections => t,
            _ => return Ok(Some(format!("there is no transform T{number} of its figure"))),
        },
    };
    let Some(letters) = row.get::<_, Option<String>>("packing")? else { return Ok(None) };
    let Some(set) = row.get::<_, Option<i64>>("set_id")?.map(|id| sets.get(&id)) else {
        return problem("it has a packing, but no set");
    };
    // A damaged set or signature is a finding of its own.
    let (Some(Some(set)), Ok(figure)) = (set, Signature::from_trusted(signature).figure()) else {
        return Ok(None);
    };
    let figure = figure.transformed(transform);
    let is_packing = PublishedPacking::from_letters(&figure, &letters, set).is_some();
    Ok((!is_packing).then(|| {
        format!("{} is not a packing of its figure with {}", letters.escape_debug(), set.name())
    }))
}
