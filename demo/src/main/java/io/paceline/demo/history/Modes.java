package io.paceline.demo.history;

import io.paceline.demo.history.Event.Look;
import io.paceline.demo.history.Event.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How the instances stood to the shared store, as far as it was looked at. Between two looks that saw the same, nothing else is
 * taken to have been: an instance is silent for a second before it goes on alone, and is looked at ten times a second.
 */
final class Modes {
    private final Map<String, List<Look>> byInstance = new LinkedHashMap<>();

    private Modes() {}

    /** @param looks by the time of their answers */
    static Modes of(List<Look> looks) {
        Modes modes = new Modes();
        looks.forEach(look -> modes.byInstance
                .computeIfAbsent(look.instance(), instance -> new ArrayList<>())
                .add(look));
        return modes;
    }

    Set<String> instances() {
        return byInstance.keySet();
    }

    boolean goneBy(String instance, long micros) {
        List<Look> looks = byInstance.getOrDefault(instance, List.of());
        return looks.stream().anyMatch(look -> look.mode() == Mode.GONE && look.calledMicros() <= micros);
    }

    /** The shared store decided for all who ran. */
    boolean allShared(long fromMicros, long toMicros) {
        return all(Mode.SHARED, fromMicros, toMicros);
    }

    /** Every one that ran was without the shared store. */
    boolean allApart(long fromMicros, long toMicros) {
        return all(Mode.APART, fromMicros, toMicros);
    }

    /** One of both: limits and addresses were divided in one and the same way all the time. */
    boolean steady(long fromMicros, long toMicros) {
        return allShared(fromMicros, toMicros) || allApart(fromMicros, toMicros);
    }

    private boolean all(Mode mode, long fromMicros, long toMicros) {
        return byInstance.values().stream().allMatch(looks -> held(looks, mode, fromMicros, toMicros));
    }

    /** From the last look that was over when it began to the first that began after it. */
    private static boolean held(List<Look> looks, Mode mode, long fromMicros, long toMicros) {
        int at = lastAnsweredBy(looks, fromMicros);
        for (int i = Math.max(0, at); i < looks.size(); i++) {
            Look look = looks.get(i);
            if (at < 0 && look.calledMicros() > toMicros) {
                return true; // nobody had started it yet
            }
            if (look.mode() != mode && look.mode() != Mode.GONE) {
                return false;
            }
            if (look.calledMicros() >= toMicros) {
                return true;
            }
        }
        return true;
    }

    private static int lastAnsweredBy(List<Look> looks, long micros) {
        int low = 0;
        int high = looks.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (looks.get(middle).answeredMicros() <= micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
