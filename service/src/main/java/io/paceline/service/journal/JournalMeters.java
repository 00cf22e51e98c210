package io.paceline.service.journal;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** How the journal goes, as series. */
public final class JournalMeters {
    private JournalMeters() {}

    public static void bind(Journal journal, MeterRegistry registry) {
        Gauge.builder("paceline.journal.octets", journal, Journal::octets)
                .description("Octets of the journal on disk")
                .register(registry);
        Gauge.builder("paceline.journal.age.seconds", journal, Journal::ageSeconds)
                .description("What a kill would lose now: the time since all that was known was written")
                .register(registry);
        Gauge.builder("paceline.journal.failing", journal, j -> j.trouble().isPresent() ? 1 : 0)
                .description("1 while the journal cannot be written")
                .register(registry);
        FunctionCounter.builder("paceline.journal.errors", journal, Journal::errors)
                .description("Flushes that failed")
                .register(registry);
        Timer flushes = Timer.builder("paceline.journal.flush")
                .description("How long flushes take, on a thread of their own")
                .register(registry);
        journal.listen((nanos, octets) -> flushes.record(nanos, TimeUnit.NANOSECONDS));
    }
}
