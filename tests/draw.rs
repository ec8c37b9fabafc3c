//! Pictures: hidden cells, well-formed and self-contained files, and golden files.
//!
//! Golden files are in `tests/golden`. After an intended and reviewed change, run `SOMACAT_REWRITE_GOLDEN=1 cargo
//! test draw::`.

use crate::support::figures::{box_cells, grow, subset};
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use somacat_formats::{Item, Reader, check_packing, choose_set};
use somacat_geometry::figure::{Figure, Signature};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_output::dossier::in_usual_position;
use somacat_output::draw::{
    Corner, Picture, Plans, Scene, TerminalColors, View, ViewKind, figure_svg, packing_svg,
    terminal, visible_cells,
};
use std::collections::BTreeSet;
use std::path::Path;

const CUBE: &str = "/SOMA cube\n/772/752/552\n/762/451/411\n/466/436/333\n";
const DOUBLE: &str = "/SOMA double\n/..PP/.3P6/1356/1355\n/.TPL/4.66/43BB/17B5\n\
                      /VTAL/VTAA/47.B/477.\n/VTLL/22ZA/2ZZ./2Z..\n";

/// Returns a scene with the pieces of a SOMA text.
fn packed(text: &str) -> Scene {
    let mut reader = Reader::new(text.as_bytes(), None).unwrap();
    let Some(Ok(Item::Entry(entry))) = reader.next() else { panic!("{text} is not a figure") };
    let solved = check_packing(&entry, &choose_set(&entry).unwrap()).unwrap();
    Scene::of_packing(&entry.figure, &solved.pieces).unwrap()
}

fn plain(cells: &[[i32; 3]]) -> Scene {
    Scene::of_figure(&Figure::new(cells.iter().map(|&c| Cell::from(c))).unwrap())
}

fn tower() -> Scene {
    let cells = box_cells([2, 2, 7]).into_iter().filter(|&c| c != Cell::new(1, 1, 0));
    Scene::of_figure(&Figure::new(cells).unwrap())
}

fn two_parts() -> Scene {
    plain(&[[0, 0, 0], [1, 0, 0], [1, 0, 1], [2, 3, 0], [2, 3, 9]])
}

/// Compares with the file, or rewrites it on request.
fn golden(name: &str, content: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("SOMACAT_REWRITE_GOLDEN").is_some() {
        std::fs::write(&path, content).unwrap();
    }
    let kept = std::fs::read(&path).unwrap_or_default();
    assert!(
        kept == content,
        "{name} is drawn differently; look at it, then see the head of this file"
    );
}

/// Marks on cells are not announced as pieces.
#[test]
fn descriptions_count_marked_and_hidden_cells() {
    let cells = box_cells([2, 2, 2]).into_iter().filter(|&c| c != Cell::new(0, 1, 0));
    let figure = Figure::new(cells).unwrap();
    let picture =
        |weights: &[i64]| Picture::new(&Scene::of_weights(&figure, weights), &View::default());
    let marked = picture(&[2, 0, 0, 2, 0, 0, 1]);
    assert!(marked.svg.contains("<desc>7 cells, 1 marked 1, 2 marked 2."), "{}", marked.svg);
    let whole = Figure::new(box_cells([2, 2, 2])).unwrap();
    let caption = Picture::new(&Scene::of_figure(&whole), &View::default()).caption;
    assert!(caption.starts_with("1 of 8 cells is hidden from this corner."), "{caption}");
}

