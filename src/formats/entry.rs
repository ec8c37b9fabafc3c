//! A figure as written in a file.

use super::packing::name_pieces;
use super::text::{self, Comments, shorten};
use super::{Fault, Marks, PuzzleSetError, TextLayout, Warning};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::pieces::PieceSet;

/// A figure as it stands in a file, with its name, its comments and its marks.
///
/// ```
/// use somacat_formats::{Item, Reader};
///
/// let text = "crosses: 0,0,0 1,0,0\n";
/// let Item::Entry(entry) = Reader::new(text.as_bytes(), None)?.next().expect("an entry")? else {
///     panic!("no entry");
/// };
/// assert_eq!((entry.name.as_deref(), entry.line), (Some("crosses"), 1));
/// assert_eq!(entry.figure.extents(), [2, 1, 1]);
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name: `SOMA001` of a header `/SOMA001`, or the text before a colon. At most [`super::MAX_NAME_CHARS`]
    /// characters. It is not unique: a file may repeat a name, and numbers restart in every file.
    pub name: Option<String>,
    /// The number among consecutive figures of the same name, from 1. Figures after the first are usually further
    /// packings.
    pub variant: usize,
    /// The comment that serves as a title, at most [`super::MAX_NAME_CHARS`] characters.
    pub title: Option<String>,
    /// The maker that a comment names, as in `A castle by Emily`. Otherwise the maker that the file's first lines name.
    pub credit: Option<String>,
    /// The comments that are not the title, at most [`super::MAX_NAME_CHARS`] characters.
    pub note: Option<String>,
    /// The line of the header or the first row, counted from 1.
    pub line: usize,
    /// The cells, in the orientation of the text: x is the character, y the line, z the group.
    pub figure: Figure,
    /// The colors of the cells. A [`super::Reader`] refuses them unless it is told that they are obeyed.
    pub colors: Option<Box<FigureColors>>,
    /// The cells by mark, if the marks claim to be pieces. The coordinates are those of the figure. Never empty.
    /// [`super::assess`] checks the claim.
    pub claim: Option<Marks>,
    /// The cells by mark, if several marks claim to be pieces only with a set that has pieces of these names.
    pub(super) marks: Option<Box<Marks>>,
    /// The pieces already in place, by mark. `None` unless all other cells have one mark for free cells. Marks for free
    /// cells are `* # o O x X + ? @`. Never empty, and each mark names a piece.
    pub placed: Option<Marks>,
    /// The pieces that the file itself lists for the figure, as a BurrTools problem does, or why they are not a set.
    pub pieces: Option<Box<Result<PieceSet, PuzzleSetError>>>,
    /// `true` if the whole entry is in comments. Impossible figures sometimes are.
    pub commented_out: bool,
    /// The lines of the rows with cells.
    pub layout: TextLayout,
    /// Blank lines that may have cut the figure into parts.
    pub blank_line: Option<Box<BlankLine>>,
    /// The reader's changes.
    pub warnings: Vec<Warning>,
}

impl Entry {
    /// Creates an entry with a figure and nothing else.
    pub(super) fn new(line: usize, figure: Figure) -> Self {
        Self {
            name: None,
            variant: 1,
            title: None,
            credit: None,
            note: None,
            line,
            figure,
            colors: None,
            claim: None,
            marks: None,
            placed: None,
            pieces: None,
            commented_out: false,
            layout: TextLayout::default(),
            blank_line: None,
            warnings: Vec::new(),
        }
    }

    /// Returns `true` if some cells of the figure may stay empty.
    pub fn has_optional_cells(&self) -> bool {
        self.colors.as_ref().is_some_and(|colors| colors.has_optional())
    }

    /// Returns the cells by mark, if the marks claim to be pieces of a set.
    ///
    /// ```
    /// use somacat_formats::{Item, Reader};
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let text = "/SOMA1\n/VVD\n/V.D\n";
    /// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
    /// assert_eq!(entry.claim_with(&PieceSet::soma(1)).map(Vec::len), Some(2));
    /// # Ok::<(), somacat_formats::ReadError>(())
    /// ```
    pub fn claim_with(&self, set: &PieceSet) -> Option<&Marks> {
        self.claim.as_ref().or(self.marks.as_deref().filter(|marks| name_pieces(marks, set)))
    }

