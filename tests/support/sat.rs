//! Formulas in DIMACS: counting their models, and checking proofs that there is none.

use std::collections::HashMap;

/// Clauses of literals: variable v as v, its negation as -v.
pub struct Formula {
    pub variables: usize,
    pub clauses: Vec<Vec<i64>>,
}

fn literals(line: &str) -> Vec<i64> {
    let numbers = line.split_whitespace().map(|word| word.parse().unwrap());
    let mut numbers: Vec<i64> = numbers.collect();
    assert_eq!(numbers.pop(), Some(0), "{line}");
    numbers
}

impl Formula {
    pub fn read(text: &str) -> Self {
        let mut lines = text.lines().filter(|line| !line.starts_with('c'));
        let head: Vec<&str> = lines.next().unwrap().split(' ').collect();
        assert_eq!(&head[..2], ["p", "cnf"]);
        let clauses: Vec<Vec<i64>> = lines.map(literals).collect();
        assert_eq!(clauses.len().to_string(), head[3]);
        let variables = head[2].parse().unwrap();
        assert!(
            clauses.iter().flatten().all(|l| (1..=variables as u64).contains(&l.unsigned_abs()))
        );
        Self { variables, clauses }
    }

    /// Tries both values of a variable, after setting forced values.
    pub fn count_models(&self) -> u128 {
        fn holds(values: &[Option<bool>], literal: i64) -> Option<bool> {
            values[literal.unsigned_abs() as usize].map(|value| value == (literal > 0))
        }
        fn count(clauses: &[Vec<i64>], mut values: Vec<Option<bool>>) -> u128 {
            loop {
                let before = values.iter().flatten().count();
                for clause in clauses {
                    if clause.iter().any(|&l| holds(&values, l) == Some(true)) {
                        continue;
                    }
                    let mut open = clause.iter().filter(|&&l| holds(&values, l).is_none());
                    match (open.next(), open.next()) {
                        (None, _) => return 0,
                        (Some(&l), None) => values[l.unsigned_abs() as usize] = Some(l > 0),
                        _ => {}
                    }
                }
                if values.iter().flatten().count() == before {
                    break;
                }
            }
            match values.iter().position(Option::is_none) {
                None => 1,
                Some(variable) => [true, false]
                    .map(|value| {
                        let mut values = values.clone();
                        values[variable] = Some(value);
                        count(clauses, values)
                    })
                    .iter()
                    .sum(),
            }
        }
        let mut values = vec![None; self.variables + 1];
        values[0] = Some(true);
        count(&self.clauses, values)
    }
}

/// The known clauses, each watched by two of its literals.
#[derive(Default)]
struct Known {
    clauses: Vec<Option<Vec<i64>>>,
    numbers: HashMap<Vec<i64>, Vec<usize>>,
    /// By [`index`].
    watching: Vec<Vec<usize>>,
    /// Permanently true literals.
    trail: Vec<i64>,
    /// By [`index`].
    holds: Vec<Option<bool>>,
    /// True if some clause has no literal that can hold.
    refuted: bool,
}

/// Numbers the literals from 2.
fn index(literal: i64) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

impl Known {
    fn new(variables: usize) -> Self {
        let literals = 2 * variables + 2;
        let (watching, holds) = (vec![Vec::new(); literals], vec![None; literals]);
        Self { watching, holds, ..Self::default() }
    }

    fn value(&self, literal: i64) -> Option<bool> {
        self.holds[index(literal)]
    }

    fn set(&mut self, literal: i64) {
        self.trail.push(literal);
        self.holds[index(literal)] = Some(true);
        self.holds[index(-literal)] = Some(false);
    }

    fn add(&mut self, clause: Vec<i64>) {
        let mut sorted = clause.clone();
        sorted.sort_unstable();
        let number = self.clauses.len();
        self.numbers.entry(sorted).or_default().push(number);
        // Two literals that are not false are watched, if there are two.
        let mut clause = clause;
        clause.sort_by_key(|&l| self.value(l) == Some(false));
        for &literal in clause.iter().take(2) {
            self.watching[index(literal)].push(number);
        }
        let open = clause.iter().filter(|&&l| self.value(l) != Some(false)).count();
        let first = clause.first().copied();
        self.clauses.push(Some(clause));
        match (open, first) {
            (0, _) => self.refuted = true,
            (1, Some(literal)) if self.value(literal).is_none() => {
                let from = self.trail.len();
                self.set(literal);
                self.refuted |= !self.propagate(from);
            }
            _ => {}
        }
    }

    /// Sets all consequences of the trail beyond `from`. Returns false if some clause cannot hold.
    fn propagate(&mut self, from: usize) -> bool {
        let mut at = from;
        while at < self.trail.len() {
            let falsified = -self.trail[at];
            at += 1;
            let watchers = std::mem::take(&mut self.watching[index(falsified)]);
            let mut kept = Vec::new();
            let mut sound = true;
            for number in watchers {
                let Some(mut clause) = self.clauses[number].take() else { continue };
                if clause[0] == falsified && clause.len() > 1 {
                    clause.swap(0, 1);
                }
                let next = (2..clause.len()).find(|&i| self.value(clause[i]) != Some(false));
                if self.value(clause[0]) == Some(true) || clause.len() == 1 {
                    kept.push(number);
                    sound &= self.value(clause[0]) != Some(false);
                } else if let Some(next) = next {
                    clause.swap(1, next);
                    self.watching[index(clause[1])].push(number);
                } else {
                    kept.push(number);
                    match self.value(clause[0]) {
                        None => self.set(clause[0]),
                        _ => sound = false,
                    }
                }
                self.clauses[number] = Some(clause);
            }
            self.watching[index(falsified)].extend(kept);
            if !sound {
                return false;
            }
        }
        true
    }

    /// Returns true if the negation of a clause leads to a contradiction.
    fn implies(&mut self, clause: &[i64]) -> bool {
        let from = self.trail.len();
        let mut sound = true;
        for &literal in clause {
            match self.value(literal) {
                Some(true) => sound = false,
                Some(false) => {}
                None => self.set(-literal),
            }
        }
        let contradiction = !sound || !self.propagate(from);
        for literal in self.trail.drain(from..) {
            self.holds[index(literal)] = None;
            self.holds[index(-literal)] = None;
        }
        contradiction
    }

    fn delete(&mut self, mut clause: Vec<i64>) -> bool {
        clause.sort_unstable();
        let Some(number) = self.numbers.get_mut(&clause).and_then(Vec::pop) else { return false };
        // Values set because of it stay set, which is sound: they followed from it.
        self.clauses[number] = None;
        true
    }
}

/// Checks a proof in DRAT and returns the number of clauses. Every clause must follow by unit propagation (RUP:
/// Goldberg and Novikov, 2003).
pub fn check_proof(formula: &Formula, proof: &str) -> Result<usize, String> {
    let mut known = Known::new(formula.variables);
    formula.clauses.iter().for_each(|clause| known.add(clause.clone()));
    for (number, line) in proof.lines().enumerate() {
        if known.refuted {
            return Ok(number);
        }
        if let Some(deleted) = line.strip_prefix("d ") {
            if !known.delete(literals(deleted)) {
                return Err(format!("line {}: there is no such clause", number + 1));
            }
            continue;
        }
        let clause = literals(line);
        if !known.implies(&clause) {
            return Err(format!("line {}: the clause does not follow", number + 1));
        }
        known.add(clause);
    }
    if known.refuted { Ok(proof.lines().count()) } else { Err("nothing is refuted".to_owned()) }
}