#[test]
fn pictures_look_as_they_did() {
    let below = Corner { right: false, front: false, above: false };
    let view = |kind, corner, title: &str| View {
        kind,
        corner: Some(corner),
        title: title.into(),
        ..View::default()
    };
    let usual = Corner::default();
    let pictures = [
        ("cube.svg", packed(CUBE), view(ViewKind::Solid, usual, "cube")),
        ("cube-exploded.svg", packed(CUBE), view(ViewKind::Exploded, usual, "cube")),
        ("cube-layers.svg", packed(CUBE), view(ViewKind::Layers, usual, "cube")),
        ("double-set.svg", packed(DOUBLE), view(ViewKind::Solid, usual, "double")),
        ("tower.svg", tower(), view(ViewKind::Solid, usual, "tower")),
        ("tower-below.svg", tower(), view(ViewKind::Solid, below, "tower")),
        ("parts.svg", two_parts(), view(ViewKind::Solid, usual, "two parts")),
        ("one.svg", plain(&[[0, 0, 0]]), view(ViewKind::Solid, usual, "one cell")),
    ];
    for (name, scene, view) in pictures {
        golden(name, Picture::new(&scene, &view).svg.as_bytes());
    }
    let (signs, _) = terminal(&tower(), usual, [80, 24], TerminalColors::Plain).unwrap();
    golden("tower.txt", signs.as_bytes());
    let (colored, _) = terminal(&packed(CUBE), usual, [80, 24], TerminalColors::Ansi256).unwrap();
    golden("cube.ansi", colored.as_bytes());
}

/// Published figures are drawn in their published position. Their canonical form has another orientation.
#[test]
fn published_figures_are_drawn_as_they_were_published() {
    let folder = tempfile::TempDir::new().unwrap();
    let figures = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/figures");
    let ok = |args: &[&str]| {
        let done = run(folder.path(), args);
        assert!(done.status.success(), "{args:?}: {}", stderr(&done));
        stdout(&done)
    };
    ok(&["import", "-q", "--no-count", figures.to_str().unwrap()]);
    for (name, extents) in
        [("SOMA-sofa", [9, 2, 2]), ("SOMA-lion", [5, 3, 4]), ("SOMA-double-003", [7, 7, 2])]
    {
        let picture = ok(&["show", name, "--svg", "-"]);
        golden(&format!("published-{}.svg", &name["SOMA-".len()..]), picture.as_bytes());
        let facts: serde_json::Value =
            serde_json::from_str(&ok(&["show", name, "--json"])).unwrap();
        assert_eq!(facts[0]["box"], serde_json::json!(extents), "{name}");
        let signature: Signature = facts[0]["signature"].as_str().unwrap().parse().unwrap();
        let canonical = signature.figure().unwrap();
        assert_ne!(canonical.extents(), extents, "{name} is not an example");
        let view = View { title: name.to_owned(), ..View::default() };
        assert_ne!(figure_svg(&canonical, &view), picture);
    }
}

/// Finds hidden cells by another method: from the middle of each half of each visible face, walk to the viewer and
/// look for a cell in the way.
///
/// Coordinates are in sixths.
fn hidden_by_walking(figure: &Figure, corner: Corner) -> usize {
    let sign = |positive: bool| if positive { 1 } else { -1 };
    let to_viewer = [sign(corner.right), sign(corner.front), -sign(corner.above)];
    let cells = figure.cells();
    let farthest = 6 * figure.extents().into_iter().max().unwrap() as i32 + 6;
    let free = |start: [i32; 3]| {
        (0..farthest).step_by(2).all(|step| {
            let at: [i32; 3] = std::array::from_fn(|k| start[k] + to_viewer[k] * (step + 1));
            !cells.contains(&Cell::from(at.map(|v| v.div_euclid(6))))
        })
    };
    let seen = |cell: &&Cell| {
        let near: [i32; 3] = std::array::from_fn(|k| cell.to_array()[k] + (to_viewer[k] + 1) / 2);
        (0..3).any(|axis| {
            let others = [(axis + 1) % 3, (axis + 2) % 3];
            // A half contains the nearest and the farthest corner of the face and one other corner.
            others.iter().any(|&third| {
                let mut sum = near.map(|v| 3 * v);
                for &other in &others {
                    sum[other] -= to_viewer[other];
                }
                sum[third] -= to_viewer[third];
                free(sum.map(|v| 2 * v))
            })
        })
    };
    cells.len() - cells.iter().filter(seen).count()
}

