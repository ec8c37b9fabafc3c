//! Entries of sources, to be stored: figures with their names, and faults.

use super::checksum::{FAULTS, row_checksum};
use super::collect::collect_rows;
use super::group::{GROUP, insert_new};
use super::rows::{FigureStore, Upsert};
use super::shared_names::shared_names;
use super::{Catalog, CatalogError, FigureId, Session, SetId, SourceId};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, ToSql, params};
use somacat_counting::question::{EntryFault, EntryName};
use somacat_formats::unnamed_label;
use somacat_geometry::figure::{Candidate, Columns, Equivalence, Figure, Signature};
use somacat_geometry::lattice::Transform;

/// An entry of a source, to be stored.
#[derive(Clone, Debug)]
pub struct EntryRow {
    /// The figure in its position in the source.
    pub candidate: Candidate,
    pub set: SetId,
    pub name: EntryName,
}

impl Session {
    /// Stores entries and faults of one source, to be committed with later ones. Returns the number of new figures.
    ///
    /// # Errors
    /// If SQLite fails. Nothing since the last [`Session::commit`] is kept then.
    pub fn import(
        &mut self,
        source: SourceId,
        entries: &[EntryRow],
        faults: &[EntryFault],
    ) -> Result<u64, CatalogError> {
        self.catalog.write_held("keep figures of a source", |transaction| {
            let new = put_entries(transaction, source, entries)?;
            put_faults(transaction, source, faults)?;
            Ok(new)
        })
    }

    /// Completes a pass over a source that now has `ordinals` entries. Deletes later entries and obsolete faults;
    /// `faulty` lists the ordinals of its faults, ascending. Stores a remark on each name that several figures of
    /// the source share, and returns these remarks in the order of the file.
    pub fn finish_source(
        &mut self,
        source: SourceId,
        ordinals: u64,
        faulty: &[u64],
    ) -> Result<Vec<EntryFault>, CatalogError> {
        self.catalog.write("update a source", |transaction| {
            for table in ["name", "fault"] {
                transaction.execute(
                    &format!("DELETE FROM {table} WHERE source_id = ? AND ordinal >= ?"),
                    params![source, ordinals],
                )?;
            }
            let sql = "SELECT ordinal FROM fault WHERE source_id = ?";
            let known: Vec<u64> = collect_rows(transaction, sql, [source], |row| row.get(0))?;
            for ordinal in known.into_iter().filter(|n| faulty.binary_search(n).is_err()) {
                transaction.execute(
                    "DELETE FROM fault WHERE source_id = ? AND ordinal = ?",
                    params![source, ordinal],
                )?;
            }
            let remarks = shared_names(transaction, source)?;
            for remark in &remarks {
                // An entry has one row: the message of this pass comes first.
                let earlier: Option<String> = transaction
                    .prepare_cached(
                        "SELECT message FROM fault WHERE source_id = ? AND ordinal = ?",
                    )?
                    .query_row(params![source, remark.ordinal], |row| row.get(0))
                    .optional()?;
                let mut row = remark.clone();
                if let Some(earlier) = earlier {
                    row.message = format!("{earlier}; {}", row.message);
                }
                put_faults(transaction, source, &[row])?;
            }
            Ok(remarks)
        })
    }
}

struct NameRows<'a> {
    name: Upsert<'a>,
    source: SourceId,
    /// The source's label, which checksums contain.
    label: String,
    /// The checksums of sets.
    sets: Vec<(SetId, i64)>,
}

