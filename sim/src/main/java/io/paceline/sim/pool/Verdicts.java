package io.paceline.sim.pool;

import io.paceline.sim.Digest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds every verdict of a policy against the truth: was the subject sick, and after how many of its faulty outcomes was it
 * found.
 *
 * <p>A verdict is a transition that takes an address or a cell out, or a word from a policy that can say such things: that a
 * target, a tag or our own side is guilty, or somebody whom the pool cannot spare.
 */
final class Verdicts {
    /** Episodes with fewer faulty outcomes are too short to be found by anybody. */
    static final int COUNTED_FROM = 20;

    private final Truth truth;
    private final Digest digest;
    private final long measuredFrom;
    private final IdentityHashMap<Fault, Found> episodes = new IdentityHashMap<>();
    private final List<Found> inOrder = new ArrayList<>();
    private final List<Found> growing = new ArrayList<>();
    /** Groups that the policy holds guilty now: a fault that begins meanwhile is found already. */
    private final Set<String> heldGuilty = new HashSet<>();

    private final List<Control> controls;
    /** By control URL, when an alarm named it first while it was dead. */
    private final Map<String, Long> alarms = new HashMap<>();

    private int verdicts;
    private int falseOnes;
    /** Words about a group, and about somebody whom the pool could not spare: nobody went out by them. */
    private int words;

    private int wrongWords;
    private long now;

    /** A fault on the way to being found. */
    static final class Found {
        final Fault fault;
        /** Faulty outcomes so far. */
        int faulty;
        /** Faulty outcomes when it was found; -1 while it is not. */
        int atVerdict = -1;
        /** Share of failing tries when it was found. */
        double shareAtVerdict;
        /** Of a growing fault: tries that it could have failed until it was found. */
        int tries;

        Found(Fault fault) {
            this.fault = fault;
        }
    }

    Verdicts(Truth truth, List<Fault> faults, List<Control> controls, Digest digest, long measuredFrom) {
        this.truth = truth;
        this.controls = List.copyOf(controls);
        this.digest = digest;
        this.measuredFrom = measuredFrom;
        for (Fault fault : faults) {
            if (fault.share() > 0) {
                Found found = new Found(fault);
                episodes.put(fault, found);
                inOrder.add(found);
                if (fault.rampMicros() > 0) {
                    growing.add(found);
                }
            }
        }
    }

    /** A try has failed by that fault. */
    void faulty(@Nullable Fault fault) {
        Found found = fault == null ? null : episodes.get(fault);
        if (found != null && fault != null) {
            found.faulty++;
            if (heldGuilty.contains(nameOf(fault))) {
                found.atVerdict = found.atVerdict < 0 ? found.faulty : found.atVerdict;
            }
        }
    }

    private static String nameOf(Fault fault) {
        return fault.subject() + ":" + (fault.subject() == Fault.Subject.TARGET ? fault.target() : fault.provider());
    }

    /** The policy has found well what it held guilty. */
    void wellAgain(Fault.Subject subject, Object which) {
        heldGuilty.remove(subject + ":" + which);
    }

    /** A try through that address on that site has ended. */
    void tried(int address, int target, long nowMicros) {
        for (Found found : growing) {
            if (found.fault.address() == address && found.fault.target() == target && found.fault.activeAt(nowMicros)) {
                found.tries += found.atVerdict < 0 ? 1 : 0;
            }
        }
    }

    /** The policy takes a whole address out. */
    void addressOut(int address, long nowMicros) {
        now = nowMicros;
        digest.add(-1 - address);
        count(!truth.addressHealthy(address, nowMicros));
        findAddress(address);
    }

    /** The policy holds an address guilty, but its pool cannot spare it. */
    void addressSpared(int address, long nowMicros) {
        word(truth.addressHealthy(address, nowMicros), nowMicros);
        digest.add(4L << 40 | address);
        findAddress(address);
    }

    private void findAddress(int address) {
        for (Found found : inOrder) {
            if (found.fault.subject() == Fault.Subject.ADDRESS && found.fault.address() == address) {
                find(found);
            }
        }
    }

    /** The policy takes a cell out. */
    void cellOut(int address, int target, long nowMicros) {
        now = nowMicros;
        digest.add((long) address << 16 | target);
        count(!truth.cellHealthy(address, target, nowMicros));
        findCell(address, target);
    }

    /** The policy holds a cell guilty, but its target's addresses cannot spare it. */
    void cellSpared(int address, int target, long nowMicros) {
        word(truth.cellHealthy(address, target, nowMicros), nowMicros);
        digest.add(5L << 40 | (long) address << 16 | target);
        findCell(address, target);
    }

    private void findCell(int address, int target) {
        for (Found found : inOrder) {
            if (found.fault.subject() == Fault.Subject.CELL
                    && found.fault.address() == address
                    && found.fault.target() == target) {
                find(found);
            }
        }
    }