#[test]
fn hidden_cells_are_those_that_walking_to_the_viewer_finds() {
    let mut random = Random::new(5);
    let mut hidden = 0;
    for size in (1..40).step_by(2) {
        let figures = [grow(size, None, &mut random), subset(size, [3, 4, 4], &mut random)];
        for figure in figures {
            let scene = Scene::of_figure(&figure);
            for corner in Corner::iter() {
                let view = View { corner: Some(corner), ..View::default() };
                let picture = Picture::new(&scene, &view);
                assert_eq!(
                    picture.hidden,
                    hidden_by_walking(&figure, corner),
                    "{figure:?} {corner}"
                );
                hidden += picture.hidden;
                if corner.above {
                    let seen = visible_cells(figure.cells(), corner);
                    assert_eq!(seen, size - picture.hidden, "{figure:?} {corner}");
                }
                // The caption mentions the hidden cells, and plans show them.
                assert_eq!(picture.caption.contains("hidden"), picture.hidden > 0);
                let bare = Picture::new(&scene, &View { plans: Plans::Never, ..view });
                assert_eq!(bare.caption.contains("hidden"), picture.hidden > 0);
                assert!(picture.hidden == 0 || picture.svg.len() > bare.svg.len());
            }
        }
    }
    assert!(hidden > 1000, "the figures hide too little to test anything: {hidden}");
}

/// A figure without a published position shows the most cells. No turn about the upright axis, which keeps its
/// stability, shows more.
#[test]
fn figures_are_placed_so_that_most_cells_are_seen() {
    let mut random = Random::new(23);
    let upright: Vec<Transform> = Transform::iter()
        .filter(|t| t.is_rotation() && t.apply(Cell::new(0, 0, 1)) == Cell::new(0, 0, 1))
        .collect();
    assert_eq!(upright.len(), 4);
    let visible = |figure: &Figure| visible_cells(figure.cells(), Corner::default());
    let (mut differ, mut better) = (0, 0);
    for _ in 0..100 {
        let figure = grow(27, None, &mut random);
        let placed = in_usual_position(&figure, &[]);
        let seen: Vec<usize> = upright.iter().map(|&t| visible(&placed.transformed(t))).collect();
        assert_eq!(seen.iter().max(), Some(&visible(&placed)), "{placed:?}");
        // As stable as before: turned about the upright axis only.
        let resting = figure.transformed(figure.to_resting_position());
        assert!(upright.iter().any(|&t| resting.transformed(t) == placed));
        better += usize::from(visible(&resting) < visible(&placed));
        differ += usize::from(seen.iter().min() != seen.iter().max());
    }
    assert!(differ > 50 && better > 10, "{differ} figures differ, {better} are turned");
}

/// Pictures are seen from the upper corner that shows the most cells. The usual corner is preferred if it shows as
/// many. This applies to a figure and to its packings.
#[test]
fn pictures_are_seen_from_the_upper_corner_that_shows_the_most_cells() {
    let mut random = Random::new(29);
    let mut other = 0;
    for _ in 0..100 {
        let figure = grow(27, None, &mut random);
        let scene = Scene::of_figure(&figure);
        let shown = figure.len() - Picture::new(&scene, &View::default()).hidden;
        let chosen = scene.corner(None);
        // Another test compares these numbers with pictures.
        let visible = |at: &Corner| visible_cells(figure.cells(), *at);
        assert_eq!(Corner::upper().map(|at| visible(&at)).max(), Some(shown), "{figure:?}");
        assert_eq!(Corner::upper().find(|at| visible(at) == shown), Some(chosen));
        let all = vec![('A', figure.cells().to_vec())];
        assert_eq!(Scene::of_packing(&figure, &all).unwrap().corner(None), chosen);
        other += usize::from(chosen != Corner::default());
    }
    assert!(other > 30, "only {other} figures are seen from another corner");
}

