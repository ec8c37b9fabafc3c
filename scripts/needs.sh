# shellcheck shell=bash
# Read by the scripts that test somacat with other programs. Where such a program is missing, the script says which, and
# is skipped. With SOMACAT_SKIP=no, as in `.ci/run`, it fails instead.

# Ends the script because something that it needs is missing.
skip() {
    if [ "${SOMACAT_SKIP:-}" = no ]; then
        echo "$(basename "$0") needs $1" >&2
        exit 1
    fi
    echo "skipped: $(basename "$0") needs $1"
    exit 0
}

# Ends the script if a program is missing. Its second argument says where to get it, by default from Debian's package of
# the same name.
need() {
    local source=${2:-"Debian's package $1"}
    command -v "$1" >/dev/null || skip "$1 ($source)"
}

need_uv() { need uv https://docs.astral.sh/uv; }

# Sets SOMACAT to the full path of the program to test: the one that SOMACAT names, or a debug build of the checkout.
find_somacat() {
    if [ -z "${SOMACAT:-}" ]; then
        (cd "$1" && cargo build --quiet)
        SOMACAT=$1/target/debug/somacat
    fi
    SOMACAT=$(realpath "$SOMACAT")
    export SOMACAT
}
