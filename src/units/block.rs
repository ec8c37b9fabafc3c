//! Blocks: the lines of a part up to an end, which a merge writes in one transaction.

use super::error::PartFault;
use super::progress_file::require_file;
use super::record::{LAST_LINE, PartRecord, row};
use super::unit::{SetText, Unit};
use rayon::prelude::*;
use somacat_catalog::PlainTotal;
use somacat_counting::question::{Batch, CountedRow, Entry, EntryName};
use somacat_geometry::figure::{Candidate, Equivalence, Signature};
use somacat_geometry::lattice::Transform;
use somacat_geometry::pieces::PieceSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The lines of a part up to an end.
#[derive(Default)]
pub(super) struct Block {
    /// Its figures, faults, place and sums. [`Block::into_batch`] adds entries and their outcomes.
    pub(super) batch: Batch,
    pub(super) sets: Vec<SetText>,
    pub(super) names: Vec<(String, u8, usize, EntryName)>,
    pub(super) counts: Vec<(usize, CountedRow)>,
    pub(super) published: Option<String>,
}

impl Block {
    fn add(&mut self, record: PartRecord) -> Result<bool, PartFault> {
        match record {
            PartRecord::Figure(figure, report) => self.batch.rows.push(row(figure, report)?),
            PartRecord::Set(set) => self.sets.push(set),
            PartRecord::Name(signature, transform, set, name) => {
                self.names.push((signature, transform, set, name));
            }
            PartRecord::Fault(fault) => self.batch.faults.push(fault),
            PartRecord::Count(set, figure, report) => self.counts.push((set, row(figure, report)?)),
            PartRecord::Published(text) => self.published = Some(text),
            PartRecord::End(end) => {
                (self.batch.place, self.batch.sums) = (end.place(), end.census);
                PlainTotal::add_to(&mut self.batch.totals, &end.totals)?;
                return Ok(true);
            }
            PartRecord::Crc(..) => {
                return Err(PartFault::Row("parts do not have this line".to_owned()));
            }
        }
        Ok(false)
    }

    pub(super) fn len(&self) -> usize {
        let published = usize::from(self.published.is_some());
        let Batch { rows, faults, .. } = &self.batch;
        rows.len() + self.names.len() + faults.len() + self.counts.len() + published
    }

    /// Returns what a sink takes, with the figures of entries in their positions in the source.
    pub(super) fn into_batch(self) -> Result<Batch, PartFault> {
        let sets = self.sets.iter().map(SetText::set).collect::<Result<Vec<PieceSet>, _>>();
        let sets = sets.map_err(|error| PartFault::Row(error.to_string()))?;
        let set = |at: usize| sets.get(at).cloned().ok_or(PartFault::Sums { what: "sets" });
        let entry = |(signature, transform, at, name)| {
            let set = set(at)?;
            let candidate = entry_candidate(signature, transform, &set)?;
            Ok(Entry { candidate, set, name })
        };
        let outcomes = self.counts.into_iter().map(|(at, row)| Ok((set(at)?, row)));
        Ok(Batch {
            entries: self.names.into_par_iter().map(entry).collect::<Result<_, PartFault>>()?,
            outcomes: outcomes.collect::<Result<_, PartFault>>()?,
            ..self.batch
        })
    }
}

pub(super) struct Blocks {
    input: BufReader<File>,
    line: u64,
}

impl Blocks {
    pub(super) fn open(path: &Path, unit: &Unit) -> Result<Self, PartFault> {
        require_file(path)?;
        let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
        let mut line = String::new();
        input.read_line(&mut line)?;
        match line.trim_end() == unit.line() {
            true => Ok(Self { input, line: 1 }),
            false => Err(PartFault::OtherUnit),
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Block>, PartFault> {
        let (mut block, mut text) = (Block::default(), String::new());
        loop {
            text.clear();
            self.line += 1;
            let failed = |problem: String| PartFault::Line { line: self.line, problem };
            if self.input.read_line(&mut text)? == 0 || text.starts_with(LAST_LINE) {
                let any = block.len() + block.sets.len() > 0;
                return if any { Err(failed("the end is missing".to_owned())) } else { Ok(None) };
            }
            let record = PartRecord::read(&text).map_err(|error| failed(error.to_string()))?;
            let ended = block.add(record).map_err(|fault| match fault {
                PartFault::Row(problem) => failed(problem),
                other => other,
            })?;
            if ended {
                return Ok(Some(block));
            }
        }
    }
}

/// Restores a figure in its position in a source.
pub(super) fn entry_candidate(
    signature: String,
    transform: u8,
    set: &PieceSet,
) -> Result<Candidate, PartFault> {
    let signature = Signature::from_trusted(signature);
    let transform = Transform::from_number(transform);
    let transform = transform
        .ok_or_else(|| PartFault::Row(format!("{signature}: there is no such transform")))?;
    let figure = signature.figure()?.transformed(transform);
    let candidate = Candidate::new(figure, Equivalence::for_set(set));
    match candidate.signature() {
        own if *own == signature => Ok(candidate),
        own => Err(PartFault::Row(format!("{signature} should be {own}"))),
    }
}
