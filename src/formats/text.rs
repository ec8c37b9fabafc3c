//! Names and titles of a file, shortened for storage.

use super::MAX_NAME_CHARS;

/// Trims a name or title and limits its length. `None` if it is empty. The final length is set when the figure is
/// complete. Keeps one character more than the maximum, so that [`shorten`] can detect a longer text.
pub(super) fn clip(text: &str) -> Option<String> {
    let text = text.trim();
    let end = text.char_indices().nth(MAX_NAME_CHARS + 1).map_or(text.len(), |(at, _)| at);
    (!text.is_empty()).then(|| text[..end].to_owned())
}

/// Cuts a clipped text to its final length. Returns `true` if it was too long.
pub(super) fn shorten(text: &mut Option<String>) -> bool {
    let Some(text) = text else { return false };
    let end = text.char_indices().nth(MAX_NAME_CHARS).map(|(at, _)| at);
    if let Some(end) = end {
        text.truncate(end);
    }
    end.is_some()
}

/// Words of sentences and of remarks. The remarks are on a figure, its solutions and the work on it. Chinese words
/// match anywhere.
const REMARK_WORDS: &str = " i'm i've we you it it's its is isn't are was were be been that this these but see \
    seen shown note ps aka solution solutions solve solves solved solvable unsolvable alternative alternate version \
    stable unstable impossible possible proven similar identical thanks collection easy easiest hard hardest tough \
    wanted update updated work works help min mins minute minutes hour hours ";
const CHINESE_REMARK_WORDS: [&str; 3] = ["分钟", "答案", "一样"];

const MAX_TITLE_WORDS: usize = 8;

/// Returns whether a comment is a remark and not a title: a date, a link, a sentence, or a note on solutions. Readers
/// take it for a note.
pub fn is_remark(comment: &str) -> bool {
    let signs = |c: char| !c.is_alphanumeric();
    let word_of = |word: &str| format!(" {} ", word.trim_matches(signs).to_lowercase());
    let words: Vec<&str> =
        comment.split(char::is_whitespace).filter(|word| !word.chars().all(signs)).collect();
    // `#7 rests on #2`, `~20 minutes`
    let is_number = |word: &str| {
        word.strip_prefix(['#', '~', '<', '>'])
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    !comment.contains(char::is_alphabetic)
        || comment.contains("://")
        || comment.starts_with("www.")
        || comment.ends_with(['?', ':'])
        || comment.ends_with("!!")
        || comment.ends_with('.') && words.len() > 2 && !comment.ends_with("..")
        || words.len() > MAX_TITLE_WORDS
        || words.first().is_some_and(|word| ["for", "to", "like"].contains(word))
        || words.iter().any(|word| is_number(word))
        || words.iter().any(|word| REMARK_WORDS.contains(&word_of(word)))
        || CHINESE_REMARK_WORDS.iter().any(|word| comment.contains(word))
}

/// Returns the title in a comment: the comment without a date in front, and without a remark after a dash or a gap.
/// `None` if it is a remark.
pub(super) fn title(comment: &str) -> Option<String> {
    let comment = without_date(comment.trim());
    let mut end = comment.len();
    for gap in [" - ", "  "] {
        if let Some(at) = comment[..end].find(gap)
            && is_remark(&comment[at..end])
        {
            end = at;
        }
    }
    let title = without_quotes(comment[..end].trim());
    (!is_remark(title)).then(|| title.to_owned())
}

/// Removes quotation marks around the whole text.
fn without_quotes(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(text)
}

/// Removes a date such as `28.1.1999` from the beginning.
pub(super) fn without_date(text: &str) -> &str {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let parts: Vec<&str> = word.split(['.', '-', '/']).collect();
    let is_number = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
    let widths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let is_date = parts.iter().all(is_number)
        && matches!(widths[..], [1 | 2, 1 | 2, 2 | 4] | [4, 1 | 2, 1 | 2]);
    if is_date { rest.trim_start() } else { text }
}

/// The most comments of one place that are kept. As many do not fit into a note, whose cut is reported.
const MAX_COMMENTS: usize = MAX_NAME_CHARS;

/// The comments of one place in a figure, such as those above its rows.
#[derive(Clone, Default)]
pub(super) struct Comments(Vec<Comment>);

#[derive(Clone)]
struct Comment {
    /// Without e-mail addresses, and clipped.
    text: String,
    /// An e-mail address stood in it. The words next to one are not a title.
    with_address: bool,
    /// It is the first of its place, the only one that may be the title.
    is_first: bool,
}

impl Comments {
    pub(super) fn push(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.0.len() == MAX_COMMENTS {
            return;
        }
        let with_address = text.split(char::is_whitespace).any(is_address);
        let text = without_addresses(Some(text.to_owned())).as_deref().and_then(clip);
        let (text, is_first) = (text.unwrap_or_default(), self.0.is_empty());
        self.0.push(Comment { text, with_address, is_first });
    }

    /// Adds comments that are further down, none of which may be the title.
    pub(super) fn append(&mut self, further: Self) {
        let room = MAX_COMMENTS - self.0.len();
        let further = further.0.into_iter().take(room);
        self.0.extend(further.map(|comment| Comment { is_first: false, ..comment }));
    }
}

impl From<Option<String>> for Comments {
    fn from(text: Option<String>) -> Self {
        let mut comments = Self::default();
        comments.push(text.as_deref().unwrap_or_default());
        comments
    }
}

/// Returns title, maker and note of a figure from its comments. The most important place is first. The note has the
/// comments with other words than title and maker, clipped.
pub(super) fn title_credit_and_note(
    places: impl IntoIterator<Item = Comments>,
) -> (Option<String>, Option<String>, Option<String>) {
    let comments = places.into_iter().flat_map(|place| place.0);
    let comments: Vec<Comment> = comments.filter(|comment| !comment.text.is_empty()).collect();
    let mut titles =
        comments.iter().filter(|c| c.is_first && (!c.with_address || c.text.contains(" by ")));
    let found_title = titles.find_map(|comment| title(&comment.text));
    let person = |comment: &'_ Comment| {
        let name = without_date(&comment.text).trim();
        let capital = |word: &str| word.starts_with(char::is_uppercase);
        (comment.with_address && name.split(' ').all(capital)).then(|| name.to_owned())
    };
    let maker_in = |is_first: bool| {
        let mut places = comments.iter().filter(|comment| comment.is_first == is_first);
        places.find_map(|c| credit(&c.text).map(str::to_owned).or_else(|| person(c)))
    };
    let maker = maker_in(true).or_else(|| maker_in(false));
    let mut notes: Vec<&str> = Vec::new();
    for Comment { text, .. } in &comments {
        let words = without_quotes(without_date(text).trim());
        let known = [&found_title, &maker].iter().any(|known| known.as_deref() == Some(words));
        if !known && !notes.contains(&text.as_str()) {
            notes.push(text);
        }
    }
    let note = clip(&notes.join("; "));
    (found_title, maker, note)
}

