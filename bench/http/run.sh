#!/usr/bin/env bash
# T3: /acquire and /release over HTTP on the memory store, beside a bare Vert.x JSON echo; wrk on the same machine.
#
#   ROUNDS=5 SECONDS_EACH=6 CONNECTIONS=64 bench/http/run.sh
# shellcheck source=bench/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
need wrk
build
here=$root/bench/http

for i in $(seq 1 1000); do echo "http://user$i:secret@10.0.0.1:8080"; done >"$work/proxies.txt"
cat >"$work/paceline.yaml" <<YAML
api: { listen: "127.0.0.1:0" }
proxy: { listen: "127.0.0.1:0" }
pools: [ { name: default, addresses: [ { file: "$work/proxies.txt" } ], max_leases: 100 } ]
rules: [ { name: pace, pattern: "*", limit: 1000000, window: 1s, burst: 100000, concurrency: 100000 } ]
YAML

start echo java -cp "$class_path" io.paceline.bench.BareServers echo
echo_url="http://127.0.0.1:$(port_of "$ready")"
start paceline java -cp "$class_path" io.paceline.bench.Serve "$work/paceline.yaml"
api_url=$(sed -E 's/.*api=([^ ]+).*/\1/' <<<"$ready")

measure() {
  load echo -t1 -c"${CONNECTIONS:-64}" -d"$1" -s "$here/permits.lua" "$echo_url" -- echo
  load paceline -t1 -c"${CONNECTIONS:-64}" -d"$1" -s "$here/permits.lua" "$api_url" -- permits
}

measure "${WARM_UP:-8}s" >/dev/null
rm -f "$work"/*.rate "$work"/*.p99
for _ in $(seq 1 "${ROUNDS:-5}"); do measure "${SECONDS_EACH:-6}s"; done
report echo paceline
