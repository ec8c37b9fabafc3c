//! A sink for rows that gives up some time after a request to stop.

use crate::export::{Field, RowSink};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time for which rows are still written after a request to stop.
///
/// It is enough for all but very large catalogs, and less than a system waits when it shuts down.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// A sink that refuses rows when a request to stop is older than the grace.
pub(super) struct StoppableRows<'a, S> {
    sink: S,
    stop: &'a AtomicBool,
    grace: Duration,
    requested: Option<Instant>,
    gave_up: bool,
}

impl<'a, S: RowSink> StoppableRows<'a, S> {
    pub(super) const fn new(sink: S, stop: &'a AtomicBool, grace: Duration) -> Self {
        Self { sink, stop, grace, requested: None, gave_up: false }
    }

    /// Returns true if a row was refused.
    pub(super) const fn gave_up(&self) -> bool {
        self.gave_up
    }
}

impl<S: RowSink> RowSink for StoppableRows<'_, S> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            let requested = self.requested.get_or_insert_with(Instant::now);
            if requested.elapsed() >= self.grace {
                self.gave_up = true;
                return Err(io::Error::new(io::ErrorKind::TimedOut, "stopped"));
            }
        }
        self.sink.row(fields)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.sink.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Delimited;

    #[test]
    fn rows_end_when_a_stop_was_asked_for_and_the_grace_is_over() {
        for (grace, passed) in [(Duration::ZERO, false), (Duration::from_secs(3600), true)] {
            let stop = AtomicBool::new(false);
            let mut text = Vec::new();
            let sink = Delimited::csv(&mut text, &["n"]).unwrap();
            let mut rows = StoppableRows::new(sink, &stop, grace);
            rows.row(&[1_u64.into()]).unwrap();
            stop.store(true, Ordering::Relaxed);
            assert_eq!(rows.row(&[2_u64.into()]).is_ok(), passed);
            assert_eq!(rows.gave_up(), !passed);
            rows.finish().unwrap();
            drop(rows);
            assert_eq!(text, if passed { &b"n\n1\n2\n"[..] } else { b"n\n1\n" });
        }
    }
}
