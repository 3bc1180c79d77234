#!/usr/bin/env bash
# A run as a Ray job, so that it outlives the terminal: configs/cluster/job.sh http://HEAD:8265 NAME [OPTIONS of e2 solve]
#
# Needs the dashboard on the head (`pip install "ray[default]"`, ray start without --include-dashboard=false) and e2 on
# every host. Runs lie on the head, in E2_RUNS (default: ~/runs). The job goes on with the run if there is one.
set -euo pipefail

dashboard=${1:?http://HEAD:8265}
name=${2:?name of the run}
shift 2
run=${E2_RUNS:-\$HOME/runs}/$name
options=
[ $# = 0 ] || options=$(printf '%q ' "$@")

# A job finds its cluster by RAY_ADDRESS, which Ray sets.
exec ray job submit --address "$dashboard" --submission-id "e2-$name-$(date +%s)" --no-wait -- \
    bash -c "if [ -d \"$run\" ]; then e2 resume \"$run\"; else e2 solve --out \"$run\" $options; fi"