    /// Returns the pieces in place, by mark. `None` if the marks claim to be a packing with the set, in which one of
    /// them is a piece and not the mark for free cells.
    ///
    /// ```
    /// use somacat_formats::{Item, Reader};
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let text = "/SOMA1\n/VVD\n/VOD\n/OOO\n";
    /// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
    /// assert!(entry.placed_with(&PieceSet::soma(1)).is_some());
    /// # Ok::<(), somacat_formats::ReadError>(())
    /// ```
    pub fn placed_with(&self, set: &PieceSet) -> Option<&Marks> {
        self.placed.as_ref().filter(|_| self.claim_with(set).is_none())
    }

    /// Sets the name, and title, credit and note from comments, in which people write what they like. The most
    /// important place is first. Removes e-mail addresses and cuts texts to their maximum length.
    pub(super) fn with_names(
        self,
        name: Option<String>,
        comments: impl IntoIterator<Item = Comments>,
    ) -> Self {
        let (title, credit, note) = text::title_credit_and_note(comments);
        self.with_texts(text::without_addresses(name), [title, credit, note])
    }

    /// Sets the name, the title, and the maker that the title names. Removes e-mail addresses and cuts texts to their
    /// maximum length.
    pub(super) fn with_title(self, name: Option<String>, title: Option<String>) -> Self {
        let [name, title] = [name, title].map(text::without_addresses);
        let credit = title.as_deref().and_then(text::credit).map(str::to_owned);
        self.with_texts(name, [title, credit, None])
    }

    /// Sets the name, and title, credit and note. Cuts texts to their maximum length, with a warning.
    pub(super) fn with_texts(
        mut self,
        name: Option<String>,
        [title, credit, note]: [Option<String>; 3],
    ) -> Self {
        (self.name, self.title, self.credit, self.note) = (name, title, credit, note);
        let line = self.line;
        let texts = [
            (&mut self.name, Warning::LongName { line }),
            (&mut self.title, Warning::LongTitle { line }),
            (&mut self.credit, Warning::LongCredit { line }),
            (&mut self.note, Warning::LongNote { line }),
        ];
        let cut = texts.into_iter().filter_map(|(text, warning)| shorten(text).then_some(warning));
        self.warnings = cut.collect();
        self
    }

    /// Returns `true` if the cells of the figure, or of the pieces that the file lists for it, have colors.
    pub(super) fn is_colored(&self) -> bool {
        let pieces = self.pieces.as_deref().and_then(|pieces| pieces.as_ref().ok());
        self.colors.is_some() || pieces.is_some_and(PieceSet::is_colored)
    }

    /// Returns true if cells have colors other than that of cells that may stay empty.
    pub(super) fn has_true_colors(&self) -> bool {
        let pieces = self.pieces.as_deref().and_then(|pieces| pieces.as_ref().ok());
        self.colors.as_ref().is_some_and(|colors| !colors.are_gaps())
            || pieces.is_some_and(PieceSet::is_colored)
    }

    /// Returns a label: `SOMA001`, `SOMA001 (2)`, or `crosses.txt 3` without a name.
    pub fn label(&self, source: &str, number: u64) -> String {
        match (&self.name, self.variant) {
            (None, _) => super::unnamed_label(source, number),
            (Some(name), 0 | 1) => name.clone(),
            (Some(name), variant) => format!("{name} ({variant})"),
        }
    }
}

/// An item that a [`super::Reader`] yields.
///
/// ```
/// use somacat_formats::{Item, Reader};
///
/// let text = "1,2,3 1,2,4\n1,2,3 1,2\n1,2,3 1,2,3\n";
/// let items: Vec<Item> = Reader::new(text.as_bytes(), None)?.collect::<Result<_, _>>()?;
/// assert!(matches!(&items[..], [Item::Entry(_), Item::Fault(_), Item::Fault(_)]));
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Entry(Entry),
    /// A fault. The reader skips the figure.
    Fault(Fault),
}

impl Fault {
    /// Returns the fault as an item of the figure with this name.
    pub(super) fn of(self, mut name: Option<String>) -> Item {
        text::shorten(&mut name);
        Item::Fault(Self { name, ..self })
    }
}

/// The blank lines between rows that may belong to one figure. The groups above and below have the same widths, there
/// is no header in between, and the shapes differ.
///
/// ```
/// use somacat_formats::{Item, Reader};
///
/// // The blank line was typed by mistake: both halves are figures, of three and of two cells.
/// let text = "/SOMA1\n/VVD\n\n/V.D\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// let blank_line = entry.blank_line.as_deref().expect("the rows have the same width");
/// assert_eq!((entry.figure.len(), blank_line.cells, &blank_line.lines[..]), (3, 5, &[3][..]));
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlankLine {
    /// The lines, counted from 1. Not empty.
    pub lines: Vec<usize>,
    /// The cells of the figure without all these lines.
    pub cells: usize,
}
