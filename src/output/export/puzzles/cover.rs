//! Figures with their pieces as problems for other solvers: exact cover in the format of Knuth's programs, and
//! satisfiability in DIMACS.
//!
//! The items are the cells and the pieces. Copies of a piece are separate items, ordered by their first cells. A
//! packing is therefore one solution, however its equal pieces are named: solutions are raw packings.
//!
//! Cells that may stay empty are secondary items, which options cover at most once. Of a piece with a range of copies,
//! the last copies may be left out: they have an option without cells, and come last in the order. So the copies in use
//! are always the first ones. If packings use a given number of pieces, something counts the copies left out: in an
//! exact cover colored items, in a formula a sequential counter.

use somacat_counting::prove::{CellPlacement, placements};
use somacat_counting::solve::Problem;
use somacat_geometry::figure::FigureColors;
use somacat_geometry::pieces::GAP;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// An exact-cover problem. Each option is a set of items. Every primary item is covered exactly once, every
/// secondary item at most once, or by options of one color.
#[derive(Default)]
struct Cover {
    /// The items: names of at most eight characters, and true for secondary ones.
    items: Vec<(String, bool)>,
    options: Vec<CoverOption>,
    /// For each copy that may be left out, the option that does so.
    left_out: Vec<usize>,
    /// The number of these copies that packings use, if it is given.
    used: Option<isize>,
    /// The order of copies: secondary items by piece, pair of copies, and digits of their first cells.
    between: BTreeMap<[usize; 4], usize>,
}

struct CoverOption {
    /// Items by number, some with a color.
    items: Vec<(usize, Option<usize>)>,
    /// The placement as text.
    words: String,
}

/// A piece of a cover.
struct CoverPiece {
    /// The item of its first copy. The items of the others follow.
    first: usize,
    copies: usize,
}

/// The longest item name that Knuth's programs read.
const MAX_NAME: usize = 8;

impl Cover {
    fn new(problem: &Problem<'_>) -> Self {
        let (figure, set) = (problem.figure(), problem.set());
        let short = |names: &Vec<String>| names.iter().all(|name| name.len() <= MAX_NAME);
        let cells: Vec<String> = figure.cells().iter().map(ToString::to_string).collect();
        let numbers = || (0..figure.len()).map(|number| format!("c{number}")).collect();
        let cells = Some(cells).filter(short).unwrap_or_else(numbers);
        let may_be_empty = |cell| {
            let by_color = |colors: &FigureColors| colors.may_be_empty(cell);
            set.has_gaps() && problem.colors().is_none_or(by_color)
        };
        let items = cells.into_iter().enumerate().map(|(cell, name)| (name, may_be_empty(cell)));
        let mut cover = Self { items: items.collect(), ..Self::default() };
        let mut pieces = Vec::new();
        for (number, (piece, [_, most])) in (1..).zip(set.ranges()) {
            let copies = if piece.letter() == GAP { 0 } else { most };
            pieces.push(CoverPiece { first: cover.items.len(), copies });
            let letter = Some(piece.letter()).filter(char::is_ascii_alphabetic);
            let name = letter.map_or_else(|| format!("#{number}"), |letter| letter.to_string());
            let copy = |copy: usize| match (most, letter) {
                (1, _) => name.clone(),
                (_, Some(_)) => format!("{name}{copy}"),
                (_, None) => format!("{name}.{copy}"),
            };
            cover.items.extend((1..=copies).map(|number| (copy(number), false)));
        }
        for CellPlacement { piece, cells } in placements(problem) {
            for copy in 0..pieces[piece].copies {
                let words: Vec<String> =
                    cells.iter().map(|&c| figure.cells()[c].to_string()).collect();
                let item = pieces[piece].first + copy;
                let words = format!("{} {}", cover.items[item].0, words.join(" "));
                let mut items = cells.clone();
                items.push(item);
                items.extend(cover.order(piece, &pieces[piece], copy, cells[0], figure.len()));
                cover.add(items, words);
            }
        }
        let mut required = 0;
        for (kind, (at, piece)) in set.ranges().zip(pieces.iter().enumerate()) {
            let (_, [least, _]) = kind;
            required += least.min(piece.copies);
            for copy in least..piece.copies {
                let item = piece.first + copy;
                let words = format!("{} is left out", cover.items[item].0);
                let order = cover.order(at, piece, copy, figure.len(), figure.len());
                cover.left_out.push(cover.options.len());
                cover.add([vec![item], order].concat(), words);
            }
        }
        cover.used = set.number().map(|number| number as isize - required as isize);
        let possible = 0..=cover.left_out.len() as isize;
        if cover.used.is_some_and(|used| !possible.contains(&used)) {
            // No option covers it: there are not so many pieces.
            cover.items.push(("pieces".to_owned(), false));
        }
        cover
    }

