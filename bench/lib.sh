# shellcheck shell=bash
# What the benchmark scripts share: the class path, servers that are ended by their own pid, medians.
set -euo pipefail

root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
pids=()

finish() {
  local pid
  for pid in "${pids[@]:-}"; do
    [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

need() {
  command -v "$1" >/dev/null || { echo "this benchmark needs $1: install it first" >&2; exit 3; }
}

# Compiles what is missing and sets class_path. BENCH_CLASSPATH takes its place.
# shellcheck disable=SC2034 # the scripts use it
build() {
  if [ -n "${BENCH_CLASSPATH:-}" ]; then
    class_path=$BENCH_CLASSPATH
    return
  fi
  (cd "$root" && mvn -q -pl bench -am test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath.txt)
  class_path=$root/bench/target/classes:$(cat "$root/bench/target/classpath.txt")
}

# shellcheck disable=SC2034 # the scripts use $ready
# start NAME COMMAND...: runs it in the background, waits for its line that begins with "ready", which is left in $ready.
start() {
  local name=$1 tries=0
  shift
  "$@" >"$work/$name.out" 2>"$work/$name.err" &
  pids+=($!)
  until ready=$(grep -m1 '^ready' "$work/$name.out" 2>/dev/null); do
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ] || ! kill -0 "${pids[-1]}" 2>/dev/null; then
      echo "$name did not start:" >&2
      cat "$work/$name.err" >&2
      exit 3
    fi
    sleep 0.1
  done
}

# port_of TEXT: the last number of a URL or of port=N.
port_of() {
  grep -oE '[0-9]+' <<<"$1" | tail -1
}

median() {
  sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# load LABEL WRK-ARGUMENTS...: one run of wrk; keeps requests a second and the 99th percentile in ms under the label.
load() {
  local label=$1
  shift
  timeout 120 wrk --latency "$@" >"$work/wrk.txt" || { cat "$work/wrk.txt" >&2; exit 3; }
  awk '/^Requests\/sec/ { print $2 }' "$work/wrk.txt" >>"$work/$label.rate"
  awk '$1 == "99%" { v = $2; f = v ~ /us$/ ? 0.001 : v ~ /ms$/ ? 1 : 1000; sub(/[a-z]+$/, "", v); print v * f }' \
    "$work/wrk.txt" >>"$work/$label.p99"
  grep -E 'Non-2xx|Socket errors' "$work/wrk.txt" | sed "s/^/$label:/" || true
}

# report FIRST OTHER...: medians, and each other's ratio to the first.
report() {
  local first=$1 label rate p99 first_rate first_p99
  first_rate=$(median <"$work/$first.rate")
  first_p99=$(median <"$work/$first.p99")
  for label in "$@"; do
    rate=$(median <"$work/$label.rate")
    p99=$(median <"$work/$label.p99")
    awk -v l="$label" -v r="$rate" -v p="$p99" -v fr="$first_rate" -v fp="$first_p99" \
      'BEGIN { printf "%-12s %9.0f requests/s  %5.2f of the first   p99 %7.2f ms  %5.2f of the first\n", l, r, r / fr, p, p / fp }'
  done
}
