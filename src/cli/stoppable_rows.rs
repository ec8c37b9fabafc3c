//! A sink for rows that gives up.

use crate::export::{Field, RowSink};
use std::io;

/// A sink that refuses rows once `expired` returns true.
pub(super) struct StoppableRows<S, F> {
    sink: S,
    expired: F,
    gave_up: bool,
}

impl<S: RowSink, F: Fn() -> bool> StoppableRows<S, F> {
    pub(super) const fn new(sink: S, expired: F) -> Self {
        Self { sink, expired, gave_up: false }
    }

    /// Returns true if a row was refused.
    pub(super) const fn gave_up(&self) -> bool {
        self.gave_up
    }
}

impl<S: RowSink, F: Fn() -> bool> RowSink for StoppableRows<S, F> {
    fn row(&mut self, fields: &[Field<'_>]) -> io::Result<()> {
        if (self.expired)() {
            self.gave_up = true;
            return Err(io::Error::new(io::ErrorKind::TimedOut, "stopped"));
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
    use std::cell::Cell;

    #[test]
    fn rows_end_when_the_time_after_a_stop_is_over() {
        let (expired, mut text) = (Cell::new(false), Vec::new());
        let sink = Delimited::csv(&mut text, &["n"]).unwrap();
        let mut rows = StoppableRows::new(sink, || expired.get());
        rows.row(&[1_u64.into()]).unwrap();
        expired.set(true);
        assert!(!rows.gave_up() && rows.row(&[2_u64.into()]).is_err() && rows.gave_up());
        rows.finish().unwrap();
        drop(rows);
        assert_eq!(text, b"n\n1\n");
    }
}
