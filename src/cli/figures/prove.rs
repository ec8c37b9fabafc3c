//! `somacat prove`: writes a certificate that a figure cannot be built, or of its raw count.

use super::open_figure::OpenFigure;
use crate::cli::failure::{Context, Result};
use crate::cli::shared::choice::ChoiceArgs;
use crate::cli::shared::input::{FigureArgs, no_figure};
use crate::cli::shared::output::to_file;
use crate::cli::{Exit, Global, eprintln, stop_on_signals, stopped_early};
use clap::Args;
use serde::Serialize;
use somacat_counting::prove::{
    Argument, CaseTree, CellPlacement, CertificateSize, Marks, ProofItem, write_certificate,
};
use somacat_counting::solve::{Limits, Problem};
use somacat_formats::{Format, count_noun};
use somacat_geometry::figure::Equivalence;
use somacat_output::export::Spelling;
use somacat_run::default_limits;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
A certificate is plain text: the figure, the pieces, and the reason why there is no packing, or a
proof of the raw count. Against a packing the most readable argument is chosen: the number of cells,
their colors or the sizes of separate parts; marks; marks in each of some cases; or an exhausted
search.

Marks are cells of which the pieces cannot cover as many as there are. For example, mark ten cells
of the W-wall. V covers at most 1 of them, L 2, T 2, Z, A, B and P 1: together 9. The certificate
draws the figure with its marks, o for cells without. Anybody can check it: try each piece in every
place.

Cases and a search are written as a tree: each node is a cell or a piece, and its children are all
ways to cover it. A leaf has no way, or marks exclude the rest. A count is written as nodes that
packings share, so that billions of packings need some megabytes. docs/certificates.md describes the
format, so that others can write a checker. `somacat verify --certificate` is a checker that shares
only cells and pieces with the solver.

With ranges of copies, --partial or --gaps, a proof holds for all choices of pieces: marks are more
than any choice covers that fills the figure, and a count has the packings of all choices. Cells
marked ~ may stay empty.

The proof is summarized on standard error. Pieces in place are removed first; the certificate is
then about the remaining cells and pieces.

Examples:
  somacat prove chaise-lounge chaise-lounge.proof
  somacat prove s1-3x3x5-a5xtzbqma
  somacat prove --json W-wall
  somacat prove cube cube.proof
  somacat prove --partial --pieces 3 2x2x3
  somacat verify --certificate chaise-lounge.proof")]
pub(crate) struct ProveArgs {
    #[command(flatten)]
    subject: FigureArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// The file, or - for standard output.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Write a JSON object instead of a certificate: the cells, the raw count and, if marks prove it, the mark of each
    /// cell, the most that a copy of each piece covers, and both sums; or the tree of the cases.
    #[arg(long)]
    json: bool,
    /// Node limit for the certificate, and for the preceding packing search.
    #[arg(
        long, value_name = "N", default_value_t = 100_000_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: u64,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

/// A proof as JSON. What only marks or cases have is null for other proofs.
#[derive(Serialize)]
struct JsonProof<'a> {
    signature: &'a str,
    set: &'a str,
    reason: &'static str,
    cells: Vec<[i32; 3]>,
    /// The mark of each cell.
    marks: Option<&'a [i64]>,
    /// The largest sum of marks that one copy of a piece covers, by the piece's name.
    pieces: Option<BTreeMap<&'a str, i64>>,
    total: Option<i64>,
    most: Option<i64>,
    /// The root of the case tree.
    cases: Option<JsonCase<'a>>,
    /// The number of packings; 0 if there are none.
    raw: u128,
}

impl<'a> JsonProof<'a> {
    fn new(
        signature: &'a str,
        size: &CertificateSize,
        problem: &'a Problem<'_>,
        argument: &'a Argument,
    ) -> Self {
        let (figure, set) = (problem.figure(), problem.set());
        let marks = match argument {
            Argument::Marks(marks) => Some(marks),
            Argument::Obstruction(_) | Argument::Cases(_) | Argument::Search | Argument::Count => {
                None
            }
        };
        let cases = match argument {
            Argument::Cases(cases) => Some(JsonCase::new(cases, problem)),
            Argument::Obstruction(_) | Argument::Marks(_) | Argument::Search | Argument::Count => {
                None
            }
        };
        let names = set.pieces().iter().map(|(piece, _)| piece.name());
        Self {
            signature,
            set: set.name(),
            reason: size.kind.word(),
            cells: figure.cells().iter().map(|cell| cell.to_array()).collect(),
            marks: marks.map(|marks| marks.weights.as_slice()),
            pieces: marks.map(|marks| names.zip(marks.largest.iter().copied()).collect()),
            total: marks.map(Marks::total),
            most: marks.map(|marks| marks.most),
            cases,
            raw: size.raw,
        }
    }
}

