#!/usr/bin/env bash
# Checks types and rules of the pages' scripts. Exports galleries and a newsletter of the starter figures and drives them in
# headless Chromium; then looks at pages in Firefox.
#
#   scripts/browser-test.sh [SCREENSHOTS]
#
# docs/images/gallery.png must show the same as the gallery; RENEW=1 replaces it.
# Uses the program in SOMACAT, by default target/debug/somacat, which it builds. Needs Node.js, npm, and Chromium or its
# headless shell, which takes less time; CHROMIUM can name another. Without them it is skipped. FIREFOX can name another Firefox;
# without one, the last step is skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/needs.sh"
need node "Debian's package nodejs"
need npm
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)} ||
    skip "Chromium (Debian's package chromium-headless-shell, or name one in CHROMIUM)"
export CHROMIUM
if [ -n "${1:-}" ]; then
    mkdir -p "$1"
    SCREENSHOTS=$(cd "$1" && pwd)
    export SCREENSHOTS
fi
find_somacat "$here"
program=$SOMACAT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/tests/browser" && npm ci --no-audit --no-fund --silent --omit=optional)
node "$here/tests/browser/scripts.mjs" "$here/src/output/export/site" "$here/src/output/export/pages"
cd "$work"
"$program" run --quiet
"$program" export gallery --quiet site --solutions 300
"$program" export newsletter --quiet --solvable --sort unique --top 12 --title 'The dozen easiest figures'
"$program" export newsletter --quiet mixed --layout 4 --no-numbers --issue 'Issue 7' --date 2027-05-01 \
    --figure tower,s1-3x5x5-041je1tzbge9g40,cube,s1-5x5x5-000400awe026ec80e7a004000,wall
"$program" export newsletter --quiet cards --layout cards --no-numbers --solvable --sort unique --top 11
"$program" export newsletter --quiet few-1 --figure wall
"$program" export newsletter --quiet few-5 --layout 1 --figure tower,SOMA-double-001,W-wall,SOMA-plus-001,disjoint
"$program" export newsletter --quiet grid6 --layout 6 --solvable --top 7
"$program" export newsletter --quiet grid12 --layout 12 --solvable --top 14
# With a map of the cube.
"$program" export soma --quiet --name cube cube.soma
printf 'title = "maps"\nimport = ["cube.soma"]\nmap = true\n' >maps.toml
"$program" run --quiet maps.toml
"$program" export gallery --quiet traced --steps 200 --fold 6
PICTURE=$here/docs/images/gallery.png node "$here/tests/browser/gallery.mjs" "$program" site traced
node "$here/tests/browser/page.mjs" "$program" "$here/catalog/figures"
node "$here/tests/browser/newsletter.mjs" newsletter mixed cards grid6 grid12 few-1 few-5
FIREFOX=${FIREFOX:-$(command -v firefox-esr || command -v firefox)} ||
    skip "Firefox (Debian's package firefox-esr, or name one in FIREFOX) for its last step; all before is done"
export FIREFOX
node "$here/tests/browser/firefox.mjs" site somacat.html
