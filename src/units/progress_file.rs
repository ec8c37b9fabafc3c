//! Progress files: the results of an unfinished unit.
//!
//! Each write appends lines and a CRC-32 of them. When the unit resumes, it cuts off the incomplete write of a killed
//! program.

use super::error::UnitsError;
use super::record::{End, PartRecord, Phase, Worker, row};
use super::unit::{Unit, described};
use flate2::Crc;
use somacat_counting::enumerate::Place;
use somacat_counting::question::packings;
use somacat_run::RunError;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};

/// The beginning of a line that ends a write.
const CRC: &[u8] = b"{\"crc\":[";

/// The beginning of a line that ends a batch.
const END: &[u8] = b"{\"end\":";

/// The time between two marks of a progress file as in use.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(30);

pub(super) struct ProgressFile {
    path: PathBuf,
    file: File,
    /// The length of the complete writes.
    valid: u64,
    pending: Vec<u8>,
    worker: Worker,
    /// Milliseconds of processor time of earlier programs, less this program's earlier ones. The former worked on the
    /// unit; the latter passed before this program began with it.
    earlier_ms: i64,
}

/// Returns the milliseconds of processor time of this process, 0 if unknown.
fn process_ms() -> u64 {
    let Ok(process) = sysinfo::get_current_pid() else { return 0 };
    let mut system = System::new();
    let this = ProcessesToUpdate::Some(&[process]);
    system.refresh_processes_specifics(this, false, ProcessRefreshKind::nothing().with_cpu());
    system.process(process).map_or(0, sysinfo::Process::accumulated_cpu_time)
}

impl ProgressFile {
    /// Opens or creates the file of a unit. Returns the position where the unit resumes.
    pub(super) fn open(path: &Path, unit: &Unit) -> Result<(Self, Option<Place>), UnitsError> {
        let failed = |error| UnitsError::write(path, error);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = require_file(path).and_then(|()| options.open(path)).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(UnitsError::Busy(path.to_owned())),
            // On a file system without locks two programs may work on a unit. Their mixed writes have wrong CRCs and
            // are cut off.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let (path, pending, worker) = (path.to_owned(), Vec::new(), Worker::this());
        let mut opened = Self { path, file, valid: 0, pending, worker, earlier_ms: 0 };
        let (valid, place) = opened.survey(unit)?;
        opened.valid = valid;
        opened.cut_off().map_err(|error| UnitsError::write(&opened.path, error))?;
        if valid == 0 {
            opened.pending.extend_from_slice(unit.line().as_bytes());
            opened.pending.push(b'\n');
        }
        // Also names the program that resumes.
        opened.write(Phase::Working)?;
        Ok((opened, place))
    }

