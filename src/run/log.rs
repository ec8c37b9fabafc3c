//! A log for whoever comes in the morning: one JSON object a line, appended and flushed at once.

use super::Summary;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What a line tells.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The program begins to work.
    Start {
        /// What it is about to do.
        command: &'a str,
        /// The program's version.
        version: &'a str,
        /// Threads that count.
        threads: usize,
        /// The process, to be found or stopped by.
        process: u32,
    },
    /// A source, an enumeration, or the counting begins.
    Begin {
        /// Which.
        what: &'a str,
        /// Its steps, if known.
        total: Option<u64>,
    },
    /// How far that is.
    Progress {
        /// Which.
        what: &'a str,
        /// Steps done.
        done: u64,
        /// Of so many, if known.
        total: Option<u64>,
        /// Steps a second of late.
        rate: f64,
        /// Seconds to go at that rate.
        left_seconds: Option<u64>,
    },
    /// It is over.
    Done {
        /// Which.
        what: &'a str,
        /// Steps done.
        done: u64,
        /// Seconds it took.
        seconds: f64,
    },
    /// Something is wrong with an entry or a source; the run goes on.
    Fault {
        /// What.
        text: &'a str,
    },
    /// The program is through.
    End {
        /// `finished`, `stopped` (the same command continues) or `failed`.
        status: &'a str,
        /// Why it failed.
        error: Option<String>,
        /// What it came to.
        totals: Option<EndTotals>,
    },
}

/// The numbers of a run's end.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct EndTotals {
    /// Different figures of the run.
    pub figures: u64,
    /// New to the catalog.
    pub new: u64,
    /// Counted in this run.
    pub counted: u64,
    /// With at least one packing.
    pub solvable: u64,
    /// Unsolvable by parity.
    pub parity_blocked: u64,
    /// Unsolvable otherwise.
    pub unsolvable: u64,
    /// Left undecided by a limit.
    pub undecided: u64,
    /// Whose search failed.
    pub failed: u64,
    /// Not counted yet.
    pub pending: u64,
    /// Entries refused.
    pub refused: u64,
    /// Sources that could not be read.
    pub unreadable: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl EndTotals {
    /// The numbers of a census by itself.
    #[must_use]
    pub fn of_census(figures: u64, solvable: u64, elapsed: Duration) -> Self {
        let unsolvable = figures - solvable;
        let seconds = seconds(elapsed);
        Self { figures, counted: figures, solvable, unsolvable, seconds, ..Self::default() }
    }
}

impl From<&Summary> for EndTotals {
    fn from(summary: &Summary) -> Self {
        let totals = &summary.totals;
        Self {
            figures: totals.figures,
            new: summary.new,
            counted: summary.counted,
            solvable: totals.buildable,
            parity_blocked: totals.parity_blocked,
            unsolvable: totals.unsolvable,
            undecided: totals.unknown,
            failed: totals.failed,
            pending: totals.pending,
            refused: summary.refused,
            unreadable: summary.unreadable,
            seconds: seconds(summary.elapsed),
        }
    }
}

/// A duration in milliseconds' precision.
pub(super) fn seconds(duration: Duration) -> f64 {
    duration.as_millis() as f64 / 1000.0
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    #[serde(flatten)]
    event: &'a Event<'a>,
}

/// An open log.
#[derive(Debug)]
pub struct RunLog {
    file: File,
}

impl RunLog {
    /// Opens a log; lines go below those it has.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub fn append(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // A program that was killed while it wrote may have left half a line. Only a regular file has one: a pipe
        // must not be read.
        if file.metadata()?.is_file() && !ends_with_newline(&mut File::open(path)?) {
            file.write_all(b"\n")?;
        }
        Ok(Self { file })
    }

    /// Writes a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, event: &Event<'_>) -> io::Result<()> {
        let time = stamp(SystemTime::now());
        let mut line = serde_json::to_string(&Line { time, event })?;
        line.push('\n');
        // In one piece, so that two programs that share a log do not mix their lines.
        self.file.write_all(line.as_bytes())
    }
}

/// A time as the log has it. What a clock shows that was never set, or set wrong, is no reason to end
/// a run: before 1970 it is the beginning of 1970, after the year 9999 its end.
fn stamp(time: SystemTime) -> String {
    let last = SystemTime::UNIX_EPOCH + Duration::from_secs(LAST_SECOND);
    let time = time.clamp(SystemTime::UNIX_EPOCH, last);
    humantime::format_rfc3339_seconds(time).to_string()
}

/// The last second of the year 9999 since the beginning of 1970, in UTC.
const LAST_SECOND: u64 = 253_402_300_799;

/// Whether a file ends with an end of line, or is none that has an end.
fn ends_with_newline(file: &mut File) -> bool {
    use std::io::{Read, Seek, SeekFrom};
    let mut last = [0];
    match file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last)) {
        Ok(()) => last == *b"\n",
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_a_clock_may_show_has_a_stamp() {
        let second = Duration::from_secs(1);
        let epoch = SystemTime::UNIX_EPOCH;
        let end = epoch + Duration::from_secs(LAST_SECOND);
        assert_eq!(stamp(epoch - second), "1970-01-01T00:00:00Z");
        assert_eq!(stamp(epoch + second), "1970-01-01T00:00:01Z");
        assert_eq!(stamp(end), "9999-12-31T23:59:59Z");
        assert_eq!(stamp(end + second), "9999-12-31T23:59:59Z");
    }
}