/// Removes e-mail addresses, to keep them out of catalogs and pages. `None` if nothing else is left.
pub(super) fn without_addresses(text: Option<String>) -> Option<String> {
    let text = text?;
    if !text.contains('@') {
        return Some(text);
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !is_address(word)).collect();
    clip(&words.join(" "))
}

/// Returns whether a word is an e-mail address. It may be in brackets or before a punctuation mark.
fn is_address(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = word.strip_prefix("mailto:").unwrap_or(word);
    word.split_once('@').is_some_and(|(user, domain)| {
        let plain = |c: char| c.is_alphanumeric() || ".-_+%".contains(c);
        !user.is_empty() && domain.contains('.') && user.chars().chain(domain.chars()).all(plain)
    })
}

/// Returns the maker that a title names: the name after the last `by`. The name begins with a capital letter. It
/// ends with the title, or at a comma, a semicolon, a bracket, dots, a date or a wider space.
pub(super) fn credit(title: &str) -> Option<&str> {
    let word = |at: usize| {
        let (before, rest) = (&title[..at], title.get(at + 2..)?);
        let apart = before.chars().next_back().is_none_or(char::is_whitespace)
            && rest.starts_with(char::is_whitespace);
        apart.then(|| rest.trim_start())
    };
    let by = title.char_indices().rev().filter(|(_, c)| matches!(c, 'b' | 'B'));
    let mut by =
        by.filter(|(at, _)| title[*at..].get(..2).is_some_and(|w| w.eq_ignore_ascii_case("by")));
    let rest = by.find_map(|(at, _)| word(at))?;
    let (rest, quoted) = rest.strip_prefix('"').map_or((rest, false), |rest| (rest, true));
    let end = if quoted {
        rest.find('"')
    } else {
        let ends =
            [",", ";", "(", "[", "..", "  ", "\t"].into_iter().filter_map(|end| rest.find(end));
        ends.chain(rest.find(|c: char| c.is_ascii_digit())).min()
    };
    let name = rest[..end.unwrap_or(rest.len())].trim().trim_end_matches('.');
    name.chars().next().filter(|first| first.is_uppercase()).map(|_| name)
}