    fn add(&mut self, items: Vec<usize>, words: String) {
        let items = items.into_iter().map(|item| (item, None)).collect();
        self.options.push(CoverOption { items, words });
    }

    /// Returns the items that order a copy of a piece: its first cell comes before that of the next copy. The number
    /// after all cells stands for a copy that is left out.
    ///
    /// In binary, two different numbers agree down to some digit, where the first has 0 and the second 1. In the opposite
    /// order both options would have the same item, and exclude each other.
    fn order(
        &mut self,
        at: usize,
        piece: &CoverPiece,
        copy: usize,
        first: usize,
        cells: usize,
    ) -> Vec<usize> {
        let levels = usize::BITS - cells.leading_zeros();
        let mut items = Vec::new();
        for level in 0..levels as usize {
            let above = first >> (level + 1);
            let pair = match first >> level & 1 {
                1 => Some(copy).filter(|_| copy + 1 < piece.copies),
                _ => copy.checked_sub(1),
            };
            if let Some(pair) = pair {
                let next = self.items.len();
                let item = *self.between.entry([at, pair, level, above]).or_insert(next);
                if item == next {
                    self.items.push((format!("<{}", self.between.len() - 1), true));
                }
                items.push(item);
            }
        }
        items
    }

    /// Counts the copies that packings use by colors: after each copy that may be left out, an item has as its color the
    /// number used so far. A further item of the copy links it to the number before.
    fn count_by_colors(mut self) -> Self {
        let Some(used) = self.used else { return self };
        let last = self.left_out.len();
        let states: Vec<usize> =
            (1..last).map(|copy| self.new_item(format!("={copy}"), true)).collect();
        let mut unused = Vec::new();
        for (copy, option) in self.left_out.clone().into_iter().enumerate() {
            let link = self.new_item(format!("+{}", copy + 1), false);
            let CoverOption { items, words } = &self.options[option];
            let (items, words) = (items.clone(), words.clone());
            for before in 0..=copy {
                for (after, is_used) in [(before, false), (before + 1, true)] {
                    // The number must be reached with the copies that follow.
                    let missing = used - after as isize;
                    if !(0..=(last - copy - 1) as isize).contains(&missing) {
                        continue;
                    }
                    let mut option = if is_used { Vec::new() } else { items.clone() };
                    option.push((link, None));
                    option.extend(copy.checked_sub(1).map(|at| (states[at], Some(before))));
                    option.extend(states.get(copy).map(|&state| (state, Some(after))));
                    unused.push(CoverOption { items: option, words: words.clone() });
                }
            }
        }
        // The copies to leave out come last of all options.
        self.options.truncate(self.options.len() - last);
        self.options.append(&mut unused);
        self
    }

    fn new_item(&mut self, name: String, secondary: bool) -> usize {
        self.items.push((name, secondary));
        self.items.len() - 1
    }
}

/// Writes the head of a file: the meaning of solutions, and the signature.
fn head(name: &str, problem: &Problem<'_>, mark: &str, out: &mut dyn Write) -> io::Result<()> {
    let (figure, set) = (problem.figure(), problem.set());
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(out, "{mark} {name}, to be built with {}", set.in_words())?;
    writeln!(out, "{mark} signature {}", figure.canonical().signature)?;
    writeln!(
        out,
        "{mark} Each solution is a raw packing: images under the figure's symmetries count, too;"
    )?;
    writeln!(out, "{mark} equal pieces are not told apart.")?;
    if set.has_gaps() {
        writeln!(out, "{mark} Cells that no piece covers stay empty.")?;
    }
    Ok(())
}

