//! Sources into the catalog: read, recognize in parallel, write in the order of the file.

use super::plan::{Plan, SetChoice, Source};
use super::{Progress, RunError, Summary};
use crate::catalog::{Catalog, EntryRow, FaultRow, NameRow};
use crate::figure::{Figure, Identity, part_count};
use crate::formats::{Assessment, Entry, Item, OpenError, Options, Reader, assess, choose_set};
use crate::pieces::PieceSet;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Entries recognized at a time and written in one transaction: enough to keep all cores busy and to
/// write a page of an index once for many rows, small enough to stay in memory.
const CHUNK: usize = 1 << 14;

/// What became of one item of a source.
enum Taken {
    Entry(Box<Recognized>, Option<FaultRow>),
    Refused(FaultRow),
}

struct Recognized {
    row: EntryRow,
    set: PieceSet,
}

/// Takes in one source whole.
pub(super) fn take_in(
    source: &Source,
    plan: &Plan,
    catalog: &mut Catalog,
    stop: &AtomicBool,
    progress: &Progress,
    summary: &mut Summary,
) -> Result<(), RunError> {
    let label = source.label();
    let failed = |error| RunError::Source { label: label.clone(), error };
    let input = source.open()?;
    let mut reader = Reader::new(input, plan.format, &Options::default()).map_err(failed)?;
    let (source_id, label) = match source {
        Source::Stdin => catalog.unused_source("stdin")?,
        Source::File(path) => catalog.source_id(&label, path.canonicalize().ok().as_deref())?,
        _ => catalog.source_id(&label, None)?,
    };
    progress.begin(&format!("reading {label}"), None);
    let (mut ordinal, mut faulty, mut broken) = (0, Vec::new(), None);
    // The few different sets of the source, so that the catalog is not asked with every entry.
    let mut sets: Vec<(PieceSet, i64)> = Vec::new();
    while broken.is_none() && !stop.load(Ordering::Relaxed) {
        let mut items = Vec::with_capacity(CHUNK);
        for item in reader.by_ref().take(CHUNK) {
            match item {
                Ok(item) => items.push(item),
                Err(error) => broken = Some(error),
            }
        }
        if items.is_empty() {
            break;
        }
        let first = ordinal;
        ordinal += items.len() as u64;
        let taken: Vec<Taken> = items
            .into_par_iter()
            .enumerate()
            .map(|(at, item)| recognize(item, first + at as u64, plan))
            .collect();
        let (mut entries, mut faults) = (Vec::new(), Vec::new());
        for one in taken {
            match one {
                Taken::Entry(recognized, remark) => {
                    let set_id = match sets.iter().find(|(set, _)| *set == recognized.set) {
                        Some((_, id)) => *id,
                        None => {
                            let id = catalog.set_id(&recognized.set)?;
                            sets.push((recognized.set, id));
                            id
                        }
                    };
                    entries.push(EntryRow { set_id, ..recognized.row });
                    faults.extend(remark);
                }
                Taken::Refused(fault) => faults.push(fault),
            }
        }
        for fault in &faults {
            faulty.push(fault.ordinal);
            let name = fault.label.as_ref().map(|n| format!("{n}: ")).unwrap_or_default();
            let what = if fault.refused { "" } else { " (imported anyway)" };
            progress.say(&format!("{label}:{}: {name}{}{what}", fault.line, fault.message));
        }
        summary.refused += faults.iter().filter(|fault| fault.refused).count() as u64;
        summary.remarks += faults.iter().filter(|fault| !fault.refused).count() as u64;
        summary.entries += entries.len() as u64;
        summary.new += catalog.take_in(source_id, &entries, &faults)?;
        progress.advance(first.abs_diff(ordinal));
    }
    progress.end();
    match broken {
        Some(error) => Err(failed(error)),
        None if stop.load(Ordering::Relaxed) => Ok(()),
        None if ordinal == 0 => Err(OpenError::NoFigure(label).into()),
        None => Ok(catalog.finish_source(source_id, ordinal, &faulty)?),
    }
}

fn recognize(item: Item, ordinal: u64, plan: &Plan) -> Taken {
    let entry = match item {
        Item::Entry(entry) => entry,
        Item::Fault(fault) => {
            return Taken::Refused(FaultRow {
                ordinal,
                line: fault.line as u64,
                label: fault.name,
                refused: true,
                kind: fault.reason.kind().to_owned(),
                message: fault.reason.to_string(),
            });
        }
    };
    let fault = |refused, line: usize, kind: &str, message: String| FaultRow {
        ordinal,
        line: line as u64,
        label: entry.name.clone(),
        refused,
        kind: kind.to_owned(),
        message,
    };
    let set = match &plan.set {
        SetChoice::Fixed(set) => Ok(set.clone()),
        SetChoice::Auto => choose_set(&entry),
    };
    let assessed = set.map(|set| (assess(&entry, &set), set));
    let (set, warnings) = match assessed {
        Ok((Assessment::Sound { warnings, .. }, set)) => (set, warnings),
        Ok((Assessment::Refused(refusal), _)) | Err(refusal) => {
            let row = fault(true, entry.line, refusal.kind(), refusal.to_string());
            return Taken::Refused(row);
        }
    };
    // One row an entry.
    let messages: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let remark = warnings.last().map(|w| fault(false, w.line(), w.kind(), messages.join("; ")));
    let row = entry_row(&entry, ordinal, &set);
    Taken::Entry(Box::new(Recognized { row, set }), remark)
}

/// An entry with its canonical form; the set's id is filled in by the writer.
fn entry_row(entry: &Entry, ordinal: u64, set: &PieceSet) -> EntryRow {
    let name = NameRow {
        ordinal,
        line: entry.line as u64,
        label: entry.name.clone(),
        variant: entry.variant as u32,
        title: entry.title.clone(),
        commented_out: entry.commented_out,
    };
    EntryRow { name: Some(name), ..figure_row(&entry.figure, set) }
}

/// A figure with its canonical form, without a name.
pub(crate) fn figure_row(figure: &Figure, set: &PieceSet) -> EntryRow {
    let full = figure.canonical();
    let signature = if set.is_mirror_closed() {
        full.signature
    } else {
        figure.canonical_up_to(Identity::Rotations).signature
    };
    let mut extents = figure.extents();
    extents.sort_unstable();
    EntryRow {
        name: None,
        set_id: 0,
        signature,
        cells: figure.len(),
        extents,
        class: full.group.class(),
        parity: figure.color_difference().unsigned_abs(),
        parts: part_count(figure.cells()),
    }
}
