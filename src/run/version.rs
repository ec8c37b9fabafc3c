//! The version of this build.

use std::sync::LazyLock;

/// The state of the sources according to git: a tag `v0.1.0`, `v0.1.0-5-g1a2b3c4` after one, or a commit; `-modified`
/// follows if files differ. Empty outside a repository.
const DESCRIBED: &str = env!("SOMACAT_DESCRIBED");

/// The version of this build: `0.1.0` for a release, else with the commit, such as `0.1.0+1a2b3c4`.
///
/// Units and catalogs name it.
pub static VERSION: LazyLock<String> =
    LazyLock::new(|| full_version(env!("CARGO_PKG_VERSION"), DESCRIBED));

/// Returns the full version of a build. It combines the version of the package with git's description of the sources.
pub fn full_version(version: &str, described: &str) -> String {
    let tag = described.strip_prefix('v').and_then(|rest| rest.strip_prefix(version));
    match tag.unwrap_or(described).trim_start_matches('-') {
        "" => version.to_owned(),
        build => format!("{version}+{}", build.replace('-', ".")),
    }
}
