//! The table of the hardest cubes: a plain search has the same counts, and the search the same nodes.

use crate::support::figures::naive;
use somacat_counting::plain_search::plain_effort;
use somacat_counting::solve::{EngineChoice, Limits, Problem, count};
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::parse_piece_lines;

#[test]
fn the_hardest_cubes_have_the_counts_of_the_table() {
    let table = include_str!("../../../benches/runs/2026-11-28-hardest-cubes.csv");
    let cube = Figure::of_box([3, 3, 3]).unwrap();
    for (line, pieces) in table.lines().skip(1).zip(3..) {
        let numbers: Vec<&str> = line.split(',').collect();
        let number = |at: usize| numbers[at].parse::<u64>().unwrap();
        let lines = line.split('"').nth(1).unwrap().replace("; ", "\n");
        let set = parse_piece_lines("cube", &lines).unwrap();
        let gaps = 27 - set.total_cells();
        assert_eq!([set.piece_count() as u64, gaps as u64], [0, 1].map(number));
        assert_eq!(number(0), pieces);
        let set = set.with_gaps(gaps);
        let limits = Limits { engine: EngineChoice::Search, ..Limits::default() };
        let report = count(&Problem::new(&cube, &set), limits).unwrap();
        let Outcome::Counted(counts) = report.outcome else { panic!("{line}") };
        let found = [counts.raw, counts.rotation, counts.unique, u128::from(report.nodes.unwrap())];
        assert_eq!(found, [2, 3, 4, 5].map(|at| u128::from(number(at))), "{line}");
        assert_eq!(naive(&cube, &set), counts.raw, "{line}");
        assert_eq!(plain_effort(&cube, &set, u64::MAX), Some(number(7)), "{line}");
        let difficulty = numbers[6].parse::<f64>().unwrap();
        assert!((difficulty - number(5) as f64 / number(4) as f64).abs() < 0.1, "{line}");
    }
    assert_eq!(table.lines().count(), 11);
}
