package io.paceline.sim.pool;

import io.paceline.sim.Dice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is really so: which tries fail, by whose fault, and how they look. Policies see none of it, but for the oracle.
 *
 * <p>Chance goes by the number of the request, so every policy meets the same luck. Confined to one thread.
 */
final class Truth {
    /** A client gives up after so long. */
    static final long TIMEOUT_MICROS = 10_000_000;

    /** An address or cell that fails so many of its tries is no address to use: a try on it is wasted. */
    static final double WASTED_FROM = 0.5;

    /** A fault that has ended is still being reported for as long as the longest time-out lasts, and judged soon after. */
    static final long AFTERMATH_MICROS = TIMEOUT_MICROS + 2_000_000;

    private static final int NOISE = 1;
    private static final int LATENCY = 2;
    private static final int FIRST_FAULT = 10;

    private final Layout layout;
    private final Dice dice;
    private final LatencyTable latencies;
    private final List<Fault> own = new ArrayList<>();
    private final List<List<Fault>> ofTarget = new ArrayList<>();
    private final List<List<Fault>> ofAddress = new ArrayList<>();
    private final Map<String, List<Fault>> ofProvider = new HashMap<>();
    private final Map<Long, List<Fault>> ofCell = new HashMap<>();
    private final Map<Long, Visits> visits = new HashMap<>();
    private final boolean sitesBan;

    /**
     * One answer.
     *
     * @param face how it looks
     * @param latencyMicros after how long
     * @param fault the one that made it fail; null for a success, noise or a ban
     */
    record Answer(Face face, long latencyMicros, @Nullable Fault fault) {}

    /** The starts of an address on a site that bans, and the end of its ban. */
    private static final class Visits {
        private final long[] ring;
        private int count;
        private long bannedUntil = Long.MIN_VALUE;
        private long bannedFrom = Long.MIN_VALUE;

        Visits(Site.Ban ban) {
            ring = new long[ban.requests()];
            java.util.Arrays.fill(ring, Long.MIN_VALUE / 2);
        }

        /** The oldest of the last {@code requests} starts. */
        long oldest() {
            return ring[count % ring.length];
        }

        void add(long nowMicros) {
            ring[count % ring.length] = nowMicros;
            count++;
        }
    }

    Truth(Layout layout, List<Fault> faults, Dice dice) {
        this.layout = layout;
        this.dice = dice.stream("truth");
        this.latencies = new LatencyTable(dice.stream("latency"));
        this.sitesBan = layout.sites().stream().anyMatch(site -> site.ban() != null);
        for (int i = 0; i < layout.sites().size(); i++) {
            ofTarget.add(new ArrayList<>(0));
        }
        for (int i = 0; i < layout.addresses().size(); i++) {
            ofAddress.add(new ArrayList<>(0));
        }
        faults.forEach(this::add);
    }

    private void add(Fault fault) {
        switch (fault.subject()) {
            case OWN -> own.add(fault);
            case TARGET -> ofTarget.get(fault.target()).add(fault);
            case ADDRESS -> ofAddress.get(fault.address()).add(fault);
            case PROVIDER ->
                ofProvider
                        .computeIfAbsent(String.valueOf(fault.provider()), key -> new ArrayList<>())
                        .add(fault);
            case CELL ->
                ofCell.computeIfAbsent(cell(fault.address(), fault.target()), key -> new ArrayList<>())
                        .add(fault);
        }
    }

    // ---- a try

    /** How the try of that number ends; a site that bans counts it. */
    Answer answer(long number, int address, int target, long nowMicros) {
        Fault culprit = culprit(number, address, target, nowMicros);
        if (culprit != null) {
            return failed(culprit, number);
        }
        if (sitesBan && refusedByBan(address, target, nowMicros)) {
            return new Answer(Face.FORBIDDEN, quick(number), null);
        }
        double noise = dice.at(number, NOISE);
        if (noise < layout.noise()) {
            Face face = Looks.NOISE.drawn(noise / layout.noise());
            return new Answer(face, face == Face.SILENCE ? TIMEOUT_MICROS : quick(number), null);
        }
        return good(number, address, target, nowMicros);
    }

