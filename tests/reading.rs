//! Files that were once read as other figures: each is read as it is meant, or refused with its line.

use crate::support::program::{column, run, stderr, stdout, with_input};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Counts figures of standard input. Returns the raw counts and the messages.
fn count(folder: &Path, text: &str) -> (Vec<String>, String) {
    let done = with_input(folder, &["count", "--csv", "-"], text.as_bytes());
    let raw = column(&stdout(&done), "raw").iter().map(ToString::to_string).collect();
    (raw, stderr(&done))
}

/// Cells of the cube, one a line.
fn cube(write: impl Fn([i32; 3]) -> String) -> String {
    let cells = (0..27).map(|n| write([n / 9, n / 3 % 3, n % 3]) + "\n");
    cells.collect()
}

#[test]
fn rows_of_any_marks_are_rows() {
    let folder = TempDir::new().unwrap();
    let counted = |text: &str| count(folder.path(), text).0;
    assert_eq!(counted("/SOMA tub\n*****/*****\n*...*/*****\n*****/*****\n"), ["316"]);
    assert_eq!(counted("/SOMA corner\n1**/***/***\n11*/***/***\n***/***/***\n"), ["207"]);
    for mark in "xoOX*+?@#".chars() {
        for separator in ["/", " / ", "|"] {
            let row = vec![String::from(mark).repeat(3); 3].join(separator) + "\n";
            let cube = format!("/SOMA cube\n{}", row.repeat(3));
            assert_eq!(counted(&cube), ["11520"], "{cube}");
        }
    }
    // The second set is in letters.
    let two =
        "/SOMA9\n772/752/552\n762/451/411\n466/436/333\nPPL/PAL/AAL\nPBL/ZAV/ZVV\nZBB/ZTB/TTT\n";
    fs::write(folder.path().join("two.soma"), two).unwrap();
    let found = run(folder.path(), &["symmetry", "two.soma", "--csv"]);
    assert_eq!(column(&stdout(&found), "cells"), ["54"], "{}", stderr(&found));
}

#[test]
fn other_separators_are_a_fault_with_its_line() {
    let folder = TempDir::new().unwrap();
    let cube = "/SOMA1\n/111/111/111\n/111/111/111\n/111/111/111\n\n";
    for (separator, header) in [('\\', "SOMA2 b"), (':', "/SOMA2 b"), ('／', "SOMA2 b"), ('\\', "")]
    {
        let row = format!("{separator}111{separator}111{separator}111");
        let lost = format!("{cube}{header}\n{row}\n{row}\n");
        let (raw, said) = count(folder.path(), &lost);
        assert_eq!(raw, ["11520"], "{said}");
        let fault = format!("`{row}` has `{separator}` between its layers; write `/` instead");
        assert!(said.contains(&fault) && said.contains("standard input:7: "), "{lost}{said}");
        assert!(said.contains("entries: 2 read, 1 taken, 1 refused; 0 lines skipped\n"), "{said}");
    }
}

#[test]
fn each_line_of_a_figure_is_accounted_for() {
    let folder = TempDir::new().unwrap();
    let cube = "/111/111/111\n/111/111/111\n/111/111/111\n";
    for wrong in ["%%", "111", "(2)", "111.111.111", "/111 /111 /111", "1 1 1"] {
        for text in [format!("/SOMA1\n{wrong}\n{cube}"), format!("/SOMA1\n{cube}{wrong}\n")] {
            let (raw, said) = count(folder.path(), &text);
            assert_eq!(raw, [""; 0], "{text}{said}");
            assert!(
                ["group", "rows with slashes follow", &format!("`{wrong}`")]
                    .iter()
                    .any(|words| said.contains(words)),
                "{text}{said}"
            );
        }
    }
    // Words are a title below a header. Elsewhere they are prose, whose lines are counted.
    let text = format!("An old list\nof cubes\n\n/SOMA1\nThe first one\n{cube}That was it.\n---\n");
    let (raw, said) = count(folder.path(), &text);
    assert_eq!(raw, ["11520"], "{said}");
    assert_eq!(said, "entries: 1 read, 1 taken, 0 refused; 4 lines skipped\n");
    fs::write(folder.path().join("old.txt"), text + "\n/SOMA2\n/111\n").unwrap();
    let said = stderr(&run(folder.path(), &["import", "old.txt"]));
    let counts = "entries         2 read, 1 taken, 1 refused; 4 lines skipped\n";
    assert!(said.contains(counts), "{said}");
    fs::write(folder.path().join("p.toml"), "title = \"t\"\nimport = [\"old.txt\"]\n").unwrap();
    let said = stderr(&run(folder.path(), &["run", "p.toml", "--db", "p.db"]));
    assert!(said.contains(counts), "{said}");
}

