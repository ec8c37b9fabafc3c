//! `run --mail-summary`: a text of at most ten lines about what a run has added to the catalog.

use crate::cli::Exit;
use crate::cli::failure::{Failure, Result};
use crate::cli::shared::output::to_file;
use somacat_catalog::{Catalog, LastRun, News, Status};
use somacat_formats::count_noun;
use somacat_run::{Summary, rough};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The state of the catalog before the run, as the run before left it.
pub(crate) struct MailSummary<'a> {
    path: &'a Path,
    db: &'a Path,
    before: Option<Status>,
}

/// The end of a run: its exit code, its numbers, and the CSV file if it was written.
pub(crate) struct RunResult {
    pub(crate) exit: Exit,
    pub(crate) summary: Summary,
    pub(crate) csv: Option<PathBuf>,
}

impl<'a> MailSummary<'a> {
    pub(crate) fn begin(path: &'a Path, db: &'a Path) -> Self {
        let status = || Catalog::open_read_only(db).and_then(|catalog| catalog.status()).ok();
        let before = if db.exists() { status() } else { Some(Status::default()) };
        Self { path, db, before }
    }

    /// Writes the summary of a run, also of one that failed: yesterday's text must not be mailed in its place.
    pub(crate) fn write(&self, plan: &str, result: &Result<RunResult>) -> Result<()> {
        let text = self.text(plan, result)?;
        to_file(self.path, |out| Ok(out.write_all(text.as_bytes())?))
    }

    fn text(&self, plan: &str, result: &Result<RunResult>) -> Result<String> {
        let end = match result {
            Ok(RunResult { exit: Exit::Stopped, .. }) => {
                "stopped; the same command continues".to_owned()
            }
            Ok(RunResult { exit: Exit::Failed, .. }) => {
                "failed: no source could be read to its end".to_owned()
            }
            Ok(RunResult { exit: Exit::Mismatch, .. }) => {
                "finished, but numbers contradict each other".to_owned()
            }
            Ok(_) => "finished".to_owned(),
            Err(Failure::Error(_, error)) => format!("failed: {error:#}").replace('\n', " "),
            Err(Failure::ClosedPipe) => "failed: the output was closed".to_owned(),
        };
        let mut text = format!("somacat: {plan} {end}\n");
        if !self.db.exists() {
            return Ok(text);
        }
        let opened =
            Catalog::open_read_only(self.db).and_then(|catalog| Ok((catalog.status()?, catalog)));
        let (after, catalog) = match opened {
            Ok(opened) => opened,
            // The run failed for the same reason, and yesterday's text must not be mailed.
            Err(error) => return Ok(format!("{text}the catalog cannot be read: {error}\n")),
        };
        let number = |status: &Status| status.last_run.as_ref().map(|run| run.run);
        let is_new = self.before.as_ref().is_none_or(|before| number(before) != number(&after));
        if let Some(run) = after.last_run.as_ref().filter(|_| is_new) {
            text += &self.of_run(run, &after, &catalog.news(run.run)?);
        } else {
            text += "nothing was added to the catalog\n";
        }
        if let Ok(RunResult { summary, csv, .. }) = result {
            let faults = [
                (summary.refused, "refused entry", "refused entries"),
                (summary.unreadable, "unreadable source", "unreadable sources"),
                (summary.published_faults, "faulty published count", "faulty published counts"),
            ];
            let faults: Vec<String> = faults
                .into_iter()
                .filter(|(number, ..)| *number > 0)
                .map(|(number, one, several)| {
                    format!("{number} {}", if number == 1 { one } else { several })
                })
                .collect();
            if !faults.is_empty() {
                text += &format!("faults: {}\n", faults.join(", "));
            }
            let csv = csv.as_ref().map(|csv| format!(", {}", csv.display())).unwrap_or_default();
            text += &format!("results: {}{csv}\n", self.db.display());
        }
        Ok(text)
    }

    /// Describes what a run changed. Numbers include figures that the catalog does not keep.
    fn of_run(&self, run: &LastRun, after: &Status, news: &News) -> String {
        let mut text = String::new();
        let mut line = |label: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{label}: {value}");
        };
        let time =
            std::time::Duration::try_from_secs_f64(run.seconds).map(rough).unwrap_or_default();
        line(
            "time",
            format!("{} to {}, {time}", run.started, run.ended.as_deref().unwrap_or("now")),
        );
        let change = |value: &dyn Fn(&Status) -> u64| {
            let (now, before) = (value(after), self.before.as_ref().map(value));
            match before.map(|before| i128::from(now) - i128::from(before)) {
                None | Some(0) => now.to_string(),
                Some(change) => format!("{now} ({change:+})"),
            }
        };
        line("figures", change(&|status| status.figures + status.unkept.figures));
        let [solvable, unsolvable, undecided, failed] = [
            change(&|status| status.outcomes.buildable + status.unkept.buildable),
            change(&|status| {
                [status.outcomes, status.unkept]
                    .iter()
                    .map(|all| all.parity_blocked + all.unsolvable)
                    .sum()
            }),
            change(&|status| status.outcomes.unknown + status.unkept.unknown),
            change(&|status| status.outcomes.failed + status.unkept.failed),
        ];
        line(
            "outcomes",
            format!(
                "solvable {solvable}, unsolvable {unsolvable}, undecided {undecided}, failed {failed}"
            ),
        );
        let (done, single) = (count_noun(run.done, "figure"), news.single);
        let counted = match after.unkept.figures {
            0 => format!("{done}, {single} of them with exactly one solution"),
            _ => {
                format!("{done}; of those that the catalog has, {single} with exactly one solution")
            }
        };
        line("counted now", counted);
        if let Some((name, number)) = &news.most {
            line("most solutions", format!("{name}, {number} unique, of exact counts"));
        }
        if let Some((name, number)) = &news.longest {
            line("longest count", format!("{name}, {number} nodes"));
        }
        if after.disagreements > 0 {
            line("published counts that differ", change(&|status| status.disagreements));
        }
        text
    }
}
