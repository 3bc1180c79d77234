#!/usr/bin/env bash
# Hosts that are there already: the first command on one of them, the second on each of the others.
#
#   configs/cluster/static.sh head
#   configs/cluster/static.sh join HEAD
#
# Every host has the same Python, Ray and e2, and the same token. Make it once and copy it to the others:
#   (umask 077 && mkdir -p ~/.ray && openssl rand -hex 32 | tr -d '\n' > ~/.ray/auth_token)
# A host with several networks, or without a route to the internet, needs its address: E2_NODE_IP=10.0.0.7 static.sh ...
# Then, on any of them: e2 cluster check --address HEAD:6379 && e2 solve --address HEAD:6379 --config configs/hour.toml
set -euo pipefail

export RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH=${RAY_AUTH_TOKEN_PATH:-$HOME/.ray/auth_token}
# A host whose cable is pulled is noticed in 20 to 30 seconds; by default Ray takes minutes.
export RAY_grpc_client_keepalive_time_ms=10000 RAY_grpc_client_keepalive_timeout_ms=10000
export RAY_health_check_period_ms=2000 RAY_health_check_timeout_ms=4000 RAY_health_check_failure_threshold=4

[ -s "$RAY_AUTH_TOKEN_PATH" ] || { echo "no token in $RAY_AUTH_TOKEN_PATH" >&2; exit 2; }
chmod 600 "$RAY_AUTH_TOKEN_PATH"
here=${E2_NODE_IP:+--node-ip-address=$E2_NODE_IP}
case ${1:-} in
head) exec ray start --head --port=6379 ${here:+"$here"} --include-dashboard=false --disable-usage-stats ;;
join)
    # A host that was cut off ends its Ray when the link is back, and has to join again: so it is started for ever.
    while true; do
        ray start --address="${2:?HEAD}:6379" ${here:+"$here"} --disable-usage-stats --block || true
        sleep 5
    done
    ;;
*)
    sed -n '2,11p' "$0" >&2
    exit 2
    ;;
esac