    /// Removes an incomplete write.
    fn cut_off(&mut self) -> io::Result<()> {
        self.file.set_len(self.valid)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    /// Returns the length of the valid writes, and the position after them.
    fn survey(&mut self, unit: &Unit) -> Result<(u64, Option<Place>), UnitsError> {
        let (mut valid, mut place) = (0, None);
        let mut last = None;
        let wanted = unit.line();
        let mut first = true;
        let mut taken = 0;
        each_write(&mut self.file, &mut |lines, end, ms| {
            if std::mem::take(&mut first) {
                let line = lines.first().map(|line| String::from_utf8_lossy(line).into_owned());
                let line = line.unwrap_or_default();
                if line != wanted {
                    last = Some(match Unit::of_line(&line) {
                        Ok(other) => (described(&other, unit), described(unit, &other)),
                        Err(_) => {
                            ("something else than a unit of this format".to_owned(), unit.name())
                        }
                    });
                    return false;
                }
            }
            let ends = lines.iter().rev().find(|line| line.starts_with(END));
            match ends.map(|line| serde_json::from_slice::<PartRecord>(line)) {
                Some(Ok(PartRecord::End(end))) => place = Some(end.place()),
                Some(_) => return false,
                None => {}
            }
            (valid, taken) = (end, ms);
            true
        })
        .map_err(|error| UnitsError::read("the progress file", &self.path, error))?;
        self.earlier_ms = taken as i64 - process_ms() as i64;
        match last {
            Some((found, wanted)) => {
                Err(UnitsError::OtherUnit { path: self.path.clone(), found, wanted })
            }
            None => Ok((valid, place)),
        }
    }

    pub(super) fn add(&mut self, records: &[PartRecord], end: End) -> Result<(), RunError> {
        for record in records {
            self.line(record)?;
        }
        self.line(&PartRecord::End(end))
    }

    fn failed(&self, error: io::Error) -> RunError {
        RunError::Write { path: self.path.clone(), error }
    }

    fn line(&mut self, record: &PartRecord) -> Result<(), RunError> {
        let written = serde_json::to_writer(&mut self.pending, record);
        written.map_err(|error| self.failed(error.into()))?;
        self.pending.push(b'\n');
        Ok(())
    }

    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    pub(super) fn flush(&mut self) -> Result<(), RunError> {
        if self.pending.is_empty() { Ok(()) } else { self.write(Phase::Working) }
    }

    fn write(&mut self, phase: Phase) -> Result<(), RunError> {
        let mut crc = Crc::new();
        crc.update(&self.pending);
        let worker = Worker { phase, ..self.worker.clone() };
        self.line(&PartRecord::Crc(crc.sum(), self.processor_ms(), worker))?;
        self.file.write_all(&self.pending).map_err(|error| self.failed(error))?;
        self.valid += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Notes that this program no longer works on the unit. What it could not write is lost.
    pub(super) fn rest(&mut self, phase: Phase) {
        self.pending.clear();
        let noted = self.cut_off().is_ok() && self.write(phase).is_ok();
        if !noted {
            // On a full disk. A time long ago takes no space, and the unit does not count as running.
            let _ = self.cut_off();
            let _ = self.file.set_modified(SystemTime::UNIX_EPOCH);
        }
    }

    /// Returns the milliseconds of processor time that the unit has taken. They include all programs that worked on it.
    pub(super) fn processor_ms(&self) -> u64 {
        (process_ms() as i64 + self.earlier_ms).max(0) as u64
    }

    /// Marks the file as in use every half minute. Continues, also during a long figure, until the result is dropped.
    pub(super) fn heartbeat(&self) -> io::Result<Sender<()>> {
        let (file, (stop, stopped)) = (self.file.try_clone()?, channel());
        thread::Builder::new().name("heartbeat".to_owned()).spawn(move || {
            while stopped.recv_timeout(HEARTBEAT) == Err(RecvTimeoutError::Timeout) {
                // Only `units --status` reads the time; without it the unit counts as stopped.
                let _ = file.set_modified(SystemTime::now());
            }
        })?;
        Ok(stop)
    }

    /// Passes every batch to `visit`, in order.
    pub(super) fn batches(
        &mut self,
        visit: &mut dyn FnMut(Vec<PartRecord>, End) -> Result<(), UnitsError>,
    ) -> Result<(), UnitsError> {
        let (mut failed, mut first) = (None, true);
        let shown = each_write(&mut self.file, &mut |lines, _, _| {
            let mut records = Vec::new();
            let skipped = usize::from(std::mem::take(&mut first));
            for line in &lines[skipped..] {
                let done = match serde_json::from_slice(line) {
                    Ok(PartRecord::End(end)) => visit(std::mem::take(&mut records), end),
                    Ok(record) => {
                        records.push(record);
                        Ok(())
                    }
                    Err(error) => {
                        Err(UnitsError::read("the progress file", &self.path, error.into()))
                    }
                };
                if let Err(error) = done {
                    failed = Some(error);
                    return false;
                }
            }
            true
        });
        let shown = shown.and_then(|()| self.file.seek(SeekFrom::End(0)));
        shown.map_err(|error| UnitsError::read("the progress file", &self.path, error))?;
        failed.map_or(Ok(()), Err)
    }

    /// Returns the packings of each figure.
    pub(super) fn packings(&mut self) -> Result<Vec<u64>, UnitsError> {
        let (mut all, path) = (Vec::new(), self.path.clone());
        self.batches(&mut |records, _| {
            for record in records {
                let PartRecord::Figure(figure, report) = record else { continue };
                let row = row(figure, report).map_err(io::Error::other);
                let row = row.map_err(|error| UnitsError::read("the progress file", &path, error));
                all.push(packings(&row?));
            }
            Ok(())
        })?;
        Ok(all)
    }

    pub(super) fn remove(&self) -> Result<(), UnitsError> {
        fs::remove_file(&self.path).map_err(|error| UnitsError::write(&self.path, error))
    }
}

/// Refuses a pipe or a device in the place of a file. Opening one could wait forever.
pub(super) fn require_file(path: &Path) -> io::Result<()> {
    match fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        true => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file; remove it"))
        }
        false => Ok(()),
    }
}

/// Returns the milliseconds of processor time in a file's last write, and who wrote it. Does not read the rest of the
/// progress file.
pub(super) fn last_write(path: &Path) -> io::Result<(u64, Worker)> {
    require_file(path)?;
    let (mut file, mut end) = (File::open(path)?, Vec::new());
    let start = file.metadata()?.len().saturating_sub(1024);
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut end)?;
    let mut noted = end.split(|&byte| byte == b'\n').filter(|line| line.starts_with(CRC));
    match noted.next_back().map(serde_json::from_slice) {
        Some(Ok(PartRecord::Crc(_, ms, worker))) => Ok((ms, worker)),
        _ => Ok(Default::default()),
    }
}

/// A visitor of valid writes. It gets a write's lines, the offset after it, and the milliseconds noted in it.
type OnWrite<'v> = dyn FnMut(&[Vec<u8>], u64, u64) -> bool + 'v;

/// Passes every valid write to `visit`.
///
/// Ends at the first invalid write, or when `visit` returns false.
fn each_write(file: &mut File, visit: &mut OnWrite<'_>) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    let mut input = BufReader::with_capacity(1 << 16, file);
    let (mut lines, mut crc, mut offset) = (Vec::new(), Crc::new(), 0);
    loop {
        let mut line = Vec::new();
        let read = input.read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Ok(());
        }
        offset += read as u64;
        if !line.starts_with(CRC) {
            crc.update(&line);
            crc.update(b"\n");
            lines.push(line);
            continue;
        }
        let ms = match serde_json::from_slice(&line) {
            Ok(PartRecord::Crc(noted, ms, _)) if noted == crc.sum() => ms,
            _ => return Ok(()),
        };
        if !visit(&lines, offset, ms) {
            return Ok(());
        }
        lines.clear();
        crc = Crc::new();
    }
}
