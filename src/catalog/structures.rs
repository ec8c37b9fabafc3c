//! Results about a figure's packings that a plan can request: connections and stability. Proofs are in `proofs.rs`.

use super::checksum::STRUCTURES;
use super::codes::buildable_verdicts;
use super::position_triggers::watch_positions;
use super::{CatalogError, Pending, Session};
use rusqlite::{Row, params};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RequestedAnalyses {
    pub map: bool,
    pub stand: bool,
    /// Short proofs of figures without a packing.
    pub prove: bool,
}

impl RequestedAnalyses {
    pub const fn any(self) -> bool {
        self.map || self.stand || self.prove
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapNumbers {
    /// Connected components; 0 if there are too many packings for a map.
    pub components: usize,
    /// Packings without a neighbor.
    pub solitary: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StandNumbers {
    /// True if the figure is stable as one solid. Its position is the displayed one.
    pub solid: bool,
    /// The coefficient of friction between loose pieces.
    pub friction: f64,
    /// Packings analyzed as loose pieces.
    pub set_up: usize,
    /// Analyzed packings that may be stable.
    pub stand: usize,
    /// Analyzed packings that can be built from above with every stage stable.
    pub by_hand: usize,
}

/// Results about one figure with one set. `None` if not requested.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StructureNumbers {
    pub map: Option<MapNumbers>,
    pub stand: Option<StandNumbers>,
}

impl StructureNumbers {
    /// Reads the seven columns of `figure_rows`, beginning with a position. They have NULL for a map that was skipped
    /// because of too many packings.
    pub(super) fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        let [components, solitary, solid, friction, set_up, stand, by_hand] =
            std::array::from_fn(|column| first + column);
        let map = |components| -> rusqlite::Result<_> {
            Ok(MapNumbers { components, solitary: row.get(solitary)? })
        };
        let stand = |friction| -> rusqlite::Result<_> {
            Ok(StandNumbers {
                solid: row.get(solid)?,
                friction,
                set_up: row.get(set_up)?,
                stand: row.get(stand)?,
                by_hand: row.get(by_hand)?,
            })
        };
        let map = row.get::<_, Option<usize>>(components)?.map(map).transpose()?;
        let stand = row.get::<_, Option<f64>>(friction)?.map(stand).transpose()?;
        Ok(Self { map, stand })
    }
}

impl Session {
    /// Returns at most `most` buildable figures without a requested result. Starts after `after` in the order of the
    /// catalog.
    pub fn missing_structures(
        &self,
        wanted: RequestedAnalyses,
        after: Option<&Pending>,
        most: usize,
    ) -> Result<Vec<Pending>, CatalogError> {
        let sql = format!(
            "SELECT r.figure_id, r.set_id, f.signature
             FROM (SELECT * FROM temp.run_figure UNION SELECT * FROM temp.kept_figure) r
             JOIN figure f ON f.id = r.figure_id
             JOIN outcome o ON o.figure_id = r.figure_id AND o.set_id = r.set_id
             LEFT JOIN structure u ON u.figure_id = r.figure_id AND u.set_id = r.set_id
             WHERE o.verdict_id IN ({})
                 AND ((?1 AND u.map_components IS NULL) OR (?2 AND u.friction IS NULL))
                 AND (?3 IS NULL OR (r.figure_id, r.set_id) > (?3, ?4))
             ORDER BY r.figure_id, r.set_id LIMIT ?5",
            buildable_verdicts()
        );
        let after = (after.map(|pending| pending.figure), after.map(|pending| pending.set));
        let values = params![wanted.map, wanted.stand, after.0, after.1, most];
        self.catalog.rows("list missing results about packings", &sql, values, Pending::read)
    }

    /// Stores results about packings. Other stored results stay.
    ///
    /// # Errors
    /// If SQLite fails. Nothing of the batch is kept then.
    pub fn keep_structures(
        &mut self,
        found: &[(Pending, StructureNumbers)],
    ) -> Result<(), CatalogError> {
        self.catalog.write("keep results about packings", |transaction| {
            watch_positions(transaction)?;
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
                STRUCTURES.renew(transaction, "figure_id = ? AND set_id = ?", params![figure, set])?;
            }
            Ok(())
        })
    }
}
