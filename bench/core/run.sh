#!/usr/bin/env bash
# T1 and T2: permits in this process beside the naive list, one hot limit beside bucket4j, rule matching, the waiting queue,
# memory of a million addresses.
#
#   ROUNDS=3 SECONDS_EACH=3 SIZES="100 10000 1000000" bench/core/run.sh
# shellcheck source=bench/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build

rounds=${ROUNDS:-3}
seconds=${SECONDS_EACH:-3}
alternate() {
  timeout 1200 java -cp "$class_path" io.paceline.bench.Alternate rounds="$rounds" seconds="$seconds" "$@" 2>/dev/null
}

for size in ${SIZES:-100 10000 1000000}; do
  for threads in 1 2; do
    echo "addresses $size, threads $threads"
    alternate heap=6g addresses="$size" threads="$threads" PermitBench.naive PermitBench.paceline
  done
done
for threads in 1 2; do
  echo "one hot key, threads $threads"
  alternate threads="$threads" PaceBench.bucket4j PaceBench.gcra PaceBench.gcraUnderLock PaceBench.windowExact PaceBench.windowCounted
done
alternate PaceBench.planAmongTenThousandRules PaceBench.planAmongTenThousandRulesOfEveryKind
for waiting in 1 1000 9000; do
  echo "callers in line: $waiting"
  alternate waiting="$waiting" WaitingBench.turn
done
timeout 300 java -Xmx1g -cp "$class_path" io.paceline.bench.Footprint 1000000 2>/dev/null
