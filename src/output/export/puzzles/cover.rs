//! Figures with their pieces as problems for other solvers: exact cover in the format of Knuth's programs, and
//! satisfiability in DIMACS.
//!
//! The items are the cells and the pieces. Copies of a piece are separate items, ordered by their first cells. A
//! packing is therefore one solution, however its equal pieces are named: solutions are raw packings.

use somacat_counting::prove::{CellPlacement, placements};
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// An exact-cover problem. Each option is a set of items. Every primary item is covered exactly once, every
/// secondary item at most once.
struct Cover {
    /// Names of at most eight characters, the cells before the pieces.
    primary: Vec<String>,
    secondary: Vec<String>,
    /// Items by number, secondary ones after the primary ones. Each option has its placement as text.
    options: Vec<(Vec<usize>, String)>,
}

/// The longest item name that Knuth's programs read.
const MAX_NAME: usize = 8;

impl Cover {
    fn new(figure: &Figure, set: &PieceSet) -> Self {
        let short = |names: &Vec<String>| names.iter().all(|name| name.len() <= MAX_NAME);
        let cells: Vec<String> = figure.cells().iter().map(ToString::to_string).collect();
        let numbers = || (0..figure.len()).map(|number| format!("c{number}")).collect();
        let mut cover = Self {
            primary: Some(cells).filter(short).unwrap_or_else(numbers),
            secondary: Vec::new(),
            options: Vec::new(),
        };
        // For each piece the item of its first copy, and the number of copies.
        let mut copies = Vec::new();
        for (number, (piece, count)) in (1..).zip(set.pieces()) {
            copies.push((cover.primary.len(), *count));
            let letter = Some(piece.letter()).filter(char::is_ascii_alphabetic);
            let name = letter.map_or_else(|| format!("#{number}"), |letter| letter.to_string());
            let copy = |copy: usize| match (count, letter) {
                (1, _) => name.clone(),
                (_, Some(_)) => format!("{name}{copy}"),
                (_, None) => format!("{name}.{copy}"),
            };
            cover.primary.extend((1..=*count).map(copy));
        }
        let mut between: BTreeMap<[usize; 4], usize> = BTreeMap::new();
        let levels = usize::BITS - figure.len().leading_zeros();
        for CellPlacement { piece, cells } in placements(figure, set) {
            let (first, count) = copies[piece];
            for copy in 0..count {
                let mut items = cells.clone();
                items.push(first + copy);
                // The first cell of a copy comes before that of the next. In binary, two different numbers agree
                // down to some digit, where the first has 0 and the second 1. In the opposite order both options
                // would have the same item, and exclude each other.
                for level in 0..levels {
                    let above = cells[0] >> (level + 1);
                    let pair = match cells[0] >> level & 1 {
                        1 => Some(copy).filter(|_| copy + 1 < count),
                        _ => copy.checked_sub(1),
                    };
                    if let Some(pair) = pair {
                        let next = between.len();
                        let key = [piece, pair, level as usize, above];
                        items.push(cover.primary.len() + *between.entry(key).or_insert(next));
                    }
                }
                let words: Vec<String> =
                    cells.iter().map(|&c| figure.cells()[c].to_string()).collect();
                let words = format!("{} {}", cover.primary[first + copy], words.join(" "));
                cover.options.push((items, words));
            }
        }
        cover.secondary = (0..between.len()).map(|number| format!("<{number}")).collect();
        cover
    }

    fn name(&self, item: usize) -> &str {
        self.primary.get(item).unwrap_or_else(|| &self.secondary[item - self.primary.len()])
    }
}

/// Writes the head of a file: the meaning of solutions, and the signature.
fn head(
    name: &str,
    figure: &Figure,
    set: &PieceSet,
    mark: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(out, "{mark} {name}, to be built with {}", set.name())?;
    writeln!(out, "{mark} signature {}", figure.canonical().signature)?;
    writeln!(
        out,
        "{mark} Each solution is a raw packing: images under the figure's symmetries count, too;"
    )?;
    writeln!(out, "{mark} equal pieces are not told apart.")
}

/// Writes an exact-cover problem for Knuth's programs, such as dlx1. The first line has the items, with `|` before
/// the secondary ones. Each further line has the items of an option. Comments begin with `|`.
pub fn write_dlx(
    name: &str,
    figure: &Figure,
    set: &PieceSet,
    out: &mut dyn Write,
) -> io::Result<()> {
    let cover = Cover::new(figure, set);
    head(name, figure, set, "|", out)?;
    write!(out, "{}", cover.primary.join(" "))?;
    if !cover.secondary.is_empty() {
        write!(out, " | {}", cover.secondary.join(" "))?;
    }
    writeln!(out)?;
    for (items, _) in &cover.options {
        let names: Vec<&str> = items.iter().map(|&item| cover.name(item)).collect();
        writeln!(out, "{}", names.join(" "))?;
    }
    out.flush()
}

/// Writes a DIMACS formula with a model for each packing.
///
/// A variable for each option states that it is chosen. At most one option of an item is chosen. This takes a
/// further variable for each of its options: an option up to this one is chosen. See Sinz, "Towards an optimal CNF
/// encoding of Boolean cardinality constraints", 2005. The clauses go in both directions, so that models and
/// packings are equal in number.
pub fn write_cnf(
    name: &str,
    figure: &Figure,
    set: &PieceSet,
    out: &mut dyn Write,
) -> io::Result<()> {
    let cover = Cover::new(figure, set);
    let mut options_of = vec![Vec::new(); cover.primary.len() + cover.secondary.len()];
    for (variable, (items, _)) in (1_i64..).zip(&cover.options) {
        items.iter().for_each(|&item| options_of[item].push(variable));
    }
    let mut clauses: Vec<Vec<i64>> = Vec::new();
    let mut variables = cover.options.len() as i64;
    for (item, options) in options_of.iter().enumerate() {
        let mut before: Option<i64> = None;
        for &option in options {
            variables += 1;
            let upto = variables;
            clauses.push(vec![-option, upto]);
            match before {
                None => clauses.push(vec![-upto, option]),
                Some(before) => {
                    clauses.extend([
                        vec![-before, upto],
                        vec![-upto, before, option],
                        vec![-option, -before],
                    ]);
                }
            }
            before = Some(upto);
        }
        if item < cover.primary.len() {
            clauses.push(before.into_iter().collect());
        }
    }
    head(name, figure, set, "c", out)?;
    writeln!(out, "c The variables that say which piece lies where; the others follow from them.")?;
    for (variable, (_, words)) in (1..).zip(&cover.options) {
        writeln!(out, "c {variable} {words}")?;
    }
    writeln!(out, "p cnf {variables} {}", clauses.len())?;
    for clause in clauses {
        for literal in clause {
            write!(out, "{literal} ")?;
        }
        writeln!(out, "0")?;
    }
    out.flush()
}
