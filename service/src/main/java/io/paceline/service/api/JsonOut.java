package io.paceline.service.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one answer straight to octets; begins with an open object, which {@link #end()} closes. */
final class JsonOut {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final ByteArrayBuilder octets = new ByteArrayBuilder(512);
    private final JsonGenerator generator;

    JsonOut() {
        try {
            generator = FACTORY.createGenerator(octets);
            generator.writeStartObject();
        } catch (IOException e) {
            throw impossible(e);
        }
    }

    JsonOut put(String name, @Nullable String value) {
        return run(() -> generator.writeStringField(name, value));
    }

    JsonOut put(String name, boolean value) {
        return run(() -> generator.writeBooleanField(name, value));
    }

    JsonOut put(String name, long value) {
        return run(() -> generator.writeNumberField(name, value));
    }

    /** A ratio, with at most four decimals. */
    JsonOut ratio(String name, double value) {
        return run(() -> {
            generator.writeFieldName(name);
            generator.writeNumber(Math.rint(value * 10_000) / 10_000);
        });
    }

    /** An exact number. */
    JsonOut put(String name, BigDecimal value) {
        return run(() -> {
            generator.writeFieldName(name);
            generator.writeNumber(value);
        });
    }

    /** Seconds with up to three decimals. */
    JsonOut seconds(String name, long millis) {
        return run(() -> {
            generator.writeFieldName(name);
            generator.writeNumber(Numbers.seconds(millis));
        });
    }

    JsonOut putNull(String name) {
        return run(() -> generator.writeNullField(name));
    }

    /** A time as {@code 2026-03-01T12:00:00.250Z}, rounded down to milliseconds. */
    JsonOut time(String name, long micros) {
        Instant instant = Instant.EPOCH.plus(Math.floorDiv(micros, 1_000L), ChronoUnit.MILLIS);
        return put(name, instant.toString());
    }

    JsonOut texts(String name, Map<String, String> texts) {
        openObject(name);
        texts.forEach(this::put);
        return close();
    }

    JsonOut openObject(String name) {
        return run(() -> generator.writeObjectFieldStart(name));
    }

    /** Opens an object that is an item of an array. */
    JsonOut openItem() {
        return run(generator::writeStartObject);
    }

    JsonOut openArray(String name) {
        return run(() -> generator.writeArrayFieldStart(name));
    }

    JsonOut item(String value) {
        return run(() -> generator.writeString(value));
    }

    JsonOut close() {
        return run(generator::writeEndObject);
    }

    JsonOut closeArray() {
        return run(generator::writeEndArray);
    }

    /** The object so far as text, closed. */
    String text() {
        return end().toString();
    }

    Buffer end() {
        run(() -> {
            generator.writeEndObject();
            generator.close();
        });
        return Buffer.buffer(octets.toByteArray());
    }

    private interface Write {
        void run() throws IOException;
    }

    private JsonOut run(Write write) {
        try {
            write.run();
            return this;
        } catch (IOException e) {
            throw impossible(e);
        }
    }

    /** The generator writes to memory. */
    private static UncheckedIOException impossible(IOException e) {
        return new UncheckedIOException(e);
    }
}
