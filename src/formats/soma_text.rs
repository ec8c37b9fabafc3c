//! SOMA text as people write it: headers, comments and rows, with prose around them.
//!
//! A blank line, a header, a `#` comment or a line of words ends a figure. Between a header, or a first row, and this
//! end each line is a row, a comment, a title, or a fault of the figure. Only between figures there is prose, whose lines
//! are counted. So nothing that may be part of a figure is lost silently.
//!
//! A figure without its own header is a further packing of the figure above if both have the same shape, up to all 48
//! transforms.

use super::blank_line::{BlankLineMerger, Ending};
use super::html::Html;
use super::line_parser::LineParser;
use super::soma_block::{RowBlock, RowStyle};
use super::soma_lines::{
    LineKind, MarkRow, Section, classify, commented_row, is_near_row, is_row_with_slip,
    resembles_row, row_behind, trim,
};
use super::text::{Comments, clip, credit};
use super::{Entry, Fault, FaultReason, Item};
use somacat_geometry::excerpt;
use somacat_geometry::figure::Figure;
use std::collections::VecDeque;

/// Returns `true` for `/SOMA3` without anything behind the name.
fn is_bare_header(text: &str) -> bool {
    match classify(text, Section::Outside) {
        LineKind::Header(header) => header.slash && header.row.is_none() && header.rest.is_empty(),
        _ => false,
    }
}

/// The lines between a header and its first row that are looked at again.
const MAX_BELOW: usize = 20;

/// A header whose figure has not begun.
#[derive(Default)]
struct PendingHeader {
    name: Option<String>,
    rest: Option<String>,
    line: usize,
    slash: bool,
    /// No blank line has followed.
    open: bool,
    /// A commented-out figure has used the name.
    used: bool,
    /// The comments after the header.
    after: Comments,
    /// The comments just above the header.
    before: Comments,
    /// Comments and titles below the header. One may be its first row with a slip.
    below: Vec<(usize, String)>,
}

/// The last figure, to which a headless one may belong.
#[derive(Default)]
struct Previous {
    name: Option<String>,
    variant: usize,
    /// `None` if the figure was faulty.
    figure: Option<Figure>,
    /// Only blank lines and comments have followed.
    adjacent: bool,
    /// The number of marks in a row.
    marks: usize,
}

/// The parser's state between two lines.
#[derive(Default)]
pub(super) struct SomaParser {
    html: Html,
    pending: Option<PendingHeader>,
    block: Option<RowBlock>,
    commented_header: Option<PendingHeader>,
    commented: Option<RowBlock>,
    previous: Previous,
    /// The comments since the last figure.
    loose: Comments,
    /// The comments directly above this line.
    above: Comments,
    /// The comments since the last row.
    trailing: Comments,
    /// A comment, perhaps an empty one, is below the last row.
    commented_since_row: bool,
    /// The line directly above, if it merely resembles a row.
    junk_above: Option<(usize, String)>,
    /// The person that the file's first comments name.
    collector: Option<String>,
    /// Something else than these comments has been read.
    begun: bool,
    /// Figures that a blank line may have cut in two.
    blank_lines: BlankLineMerger,
    /// Lines of prose so far.
    skipped: u64,
}

impl LineParser for SomaParser {
    fn line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>) {
        let mut html = std::mem::take(&mut self.html);
        html.feed(text, |line| self.plain_line(number, line, found));
        self.html = html;
    }

    fn too_long(&mut self, number: usize, found: &mut VecDeque<Item>) {
        self.end_commented(found);
        self.blank_lines.release(found);
        // Rows that follow directly belong to it.
        self.fail(Fault::new(number, FaultReason::LineTooLong));
    }

    fn skipped(&self) -> u64 {
        self.skipped
    }

    fn end(&mut self, found: &mut VecDeque<Item>) {
        self.end_commented(found);
        self.end_block(false, found);
        self.blank_lines.release(found);
        self.end_header(found);
    }
}

