//! Every reader on randomly damaged real files. Nothing may panic, hang or use excessive memory, and all results
//! must keep their limits.

use crate::support::entries::FORMATS;
use crate::support::random::Random;
use flate2::Compression;
use flate2::write::GzEncoder;
use somacat_formats::{
    Assessment, Format, Item, MAX_NAME_CHARS, Reader, assess, choose_set, read_piece_set,
};
use somacat_geometry::figure::{MAX_CELLS, Signature};
use somacat_geometry::pieces::{parse_piece_lines, parse_set};
use somacat_run::Plan;
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

/// The number of damaged copies of each sample.
const COPIES: usize = 400;

/// The maximum length of a sample cut out of a file. Many samples can then be tried quickly.
const LONGEST: usize = 6000;

/// Texts that break parsers more often than noise.
const NASTY: [&[u8]; 28] = [
    b"0",
    b"-1",
    b"999999999999999999999",
    b"1000000000",
    b"-1000000000",
    b"2147483648",
    b"1e9",
    b"NaN",
    b"/",
    b"|",
    b"//////",
    b";",
    b"#",
    b":",
    b",",
    b"<",
    b"<pre>",
    b"<!--",
    b"&#1114112;",
    b"&amp",
    b"\n",
    b"\r",
    b"\n\n",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"s1-",
];

impl Random {
    /// Returns a random range of bytes, more often short than long.
    fn part(&mut self, length: usize) -> std::ops::Range<usize> {
        let from = self.below(length + 1);
        let most = 1 << self.below(12);
        from..(from + self.below(most)).min(length)
    }

