//! What a question without an answer is told: what was looked for, and what comes near.

use super::filter::FilterArgs;
use super::nearest::Nearest;
use crate::catalog::{Catalog, CatalogError};

/// Where each of the words that can be misspelled comes from.
const SPELLED: [&str; 3] = [
    "SELECT DISTINCT label FROM name WHERE label IS NOT NULL",
    "SELECT label FROM source UNION SELECT label FROM enumeration",
    "SELECT name FROM piece_set",
];

/// Says that nothing matches, among how many figures, for which filters, and what is spelled alike.
pub(super) fn nothing_matches(
    catalog: &Catalog,
    filter: &FilterArgs,
) -> Result<String, CatalogError> {
    let db = catalog.path().display();
    let mut figures = 0_u64;
    catalog.select_sql::<CatalogError>("SELECT count(*) FROM figure", |values| {
        figures = values.first().cloned().flatten().and_then(|n| n.parse().ok()).unwrap_or(0);
        Ok(())
    })?;
    if figures == 0 {
        return Ok(format!(
            "nothing in {db} matches: it holds no figures yet; `somacat import FILE` or \
             `somacat run` fills it"
        ));
    }
    let words = filter.words();
    if words.is_empty() {
        return Ok(format!("nothing in {db} matches"));
    }
    let mut told = format!(
        "nothing in {db} matches: of its {figures} figures none has {}",
        words.join(" and ")
    );
    for (wanted, sql) in filter.spelled().into_iter().zip(SPELLED) {
        // What is found by itself was spelled well, and another filter leaves it out.
        let Some(wanted) = wanted else { continue };
        let wanted = wanted.trim_matches(['*', '?']);
        let (mut nearest, mut known) = (Nearest::to(wanted, 5), false);
        catalog.select_sql::<CatalogError>(sql, |values| {
            let word = values.first().cloned().flatten().unwrap_or_default();
            known |= word.eq_ignore_ascii_case(wanted);
            nearest.consider(&word);
            Ok(())
        })?;
        if !known {
            told += &nearest.suggestion();
        }
    }
    Ok(told)
}