impl SomaParser {
    /// Returns what the lines so far allow the next one to be.
    fn section(&self) -> Section<'_> {
        match (&self.block, &self.pending) {
            (Some(block), _) => {
                Section::Rows { widths: block.widths(), spaced: block.style == RowStyle::Spaced }
            }
            (None, Some(header)) if header.open && (header.slash || header.rest.is_none()) => {
                Section::Header
            }
            _ => Section::Outside,
        }
    }

    fn plain_line(&mut self, number: usize, line: &str, found: &mut VecDeque<Item>) {
        let kind = classify(line, self.section());
        let junk_above = self.junk_above.take();
        if !matches!(kind, LineKind::Blank | LineKind::Row(_) | LineKind::Spaced(_)) {
            self.blank_lines.release(found);
        }
        if !matches!(kind, LineKind::Comment { .. }) {
            self.end_commented(found);
        }
        if !self.begun && !matches!(kind, LineKind::Comment { .. }) {
            if !matches!(kind, LineKind::Blank) {
                // The comments belong to the first figure.
                self.collector = None;
            }
            self.begun = !matches!(kind, LineKind::Blank) || self.commented_since_row;
        }
        if self.keeps_row_with_slip(&kind, number, line) {
            return;
        }
        match kind {
            LineKind::Blank => {
                self.end_block(true, found);
                self.above = Comments::default();
                if self.pending.as_ref().is_some_and(|p| !p.slash && p.rest.is_some()) {
                    self.pending = None;
                    self.skipped += 1;
                }
                if let Some(header) = &mut self.pending {
                    header.open = false;
                }
                self.blank_lines.blank(number);
            }
            LineKind::Comment { text, semicolon } => self.comment(number, text, semicolon, found),
            LineKind::Header(header) => {
                // Comments between the last row and the header belong to the header.
                let above = match &self.block {
                    Some(_) => &mut self.trailing,
                    None => &mut self.above,
                };
                let before = std::mem::take(above);
                self.end_block(false, found);
                self.end_header(found);
                self.pending = Some(PendingHeader {
                    name: clip(header.name),
                    rest: clip(header.rest.trim_start_matches(';').trim()),
                    line: number,
                    slash: header.slash,
                    open: true,
                    before,
                    ..PendingHeader::default()
                });
                self.above = Comments::default();
                self.loose = Comments::default();
                if let Some(row) = header.row {
                    self.row(number, row, found);
                }
            }
            LineKind::Row(row) => {
                if let (Some((at, text)), None) = (junk_above, &self.block) {
                    // Avoids silently losing the first row of a figure.
                    self.fail(Fault::new(at, FaultReason::NotARow(text)));
                    self.skipped -= 1;
                }
                self.row(number, row, found);
            }
            LineKind::Spaced(groups) => self.spaced(number, line, &groups),
            LineKind::Faulty(reason) => {
                if matches!(reason, FaultReason::TextInFront { .. }) {
                    self.words(found);
                }
                self.fail(Fault::new(number, reason));
            }
            // Below a figure a rule does no harm, but rows must not follow.
            LineKind::Rule if self.block.is_some() => {
                self.block.iter_mut().for_each(|block| block.interrupt(number, trim(line)));
            }
            LineKind::Caption if matches!(self.section(), Section::Header) => {
                self.header_comment(line.trim());
            }
            LineKind::Caption | LineKind::Rule => {
                self.words(found);
                self.skipped += 1;
            }
            LineKind::Junk => self.junk(number, line, found),
        }
    }

    /// Keeps a comment or a title that may be a row with a slip, until a row follows. Returns `true` if nothing else is to be
    /// done with it.
    fn keeps_row_with_slip(&mut self, kind: &LineKind<'_>, number: usize, line: &str) -> bool {
        if !matches!(kind, LineKind::Comment { .. } | LineKind::Caption) {
            return false;
        }
        match (&mut self.block, &mut self.pending) {
            (Some(block), _) => {
                let is_spaced = block.style == RowStyle::Spaced;
                let is_row = is_row_with_slip(line, block.widths(), is_spaced);
                if is_row {
                    block.interrupt(number, trim(line));
                    self.trailing.push(trim(line).trim_start_matches([';', '#']).trim());
                }
                is_row
            }
            (None, Some(header)) if header.open && header.below.len() < MAX_BELOW => {
                header.below.push((number, excerpt(trim(line))));
                false
            }
            _ => false,
        }
    }

    /// Reports the lines below the header that are like the first row, whose widths are known now.
    fn check_header(&mut self) {
        let Some(block) = self.block.as_mut().filter(|block| block.rows == 1) else { return };
        let Some(header) = &mut self.pending else { return };
        let is_spaced = block.style == RowStyle::Spaced;
        for (number, line) in std::mem::take(&mut header.below) {
            if is_row_with_slip(&line, block.widths(), is_spaced) {
                block.fail(Fault::new(number, FaultReason::NotARow(line)));
            }
        }
        let title = header.rest.as_ref().or(header.name.as_ref()).filter(|_| header.slash);
        if let Some(row) = title.and_then(|title| row_behind(title, block.widths(), is_spaced)) {
            block.fail(Fault::new(header.line, FaultReason::RowInHeader(row)));
        }
    }

    /// Handles a line that is neither words nor a row. Below a figure it may be a row that lost a sign.
    fn junk(&mut self, number: usize, line: &str, found: &mut VecDeque<Item>) {
        let text = excerpt(trim(line));
        if self.previous.adjacent && is_near_row(line, self.previous.marks) {
            return self.fail(Fault::new(number, FaultReason::NotARow(text)));
        }
        self.words(found);
        self.skipped += 1;
        self.junk_above = resembles_row(line).then_some((number, text));
    }

    /// Records a fault of the figure of this line.
    fn fail(&mut self, fault: Fault) {
        match &mut self.block {
            Some(block) => block.fail(fault),
            None => self.block = Some(RowBlock::faulty(fault)),
        }
    }

    /// Makes words below a header its comment.
    fn header_comment(&mut self, text: &str) {
        if let Some(header) = &mut self.pending {
            header.after.push(text);
        }
    }

    fn words(&mut self, found: &mut VecDeque<Item>) {
        self.end_block(false, found);
        self.blank_lines.release(found);
        self.previous.adjacent = false;
        self.above = Comments::default();
    }

    fn row(&mut self, number: usize, row: MarkRow<'_>, found: &mut VecDeque<Item>) {
        // A comment between rows may belong to the figure, or to the next one.
        if std::mem::take(&mut self.commented_since_row)
            && self.block.as_ref().is_some_and(|block| block.ends_before(row))
        {
            let above = std::mem::take(&mut self.trailing);
            self.end_block(false, found);
            self.above = above;
        }
        self.keep_comments();
        let style = if row.slash { RowStyle::Slash } else { RowStyle::NoSlash };
        let block = self.block.get_or_insert_with(|| RowBlock::new(style, number));
        if block.style == RowStyle::Spaced {
            block.fail(Fault::new(number, FaultReason::MixedRows));
        }
        if row.slash {
            block.style = RowStyle::Slash;
        }
        block.remark |= row.remark;
        block.drawn |= row.is_drawn();
        block.push(number, row.groups());
        self.check_header();
    }

    /// Makes the comments since the last row those of the figure, as another row of it follows.
    fn keep_comments(&mut self) {
        let comments = std::mem::take(&mut self.trailing);
        if let Some(block) = &mut self.block {
            block.comments.append(comments);
        }
    }

    fn spaced(&mut self, number: usize, line: &str, groups: &[String]) {
        self.keep_comments();
        let block = self.block.get_or_insert_with(|| RowBlock::new(RowStyle::Spaced, number));
        if block.style == RowStyle::Spaced {
            block.push(number, groups.iter().map(String::as_str));
        } else {
            block.fail(Fault::new(number, FaultReason::NotARow(excerpt(trim(line)))));
        }
        self.check_header();
    }

    fn comment(&mut self, number: usize, text: &str, semicolon: bool, found: &mut VecDeque<Item>) {
        // A header of its own ends the rows above.
        if semicolon && self.block.is_some() && is_bare_header(text) {
            self.end_block(false, found);
        }
        if semicolon && self.block.is_none() && self.commented_line(number, text, found) {
            return;
        }
        if !semicolon {
            // `#` lines are rarely part of a figure: they are page names and headings.
            self.end_block(false, found);
            self.previous.adjacent = false;
        }
        self.commented_since_row = true;
        if !self.begun && self.collector.is_none() {
            self.collector = credit(text).map(str::to_owned);
        }
        let comment = text.trim_start_matches(';');
        if self.block.is_some() {
            self.trailing.push(comment);
        } else if let Some(header) = self.commented_header.as_mut().or(self.pending.as_mut()) {
            header.after.push(comment);
        } else {
            self.loose.push(comment);
            self.above.push(comment);
        }
    }

    /// Handles a comment that is part of a commented-out figure. Returns `false` for any other.
    fn commented_line(&mut self, number: usize, text: &str, found: &mut VecDeque<Item>) -> bool {
        if let LineKind::Header(header) = classify(text, Section::Outside)
            && header.slash
            && header.row.is_none()
        {
            self.end_commented(found);
            self.commented_header = Some(PendingHeader {
                name: clip(header.name),
                rest: clip(header.rest),
                line: number,
                slash: true,
                open: true,
                ..PendingHeader::default()
            });
            return true;
        }
        if let Some(row) = commented_row(text) {
            let block =
                self.commented.get_or_insert_with(|| RowBlock::new(RowStyle::Slash, number));
            block.push(number, row.groups());
            return true;
        }
        if self.commented.is_some() {
            self.end_commented(found);
        }
        false
    }

    fn end_commented(&mut self, found: &mut VecDeque<Item>) {
        let header = self.commented_header.take();
        let Some(block) = self.commented.take() else { return };
        // A single row without its own header is part of a drawing or of an old version.
        if block.rows < 2 && header.is_none() {
            return;
        }
        let header = header.or_else(|| {
            let pending = self.pending.as_mut()?;
            pending.used = true;
            Some(PendingHeader {
                name: pending.name.clone(),
                rest: pending.rest.clone(),
                after: pending.after.clone(),
                before: pending.before.clone(),
                below: Vec::new(),
                ..*pending
            })
        });
        self.emit(block, header, Ending::Comment, found);
    }

    fn end_header(&mut self, found: &mut VecDeque<Item>) {
        let Some(header) = self.pending.take() else { return };
        if header.slash && !header.used {
            let fault = Fault::new(header.line, FaultReason::HeaderWithoutFigure);
            found.push_back(fault.of(header.name));
        }
    }

    /// Ends the rows so far. `blank` if a blank line ends them.
    fn end_block(&mut self, blank: bool, found: &mut VecDeque<Item>) {
        let Some(block) = self.block.take() else { return };
        let ending = if blank { Ending::Blank } else { Ending::Text };
        self.commented_since_row = false;
        // Prose may begin like a header without a slash.
        let has_header = self.pending.as_ref().is_some_and(|p| p.slash || p.rest.is_none());
        match block.style {
            // A rule of dashes below the head of a table, or a fraction or a date in a line of words.
            _ if block.rows == 1 && !has_header && block.is_rule() => {
                self.skipped += 1;
                return;
            }
            RowStyle::NoSlash
                if block.rows == 1
                    && !has_header
                    && !block.is_faulty()
                    && (block.remark || !block.drawn && !self.previous.adjacent) =>
            {
                self.skipped += 1;
                return;
            }
            RowStyle::NoSlash if block.rows == 1 && !has_header && !block.is_faulty() => {
                let fault = Fault::new(block.line, FaultReason::SingleRow);
                return self.emit(RowBlock::faulty(fault), None, ending, found);
            }
            // A table of numbers: without a header, only layers side by side or dots indicate a figure.
            RowStyle::Spaced if !has_header && !is_drawn(&block) && self.previous.adjacent => {
                let fault = Fault::new(block.line, FaultReason::MarksBelow);
                return self.emit(RowBlock::faulty(fault), None, ending, found);
            }
            RowStyle::Spaced if !has_header && !is_drawn(&block) => {
                self.skipped += block.rows as u64;
                return;
            }
            _ => {}
        }
        let header = self.pending.take();
        self.emit(block, header, ending, found);
    }

    fn emit(
        &mut self,
        mut block: RowBlock,
        header: Option<PendingHeader>,
        ending: Ending,
        found: &mut VecDeque<Item>,
    ) {
        let line = header.as_ref().map_or(block.line, |header| header.line);
        let [loose, above, trailing] =
            [&mut self.loose, &mut self.above, &mut self.trailing].map(std::mem::take);
        let inner = std::mem::take(&mut block.comments);
        let (own_name, comments) = match header {
            Some(h) => (Some(h.name), [h.after, h.rest.into(), h.before, inner, trailing]),
            None => (None, [above, loose, inner, trailing, Comments::default()]),
        };
        let headless = own_name.is_none();
        let widths = block.widths().to_vec();
        let marks = widths.iter().sum();
        let result = block.finish();
        let figure = result.as_ref().ok().map(|entry| &entry.figure);
        let belongs = match (&own_name, figure) {
            (Some(name), _) => name.is_some() && *name == self.previous.name,
            (None, figure) => self.belongs(figure),
        };
        let name =
            own_name.unwrap_or_else(|| if belongs { self.previous.name.clone() } else { None });
        let variant = if belongs { self.previous.variant + 1 } else { 1 };
        self.previous = Previous {
            name: name.clone(),
            variant,
            figure: figure.cloned(),
            adjacent: true,
            marks,
        };
        let entry = match result {
            Err(fault) => {
                self.blank_lines.release(found);
                found.push_back(fault.of(name));
                return;
            }
            Ok(entry) => {
                let entry = Entry { line, variant, ..entry }.with_names(name, comments);
                let credit = entry.credit.clone().or_else(|| self.collector.clone());
                Entry { credit, ..entry }
            }
        };
        match ending {
            Ending::Comment => {
                self.blank_lines.release(found);
                found.push_back(Item::Entry(Entry { commented_out: true, ..entry }));
            }
            Ending::Text | Ending::Blank => {
                self.blank_lines.push(entry, &widths, headless, ending, found);
            }
        }
    }

    /// Returns `true` if a headless figure belongs to the one above.
    fn belongs(&self, figure: Option<&Figure>) -> bool {
        let previous = &self.previous;
        if previous.name.is_none() {
            return false;
        }
        match (&previous.figure, figure) {
            (Some(old), Some(new)) => {
                old.len() == new.len() && old.canonical().signature == new.canonical().signature
            }
            // The shape of a faulty figure is unknown, so only the position decides.
            _ => previous.adjacent,
        }
    }
}

fn is_drawn(block: &RowBlock) -> bool {
    let squares = block.rows * block.widths().iter().sum::<usize>();
    block.rows > 1 && (block.widths().len() > 1 || block.cells() < squares)
}