#[test]
fn tables_of_heights_are_not_cut() {
    let folder = TempDir::new().unwrap();
    let counted = |text: &str| count(folder.path(), text).0;
    for text in ["67;77\n", "67 77 ; a tower\n", "# a tower\n67,77 # of SOMA\n"] {
        assert_eq!(counted(text), ["1520"], "{text}");
    }
    for separator in [";", ",", "\t", " ", "; ", ", "] {
        let row = ["3"; 3].join(separator) + "\n";
        assert_eq!(counted(&row.repeat(3)), ["11520"], "{row}");
    }
    for (text, words) in [
        ("67 ; 77\n", "`; 77` is in a comment, but may be heights"),
        ("10;12\n", "`10` may be a row or one height"),
        ("3;;3\n3;3;3\n", "a value is missing between two separators"),
        ("67;77\n67;77\n", "lines of rows follow each other"),
    ] {
        let (raw, said) = count(folder.path(), text);
        assert_eq!(raw, [""; 0], "{text}");
        assert!(said.contains(words), "{text}{said}");
    }
}

#[test]
fn cells_layers_and_lists_are_read_where_they_are_certain() {
    let folder = TempDir::new().unwrap();
    let list = cube(|cell| format!("{cell:?},"));
    let list = format!("[{}]", list.trim().trim_end_matches(','));
    let grid = |row: &str| format!("{row}\n{row}\n{row}\n\n").repeat(3);
    for text in [
        cube(|[x, y, z]| format!("{x},{y},{z}")),
        cube(|[x, y, z]| format!("{x} {y} {z}")),
        cube(|[x, y, z]| format!("{x}\t{y}\t{z}")),
        cube(|[x, y, z]| format!("{x};{y};{z}")),
        "x,y,z\n".to_owned() + &cube(|[x, y, z]| format!("{x},{y},{z}")),
        "x;y;z\n".to_owned() + &cube(|[x, y, z]| format!("{x};{y};{z}")),
        "x\ty\tz\n".to_owned() + &cube(|[x, y, z]| format!("{x}\t{y}\t{z}")),
        cube(|[x, y, z]| format!("({x}, {y}, {z})")),
        cube(|[x, y, z]| format!("{x}.0 {y}.0 {z}.0")),
        cube(|[x, y, z]| format!("v {x} {y} {z}")),
        list.clone(),
        list.replace("],", "],\n  "),
        list.replace("[[", "[(").replace("]]", ")]").replace("],", "),").replace("\n[", "\n("),
        format!("{{\"name\": \"cube\", \"cells\": {list}}}\n").replace('\n', " "),
        "[[[1,1,1],[1,1,1],[1,1,1]],[[1,1,1],[1,1,1],[1,1,1]],[[1,1,1],[1,1,1],[1,1,1]]]".into(),
        "[[3,3,3],[3,3,3],[3,3,3]]".into(),
        grid("###"),
        grid("xxx"),
        grid("111"),
        grid("1 1 1"),
        grid("# # #"),
        "241\n247\n277\n\n261\n541\n547\n\n663\n633\n553\n".into(),
    ] {
        let (raw, said) = count(folder.path(), &text);
        assert_eq!(raw, ["11520"], "{text}{said}");
    }
    let (raw, said) = count(folder.path(), &"111 111 111\n".repeat(3));
    assert_eq!(raw, [""; 0]);
    assert!(said.contains("(--format heightmap)") && said.contains("write `/` between"), "{said}");
    // Two readings, none with the size of a set.
    for (text, formats) in [
        ("11\n11\n\n11\n1.\n", ["heightmap", "layers"]),
        ("0,0,0\n1,0,0\n0,1,0\n", ["cells", "points"]),
    ] {
        let (raw, said) = count(folder.path(), text);
        assert_eq!(raw, [""; 0], "{text}");
        for format in formats {
            assert!(said.contains(&format!("(--format {format})")), "{text}{said}");
            let chosen =
                with_input(folder.path(), &["symmetry", "--format", format, "-"], text.as_bytes());
            assert_eq!(chosen.status.code(), Some(0), "{}", stderr(&chosen));
        }
    }
}

#[test]
fn a_file_that_is_one_figure_as_a_whole_is_pointed_out() {
    let folder = TempDir::new().unwrap();
    let cells = cube(|[x, y, z]| format!("{x},{y},{z}"));
    let three: String =
        cells.lines().collect::<Vec<_>>().chunks(3).map(|row| row.join(" ") + "\n").collect();
    fs::write(folder.path().join("rows.cells"), three).unwrap();
    let hint = "but the file as one figure has: 27 cells with --format points";
    for args in [["count", "rows.cells"], ["import", "rows.cells"]] {
        let said = stderr(&run(folder.path(), &args));
        let set = stderr(&run(folder.path(), &[&args[..], &["--set", "SOMA"]].concat()));
        assert!(said.contains(hint) && set.contains(hint), "{args:?} {said}");
    }
    let cured = run(folder.path(), &["count", "rows.cells", "--format", "points", "--csv"]);
    assert_eq!(column(&stdout(&cured), "raw"), ["11520"]);
}

