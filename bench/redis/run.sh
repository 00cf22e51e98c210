#!/usr/bin/env bash
# T4 and T5: what admissions, settlements and batches cost on Redis, beside one GCRA script in the same rounds, from 10 to
# 100,000 addresses; then whole gatekeepers over it: one and two instances, a naive broker, latencies, announcements, memory.
#
#   bench/redis/run.sh [ADDRESSES...]
# shellcheck source=bench/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
need redis-server
need redis-cli
build

port=$((20000 + RANDOM % 20000))
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null &
pids+=($!)
sleep 1
timeout 1200 java -cp "$class_path" io.paceline.bench.RedisBench "redis://127.0.0.1:$port" "$@"
redis-cli -p "$port" flushall >/dev/null
timeout 600 java -Xmx1g -Dseconds="${SECONDS_EACH:-4}" -Drounds="${ROUNDS:-3}" -cp "$class_path" \
  io.paceline.bench.RedisInstances "redis://127.0.0.1:$port"