/// A node of a case tree as JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonCase<'a> {
    Marks {
        /// The mark of each cell. Covered cells have 0.
        marks: &'a [i64],
        total: i64,
        most: i64,
    },
    Cover {
        /// A cell, or a piece by its name; `size` if no choice of the pieces left fills the free cells.
        cover: JsonItem<'a>,
        /// All ways to cover it. There are none at a dead end.
        ways: Vec<JsonWay<'a>>,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonItem<'a> {
    Cell([i32; 3]),
    Piece(&'a str),
}

#[derive(Serialize)]
struct JsonWay<'a> {
    piece: &'a str,
    cells: Vec<[i32; 3]>,
    then: JsonCase<'a>,
}

impl<'a> JsonCase<'a> {
    fn new(case: &'a CaseTree, problem: &'a Problem<'_>) -> Self {
        let cell = |at: usize| problem.figure().cells()[at].to_array();
        let name = |piece: usize| problem.set().pieces()[piece].0.name();
        match case {
            CaseTree::Marks(marks) => {
                Self::Marks { marks: &marks.weights, total: marks.total(), most: marks.most }
            }
            CaseTree::Split(item, ways) => Self::Cover {
                cover: match *item {
                    ProofItem::Cell(at) => JsonItem::Cell(cell(at)),
                    ProofItem::Piece(piece) => JsonItem::Piece(name(piece)),
                    ProofItem::Size => JsonItem::Piece("size"),
                },
                ways: ways
                    .iter()
                    .map(|(CellPlacement { piece, cells }, then)| JsonWay {
                        piece: name(*piece),
                        cells: cells.iter().map(|at| cell(*at)).collect(),
                        then: Self::new(then, problem),
                    })
                    .collect(),
            },
        }
    }
}

fn in_words(size: &CertificateSize) -> String {
    format!("{}, {}", count_noun(size.nodes, "node"), count_noun(size.bytes, "byte"))
}

pub(crate) fn prove(global: &Global, args: &ProveArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let Some((requested, set)) = args.subject.read_with_choice(global, args.format, args.choice)?
    else {
        return Ok(no_figure());
    };
    let label = &requested.label;
    let open = OpenFigure::new(&requested, &set).context(label.clone())?;
    let problem = open.problem();
    let set = problem.set();
    let limits = Limits { nodes: Some(args.nodes), ..default_limits(stop) };
    let argument = Argument::find(&problem, limits);
    if limits.stopped() {
        return Ok(stopped_early());
    }
    let mut size = None;
    let written = to_file(&args.file, |out| {
        // Half a certificate proves nothing. A file is removed if it cannot be completed, standard output is not begun.
        let (mut nowhere, mut whole) = (io::sink(), Vec::new());
        let certificate: &mut dyn Write = match (args.json, args.file == Path::new("-")) {
            (true, _) => &mut nowhere,
            (false, true) => &mut whole,
            (false, false) => out,
        };
        let written = write_certificate(label, problem, &argument, limits, certificate)?;
        out.write_all(&whole)?;
        size = Some(written);
        if args.json {
            let signature = problem.figure().canonical_up_to(Equivalence::for_set(set)).signature;
            let proof = JsonProof::new(signature.as_str(), &written, &problem, &argument);
            serde_json::to_writer(&mut *out, &proof)?;
            writeln!(out)?;
        }
        Ok(())
    });
    if limits.stopped() {
        return Ok(stopped_early());
    }
    written.context(label.clone())?;
    if let Some(size) = size.filter(|_| !global.quiet) {
        let summary = match &argument {
            Argument::Obstruction(obstruction) => obstruction.to_string(),
            Argument::Marks(marks) => marks.in_words(set),
            Argument::Cases(_) | Argument::Search => {
                format!("{}, {}", size.kind.word(), in_words(&size))
            }
            Argument::Count => format!("{}, {}", count_noun(size.raw, "packing"), in_words(&size)),
        };
        eprintln(&format!("{label}: {summary}"));
    }
    Ok(Exit::Ok)
}
