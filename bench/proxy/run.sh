#!/usr/bin/env bash
# T6, its GET part: 1 KiB through the forward proxy to a tiny site, beside a bare Vert.x relay, Squid and tinyproxy.
#
#   ROUNDS=5 SECONDS_EACH=6 CONNECTIONS=64 PEERS="relay paceline squid tinyproxy" bench/proxy/run.sh
# shellcheck source=bench/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
need wrk
build
here=$root/bench/proxy

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start site java -cp "$class_path" io.paceline.bench.BareServers site
site="http://127.0.0.1:$(port_of "$ready")/page"
start relay java -cp "$class_path" io.paceline.bench.BareServers relay
declare -A url
url[relay]="http://127.0.0.1:$(port_of "$ready")"

cat >"$work/paceline.yaml" <<YAML
api: { listen: "127.0.0.1:0" }
proxy: { listen: "127.0.0.1:0", allow_private_targets: true }
pools: [ { name: default, addresses: [ direct ], max_leases: 1000 } ]
rules: [ { name: pace, pattern: "*", limit: 1000000, window: 1s, burst: 100000, concurrency: 100000 } ]
YAML
start paceline java -cp "$class_path" io.paceline.bench.Serve "$work/paceline.yaml"
url[paceline]=$(sed -E 's/.*proxy=([^ ]+).*/\1/' <<<"$ready")

peers=(relay paceline)
if command -v squid >/dev/null; then
  port=$(free_port)
  cat >"$work/squid.conf" <<CONF
http_port 127.0.0.1:$port
acl own src 127.0.0.1
http_access allow own
cache deny all
access_log none
cache_log $work/squid.log
cache_store_log none
pid_filename none
coredump_dir $work
shutdown_lifetime 1 seconds
CONF
  chmod 0777 "$work"
  squid -N -f "$work/squid.conf" >"$work/squid.out" 2>&1 &
  pids+=($!)
  url[squid]="http://127.0.0.1:$port"
  peers+=(squid)
fi
if command -v tinyproxy >/dev/null; then
  port=$(free_port)
  printf 'Port %s\nListen 127.0.0.1\nMaxClients 300\nLogLevel Critical\nLogFile "%s/tinyproxy.log"\nAllow 127.0.0.1\n' \
    "$port" "$work" >"$work/tinyproxy.conf"
  tinyproxy -d -c "$work/tinyproxy.conf" >"$work/tinyproxy.out" 2>&1 &
  pids+=($!)
  url[tinyproxy]="http://127.0.0.1:$port"
  peers+=(tinyproxy)
fi

# A peer that does not answer is left out, with a word.
answering=()
for peer in "${peers[@]}"; do
  [[ " ${PEERS:-${peers[*]}} " == *" $peer "* ]] || continue
  if curl -s -o /dev/null --retry 20 --retry-delay 1 --retry-connrefused --max-time 30 -x "${url[$peer]}" "$site"; then
    answering+=("$peer")
  else
    echo "$peer does not answer and is left out" >&2
  fi
done

measure() {
  local peer
  for peer in "${answering[@]}"; do
    load "$peer" -t1 -c"${CONNECTIONS:-64}" -d"$1" -s "$here/get.lua" "${url[$peer]}" -- "$site"
  done
}

measure "${WARM_UP:-8}s" >/dev/null
rm -f "$work"/*.rate "$work"/*.p99
for _ in $(seq 1 "${ROUNDS:-5}"); do measure "${SECONDS_EACH:-6}s"; done
report "${answering[@]}"
