//! The 33 classes: subgroups of the cube's group up to conjugation, and their names.
//!
//! Two subgroups are conjugate exactly if they have equally many elements of each of the ten kinds, so these
//! numbers identify the classes. If several classes share a Schoenflies symbol, a word in brackets distinguishes
//! them. Allen's letters are those of Bob Allen's symmetry classes, cited in Nungester's article; 18 of the classes
//! have none. The OEIS sequences count the free polycubes whose group belongs to the class.

use super::{ElementKind, Group};
use crate::lattice::Transform;
use std::fmt;

/// One of the 33 classes of symmetry groups. Ordered by group order, then as in the OEIS.
///
/// ```
/// use somacat_geometry::symmetry::Class;
///
/// let class = Class::matching("D3d")?[0];
/// assert_eq!(class.order(), 12);
/// assert_eq!(class.groups().len(), 4, "one for each body diagonal of the cube");
/// assert_eq!(class.description(), "body diagonal, edge axes, diagonal mirrors, inversion");
/// # Ok::<(), somacat_geometry::symmetry::ParseClassError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(u8);

struct ClassRow {
    name: &'static str,
    schoenflies: &'static str,
    hermann_mauguin: &'static str,
    orbifold: &'static str,
    allen: Option<char>,
    oeis: &'static str,
    /// The number of elements of each kind, in the order of [`ElementKind::ALL`].
    profile: [u8; 10],
    description: &'static str,
}