    /** The policy holds a site guilty. */
    void targetGuilty(int target, long nowMicros) {
        heldGuilty.add(Fault.Subject.TARGET + ":" + target);
        groupGuilty(
                Fault.Subject.TARGET,
                fault -> fault.target() == target,
                truth.targetHealthy(target, nowMicros),
                nowMicros);
        digest.add(1L << 40 | target);
    }

    /** The policy holds a provider guilty. */
    void providerGuilty(String provider, long nowMicros) {
        heldGuilty.add(Fault.Subject.PROVIDER + ":" + provider);
        groupGuilty(
                Fault.Subject.PROVIDER,
                fault -> provider.equals(fault.provider()),
                truth.providerHealthy(provider, nowMicros),
                nowMicros);
        digest.add(2L << 40 | provider.hashCode());
    }

    /** The policy holds our own side guilty. */
    void ownSideGuilty(long nowMicros) {
        heldGuilty.add(Fault.Subject.OWN + ":" + null);
        groupGuilty(Fault.Subject.OWN, fault -> true, truth.ownSideHealthy(nowMicros), nowMicros);
        digest.add(3L << 40);
    }

    private void groupGuilty(Fault.Subject subject, Predicate<Fault> same, boolean healthy, long nowMicros) {
        word(healthy, nowMicros);
        for (Found found : inOrder) {
            if (found.fault.subject() == subject && same.test(found.fault)) {
                find(found);
            }
        }
    }

    private void word(boolean healthy, long nowMicros) {
        now = nowMicros;
        if (now >= measuredFrom) {
            words++;
            wrongWords += healthy ? 1 : 0;
        }
    }

    /** The policy names a control URL as dead. */
    void alarm(String url, long nowMicros) {
        digest.add(url.hashCode());
        boolean right = controls.stream().anyMatch(control -> control.url().equals(url) && control.deadAt(nowMicros));
        if (right) {
            alarms.putIfAbsent(url, nowMicros);
        }
    }

    /** The longest time from the death of a control URL to the alarm that names it; NaN where none dies. */
    double alarmSeconds(long endMicros) {
        return controls.stream()
                .filter(Control::dies)
                .mapToDouble(
                        control -> Time.seconds(alarms.getOrDefault(control.url(), endMicros) - control.fromMicros()))
                .max()
                .orElse(Double.NaN);
    }

    private void count(boolean right) {
        if (now >= measuredFrom) {
            verdicts++;
            falseOnes += right ? 0 : 1;
        }
    }

    private void find(Found found) {
        if (found.atVerdict < 0
                && now >= found.fault.fromMicros()
                && now - Truth.AFTERMATH_MICROS < found.fault.untilMicros()) {
            found.atVerdict = found.faulty;
            found.shareAtVerdict = found.fault.shareAt(now);
        }
    }

    // ---- what came of it

    /** Transitions out, and words about groups and about who cannot be spared. */
    int verdicts() {
        return verdicts + words;
    }

    /** Of all verdicts, how many were wrong. */
    int wrongOnes() {
        return falseOnes + wrongWords;
    }

    /** Transitions that took somebody healthy out. */
    int falseOnes() {
        return falseOnes;
    }

    /** Episodes long enough to count, per kind of subject, and how many of them were found. */
    Map<Fault.Subject, int[]> recall() {
        Map<Fault.Subject, int[]> recall = new EnumMap<>(Fault.Subject.class);
        for (Found found : inOrder) {
            if (found.faulty >= COUNTED_FROM || found.atVerdict >= 0) {
                int[] counts = recall.computeIfAbsent(found.fault.subject(), key -> new int[2]);
                counts[0]++;
                counts[1] += found.atVerdict >= 0 ? 1 : 0;
            }
        }
        return recall;
    }

    /** Faulty outcomes up to the verdict, for every episode that was found. */
    List<Integer> delays() {
        return inOrder.stream()
                .filter(f -> f.atVerdict >= 0)
                .map(f -> f.atVerdict)
                .toList();
    }

    /** The mean share of failing tries at which growing faults were found; at their full share where they never were. */
    double shareAtShift() {
        return meanOfGrowing(f -> f.atVerdict >= 0 ? f.shareAtVerdict : f.fault.share());
    }

    /** The mean share of tries that growing faults had failed until they were found: what could be seen of them. */
    double shareSeenAtShift() {
        return meanOfGrowing(f -> f.tries == 0 ? 0 : (double) (f.atVerdict >= 0 ? f.atVerdict : f.faulty) / f.tries);
    }

    private double meanOfGrowing(ToDoubleFunction<Found> share) {
        return growing.stream().mapToDouble(share).average().orElse(Double.NaN);
    }
}
