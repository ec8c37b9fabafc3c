//! The summaries of runs and censuses on standard error.

use crate::cli::{Global, eprintln};
use somacat_counting::question::CensusReport;
use somacat_formats::count_noun;
use somacat_geometry::boxes::sides_text;
use somacat_run::Summary;
use std::path::Path;

/// Writes the table at the end of a run to standard error. The results are the catalog and another file, if given.
pub(crate) fn show_summary(global: &Global, summary: &Summary, other: Option<&Path>) {
    if global.quiet {
        return;
    }
    let totals = &summary.totals;
    let figures = match totals.figures - summary.figures {
        0 => summary.figures.to_string(),
        _ => format!("{} ({} with their sets)", summary.figures, totals.figures),
    };
    let unkept = match summary.unkept.figures {
        0 => String::new(),
        unkept => {
            format!("; this run kept {unkept} of them only as numbers, in the view enumerations")
        }
    };
    let mut lines = Vec::new();
    if summary.entries + summary.skipped_lines > 0 {
        let (read, refused, skipped) = (summary.entries, summary.refused, summary.skipped_lines);
        lines.push(("entries", entry_counts(read, refused, skipped)));
    }
    lines.extend([
        ("figures", figures + &unkept),
        ("  new", summary.new.to_string()),
        ("  duplicates", format!("{} (other names of a figure)", summary.duplicates)),
        ("parity-blocked", totals.parity_blocked.to_string()),
        ("unsolvable", format!("{} (for another reason than parity)", totals.unsolvable)),
        ("solvable", totals.buildable.to_string()),
    ]);
    let mut if_any = |label, number: u64, note: &str| {
        if number > 0 {
            lines.push((label, format!("{number}{note}")));
        }
    };
    if_any("lower bounds", totals.bounded, " (of the solvable; a higher search limit continues)");
    if_any("undecided", totals.unknown, " (stopped at the search limit; a higher one continues)");
    if_any("failed", totals.failed, " (see the column reason)");
    if_any("not counted", totals.pending, "");
    if_any("refused", summary.refused, " (entries with a fault, listed above)");
    if_any("warnings", summary.warnings, " (entries imported anyway, listed above)");
    if_any("unreadable", summary.unreadable, " (sources, listed above)");
    if_any("not compared", summary.published_faults, " (published counts, listed above)");
    if summary.published_known + summary.published_unknown > 0 {
        let (known, unknown) = (summary.published_known, summary.published_unknown);
        let others = match unknown {
            0 => String::new(),
            _ => format!("; {unknown} of figures not in the catalog"),
        };
        lines.push((
            "published",
            format!("{} for `somacat verify`{others}", count_noun(known, "count")),
        ));
    }
    let counted = match (summary.counted, summary.known()) {
        (0, _) if summary.from_parts => "nothing new".to_owned(),
        (0, 0) => "nothing".to_owned(),
        (0, known) if summary.totals.failed > 0 => {
            let (figures, failed) = (count_noun(known, "figure"), summary.totals.failed);
            format!("nothing; {figures} tried before, of which {failed} failed")
        }
        (0, 1) => "nothing: the figure was counted before".to_owned(),
        (0, known) => format!("nothing: all {known} figures were counted before"),
        (outcomes, _) if summary.from_parts => count_noun(outcomes, "outcome"),
        (counted, 0) => counted.to_string(),
        (counted, 1) => format!("{counted}, 1 was counted before"),
        (counted, known) => format!("{counted}, {known} were counted before"),
    };
    lines.push((if summary.from_parts { "from parts" } else { "counted now" }, counted));
    lines.push(("time", format!("{:.2} s", summary.elapsed.as_secs_f64())));
    let results = std::iter::once(global.db.as_path()).chain(other);
    let results: Vec<String> = results.map(|path| path.display().to_string()).collect();
    lines.push(("results", results.join(", ")));
    for (label, value) in lines {
        eprintln(&format!("{label:<16}{value}"));
    }
    for report in &summary.censuses {
        show_census(report, None);
    }
    if summary.stopped {
        eprintln("stopped early; the same command continues");
    }
}

/// Returns the counts of the entries of files: `5 read, 4 taken, 1 refused; 2 lines skipped`.
pub(crate) fn entry_counts(read: u64, refused: u64, skipped: u64) -> String {
    let skipped = count_noun(skipped, "line");
    format!("{read} read, {} taken, {refused} refused; {skipped} skipped", read - refused)
}

/// Writes the totals of a census to standard error.
pub(crate) fn show_census(report: &CensusReport, seconds: Option<f64>) {
    let CensusReport { totals, set, subsets, .. } = report;
    let (figures, buildable, most) = (totals.figures(), totals.solvable(), totals.most());
    eprintln(&format!(
        "{} with {}: {}, {buildable} of them can be built, at most {}; {} of {}",
        sides_text(report.sides),
        set.name(),
        count_noun(figures, "figure"),
        count_noun(most, "raw packing"),
        totals.subsets,
        count_noun(subsets, "subset"),
    ));
    let again = if !report.whole {
        "some shards only".to_owned()
    } else if totals.direct == totals.packings {
        "the same as the sum over all figures of raw times positions".to_owned()
    } else {
        format!("but the sum over all figures of raw times positions is {}", totals.packings)
    };
    let time = seconds.map(|seconds| format!(" in {seconds:.2} s")).unwrap_or_default();
    eprintln(&format!("{} in the box ({again}){time}", count_noun(totals.direct, "packing")));
}
