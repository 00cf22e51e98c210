"""Helpers of run.sh. Usage: bench.py PORT enrol | args acquire|session | pairs N"""
import statistics
import sys
import time

import check

ADDRESSES = 10_000
WIDE = ((1_000_000, 1_000_000),)
LIMITS = [check.gcra("gate", 1, 1_000_000), check.concurrency("many", 100_000_000)]


def slot(i):
    return "%012d" % i


def enrol(store):
    store.redis("FLUSHALL")
    for start in range(0, ADDRESSES, 1000):
        store.enrol([slot(i) for i in range(start, start + 1000)])


def args(store, what):
    """One acquire as redis-benchmark wants it: every __rand_int__ becomes another 12 digits."""
    session = "__rand_int__" if what == "session" else None
    rand = "__rand_int__"
    out = store.admit_args(rand * 3, [rand] * 4, LIMITS, session=session, mode="sliding", caps=WIDE)
    print("\n".join(a.decode() if isinstance(a, bytes) else str(a) if a != "" else "-" for a in out))


def piped(store, commands, batch=200):
    start = time.perf_counter()
    answers = []
    for i in range(0, len(commands), batch):
        store.redis.socket.sendall(b"".join(commands[i:i + batch]))
        answers += [store.redis.read() for _ in commands[i:i + batch]]
    return answers, len(commands) / (time.perf_counter() - start)


def script_micros(store):
    for line in store.redis("INFO", "commandstats").decode().splitlines():
        if line.startswith("cmdstat_evalsha:"):
            return float(line.split("usec_per_call=")[1].split(",")[0])
    return float("nan")


def pairs(store, n):
    """Acquire n, then release n, over one pipelined connection: script time from commandstats."""
    enrol(store)
    store.redis("CONFIG", "RESETSTAT")
    acquires = [check.encode(store.admit_args("p%d" % i, [slot((i * 7 + j * 13) % ADDRESSES) for j in range(4)], LIMITS,
                                              caps=WIDE)) for i in range(n)]
    answers, _ = piped(store, acquires)
    acquire = script_micros(store)
    leases = [check.lease(a) for a in answers]
    releases = [check.encode(["EVALSHA", store.sha["release"], 3, check.H, check.X, check.Q, "p%d" % i, l.slot, l.target,
                              l.ends, "settled", -690, -690, 23000, 0]) for i, l in enumerate(leases)]
    store.redis("CONFIG", "RESETSTAT")
    answers, _ = piped(store, releases)
    assert all(a[0] == b"settled" for a in answers)
    print("%.1f %.1f" % (acquire, script_micros(store)))


def median(values):
    print("-" if "-" in values else "%.1f" % statistics.median(float(v) for v in values))


def main():
    if sys.argv[1] == "median":
        median(sys.argv[2:])
        return
    store = check.Store(int(sys.argv[1]))
    {"enrol": lambda: enrol(store), "args": lambda: args(store, sys.argv[3]),
     "pairs": lambda: pairs(store, int(sys.argv[3]))}[sys.argv[2]]()


main()
