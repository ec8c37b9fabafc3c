#!/usr/bin/env bash
# Builds the program for pages: crate `page`, compiled to WebAssembly. The file lies in the repository, because a build
# of the program embeds it and needs no second target. The same toolchain makes the same bytes in any folder.
#
#     scripts/page.sh          replaces src/output/export/site/somacat.wasm.gz
#     scripts/page.sh check    compares what it contains
#
# Needs the compiler below and `rustup target add wasm32-unknown-unknown`; without them it is skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
compiler=1.95.0
target=wasm32-unknown-unknown
file=$here/src/output/export/site/somacat.wasm.gz
case $(rustc --version) in
"rustc $compiler "*) ;;
*) echo "skipped: $0 needs rustc $compiler, which made the file"; exit 0 ;;
esac
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    echo "skipped: $0 needs the target $target (rustup target add $target)"
    exit 0
fi
cd "$here"
# No path of this machine may be in the file: panics name the file and line of their code.
home=${CARGO_HOME:-$HOME/.cargo}
export RUSTFLAGS="--remap-path-prefix=$home=/cargo --remap-path-prefix=$here=/somacat"
# One unit with all crates, without the code that unwinds, is half as large. The searches are as fast as they are in the
# program.
cargo build --quiet --release --package somacat-page --target "$target" --target-dir target/page \
    --config 'profile.release.opt-level="s"' --config profile.release.lto=true \
    --config profile.release.codegen-units=1 --config 'profile.release.panic="abort"' \
    --config profile.release.strip=true --config profile.release.package.somacat-counting.opt-level=3 \
    --config profile.release.package.somacat-geometry.opt-level=3
built=target/page/$target/release/somacat_page.wasm
if [ "${1:-}" = check ]; then
    gzip --decompress --stdout "$file" | cmp "$built" - || {
        echo "$file differs from what the sources give; scripts/page.sh makes it again" >&2
        exit 1
    }
else
    gzip --best --no-name --stdout "$built" >"$file"
    ls -l "$file"
fi
