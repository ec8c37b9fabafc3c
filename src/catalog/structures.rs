//! What is found out about a figure's packings when it is asked for: how they hang together, and what stands.

use super::words::Code;
use super::{CatalogError, EnumerationId, Pending, Session, SetId};
use rusqlite::{Row, params};
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::Verdict;

/// What a run finds out about packings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// How they hang together.
    pub map: bool,
    /// What stands.
    pub stand: bool,
}

impl Wanted {
    /// Whether anything is.
    #[must_use]
    pub const fn any(self) -> bool {
        self.map || self.stand
    }
}

/// A map of packings in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapNumbers {
    /// Parts that hang together; 0 if there are too many packings for a map.
    pub components: usize,
    /// Packings that no other leads to.
    pub solitary: usize,
}

/// What stands, in numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StandNumbers {
    /// The figure as one solid, as it is shown.
    pub solid: bool,
    /// The coefficient of friction between loose pieces.
    pub friction: f64,
    /// Packings that were set up as loose pieces.
    pub set_up: usize,
    /// Of these, those that may stand.
    pub stand: usize,
    /// Of these, those that can be built from above, every stage standing.
    pub by_hand: usize,
}

/// What was found out about one figure with one set; nothing where it was not asked for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StructureNumbers {
    /// The map.
    pub map: Option<MapNumbers>,
    /// What stands.
    pub stand: Option<StandNumbers>,
}

impl StructureNumbers {
    /// From a row of `figure_rows`, where a map that was not made for too many packings is as good as none.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let components: Option<usize> = row.get("map_components")?;
        let map = match components {
            None => None,
            Some(components) => Some(MapNumbers { components, solitary: row.get("map_solitary")? }),
        };
        let friction: Option<f64> = row.get("friction")?;
        let stand = match friction {
            None => None,
            Some(friction) => Some(StandNumbers {
                solid: row.get("solid_stands")?,
                friction,
                set_up: row.get("set_up")?,
                stand: row.get("stand")?,
                by_hand: row.get("by_hand")?,
            }),
        };
        Ok(Self { map, stand })
    }
}

impl Session {
    /// Makes the figures that an enumeration keeps, if not all, figures about whose packings this run finds out.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn add_kept(&mut self, enumeration: EnumerationId, set: SetId) -> Result<(), CatalogError> {
        self.catalog.write("list the figures that an enumeration keeps", |transaction| {
            transaction
                .execute(
                    "INSERT OR IGNORE INTO temp.kept_figure
                     SELECT figure_id, ? FROM enumerated WHERE enumeration_id = ?",
                    params![set, enumeration],
                )
                .map(|_| ())
        })
    }

    /// Figures of this run with a packing about whose packings something is wanted and not known; those after `after`
    /// in the order of the catalog, at most `most`.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn without_structure(
        &self,
        wanted: Wanted,
        after: Option<&Pending>,
        most: usize,
    ) -> Result<Vec<Pending>, CatalogError> {
        let sql = format!(
            "SELECT r.figure_id, r.set_id, f.signature
             FROM (SELECT * FROM temp.run_figure UNION SELECT * FROM temp.kept_figure) r
             JOIN figure f ON f.id = r.figure_id
             JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id
             LEFT JOIN structure u ON u.figure_id = r.figure_id AND u.set_id = r.set_id
             WHERE o.verdict_id IN ({}, {})
                 AND ((?1 AND u.map_components IS NULL) OR (?2 AND u.friction IS NULL))
                 AND (?3 IS NULL OR (r.figure_id, r.set_id) > (?3, ?4))
             ORDER BY r.figure_id, r.set_id LIMIT ?5",
            Verdict::Counted.code(),
            Verdict::AtLeast.code()
        );
        self.catalog.read("list what is not known of packings", |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let after = (after.map(|pending| pending.figure), after.map(|pending| pending.set));
            let values = params![wanted.map, wanted.stand, after.0, after.1, most];
            let rows = statement.query_map(values, |row| {
                let signature = Signature::from_trusted(row.get(2)?);
                Ok(Pending { figure: row.get(0)?, set: row.get(1)?, signature })
            })?;
            rows.collect()
        })
    }

    /// Keeps what was found out; what is known otherwise stays.
    ///
    /// # Errors
    /// If SQLite fails; then none of it is kept.
    pub fn keep_structures(
        &mut self,
        found: &[(Pending, StructureNumbers)],
    ) -> Result<(), CatalogError> {
        self.catalog.write("keep what was found out about packings", |transaction| {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO structure (figure_id, set_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            )?;
            let mut map = transaction.prepare_cached(
                "UPDATE structure SET map_components = ?3, map_solitary = ?4
                 WHERE figure_id = ?1 AND set_id = ?2",
            )?;
            let mut stand = transaction.prepare_cached(
                "UPDATE structure SET solid_stands = ?3, friction = ?4, set_up = ?5, stand = ?6, by_hand = ?7
                 WHERE figure_id = ?1 AND set_id = ?2",
            )?;
            for (Pending { figure, set, .. }, numbers) in found {
                insert.execute(params![figure, set])?;
                if let Some(MapNumbers { components, solitary }) = numbers.map {
                    map.execute(params![figure, set, components, solitary])?;
                }
                if let Some(StandNumbers { solid, friction, set_up, stand: stands, by_hand }) =
                    numbers.stand
                {
                    stand.execute(params![figure, set, solid, friction, set_up, stands, by_hand])?;
                }
            }
            Ok(())
        })
    }
}
