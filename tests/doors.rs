//! What a user meets at the program's doors: drawn pieces, an example plan, hints, notes.

use crate::support::program::{column, run, somacat, starter, stderr, stdout};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use somacat_formats::read_piece_set;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use tempfile::TempDir;

#[test]
fn pieces_can_be_drawn() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let read = |text: &str| {
        let file = folder.join("drawn.txt");
        fs::write(&file, text).unwrap();
        let set = read_piece_set(&file).map_err(|error| error.to_string())?;
        let pieces =
            set.pieces().iter().map(|(piece, n)| (piece.name().to_owned(), piece.size(), *n));
        Ok((set.total_cells(), pieces.collect()))
    };
    type Pieces = Vec<(String, usize, usize)>;
    let named = |pieces: &[(&str, usize, usize)]| -> Pieces {
        pieces.iter().map(|(name, size, n)| ((*name).to_owned(), *size, *n)).collect()
    };
    let height_map: Result<(usize, Pieces), String> = read("V*2: 11 10\nbar: 2\n");
    assert_eq!(height_map, Ok((8, named(&[("V", 3, 2), ("bar", 2, 1)]))));
    let soma_text = read("/SOMA X\n/11/1.\n\n/SOMA Y\n/1111\n");
    assert_eq!(soma_text.map(|(cells, _)| cells), Ok(7));
    // A solution has all pieces; equal ones count together, and SOMA is recognized.
    let solved = "/SOMA cube\n/772/752/552\n/762/451/411\n/466/436/333\n";
    fs::write(folder.join("solved.soma"), solved).unwrap();
    assert_eq!(read_piece_set(&folder.join("solved.soma")).unwrap().name(), "SOMA");
    let apart = read("/SOMA a\n/111\n/111\n\n/SOMA b\n/1.1\n").unwrap_err();
    assert!(apart.contains("line 5: the piece has 2 separate parts"), "{apart}");
    assert!(read("V*0: 11 10\n").is_err());
}

/// The plan in the help of `run` is a plan.
#[test]
fn the_plan_in_the_help_runs() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let help = stdout(&run(folder, &["run", "--help"]));
    let plan = help.split_once("may be left out:\n").unwrap().1.split_once("\ndocs/").unwrap().0;
    for table in ["[[symmetric]]", "[[box]]", "[[buildable]]", "[[census]]"] {
        assert!(plan.contains(table), "{plan}");
    }
    fs::create_dir(folder.join("my-figures")).unwrap();
    fs::write(folder.join("my-figures/cube.txt"), "cube: 333 333 333\n").unwrap();
    fs::write(folder.join("plan.toml"), plan).unwrap();
    let done = run(folder, &["run", "plan.toml", "--dry-run"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
}

#[test]
fn a_plan_without_a_title_has_the_name_of_its_file() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cube.txt"), "cube: 333 333 333\n").unwrap();
    fs::write(folder.join("my-plan.toml"), "import = [\"cube.txt\"]\n").unwrap();
    assert_eq!(run(folder, &["run", "-q", "my-plan.toml"]).status.code(), Some(0));
    assert!(stdout(&run(folder, &["status", "--csv"])).contains("my-plan"));
    fs::write(folder.join("empty.toml"), "").unwrap();
    let nothing = stderr(&run(folder, &["run", "empty.toml", "--dry-run"]));
    assert!(nothing.contains("0 figures") && !nothing.contains("-0"), "{nothing}");
    fs::write(folder.join("empty.toml"), "map = true\nprove = true\n").unwrap();
    let more = stderr(&run(folder, &["run", "empty.toml", "--dry-run"]));
    assert!(more.contains("map and prove of the plan come after that"), "{more}");
}

#[test]
fn the_program_says_that_it_waits_for_a_terminal() {
    let folder = TempDir::new().unwrap();
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&main).unwrap();
    unlockpt(&main).unwrap();
    let name = ptsname(&main, Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    // A figure, and Ctrl-D.
    let mut main = File::from(main);
    main.write_all(b"cube: 333 333 333\n\x04").unwrap();
    let mut count = somacat(folder.path(), &["count", "--csv"]);
    let counted =
        count.stdin(terminal).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    assert!(stderr(&counted).contains("waiting for figures"), "{}", stderr(&counted));
    assert_eq!(column(&stdout(&counted), "raw"), ["11520"]);
}