#[cfg(test)]
mod tests {
    use super::{credit, title, title_credit_and_note, without_addresses};

    #[test]
    fn addresses_are_removed_and_other_signs_kept() {
        for (text, left) in [
            ("28.1.1999  Ann Lee  0386-0001@t-online.de", Some("28.1.1999  Ann Lee")),
            ("by Ann <ann.lee+soma@example.org>, 1999", Some("by Ann 1999")),
            ("see mailto:ann@example.org.", Some("see")),
            ("ann@example.org", None),
            ("3 @ home. Or 5@once", Some("3 @ home. Or 5@once")),
        ] {
            assert_eq!(without_addresses(Some(text.to_owned())).as_deref(), left, "{text}");
        }
    }

    #[test]
    fn a_remark_is_not_a_title() {
        for (comment, left) in [
            ("The tower", Some("The tower")),
            ("9.1.1999 Ears - Cat", Some("Ears - Cat")),
            ("Old gate - Solution 2", Some("Old gate")),
            ("Old gate I   This is a solution to 'X12'", Some("Old gate I")),
            ("Small castle (5 pieces) by Emily", Some("Small castle (5 pieces) by Emily")),
            ("Gold, Silver!", Some("Gold, Silver!")),
            ("\"barn\"", Some("barn")),
            ("\"Barn\" and \"house\"", Some("\"Barn\" and \"house\"")),
            ("Solution 1", None),
            ("12.1.1999", None),
            ("~2分钟", None),
            ("WONT WORK Somebody HELP !!", None),
            ("https://example.org/soma", None),
            ("#7 holds #5 & #6", None),
            ("aka X617", None),
            ("alternate solution to 'the gate'", None),
            ("A whole cube, and parts of another.", None),
            ("One of the many that my friends and I built", None),
        ] {
            assert_eq!(title(comment).as_deref(), left, "{comment}");
        }
    }

    #[test]
    fn words_beside_an_address_name_a_person() {
        let read = |text: &str| {
            let (title, credit, _) = title_credit_and_note([Some(text.to_owned()).into()]);
            (title, credit)
        };
        assert_eq!(read("2.1.1999  Ann Lee  0386@t-online.de"), (None, Some("Ann Lee".to_owned())));
        assert_eq!(read("write to ann@example.org"), (None, None));
    }

    #[test]
    fn a_note_has_the_other_comments_without_addresses() {
        let note = |comments: &[&str]| {
            let (.., note) =
                title_credit_and_note(comments.iter().map(|text| Some((*text).to_owned()).into()));
            note
        };
        assert_eq!(note(&["A heart by Emily"]), None);
        assert_eq!(note(&["\"barn\""]), None);
        assert_eq!(
            note(&["WONT WORK Somebody HELP !!"]).as_deref(),
            Some("WONT WORK Somebody HELP !!")
        );
        assert_eq!(
            note(&["Gate", "Solution 1", "see ann@example.org"]).as_deref(),
            Some("Solution 1; see")
        );
        assert_eq!(note(&["Gate - it is unstable"]).as_deref(), Some("Gate - it is unstable"));
        assert_eq!(note(&["Ann Lee ann@example.org"]), None);
        assert_eq!(
            note(&["no. ".repeat(400).as_str()]).map(|note| note.chars().count()),
            Some(1001)
        );
    }

    #[test]
    fn a_title_names_the_maker() {
        for (title, maker) in [
            ("A heart by Emily", Some("Emily")),
            ("Intruder by Emily  update...", Some("Emily")),
            ("Seen by many, drawn BY Anna Ørsted, who found it", Some("Anna Ørsted")),
            ("Explained by \"Steven Mai\"  13.8.2002", Some("Steven Mai")),
            ("by Émile J. 2003", Some("Émile J")),
            ("Built by hand", None),
            ("Bybridge", None),
            ("A lobby B", None),
            ("by", None),
            ("ü by", None),
            ("Baby Elephant", None),
        ] {
            assert_eq!(credit(title), maker, "{title}");
        }
    }
}
