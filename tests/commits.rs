//! Writes of rows that arrive by the million share a transaction: other programs see them after its commit.

use somacat_catalog::{Advance, Catalog, EnumerationKey, EnumerationState, RunEnd, Session};
use somacat_counting::enumerate::Place;
use somacat_counting::question::{CountedRow, Keep};
use somacat_geometry::figure::{Candidate, Equivalence, Figure};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::{Outcome, Report};
use somacat_geometry::pieces::parse_set;
use std::num::NonZeroU32;
use std::path::Path;
use tempfile::TempDir;

fn bar(length: i32) -> CountedRow {
    let cells = (0..length).map(|x| Cell::new(x, 0, 0));
    let found = Candidate::new(Figure::new(cells).unwrap(), Equivalence::Reflections);
    let report = Report { outcome: Outcome::Unknown, nodes: Some(0), engine: None };
    CountedRow { columns: found.columns().clone(), report, micros: None }
}

/// Begins a session with one set and one enumeration.
fn begin(db: &Path) -> (Session, EnumerationState) {
    let mut session = Session::begin(db, "bars", "test").unwrap();
    let set = session.set_id(&parse_set("V L T").unwrap()).unwrap();
    let key = EnumerationKey { question: "q", label: "l", set, keep: Keep::All, limit: 0 };
    let state = session.enumeration(key).unwrap();
    (session, state)
}

/// Stores bars of some lengths as figures of an enumeration, up to the position after them.
fn advance(session: &mut Session, state: &mut EnumerationState, lengths: std::ops::Range<i32>) {
    let place = Place { shard: lengths.end as u64, figures: 0 };
    let kept: Vec<CountedRow> = lengths.map(bar).collect();
    let advance = Advance { place, breakdown: None, known: &[], kept: &kept, done: 0 };
    session.advance(state, &advance).unwrap();
}

/// Returns the number of figures that another program sees.
fn seen(db: &Path, state: &EnumerationState) -> usize {
    kept(&Catalog::open_read_only(db).unwrap(), state)
}

fn kept(catalog: &Catalog, state: &EnumerationState) -> usize {
    catalog.most_packings(state.id, NonZeroU32::MAX).unwrap().len()
}

#[test]
fn held_writes_are_seen_after_their_commit() {
    let folder = TempDir::new().unwrap();
    let db = folder.path().join("somacat.db");
    let (mut session, mut state) = begin(&db);
    advance(&mut session, &mut state, 1..4);
    advance(&mut session, &mut state, 4..9);
    // Five seconds have hardly passed.
    assert!([0, 3, 8].contains(&seen(&db, &state)));
    // Its own session sees them at once.
    assert_eq!(kept(session.catalog(), &state), 8);
    session.commit().unwrap();
    assert_eq!(seen(&db, &state), 8);
    // Any other write comes after them, and so does the end.
    advance(&mut session, &mut state, 9..11);
    session.add_expected(1).unwrap();
    assert_eq!(seen(&db, &state), 10);
    advance(&mut session, &mut state, 11..12);
    session.end(RunEnd::Finished).unwrap();
    assert_eq!(seen(&db, &state), 11);
}

/// If a write fails, none that it shares its transaction with is kept, and the catalog is as after the last commit.
#[test]
fn a_failed_write_takes_back_what_was_held() {
    let folder = TempDir::new().unwrap();
    let [db, other] = ["somacat.db", "other.db"].map(|name| folder.path().join(name));
    let (mut session, mut state) = begin(&db);
    advance(&mut session, &mut state, 1..4);
    session.commit().unwrap();
    advance(&mut session, &mut state, 4..9);
    // The catalog has no second set.
    let (mut another, _) = begin(&other);
    let set = another.set_id(&parse_set("V L").unwrap()).unwrap();
    let mut wrong = EnumerationState { set, ..state.clone() };
    let (place, kept) = (Place { shard: 10, figures: 0 }, [bar(9)]);
    let failing = Advance { place, breakdown: None, known: &[], kept: &kept, done: 0 };
    assert!(session.advance(&mut wrong, &failing).is_err());
    session.commit().unwrap();
    assert!([3, 8].contains(&seen(&db, &state)));
    // The position is that of the figures, so the same work continues there.
    drop(session);
    let (_session, state) = begin(&db);
    assert_eq!(state.place.shard, seen(&db, &state) as u64 + 1);
}
