package io.paceline.service.reload;

import java.util.List;

/**
 * What became of addresses that were to be added.
 *
 * @param added ids of those that the pool did not have
 * @param known ids of those that it had
 */
public record Additions(List<String> added, List<String> known) {
    public Additions {
        added = List.copyOf(added);
        known = List.copyOf(known);
    }
}
