package io.paceline.service.journal;

import io.paceline.service.journal.SegmentReader.Worth;
import io.paceline.service.journal.Segments.Segment;
import io.paceline.store.StoreImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a journal still knows. It begins from the newest segment whose first increment is sound, and applies all that follow; damage
 * costs what was damaged, is told, and never keeps anybody from starting.
 *
 * @param image everything; empty where there was nothing
 * @param lastMicros the instant that it is of; 0 where there was nothing
 * @param from the number of the segment that it began from; what is older is not needed
 * @param next the number of the segment to write
 */
record Recovery(StoreImage image, long lastMicros, long from, long next) {
    static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    /** @throws JournalException where a newer version wrote some of it */
    static Recovery of(Segments segments) throws IOException {
        List<Segment> all = segments.list();
        List<Worth> worths = new ArrayList<>();
        for (Segment segment : all) {
            worths.add(worth(segment));
        }
        StoreImage image = new StoreImage();
        long next = all.isEmpty() ? 1 : all.get(all.size() - 1).number() + 1;
        int first = begin(all, worths);
        long now = 0;
        for (int i = Math.max(0, first); i < all.size(); i++) {
            if (i > first && worths.get(i).baseSound()) {
                image = new StoreImage();
            }
            now = apply(all.get(i), worths.get(i), image, now);
        }
        return new Recovery(
                image, now, all.isEmpty() ? next : all.get(Math.max(0, first)).number(), next);
    }

    /** The newest one to begin from; -1 where none is sound. */
    private static int begin(List<Segment> all, List<Worth> worths) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (worths.get(i).baseSound()) {
                return i;
            }
            if (worths.get(i).increments() > 0) {
                LOG.warn(
                        "the beginning of the journal {} is damaged: what it says is put on top of the one before",
                        all.get(i).file());
            }
        }
        return -1;
    }

    private static Worth worth(Segment segment) throws IOException {
        try {
            return SegmentReader.examine(segment.file());
        } catch (JournalException newer) {
            throw newer;
        } catch (IOException e) {
            LOG.warn("the journal {} cannot be read and is left out: {}", segment.file(), e.toString());
            return Worth.NOTHING;
        }
    }

    private static long apply(Segment segment, Worth worth, StoreImage image, long before) {
        if (worth.torn() > 0 && worth.sound() == 0) {
            LOG.warn("{} is no journal, or its first octets are damaged: it is left out", segment.file());
        } else if (worth.torn() > 0) {
            LOG.warn(
                    "the last {} octets of the journal {} are no whole increment and are cut off, as after a kill or a power cut",
                    worth.torn(),
                    segment.file());
        }
        if (worth.damaged() > 0) {
            LOG.warn(
                    "{} frames of the journal {} are damaged and left out: what they said is as it was before",
                    worth.damaged(),
                    segment.file());
        }
        try {
            return worth.increments() == 0 ? before : SegmentReader.apply(segment.file(), worth.sound(), image, before);
        } catch (IOException e) {
            LOG.warn("the journal {} cannot be read to its end: {}", segment.file(), e.toString());
            return before;
        }
    }
}
