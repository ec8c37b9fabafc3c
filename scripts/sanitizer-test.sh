#!/usr/bin/env bash
# Runs the tests of the files with `unsafe` code under AddressSanitizer: the vector instructions of the search and of
# the census, each compared with portable code, and whole searches with masks of each width. Takes a minute, half of it
# to compile without optimization.
#
# The stable compiler has the sanitizer's runtime on Linux and macOS, but accepts the option only with RUSTC_BOOTSTRAP.
# Without the runtime, the script is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
compgen -G "$(rustc --print target-libdir)/librustc*_rt.asan.*" >/dev/null || skip "a Rust compiler with AddressSanitizer"
target=$(rustc --print host-tuple)
export RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address
names=(mask_list_ops_tests shortcut_tests::dominoes census::sets::disjoint census::meet_in_the_middle::join)
sanitized() {
    cargo test --quiet --package somacat-counting --lib --target "$target" --target-dir target/sanitizer \
        --config 'profile.dev.package."*".opt-level=0' \
        --config profile.dev.package.somacat-counting.opt-level=0 --config profile.dev.package.somacat-geometry.opt-level=0 \
        --config profile.dev.package.somacat-counting.codegen-units=16 \
        --config profile.dev.package.somacat-counting.debug-assertions=true \
        -- "$@"
}
# No test is left out because its file has moved.
listed=$(sanitized --list)
for name in "${names[@]}"; do
    grep -q "$name.*: test$" <<<"$listed" || { echo "no unit test is called $name; change names in $0" >&2; exit 1; }
done
sanitized "${names[@]}"
