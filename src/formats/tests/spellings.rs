//! Spellings of figures: the marks, separators, blanks, headers, line ends and encodings that people use. Each spelling
//! is read as the figure that was meant, or refused with a line or a format to choose. None is read as another figure.

use somacat_formats::{Item, ReadError, Reader};
use somacat_geometry::figure::{Equivalence, Figure};
use somacat_geometry::lattice::Cell;
use std::collections::BTreeMap;

/// Ten figures by their layers, top to bottom: `1` is a cell. Most fill SOMA.
const FIGURES: [(&str, &str); 10] = [
    ("cube", "111 111 111/111 111 111/111 111 111"),
    ("bathtub", "11111 1...1 11111/11111 11111 11111"),
    ("stairs", "111 111 ... .../111 111 111 .../111 111 111 111"),
    ("slab", "111 111 111 111 111 111 111 111 111"),
    ("wall", "111111111/111111111/111111111"),
    (
        "cross",
        "...1... ...1... 1111111 ...1... ...1.../...1... ...1... 1111111 ...1... ...1.../.1.1.1. ...1... .1...1. ....... .......",
    ),
    ("ell", "111 1.. .../111 1.. 1../111 111 111"),
    ("tee", "111 .1./111 .1."),
    ("double", "111111 111111 111111/111111 111111 111111/111111 111111 111111"),
    ("ring", "1111 1..1 1..1 1111/1111 1..1 1..1 1111"),
];

type Layers = Vec<Vec<Vec<bool>>>;

fn layers(text: &str) -> Layers {
    let row = |row: &str| row.chars().map(|mark| mark == '1').collect();
    text.split('/').map(|layer| layer.split(' ').map(row).collect()).collect()
}

fn cells(layers: &Layers) -> Vec<[usize; 3]> {
    let mut cells = Vec::new();
    for (z, layer) in layers.iter().enumerate() {
        for (y, row) in layer.iter().enumerate() {
            cells.extend((0..row.len()).filter(|&x| row[x]).map(|x| [x, y, z]));
        }
    }
    cells
}

fn figure(layers: &Layers) -> Figure {
    Figure::new(cells(layers).iter().map(|cell| Cell::from(cell.map(|v| v as i32)))).unwrap()
}

fn marked(row: &[bool], mark: char, empty: char) -> String {
    row.iter().map(|&cell| if cell { mark } else { empty }).collect()
}

/// SOMA text with these signs before, between and behind the layers.
fn soma(layers: &Layers, marks: [char; 2], signs: [&str; 3]) -> String {
    let rows = (0..layers[0].len()).map(|y| {
        let groups: Vec<String> =
            layers.iter().map(|layer| marked(&layer[y], marks[0], marks[1])).collect();
        format!("{}{}{}\n", signs[0], groups.join(signs[1]), signs[2])
    });
    rows.collect()
}

/// Layers side by side with blanks between the cells.
fn spaced(layers: &Layers, mark: char, gap: &str) -> String {
    let spread = |row: &[bool]| {
        let marks = row.iter().map(|&cell| if cell { mark } else { '.' }.to_string());
        marks.collect::<Vec<_>>().join(" ")
    };
    let rows = (0..layers[0].len()).map(|y| {
        let groups: Vec<String> = layers.iter().map(|layer| spread(&layer[y])).collect();
        groups.join(gap) + "\n"
    });
    rows.collect()
}