impl<'a> NameRows<'a> {
    fn new(
        transaction: &'a Connection,
        source: SourceId,
        entries: &[EntryRow],
    ) -> rusqlite::Result<Self> {
        let name = Upsert::new(
            transaction,
            "INSERT INTO name VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT (source_id, ordinal, one_sided) DO NOTHING",
            "UPDATE name SET figure_id = ?4, label = ?5, variant = ?6, line = ?7, title = ?8,
                commented_out = ?9, transform = ?10, set_id = ?11, credit = ?12, packing = ?13,
                note = ?14, checksum = ?15
             WHERE source_id = ?1 AND ordinal = ?2 AND one_sided = ?3",
            ("INSERT OR IGNORE INTO name VALUES", 15),
        )?;
        let label = transaction
            .prepare_cached("SELECT label FROM source WHERE id = ?")?
            .query_row([source], |row| row.get(0))?;
        let mut sum = transaction.prepare_cached("SELECT checksum FROM piece_set WHERE id = ?")?;
        let mut sets: Vec<(SetId, i64)> = Vec::new();
        for &EntryRow { set, .. } in entries {
            if !sets.iter().any(|(known, _)| *known == set) {
                sets.push((set, sum.query_row([set], |row| row.get(0))?));
            }
        }
        Ok(Self { name, source, label, sets })
    }

    fn put_all(&mut self, figures: &[FigureId], entries: &[EntryRow]) -> rusqlite::Result<()> {
        let Self { name, source, label, sets } = self;
        let row = |(&figure, entry), take: &mut TakeValues<'_>| {
            with_name_values((*source, label), sets, figure, entry, take)
        };
        let rows: Vec<_> = figures.iter().zip(entries).collect();
        for group in rows.chunks(GROUP) {
            if name.put_group(group, |&of, group| row(of, &mut |values| group.bind(values)))?
                < GROUP
            {
                for &of in group {
                    row(of, &mut |values| name.put(values))?;
                }
            }
        }
        Ok(())
    }
}

/// Binds or stores the values of a row.
type TakeValues<'t> = dyn FnMut(&[&dyn ToSql]) -> rusqlite::Result<()> + 't;

fn text(text: Option<&String>) -> ValueRef<'_> {
    text.map_or(ValueRef::Null, |text| text.as_str().into())
}

/// Calls `take` with the values of a name's row. `sets` has the checksums of sets.
fn with_name_values(
    (source, source_label): (SourceId, &str),
    sets: &[(SetId, i64)],
    figure: FigureId,
    entry: &EntryRow,
    take: &mut TakeValues<'_>,
) -> rusqlite::Result<()> {
    let EntryRow { candidate, set, name } = entry;
    let one_sided = candidate.equivalence() == Equivalence::Rotations;
    let transform = from_canonical(candidate);
    let set_sum = sets.iter().find(|(known, _)| known == set).map(|(_, sum)| *sum);
    let checksum = row_checksum([
        source_label.into(),
        ValueRef::Integer(name.ordinal as i64),
        ValueRef::Integer(one_sided.into()),
        candidate.signature().as_str().into(),
        text(name.label.as_ref()),
        ValueRef::Integer(name.variant.into()),
        ValueRef::Integer(name.line as i64),
        text(name.title.as_ref()),
        ValueRef::Integer(name.commented_out.into()),
        ValueRef::Integer(transform.into()),
        set_sum.map_or(ValueRef::Null, ValueRef::Integer),
        text(name.credit.as_ref()),
        text(name.packing.as_ref()),
        text(name.note.as_ref()),
    ]);
    take(params![
        source,
        name.ordinal,
        one_sided,
        figure,
        name.label,
        name.variant,
        name.line,
        name.title,
        name.commented_out,
        transform,
        set,
        name.credit,
        name.packing,
        name.note,
        checksum
    ])
}

/// Stores figures with their names, and adds them to the run. Returns the number of new figures.
fn put_entries(
    transaction: &Connection,
    source: SourceId,
    entries: &[EntryRow],
) -> rusqlite::Result<u64> {
    let columns: Vec<&Columns> = entries.iter().map(|entry| entry.candidate.columns()).collect();
    let (figures, new) = FigureStore::new(transaction)?.ids(&columns)?;
    follow_other_names(transaction, source, entries)?;
    NameRows::new(transaction, source, entries)?.put_all(&figures, entries)?;
    let of_run = figures.iter().zip(entries).map(|(figure, entry)| [figure.0, entry.set.0]);
    let of_run: Vec<[i64; 2]> = of_run.collect();
    insert_new(transaction, "INSERT OR IGNORE INTO temp.run_figure VALUES", &of_run)?;
    Ok(new)
}

