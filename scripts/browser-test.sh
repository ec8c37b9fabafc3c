#!/usr/bin/env bash
# Exports a gallery and a newsletter of the starter figures and drives them in headless Chromium.
#
#   scripts/browser-test.sh [SCREENSHOTS]
#
# Takes the program that SOMACAT names, else target/debug/somacat, which it builds. Needs Node.js,
# npm and Chromium at /usr/bin/chromium, or where CHROMIUM says.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
screenshots=${1:+$(realpath -m "$1")}
if [ -z "${SOMACAT:-}" ]; then
    (cd "$here" && cargo build --quiet)
    SOMACAT=$here/target/debug/somacat
fi
program=$(realpath "$SOMACAT")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$program" run --quiet
"$program" export gallery --quiet site
"$program" export gallery --quiet traced --trace 200 --fold 6
"$program" export newsletter --quiet --solvable --sort unique --top 12 --title 'The dozen easiest figures'
cd "$here/tests/browser"
npm ci --no-audit --no-fund --silent
node gallery.mjs "$work/site" "$work/newsletter" "$work/traced" ${screenshots:+"$screenshots"}
