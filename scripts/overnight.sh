#!/bin/sh
# Continues a plan or does nothing, for repeated calls by cron, by a timer or by hand.
#
#     scripts/overnight.sh PLAN [option of `somacat run` ...]
#
# Appends all messages to somacat.log and the log in JSON lines to somacat.jsonl, both in the working
# directory. The exit code is 0 if the run is done, if it was stopped, or if another one is in progress.
# A run is done even if entries were refused or figures failed; somacat.log names them. The exit code is
# 1 if the run failed, 5 if results contradict each other, and 127 if the program does not exist.
#
#     SOMACAT          the program, by default `somacat`
#     SOMACAT_SECONDS  time after which the run is stopped cleanly, to free the machine in the morning
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
# Only lines added by this call are examined below.
: >>somacat.log || exit 1
before=$(wc -c <somacat.log)

# Stopping this script stops the run cleanly and waits until all results are written.
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
    3 | 75) exit 0 ;;
    1) if said | grep -q 'another program is writing to catalog'; then exit 0; fi ;;
esac
# cron sends this by mail.
[ "$code" -eq 0 ] || said | tail -n 20 >&2
exit "$code"
