package io.paceline.sim.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Outlier ejection with Envoy's documented defaults: 5 errors in a row eject; every 10 s so does a success rate below the
 * mean less 1.9 standard deviations, among at least 5 hosts with at least 100 requests in the interval; for 30 s times the
 * number of ejections, at most 300 s; never more than 10 % of the hosts, but always one. Errors are 5xx, resets and
 * time-outs; a 403 is an answer. The rest take turns.
 */
final class OutlierEjection extends Policy.Plain {
    private static final int IN_A_ROW = 5;
    private static final long INTERVAL_MICROS = 10_000_000;
    private static final int FEWEST_HOSTS = 5;
    private static final int FEWEST_REQUESTS = 100;
    private static final double SIGMAS = 1.9;
    private static final long BASE_MICROS = 30_000_000;
    private static final long CAP_MICROS = 300_000_000;
    private static final double MOST_EJECTED = 0.10;

    private final House house;
    private final Map<Integer, Host> hosts = new LinkedHashMap<>();
    private List<Integer> addresses = List.of();
    private int turn;
    private boolean started;

    private static final class Host {
        int inARow;
        int requests;
        int errors;
        int ejections;
        boolean out;
        long backAt;
    }

    OutlierEjection(House house) {
        this.house = house;
    }

    @Override
    public void choose(Ask ask, Consumer<Choice> then) {
        for (int i = 0; i < addresses.size(); i++) {
            int address = addresses.get(turn++ % addresses.size());
            Host host = hosts.get(address);
            if (host != null && !host.out) {
                then.accept(new Choice.Use(address, this));
                return;
            }
        }
        then.accept(new Choice.Refused("no_address"));
    }

    @Override
    public void learn(Ask ask, Choice.Use use, Face face, long latencyMicros) {
        Host host = hosts.get(use.address());
        if (host == null) {
            return;
        }
        boolean error = face.status == 0 || face.status >= 500;
        host.requests++;
        host.errors += error ? 1 : 0;
        host.inARow = error ? host.inARow + 1 : 0;
        if (host.inARow >= IN_A_ROW) {
            eject(use.address(), host);
        }
    }

    private void eject(int address, Host host) {
        long out = hosts.values().stream().filter(h -> h.out).count();
        if (host.out || (out > 0 && out + 1 > MOST_EJECTED * hosts.size())) {
            return;
        }
        host.out = true;
        host.inARow = 0;
        host.ejections++;
        host.backAt = house.now() + Math.min(CAP_MICROS, BASE_MICROS * host.ejections);
        house.verdicts().addressOut(address, house.now());
    }

    private void interval() {
        for (Host host : hosts.values()) {
            if (host.out && host.backAt <= house.now()) {
                host.out = false;
            } else if (!host.out && host.ejections > 0) {
                host.ejections--;
            }
        }
        ejectByRate();
        hosts.values().forEach(host -> {
            host.requests = 0;
            host.errors = 0;
        });
        house.events().in(INTERVAL_MICROS, this::interval);
    }

    private void ejectByRate() {
        List<Integer> counted = new ArrayList<>();
        double sum = 0;
        for (int address : hosts.keySet()) {
            Host host = hosts.get(address);
            if (host != null && host.requests >= FEWEST_REQUESTS) {
                counted.add(address);
                sum += rate(host);
            }
        }
        if (counted.size() < FEWEST_HOSTS) {
            return;
        }
        double mean = sum / counted.size();
        double squares = 0;
        for (int address : counted) {
            double apart = rate(host(address)) - mean;
            squares += apart * apart;
        }
        double least = mean - SIGMAS * StrictMath.sqrt(squares / counted.size());
        for (int address : counted) {
            if (rate(host(address)) < least) {
                eject(address, host(address));
            }
        }
    }

    private Host host(int address) {
        return hosts.computeIfAbsent(address, key -> new Host());
    }

    private static double rate(Host host) {
        return 1 - (double) host.errors / host.requests;
    }

    @Override
    public void members(List<Integer> members) {
        addresses = members;
        hosts.keySet().retainAll(members);
        members.forEach(this::host);
        if (!started) {
            started = true;
            house.events().in(INTERVAL_MICROS, this::interval);
        }
    }

    @Override
    public void restart() {
        hosts.replaceAll((address, host) -> new Host());
    }
}
