#!/usr/bin/env bash
# T4: what an admission and a settlement cost on Redis, beside one GCRA script in the same rounds, from 10 to 100,000 addresses.
#
#   bench/redis/run.sh [ADDRESSES...]
# shellcheck source=bench/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
need redis-server
build

port=$((20000 + RANDOM % 20000))
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null &
pids+=($!)
sleep 1
timeout 1200 java -cp "$class_path" io.paceline.bench.RedisBench "redis://127.0.0.1:$port" "$@"