/// Cells hidden by a wall are seen from behind: on the screen, in files, on pages and in newsletters. The figure itself
/// stays as published.
#[test]
fn a_published_figure_keeps_its_position_and_is_seen_from_the_best_corner() {
    let folder = tempfile::TempDir::new().unwrap();
    let folder = folder.path();
    let low = "/.../.../.../.../.../111\n";
    let wall = "/111/111/111/111/111/111\n";
    std::fs::write(folder.join("wall.soma"), format!("/SOMA wall\n{low}{low}{low}{wall}")).unwrap();
    let told = |args: &[&str]| {
        let done = run(folder, args);
        assert!(done.status.success(), "{}", stderr(&done));
        stdout(&done)
    };
    told(&["import", "wall.soma"]);
    let view = "Seen from the right, behind and above.";
    let shown = told(&["show", "wall"]);
    assert!(shown.contains(view) && shown.contains(&format!("{low}{wall}")), "{shown}");
    assert!(told(&["show", "wall", "--svg", "-"]).contains("Seen from right-back-top."));
    assert!(
        !told(&["show", "wall", "--svg", "-", "--corner", "right-front-top"]).contains("Seen from")
    );
    told(&["export", "gallery", "site"]);
    told(&["export", "newsletter", "paper"]);
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let page = std::fs::read_dir(folder.join("site/figures")).unwrap().next().unwrap().unwrap();
    let page = std::fs::read_to_string(page.path()).unwrap();
    assert!(page.contains("The picture is seen from the right, behind and above."), "{page}");
    // The sheet turns plans and layers to the viewer; the text beside the other form stays as published.
    assert!(!read("paper/newsletter.html").contains(view));
    assert!(read("paper/newsletter.md").contains(view));
}

/// An animation shows one stage at any time. Each has a piece more than the one before; programs without animations
/// show the last.
#[test]
fn a_figure_is_built_piece_by_piece() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("cube.soma"), CUBE).unwrap();
    let done = run(folder.path(), &["show", "cube.soma", "--svg", "-", "--kind", "building"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let svg = stdout(&done);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let text =
        |tag: &str| document.descendants().find(|n| n.has_tag_name(tag)).and_then(|n| n.text());
    let order = text("desc").unwrap().split("Built in the order ").nth(1).unwrap();
    let order = order.trim_end_matches('.').split(' ').collect::<Vec<_>>();
    let mut letters = order.clone();
    letters.sort_unstable();
    assert_eq!(letters, ["A", "B", "L", "P", "T", "V", "Z"]);
    let stages: Vec<_> = document.descendants().filter(|node| node.has_tag_name("g")).collect();
    let colors = |stage: &roxmltree::Node<'_, '_>| -> BTreeSet<String> {
        let fills = stage.children().filter_map(|path| path.attribute("fill"));
        fills.filter(|fill| *fill != "none").map(str::to_owned).collect()
    };
    assert_eq!(stages.len(), 7);
    for pair in stages.windows(2) {
        assert!(!colors(&pair[1]).is_subset(&colors(&pair[0])), "no new piece");
    }
    let still: Vec<bool> = stages.iter().map(|g| g.attribute("visibility").is_none()).collect();
    assert_eq!(still, [false, false, false, false, false, false, true]);

    // The style: a cycle, and the share of it in which a stage is visible.
    let style = text("style").unwrap();
    let after = |from: &str, to: &str| -> f64 {
        let rest = style.split(from).nth(1).unwrap();
        rest.split(to).next().unwrap().parse().unwrap()
    };
    let cycle = after("animation:stage ", "s");
    let delay = |g: &roxmltree::Node<'_, '_>| -> f64 {
        let value = g.attribute("style").unwrap().trim_start_matches("animation-delay:");
        value.trim_end_matches('s').parse().unwrap()
    };
    let shares = ["stage", "complete"]
        .map(|name| after(&format!("@keyframes {name}{{0%{{visibility:visible}}"), "%") / 100.0);
    let mut shown = Vec::new();
    for step in 0..(cycle * 10.0) as usize {
        let now = step as f64 / 10.0 + 0.05;
        let visible = |(at, g): (usize, &roxmltree::Node<'_, '_>)| {
            let share = shares[usize::from(at == 6)];
            ((now - delay(g)).rem_euclid(cycle) / cycle < share).then_some(at)
        };
        let visible: Vec<usize> = stages.iter().enumerate().filter_map(visible).collect();
        assert_eq!(visible.len(), 1, "at {now}");
        shown.extend(visible);
    }
    shown.dedup();
    assert_eq!(shown, [0, 1, 2, 3, 4, 5, 6]);

    let refused = run(
        folder.path(),
        &["show", "cube.soma", "--set", "bedlam", "--svg", "x.svg", "--kind", "building"],
    );
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("no solution to draw"), "{}", stderr(&refused));
}