/// Creates a row. The symbols are name, Schoenflies, Hermann–Mauguin, orbifold and OEIS sequence.
const fn row(
    symbols: [&'static str; 5],
    allen: Option<char>,
    profile: [u8; 10],
    description: &'static str,
) -> ClassRow {
    let [name, schoenflies, hermann_mauguin, orbifold, oeis] = symbols;
    ClassRow { name, schoenflies, hermann_mauguin, orbifold, allen, oeis, profile, description }
}

#[rustfmt::skip]
static ROWS: [ClassRow; 33] = [
    row(["C1", "C1", "1", "1", "A376964"], Some('N'), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], "trivial"),
    row(["Cs(planar)", "Cs", "m", "*", "A376969"], Some('A'), [1, 1, 0, 0, 0, 0, 0, 0, 0, 0], "mirror {100}"),
    row(["C2(face)", "C2", "2", "22", "A376966"], Some('P'), [1, 0, 1, 0, 0, 0, 0, 0, 0, 0], "half turn about a face axis <100>"),
    row(["Ci", "Ci", "-1", "x", "A376974"], Some('S'), [1, 0, 0, 1, 0, 0, 0, 0, 0, 0], "central inversion"),
    row(["Cs(diagonal)", "Cs", "m", "*", "A376970"], Some('B'), [1, 0, 0, 0, 1, 0, 0, 0, 0, 0], "mirror {110}"),
    row(["C2(edge)", "C2", "2", "22", "A376967"], Some('K'), [1, 0, 0, 0, 0, 0, 1, 0, 0, 0], "half turn about an edge axis <110>"),
    row(["C3", "C3", "3", "33", "A376968"], Some('T'), [1, 0, 0, 0, 0, 0, 0, 0, 2, 0], "third turns about a body diagonal"),
    row(["C2v(face,planar)", "C2v", "mm2", "*22", "A376981"], Some('C'), [1, 2, 1, 0, 0, 0, 0, 0, 0, 0], "face axis, two planar mirrors"),
    row(["C2h(face)", "C2h", "2/m", "2*", "A376977"], Some('Z'), [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], "face axis, planar mirror, inversion"),
    row(["C2v(edge)", "C2v", "mm2", "*22", "A376979"], Some('D'), [1, 1, 0, 0, 1, 0, 1, 0, 0, 0], "edge axis, one planar, one diagonal mirror"),
    row(["D2(face)", "D2", "222", "222", "A376975"], None, [1, 0, 3, 0, 0, 0, 0, 0, 0, 0], "three face axes"),
    row(["C2v(face,diagonal)", "C2v", "mm2", "*22", "A376978"], Some('E'), [1, 0, 1, 0, 2, 0, 0, 0, 0, 0], "face axis, two diagonal mirrors"),
    row(["C4", "C4", "4", "44", "A376965"], Some('Q'), [1, 0, 1, 0, 0, 2, 0, 0, 0, 0], "quarter turns about a face axis"),
    row(["D2(edge)", "D2", "222", "222", "A376976"], None, [1, 0, 1, 0, 0, 0, 2, 0, 0, 0], "one face axis, two edge axes"),
    row(["S4", "S4", "-4", "2x", "A376973"], None, [1, 0, 1, 0, 0, 0, 0, 2, 0, 0], "4-fold roto-reflection"),
    row(["C2h(edge)", "C2h", "2/m", "2*", "A376980"], None, [1, 0, 0, 1, 1, 0, 1, 0, 0, 0], "edge axis, diagonal mirror, inversion"),
    row(["C3i", "C3i", "-3", "3x", "A376972"], None, [1, 0, 0, 1, 0, 0, 0, 0, 2, 2], "body diagonal, inversion"),
    row(["C3v", "C3v", "3m", "*33", "A376983"], Some('R'), [1, 0, 0, 0, 3, 0, 0, 0, 2, 0], "body diagonal, three diagonal mirrors"),
    row(["D3", "D3", "32", "223", "A376982"], None, [1, 0, 0, 0, 0, 0, 3, 0, 2, 0], "body diagonal, three edge axes"),
    row(["D2h(face)", "D2h", "mmm", "*222", "A376987"], None, [1, 3, 3, 1, 0, 0, 0, 0, 0, 0], "three planar mirrors (box symmetry)"),
    row(["C4v", "C4v", "4mm", "*44", "A376988"], Some('F'), [1, 2, 1, 0, 2, 2, 0, 0, 0, 0], "4-fold axis, 2 planar, 2 diagonal mirrors"),
    row(["D2d(edge axes)", "D2d", "-4m2", "2*2", "A376986"], None, [1, 2, 1, 0, 0, 0, 2, 2, 0, 0], "S4, two edge C2 axes, two planar mirrors"),
    row(["D2h(edge)", "D2h", "mmm", "*222", "A376989"], None, [1, 1, 1, 1, 2, 0, 2, 0, 0, 0], "one planar, two diagonal mirrors"),
    row(["C4h", "C4h", "4/m", "4*", "A376984"], None, [1, 1, 1, 1, 0, 2, 0, 2, 0, 0], "4-fold axis, planar mirror, inversion"),
    row(["D2d(face axes)", "D2d", "-42m", "2*2", "A376985"], None, [1, 0, 3, 0, 2, 0, 0, 2, 0, 0], "S4, two face C2 axes, two diagonal mirrors"),
    row(["D4", "D4", "422", "224", "A377127"], None, [1, 0, 3, 0, 0, 2, 2, 0, 0, 0], "4-fold axis, 2 face, 2 edge axes"),
    row(["T", "T", "23", "332", "A377128"], None, [1, 0, 3, 0, 0, 0, 0, 0, 8, 0], "rotations of the tetrahedron"),
    row(["D3d", "D3d", "-3m", "2*3", "A376990"], None, [1, 0, 0, 1, 3, 0, 3, 0, 2, 2], "body diagonal, edge axes, diagonal mirrors, inversion"),
    row(["D4h", "D4h", "4/mmm", "*224", "A376991"], None, [1, 3, 3, 1, 2, 2, 2, 2, 0, 0], "square prism"),
    row(["Th", "Th", "m-3", "3*2", "A377130"], None, [1, 3, 3, 1, 0, 0, 0, 0, 8, 8], "pyritohedral"),
    row(["Td", "Td", "-43m", "*332", "A377129"], None, [1, 0, 3, 0, 6, 0, 0, 6, 8, 0], "full tetrahedral"),
    row(["O", "O", "432", "432", "A377131"], None, [1, 0, 3, 0, 0, 6, 6, 0, 8, 0], "all rotations of the cube"),
    row(["Oh", "Oh", "m-3m", "*432", "A376971"], Some('G'), [1, 3, 3, 1, 6, 6, 6, 6, 8, 8], "full cube"),
];