    /// Returns a copy with one to eight defects.
    fn damaged(&mut self, sample: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = sample.to_vec();
        for _ in 0..=self.below(8) {
            let part = self.part(bytes.len());
            match self.below(7) {
                0 if !part.is_empty() => bytes[part.start] ^= 1 << self.below(8),
                1 => drop(bytes.drain(part)),
                2 => {
                    let again = bytes[part.clone()].repeat(1 + self.below(4));
                    bytes.splice(part.end..part.end, again);
                }
                3 | 4 => {
                    let nasty = NASTY[self.below(NASTY.len())];
                    bytes.splice(part.start..part.start, nasty.iter().copied());
                }
                5 => {
                    let foreign = other[self.part(other.len())].to_vec();
                    bytes.splice(part, foreign);
                }
                _ => bytes.truncate(bytes.len() - self.below(bytes.len().min(40))),
            }
        }
        bytes
    }
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const PUZZLE: &str = "<?xml version=\"1.0\"?>\n<puzzle version=\"2\"><gridType type=\"0\"/><shapes>\
<voxel x=\"3\" y=\"2\" z=\"1\" name=\"a &lt; b\" type=\"0\">##_##_</voxel>\
<voxel x=\"2\" y=\"2\" z=\"2\" type=\"0\">####____</voxel></shapes>\
<problems><problem name=\"p\"><shapes><shape id=\"0\" count=\"2\"/></shapes><result id=\"1\"/>\
</problem></problems></puzzle>";

const PAGE: &str = "<html><head><title>x</title><script>/SOMA1</script></head><body>\n<pre>\n/SOMA9 a\n\
;b &amp; c\n/111/2..\n/1../222\n</pre>\n<table><tr><td>/SOMA7<br>/11/22<br>/1./2.</td></tr></table>";

const HEIGHTS: &str = "tower: 67 77\n\ncube:\n333\n333\n333\n\n# a comment\n3 4 5\n2 3 4\n1 2 3\n";

const SLICES: &str = "# a title\n..o*..   # top\nc.oooo\n\n\ncooc..\nc.  o3\n";

const CELLS: &str =
    "# two\ncorner: 0,0,0 1,0,0 0,1,0\n0,0,0 1000000,0,0 # far\na:b: -5,-5,-5 -4,-5,-5\n";

const POINTS: &str = "v 0 0 0\nv 1 0 0\n(0, 1, 0)\n0.0 0.0 1.0 # up\n[1,1,0], [1,1,1]\n";

const LAYERS: &str = "; a title\n###\n#-.\n\n1 1 .\n...\n\n---\n.-#\n";

const JSON: &str = "{\"name\":\"a\",\"cells\":[[0,0,0],[1,0,0]],\"signature\":\"s1-1x1x2-3\"}\n\
    {\"layers\":[[[1,1,1]],[[1,0,1]]]}\n{\"heights\":[[6,7],[7,7]],\"note\":\"x\"}\n\
    {\"pieces\":[{\"piece\":\"V\",\"cells\":[[0,0,0],[1,0,0],[0,1,0]]}],\"cells\":3}\n";

/// Returns samples: parts of published files, and small texts with every construct.
fn samples() -> Vec<Vec<u8>> {
    let mut samples: Vec<Vec<u8>> = [PUZZLE, PAGE, HEIGHTS, CELLS, SLICES, POINTS, LAYERS, JSON]
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    samples.push(zipped(PUZZLE.as_bytes()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/figures");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.is_file()) {
        let bytes = fs::read(file).unwrap();
        samples.extend(bytes.chunks(LONGEST).take(3).map(<[u8]>::to_vec));
    }
    samples
}

/// Checks that a message is one readable line.
fn shown(message: &dyn std::fmt::Display) {
    let text = message.to_string();
    assert!(text.len() < 4000 && !text.contains('\n'), "{text}");
}

/// Reads everything and checks invariants.
fn read(bytes: &[u8], format: Option<Format>) -> usize {
    let lines = 1 + bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
    let Ok(reader) = Reader::new(bytes, format) else { return 0 };
    let whole = reader.format() == Format::Xmpuzzle;
    let mut entries = 0;
    for item in reader {
        match item {
            Ok(Item::Entry(entry)) => {
                assert!((1..=MAX_CELLS).contains(&entry.figure.len()));
                assert!(whole || (1..=lines).contains(&entry.line));
                entries += 1;
                let chosen = choose_set(&entry).map(|set| assess(&entry, &set));
                match chosen {
                    Ok(Assessment::Sound { warnings, .. }) => {
                        assert!(warnings.iter().all(|w| whole || (1..=lines).contains(&w.line())));
                        warnings.iter().for_each(|warning| shown(warning));
                    }
                    Ok(Assessment::Refused(refusal)) | Err(refusal) => shown(&refusal),
                }
                assert!(entry.name.is_none_or(|name| name.chars().count() <= MAX_NAME_CHARS));
                assert!(entry.title.is_none_or(|title| title.chars().count() <= MAX_NAME_CHARS));
            }
            Ok(Item::Fault(fault)) => {
                assert!(whole || (1..=lines).contains(&fault.line));
                shown(&fault.reason);
            }
            Err(error) => assert!(error.to_string().len() < 2000),
        }
    }
    entries
}

#[test]
fn damaged_files_of_figures_are_read_or_refused() {
    let samples = samples();
    let mut random = Random::new(27);
    let mut entries = 0;
    for sample in &samples {
        for copy in 0..COPIES {
            let other = &samples[random.below(samples.len())];
            let bytes = random.damaged(sample, other);
            // Mostly with format detection, sometimes with a wrong format.
            entries += read(&bytes, (copy % 4 == 3).then(|| FORMATS[random.below(FORMATS.len())]));
            if sample.starts_with(b"<?xml") {
                entries += read(&zipped(&bytes), None);
            }
        }
    }
    // The damage leaves enough entries for the later checks.
    assert!(entries > COPIES * samples.len(), "{entries}");
    assert_memory_is_bounded();
}

#[test]
fn damaged_sets_plans_and_signatures_are_read_or_refused() {
    let set = "V*2: 0,0,0 1,0,0 0,1,0\nL: 0,0,0 1,0,0 2,0,0 0,1,0 # four\nI*3: 0,0,0 1,0,0 2,0,0\n";
    let plan = "title = \"t\"\nset = \"V L T2\"\nnodes = 1000\nkeep = \"totals\"\n[[box]]\n\
                sides = \"2x3x5\"\ncells = 27\nconnected = true\ntowers = true\n[[symmetric]]\n\
                cells = 27\nfold = 6\nwithin = \"3x3x3\"\nparts = 2\n";
    let figures = Reader::new(CELLS.as_bytes(), None).unwrap();
    let signatures: Vec<String> = figures
        .filter_map(|item| match item {
            Ok(Item::Entry(entry)) => Some(entry.figure.canonical().signature.to_string()),
            _ => None,
        })
        .collect();
    let mut random = Random::new(54);
    let mut texts = vec![set.as_bytes(), plan.as_bytes(), b"V L T Z A B P2", b"3xSOMA"];
    texts.extend(signatures.iter().map(String::as_bytes));
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("damaged.xmpuzzle");
    let (mut sets, mut plans, mut known, mut from_puzzles) = (0, 0, 0, 0);
    for _ in 0..COPIES {
        let other = texts[random.below(texts.len())];
        fs::write(&file, random.damaged(PUZZLE.as_bytes(), other)).unwrap();
        match read_piece_set(&file) {
            Ok(_) => from_puzzles += 1,
            Err(error) => shown(&error),
        }
    }
    for text in &texts {
        for _ in 0..COPIES {
            let other = texts[random.below(texts.len())];
            let bytes = random.damaged(text, other);
            let damaged = String::from_utf8_lossy(&bytes);
            sets += usize::from(parse_set(&damaged).is_ok());
            sets += usize::from(parse_piece_lines("damaged", &damaged).is_ok());
            plans += usize::from(Plan::of_text(Path::new("damaged.toml"), &damaged).is_ok());
            if let Ok(signature) = damaged.parse::<Signature>() {
                assert_eq!(signature.figure().unwrap().canonical().signature, signature);
                known += 1;
            }
        }
    }
    let all = [sets, plans, known, from_puzzles];
    assert!(all.iter().all(|&number| number > 0), "{all:?}");
    assert_memory_is_bounded();
}

/// Small files that claim to be large.
#[test]
fn bombs_do_not_go_off() {
    let blanks = vec![b' '; 1 << 20];
    let comment = [b"<!--", &blanks[..], b"-->"].concat();
    for (block, times, message) in
        [(&blanks, 33, "text is too large"), (&comment, 257, "more than 256 MiB")]
    {
        let bomb = zipped_often(block, times);
        assert!(bomb.len() < 2 << 20);
        let refused = Reader::new(&bomb[..], None).err().unwrap();
        assert!(refused.to_string().contains(message), "{refused}");
    }
    let nested = "<voxel>".repeat(100_000);
    let entities = "<!DOCTYPE puzzle [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
                    <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">\
                    <!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;\"><!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;\">]>";
    let bombs = [
        format!("<puzzle version=\"2\">{nested}"),
        format!("<?xml version=\"1.0\"?>{entities}<puzzle>&f;&f;&f;&f;&f;&f;&f;&f;</puzzle>"),
        "<puzzle><gridType type=\"0\"/><shapes><voxel x=\"4000000000\" y=\"4000000000\" \
         z=\"4000000000\" type=\"0\">#</voxel></shapes></puzzle>"
            .to_owned(),
        "/".repeat(1 << 18),
        format!("/{}", "1/".repeat(1 << 18)),
        format!("{}\n", "/1".repeat(100_000)).repeat(4),
        format!("a: {}", "0,0,0 ".repeat(40_000)),
        "z".repeat(1 << 16),
        "<".repeat(1 << 18),
        "<pre>&".repeat(1 << 16),
        "/SOMA".repeat(1 << 16),
        "\n".repeat(1 << 18),
        ";/1\n".repeat(1 << 16),
        "[".repeat(1 << 18),
        format!("{}{}", "[".repeat(1 << 17), "]".repeat(1 << 17)),
        "{\"cells\":[\n".repeat(1 << 16),
        format!("[{}[0,0,0]]", "[[0,0,0]],\n".repeat(1 << 16)),
    ];
    for bomb in &bombs {
        for format in [None, Some(Format::Soma), Some(Format::Cells), Some(Format::HeightMap)] {
            read(bomb.as_bytes(), format);
        }
        for format in [Format::Xmpuzzle, Format::Points, Format::Layers, Format::Json] {
            read(bomb.as_bytes(), Some(format));
        }
        let _ = parse_set(bomb);
        let _ = parse_piece_lines("bomb", bomb);
        let _ = bomb.parse::<Signature>();
    }
    for signature in
        ["s1-999999999x1x1-1", "s1-1000x1000x1000-0", "s1-", "s4294967296-", "s1-3x3x3"]
    {
        assert!(signature.parse::<Signature>().is_err());
    }
    assert_memory_is_bounded();
}

fn zipped_often(block: &[u8], times: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..times {
        encoder.write_all(block).unwrap();
    }
    encoder.finish().unwrap()
}

/// The peak memory of the test, if the system reports it.
///
/// Samples are kilobytes; the largest single allocation is the shapes of a puzzle, 64 MiB.
fn assert_memory_is_bounded() {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: Option<u64> = peak.and_then(|rest| rest.trim().split(' ').next()?.parse().ok());
    assert!(kib.is_none_or(|kib| kib < 1 << 20), "{kib:?} KiB");
}
