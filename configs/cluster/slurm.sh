#!/usr/bin/env bash
#SBATCH --job-name=e2
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@120
# A run on whole hosts of a Slurm cluster: sbatch configs/cluster/slurm.sh runs/NAME [OPTIONS of e2 solve]
#
# The folder of runs is on a disk that all hosts share, or at least on the first one. Submit it again to go on.
set -euo pipefail

run=${1:?folder of the run}
shift
umask 077
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH=$HOME/.ray/e2-$SLURM_JOB_ID
mkdir -p "$HOME/.ray"
head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > "$RAY_AUTH_TOKEN_PATH"
trap 'rm -f "$RAY_AUTH_TOKEN_PATH"' EXIT
export RAY_grpc_client_keepalive_time_ms=10000 RAY_grpc_client_keepalive_timeout_ms=10000
export RAY_health_check_period_ms=2000 RAY_health_check_timeout_ms=4000 RAY_health_check_failure_threshold=4
# Starts of Ray on many hosts at once are slow.
export RAY_SYMMETRIC_RUN_CLUSTER_WAIT_TIMEOUT=300

head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
port=$((6379 + SLURM_JOB_ID % 1000)) # another job may have the usual one
command=(e2 solve --out "$run" "$@")
[ ! -d "$run" ] || command=(e2 resume "$run")

# Slurm's signal two minutes before the end goes to this script, which hands it on: the run stops with everything kept.
srun --kill-on-bad-exit=0 ray symmetric-run --address "$head:$port" --min-nodes "$SLURM_JOB_NUM_NODES" \
    --num-cpus="${SLURM_CPUS_ON_NODE:-1}" -- "${command[@]}" --address "$head:$port" &
running=$!
trap 'kill -TERM "$running"' TERM
wait "$running" || wait "$running"
