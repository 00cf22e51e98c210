"""Drives the scripts on a real Redis over a plain socket and says what holds. Usage: check.py PORT"""
import hashlib
import hmac
import os
import pathlib
import random
import socket
import struct
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
G = "pl:{g}:"
H, X, V, Q = G + "h", G + "x", G + "v", G + "q:"
SECOND = 1_000_000
TWO_DAYS = 172_800


class Redis:
    """As much of RESP2 as the scripts need."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def __call__(self, *args):
        self.socket.sendall(encode(args))
        return self.read()

    def read(self):
        line = self.file.readline()[:-2]
        kind, rest = line[:1], line[1:]
        if kind == b"+":
            return rest
        if kind == b"-":
            raise RuntimeError(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"$":
            n = int(rest)
            return None if n < 0 else self.file.read(n + 2)[:-2]
        n = int(rest)
        return None if n < 0 else [self.read() for _ in range(n)]


def encode(args):
    out = [b"*%d\r\n" % len(args)]
    for a in args:
        b = a if isinstance(a, bytes) else str(a).encode()
        out.append(b"$%d\r\n%s\r\n" % (len(b), b))
    return b"".join(out)


class Store:
    def __init__(self, port):
        self.redis = Redis(port)
        self.sha = {p.stem: self.redis("SCRIPT", "LOAD", p.read_text()) for p in HERE.glob("*.lua")}

    def enrol(self, slots, pool=0):
        r = self.redis
        args = []
        for slot in slots:
            args += ["a%s" % slot, struct.pack(">BBIQIH", 0, pool, 1, 0, 100, 0) + bytes(20)]
        r("HSET", H, *args)
        r("HSET", H, "b:pool", struct.pack(">II", len(slots), 0))
        r("ZADD", X, "inf", "~")  # keeps the key, and with it its TTL, when the last lease is gone
        r("EXPIRE", H, TWO_DAYS)
        r("EXPIRE", X, TWO_DAYS)

    def admit(self, id, candidates, charges=(), purpose="serve", target="t1", ttl=60 * SECOND, max_wait=0, count=1,
              session=None, mode="", session_ttl=900 * SECOND, ticket="", caps=((10, 10),), ceiling=3600 * SECOND):
        return self.redis(*self.admit_args(id, candidates, charges, purpose, target, ttl, max_wait, count, session, mode,
                                           session_ttl, ticket, caps, ceiling))

    def admit_args(self, id, candidates, charges=(), purpose="serve", target="t1", ttl=60 * SECOND, max_wait=0, count=1,
                   session=None, mode="", session_ttl=900 * SECOND, ticket="", caps=((10, 10),), ceiling=3600 * SECOND):
        keys = [H, X, G + "s:" + session if session else H] + [Q + c[5] for c in charges]
        argv = [id, purpose, target, ttl, max_wait, ceiling, 2 * SECOND, count, mode if session else "", session_ttl,
                ticket, len(caps)]
        for cap in caps:
            argv += cap
        argv.append(len(candidates))
        for c in candidates:
            argv += c if isinstance(c, tuple) else (c, 1, 0)
        argv.append(len(charges))
        for c in charges:
            argv += c
        return ["EVALSHA", self.sha["acquire"], len(keys)] + keys + argv

    def settle(self, id, slot="", target="", expires=0, cls="settled", step_a=-690, step_c=-690, failed=0):
        return self.redis("EVALSHA", self.sha["release"], 3, H, X, Q, id, slot, target, expires, cls, step_a, step_c,
                          23000, failed)

    def shift(self, field, epoch, state, new, pool=0, until=0, weight=100, relapse=0, bump=1, reset=0, due="",
              charge="b:pool", ppm=300_000, floor=2, force=0, counted=("b:pool",)):
        return self.redis("EVALSHA", self.sha["shift"], 3, H, V, X, field, epoch, state, new, pool, until, weight,
                          relapse, bump, reset, due, TWO_DAYS, "b:pool", charge, ppm, floor, force, len(counted), *counted)

    def due(self, max=100, lend=SECOND):
        return self.redis("EVALSHA", self.sha["due"], 2, H, X, max, lend)

    def now(self):
        s, us = self.redis("TIME")
        return int(s) * SECOND + int(us)


def gcra(name, interval, burst, cost=1, observe=0):
    return ("g", interval, burst, cost, observe, name)


def window(name, limit, length, cost=1):
    return ("w", length, limit, cost, 0, name)


def concurrency(name, size, cost=1):
    return ("c", 0, size, cost, 0, name)


class Lease:
    def __init__(self, row):
        (k, self.start, self.ends, self.use_by, self.epoch_a, self.epoch_c, self.index, self.total, n) = struct.unpack(
            ">cQQQIIHHB", row[:38])
        self.kind = k.decode()
        self.slot, self.target, rest = row[38:].split(b"\0", 2)
        self.slot, self.target, self.charges = self.slot.decode(), self.target.decode(), n


def buckets(row):
    return [struct.unpack(">QI", row[i:i + 12]) for i in range(40, len(row), 12)]


def live(row):
    return sum(n for _, n in buckets(row))


def answer(a):
    return a[0].decode()


def lease(a):
    assert answer(a) in ("G", "R"), a
    return Lease(a[2])


TESTS = []


def test(f):
    TESTS.append(f)
    return f


@test
def first_free_candidate_wins_and_a_miss_returns_rows_with_flags(s):
    s.enrol(range(5))
    assert answer(s.shift("a0", 1, 0, 2)) == "applied"
    caps = ((1, 1),)
    assert lease(s.admit("A", [1], caps=caps)).slot == "1"
    got = s.admit("B", [(0, 2, 0), (9, 1, 0), (1, 1, 0), (2, 1, 0)], caps=caps)
    assert lease(got).slot == "2"
    miss = s.admit("C", [(0, 2, 0), (9, 1, 0), (1, 1, 0), (3, 7, 0)], caps=caps)
    assert answer(miss) == "B" and [row[0] for row in miss[2:]] == [3, 1, 4, 2], miss
    assert miss[2][1][:1] == b"\x02" and live(miss[4][1]) == 1 and s.redis("HGET", H, "lC") is None
    full_cell = s.admit("D", [1], caps=((10, 1),))
    assert full_cell[2][0] == 5


@test
def eight_charges_are_all_or_nothing(s):
    s.enrol(range(3))
    charges = [gcra("g%d" % i, SECOND, 5) for i in range(5)] + [concurrency("c%d" % i, 5) for i in range(2)]
    closed = window("w", 1, 60 * SECOND)
    lease(s.admit("A", [0], [closed]))
    before = s.redis("DBSIZE"), s.redis("HLEN", H)
    no = s.admit("B", [0], charges + [closed])
    assert answer(no) == "N" and no[2] == 8 and no[3] > no[1] + 59 * SECOND, no
    assert (s.redis("DBSIZE"), s.redis("HLEN", H)) == before
    busy = s.admit("C", [(0, 9, 9)], charges)
    assert answer(busy) == "B" and (s.redis("DBSIZE"), s.redis("HLEN", H)) == before
    assert lease(s.admit("D", [0], charges + [window("w2", 1, SECOND)])).charges == 8
    assert s.redis("DBSIZE") == before[0] + 8


@test
def a_repeat_gives_the_first_answer_and_charges_nothing(s):
    s.enrol(range(3))
    charges = [gcra("g", SECOND, 3), concurrency("c", 9), window("w", 9, SECOND)]
    first = s.admit("A", [0, 1], charges, session="k", mode="sliding")
    dump = [s.redis("GET", Q + k) for k in ("g", "c", "w")]
    again = s.admit("A", [1, 2], charges, session="k", mode="sliding")
    assert first[2] == again[2] and [s.redis("GET", Q + k) for k in ("g", "c", "w")] == dump
    assert live(s.redis("HGET", H, "a0")) == 1
    batch = s.admit("B", [0, 1, 2], count=5)
    assert s.admit("B", [2], count=5)[2:7] == batch[2:7]


@test
def gcra_is_exact_and_survives_concurrent_callers(s):
    s.enrol(range(3))
    port = s.redis.socket.getpeername()[1]
    grants, lock = [], threading.Lock()

    def caller(n):
        mine = Store(port)
        until = time.monotonic() + 1.2
        i = 0
        while time.monotonic() < until:
            i += 1
            a = mine.admit("%d-%d" % (n, i), [0, 1, 2], [gcra("hot", 50_000, 3)], caps=((100000, 100000),))
            if answer(a) == "G":
                with lock:
                    grants.append(lease(a).start)

    threads = [threading.Thread(target=caller, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    grants.sort()
    # burst 3, one per 50 ms: limit L = W/T + b - 1 = 6 in any 200 ms
    worst = max(sum(1 for g in grants if start <= g < start + 200_000) for start in grants)
    assert worst <= 6 and len(grants) >= 20, (worst, len(grants))


@test
def exact_ring_lets_no_window_hold_more_than_the_limit(s):
    s.enrol([0])
    times = []
    for i in range(4000):
        a = s.admit("w%d" % i, [0], [window("ring", 5, 40_000)], caps=((100000, 100000),))
        if answer(a) == "G":
            times.append(lease(a).start)
    assert len(times) > 10 and all(times[i + 5] - times[i] >= 40_000 for i in range(len(times) - 5))


@test
def cost_above_one_and_cost_above_the_burst(s):
    s.enrol([0])
    assert answer(s.admit("A", [0], [gcra("g", SECOND, 3, cost=3)])) == "G"
    assert answer(s.admit("B", [0], [gcra("g", SECOND, 3, cost=1)])) == "N"
    never = s.admit("C", [0], [gcra("h", SECOND, 3, cost=4)])
    assert answer(never) == "N" and never[3] == -1 and never[4] == -1
    assert answer(s.admit("D", [0], [window("w", 5, SECOND, cost=4)])) == "G"
    assert answer(s.admit("E", [0], [window("w", 5, SECOND, cost=2)])) == "N"
    assert answer(s.admit("F", [0], [concurrency("c", 4, cost=3)])) == "G"
    assert answer(s.admit("G", [0], [concurrency("c", 4, cost=2)])) == "N"
    assert answer(s.admit("H", [0], [concurrency("c", 4, cost=1)])) == "G"


@test
def a_batch_takes_as_many_as_are_free_each_all_or_nothing(s):
    s.enrol(range(3))
    a = s.admit("A", [0, 1], [gcra("g", SECOND, 7)], count=10, caps=((3, 3),))
    rows = [Lease(x) for x in a[2:-2]]
    assert len(rows) == 6 and [x.slot for x in rows] == ["0", "1", "0", "1", "0", "1"] and rows[5].total == 6
    b = s.admit("B", [2], [gcra("g", SECOND, 7)], count=10, caps=((3, 3),))
    assert len(b[2:-2]) == 1
    assert live(s.redis("HGET", H, "a0")) == 3


@test
def unused_permits_of_a_batch_come_back_only_last_first(s):
    s.enrol([0])
    g = [gcra("g", SECOND, 5)]
    rows = [Lease(x) for x in s.admit("A", [0], g, count=3)[2:-2]]
    ids = ["A", "A.2", "A.3"]
    refunds = [s.settle(i, l.slot, l.target, l.ends, "canceled")[-1] for i, l in zip(ids, rows)]
    assert refunds == [0, 0, 1], refunds
    s.redis("FLUSHALL")
    s.enrol([0])
    rows = [Lease(x) for x in s.admit("A", [0], g, count=3)[2:-2]]
    refunds = [s.settle(i, l.slot, l.target, l.ends, "canceled")[-1] for i, l in reversed(list(zip(ids, rows)))]
    assert refunds == [1, 1, 1], refunds


@test
def settle_is_once_only_without_tombstones(s):
    s.enrol([0])
    l = lease(s.admit("A", [0], [concurrency("c", 1)]))
    assert answer(s.admit("B", [0], [concurrency("c", 1)])) == "N"
    assert answer(s.settle("A", l.slot, l.target, l.ends)) == "settled"
    assert answer(s.settle("A", l.slot, l.target, l.ends)) == "already"
    assert live(s.redis("HGET", H, "a0")) == 0 and s.redis("GET", Q + "c") is None
    assert answer(s.admit("B", [0], [concurrency("c", 1)])) == "G"
    e = lease(s.admit("E", [0], ttl=50_000))
    time.sleep(0.07)
    assert answer(s.settle("E", e.slot, e.target, e.ends)) == "expired"
    assert answer(s.settle("E", e.slot, e.target, e.ends)) == "expired"
    # unknown is the caller's verdict: the token's MAC does not fit, and no script is asked
    key = os.urandom(32)
    body = struct.pack(">QII8sQ", 1, 1, 0, b"t1", l.ends)
    token = body + hmac.new(key, body, hashlib.sha256).digest()[:8]
    forged = body[:-1] + bytes([body[-1] ^ 1]) + token[-8:]
    fits = [hmac.compare_digest(t[-8:], hmac.new(key, t[:-8], hashlib.sha256).digest()[:8]) for t in (token, forged)]
    assert fits == [True, False]


@test
def an_expired_lease_frees_its_place_with_no_sweep_and_at_the_time_it_was_told(s):
    s.enrol([0])
    l = lease(s.admit("A", [0], [concurrency("c", 1)], ttl=80_000, caps=((1, 1),)))
    assert 0 < l.ends - l.start - 80_000 + 1 <= 5_001, l.ends - l.start
    granted_at = None
    for i in range(100_000):
        a = s.admit("n%d" % i, [0], [concurrency("c", 1)], ttl=80_000, caps=((1, 1),))
        if answer(a) == "G":
            granted_at = lease(a).start
            break
    assert l.ends <= granted_at < l.ends + 20_000


@test
def settles_free_exactly_their_own_bucket(s):
    s.enrol([0])
    leases = {}
    rng = random.Random(7)
    for i in range(300):
        if leases and rng.random() < 0.45:
            id = rng.choice(sorted(leases))
            l = leases.pop(id)
            assert answer(s.settle(id, l.slot, l.target, l.ends)) == "settled"
        else:
            leases["i%d" % i] = lease(s.admit("i%d" % i, [0], [concurrency("c", 999)], caps=((999, 999),),
                                              ttl=rng.choice((30, 60, 61)) * SECOND))
        row = s.redis("HGET", H, "a0")
        want = {}
        for l in leases.values():
            want[l.ends] = want.get(l.ends, 0) + 1
        assert dict(buckets(row)) == want and all(n > 0 for _, n in buckets(row))
    assert sum(n for _, n in struct.iter_unpack(">QI", s.redis("GET", Q + "c"))) == len(leases)


@test
def sessions_are_got_or_created_in_the_same_step_and_keep_their_address(s):
    s.enrol(range(4))
    a = s.admit("A", [2, 1], session="k", mode="sliding")
    assert lease(a).slot == "2" and a[-2] == 1
    b = s.admit("B", [1, 3], session="k", mode="sliding")
    assert lease(b).slot == "2" and b[-2] == 0
    assert answer(s.shift("a2", 1, 0, 2)) == "applied"
    c = s.admit("C", [1, 3], session="k", mode="sliding")
    assert answer(c) == "S" and c[2] == b"bound" and c[3][0] == 3 and c[3][1][:1] == b"\x02"
    assert answer(s.shift("a2", 2, 2, 0)) == "applied"
    d = lease(s.admit("D", [1], session="k", mode="sliding"))
    assert (d.slot, d.epoch_a) == ("2", 3)
    s.redis("SET", G + "s:k", struct.pack(">BI", 2, 1) + b"2\0", "EX", 60)
    assert s.admit("E", [1], session="k", mode="sliding")[2] == b"ended"
    assert s.admit("F", [1], session="x", mode="require")[2] == b"missing"
    fixed = G + "s:f"
    s.admit("G", [1], session="f", mode="fixed", session_ttl=400_000)
    first = s.redis("PTTL", fixed)
    time.sleep(0.03)
    s.admit("H", [1], session="f", mode="fixed", session_ttl=400_000)
    assert s.redis("PTTL", fixed) < first
    # a busy pool creates no binding
    assert answer(s.admit("I", [(1, 99, 0)], session="y", mode="sliding")) == "B" and s.redis("GET", G + "s:y") is None


@test
def two_instances_never_bind_one_session_twice(s):
    s.enrol(range(8))
    port = s.redis.socket.getpeername()[1]
    stores = [Store(port) for _ in range(8)]
    for round in range(40):
        seen = []

        def go(n, st):
            seen.append(lease(st.admit("r%d.%d" % (round, n), [n, (n + 1) % 8], session="s%d" % round, mode="sliding",
                                       caps=((9999, 9999),))).slot)

        threads = [threading.Thread(target=go, args=(n, st)) for n, st in enumerate(stores)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        assert len(seen) == 8 and len(set(seen)) == 1, seen


@test
def a_stale_epoch_is_a_miss_and_an_old_outcome_trains_nothing(s):
    s.enrol(range(3))
    l = lease(s.admit("A", [0]))
    s.shift("a0", 1, 0, 2)
    s.shift("a0", 2, 2, 0)
    assert s.admit("B", [(0, 1, 0)])[2][0] == 2
    done = s.settle("A", l.slot, l.target, l.ends, step_a=5000, failed=1)
    assert answer(done) == "settled" and done[6] == 0
    assert live(done[2]) == 0 and struct.unpack(">I", done[2][20:24])[0] == 0
    l = lease(s.admit("C", [(0, 3, 0)]))
    done = s.settle("C", l.slot, l.target, l.ends, step_a=5000, step_c=5000, failed=1)
    assert done[6] == 1 and struct.unpack(">I", done[2][20:24])[0] == 5000
    burst = lease(s.admit("D", [(0, 3, 0)]))
    done = s.settle("D", burst.slot, burst.target, burst.ends, step_a=5000, step_c=5000, failed=1)
    assert struct.unpack(">I", done[2][20:24])[0] == 5000  # inside 300 ms: the same signal
    assert struct.unpack(">IHH", done[4][:8])[1:] == (2, 2) and struct.unpack(">QQ", done[5]) == (2, 2)


@test
def a_shift_keeps_the_live_leases_and_the_evidence_that_came_since_its_caller_read(s):
    s.enrol(range(8))
    lease(s.admit("A", [0]))
    assert answer(s.shift("a0", 1, 0, 1, bump=0)) == "applied"
    row = s.redis("HGET", H, "a0")
    assert row[0] == 1 and live(row) == 1
    assert answer(s.shift("a0", 1, 0, 2)) == "stale"  # epoch is the same, the state is not
    assert answer(s.shift("a0", 1, 1, 2)) == "applied"
    assert answer(s.shift("a0", 1, 1, 2)) == "stale"
    assert live(s.redis("HGET", H, "a0")) == 1


@test
def the_share_cap_and_the_floor_hold_under_eight_concurrent_instances(s):
    for n, ppm, floor, want in ((10, 300_000, 2, 3), (10, 1_000_000, 2, 8), (3, 300_000, 2, 1), (2, 300_000, 2, 0),
                                (7, 300_000, 0, 2), (100, 290_000, 2, 29), (1, 1_000_000, 0, 1)):
        s.redis("FLUSHALL")
        s.enrol(range(n))
        port = s.redis.socket.getpeername()[1]
        answers = []

        def go(me):
            mine = Store(port)
            order = list(range(n))
            random.Random(me).shuffle(order)
            for slot in order:
                answers.append(answer(mine.shift("a%d" % slot, 1, 0, 2, ppm=ppm, floor=floor)))

        threads = [threading.Thread(target=go, args=(i,)) for i in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        out = sum(s.redis("HGET", H, "a%d" % i)[0] == 2 for i in range(n))
        assert out == answers.count("applied") == want, (n, ppm, floor, want, out)
        assert struct.unpack(">II", s.redis("HGET", H, "b:pool")) == (n, out)


@test
def relapse_and_return_and_the_removal_of_members_keep_the_count(s):
    s.enrol(range(10))
    for i in range(3):
        s.shift("a%d" % i, 1, 0, 2)
    assert answer(s.shift("a3", 1, 0, 2)) == "capped"
    assert answer(s.shift("a0", 2, 2, 3)) == "applied"  # half-open still counts as out
    assert answer(s.shift("a3", 1, 0, 2)) == "capped"
    assert answer(s.shift("a0", 3, 3, 2)) == "applied"  # a relapse asks no budget
    assert answer(s.shift("a0", 4, 2, 9)) == "applied"  # slow start serves
    assert answer(s.shift("a3", 1, 0, 2)) == "applied"
    assert answer(s.shift("a9", 1, 0, 6, force=1)) == "applied"  # a person's ban asks nobody
    assert struct.unpack(">II", s.redis("HGET", H, "b:pool")) == (9, 3)


@test
def cells_count_beside_their_addresses(s):
    s.enrol(range(10))
    s.shift("a0", 1, 0, 2)
    cell = dict(charge="b:cells:t1", counted=("b:pool", "b:cells:t1"))
    assert answer(s.shift("c1.t1", 0, 0, 2, **cell)) == "applied"
    assert answer(s.shift("c2.t1", 0, 0, 2, **cell)) == "applied"
    assert answer(s.shift("c3.t1", 0, 0, 2, **cell)) == "capped"
    assert answer(s.shift("c3.t2", 0, 0, 2, charge="b:cells:t2", counted=("b:pool", "b:cells:t2"))) == "applied"
    assert s.admit("A", [(1, 1, 1)])[2][0] == 3 and lease(s.admit("B", [(1, 1, 0)], target="t9")).slot == "1"


@test
def a_ticket_is_a_time_only_and_costs_nothing_more_when_redeemed(s):
    s.enrol([0, 1])
    g = [gcra("g", 60_000, 1), concurrency("c", 5)]
    lease(s.admit("A", [0], g))
    t = lease(s.admit("T", [], g, max_wait=SECOND))
    assert t.kind == "T" and 0 < t.start - s.now() <= 60_000 and s.redis("HGET", H, "c0.t1") is not None
    assert len(s.redis("GET", Q + "c")) == 12  # the limit on leases is not asked yet
    again = s.admit("T", [], g, max_wait=SECOND)
    assert Lease(again[2]).start == t.start
    assert answer(s.admit("R0", [1], g, purpose="serve", ticket="T")) == "E"
    time.sleep(0.065)
    tat = s.redis("GET", Q + "g")
    assert answer(s.admit("R1", [(1, 9, 9)], g, ticket="T")) == "B"  # no address: the ticket is kept
    r = s.admit("R2", [1], g, ticket="T")
    assert lease(r).slot == "1" and lease(r).charges == 2 and s.redis("GET", Q + "g") == tat
    assert s.admit("R2", [1], g, ticket="T")[2] == r[2]
    assert answer(s.admit("R3", [1], g, ticket="T")) == "X"
    lease(s.admit("T2", [], g, max_wait=SECOND))
    assert s.settle("T2", cls="canceled")[-1] == 1
    one, two = s.admit("T3", [], g, max_wait=SECOND), s.admit("T4", [], g, max_wait=SECOND)
    assert answer(one) == answer(two) == "R"
    assert s.settle("T3", cls="canceled")[-1] == 0 and s.settle("T4", cls="canceled")[-1] == 1


@test
def a_slow_limit_does_not_push_a_fast_one_ahead(s):
    s.enrol([0])
    fast, slow = gcra("fast", 10_000, 1), gcra("slow", SECOND, 1)
    lease(s.admit("A", [0], [fast, slow]))
    a = s.admit("B", [0], [fast, slow], max_wait=10 * SECOND)
    assert answer(a) == "N" and a[2] == 2, a  # queue locally on the slow one, nothing committed
    time.sleep(0.02)
    assert answer(s.admit("C", [0], [fast])) == "G"


@test
def refused_callers_are_sent_to_different_instants(s):
    s.enrol([0])
    g = [gcra("g", SECOND, 1)]
    lease(s.admit("A", [0], g))
    refused = [s.admit("n%d" % i, [0], g) for i in range(5)]
    assert len({a[3] for a in refused}) == 1
    assert [refused[i + 1][4] - refused[i][4] for i in range(4)] == [SECOND] * 4 and refused[0][4] == refused[0][3]


@test
def a_clamp_by_the_requests_own_wait_would_break_the_promise(s):
    s.enrol([0])
    g = [gcra("g", 100_000, 1)]
    for i in range(5):
        assert answer(s.admit("T%d" % i, [0], g, max_wait=SECOND)) in "GR"
    # the right clamp is a constant of the house; with this request's own wait (0) it forgets four reservations
    right = s.admit("x", [0], g, max_wait=0)
    wrong = s.admit("y", [0], g, max_wait=0, ceiling=0)
    assert right[3] - right[1] > 350_000 and wrong[3] - wrong[1] <= 100_000


@test
def a_dry_run_limit_counts_and_never_refuses(s):
    s.enrol([0])
    g = [gcra("g", SECOND, 1, observe=1), gcra("h", 1, 9)]
    assert s.admit("A", [0], g)[-1] == 0
    tat = s.redis("GET", Q + "g")
    a = s.admit("B", [0], g)
    assert answer(a) == "G" and a[-1] == 1 and s.redis("GET", Q + "g") == tat


@test
def abandoned_by_the_id_alone_whether_it_ran_or_not(s):
    s.enrol([0])
    lease(s.admit("A", [0], [gcra("g", SECOND, 1), concurrency("c", 1)]))
    done = s.settle("A", cls="abandoned")
    assert answer(done) == "settled" and done[-1] == 1 and done[6] in (0, 1) and live(s.redis("HGET", H, "a0")) == 0
    assert answer(s.admit("B", [0], [gcra("g", SECOND, 1), concurrency("c", 1)])) == "G"
    assert answer(s.settle("late", cls="abandoned")) == "unknown"
    assert answer(s.admit("late", [0])) == "X"
    assert live(s.redis("HGET", H, "a0")) == 1


@test
def half_open_takes_one_lease_at_a_time_and_a_lost_probe_frees_its_slot(s):
    s.enrol(range(4))
    s.shift("a0", 1, 0, 2)
    assert answer(s.admit("A", [(0, 2, 0)])) == "B"
    p = lease(s.admit("P", [(0, 2, 0)], purpose="probe", ttl=60_000))
    assert s.admit("Q", [(0, 2, 0)], purpose="probe")[2][0] == 4
    time.sleep(0.075)
    assert answer(s.admit("R", [(0, 2, 0)], purpose="probe")) == "G"
    assert s.settle("P", p.slot, p.target, p.ends)[0] == b"expired"
    assert lease(s.admit("S", [(0, 2, 0)], purpose="panic")).slot == "0"


@test
def due_items_go_to_exactly_one_caller_and_waits_come_back_if_the_claimer_dies(s):
    s.enrol(range(40))
    port = s.redis.socket.getpeername()[1]
    for i in range(30):
        lease(s.admit("e%d" % i, [i], ttl=30_000))
    s.shift("a39", 1, 0, 2, due="30000")
    time.sleep(0.05)
    claimed = []

    def go():
        mine = Store(port)
        for _ in range(6):
            claimed.extend(i[0] for i in mine.due(max=3, lend=60_000)[2])

    threads = [threading.Thread(target=go) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    leases = [c for c in claimed if c.startswith(b"l")]
    assert len(leases) == len(set(leases)) == 30 and claimed.count(b"a39") >= 1
    time.sleep(0.07)
    now, deadline, items = s.due()
    assert [i[0] for i in items] == [b"a39"] and deadline >= now
    s.shift("a39", 2, 2, 3)
    assert s.due() [1] == -1


@test
def changes_hold_the_latest_of_each_row_once(s):
    s.enrol(range(10))
    for epoch in (1, 2, 3):
        s.shift("a1", epoch, (0, 2, 3)[epoch - 1], (2, 3, 9)[epoch - 1])
    s.shift("a2", 1, 0, 2)
    feed = s.redis("ZRANGEBYSCORE", V, "(0", "inf", "WITHSCORES")
    assert feed == [b"a1", b"3", b"a2", b"4"]
    assert s.redis("ZRANGEBYSCORE", V, "(3", "inf") == [b"a2"]


@test
def numbers_keep_their_last_microsecond(s):
    s.enrol([0])
    l = lease(s.admit("A", [0], ttl=16))  # buckets one microsecond wide
    assert l.ends == l.start + 16
    score = int(s.redis("ZSCORE", X, "lA"))
    assert score == l.ends
    assert s.redis("EVAL", "return {tostring(1700000000123456), string.format('%.0f', 1700000000123456)}", 0) == [
        b"1.7000000001235e+15", b"1700000000123456"]


@test
def every_key_has_a_ttl_whatever_was_done(s):
    s.enrol(range(8))
    charges = [gcra("g", SECOND, 50), window("w", 60, SECOND), concurrency("c", 50)]
    for i in range(20):
        l = lease(s.admit("A%d" % i, [i % 8], charges, session="k%d" % (i % 3), mode="sliding"))
        if i % 2:
            s.settle("A%d" % i, l.slot, l.target, l.ends, ("settled", "canceled")[i % 4 == 1])
    s.admit("T", [0], [gcra("t", SECOND, 1)])
    s.admit("T2", [0], [gcra("t", SECOND, 1)], max_wait=2 * SECOND)
    s.admit("T3", [0], [gcra("t", SECOND, 1)])
    s.shift("a1", 1, 0, 2, due="1000")
    keys = s.redis("KEYS", "*")
    assert len(keys) >= 9
    for key in keys:
        assert s.redis("PTTL", key) > 0, key


def main():
    port = int(sys.argv[1])
    failed = 0
    for t in TESTS:
        store = Store(port)
        store.redis("FLUSHALL")
        try:
            t(store)
            print("ok    " + t.__name__.replace("_", " "))
        except Exception as e:  # noqa: BLE001 - each test reports by itself
            failed += 1
            import traceback
            traceback.print_exc()
            print("FAIL  " + t.__name__.replace("_", " ") + ": " + repr(e))
    print("%d of %d hold" % (len(TESTS) - failed, len(TESTS)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
