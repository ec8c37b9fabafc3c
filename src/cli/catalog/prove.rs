//! `somacat catalog prove`: stores short proofs of figures that cannot be built.

use crate::cli::failure::{Failure, Result};
use crate::cli::runs::run::progress;
use crate::cli::shared::filter::{FilterArgs, filters_without_set, with_known_set};
use crate::cli::shared::no_match::no_match;
use crate::cli::{Exit, Global, stop_on_signals};
use clap::Args;
use somacat_catalog::{Catalog, Filter, ProofDemand, RunEnd, Session};
use somacat_formats::{count_noun, shell_command};
use somacat_geometry::figure::Signature;
use somacat_output::dossier::look_up_in;
use somacat_output::export::Spelling;
use somacat_run::VERSION;
use somacat_run::{FoundProofs, find_proofs};
use std::collections::HashSet;

/// Find and store short proofs that figures cannot be built
#[derive(Args, Debug)]
#[command(after_help = "\
Looks for marks or cases, as `somacat prove` does, for figures that only a search ruled out: those
with a name, the given ones, or all that pass the filters. The catalog stores each proof, or that
there is none so short, so that the same command continues where it was stopped and proves nothing
twice. A plan with `prove = true` does the same for its figures.

The column `proof` of the view `figures` has the kind of each row's proof, and `query --proof marks`
finds the rows of a kind. `somacat verify` checks the stored proofs with independent code.

Examples:
  somacat catalog prove
  somacat catalog prove W-wall chaise-lounge
  somacat catalog prove --order 6
  somacat query --proof marks")]
pub(crate) struct CatalogProveArgs {
    /// Names or signatures of figures.
    #[arg(value_name = "FIGURE", conflicts_with_all = filters_without_set())]
    figures: Vec<String>,
    #[command(flatten)]
    filter: FilterArgs,
}

pub(crate) fn catalog_prove(global: &Global, args: &CatalogProveArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    // Read-only: neither a mistyped name nor a catalog with all its proofs changes anything.
    let catalog = Catalog::open_read_only(&global.db)?;
    let filters = filters(&catalog, args)?;
    let mut all = ProofDemand::default();
    for (name, filter) in &filters {
        let ProofDemand { impossible, missing } = catalog.proof_demand(filter)?;
        if impossible == 0 {
            return match name {
                Some(name) => Err(Failure::failed(format!(
                    "{name} has no row in {} that says that it cannot be built; there is nothing to prove",
                    global.db.display()
                ))),
                None if args.filter.phrases().is_empty() => {
                    global.note(
                        "nothing to do: of the figures with a name, none is known to have no packing",
                    );
                    Ok(Exit::Ok)
                }
                None => {
                    let unsolvable = Filter { unsolvable: true, ..filter.clone() };
                    Err(Failure::failed(no_match(&catalog, &unsolvable)?))
                }
            };
        }
        all.impossible += impossible;
        all.missing += missing;
    }
    if all.missing == 0 {
        let figures = count_noun(all.impossible, "figure");
        global.note(&format!(
            "nothing to do: {figures} without a packing, and none is left to prove"
        ));
        return Ok(Exit::Ok);
    }
    drop(catalog);
    let mut session = Session::begin(&global.db, &text(args), &VERSION)?;
    for (_, filter) in &filters {
        session.add_impossible(filter)?;
    }
    match find_proofs(&mut session, stop, &progress(global, None)) {
        Err(error) => {
            session.end(RunEnd::Failed(&error.to_string()))?;
            Err(error.into())
        }
        Ok(found) => {
            let done = found.values().sum::<u64>() >= all.missing;
            session.end(if done { RunEnd::Finished } else { RunEnd::Stopped })?;
            let stopped = if done { "" } else { "; stopped early, the same command continues" };
            global.note(&format!("{}{stopped}", in_words(&found)));
            Ok(if done { Exit::Ok } else { Exit::Stopped })
        }
    }
}

/// Returns a filter for each given figure, with its name, or the one of the options.
fn filters(catalog: &Catalog, args: &CatalogProveArgs) -> Result<Vec<(Option<String>, Filter)>> {
    let filter = with_known_set(catalog, &args.filter)?;
    let (mut filters, mut given) = (Vec::new(), HashSet::new());
    for name in &args.figures {
        let named = || Ok::<_, Failure>(look_up_in(catalog, name, None)?.rows);
        let signatures = match name.parse::<Signature>() {
            Ok(signature) => vec![signature],
            Err(_) => named()?.into_iter().map(|row| row.figure.signature).collect(),
        };
        for signature in signatures {
            // Several names, or one given twice, may be of one figure.
            if !given.insert(signature.clone()) {
                continue;
            }
            let filter = Filter { signature: Some(signature), ..filter.clone() };
            filters.push((Some(name.clone()), filter));
        }
    }
    if filters.is_empty() {
        let named = args.filter.phrases().is_empty();
        filters.push((None, Filter { named, ..filter }));
    }
    Ok(filters)
}

/// Returns the command as the list of runs shows it.
fn text(args: &CatalogProveArgs) -> String {
    let text = shell_command("catalog prove", &args.figures);
    match args.filter.phrases() {
        phrases if phrases.is_empty() => text,
        phrases => format!("{text} ({})", phrases.join(" and ")),
    }
}

fn in_words(found: &FoundProofs) -> String {
    let kinds = found.iter().filter_map(|(kind, number)| Some((kind.as_ref()?, number)));
    let mut parts: Vec<String> =
        kinds.map(|(kind, number)| format!("{number} by {}", kind.word())).collect();
    parts.extend(found.get(&None).map(|number| format!("{number} only by a search")));
    let figures = count_noun(found.values().sum::<u64>(), "figure");
    match parts.is_empty() {
        true => format!("{figures} proved"),
        false => format!("{figures} proved: {}", parts.join(", ")),
    }
}