/// What the program writes as JSON, it reads.
#[test]
fn json_is_read_and_written() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("c.soma"),
        "/SOMA-a\n;A cube\n/111/111/111\n/111/111/111\n/111/111/111\n\n/SOMA-b\n/67/77\n",
    )
    .unwrap();
    fs::write(
        folder.join("a.soma"),
        "/SOMA-a\n;A cube\n/111/111/111\n/111/111/111\n/111/111/111\n",
    )
    .unwrap();
    let imported = run(folder, &["import", "a.soma"]);
    assert_eq!(imported.status.code(), Some(0), "{}", stderr(&imported));
    let soma = stdout(&run(folder, &["export", "soma", "-"]));
    let exported = stdout(&run(folder, &["export", "json", "-"]));
    fs::write(folder.join("a.json"), exported).unwrap();
    run(folder, &["import", "a.json", "--db", "b.db"]);
    assert_eq!(stdout(&run(folder, &["export", "soma", "-", "--db", "b.db"])), soma);
    for args in [
        ["solve", "a.soma", "--first", "--json"],
        ["solve", "a.soma", "--first", "--jsonl"],
        ["query", "--name", "SOMA-a", "--json"],
        ["query", "--name", "SOMA-a", "--jsonl"],
    ] {
        let written = stdout(&run(folder, &args));
        let (raw, said) = count(folder, &written);
        assert_eq!(raw, ["11520"], "{args:?} {written} {said}");
    }
    // A line that is not JSON costs only itself.
    let (raw, said) =
        count(folder, "{\"cells\":[[0,0,0]]}\n{\"cells\":\n{\"name\":\"a\",\"x\":1}\n");
    assert_eq!(raw.len(), 1);
    assert!(said.contains("standard input:2: this is not valid JSON: "), "{said}");
    assert!(said.contains("standard input:3: a: this is not a figure; "), "{said}");
}

/// Dashes between layers are not a row of empty squares, unless dashes mark other empty squares too.
#[test]
fn a_line_of_dashes_is_not_a_row() {
    let folder = TempDir::new().unwrap();
    let read = |text: &str, format: &str| {
        let done = with_input(
            folder.path(),
            &["symmetry", "--csv", "--format", format, "-"],
            text.as_bytes(),
        );
        let cells = column(&stdout(&done), "cells").iter().map(ToString::to_string).collect();
        (cells, stderr(&done))
    };
    for (text, format) in [
        ("###\n#..\n---\n##.\n...\n", "layers"),
        ("##.\n\n---\n\n##.\n", "layers"),
        ("ooo\no..\n---\noo.\n...\n", "slices"),
    ] {
        let (cells, said): (Vec<String>, String) = read(text, format);
        assert_eq!(cells, [""; 0], "{text}{said}");
        assert!(said.contains(":3: `---` may be a row of empty squares"), "{text}{said}");
    }
    for (text, format) in [
        ("##-\n---\n##-\n", "layers"),
        ("##\n--\n\n##\n--\n", "layers"),
        ("/##-/##-\n/---/---\n", "soma"),
    ] {
        let (cells, said) = read(text, format);
        assert_eq!(cells, ["4"], "{text}{said}");
    }
}

/// Below a figure and a blank line, rows that lost a sign are not prose.
#[test]
fn a_line_like_a_row_below_a_figure_is_a_fault() {
    let folder = TempDir::new().unwrap();
    let cube = "/111/111/111\n".repeat(3);
    for line in
        ["111111111", "111 111 111", "11/111/111", "111", "1.1", "xxx/xxx/xxx", "1 1 1", "x/xx"]
    {
        for between in ["\n", "\n\n; a comment\n"] {
            let text = format!("/SOMA1\n{cube}{between}{line}\n");
            let (raw, said) = count(folder.path(), &text);
            assert_eq!(raw, ["11520"], "{text}{said}");
            let place = format!("standard input:{}: ", text.lines().count());
            assert!(said.contains(&place), "{text}{said}");
            assert!(said.contains("1 refused; 0 lines skipped"), "{text}{said}");
        }
    }
    for line in ["27.1.1999", "7", "---", "Figure 111/111", "The end.\n111", "P.S."] {
        let text = format!("/SOMA1\n{cube}\n{line}\n");
        let (raw, said) = count(folder.path(), &text);
        assert_eq!(raw, ["11520"], "{text}{said}");
        assert!(said.contains("1 taken, 0 refused"), "{text}{said}");
    }
}

