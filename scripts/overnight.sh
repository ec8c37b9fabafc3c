#!/bin/sh
# Continue a plan or do nothing: made to be called again and again, by cron, by a timer, by hand.
#
#     scripts/overnight.sh PLAN [option of `somacat run` ...]
#
# Everything that is printed is appended to somacat.log, the log in JSON lines to somacat.jsonl, both
# in the working directory. A run that is already going on, and a run that was stopped, are fine: the
# exit code is 0. It is 3 or 1 as with `somacat run` if figures or the run failed, 127 if there is no such
# program.
#
#     SOMACAT          the program, `somacat` if not set
#     SOMACAT_SECONDS  stop tidily after so many seconds, to leave the machine in the morning
#
# From cron, every quarter of an hour at night:
#
#     */15 22-23,0-5 * * * cd "$HOME/soma" && SOMACAT_SECONDS=3000 /path/to/overnight.sh plan.toml

set -u

if [ $# -lt 1 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

somacat=${SOMACAT:-somacat}
# Only what this call adds to the log is looked at below.
: >>somacat.log || exit 1
before=$(wc -c <somacat.log)

# Stopping this script stops the run tidily, and waits until it has written everything down.
running= signaled=
trap 'signaled=yes; [ -z "$running" ] || kill -TERM "$running" 2>/dev/null' INT TERM HUP

set -- "$somacat" run "$@" --log somacat.jsonl
[ -z "${SOMACAT_SECONDS:-}" ] || set -- timeout --preserve-status --signal=TERM "$SOMACAT_SECONDS" "$@"
nice "$@" >>somacat.log 2>&1 &
running=$!
wait "$running"
code=$?
# A signal ends `wait` before it ends the run.
while [ -n "$signaled" ]; do
    signaled=
    wait "$running"
    code=$?
done
said() { tail -c "+$((before + 1))" somacat.log; }

case $code in
    75) exit 0 ;;
    1) if said | grep -q 'another program is writing to catalog'; then exit 0; fi ;;
esac
# What cron sends by mail.
[ "$code" -eq 0 ] || said | tail -n 20 >&2
exit "$code"