/// Masks of the transforms of each kind, in the order of [`ElementKind::ALL`].
const KINDS: [u64; 10] = {
    let mut masks = [0; 10];
    let mut index = 0;
    while index < 48 {
        masks[ElementKind::of(Transform::from_index(index)).index()] |= 1 << index;
        index += 1;
    }
    masks
};

/// The error for a text that does not name a class.
///
/// ```
/// use somacat_geometry::symmetry::Class;
///
/// let error = Class::matching("D5").unwrap_err();
/// let message = "no symmetry class is called `D5`; classes have Schoenflies names such as D3d, C2v \
///     or C2v(edge), or Allen's letters as in allen:R";
/// assert_eq!(error.to_string(), message);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no symmetry class is called `{text}`; {}", suggestion(.near))]
pub struct ParseClassError {
    /// The text.
    pub text: String,
    /// The names of classes that begin like the text.
    pub near: Vec<&'static str>,
}

fn suggestion(near: &[&str]) -> String {
    if near.is_empty() {
        "classes have Schoenflies names such as D3d, C2v or C2v(edge), or Allen's letters as in \
         allen:R"
            .to_owned()
    } else {
        format!("did you mean {}?", near.join(", "))
    }
}

impl Class {
    /// Iterates over the 33 classes in order.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// assert_eq!(Class::iter().len(), 33);
    /// let groups = Class::iter().map(|class| class.groups().len());
    /// assert_eq!(groups.sum::<usize>(), 98);
    /// ```
    pub fn iter() -> impl ExactSizeIterator<Item = Self> {
        (0..ROWS.len() as u8).map(Self)
    }

    /// Returns the 33 classes sorted by group order, then by name.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// let names: Vec<&str> = Class::sorted_by_name().iter().take(4).map(|c| c.name()).collect();
    /// assert_eq!(names, ["C1", "C2(edge)", "C2(face)", "Ci"]);
    /// ```
    pub fn sorted_by_name() -> Vec<Self> {
        let mut classes: Vec<Self> = Self::iter().collect();
        classes.sort_by_key(|class| (class.order(), class.name()));
        classes
    }

    /// Returns the class of a group.
    ///
    /// ```
    /// use somacat_geometry::symmetry::{Class, Group};
    ///
    /// assert_eq!(Class::of(Group::FULL).name(), "Oh");
    /// assert_eq!(Class::of(Group::FULL.rotations()).name(), "O");
    /// ```
    pub fn of(group: Group) -> Self {
        let profile = KINDS.map(|kind| (group.mask() & kind).count_ones() as u8);
        let index = ROWS.iter().position(|row| row.profile == profile);
        Self(index.expect("the table has a row for each of the 98 subgroups") as u8)
    }

    /// Returns the classes that a text names.
    ///
    /// A text is the unique name of a class, an Allen letter as `allen:R`, or a Schoenflies symbol. A symbol may name
    /// several classes (`C2v` names three). An Allen letter that is not also a symbol needs no `allen:`.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// let names = |text| Class::matching(text).map(|found| found.iter().map(|c| c.name()).collect());
    /// assert_eq!(names("D3d"), Ok(vec!["D3d"]));
    /// assert_eq!(names("allen:R"), Ok(vec!["C3v"]));
    /// assert_eq!(names("C2v"), Ok(vec!["C2v(face,planar)", "C2v(edge)", "C2v(face,diagonal)"]));
    /// ```
    ///
    /// # Errors
    /// If the text names no class. The error lists names that begin alike.
    pub fn matching(text: &str) -> Result<Vec<Self>, ParseClassError> {
        let name = text.trim();
        let letter = |letters: &str| {
            let mut chars = letters.chars();
            let first = chars.next().filter(|_| chars.next().is_none())?.to_ascii_uppercase();
            Self::iter().find(|class| class.allen() == Some(first))
        };
        if let Some(class) = Self::iter().find(|c| c.name().eq_ignore_ascii_case(name)) {
            return Ok(vec![class]);
        }
        let bare: Vec<Self> =
            Self::iter().filter(|c| c.schoenflies().eq_ignore_ascii_case(name)).collect();
        if !bare.is_empty() {
            return Ok(bare);
        }
        if name.eq_ignore_ascii_case("S6") {
            return Self::matching("C3i");
        }
        let allen = match name.split_once(':') {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("allen") => letter(rest),
            Some(_) => None,
            None => letter(name),
        };
        if let Some(class) = allen {
            return Ok(vec![class]);
        }
        let start: String = name.chars().take(2).collect::<String>().to_ascii_lowercase();
        let alike = |name: &&str| {
            !start.is_empty() && name.to_ascii_lowercase().starts_with(start.as_str())
        };
        let near = ROWS.iter().map(|row| row.name).filter(alike).collect();
        Err(ParseClassError { text: text.to_owned(), near })
    }

