//! `somacat verify`: derives the catalog again by independent means.

use super::query::field;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::runs::run::progress;
use crate::cli::shared::input::{
    RequestedFigure, RequestedFigures, SetArg, no_figure, piece_set_with_ranges, require_one_stdin,
};
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global, eprintln, stop_on_signals};
use clap::Args;
use somacat_catalog::{Catalog, SqlValue};
use somacat_checking::{CertificateError, CertificateProblem, check_certificate};
use somacat_formats::{Colors, count_noun, source_label};
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::Class;
use somacat_output::export::Spelling;
use somacat_run::{Completeness, Mismatch, RowChoice, Share, Unkept, Verification, verify_catalog};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "\
Signature, class, order, parity, box, parts and reason of each row are derived again, and counts are
repeated with code that shares only cells and pieces with the solver. Proofs of `catalog prove` are
checked like certificates. Differences are listed in the order of the catalog, including published
counts that contradict ours. Counts of more packings than --nodes allows are checked modulo two
primes, by a sweep from cell to cell, if there is enough memory. The summary gives the number of
unchecked counts, with the reasons.

The figures of each class in finished enumerations and censuses are counted by another method: all
subsets of a box in closed form; figures of one or more parts in a box cell by cell, for a seam of
up to 32 cells and a million states; other connected figures grown orbit by orbit; towers by their
ground plans, each with all towers on it. For each group at most ten times --nodes orbits are
placed; classes that need more are reported as unchecked. The table of marks converts numbers of
figures invariant under a group to numbers of figures of a class. The kept figures must be among the
counted ones. For searches for buildable figures, every figure of the class is grown and filled by
simple backtracking, if there are few.

Figures that an enumeration has only as numbers: those that parity blocks are counted by class; the
packings of a box must be those of the figures kept, times their positions; where a class has few
figures, all are filled, else a sample of those that can be grown.

Maps and stability are computed again by the same code. The last line has what is not verified, with
its share of the rows.

With --figure only the rows of this figure are verified, one for each set, and no enumerations.

With --certificate a certificate is checked, also with independent code, and an error is reported
with its line. A certificate proves the raw count of the figure that it contains, which is 0 if the
figure cannot be built; --figure and --set state the figure and the pieces that it must be about.

Examples:
  somacat verify
  somacat verify --sample 1000 --csv
  somacat verify --shard 3/64
  somacat verify --figure cube
  somacat verify --certificate sofa.proof --figure SOMA-sofa --set SOMA")]
pub(crate) struct VerifyArgs {
    /// Check a certificate of `prove` instead of a catalog.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sample", "shard", "nodes"])]
    certificate: Option<PathBuf>,
    /// Only the rows of this figure, or the figure that the certificate must be about: a file, a signature, or a name
    /// in the catalog.
    #[arg(long, value_name = "FIGURE", conflicts_with_all = ["sample", "shard"])]
    figure: Option<String>,
    /// The pieces that the certificate must be about.
    #[arg(long, requires = "certificate")]
    set: Option<String>,
    /// Only N rows, spread evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Only shard I of N, of rows and of enumerations. N machines can share the work.
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Share,
    /// Recount limit per row, in nodes: placements made.
    #[arg(
        long, value_name = "N", default_value = "100000000",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: u64,
    #[command(flatten)]
    output: OutputArgs,
}

impl VerifyArgs {
    /// Returns the rows to verify; `None` if the program was stopped before it read the figure.
    fn rows(&self, global: &Global) -> Result<Option<RowChoice>> {
        let Some(text) = &self.figure else {
            return Ok(Some(RowChoice::Spread { sample: self.sample, share: self.shard }));
        };
        let requested = RequestedFigures::one(global, text, None, &SetArg::Auto)?;
        Ok(requested.map(|requested| {
            let equivalences = [Equivalence::Reflections, Equivalence::Rotations];
            let signature = |equivalence| requested.figure.canonical_up_to(equivalence).signature;
            RowChoice::Figure(equivalences.map(signature))
        }))
    }

    /// Returns true if the command only checks a certificate.
    pub(crate) const fn is_of_certificate(&self) -> bool {
        self.certificate.is_some()
    }
}