/// Returns all numbers of a path.
fn numbers(path: &str) -> Vec<f64> {
    let numbers = path.split(['M', 'L', 'Z', ' ']).filter(|word| !word.is_empty());
    numbers.map(|word| word.parse().unwrap()).collect()
}

#[test]
fn pictures_are_whole_and_self_contained() {
    let mut random = Random::new(9);
    let far = plain(&[[0, 0, 0], [1_000_000_000, 0, 0], [0, 500, 7]]);
    let scenes = [
        (plain(&[[0, 0, 0]]), 1),
        (far, 3),
        (packed(CUBE), 27),
        (packed(DOUBLE), 54),
        (Scene::of_figure(&grow(128, None, &mut random)), 128),
        (Scene::of_figure(&grow(1024, None, &mut random)), 1024),
        (Scene::of_figure(&subset(300, [90, 90, 90], &mut random)), 300),
    ];
    for ((scene, cells), corner) in scenes.iter().zip(Corner::iter()) {
        for kind in [ViewKind::Solid, ViewKind::Exploded, ViewKind::Layers] {
            let title = "a <b> & \"c\" \u{1}".to_owned();
            let picture =
                Picture::new(scene, &View { corner: Some(corner), kind, title, ..View::default() });
            let document = roxmltree::Document::parse(&picture.svg).unwrap();
            let root = document.root_element();
            let text = |tag: &str| {
                let found = root.children().find(|child| child.has_tag_name(tag));
                found.and_then(|child| child.text()).unwrap_or_default().to_owned()
            };
            assert_eq!(text("title"), "a <b> & \"c\"  ");
            let counted = format!("{cells} cell");
            assert!(text("desc").starts_with(&counted), "{}", text("desc"));
            assert!(text("desc").ends_with(&picture.caption));
            assert!(picture.width.max(picture.height) <= 1600.5);
            let view_box = numbers(root.attribute("viewBox").unwrap());
            for node in root.descendants().filter(roxmltree::Node::is_element) {
                let name = node.tag_name().name();
                assert!(["svg", "title", "desc", "path"].contains(&name), "<{name}>");
                for attribute in node.attributes() {
                    let value = attribute.value();
                    assert!(!value.contains("url(") && !attribute.name().contains("href"));
                }
                let path = numbers(node.attribute("d").unwrap_or_default());
                for spot in path.chunks(2) {
                    assert!((0.0..=view_box[2]).contains(&spot[0]), "{spot:?} {view_box:?}");
                    assert!((0.0..=view_box[3]).contains(&spot[1]), "{spot:?} {view_box:?}");
                }
            }
        }
    }
}