/// What blanks and separators leave open is refused with its line, and never taken for another figure.
#[test]
fn unclear_squares_are_refused() {
    let folder = TempDir::new().unwrap();
    let blocks = |rows: &str| format!("{rows}\n").repeat(3);
    let missing = "a value is missing between two separators";
    let numbered =
        "as height maps (--format heightmap), or as cells with the number of their piece";
    let unequal = "the blanks before the row or between its squares are unequal";
    for (text, words) in [
        (blocks("1,1,1,,,,\n,,1,1,1,,\n,,,,1,1,1\n"), missing),
        (blocks("1,1,1, , , , \n , ,1,1,1, , \n , , , ,1,1,1\n"), missing),
        (blocks("1 1 1        \n    1 1 1    \n        1 1 1\n"), unequal),
        (blocks("1\t\t1\t1\n1\t1\t1\n1\t1\t1\n"), missing),
        (blocks("111  \n 111 \n  111\n"), unequal),
        ("/111/111/111;c\n".repeat(3), "write a blank before a remark"),
        ("/111/111/111#c\n".repeat(3), "write a blank before a remark"),
        ("/111／111／111\n".repeat(3), "has `／` between its layers"),
        ("/111,111,111\n".repeat(3), "has `,` between its layers"),
        ("/SOMA\n/11_/111\n/111/111\n".into(), "write `.` for an empty square"),
        ("67 #77\n".into(), "`#77` is in a comment, but may be heights"),
        ("111\n;\n111\n;\n111\n".into(), "this line is between two rows"),
        ("111\n---\n111\n---\n111\n".into(), "this line is between two rows"),
        ("ooooo  ooooo\nooooo  ooooo\nooooo  o.ooo\n".into(), "cannot detect the format: line 1"),
        ("111:111:111\n".repeat(3), "line 1"),
        ("{\"cells\":[[0,0,0]],\"heights\":[[1,2]]}\n".into(), "both `cells` and `heights`"),
        ("{\"cells\":[[0,0,0]],\"cells\":[[1,0,0]]}\n".into(), "the key `cells` twice"),
        ("{\"name\":5,\"cells\":[[0,0,0]]}\n".into(), "the name is not text"),
        (
            cube(|[x, y, z]| format!("{x},{y},{z}"))
                + "\n"
                + &cube(|[x, y, z]| format!("{x},{y},{z}")),
            "(--format heightmap) or as the cells of one figure (--format points)",
        ),
        ("n,x,y,z\n".to_owned() + &cube(|[x, y, z]| format!("1,{x},{y},{z}")), "has four values"),
        ("x;y;z;n\n".to_owned() + &cube(|[x, y, z]| format!("{x};{y};{z};1")), "has four values"),
        (cube(|[x, y, z]| format!("{},{x},{y},{z}", 1 + x)), numbered),
        (cube(|[x, y, z]| format!("{} {x} {y} {z}", 9 * x + 3 * y + z)), numbered),
        (cube(|[x, y, z]| format!("{x};{y};{z};{}", 1 + x)), numbered),
        (cube(|[x, y, z]| format!("{x},{y},{z},V")), numbered),
        (cube(|[x, y, z]| format!("({x},{y},{z})")) + "(1,,1,3)\n", missing),
        (cube(|[x, y, z]| format!("({x}\t{y}\t{z})")) + "1\t\t1\t3\n", missing),
        ("/11/111\n".into(), "group 2 is 3 marks wide, but group 1 is 2 wide"),
        ("/SOMA\n1 1    1 1 1\n".into(), "group 2 is 3 marks wide, but group 1 is 2 wide"),
        ("/###/#..\n|---|---|\n/##./...\n".into(), "`---/---` is not a row"),
        ("/###/#..\n---/---\n/##./...\n".into(), "`---/---` is not a row"),
        ("1 1\n1 1\n- -\n1 1\n".into(), "this line is between two rows"),
        ("{\"cells\":[[0,0,0]],\"signature\":\"s1-1x1x2-3\"}\n".into(), "has s1-1x1x1-1; keep one"),
        ("{\"heights\":[[1,2]],\"signature\":\"r1-1x1x2-3\"}\n".into(), "has r1-1x2x2-e; keep one"),
        (
            "{\"cells\":2,\"signature\":\"s1-1x1x1-1\"}\n".into(),
            "`cells` is 2, but the figure has 1",
        ),
        (
            "{\"cells\":[[0,0,0]],\"pieces\":[{\"piece\":\"V\",\"cells\":[[0,0,0],[1,0,0]]}]}\n"
                .into(),
            "the cells of `pieces` are another figure",
        ),
    ] {
        let (raw, said) = count(folder.path(), &text);
        assert_eq!(raw, [""; 0], "{text}{said}");
        assert!(said.contains(words) && said.contains("standard input:"), "{text}{said}");
    }
}
