//! Random files of figures: written figures are read back, and nothing panics.

use proptest::prelude::*;
use somacat_formats::{
    Assessment, Entry, Fault, Format, Item, Reader, WriteError, assess, cells_line, choose_set,
    json_line, piece_marks, soma_figure, soma_packing,
};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, MAX_COORDINATE};

fn read(bytes: &[u8], format: Format) -> (Vec<Entry>, Vec<Fault>) {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for item in Reader::new(bytes, Some(format)).unwrap() {
        match item.unwrap() {
            Item::Entry(entry) => entries.push(entry),
            Item::Fault(fault) => faults.push(fault),
        }
    }
    (entries, faults)
}

fn figures(reach: i32) -> impl Strategy<Value = Figure> {
    prop::collection::btree_set((0..=reach, 0..=reach, 0..=reach), 1..60)
        .prop_map(|set| Figure::new(set.into_iter().map(|(x, y, z)| Cell::new(x, y, z))).unwrap())
}

proptest! {
    #[test]
    fn cells_round_trip(
        near in figures(4),
        far in figures(MAX_COORDINATE - 1),
        name in proptest::option::of("[A-Za-z0-9/:.][A-Za-z0-9 #/:.]{0,9}"),
    ) {
        for figure in [near, far] {
            let Ok(line) = cells_line(name.as_deref(), &figure) else {
                prop_assert!(name.as_ref().is_some_and(|n| n.contains(" #")));
                return Ok(());
            };
            let (entries, faults) = read(line.as_bytes(), Format::Cells);
            prop_assert_eq!(faults, vec![]);
            prop_assert_eq!(&entries[0].figure, &figure);
            prop_assert_eq!(entries[0].name.as_deref(), name.as_deref().map(str::trim));
        }
    }

    #[test]
    fn soma_text_round_trips(
        list in prop::collection::vec((figures(5), proptest::option::of("(SOMA)?[A-Za-z0-9/: #;+-]{1,9}")), 1..4),
    ) {
        let mut text = String::new();
        for (figure, name) in &list {
            text += &soma_figure(name.as_deref(), Some("title"), figure).unwrap();
        }
        let (entries, faults) = read(text.as_bytes(), Format::Soma);
        prop_assert_eq!(faults, vec![]);
        prop_assert_eq!(entries.len(), list.len());
        for (entry, (figure, name)) in entries.iter().zip(&list) {
            prop_assert_eq!(&entry.figure, figure);
            let name = name.as_deref().map(str::trim).filter(|name| !name.is_empty());
            prop_assert_eq!(entry.name.as_deref(), name);
            prop_assert_eq!(entry.title.as_deref(), Some("title"));
        }
    }

    #[test]
    fn slices_round_trip(figure in figures(4), empty in "[. ]", indent in 0_usize..3) {
        let [width, height, layers] = figure.extents().map(|e| e as i32);
        let mut text = String::new();
        for z in 0..layers {
            for y in 0..height {
                let sign = |x| if figure.cells().contains(&Cell::new(x, y, z)) { "o" } else { &empty };
                let row: String = (0..width).map(sign).collect();
                // A row of blanks would end its slice.
                prop_assume!(!row.trim().is_empty());
                text += &format!("{}{row}\n", " ".repeat(indent));
            }
            text += "\n";
        }
        let (entries, faults) = read(text.as_bytes(), Format::Slices);
        prop_assert_eq!(faults, vec![]);
        prop_assert_eq!(&entries[0].figure, &figure);
    }

    #[test]
    fn marks_round_trip(marks in prop::collection::vec(0_usize..9, 60)) {
        let mut by_mark = vec![Vec::new(); 8];
        for (at, mark) in marks.iter().enumerate() {
            if let Some(cells) = by_mark.get_mut(*mark) {
                let at = at as i32;
                cells.push(Cell::new(at % 5 - 3, at / 5 % 4, at / 20));
            }
        }
        let marks: Vec<(char, Vec<Cell>)> =
            "1234567V".chars().zip(by_mark).filter(|(_, cells)| !cells.is_empty()).collect();
        prop_assume!(marks.len() > 1);
        let (entries, faults) = read(soma_packing(None, None, &marks).unwrap().as_bytes(), Format::Soma);
        prop_assert_eq!(faults, vec![]);
        let counts = |marks: &[(char, Vec<Cell>)]| -> Vec<(char, usize)> {
            marks.iter().map(|(mark, cells)| (*mark, cells.len())).collect()
        };
        let read = entries[0].claim.clone().unwrap();
        prop_assert_eq!(counts(&read), counts(&marks));
        prop_assert_eq!(soma_packing(None, None, &read), soma_packing(None, None, &marks));
    }

    #[test]
    fn nothing_panics_and_every_figure_is_its_cells(
        text in "([/|]?[0-7.\\-]{0,4}[/| ;<>&SOMA\\n\\r]{0,3}){0,40}",
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        for input in [text.as_bytes(), &bytes] {
            for format in [Format::Soma, Format::Cells, Format::HeightMap, Format::Slices] {
                for item in Reader::new(input, Some(format)).unwrap().flatten() {
                    if let Item::Entry(entry) = item {
                        if let Some(marks) = &entry.claim {
                            let all = marks.iter().flat_map(|(_, cells)| cells.iter().copied());
                            prop_assert_eq!(&Figure::new(all).unwrap(), &entry.figure);
                        }
                        if let Ok(set) = choose_set(&entry) {
                            let taken = matches!(assess(&entry, &set), Assessment::Sound { .. });
                            prop_assert_eq!(taken, entry.figure.len() == set.total_cells());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn more_touching_pieces_than_marks_are_refused() {
    let bar = |x: i32| ('#', vec![Cell::new(x, 0, 0)]);
    assert_eq!(piece_marks(&[bar(0), bar(1)]), Err(WriteError::Marks('#')));
    assert!(piece_marks(&[bar(0), bar(2)]).is_ok());
    // In two parts, a piece cannot be distinguished from its neighbors even if they do not touch.
    let apart = |x: i32| ('#', vec![Cell::new(x, 0, 0), Cell::new(x + 9, 0, 0)]);
    assert_eq!(piece_marks(&[apart(0), apart(2)]), Err(WriteError::Marks('#')));
}

/// Returns all sets of cells of a 2×2×3 box, of any number of parts.
fn sets_of_cells() -> impl Iterator<Item = Figure> {
    (1_u32..1 << 12).map(|mask| {
        let own = (0..12).filter(|n| mask >> n & 1 == 1);
        Figure::new(own.map(|n| Cell::new(n % 2, n / 2 % 2, n / 4))).unwrap()
    })
}

/// What each writer writes is read as the same figure: with the format given, and found from the text.
#[test]
fn every_small_figure_is_read_back_from_every_format() {
    for figure in sets_of_cells() {
        let list = |between: &str, with: &dyn Fn(&Cell) -> String| {
            figure.cells().iter().map(with).collect::<Vec<_>>().join(between)
        };
        let points = list("\n", &|cell| format!("{} {} {}", cell.x, cell.y, cell.z));
        for (text, format) in [
            (cells_line(Some("name"), &figure).unwrap(), Format::Cells),
            (json_line(Some("name"), [Some("title"), None, None], &figure, &[]), Format::Json),
            (soma_figure(Some("name"), Some("title"), &figure).unwrap(), Format::Soma),
            (points, Format::Points),
        ] {
            for asked in [Some(format), None] {
                let reader = Reader::new(text.as_bytes(), asked);
                // A few numbers may be a list of cells or of heights.
                let Ok(reader) = reader else {
                    assert!(asked.is_none() && format == Format::Points, "{text}");
                    continue;
                };
                if reader.format() != format {
                    assert!(format == Format::Points, "{text}");
                    continue;
                }
                let items: Vec<Item> = reader.collect::<Result<_, _>>().unwrap();
                let [Item::Entry(entry)] = items.as_slice() else { panic!("{text}: {items:?}") };
                assert_eq!(entry.figure, figure, "{text}");
            }
        }
    }
}

/// Replaces each character of texts of three figures. A reader names the line of each fault, and reads what the damage
/// does not reach.
#[test]
fn faults_stay_in_their_figure() {
    let (mut faults, mut spared) = (0, 0);
    for (format, three) in [
        (Format::Cells, "a: 0,0,0 1,0,0\nb: 0,0,0 0,1,0\nc: 0,0,0 0,0,1 0,0,2\n"),
        (Format::Soma, "/SOMA1\n/11\n/1.\n\n/SOMA2\n/22/22\n\n/SOMA3\n/333/..3\n"),
        (Format::HeightMap, "a: 21 10\n\nb: 33 11\n\nc: 111\n"),
        (
            Format::Json,
            "{\"cells\":[[0,0,0]]}\n{\"cells\":[[0,0,0],[0,1,0]]}\n{\"cells\":[[0,0,0],[0,0,1]]}\n",
        ),
    ] {
        let whole = read(three.as_bytes(), format);
        assert_eq!((whole.0.len(), whole.1.len()), (3, 0), "{three}");
        for at in 0..three.len() {
            for other in ["0", "7", "x", "_", ":", ",", " ", "]", "\u{e4}", ""] {
                let mut changed = three.to_owned();
                changed.replace_range(at..=at, other);
                let (entries, found) = read(changed.as_bytes(), format);
                let lines = changed.lines().count();
                assert!(found.iter().all(|fault| (1..=lines).contains(&fault.line)), "{changed}");
                faults += found.len();
                spared += usize::from(!found.is_empty() && !entries.is_empty());
            }
        }
    }
    assert!(faults > 300 && spared > 200, "{faults} {spared}");
}
