package io.paceline.service.record;

import com.fasterxml.jackson.core.JsonGenerator;
import io.paceline.Decision;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.Ticker;
import io.paceline.Transition;
import io.paceline.health.ControlUrl;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.TargetUrl;
import io.paceline.service.metrics.Pseudonyms;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the gatekeeper did into lines of the record. Each call only queues: pseudonyms and JSON are made by the
 * writer's thread. Of a URL nothing but its host is kept; sessions and clients are pseudonyms. Thread-safe.
 */
public final class Recorder implements GateListener {

    private final RecordWriter writer;
    private final Ticker ticker;
    private final Pseudonyms pseudonyms;

    public Recorder(RecordWriter writer, Ticker ticker, Pseudonyms pseudonyms) {
        this.writer = writer;
        this.ticker = ticker;
        this.pseudonyms = pseudonyms;
    }

    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        writer.offer(json -> {
            Decision.Refused refused = decision instanceof Decision.Refused r ? r : null;
            json.writeNumberField("t", answeredAtMicros);
            json.writeStringField("e", refused == null ? "acquire" : "refusal");
            json.writeNumberField("asked", startedAtMicros);
            json.writeStringField("pool", pool);
            write(json, request);
            if (refused != null) {
                json.writeStringField("reason", refused.reason().word());
                put(json, "rule", refused.rule());
            } else if (decision instanceof Decision.Granted granted) {
                json.writeStringField("result", "granted");
                json.writeStringField("target", granted.lease().target().name());
                write(json, granted.leases());
            } else {
                json.writeStringField("result", "reserved");
            }
        });
    }

    private void write(JsonGenerator json, Request request) throws IOException {
        json.writeStringField("host", host(request.target()));
        put(json, "client", request.clientId().isEmpty() ? null : pseudonyms.of(request.clientId()));
        put(json, "session", sessionOf(request));
        put(json, "task", request.task());
        if (!request.tags().isEmpty()) {
            json.writeObjectFieldStart("tags");
            for (Map.Entry<String, String> tag : new TreeMap<>(request.tags()).entrySet()) {
                json.writeStringField(tag.getKey(), tag.getValue());
            }
            json.writeEndObject();
        }
        put(json, "tenant", request.tenant().isEmpty() ? null : request.tenant());
        if (request.count() > 1) {
            json.writeNumberField("count", request.count());
        }
        if (request.cost() > 1) {
            json.writeNumberField("cost", request.cost());
        }
        if (request.priority() != Request.Priority.NORMAL) {
            json.writeStringField("priority", request.priority().name().toLowerCase(Locale.ROOT));
        }
        if (request.maxWait() != null) {
            json.writeNumberField("max_wait_ms", request.maxWait().toMillis());
        }
    }

    /** Keys live per tenant: equal ones of two tenants are two sessions. */
    private @Nullable String sessionOf(Request request) {
        return request.session() == null ? null : pseudonyms.ofSession(request.tenant(), request.session());
    }

    private static void write(JsonGenerator json, List<Lease> leases) throws IOException {
        json.writeArrayFieldStart("leases");
        for (Lease lease : leases) {
            json.writeStartObject();
            put(json, "lease", lease.id() == null ? null : name(lease.id()));
            json.writeStringField("address", lease.address().id());
            flag(json, "probe", lease.probe());
            flag(json, "panic", lease.panic());
            flag(json, "migrated", lease.migrated());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void flag(JsonGenerator json, String name, boolean set) throws IOException {
        if (set) {
            json.writeBooleanField(name, true);
        }
    }

    @Override
    public void settled(LeaseId lease, String pool, String addressId, String target, Outcome outcome, boolean trained) {
        long now = ticker.micros();
        writer.offer(json -> {
            json.writeNumberField("t", now);
            json.writeStringField("e", "outcome");
            json.writeStringField("pool", pool);
            json.writeStringField("address", addressId);
            json.writeStringField("target", target);
            json.writeStringField("lease", name(lease));
            json.writeStringField("outcome", outcome.kind().word());
            if (outcome.latencyMicros() >= 0) {
                json.writeNumberField("latency_ms", outcome.latencyMicros() / 1_000.0);
            }
            if (outcome.status() != 0) {
                json.writeNumberField("status", outcome.status());
            }
            if (outcome.bytes() >= 0) {
                json.writeNumberField("bytes", outcome.bytes());
            }
            if (!trained) {
                json.writeBooleanField("trained", false);
            }
        });
    }

    @Override
    public void expired(String pool, String addressId) {
        long now = ticker.micros();
        writer.offer(json -> {
            json.writeNumberField("t", now);
            json.writeStringField("e", "expired");
            json.writeStringField("pool", pool);
            json.writeStringField("address", addressId);
        });
    }

    @Override
    public void transition(Transition transition) {
        long now = ticker.micros();
        writer.offer(json -> {
            json.writeNumberField("t", now);
            json.writeStringField("e", "transition");
            json.writeStringField("pool", transition.pool());
            json.writeStringField("address", transition.addressId());
            put(json, "target", transition.target());
            json.writeStringField("from", transition.from().word());
            json.writeStringField("to", transition.to().word());
            if (transition.to().untilMicros() != 0) {
                json.writeNumberField("until", transition.to().untilMicros());
            }
            json.writeStringField("cause", transition.cause());
            json.writeStringField("reason", transition.reason());
        });
    }

    @Override
    public void verdict(String pool, Guilty guilty, String name, @Nullable Verdict verdict) {
        long now = ticker.micros();
        writer.offer(json -> {
            json.writeNumberField("t", now);
            json.writeStringField("e", "verdict");
            json.writeStringField("pool", pool);
            json.writeStringField("on", guilty.word());
            json.writeStringField("name", name);
            json.writeBooleanField("guilty", verdict != null);
            if (verdict != null) {
                json.writeNumberField("faults", verdict.faults());
                json.writeNumberField("outcomes", verdict.outcomes());
                json.writeNumberField("addresses", verdict.addresses());
                json.writeStringField("reason", verdict.sentence());
            }
        });
    }

    @Override
    public void controlUrl(ControlUrl url) {
        long now = ticker.micros();
        writer.offer(json -> {
            json.writeNumberField("t", now);
            json.writeStringField("e", "control_url");
            json.writeStringField("url", url.name());
            json.writeBooleanField("alive", url.alive());
            json.writeStringField("reason", url.reason());
        });
    }

    @Override
    public void dryRunRefusal(String rule) {
        long now = ticker.micros();
        writer.offer(json -> {
            json.writeNumberField("t", now);
            json.writeStringField("e", "dry_run");
            json.writeStringField("rule", rule);
        });
    }

    /** Not the text that ends a lease: without its code the number is worth nothing. */
    private static String name(LeaseId lease) {
        return Long.toHexString(lease.value());
    }

    private static String host(String target) {
        try {
            return TargetUrl.parseLoosely(target).host();
        } catch (BadTargetException e) {
            return "";
        }
    }

    private static void put(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
        }
    }
}
