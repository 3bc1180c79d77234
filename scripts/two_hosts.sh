#!/usr/bin/env bash
# Two hosts with a cable between them, on one machine: to pull the cable and the plug of a real Ray cluster.
#
#   two_hosts.sh DIR up             make them; DIR keeps what belongs to them
#   two_hosts.sh DIR on N COMMAND   run a command on host 1 or 2, in this folder and with this environment
#   two_hosts.sh DIR head           start Ray's head on host 1, with one core
#   two_hosts.sh DIR join           start Ray on host 2, with one core; what ran there before is ended
#   two_hosts.sh DIR cut            pull the cable: packets vanish, nobody is told
#   two_hosts.sh DIR mend           plug it in again
#   two_hosts.sh DIR off N          power off a host, also without a word to the other
#   two_hosts.sh DIR down           remove all
#
# A host is a process, the first of its own PID namespace, with a network, a host name, a /tmp/ray and a /dev/shm of its
# own. It takes all that with it when it is killed. Between the hosts is a third one, the switch, so that neither loses its
# address with the other. Files, and so the token and the kernels' cache, are shared. Needs root, iproute2 and util-linux;
# E2_PYTHON names the Python that has e2 (default: python3). RAY_* variables are passed on.
set -euo pipefail

dir=$(mkdir -p "$1" && cd "$1" && pwd)
what=$2
shift 2
ray=$(dirname "$(command -v "${E2_PYTHON:-python3}")")/ray

ip_of() { echo "198.18.0.$1"; } # a range that is set aside for tests of networks
pid_of() { cat "$dir/$1/pid"; }

on() {
    local pid
    pid=$(pid_of "$1")
    shift
    RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH=$dir/token RAY_USAGE_STATS_ENABLED=0 \
        nsenter --target "$pid" --net --uts --pid --mount -- \
        bash -c 'cd "$1" && shift && exec "$@"' here "$PWD" "$@"
}

boot() { # N or switch: start the first process; it waits until it is killed
    mkdir -p "$dir/$1/ray" /tmp/ray
    setsid unshare --net --uts --pid --mount --fork --kill-child bash -c '
        echo "e2-host-$2" > /proc/sys/kernel/hostname
        mount --make-rprivate /
        mount -t proc proc /proc
        mount --bind "$1/$2/ray" /tmp/ray
        mount -t tmpfs -o size=1g tmpfs /dev/shm
        ip link set lo up
        touch "$1/$2/up"
        while true; do sleep 3600 & wait; done' host "$dir" "$1" > "$dir/$1/log" 2>&1 < /dev/null &
    local outside=$!
    for _ in $(seq 100); do
        [ -e "$dir/$1/up" ] && break
        sleep 0.05
    done
    [ -e "$dir/$1/up" ] || { cat "$dir/$1/log" >&2; return 1; }
    pgrep --parent "$outside" > "$dir/$1/pid"
}

start_ray() { # N OPTIONS
    local host=$1
    shift
    on "$host" "$ray" start "$@" --node-ip-address="$(ip_of "$host")" --num-cpus=1 --object-store-memory=100000000 \
        --disable-usage-stats > "$dir/$host/ray.log" 2>&1 || {
        cat "$dir/$host/ray.log" >&2
        return 1
    }
}

case $what in
up)
    (umask 077 && head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' > "$dir/token")
    boot switch
    on switch ip link add bridge9 type bridge
    on switch ip link set bridge9 up
    for host in 1 2; do
        boot "$host"
        ip link add eth9 netns "$(pid_of "$host")" type veth peer name "port$host" netns "$(pid_of switch)"
        on switch ip link set "port$host" master bridge9 up
        on "$host" ip address add "$(ip_of "$host")/24" dev eth9
        on "$host" ip link set eth9 up
    done
    ;;
on) on "$@" ;;
head) start_ray 1 --head --port=6379 --include-dashboard=false ;;
join)
    on 2 "$ray" stop --force > "$dir/2/stop.log" 2>&1 || true
    start_ray 2 --address="$(ip_of 1):6379"
    ;;
cut) on switch ip link set port2 down ;;
mend) on switch ip link set port2 up ;;
off) # the cable goes first: a dying process would close its connections, which a host without power cannot
    on switch ip link set "port$1" down
    kill -9 "$(pid_of "$1")"
    ;;
down)
    for host in 1 2 switch; do
        [ ! -s "$dir/$host/pid" ] || kill -9 "$(pid_of "$host")" 2> /dev/null || true
    done
    rm -rf "$dir"
    ;;
*)
    sed -n '2,/^set/p' "$0" >&2
    exit 2
    ;;
esac
