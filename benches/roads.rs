//! The roads around the search: figures into a catalog and out of it, at N, 4 N and 16 N figures.
//!
//! Reports microseconds of processor time for each row, and the exponent: the time grows as the number of rows to this
//! power, from N to 16 N. A straight road has 1. Each step is a process of its own, this program as `somacat`, and its
//! processor time hardly depends on what else the machine does.
//!
//! `cargo bench -p benches --bench roads` takes N = 12,500; `-- 250000` another N, up to four million figures in all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// The first argument of a step's process.
const AS_PROGRAM: &str = "--as-somacat";

/// The sizes, in N.
const SIZES: [usize; 3] = [1, 4, 16];

/// The roads in the order in which they are taken: a name and its commands.
const ROADS: [(&str, &[&str]); 9] = [
    ("import without counting", &["import figures.txt --set SOMA --no-count --db named.db"]),
    ("CSV", &["export csv out.csv --db named.db"]),
    ("JSON Lines", &["export jsonl out.jsonl --db named.db"]),
    ("Parquet", &["export parquet files --db named.db"]),
    (
        "work of 4 units",
        &[
            "work units.txt --unit 1",
            "work units.txt --unit 2",
            "work units.txt --unit 3",
            "work units.txt --unit 4",
        ],
    ),
    ("status of units", &["units --status units.txt parts"]),
    ("merge", &["merge units.txt parts --db merged.db"]),
    ("verify --sample 1000", &["verify --sample 1000 --db merged.db"]),
    ("publish", &["catalog publish published.db --db merged.db"]),
];

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|first| first == AS_PROGRAM) {
        let program = std::iter::once(OsString::from("somacat"));
        return somacat::cli::main(program.chain(arguments.into_iter().skip(2))).into();
    }
    let number = benches::words().iter().find_map(|word| word.parse().ok()).unwrap_or(12_500);
    let seconds = SIZES.map(|size| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        take(folder.path(), size * number)
    });
    print!("{:24}", "µs a row");
    SIZES.iter().for_each(|size| print!("{:>12}", size * number));
    println!("{:>12}", "exponent");
    for (at, (road, _)) in ROADS.iter().enumerate() {
        print!("{road:24}");
        for (size, seconds) in SIZES.iter().zip(&seconds) {
            print!("{:12.1}", seconds[at] * 1e6 / (size * number) as f64);
        }
        let exponent = (seconds[2][at] / seconds[0][at]).ln() / (SIZES[2] as f64).ln();
        println!("{exponent:12.2}");
    }
    ExitCode::SUCCESS
}

/// Takes all roads with some figures. Returns the seconds of processor time that each took.
fn take(folder: &Path, figures: usize) -> Vec<f64> {
    write_figures(folder, figures);
    fs::write(
        folder.join("plan.toml"),
        "title = \"roads\"\nimport = [\"figures.txt\"]\nset = \"SOMA\"\n",
    )
    .expect("a plan");
    let units = step(folder, "units plan.toml --count 4").stdout(Stdio::piped()).output();
    fs::write(folder.join("units.txt"), units.expect("units").stdout).expect("a file of units");
    let road = |(_, commands): &(&str, &[&str])| {
        let before = processor();
        for command in *commands {
            let ended = step(folder, command).stdout(Stdio::null()).status().expect("the program");
            assert!(matches!(ended.code(), Some(0 | 3)), "{command}: {ended}");
        }
        processor() - before
    };
    ROADS.iter().map(road).collect()
}

/// Writes figures of 27 cells with a symmetry, each with a name.
fn write_figures(folder: &Path, figures: usize) {
    let command = "enumerate symmetric --cells 27 --class C2v(face,planar)";
    let mut listing = step(folder, command).stdout(Stdio::piped()).spawn().expect("the program");
    let lines = BufReader::new(listing.stdout.take().expect("its output")).lines();
    let mut file = File::create(folder.join("figures.txt")).expect("a file");
    let mut written = 0;
    for line in lines.take(figures) {
        writeln!(file, "f{written}: {}", line.expect("a line")).expect("space on the disk");
        written += 1;
    }
    assert_eq!(written, figures, "there are no more figures of this class");
    // The pipe is closed, which ends it.
    let _ = listing.wait();
}

fn step(folder: &Path, command: &str) -> Command {
    let mut step = Command::new(std::env::current_exe().expect("this program"));
    step.arg(AS_PROGRAM).args(command.split(' ')).arg("--quiet").current_dir(folder);
    step
}

/// Returns the seconds of processor time of all processes that have ended. Zero if the system does not report it.
fn processor() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may have spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}
