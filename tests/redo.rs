//! Counts that reached a limit: repeated under a higher one in turn, and the totals are updated.

use crate::support::program::{run, stderr, stdout};
use somacat_catalog::{
    Advance, CatalogError, EnumerationKey, OutcomeRow, Pending, Recount, RunEnd, Session,
    check_catalog,
};
use somacat_counting::enumerate::{BoxSpec, Enumeration, Place};
use somacat_counting::question::{CountedRow, Keep};
use somacat_geometry::figure::Candidate;
use somacat_geometry::outcome::{Engine, Outcome, Report};
use somacat_geometry::pieces::parse_set;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use tempfile::TempDir;

/// Runs a box of figures under a limit (0 for none). Returns the number of counted figures.
fn run_limited(folder: &Path, limit: u64, more: &[&str]) -> u64 {
    let nodes = if limit > 0 { format!("nodes = {limit}\n") } else { String::new() };
    let text =
        format!("title = \"t\"\nset = \"V L T\"\n{nodes}[[box]]\nsides = \"2x2x4\"\ncells = 11\n");
    fs::write(folder.join("plan.toml"), text).unwrap();
    let done = run(folder, &[&["run", "plan.toml"], more].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let told = stderr(&done);
    let line = told.lines().find(|line| line.starts_with("counted now")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    words[2].trim_end_matches(',').parse().unwrap_or(0)
}

fn sql(folder: &Path, sql: &str) -> String {
    stdout(&run(folder, &["query", "--csv", "--sql", sql]))
}

/// Returns all, solvable and undecided figures by class. One view is the enumeration's totals, the other the rows.
fn both_views(folder: &Path) -> [String; 2] {
    [
        sql(folder, "SELECT class, figures, solvable, undecided FROM enumerations ORDER BY class"),
        sql(
            folder,
            "SELECT class, count(*) AS figures,
                count(*) FILTER (WHERE verdict IN ('counted', 'at-least')) AS solvable,
                count(*) FILTER (WHERE verdict IN ('unknown', 'failed')) AS undecided
             FROM figures GROUP BY class ORDER BY class",
        ),
    ]
}

fn open_bounds(folder: &Path) -> u64 {
    let sql = sql(folder, "SELECT count(*) FROM figures WHERE verdict IN ('unknown', 'at-least')");
    sql.lines().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_higher_limit_continues_counts_and_updates_totals() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let all = run_limited(folder, 1, &[]);
    let open = open_bounds(folder);
    assert!(open > 5 && open < all, "{open} of {all}");
    // A count under the same limit would give the same result.
    for more in [[].as_slice(), &["--redo"]] {
        assert_eq!(run_limited(folder, 1, more), 0, "{more:?}");
    }
    let mut left = open;
    for limit in [4, 12, 0] {
        let counted = run_limited(folder, limit, &[]);
        assert_eq!(counted, left, "those that the lower limit left open, under {limit}");
        left = open_bounds(folder);
        assert!(left <= counted, "{limit}");
        let [totals, rows] = both_views(folder);
        assert_eq!(totals, rows, "{limit}");
        assert_eq!(check_catalog(&folder.join("somacat.db"), false).unwrap().findings, []);
    }
    assert_eq!(left, 0);
    let before = sql(folder, "SELECT * FROM outcome");
    assert_eq!(run_limited(folder, 1, &["--redo"]), 0);
    assert_eq!(sql(folder, "SELECT * FROM outcome"), before);
}

/// A result under a limit survives a count with a lower one.
#[test]
fn a_lower_limit_discards_nothing() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    run_limited(folder, 12, &[]);
    let before = sql(folder, "SELECT * FROM outcome");
    let text = "title = \"t\"\nset = \"V L T\"\nnodes = 1\nkeep = \"solvable\"\n[[box]]\nsides = \"2x2x4\"\ncells = 11\n";
    fs::write(folder.join("other.toml"), text).unwrap();
    assert_eq!(run(folder, &["run", "other.toml", "-q"]).status.code(), Some(0));
    assert_eq!(sql(folder, "SELECT * FROM outcome"), before);
    assert_eq!(check_catalog(&folder.join("somacat.db"), false).unwrap().findings, []);
}

/// Starts a session on some figures of an enumeration, like a run.
fn session(db: &Path) -> (Session, Vec<Pending>) {
    let open = |title| {
        let mut session = Session::begin(db, title, "test").unwrap();
        let set = session.set_id(&parse_set("V L T").unwrap()).unwrap();
        let key = EnumerationKey { question: "q", label: "l", set, keep: Keep::All, limit: 0 };
        let state = session.enumeration(key).unwrap();
        (session, set, state)
    };
    if !db.exists() {
        let (mut session, _, mut state) = open("figures");
        let (mut kept, mut place, stop) = (Vec::new(), Place::default(), AtomicBool::new(false));
        let report = Report { outcome: Outcome::Unknown, nodes: Some(0), engine: None };
        let boxes = Enumeration::in_box(BoxSpec::new([2, 2, 4], 11)).unwrap();
        let _ = boxes.for_each_mapped(place, &stop, Some, &mut |after, candidate: Candidate| {
            kept.push(CountedRow {
                columns: candidate.columns().clone(),
                report: report.clone(),
                micros: None,
            });
            place = after;
            if kept.len() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let advance = Advance { place, breakdown: None, known: &[], kept: &kept, done: 0 };
        session.advance(&mut state, &advance).unwrap();
        session.end(RunEnd::Finished).unwrap();
        let connection = rusqlite::Connection::open(db).unwrap();
        connection.execute_batch("DELETE FROM outcome; DELETE FROM timing").unwrap();
    }
    let (mut session, set, state) = open("a night");
    session.add_enumeration(state.id, set).unwrap();
    session.list_pending(Recount { limit: None, failed: true }).unwrap();
    let figures = session.pending(0, 100).unwrap();
    (session, figures)
}

fn write<'a>(session: &mut Session, rows: impl IntoIterator<Item = OutcomeRow<'a>>) {
    let (sink, outcomes) = sync_channel(100);
    rows.into_iter().for_each(|row| sink.send(row).unwrap());
    drop(sink);
    session.write_outcomes(&outcomes).unwrap();
}

/// A run tries a figure that fails once, the next one again.
#[test]
fn a_failed_figure_is_tried_once_in_a_run() {
    let folder = TempDir::new().unwrap();
    let db = folder.path().join("somacat.db");
    let again = Recount { limit: None, failed: true };
    for _ in 0..2 {
        let (mut session, figures) = session(&db);
        let failed =
            |pending| OutcomeRow { pending, report: Some(Report::failed(&"why")), micros: 1 };
        write(&mut session, figures.iter().take(3).map(failed));
        assert_eq!(session.list_pending(again).unwrap(), 7);
        assert_eq!(figures.len(), 10);
        session.end(RunEnd::Finished).unwrap();
    }
}

/// Some figures take longer than a night; the others are still counted.
#[test]
fn repeatedly_abandoned_figures_do_not_delay_others() {
    let folder = TempDir::new().unwrap();
    let db = folder.path().join("night.db");
    let failed = Recount { limit: None, failed: true };
    let order = |session: &mut Session, recount| -> Vec<Pending> {
        let figures = session.list_pending(recount).unwrap();
        let pending = session.pending(0, 100).unwrap();
        assert_eq!(pending.len() as u64, figures);
        assert_eq!(session.pending(figures - 1, 100).unwrap(), pending[figures as usize - 1..]);
        pending
    };
    let (mut first, figures) = session(&db);
    assert_eq!(order(&mut first, failed), figures);
    // In the first night, the first is abandoned, the second fails, the third gets a bound.
    let bound =
        Report { outcome: Outcome::AtLeast(2), nodes: Some(50), engine: Some(Engine::Search) };
    let row =
        |number: usize, report, micros| OutcomeRow { pending: &figures[number], report, micros };
    write(
        &mut first,
        [
            row(0, None, 9_000_000),
            row(1, Some(Report::failed(&"no luck")), 5),
            row(2, Some(bound.clone()), 6),
        ],
    );
    first.end(RunEnd::Stopped).unwrap();
    let (mut second, _) = session(&db);
    let f = |numbers: &[usize]| numbers.iter().map(|&n| figures[n].clone()).collect::<Vec<_>>();
    assert_eq!(order(&mut second, failed), f(&[3, 4, 5, 6, 7, 8, 9, 1, 2, 0]));
    let limited = |nodes| Recount { limit: Some(nodes), failed: false };
    assert_eq!(order(&mut second, limited(50)), f(&[3, 4, 5, 6, 7, 8, 9, 0]));
    assert_eq!(order(&mut second, limited(51)), f(&[3, 4, 5, 6, 7, 8, 9, 2, 0]));
    // In the second night, two others are abandoned; of the tried figures, the first has waited longest.
    write(&mut second, [row(3, None, 7), row(2, Some(bound), 8)]);
    second.end(RunEnd::Stopped).unwrap();
    let (mut third, _) = session(&db);
    assert_eq!(order(&mut third, failed), f(&[4, 5, 6, 7, 8, 9, 1, 0, 3, 2]));
    third.end(RunEnd::Finished).unwrap();
}

#[test]
fn an_enumeration_with_a_wrong_number_of_figures_is_reported_and_restarted() {
    let folder = TempDir::new().unwrap();
    let db = folder.path().join("wrong.db");
    let mut session = Session::begin(&db, "a test", "test").unwrap();
    let set = session.set_id(&parse_set("V L T").unwrap()).unwrap();
    let key =
        EnumerationKey { question: "q", label: "figures of q", set, keep: Keep::Totals, limit: 0 };
    let state = session.enumeration(key).unwrap();
    let wrong = session.complete(state.id, Some(12_743)).unwrap_err();
    assert!(matches!(wrong, CatalogError::WrongTotal { figures: 0, known: 12_743, .. }), "{wrong}");
    assert!(!session.enumeration(key).unwrap().complete);
    let id = session.enumeration(key).unwrap().id;
    session.complete(id, Some(0)).unwrap();
    assert!(session.enumeration(key).unwrap().complete);
    session.end(RunEnd::Finished).unwrap();
}