#[test]
fn equal_pieces_are_told_apart_and_mistakes_refused() {
    let bar = Figure::new((0..4).map(|x| Cell::new(x, 0, 0))).unwrap();
    let cells = |x: [i32; 2]| x.map(|x| Cell::new(x, 0, 0)).to_vec();
    let outlines = |packing: &[(char, Vec<Cell>)]| {
        let scene = Scene::of_packing(&bar, packing).unwrap();
        let svg = Picture::new(&scene, &View::default()).svg;
        let outline = svg.lines().find(|line| line.contains("stroke-width=\"2.24\"")).unwrap();
        outline.matches('M').count()
    };
    let whole = vec![('D', cells([0, 1])), ('D', cells([2, 3]))];
    // Around the outline, and between the two also along the line over the top and down the front.
    assert_eq!(outlines(&whole), outlines(&[]) + 2);
    let outside = [('D', vec![Cell::new(9, 0, 0)])];
    assert!(Scene::of_packing(&bar, &outside).is_err());
    let twice = [('D', cells([0, 1])), ('D', cells([1, 2]))];
    assert!(Scene::of_packing(&bar, &twice).is_err());
}

#[test]
fn dot_paper_is_a_triangular_grid_within_the_page() {
    let folder = tempfile::TempDir::new().unwrap();
    for (paper, [width, height], edge) in
        [("a4", [210.0, 297.0], "8"), ("letter", [215.9, 279.4], "10")]
    {
        let done =
            run(folder.path(), &["export", "dot-paper", "-", "--paper", paper, "--edge", edge]);
        assert!(done.status.success(), "{}", stderr(&done));
        let svg = stdout(&done);
        assert!(svg.contains(&format!("width=\"{width}mm\" height=\"{height}mm\"")));
        let path = svg.split(" d=\"M").nth(1).unwrap().split('"').next().unwrap();
        let dots: Vec<[f64; 2]> = path
            .split('M')
            .map(|dot| {
                let (x, y) = dot.trim_end_matches("h0").split_once(' ').unwrap();
                [x.parse().unwrap(), y.parse().unwrap()]
            })
            .collect();
        assert!(dots.len() > 500, "{}", dots.len());
        let edge: f64 = edge.parse().unwrap();
        // The nearest dots of a dot in the middle are six, all at the same distance.
        let middle = [width / 2.0, height / 2.0];
        let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let dot =
            *dots.iter().min_by(|a, b| far(**a, middle).total_cmp(&far(**b, middle))).unwrap();
        let mut distances: Vec<f64> = dots.iter().map(|&other| far(dot, other)).collect();
        distances.sort_by(f64::total_cmp);
        assert!(distances[1..7].iter().all(|d| (d - edge).abs() < 0.02), "{:?}", &distances[..8]);
        assert!(distances[7] > 1.7 * edge);
        assert!(
            dots.iter()
                .all(|[x, y]| (9.9..=width - 9.9).contains(x) && (9.9..=height - 9.9).contains(y))
        );
    }
}

#[test]
fn a_png_has_the_size_asked_for_and_shows_the_pieces_colors() {
    let view = View { size: Some(300), ..View::default() };
    let picture = Picture::new(&packed(CUBE), &view);
    let png = picture.png().unwrap();
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&png).unwrap();
    assert_eq!(pixels.width().max(pixels.height()), 300);
    let has = |color: [u8; 3]| {
        pixels.pixels().iter().any(|p| p.alpha() == 255 && [p.red(), p.green(), p.blue()] == color)
    };
    // Z, T and B are in front, where faces have the pure colors.
    for color in [[0xD5, 0x5E, 0x00], [0x56, 0xB4, 0xE9], [0x00, 0x72, 0xB2]] {
        assert!(has(color), "{color:x?}");
    }
    assert_eq!(pixels.pixel(0, 0).unwrap().alpha(), 0);
}