/// Lets the other names of entries follow a file that changed. An entry can name two figures: one up to reflection, and one
/// up to rotation if a set is not closed under reflection.
fn follow_other_names(
    transaction: &Connection,
    source: SourceId,
    entries: &[EntryRow],
) -> rusqlite::Result<()> {
    let sql = "SELECT DISTINCT one_sided FROM name WHERE source_id = ?";
    let kinds: Vec<bool> = collect_rows(transaction, sql, [source], |row| row.get(0))?;
    let is_one_sided = |entry: &EntryRow| entry.candidate.equivalence() == Equivalence::Rotations;
    if !entries.iter().any(|entry| kinds.contains(&!is_one_sided(entry))) {
        return Ok(());
    }
    let mut known = transaction.prepare_cached(
        "SELECT f.signature, n.label, n.variant, n.line, n.title, n.credit, n.note, n.commented_out,
                n.transform
         FROM name n JOIN figure f ON f.id = n.figure_id
         WHERE n.source_id = ? AND n.ordinal = ? AND n.one_sided = ?",
    )?;
    let mut other = transaction.prepare_cached(
        "SELECT f.id, n.set_id FROM figure f JOIN name n ON n.figure_id = f.id
         WHERE f.signature = ? AND n.source_id = ? AND n.set_id IS NOT NULL LIMIT 1",
    )?;
    let mut delete = transaction
        .prepare_cached("DELETE FROM name WHERE source_id = ? AND ordinal = ? AND one_sided = ?")?;
    // All is looked up before a name is replaced.
    let (mut figures, mut rows, mut outdated) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let (one_sided, name) = (is_one_sided(entry), &entry.name);
        let equivalence = if one_sided { Equivalence::Reflections } else { Equivalence::Rotations };
        let candidate = Candidate::new(entry.candidate.figure().clone(), equivalence);
        let signature = candidate.signature().as_str();
        let key = params![source, name.ordinal, !one_sided];
        let is_same = |row: &rusqlite::Row<'_>| {
            Ok(row.get::<_, String>(0)? == signature
                && row.get::<_, Option<String>>(1)? == name.label
                && row.get::<_, u32>(2)? == name.variant
                && row.get::<_, u64>(3)? == name.line
                && row.get::<_, Option<String>>(4)? == name.title
                && row.get::<_, Option<String>>(5)? == name.credit
                && row.get::<_, Option<String>>(6)? == name.note
                && row.get::<_, bool>(7)? == name.commented_out
                && row.get::<_, Option<i64>>(8)? == Some(from_canonical(&candidate).into()))
        };
        if known.query_row(key, is_same).optional()? == Some(true) {
            continue;
        }
        let found =
            other.query_row(params![signature, source], |row| Ok((row.get(0)?, row.get(1)?)));
        match found.optional()? {
            None => outdated.push((name.ordinal, !one_sided)),
            Some((figure, set)) => {
                figures.push(figure);
                // The pieces of the file's packing may be those of the other set.
                let name = EntryName { packing: None, ..name.clone() };
                rows.push(EntryRow { candidate, set, name });
            }
        }
    }
    for (ordinal, one_sided) in outdated {
        delete.execute(params![source, ordinal, one_sided])?;
    }
    NameRows::new(transaction, source, &rows)?.put_all(&figures, &rows)
}

fn put_faults(
    transaction: &Connection,
    source: SourceId,
    faults: &[EntryFault],
) -> rusqlite::Result<()> {
    let insert = format!(
        "INSERT OR REPLACE INTO fault VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, {})",
        FAULTS.of_parameters()
    );
    for fault in faults {
        transaction.prepare_cached(&insert)?.execute(params![
            source,
            fault.ordinal,
            fault.line,
            fault.label,
            fault.refused,
            fault.kind,
            fault.message
        ])?;
        if fault.refused {
            delete_replaced_names(transaction, source, fault)?;
        }
    }
    Ok(())
}