/// Writes an exact-cover problem for Knuth's programs, such as dlx1. The first line has the items, with `|` before
/// the secondary ones. Each further line has the items of an option. Comments begin with `|`.
///
/// If packings use a given number of pieces, some items have colors, as dlx2 reads them: `=3:1`.
pub fn write_dlx(name: &str, problem: &Problem<'_>, out: &mut dyn Write) -> io::Result<()> {
    let cover = Cover::new(problem).count_by_colors();
    head(name, problem, "|", out)?;
    if cover.used.is_some() {
        writeln!(out, "| Items have colors, which dlx2 reads: `=3:1` if one of the first three")?;
        writeln!(out, "| copies that may be left out is used.")?;
    }
    let names = |of_kind: bool| -> Vec<&str> {
        let items = cover.items.iter().filter(|(_, secondary)| *secondary == of_kind);
        items.map(|(name, _)| name.as_str()).collect()
    };
    write!(out, "{}", names(false).join(" "))?;
    if !names(true).is_empty() {
        write!(out, " | {}", names(true).join(" "))?;
    }
    writeln!(out)?;
    for CoverOption { items, .. } in &cover.options {
        let name = |(item, color): &(usize, Option<usize>)| match color {
            Some(color) => format!("{}:{color}", cover.items[*item].0),
            None => cover.items[*item].0.clone(),
        };
        writeln!(out, "{}", items.iter().map(name).collect::<Vec<_>>().join(" "))?;
    }
    out.flush()
}

/// Writes a DIMACS formula with a model for each packing.
///
/// A variable for each option states that it is chosen. At most one option of an item is chosen. This takes a
/// further variable for each of its options: an option up to this one is chosen. See Sinz, "Towards an optimal CNF
/// encoding of Boolean cardinality constraints", 2005. The clauses go in both directions, so that models and
/// packings are equal in number. The same counter bounds the number of pieces, if it is given.
pub fn write_cnf(name: &str, problem: &Problem<'_>, out: &mut dyn Write) -> io::Result<()> {
    let cover = Cover::new(problem);
    let mut options_of = vec![Vec::new(); cover.items.len()];
    for (variable, option) in (1_i64..).zip(&cover.options) {
        option.items.iter().for_each(|&(item, _)| options_of[item].push(variable));
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
        if !cover.items[item].1 {
            clauses.push(before.into_iter().collect());
        }
    }
    if let Some(used) = cover.used {
        let left_out: Vec<i64> = cover.left_out.iter().map(|&at| at as i64 + 1).collect();
        exactly(left_out.len() as isize - used, &left_out, &mut variables, &mut clauses);
    }
    head(name, problem, "c", out)?;
    writeln!(out, "c The variables that say which piece lies where; the others follow from them.")?;
    for (variable, option) in (1..).zip(&cover.options) {
        writeln!(out, "c {variable} {}", option.words)?;
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

/// Adds clauses that so many of some variables hold. Each further variable states that at least so many of the first ones
/// do, and follows from them.
fn exactly(number: isize, of: &[i64], variables: &mut i64, clauses: &mut Vec<Vec<i64>>) {
    let Some(number) = usize::try_from(number).ok().filter(|number| *number <= of.len()) else {
        clauses.push(Vec::new());
        return;
    };
    // Variables for at least 1, 2, … of those before.
    let mut before: Vec<i64> = Vec::new();
    for &one in of {
        let mut here = Vec::new();
        for many in 0..(before.len() + 1).min(number + 1) {
            *variables += 1;
            let state = *variables;
            here.push(state);
            // At least as many before, or one fewer before and this one.
            let (same, fewer) =
                (before.get(many).copied(), many.checked_sub(1).map(|at| before[at]));
            clauses.extend(same.map(|same| vec![-same, state]));
            clauses.push([state, -one].into_iter().chain(fewer.map(|fewer| -fewer)).collect());
            clauses.push([-state, one].into_iter().chain(same).collect());
            clauses.extend(fewer.map(|fewer| [-state, fewer].into_iter().chain(same).collect()));
        }
        before = here;
    }
    clauses.extend(number.checked_sub(1).map(|at| vec![before[at]]));
    clauses.extend(before.get(number).map(|more| vec![-more]));
}