/// Returns the heights of the numbers in a picture, in millimeters. The picture fills a space on paper.
fn heights_of_numbers(picture: &Picture, [across, down]: [f64; 2]) -> Vec<f64> {
    let scale = (across / picture.width).min(down / picture.height);
    let ink = picture.svg.lines().find(|line| line.contains("stroke=\"#767676\"")).unwrap();
    let path = ink.split(" d=\"").nth(1).unwrap().split('"').next().unwrap();
    let extent = |stroke: &str| {
        let heights: Vec<f64> = numbers(stroke).into_iter().skip(1).step_by(2).collect();
        heights.iter().fold(0.0, |most: f64, h| most.max((h - heights[0]).abs())) * scale
    };
    path.split('M').skip(1).map(extent).filter(|height| *height > 0.0).collect()
}

/// The height of seven-point digits, in millimeters.
const SEVEN_POINTS: f64 = 1.73;

#[test]
fn numbers_of_plans_are_readable_on_paper() {
    // A cube of 27 cells hides eight. In a stack of nine the plans take most of the picture.
    let cells = (0..9 * 9).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9));
    let figure = Figure::new(cells).unwrap();
    let space = [57.0, 38.0];
    let view = |space| View { caption: false, space, ..View::default() };
    let tallest = |view| {
        let heights = heights_of_numbers(&Picture::new(&Scene::of_figure(&figure), &view), space);
        heights.into_iter().fold(0.0, f64::max)
    };
    assert!(tallest(view(None)) < SEVEN_POINTS, "no example");
    assert!(tallest(view(Some(space))) >= SEVEN_POINTS);
}

#[test]
fn numbers_of_copies_go_before_letters_where_a_picture_is_small() {
    let cells: Vec<Cell> = (0..9).map(|n| Cell::new(n, 0, 0)).collect();
    let figure = Figure::new(cells.iter().copied()).unwrap();
    let letters = |packing: &[(char, Vec<Cell>)], width| {
        let view = View { space: Some([width, 100.0]), ..View::default() };
        let svg = packing_svg(&figure, packing, &view).unwrap();
        let lines = svg.lines().filter(|line| line.contains("stroke=\"#000\""));
        lines.map(|line| line.matches('M').count()).sum::<usize>()
    };
    // Nine cells and one are 8.96 edges wide with margins. Letters of five points need edges of 2.7 millimeters, numbers
    // of seven points edges of 7.5.
    let one = [('V', cells.clone())];
    assert!(letters(&one, 25.0) > 0 && letters(&one, 23.0) == 0);
    let two = [('V', cells[..4].to_vec()), ('V', cells[4..].to_vec())];
    assert!(letters(&two, 70.0) > letters(&two, 66.0));
    assert_eq!(letters(&two, 66.0), letters(&one, 66.0), "letters alone, one on each face");
}

#[test]
fn plans_lie_as_the_picture_shows_the_figure() {
    // A stair of three steps with a single cell at one corner: turned about the upright axis, it is seen from another
    // corner, and gives the same picture with the same plans.
    let stair =
        [[0, 0, 1], [1, 0, 1], [2, 0, 1], [0, 1, 1], [1, 1, 1], [0, 0, 0], [1, 0, 0], [4, 4, 1]];
    let picture = |corner: Corner| {
        // The figure that looks from this corner as the stair does from the usual one.
        let from = [corner.right, corner.front];
        let turn = |[x, y, z]: [i32; 3]| match from {
            [true, true] => Cell::new(x, y, z),
            [false, true] => Cell::new(-y, x, z),
            [true, false] => Cell::new(y, -x, z),
            [false, false] => Cell::new(-x, -y, z),
        };
        let figure = Figure::new(stair.map(turn)).unwrap();
        let view =
            View { corner: Some(corner), caption: false, plans: Plans::Always, ..View::default() };
        figure_svg(&figure, &view)
    };
    let usual = picture(Corner::default());
    for corner in Corner::upper() {
        assert_eq!(
            picture(corner).lines().skip(3).collect::<Vec<_>>(),
            usual.lines().skip(3).collect::<Vec<_>>(),
            "{corner}"
        );
    }
}
