#!/usr/bin/env bash
# Tests that a plan processed on a real queue with disturbances equals an undisturbed run.
#
#     scripts/cluster-test.sh
#
# Starts a Slurm of two nodes on the loopback interface, with its own munge key, and processes a plan with
# scripts/slurm.sh. First all jobs are canceled. A node's daemon is killed with its jobs, then the controller. A task is
# asked to stop, another one is requeued, a part is damaged. Then it runs scripts/parallel.sh with two ssh daemons, one
# of which is killed, and scripts/Snakefile, which is killed, too. All files are in a temporary folder, and no process
# remains after a failure. It takes about three minutes.
#
# Uses the program in SOMACAT, by default target/debug/somacat, which it builds. Needs root,
# uv (https://docs.astral.sh/uv) and, on Debian:
# apt-get install --no-install-recommends slurm-wlm munge parallel openssh-server
# Without them it is skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/needs.sh"
[ "$(id -u)" = 0 ] || skip 'root, because munged and slurmd run as root here'
need munged "Debian's package munge"
for program in slurmctld slurmd sbatch; do need "$program" "Debian's package slurm-wlm"; done
need parallel
need sshd "Debian's package openssh-server"
need_uv
find_somacat "$here"
work=$(mktemp -d /tmp/somacat-cluster.XXXXXX)
chmod 755 "$work"
# Everything started below has this in its environment, by which it is found at the end.
export SOMACAT_CLUSTER_TEST=$work
export SLURM_CONF=$work/slurm.conf

