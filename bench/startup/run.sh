#!/usr/bin/env bash
# T7: from the start of the process to the ready line, with 12 and with 10,000 addresses, and the memory it then holds.
#
#   ROUNDS=5 bench/startup/run.sh
#   SERVE="./paceline serve" bench/startup/run.sh     measures the launcher; it gets --config FILE
# shellcheck source=bench/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
if [ -z "${SERVE:-}" ]; then build; fi

for count in 12 10000; do
  for i in $(seq 1 "$count"); do echo "http://user$i:secret@10.0.$((i / 250)).$((i % 250)):8080"; done >"$work/proxies.txt"
  cat >"$work/paceline.yaml" <<YAML
api: { listen: "127.0.0.1:0" }
proxy: { listen: "127.0.0.1:0" }
pools: [ { name: default, addresses: [ { file: "$work/proxies.txt" } ] } ]
YAML
  : >"$work/seconds"
  : >"$work/rss"
  : >"$work/cpu"
  for _ in $(seq 1 "${ROUNDS:-5}"); do
    before=$(date +%s%N)
    if [ -n "${SERVE:-}" ]; then
      # shellcheck disable=SC2086 # a command with its arguments
      start serve $SERVE --config "$work/paceline.yaml" --data "$work/data"
    else
      start serve java -cp "$class_path" io.paceline.bench.Serve "$work/paceline.yaml"
    fi
    after=$(date +%s%N)
    pid=${pids[-1]}
    echo "$(((after - before) / 1000000))" >>"$work/seconds"
    # Processor time, for a machine that is shared: user and system ticks of 10 ms.
    awk '{ print ($14 + $15) * 10 }' "/proc/$pid/stat" >>"$work/cpu"
    sleep 3
    awk '/VmRSS/ { print int($2 / 1024) }' "/proc/$pid/status" >>"$work/rss"
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    unset 'pids[-1]'
  done
  echo "$count addresses: ready after $(median <"$work/seconds") ms ($(median <"$work/cpu") ms of processor time), $(median <"$work/rss") MB resident when idle"
done
