package io.paceline.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Soft tags: who carries them is proposed first, whatever the strategy, then the others. A task's preference counts for more
 * than a target's, and neither for as much as the request's own tags, which are hard.
 */
public final class Preference {
    private Preference() {}

    /**
     * The tags to look for, one set after another: of task and target together, of the task, of the target, each with the
     * request's own. What contradicts the request, or the task, is left out.
     *
     * @return empty where nothing is preferred; the request's own tags, which come last, are not in it
     */
    public static List<Map<String, String>> order(
            Map<String, String> tags, Map<String, String> ofTask, Map<String, String> ofTarget) {
        if (ofTask.isEmpty() && ofTarget.isEmpty()) {
            return List.of();
        }
        Map<String, String> task = together(tags, ofTask);
        List<Map<String, String>> order = new ArrayList<>(3);
        add(order, tags, task == null ? null : together(task, ofTarget));
        add(order, tags, task);
        add(order, tags, together(tags, ofTarget));
        return List.copyOf(order);
    }

    private static void add(
            List<Map<String, String>> order, Map<String, String> tags, @Nullable Map<String, String> wanted) {
        if (wanted != null && !wanted.equals(tags) && !order.contains(wanted)) {
            order.add(wanted);
        }
    }

    /** Both, or null where no address can carry both. */
    private static @Nullable Map<String, String> together(Map<String, String> hard, Map<String, String> soft) {
        Map<String, String> both = new HashMap<>(hard);
        for (Map.Entry<String, String> tag : soft.entrySet()) {
            String before = both.putIfAbsent(tag.getKey(), tag.getValue());
            if (before != null && !before.equals(tag.getValue())) {
                return null;
            }
        }
        return Map.copyOf(both);
    }
}
