//! The log of a run: one JSON object a line, appended and flushed at once.

use super::Summary;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    Start {
        command: &'a str,
        version: &'a str,
        threads: usize,
        process: u32,
    },
    /// A source, an enumeration, or the counting begins.
    Begin {
        what: &'a str,
        /// Its steps, if known.
        total: Option<u64>,
    },
    Progress {
        what: &'a str,
        done: u64,
        /// All steps, if known.
        total: Option<u64>,
        /// Recent steps per second.
        rate: f64,
        /// Seconds left at that rate.
        left_seconds: Option<u64>,
    },
    Done {
        what: &'a str,
        done: u64,
        seconds: f64,
    },
    /// A fault of an entry or a source; the run continues.
    Fault {
        text: &'a str,
    },
    End {
        /// `finished`, `stopped` (the same command continues) or `failed`.
        status: &'a str,
        error: Option<String>,
        totals: Option<EndTotals>,
    },
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct EndTotals {
    pub figures: u64,
    pub new: u64,
    pub counted: u64,
    /// Outcomes that a merge took from parts, whose units counted them.
    pub from_parts: u64,
    pub solvable: u64,
    pub parity_blocked: u64,
    pub unsolvable: u64,
    pub undecided: u64,
    pub failed: u64,
    pub pending: u64,
    pub refused: u64,
    pub unreadable: u64,
    pub seconds: f64,
}

impl EndTotals {
    /// Makes the totals of a census without a catalog.
    pub fn of_census(figures: u64, solvable: u64, elapsed: Duration) -> Self {
        let unsolvable = figures - solvable;
        let seconds = seconds(elapsed);
        Self { figures, counted: figures, solvable, unsolvable, seconds, ..Self::default() }
    }
}

impl From<&Summary> for EndTotals {
    fn from(summary: &Summary) -> Self {
        let totals = &summary.totals;
        let outcomes = summary.counted;
        let (counted, from_parts) = if summary.from_parts { (0, outcomes) } else { (outcomes, 0) };
        Self {
            figures: totals.figures,
            new: summary.new,
            counted,
            from_parts,
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

/// Returns seconds with the precision of milliseconds.
pub(super) fn seconds(duration: Duration) -> f64 {
    duration.as_millis() as f64 / 1000.0
}

#[derive(Serialize)]
struct LogLine<'a> {
    time: String,
    #[serde(flatten)]
    event: &'a Event<'a>,
}

/// The beginning of every line. A killed program may have left less.
const START: &[u8] = br#"{"time":"#;

#[derive(Debug)]
pub struct RunLog {
    file: File,
}

impl RunLog {
    pub fn append(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // A killed program may have left half a line. Only a regular file can have one; a pipe must not be read.
        if file.metadata()?.is_file() && !ends_with_newline(&mut File::open(path)?) {
            file.write_all(b"\n")?;
        }
        Ok(Self { file })
    }

    /// Returns false if a file exists and is not a log: appending would damage it.
    pub fn accepts(path: &Path) -> bool {
        use std::io::Read;
        let mut start = Vec::new();
        let mut read = || File::open(path)?.take(START.len() as u64).read_to_end(&mut start);
        // Devices and pipes have no content to damage. An unreadable file is reported when it is opened.
        !path.is_file() || read().is_err() || START.starts_with(&start)
    }

    pub fn write(&mut self, event: &Event<'_>) -> io::Result<()> {
        let time = stamp(SystemTime::now());
        let mut line = serde_json::to_string(&LogLine { time, event })?;
        line.push('\n');
        // One write, so that programs that share a log do not mix their lines.
        self.file.write_all(line.as_bytes())
    }
}

/// Formats a time. Clamps the time of a wrong clock to the years 1970 to 9999.
pub(super) fn stamp(time: SystemTime) -> String {
    let last = SystemTime::UNIX_EPOCH + Duration::from_secs(LAST_SECOND);
    let time = time.clamp(SystemTime::UNIX_EPOCH, last);
    humantime::format_rfc3339_seconds(time).to_string()
}

/// The last second of the year 9999 in Unix time.
const LAST_SECOND: u64 = 253_402_300_799;

/// Returns whether a file ends with a newline. Also true if it is empty or cannot be read.
fn ends_with_newline(file: &mut File) -> bool {
    use std::io::{Read, Seek, SeekFrom};
    let mut last = [0];
    match file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last)) {
        Ok(()) => last == *b"\n",
        Err(_) => true,
    }
}