pub(crate) fn verify(global: &Global, args: &VerifyArgs) -> Result<Exit> {
    if let Some(path) = &args.certificate {
        return certificate(global, args, path);
    }
    let stop = stop_on_signals()?;
    let catalog = Catalog::open_read_only(&global.db)?;
    let Some(choice) = args.rows(global)? else { return Ok(no_figure()) };
    let progress = progress(global, None);
    let done = verify_catalog(&catalog, &choice, args.nodes, stop, &progress)?;
    if let (Some(figure), 0, false) = (&args.figure, done.rows, done.stopped) {
        let text = format!("{figure} is not in {}", global.db.display());
        return Err(Failure::failed(text));
    }
    let mut rows = args.output.rows(&["signature", "what", "catalog", "found"])?;
    for Mismatch { signature, differences } in &done.mismatches {
        for [what, catalog, found] in differences.iter().cloned() {
            rows.row(&[signature.as_str().into(), what, catalog, found])?;
        }
    }
    let mut disagreements = 0;
    let published = "SELECT signature, kind || ' published by ' || source, ours, published
                     FROM disagreements ORDER BY signature, kind, source";
    if args.shard.is_first() {
        catalog.select_sql::<Failure>(published, Duration::MAX, |values| {
            let of_choice = match values.first() {
                Some(SqlValue::Text(signature)) => choice.has(signature),
                _ => true,
            };
            if !of_choice {
                return Ok(());
            }
            disagreements += 1;
            let fields: Vec<_> = values.into_iter().map(field).collect();
            Ok(rows.row(&fields)?)
        })?;
    }
    rows.finish()?;
    if !global.quiet {
        summarize(&done, args.nodes, disagreements);
    }
    Ok(if !done.mismatches.is_empty() || disagreements > 0 {
        Exit::Mismatch
    } else if done.stopped {
        Exit::Stopped
    } else {
        Exit::Ok
    })
}

/// Prints what was verified, and what was not.
fn summarize(done: &Verification, nodes: u64, disagreements: u64) {
    let mut left_out = Vec::new();
    if done.too_large > 0 {
        left_out.push(format!(
            "{} need more memory or more than {}, see --nodes",
            done.too_large,
            count_noun(nodes, "placement")
        ));
    }
    if done.uncounted > 0 {
        left_out.push(format!("{} have no count to check", done.uncounted));
    }
    let left_out = if left_out.is_empty() {
        String::new()
    } else {
        let number = done.too_large + done.uncounted;
        format!(", {number} not recounted ({})", left_out.join("; "))
    };
    let modulo = match done.modulo {
        0 => String::new(),
        modulo => format!(" ({modulo} of them modulo two primes)"),
    };
    let proofs = match done.proofs {
        0 => String::new(),
        proofs => format!(", {} checked", count_noun(proofs, "proof")),
    };
    eprintln(&format!(
        "{} verified, {} recounted{modulo}{left_out}{proofs}, {}, {} contradicted",
        count_noun(done.rows, "row"),
        done.recounted,
        count_noun(done.mismatches.len(), "mismatch"),
        count_noun(disagreements, "published count"),
    ));
    if let Some(line) = completeness(&done.enumerations) {
        eprintln(&line);
    }
    if let Some(line) = unverified(done) {
        eprintln(&line);
    }
    if done.stopped {
        eprintln("stopped early: the other rows were not checked");
    }
}

/// Describes the check of finished enumerations; `None` if there are none.
fn completeness(done: &Completeness) -> Option<String> {
    // Names up to three classes.
    let names = |all: &[Class]| match all {
        [] | [_] | [_, _] | [_, _, _] => {
            let names: Vec<&str> = all.iter().map(|class| class.name()).collect();
            names.join(", ")
        }
        [first, ..] => format!("{} and {} other classes", first.name(), all.len() - 1),
    };
    let mut words = Vec::new();
    if done.enumerations > 0 {
        let enumerations = count_noun(done.enumerations, "enumeration");
        let classes = count_noun(done.classes, "class");
        words.push(format!("{enumerations} counted again by another method, in {classes}"));
    }
    if !done.too_large.is_empty() {
        words.push(format!("{} not checked because of the limit --nodes", names(&done.too_large)));
    }
    if done.of_other_kinds > 0 {
        let enumerations = count_noun(done.of_other_kinds, "enumeration");
        words.push(format!("{enumerations} of a kind that is not counted again"));
    }
    (!words.is_empty()).then(|| words.join("; "))
}

const CERTIFICATE_COLUMNS: [&str; 6] =
    ["certificate", "signature", "set", "reason", "nodes", "raw"];

