package io.paceline.service.supply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many addresses were asked for, pool by pool: so long as a budget may look back, and over restarts, or each restart
 * would be a new budget. A charge is written down before its request is sent. Confined to one thread.
 */
final class Ledger {

    private static final String FILE = "supply";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** As far back as the longest period of a budget. */
    private static final long KEPT_MICROS = 7L * 24 * 3_600 * 1_000_000;

    private final Vault vault;
    private final Map<String, Deque<Charge>> charges = new LinkedHashMap<>();

    /** So many addresses, at that time. */
    private record Charge(long atMicros, int addresses) {}

    /** @throws IOException where what was written down before cannot be read: then nobody knows what is left */
    Ledger(Vault vault) throws IOException {
        this.vault = vault;
        byte[] written = vault.read(FILE).orElse(new byte[0]);
        if (written.length > 0) {
            read(MAPPER.readTree(written));
        }
    }

    private void read(JsonNode pools) {
        pools.properties()
                .forEach(pool -> pool.getValue()
                        .forEach(charge -> of(pool.getKey())
                                .addLast(new Charge(
                                        charge.path(0).asLong(), charge.path(1).asInt()))));
    }

    private Deque<Charge> of(String pool) {
        return charges.computeIfAbsent(pool, name -> new ArrayDeque<>());
    }

    /** What was asked for in the time that ends now. */
    int spent(String pool, long nowMicros, long periodMicros) {
        long spent = 0;
        for (Charge charge : of(pool)) {
            spent += charge.atMicros() > nowMicros - periodMicros ? charge.addresses() : 0;
        }
        return (int) Math.min(Integer.MAX_VALUE, spent);
    }

    /** When a pool was last charged; 0 for never. */
    long lastMicros(String pool) {
        Charge last = of(pool).peekLast();
        return last == null ? 0 : last.atMicros();
    }

    /** @throws IOException where it cannot be written down: then nothing must be asked */
    void charge(String pool, long nowMicros, int addresses) throws IOException {
        Deque<Charge> ofPool = of(pool);
        while (!ofPool.isEmpty() && ofPool.getFirst().atMicros() <= nowMicros - KEPT_MICROS) {
            ofPool.removeFirst();
        }
        ofPool.addLast(new Charge(nowMicros, addresses));
        write();
    }

    /** The latest charge becomes another; its time stays. */
    void correct(String pool, int addresses) throws IOException {
        Charge last = of(pool).removeLast();
        of(pool).addLast(new Charge(last.atMicros(), addresses));
        write();
    }

    private void write() throws IOException {
        ObjectNode pools = MAPPER.createObjectNode();
        charges.forEach((pool, list) -> {
            ArrayNode all = pools.putArray(pool);
            list.forEach(charge -> all.addArray().add(charge.atMicros()).add(charge.addresses()));
        });
        try {
            vault.write(FILE, MAPPER.writeValueAsBytes(pools));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("numbers are always JSON", e);
        }
    }
}
