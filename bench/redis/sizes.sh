#!/usr/bin/env bash
# The unit costs of docs/scale.md: what an address, a cell, a lease, a session and a limit take in Redis, and what goes over the wire.
#
#   bench/redis/sizes.sh [COUNT]
# shellcheck source=bench/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
need redis-server
build

port=$((20000 + RANDOM % 20000))
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null &
pids+=($!)
sleep 1
timeout 1200 java -cp "$class_path" io.paceline.bench.RedisSizes "redis://127.0.0.1:$port" "$@"