/// Describes what was not verified, with its share; `None` if that is nothing.
fn unverified(done: &Verification) -> Option<String> {
    let share = |part: u64, of: u64| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
    let mut left = Vec::new();
    let Unkept { figures, untried, sampled, unexplained } = done.enumerations.unkept;
    if untried > 0 {
        let sample = match sampled {
            0 => String::new(),
            sampled => format!("; a sample of {sampled} was tried"),
        };
        left.push(format!(
            "whether {untried} figures without a row can be built ({} of them{sample})",
            share(untried, figures)
        ));
    }
    if unexplained > 0 {
        left.push(format!(
            "the reasons of {unexplained} figures without a row ({} of them)",
            share(unexplained, figures)
        ));
    }
    for (number, what) in [
        (done.too_large, "the counts"),
        (done.uncounted, "the outcomes"),
        (done.searched, "the nodes and the engine"),
        (done.structures_left, "maps and stability"),
        (done.named, "titles, texts and places in files"),
    ] {
        if number > 0 {
            let rows = count_noun(number, "row");
            left.push(format!("{what} of {rows} ({} of those read)", share(number, done.rows)));
        }
    }
    (!left.is_empty()).then(|| format!("not verified: {}", left.join("; ")))
}

fn certificate(global: &Global, args: &VerifyArgs, path: &Path) -> Result<Exit> {
    let set = args.set.as_deref().map(piece_set_with_ranges).transpose()?;
    let asked = match &args.figure {
        Some(text) => {
            require_one_stdin([OsStr::new(text), path.as_os_str()])?;
            let texts = std::slice::from_ref(text);
            // The certificate, not a set, says how many cells the pieces fill.
            let figures = RequestedFigures::open(global, texts, None, None)?;
            match figures.obeying(Colors::Gaps).sole()? {
                Some(asked) => Some(asked),
                None => return Ok(no_figure()),
            }
        }
        None => None,
    };
    let figure = asked.as_ref().map(|asked| &asked.figure);
    let label = source_label(path);
    let file: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin().lock()),
        false => {
            Box::new(File::open(path).context(format!("cannot read the certificate {label}"))?)
        }
    };
    let certified = match check_certificate(BufReader::new(file), figure, set.as_ref()) {
        Err(CertificateError { problem: CertificateProblem::Read(error), .. }) => {
            return Err(Failure::from(error)).context(label);
        }
        Err(CertificateError { line, problem }) => {
            let text = format!("{label}:{line}: {problem}; the certificate is refused");
            return Err(Failure::Error(Exit::Mismatch, anyhow::Error::msg(text)));
        }
        Ok(certified) => certified,
    };
    // A figure without marks is one of which no cell stays empty, or any, as with --gaps. Pieces that fill all cells leave
    // none empty, whatever the figure says.
    let any = certified.optional.len() == certified.figure.len();
    let may_be_empty = |asked: &RequestedFigure, cell| {
        asked.colors.as_deref().map_or(any, |colors| colors.may_be_empty(cell))
    };
    if let Some(asked) = &asked
        && certified.set.least_cells() < asked.figure.len()
        && !certified.leaves_empty(&asked.figure, |cell| may_be_empty(asked, cell))
    {
        let text = format!(
            "{label}: the certificate is for a figure of which other cells may stay empty; it is refused"
        );
        return Err(Failure::Error(Exit::Mismatch, anyhow::Error::msg(text)));
    }
    let equivalence = Equivalence::for_set(&certified.set);
    let set = match certified.optional.is_empty() {
        true => certified.set.clone(),
        false => certified.set.with_gaps_in(certified.figure.len()),
    };
    let signature = certified.figure.canonical_up_to(equivalence).signature;
    let mut rows = args.output.rows(&CERTIFICATE_COLUMNS)?;
    rows.row(&[
        label.as_str().into(),
        signature.as_str().into(),
        set.in_words().as_str().into(),
        certified.kind.word().into(),
        certified.nodes.into(),
        certified.raw.into(),
    ])?;
    rows.finish()?;
    let has_gaps = !certified.optional.is_empty();
    let found = match certified.raw {
        0 if any => "cannot be built, even with gaps".to_owned(),
        0 if has_gaps => {
            let cells = count_noun(certified.optional.len() as u64, "cell");
            format!("cannot be built, although {cells} may stay empty")
        }
        0 => "cannot be built".to_owned(),
        raw => {
            let gaps = if has_gaps { ", with gaps" } else { "" };
            format!("has {}{gaps}", count_noun(raw, "packing"))
        }
    };
    global.note(&format!("the certificate is sound: the figure {found}"));
    Ok(Exit::Ok)
}
