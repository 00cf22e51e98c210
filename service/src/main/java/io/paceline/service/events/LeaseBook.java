package io.paceline.service.events;

import io.paceline.Choice;
import io.paceline.Decision;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.Ticker;
import io.paceline.service.metrics.Pseudonyms;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why the last leases went where they went, and how they ended. Thread-safe; bounded: the oldest is forgotten first. The
 * pseudonym of a session is made when somebody asks, since it costs more than the grant.
 */
public final class LeaseBook implements GateListener {

    /** Leases that are remembered: at some 400 octets each, 4 MB. */
    public static final int CAPACITY = 10_000;

    private final Ticker ticker;
    private final Pseudonyms pseudonyms;
    private final Map<Long, Known> byLease;

    private static final class Known {
        private final Lease lease;
        private final Choice choice;
        private String tenant = "";
        private @Nullable Outcome outcome;
        private long endedAtMicros;

        private Known(Lease lease, Choice choice) {
            this.lease = lease;
            this.choice = choice;
        }
    }

    /**
     * What is remembered of one lease.
     *
     * @param session the pseudonym of its session, or null
     * @param outcome null while nobody has released it
     * @param endedAtMicros when it was released; 0 while it was not
     */
    public record Remembered(
            String address,
            String target,
            String pool,
            @Nullable String session,
            long grantedAtMicros,
            long expiresAtMicros,
            Choice choice,
            @Nullable Outcome outcome,
            long endedAtMicros) {}

    public LeaseBook(Ticker ticker, Pseudonyms pseudonyms) {
        this(ticker, pseudonyms, CAPACITY);
    }

    LeaseBook(Ticker ticker, Pseudonyms pseudonyms, int capacity) {
        this.ticker = ticker;
        this.pseudonyms = pseudonyms;
        byLease = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Known> eldest) {
                return size() > capacity;
            }
        };
    }

    @Override
    public boolean wantsChoices() {
        return true;
    }

    @Override
    public void chosen(Lease lease, Choice choice) {
        LeaseId id = lease.id();
        if (id != null) {
            synchronized (byLease) {
                byLease.put(id.value(), new Known(lease, choice));
            }
        }
    }

    /** A session's name hangs on its tenant too. */
    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        if (request.session() != null && decision instanceof Decision.Granted granted) {
            synchronized (byLease) {
                for (Lease lease : granted.leases()) {
                    LeaseId id = lease.id();
                    Known known = id == null ? null : byLease.get(id.value());
                    if (known != null) {
                        known.tenant = request.tenant();
                    }
                }
            }
        }
    }

    @Override
    public void settled(LeaseId lease, String pool, String addressId, String target, Outcome outcome, boolean trained) {
        synchronized (byLease) {
            Known known = byLease.get(lease.value());
            if (known != null) {
                known.outcome = outcome;
                known.endedAtMicros = ticker.micros();
            }
        }
    }

    /** Empty where the lease is too old, or was never granted here. */
    public Optional<Remembered> find(LeaseId id) {
        synchronized (byLease) {
            Known known = byLease.get(id.value());
            return known == null ? Optional.empty() : Optional.of(remembered(known));
        }
    }

    private Remembered remembered(Known known) {
        Lease lease = known.lease;
        return new Remembered(
                lease.address().id(),
                lease.target().name(),
                lease.pool(),
                lease.session() == null ? null : pseudonyms.ofSession(known.tenant, lease.session()),
                lease.grantedAtMicros(),
                lease.expiresAtMicros(),
                known.choice,
                known.outcome,
                known.endedAtMicros);
    }
}
