//! The message for a query without results: its filters and similar names.

use super::filter::suggestion;
use crate::cli::failure::Result;
use somacat_catalog::{Catalog, EnumerationSummary, Filter, NamePattern, Vocabulary};
use somacat_counting::question::Keep;
use somacat_formats::count_noun;

/// Returns the message that nothing matches the filters, with similarly spelled names.
pub(crate) fn no_match(catalog: &Catalog, filter: &Filter) -> Result<String> {
    let db = catalog.path().display();
    let figures = catalog.figure_count()?;
    if figures == 0 {
        return Ok(format!(
            "nothing in {db} matches: it holds no figures yet; `somacat import FILE` or \
             `somacat run` adds some"
        ));
    }
    let phrases = filter.phrases();
    if phrases.is_empty() {
        return Ok(format!("nothing in {db} matches"));
    }
    let mut text = format!(
        "nothing in {db} matches: of its {} none has {}",
        count_noun(figures, "figure"),
        phrases.join(" and ")
    );
    let partial = |summary: &EnumerationSummary| summary.keep != Keep::All;
    if catalog.enumeration_summaries()?.iter().any(partial) {
        text += "; some enumerations keep only a part of their figures, and `somacat query --sql \
                 'SELECT * FROM enumerations'` shows the numbers of all";
    }
    let vocabularies = [Vocabulary::Names, Vocabulary::Sources, Vocabulary::Sets];
    let name = filter.name.as_ref().map(NamePattern::text);
    let spelled = [name, filter.source.as_deref(), filter.set.as_deref()];
    for (wanted, vocabulary) in spelled.into_iter().zip(vocabularies) {
        if let Some(wanted) = wanted {
            text += &suggestion(catalog, vocabulary, wanted)?;
        }
    }
    Ok(text)
}