/// Deletes names of other entries at the ordinal of a refused entry. A name belongs to the refused entry if its figure
/// is the same, or its label if the figure is unreadable. A wrong piece set or a typing error thus costs no name.
fn delete_replaced_names(
    transaction: &Connection,
    source: SourceId,
    fault: &EntryFault,
) -> rusqlite::Result<()> {
    let figure = fault.figure.clone().and_then(|text| Signature::from_trusted(text).figure().ok());
    let sql = "SELECT n.one_sided, n.label, f.signature
               FROM name n JOIN figure f ON f.id = n.figure_id
               WHERE n.source_id = ? AND n.ordinal = ?";
    let key = params![source, fault.ordinal];
    let names: Vec<(bool, Option<String>, String)> =
        collect_rows(transaction, sql, key, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    for (one_sided, label, signature) in names {
        let equivalence = if one_sided { Equivalence::Rotations } else { Equivalence::Reflections };
        let same = match &figure {
            Some(figure) => figure.canonical_up_to(equivalence).signature.as_str() == signature,
            None => label.is_some() && label == fault.label,
        };
        if !same {
            let sql = "DELETE FROM name WHERE source_id = ? AND ordinal = ? AND one_sided = ?";
            let key = params![source, fault.ordinal, one_sided];
            transaction.prepare_cached(sql)?.execute(key)?;
        }
    }
    Ok(())
}

/// An entry of a source that is a figure of the catalog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, as it was named.
    pub source: String,
    /// The number of the entry, counted from 1; refused entries count too.
    pub number: u64,
    /// The line, counted from 1.
    pub line: u64,
    pub name: Option<String>,
    /// The comment that serves as a title.
    pub title: Option<String>,
    pub credit: Option<String>,
    /// The other comments.
    pub note: Option<String>,
    /// The packing in the source: the piece of each cell, in the source's order of the cells.
    pub packing: Option<String>,
    /// Leads from the canonical form to the position in the source. `None` if unknown.
    pub transform: Option<Transform>,
    /// The name of the set with which the entry was imported.
    pub set: Option<String>,
}

impl Origin {
    /// Returns the entry's name, or the file's name and its number.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| unnamed_label(&self.source, self.number))
    }

    /// Moves the canonical figure to its position in the source. It stays unchanged if that is unknown.
    pub fn position(&self, canonical: &Figure) -> Figure {
        self.transform.map_or_else(|| canonical.clone(), |t| canonical.transformed(t))
    }
}

impl Catalog {
    /// Returns all entries of a figure, in the order of import.
    pub fn origins(&self, figure: &Signature) -> Result<Vec<Origin>, CatalogError> {
        let sql = "SELECT s.label, n.ordinal, n.line, n.label, n.title, n.transform, n.credit, n.packing, n.note,
                          (SELECT p.name FROM piece_set p WHERE p.id = n.set_id)
                   FROM figure f JOIN name n ON n.figure_id = f.id JOIN source s ON s.id = n.source_id
                   WHERE f.signature = ? ORDER BY n.source_id, n.ordinal";
        self.rows("read the origins of a figure", sql, [figure.as_str()], |row| {
            Ok(Origin {
                source: row.get(0)?,
                number: row.get::<_, u64>(1)? + 1,
                line: row.get(2)?,
                name: row.get(3)?,
                title: row.get(4)?,
                credit: row.get(6)?,
                note: row.get(8)?,
                packing: row.get(7)?,
                transform: row.get::<_, Option<u8>>(5)?.and_then(Transform::from_number),
                set: row.get(9)?,
            })
        })
    }

    pub fn enumerations_of(&self, figure: &Signature) -> Result<Vec<String>, CatalogError> {
        let sql = "SELECT label FROM enumeration WHERE id IN (
                       SELECT enumeration_id FROM enumerated
                       WHERE enumeration_id IN (SELECT id FROM enumeration)
                         AND figure_id = (SELECT id FROM figure WHERE signature = ?)
                   ) ORDER BY id";
        let figure = [figure.as_str()];
        self.rows("read the enumerations of a figure", sql, figure, |row| row.get(0))
    }
}

/// Returns the transform from the canonical form to the figure's position.
fn from_canonical(candidate: &Candidate) -> u8 {
    candidate.columns().to_canonical.inverse().number()
}
