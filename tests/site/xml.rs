//! Every file of XML is well formed, whatever figures and pieces are called.

use super::{done, files, text_between};
use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use tempfile::TempDir;

/// Names with markup, and with characters that XML forbids.
const NAMES: [&str; 4] =
    ["<a & 'b'>\"", "no\u{ffff}character\u{fffe}", "\u{202e}back\u{200f}", "]]>\u{a0}&nbsp"];

#[test]
fn names_never_break_xml() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let maps = ["67 77", "333 333 333", "543 333 222", "3333 333. 321."];
    let figures: String =
        NAMES.iter().zip(maps).map(|(name, map)| format!("{name}: {map}\n\n")).collect();
    fs::write(path.join("odd.txt"), figures).unwrap();
    let site = ["export", "gallery", "site", "--figure", "odd.txt", "--title", NAMES[1]];
    done(path, &[site.as_slice(), &["--url", "https://example.org/", "--solutions", "1"]].concat());
    done(path, &["export", "newsletter", "letter", "odd.txt", "--title", NAMES[1]]);
    // Pieces may be called by any sign.
    fs::write(
        path.join("signs.txt"),
        "<: 0,0,0 1,0,0 0,1,0\n&: 0,0,0 1,0,0\n\u{ffff}: 0,0,0 1,0,0 2,0,0\n",
    )
    .unwrap();
    fs::write(path.join("eight.txt"), "44\n").unwrap();
    done(path, &["map", "eight.txt", "--set", "signs.txt", "--graphml", "map.graphml", "--csv"]);
    let mut parsed = 0;
    for folder in ["site", "letter", "."] {
        for (name, content) in files(&path.join(folder)) {
            let texts = match name.rsplit('.').next().unwrap() {
                "xml" | "svg" | "graphml" => vec![String::from_utf8(content).unwrap()],
                "xmpuzzle" => {
                    let mut text = String::new();
                    GzDecoder::new(content.as_slice()).read_to_string(&mut text).unwrap();
                    vec![text]
                }
                "html" => {
                    let page = String::from_utf8(content).unwrap();
                    let pictures = text_between(&page, "<svg ", "</svg>");
                    pictures.iter().map(|inside| format!("<svg {inside}</svg>")).collect()
                }
                _ => continue,
            };
            for text in texts {
                let document = roxmltree::Document::parse(&text);
                assert!(document.is_ok(), "{name}: {document:?}");
                parsed += 1;
            }
        }
    }
    // A feed, a puzzle and a picture for each figure, a map, and more.
    assert!(parsed > 20, "{parsed}");
    let feed = fs::read_to_string(path.join("site/feed.xml")).unwrap();
    let feed = roxmltree::Document::parse(&feed).unwrap();
    let titles: Vec<_> = feed
        .descendants()
        .filter(|n| n.has_tag_name(("http://www.w3.org/2005/Atom", "title")))
        .collect();
    let titles: Vec<_> = titles.iter().map(|title| title.text().unwrap()).collect();
    assert!(titles.contains(&NAMES[0]) && titles.contains(&"no character "), "{titles:?}");
}