/// Layers below each other.
fn blocks(layers: &Layers, marks: [char; 2], between: &str) -> String {
    let block = |layer: &Vec<Vec<bool>>| {
        let row = |row: &Vec<bool>| {
            let marks: Vec<String> =
                marked(row, marks[0], marks[1]).chars().map(String::from).collect();
            marks.join(between) + "\n"
        };
        layer.iter().map(row).collect::<String>()
    };
    layers.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// A cell a line.
fn points(layers: &Layers, write: impl Fn([usize; 3]) -> String) -> String {
    cells(layers).into_iter().map(|cell| write(cell) + "\n").collect()
}

/// Heights, if the figure has no overhang.
fn heights(layers: &Layers, between: &str) -> Option<String> {
    let mut text = String::new();
    for y in 0..layers[0].len() {
        let mut row = Vec::new();
        for x in 0..layers[0][0].len() {
            let tower: Vec<bool> = layers.iter().map(|layer| layer[y][x]).collect();
            let height = tower.iter().filter(|&&cell| cell).count();
            if tower[..tower.len() - height].contains(&true) {
                return None;
            }
            row.push(height.to_string());
        }
        text += &(row.join(between) + "\n");
    }
    Some(text)
}

/// All spellings of a figure, each with what it varies.
fn spellings(name: &str, layers: &Layers) -> BTreeMap<String, Vec<u8>> {
    let mut all: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut add = |key: String, text: String| {
        assert!(all.insert(format!("{name} {key}"), text.into_bytes()).is_none(), "{key}");
    };
    soma_spellings(name, layers, &mut add);
    list_spellings(name, layers, &mut add);
    all
}

/// Adds rows with layers side by side.
fn soma_spellings(name: &str, layers: &Layers, add: &mut dyn FnMut(String, String)) {
    let plain = ["/", "/", ""];
    let headers = [
        format!("/SOMA {name}"),
        format!("/SOMA-{name}"),
        format!("|SOMA {name}"),
        "SOMA104".to_owned(),
        format!("\\SOMA {name}"),
        format!("/SOMA {name}\n;a comment"),
        format!("/SOMA {name}\nThe first of them"),
        String::new(),
        format!("; a file\n\n/SOMA {name}\n"),
    ];
    for header in &headers {
        for mark in ['1', '*', 'x', 'V', '#'] {
            let rows = soma(layers, [mark, '.'], plain);
            add(format!("{header:?} {mark}"), format!("{header}\n{rows}"));
            let bare = soma(layers, [mark, '-'], ["", "/", ""]);
            add(format!("{header:?} {mark} bare"), format!("{header}\n{bare}"));
        }
    }
    for mark in "o O X + ? @ 7 p".split(' ').flat_map(str::chars) {
        for signs in [plain, ["", "/", ""], ["", " / ", ""], ["|", "|", "|"]] {
            let rows = soma(layers, [mark, '.'], signs);
            add(format!("{mark} {signs:?}"), format!("/SOMA {name}\n{rows}\n"));
        }
    }
    let odd = [
        ["/", "/", "/"],
        ["/ ", " / ", " /"],
        ["", " | ", " "],
        ["/", "/ ", ""],
        ["", "/ ", ""],
        ["", " /", ""],
        ["/", " /", ""],
        ["\\", "\\", ""],
        [":", ":", ""],
        ["／", "／", ""],
        ["", "\\", ""],
        ["", ",", ""],
        ["", ";", ""],
        ["", "¦", ""],
        [" /", "/", "  "],
        ["/", "/", " (back)"],
        ["/", "/", "\t"],
    ];
    for signs in odd {
        for header in [format!("/SOMA {name}\n"), String::new()] {
            for mark in ['1', '*'] {
                let rows = soma(layers, [mark, '.'], signs);
                add(format!("{mark} {signs:?} {header}"), format!("{header}{rows}"));
            }
        }
    }
    for gap in ["    ", "\t", "   "] {
        for mark in ['1', '*', 'x', '#'] {
            let rows = spaced(layers, mark, gap);
            add(format!("spaced {mark} {gap:?}"), format!("/SOMA {name}\n{rows}"));
        }
    }
}

/// Adds layers below each other, lists of cells, and heights.
fn list_spellings(name: &str, layers: &Layers, add: &mut dyn FnMut(String, String)) {
    for marks in
        [['1', '0'], ['1', '.'], ['#', '.'], ['x', '.'], ['o', '.'], ['*', '-'], ['#', ' ']]
    {
        for between in ["", " ", ",", "\t"] {
            add(format!("blocks {marks:?} {between:?}"), blocks(layers, marks, between));
        }
    }
    for between in [",", ", ", " ", "\t", ";", "; "] {
        let line = |[x, y, z]: [usize; 3]| format!("{x}{between}{y}{between}{z}");
        add(format!("points {between:?}"), points(layers, line));
        add(format!("points ({between:?})"), points(layers, |cell| format!("({})", line(cell))));
        add(format!("points [{between:?}],"), points(layers, |cell| format!("[{}],", line(cell))));
        add(format!("points v{between:?}"), points(layers, |cell| format!("v {}", line(cell))));
    }
    add("decimals".into(), points(layers, |[x, y, z]| format!("{x}.0 {y}.0 {z}.0")));
    add("halves".into(), points(layers, |[x, y, z]| format!("{x}.5 {y}.5 {z}.5")));
    let list = cells(layers).iter().map(|cell| format!("{cell:?}")).collect::<Vec<_>>();
    add("json".into(), format!("[{}]", list.join(",")));
    add(
        "json lines".into(),
        format!("{{\"name\": \"{name}\", \"cells\": [{}]}}\n", list.join(",")),
    );
    add("json indented".into(), format!("[\n  {}\n]\n", list.join(",\n  ")));
    let numbers = format!("{layers:?}").replace("true", "1").replace("false", "0");
    add("json layers".into(), numbers);
    add("cells".into(), list.join(" ").replace(", ", ",").replace(['[', ']'], ""));
    for between in ["", " ", ",", ";", "\t", ", "] {
        if let Some(map) = heights(layers, between) {
            add(format!("heights {between:?}"), map.clone());
            add(format!("heights {between:?} #"), format!("# a map\n; of towers\n{map}"));
        }
    }
    if let Some(map) = heights(layers, "") {
        for between in [" ", ";", ",", "\t", " ; "] {
            add(format!("heights in a line {between:?}"), map.trim().replace('\n', between) + "\n");
        }
    }
}

/// Line ends and encodings.
fn encodings(text: &[u8]) -> Vec<Vec<u8>> {
    let lines =
        |end: &str| String::from_utf8(text.to_vec()).unwrap().replace('\n', end).into_bytes();
    let with = |before: &[u8], after: &[u8]| [before, text, after].concat();
    vec![
        text.to_vec(),
        lines("\r\n"),
        lines("\r"),
        with(b"\xEF\xBB\xBF", b""),
        with(b"", b"\n\n\x1a"),
        with(b"; \xE9t\xE9\n\n", b""),
    ]
}

/// The figures of a text, or `None` if anything is refused.
fn read(bytes: &[u8]) -> Result<Vec<Figure>, String> {
    let named = |error: ReadError| error.to_string();
    let mut figures = Vec::new();
    let mut faults = Vec::new();
    let reader = Reader::new(bytes, None).map_err(named)?;
    for item in reader {
        match item.map_err(named)? {
            Item::Entry(entry) => figures.push(entry.figure),
            Item::Fault(fault) => {
                assert!(fault.line > 0);
                faults.push(fault.to_string());
            }
        }
    }
    match faults.as_slice() {
        [] if figures.is_empty() => Err("no figure".to_owned()),
        [] => Ok(figures),
        _ => Err(faults.join("\n")),
    }
}

/// A refusal names a line, or the formats to choose from. A file without any figure is refused as a whole.
fn is_helpful(why: &str) -> bool {
    ["line ", "cannot detect the format: line ", "the file can be read as ", "no figure"]
        .iter()
        .any(|start| why.starts_with(start))
}

#[test]
fn each_spelling_is_read_right_or_refused() {
    let (mut right, mut refused, mut wrong) = (0, 0, Vec::new());
    for (name, text) in FIGURES {
        let layers = layers(text);
        // A row of heights on one line may be turned.
        let signature = |figure: &Figure| figure.canonical_up_to(Equivalence::Rotations).signature;
        let meant = signature(&figure(&layers));
        for (key, text) in spellings(name, &layers) {
            for (number, bytes) in encodings(&text).iter().enumerate() {
                match read(bytes) {
                    Ok(figures) if figures.len() == 1 && signature(&figures[0]) == meant => {
                        right += 1;
                    }
                    Ok(figures) => {
                        let sizes: Vec<usize> = figures.iter().map(Figure::len).collect();
                        let text = String::from_utf8_lossy(&text);
                        wrong.push(format!("{key} ({number}): {sizes:?}\n{text}"));
                    }
                    Err(why) if is_helpful(&why) => refused += 1,
                    Err(why) => wrong.push(format!("{key} ({number}): {why}")),
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong, {right} right, {refused} refused:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(right > 3 * refused, "{right} right, {refused} refused");
}