#[test]
fn an_error_states_its_cause_once() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cube.txt"), "cube: 333 333 333\n").unwrap();
    fs::write(folder.join("plan.toml"), "import = [\"cube.txt\"]\n").unwrap();
    assert_eq!(run(folder, &["run", "-q", "plan.toml"]).status.code(), Some(0));
    // A file where a folder should be fails for every user.
    fs::write(folder.join("file"), "").unwrap();
    let closed = folder.join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
    for place in ["file/new", "closed/new"] {
        for line in [
            &["export", "gallery", place][..],
            &["export", "newsletter", place],
            &["export", "parquet", place],
            &["export", "csv", place],
            &["catalog", "publish", place],
            &["catalog", "release", place],
            &["run", "-q", "plan.toml", "--out", place],
        ] {
            let text = stderr(&run(folder, line));
            let causes = text.matches("(os error").count();
            assert!(causes <= 1, "{line:?}: {text}");
        }
    }
}

#[test]
fn a_census_writes_figures_of_one_unique_count() {
    let folder = TempDir::new().unwrap();
    let census = |more: &[&str]| {
        let line = ["census", "2x2x4", "--set", "V L T", "--keep", "solvable", "--csv", "-q"];
        column(&stdout(&run(folder.path(), &[&line[..], more].concat())), "unique")
    };
    let (all, two) = (census(&[]), census(&["--unique-count", "2"]));
    let twos = all.iter().filter(|unique| *unique == "2").count();
    assert!(0 < twos && twos < all.len(), "{all:?}");
    assert_eq!(two, vec!["2"; twos]);
}

/// A mirror plane, not only an inversion or a roto-reflection.
#[test]
fn figures_with_a_reflection_are_selected() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let classes = |more: &[&str]| {
        column(&stdout(&run(folder.path(), &[&["query", "--csv"], more].concat())), "class")
    };
    let (all, mirrored) = (classes(&[]), classes(&["--mirror"]));
    let without = ["C1", "Ci", "C3i", "S4", "C2(face)", "C2(edge)", "C3", "C4", "D3", "T", "O"];
    let expected: Vec<&String> = all
        .iter()
        .filter(|class| !without.contains(&class.as_str()) && !class.starts_with("D2("))
        .collect();
    assert!(all.contains(&"C3i".to_owned()) && mirrored.len() < all.len());
    assert_eq!(mirrored.iter().collect::<Vec<_>>(), expected);
}

#[test]
fn sets_are_shown_by_name_and_a_file_of_pieces_is_totaled() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (name, total) in [
        ("SOMA", "7 pieces, 27 cells"),
        ("soma+", "11 pieces, 40 cells"),
        ("2xSOMA", "14 pieces, 54 cells"),
    ] {
        let shown = stdout(&run(folder, &["show", name]));
        assert!(shown.lines().next().unwrap().ends_with(total), "{shown}");
    }
    fs::write(folder.join("set.txt"), "V*2: 0,0,0 1,0,0 0,1,0\nI: 0,0,0 1,0,0\n").unwrap();
    let note = stderr(&run(folder, &["show", "set.txt"]));
    assert!(note.contains("--set set.txt takes this file as 3 pieces, 8 cells in total"), "{note}");
    assert_eq!(run(folder, &["show", "SOMA", "--number", "2"]).status.code(), Some(2));
}

/// The completions of an option with many values offer their names.
#[test]
fn completions_offer_sets_and_classes() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&run(folder.path(), &["completions", shell]));
        assert!(!script.is_empty());
        if !["elvish", "powershell"].contains(&shell) {
            assert!(script.contains("tetris-cube") && script.contains("D3d"), "{shell}");
        }
    }
    // They do not restrict the program.
    assert_eq!(
        run(folder.path(), &["enumerate", "symmetric", "--class", "G", "--cells", "27", "--count"])
            .status
            .code(),
        Some(0)
    );
}