    fn row(self) -> &'static ClassRow {
        &ROWS[self.0 as usize]
    }

    /// Returns the position among the 33 classes, from 0.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns the unique name, such as `C2v(face,planar)`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the Schoenflies symbol, which up to three classes share.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// // Two classes are called C2: a half turn about an axis through faces, and through edges.
    /// assert_eq!(Class::iter().filter(|class| class.schoenflies() == "C2").count(), 2);
    /// ```
    pub fn schoenflies(self) -> &'static str {
        self.row().schoenflies
    }

    /// Returns the short Hermann–Mauguin symbol.
    pub fn hermann_mauguin(self) -> &'static str {
        self.row().hermann_mauguin
    }

    /// Returns Conway's orbifold symbol.
    pub fn orbifold(self) -> &'static str {
        self.row().orbifold
    }

    /// Returns Bob Allen's letter, if he names this class.
    pub fn allen(self) -> Option<char> {
        self.row().allen
    }

    /// Returns the OEIS sequence of free polycubes of exactly this class.
    pub fn oeis(self) -> &'static str {
        self.row().oeis
    }

    /// Returns a description of the elements.
    pub fn description(self) -> &'static str {
        self.row().description
    }

    /// Describes a figure of this class in everyday words: `mirror symmetric, turns into itself by quarter turns`.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// let words = Class::matching("C4v").unwrap()[0].in_plain_words();
    /// assert_eq!(words, "mirror symmetric, turns into itself by quarter turns");
    /// ```
    pub fn in_plain_words(self) -> String {
        use ElementKind as Kind;
        let number = |kinds: &[Kind]| -> usize {
            kinds.iter().map(|&kind| self.elements_of_kind(kind)).sum()
        };
        let mirrors = number(&[Kind::PlanarReflection, Kind::DiagonalReflection]);
        let half_turns = number(&[Kind::FaceHalfTurn, Kind::EdgeHalfTurn]);
        let turns = match (number(&[Kind::QuarterTurn]), number(&[Kind::ThirdTurn]), half_turns) {
            (0, 0, 0) => "",
            (0, 0, 1) => "turns into itself by a half turn",
            (0, 0, _) => "turns into itself by half turns",
            (0, _, _) => "turns into itself by third turns",
            (_, 0, _) => "turns into itself by quarter turns",
            _ => "turns into itself by quarter and third turns",
        };
        let reflections = match (mirrors, number(&[Kind::Inversion])) {
            (1.., _) => "mirror symmetric",
            (0, 1..) => "symmetric about its center",
            _ if number(&[Kind::QuarterRotoReflection]) > 0 => {
                "a quarter turn gives its mirror image"
            }
            _ => "",
        };
        match (reflections, turns) {
            ("", "") => "no symmetry".to_owned(),
            ("", one) | (one, "") => one.to_owned(),
            _ => format!("{reflections}, {turns}"),
        }
    }

    /// Returns the number of elements of a group of this class.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// // The order of a subgroup divides 48.
    /// assert!(Class::iter().all(|class| 48 % class.order() == 0));
    /// ```
    pub fn order(self) -> usize {
        self.row().profile.iter().map(|&n| usize::from(n)).sum()
    }

    /// Returns the number of elements of a kind in each group.
    ///
    /// ```
    /// use somacat_geometry::symmetry::{Class, ElementKind};
    ///
    /// let tetrahedral = Class::matching("Td").unwrap()[0];
    /// assert_eq!(tetrahedral.elements_of_kind(ElementKind::ThirdTurn), 8);
    /// assert_eq!(tetrahedral.elements_of_kind(ElementKind::DiagonalReflection), 6);
    /// ```
    pub fn elements_of_kind(self, kind: ElementKind) -> usize {
        usize::from(self.row().profile[kind.index()])
    }

    /// Returns the subgroups in this class, ascending by mask.
    ///
    /// ```
    /// use somacat_geometry::symmetry::Class;
    ///
    /// // Quarter turns about each of the three axes.
    /// let groups = Class::matching("C4").unwrap()[0].groups();
    /// assert_eq!(groups.len(), 3);
    /// ```
    pub fn groups(self) -> Vec<Group> {
        Group::subgroups().iter().copied().filter(|g| g.class() == self).collect()
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn two_subgroups_are_of_one_class_exactly_if_they_are_conjugate() {
        for &a in Group::subgroups() {
            for &b in Group::subgroups() {
                let conjugate = Transform::iter().any(|t| a.conjugate(t) == b);
                assert_eq!(conjugate, a.class() == b.class(), "{a:?} and {b:?}");
            }
        }
    }

    /// The number of groups of each class: in the order of the table, which is that of the OEIS.
    #[test]
    fn the_33_classes_partition_the_98_subgroups() {
        let sizes: Vec<usize> = Class::iter().map(|class| class.groups().len()).collect();
        let known = [
            1, 3, 3, 1, 6, 6, 4, 3, 3, 6, 1, 3, 3, 3, 3, 6, 4, 4, 4, 1, 3, 3, 3, 3, 3, 3, 1, 4, 3,
            1, 1, 1, 1,
        ];
        assert_eq!(sizes, known);
        let mut seen: Vec<Group> = Class::iter().flat_map(Class::groups).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 98);
    }

    #[test]
    fn profiles_count_the_elements_of_the_groups() {
        for class in Class::iter() {
            for kind in ElementKind::ALL {
                let of_kind =
                    |group: &Group| group.iter().filter(|&t| ElementKind::of(t) == kind).count();
                let groups = class.groups();
                assert!(groups.iter().all(|group| of_kind(group) == class.elements_of_kind(kind)));
            }
        }
    }

    #[test]
    fn every_symbol_finds_its_class() {
        let mut names: BTreeMap<&str, Class> = BTreeMap::new();
        for class in Class::iter() {
            assert_eq!(names.insert(class.name(), class), None, "{class} twice");
            assert_eq!(Class::matching(class.name()), Ok(vec![class]));
            assert_eq!(Class::matching(&class.name().to_lowercase()), Ok(vec![class]));
            assert!(Class::matching(class.schoenflies()).unwrap().contains(&class));
            if let Some(letter) = class.allen() {
                assert_eq!(Class::matching(&format!("allen:{letter}")), Ok(vec![class]));
            }
            assert_eq!(Class::iter().nth(class.number()), Some(class));
        }
        assert_eq!(Class::iter().filter(|class| class.allen().is_none()).count(), 18);
    }

    /// Hermann–Mauguin and orbifold symbols depend on the Schoenflies symbol, except for the two settings of D2d.
    #[test]
    fn symbols_agree_with_each_other() {
        for a in Class::iter() {
            for b in Class::iter().filter(|b| b.schoenflies() == a.schoenflies()) {
                assert_eq!(a.orbifold(), b.orbifold(), "{a} and {b}");
                assert_eq!(a.order(), b.order(), "{a} and {b}");
                let same = a.hermann_mauguin() == b.hermann_mauguin();
                assert!(same || a.schoenflies() == "D2d", "{a} and {b}");
            }
        }
    }
}