    /** Nearest to us first: what does not get past our uplink says nothing about a provider, and so on. */
    private @Nullable Fault culprit(long number, int address, int target, long nowMicros) {
        Fault culprit = failing(own, number, nowMicros, FIRST_FAULT);
        if (culprit == null) {
            culprit = failing(faultsOfProvider(address), number, nowMicros, FIRST_FAULT + 20);
        }
        if (culprit == null) {
            culprit = failing(ofAddress.get(address), number, nowMicros, FIRST_FAULT + 40);
        }
        if (culprit == null) {
            culprit = failing(ofTarget.get(target), number, nowMicros, FIRST_FAULT + 60);
        }
        return culprit == null ? failing(faultsOfCell(address, target), number, nowMicros, FIRST_FAULT + 80) : culprit;
    }

    private @Nullable Fault failing(List<Fault> faults, long number, long nowMicros, int stream) {
        for (int i = 0; i < faults.size(); i++) {
            double share = faults.get(i).shareAt(nowMicros);
            if (share > 0 && dice.at(number, stream + i) < share) {
                return faults.get(i);
            }
        }
        return null;
    }

    private Answer failed(Fault fault, long number) {
        Face face = fault.looks().drawn(dice.at(number, 3));
        return new Answer(face, face == Face.SILENCE ? TIMEOUT_MICROS : quick(number), fault);
    }

    private Answer good(long number, int address, int target, long nowMicros) {
        double seconds = layout.sites().get(target).meanLatencySeconds() * latencies.factor(dice.at(number, LATENCY));
        for (Fault fault : ofAddress.get(address)) {
            seconds *= fault.activeAt(nowMicros) ? fault.slowdown() : 1;
        }
        long micros = Time.micros(seconds);
        return micros < TIMEOUT_MICROS
                ? new Answer(Face.OK, micros, null)
                : new Answer(Face.SILENCE, TIMEOUT_MICROS, null);
    }

    /**
     * What asking a control URL comes to.
     *
     * @param number of the question: 1, 2, ...
     * @param address -1 for our own side, which knows no noise
     */
    Answer control(long number, int address, String url, long nowMicros) {
        long draw = -number; // of no request
        Fault culprit = failing(own, draw, nowMicros, FIRST_FAULT);
        if (culprit == null && address >= 0) {
            culprit = failing(faultsOfProvider(address), draw, nowMicros, FIRST_FAULT + 20);
        }
        if (culprit == null && address >= 0) {
            culprit = failing(ofAddress.get(address), draw, nowMicros, FIRST_FAULT + 40);
        }
        if (culprit != null) {
            return failed(culprit, draw);
        }
        boolean dead =
                layout.controls().stream().anyMatch(control -> control.url().equals(url) && control.deadAt(nowMicros));
        if (dead) {
            return new Answer(Face.SILENCE, TIMEOUT_MICROS, null);
        }
        if (address >= 0 && dice.at(draw, NOISE) < layout.noise()) {
            return new Answer(Face.NO_CONNECTION, quick(draw), null);
        }
        return new Answer(Face.OK, quick(draw), null);
    }

    /** An error page or a reset comes sooner than a page. */
    private long quick(long number) {
        return 20_000 + (long) (180_000 * dice.at(number, 4));
    }

    private boolean refusedByBan(int address, int target, long nowMicros) {
        Site.Ban ban = layout.sites().get(target).ban();
        if (ban == null) {
            return false;
        }
        Visits seen = visits.computeIfAbsent(cell(address, target), key -> new Visits(ban));
        if (nowMicros < seen.bannedUntil) {
            return true;
        }
        if (seen.oldest() > nowMicros - ban.windowMicros()) {
            seen.bannedFrom = nowMicros;
            seen.bannedUntil = nowMicros + ban.liftMicros();
            return true;
        }
        seen.add(nowMicros);
        return false;
    }

    // ---- what the oracle and the judges may ask

    /** The share of tries through this address on this target that fail by its own fault, its provider's or its cell's. */
    double ownShare(int address, int target, long nowMicros) {
        double works = (1 - shareOfAddress(address, nowMicros)) * (1 - shareOfCell(address, target, nowMicros));
        return 1 - works;
    }

    boolean wasted(int address, int target, long nowMicros) {
        return ownShare(address, target, nowMicros) >= WASTED_FROM;
    }

