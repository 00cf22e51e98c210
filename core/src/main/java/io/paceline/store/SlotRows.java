package io.paceline.store;

import io.paceline.health.SubjectRow;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one address for a person's eyes.
 *
 * @param address null where the slot is empty
 * @param cells by target, those of the targets asked for that the store remembers
 * @param guilty since when, by their hash: those of the targets asked for, of the tags of the address, and of the pool
 *     ({@link StateStore#POOL}) that are held guilty
 */
public record SlotRows(@Nullable SubjectRow address, Map<Long, SubjectRow> cells, Map<Long, Long> guilty) {
    public SlotRows {
        cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
        guilty = Collections.unmodifiableMap(new LinkedHashMap<>(guilty));
    }
}