# Prints the processes that have a line in their environment, except this shell and its helpers.
ours() {
    local pid
    for pid in $({ grep -lzxF "$1" /proc/[0-9]*/environ || true; } 2>/dev/null | cut -d / -f 3); do
        [ "$pid" = "$$" ] || [ "$pid" = "$BASHPID" ] || [ ! -e "/proc/$pid" ] || echo "$pid"
    done
}
tidy() {
    code=$?
    trap - EXIT INT TERM HUP
    set +e
    if [ "$code" != 0 ]; then
        echo "--- failed with $code" >&2
        tail -n 40 "$work"/log/* "$work"/slurm/logs/* >&2 2>/dev/null
    fi
    timeout 5 scancel --full --user=root 2>/dev/null
    for _ in 1 2 3 4 5; do
        # An ssh daemon writes its title over its environment; its command line names the folder.
        pids="$(ours "SOMACAT_CLUSTER_TEST=$work") $(grep -lFf - /proc/[0-9]*/cmdline 2>/dev/null <<<"$work" | cut -d / -f 3)"
        [ -n "${pids// /}" ] || break
        # shellcheck disable=SC2086 # Several numbers.
        kill -KILL $pids 2>/dev/null
        sleep 0.3
    done
    rm -rf "$work"
    exit "$code"
}
trap tidy EXIT
trap 'exit 130' INT TERM HUP

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
# Waits until a command succeeds, for a given number of seconds at most.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || { echo "timeout: $*" >&2; return 1; }
        sleep 0.2
    done
}
free_port() {
    local port
    while port=$((20000 + RANDOM % 20000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

# The cluster.
cd "$work"
mkdir -m 755 log state sock spool-n1 spool-n2
mkdir -m 700 munge
host=$(hostname -s)
dd if=/dev/urandom of=munge/key bs=1024 count=1 status=none
chmod 400 munge/key
munged --key-file="$work/munge/key" --socket="$work/sock/munge" --pid-file="$work/munge/pid" \
    --log-file="$work/log/munged" --seed-file="$work/munge/seed" --force 2>>log/start
cat >slurm.conf <<CONF
ClusterName=somacat
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# The time for which a task that requeued itself waits.
AuthInfo=socket=$work/sock/munge,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/state/slurmctld.pid
SlurmdPidFile=$work/state/slurmd-%n.pid
SlurmctldLogFile=$work/log/slurmctld
SlurmdLogFile=$work/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
SlurmdParameters=config_overrides
MpiDefault=none
SwitchType=switch/none
KillWait=5
SlurmdTimeout=10
InactiveLimit=0
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=4000 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
controller() { slurmctld "$@" 2>>"$work/log/start"; }
node() { slurmd -N "$1" -c 2>>"$work/log/start"; }
idle() { [ "$(sinfo --noheader --Node --format=%T 2>/dev/null | grep -c idle)" = 2 ]; }
controller -c
node n1
node n2
within 40 idle
say "two nodes are up"

# The plan, and one undisturbed run of it.
mkdir slurm parallel snakemake whole
for folder in slurm parallel snakemake whole; do
    cp "$here/catalog/figures/symmetry.soma" "$folder"
    cat >"$folder/plan.toml" <<'PLAN'
title = "cluster test"
import = ["symmetry.soma"]
keep = "solvable"

[[symmetric]]
cells = 27
class = ["C2h(face)", "C2v(face,planar)", "C2v(edge)"]
exact = true
within = "5x5x5"

[[symmetric]]
cells = 27
class = ["C4", "S4"]
exact = true

[[census]]
sides = "2x3x5"
PLAN
done
export SOMACAT_UNITS="--count 10 --quiet"
(cd whole && "$SOMACAT" run plan.toml --quiet)
exports() { for format in csv jsonl soma; do "$SOMACAT" export "$format" "$1.$format" --db "$1" --quiet; done; }
exports whole/somacat.db
compare() {
    "$SOMACAT" catalog diff whole/somacat.db "$1/somacat.db" --csv --quiet | tail -n +2
    exports "$1/somacat.db"
    for format in csv jsonl soma; do cmp "whole/somacat.db.$format" "$1/somacat.db.$format"; done
    say "$1: the catalog equals that of the undisturbed run"
}
say "the undisturbed run is done"

# Slurm.
submit() { (cd slurm && "$here/scripts/slurm.sh" plan.toml --cpus-per-task=1 "$@"); }
finished() { find "$work/$1/parts" -name '[0-9]*' ! -name '*.*' 2>/dev/null | wc -l; }
some_finished() { [ "$(finished "$1")" -ge "$2" ]; }
at_work_on() { [ -n "$(ours "SLURMD_NODENAME=$1")" ] && ls slurm/parts/*.unfinished >/dev/null 2>&1; }
# A restarted controller may not recognize a task that it started just before it was killed, and
# drain the node. An administrator would resume the node.
resume_drained() {
    local node
    for node in n1 n2; do
        ! sinfo --noheader --nodes="$node" --format=%T 2>/dev/null | grep -q drain ||
            scontrol update NodeName="$node" State=RESUME 2>/dev/null || true
    done
}
# A task that could not start on such a node is held until someone releases it, and so is the merge until a part is
# damaged.
release_held() {
    local task reason
    squeue --noheader --array --states=PENDING --format='%i %r' 2>/dev/null | while read -r task reason; do
        case $reason in *[Hh]eld*) scontrol release "$task" 2>/dev/null || true ;; esac
    done
}
no_jobs() { resume_drained; release_held; local queue; queue=$(squeue --noheader 2>/dev/null) && [ -z "$queue" ]; }
# A task on the second node, which is not lost.
a_task() { squeue --noheader --name=somacat --states=RUNNING --nodelist=n2 --format=%i 2>/dev/null | head -n 1; }
for option in time merge-time; do
    refused=0
    (cd slurm && "$here/scripts/slurm.sh" plan.toml "--$option=1") 2>log/short || refused=$?
    [ "$refused" = 2 ] && grep -q -- "write --$option=11" log/short
done
say "time limits as short as the grace are refused"
submit --time=10 --merge-time=7 --merge-mem=300M --throttle=2
scontrol show job --oneliner "$(squeue --noheader --name=somacat-merge --format=%i)" >log/merge-options
grep -q "TimeLimit=00:07:00 .*MinMemoryNode=300M" log/merge-options
within 60 at_work_on n2
scancel --name=somacat
scancel --name=somacat-merge
within 60 no_jobs
! grep -s "queued again" slurm/logs/*.log || exit 1
"$SOMACAT" merge slurm/units.txt slurm/parts --totals --partial --csv >log/partial 2>&1
cat log/partial
"$SOMACAT" units --status slurm/units.txt slurm/parts --csv
unfinished=$("$SOMACAT" units --status slurm/units.txt slurm/parts --unfinished | wc -l)
[ "$unfinished" -gt 0 ]
say "all jobs are canceled and do not return; $unfinished units are unfinished"
submitted=$SECONDS
submit | tee log/submit
# On a fast machine, all units may be finished before a part is damaged.
scontrol hold "$(squeue --noheader --name=somacat-merge --format=%i)"
grep -E "options of the tasks: .*--mem=[0-9]+M .*--time=[0-9]+" log/submit
grep -E "options of the merge: --mem=[0-9]+M --time=[0-9]+" log/submit
within 60 at_work_on n2
# Like a stop before the time limit.
stop_a_task() {
    ! grep -qs "queued again" slurm/logs/task-*.log || return 0
    local task
    task=$(a_task)
    [ -n "$task" ] || return 1
    # scancel would retry until the task restarts.
    timeout 1 scancel --batch --signal=USR1 "$task" 2>/dev/null || true
    sleep 0.5
    return 1
}
within 60 stop_a_task
say "a task was asked to stop and has requeued itself"
requeue_a_task() { local task; task=$(a_task) && [ -n "$task" ] && scontrol requeue "$task" 2>/dev/null; }
within 60 requeue_a_task
say "a task is requeued"
within 60 at_work_on n1
# Kills the daemon of a node and its jobs like a power failure; the processes that would report it
# come first.
kill -KILL "$(cat state/slurmd-n1.pid)"
jobs=$(ours SLURMD_NODENAME=n1)
for pid in $jobs; do
    parent=$(sed -n 's/^PPid:\t//p' "/proc/$pid/status" 2>/dev/null) || continue
    [ "$(cat "/proc/$parent/comm" 2>/dev/null)" != slurmstepd ] || kill -KILL "$parent" 2>/dev/null || true
done
# shellcheck disable=SC2086 # Several numbers.
kill -KILL $jobs 2>/dev/null || true
say "node n1 is killed with its jobs; $(finished slurm) units are finished"
lost() { sinfo --noheader --nodes=n1 --format=%T 2>/dev/null | grep -q down; }
within 60 lost
# A controller killed within some seconds of a submission may lose its jobs.
while [ $((SECONDS - submitted)) -lt 10 ]; do sleep 0.5; done
kill -KILL "$(cat state/slurmctld.pid)"
say "the controller is killed; $(finished slurm) units are finished"
sleep 1
controller
node n1
within 120 some_finished slurm 2
damaged=$(find slurm/parts -name '[0-9]*' ! -name '*.*' | sort | head -n 1)
# A byte in the middle is another one; the length stays.
middle=$(($(stat --format=%s "$damaged") / 2))
old=$(od --address-radix=n --format=u1 --skip-bytes=$middle --read-bytes=1 "$damaged")
printf "\\x$(printf %x $((old ^ 1)))" | dd of="$damaged" bs=1 seek=$middle conv=notrunc status=none
say "$damaged is damaged, with its length unchanged"
within 300 no_jobs
# A killed controller may forget jobs; then the merge lists the missing units.
grep -E "$(basename "$damaged"): is damaged|units have no part" slurm/logs/merge.log
[ ! -e slurm/somacat.db ]
say "the merge has refused it; $(finished slurm) of $(wc -l <slurm/units.txt) units are finished"
submit
within 200 no_jobs
compare slurm
(cd slurm && sbatch --wait --array=1-3 --output=logs/verify-%a.log \
    --wrap "$SOMACAT verify --nodes 100000 --shard \$SLURM_ARRAY_TASK_ID/3")
grep verified slurm/logs/verify-*.log

# GNU parallel on two machines.
mkdir -m 755 -p ssh /run/sshd
ssh-keygen -q -t ed25519 -N '' -f ssh/host
ssh-keygen -q -t ed25519 -N '' -f ssh/key
for machine in one two; do
    port=$(free_port)
    cat >"ssh/$machine.conf" <<CONF
ListenAddress 127.0.0.1:$port
HostKey $work/ssh/host
PidFile $work/ssh/$machine.pid
AuthorizedKeysFile $work/ssh/key.pub
StrictModes no
UsePAM no
PermitRootLogin yes
# A home without the user's shell start-up files, which may be slow or leave a lock when killed.
SetEnv HOME=$work SOMACAT_CLUSTER_TEST=$work SOMACAT_MACHINE=$machine
CONF
    "$(command -v sshd || echo /usr/sbin/sshd)" -f "$work/ssh/$machine.conf" -E "$work/log/sshd-$machine"
    cat >>ssh/config <<CONF
Host $machine
    HostName 127.0.0.1
    Port $port
    IdentityFile $work/ssh/key
    IdentitiesOnly yes
    UserKnownHostsFile /dev/null
    StrictHostKeyChecking no
    LogLevel ERROR
CONF
    echo "1/ssh -F $work/ssh/config $machine" >>machines
done
listens() { ssh -F "$work/ssh/config" "$1" true 2>/dev/null; }
within 20 listens one
within 20 listens two
on_machine() { [ -n "$(ours "SOMACAT_MACHINE=$1")" ] && ls parallel/parts/*.unfinished >/dev/null 2>&1; }
(cd parallel && "$here/scripts/parallel.sh" plan.toml ../machines) >log/parallel 2>&1 &
running=$!
within 60 on_machine one
kill -KILL "$(cat ssh/one.pid)"
# shellcheck disable=SC2046 # Several numbers.
kill -KILL $(ours SOMACAT_MACHINE=one) 2>/dev/null || true
say "machine one is killed; $(finished parallel) units are finished"
wait "$running" || code=$?
case ${code:-0} in
    0) ;;
    75)
        say "$(tail -n 1 log/parallel)"
        tail -n 1 machines >left
        (cd parallel && "$here/scripts/parallel.sh" plan.toml ../left) >>log/parallel 2>&1
        ;;
    *) exit 1 ;;
esac
compare parallel

# Snakemake, killed with its workers and started again.
uv venv --quiet python
uv pip install --quiet --python python snakemake==9.27.1
snakemake() {
    SOMACAT_MACHINE=snakemake "$work/python/bin/snakemake" -s "$here/scripts/Snakefile" --directory snakemake --cores 2 --quiet \
        --config plan=plan.toml "somacat=$SOMACAT" "units=$SOMACAT_UNITS" "$@"
}
snakemake >log/snakemake 2>&1 &
within 120 sh -c 'ls snakemake/parts/*.unfinished >/dev/null 2>&1'
# shellcheck disable=SC2046 # Several numbers.
kill -KILL $(ours SOMACAT_MACHINE=snakemake) 2>/dev/null || true
say "Snakemake is killed; $(finished snakemake) units are finished"
snakemake --unlock >>log/snakemake 2>&1
snakemake >>log/snakemake 2>&1
compare snakemake
say "done"