    /** True where the next request would be one too many for a site that bans. */
    boolean onTheBrink(int address, int target, long nowMicros) {
        Site.Ban ban = layout.sites().get(target).ban();
        Visits seen = ban == null ? null : visits.get(cell(address, target));
        return seen != null && ban != null && seen.oldest() > nowMicros - ban.windowMicros();
    }

    /** The longest slowdown that holds the address back; 1 for none. */
    double slowdown(int address, long nowMicros) {
        double factor = 1;
        for (Fault fault : ofAddress.get(address)) {
            factor = Math.max(factor, fault.activeAt(nowMicros) ? fault.slowdown() : 1);
        }
        return factor;
    }

    /** True where nothing is, or just was, wrong with the address itself (its provider included). */
    boolean addressHealthy(int address, long nowMicros) {
        if (anyRecently(ofAddress.get(address), nowMicros) || anyRecently(faultsOfProvider(address), nowMicros)) {
            return false;
        }
        for (int target = 0; target < layout.sites().size(); target++) {
            if (cellItselfHealthy(address, target, nowMicros)) {
                return true;
            }
        }
        return false;
    }

    /** True where nothing is, or just was, wrong with the cell, nor with its address. */
    boolean cellHealthy(int address, int target, long nowMicros) {
        return cellItselfHealthy(address, target, nowMicros)
                && !anyRecently(ofAddress.get(address), nowMicros)
                && !anyRecently(faultsOfProvider(address), nowMicros);
    }

    /** True where nothing is, or just was, wrong with the site. */
    boolean targetHealthy(int target, long nowMicros) {
        return !anyRecently(ofTarget.get(target), nowMicros) && !bansMost(target, nowMicros);
    }

    /** A site that bans most addresses is asked too fast: no single one of them is at fault. */
    private boolean bansMost(int target, long nowMicros) {
        int banned = 0;
        for (int address = 0; sitesBan && address < layout.addresses().size(); address++) {
            Visits seen = visits.get(cell(address, target));
            banned += seen != null && nowMicros >= seen.bannedFrom && nowMicros < seen.bannedUntil + AFTERMATH_MICROS
                    ? 1
                    : 0;
        }
        return 2 * banned > layout.members();
    }

    boolean providerHealthy(String provider, long nowMicros) {
        return !anyRecently(ofProvider.getOrDefault(provider, List.of()), nowMicros);
    }

    boolean ownSideHealthy(long nowMicros) {
        return !anyRecently(own, nowMicros);
    }

    private boolean cellItselfHealthy(int address, int target, long nowMicros) {
        if (anyRecently(faultsOfCell(address, target), nowMicros)) {
            return false;
        }
        Visits seen = sitesBan ? visits.get(cell(address, target)) : null;
        return seen == null || nowMicros < seen.bannedFrom || nowMicros >= seen.bannedUntil + AFTERMATH_MICROS;
    }

    private static boolean anyRecently(List<Fault> faults, long nowMicros) {
        for (Fault fault : faults) {
            if (nowMicros >= fault.fromMicros()
                    && (fault.untilMicros() == Fault.FOR_EVER || nowMicros < fault.untilMicros() + AFTERMATH_MICROS)) {
                return true;
            }
        }
        return false;
    }

    private double shareOfAddress(int address, long nowMicros) {
        return together(ofAddress.get(address), together(faultsOfProvider(address), 0, nowMicros), nowMicros);
    }

    private double shareOfCell(int address, int target, long nowMicros) {
        Visits seen = sitesBan ? visits.get(cell(address, target)) : null;
        if (seen != null && nowMicros < seen.bannedUntil) {
            return 1;
        }
        return together(faultsOfCell(address, target), 0, nowMicros);
    }

    private static double together(List<Fault> faults, double share, long nowMicros) {
        double works = 1 - share;
        for (Fault fault : faults) {
            works *= 1 - fault.shareAt(nowMicros);
        }
        return 1 - works;
    }

    private List<Fault> faultsOfProvider(int address) {
        return ofProvider.isEmpty() ? List.of() : ofProvider.getOrDefault(layout.provider(address), List.of());
    }

    private List<Fault> faultsOfCell(int address, int target) {
        return ofCell.isEmpty() ? List.of() : ofCell.getOrDefault(cell(address, target), List.of());
    }

    private static long cell(int address, int target) {
        return (long) address << 32 | target;
    }
}
