#!/usr/bin/env bash
# Proves the store's scripts on a Redis of its own, then measures them. Usage: run.sh [check|bench|all]
set -euo pipefail

what=${1:-all}
rounds=${ROUNDS:-5}
requests=${REQUESTS:-30000}
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
for tool in redis-server redis-cli redis-benchmark "$python"; do
  command -v "$tool" >/dev/null || { echo "run.sh needs $tool" >&2; exit 3; }
done

dir=$(mktemp -d)
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no --dir "$dir" >"$dir/log" &
server=$!
finish() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT
cli() { redis-cli -p "$port" "$@"; }
for _ in $(seq 100); do
  cli ping >/dev/null 2>&1 && break
  sleep 0.05
done
export PYTHONDONTWRITEBYTECODE=1

if [[ $what != bench ]]; then
  "$python" "$here/check.py" "$port"
fi
[[ $what == check ]] && exit 0

trivial=$(cli script load 'return 1')
gcra=$(cli -x script load <"$here/gcra.lua")
rates=$dir/rates
# one NAME COMMAND... : a run of redis-benchmark with 50 connections, unpipelined; appends "name rate script-micros".
one() {
  local name=$1 rate micros
  shift
  "$python" "$here/bench.py" "$port" enrol
  cli config resetstat >/dev/null
  rate=$(redis-benchmark -h 127.0.0.1 -p "$port" -c 50 -n "$requests" -r 10000 --csv "$@" 2>/dev/null |
    tail -n 1 | awk -F '","' '{ print $(NF - 6) }' | tr -d '"')
  micros=$(cli info commandstats | tr -d '\r' | sed -n 's/^cmdstat_evalsha:.*usec_per_call=\([0-9.]*\),.*/\1/p')
  if [[ $(cli info errorstats | grep -c '^errorstat_') -gt 0 ]]; then
    cli info errorstats >&2
    exit 1
  fi
  echo "$name $rate $micros" >>"$rates"
}
arguments() {
  mapfile -t "$2" < <("$python" "$here/bench.py" "$port" args "$1")
}
arguments acquire acquire
arguments session session
acquire=("${acquire[@]/#-/}")
session=("${session[@]/#-/}")
floor=("${acquire[@]}")
floor[1]=$(cli -x script load <"$here/floor.lua")

for _ in $(seq "$rounds"); do
  one trivial EVALSHA "$trivial" 0
  one gcra EVALSHA "$gcra" 1 "pl:{g}:q:__rand_int__" 1 1000000 1
  one commands-only "${floor[@]}"
  one acquire "${acquire[@]}"
  one acquire+session "${session[@]}"
  read -r a r < <("$python" "$here/bench.py" "$port" pairs 20000)
  echo "piped-acquire - $a" >>"$rates"
  echo "piped-release - $r" >>"$rates"
done

echo
echo "medians of $rounds alternating rounds, $requests requests each, 50 connections; 10,000 addresses, k = 4, 2 limits"
printf '%-18s %12s %16s\n' script 'calls/s' 'script us/call'
for name in trivial gcra commands-only acquire acquire+session piped-acquire piped-release; do
  mapfile -t speeds < <(awk -v n="$name" '$1 == n { print $2 }' "$rates")
  mapfile -t micros < <(awk -v n="$name" '$1 == n { print $3 }' "$rates")
  printf '%-18s %12s %16s\n' "$name" "$("$python" "$here/bench.py" median "${speeds[@]}")" \
    "$("$python" "$here/bench.py" median "${micros[@]}")"
done
