package io.paceline.service.supply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.service.config.AddedAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that are in no file, in the order of adding: kept over reloads and restarts until somebody removes them.
 * Those of a pool that is not configured are kept for its return. Confined to one thread.
 */
public final class AddedAddresses {

    /** As many as may be added in all. */
    public static final int MOST = 100_000;

    private static final String FILE = "added";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Vault vault;
    private final Map<Key, AddedAddress> all = new LinkedHashMap<>();

    private record Key(String pool, Endpoint endpoint) {}

    /** @throws IOException where what was kept cannot be read */
    public AddedAddresses(Vault vault) throws IOException {
        this.vault = vault;
        byte[] kept = vault.read(FILE).orElse(new byte[0]);
        if (kept.length > 0) {
            MAPPER.readTree(kept).forEach(node -> put(read(node)));
        }
    }

    private void put(AddedAddress address) {
        all.putIfAbsent(new Key(address.pool(), address.endpoint()), address);
    }

    public Collection<AddedAddress> all() {
        return List.copyOf(all.values());
    }

    public int size() {
        return all.size();
    }

    /** @throws IOException where they cannot be kept: then none is added */
    public void add(List<AddedAddress> addresses) throws IOException {
        Map<Key, AddedAddress> before = new LinkedHashMap<>(all);
        addresses.forEach(this::put);
        writeOr(before);
    }

    /**
     * Removes an address from every pool that it was added to.
     *
     * @return whether there was any
     * @throws IOException where that cannot be written down: then nothing is removed
     */
    public boolean remove(Endpoint endpoint) throws IOException {
        Map<Key, AddedAddress> before = new LinkedHashMap<>(all);
        boolean removed = all.keySet().removeIf(key -> key.endpoint().equals(endpoint));
        if (removed) {
            writeOr(before);
        }
        return removed;
    }

    private void writeOr(Map<Key, AddedAddress> before) throws IOException {
        ArrayNode list = MAPPER.createArrayNode();
        all.values().forEach(address -> list.add(write(address)));
        try {
            vault.write(FILE, MAPPER.writeValueAsBytes(list));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree is always JSON", e);
        } catch (IOException unwritable) {
            all.clear();
            all.putAll(before);
            throw unwritable;
        }
    }

    private static ObjectNode write(AddedAddress address) {
        Endpoint endpoint = address.endpoint();
        ObjectNode node = MAPPER.createObjectNode()
                .put("pool", address.pool())
                .put("scheme", endpoint.scheme().word())
                .put("host", endpoint.host())
                .put("port", endpoint.port());
        Credentials credentials = endpoint.credentials();
        if (credentials != null) {
            node.put("user", credentials.user()).put("password", credentials.password());
        }
        ObjectNode tags = node.putObject("tags");
        address.tags().forEach(tags::put);
        return node.put("weight", address.weight())
                .put("metered", address.metered())
                .put("by", address.by().name().toLowerCase(Locale.ROOT))
                .put("at", address.atMicros());
    }

    private static AddedAddress read(JsonNode node) {
        @Nullable JsonNode user = node.get("user");
        Credentials credentials = user == null
                ? null
                : new Credentials(user.asText(), node.path("password").asText());
        Map<String, String> tags = new LinkedHashMap<>();
        node.path("tags")
                .properties()
                .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        return new AddedAddress(
                node.path("pool").asText(),
                new Endpoint(
                        Endpoint.Scheme.valueOf(node.path("scheme").asText().toUpperCase(Locale.ROOT)),
                        node.path("host").asText(),
                        node.path("port").asInt(),
                        credentials),
                tags,
                node.path("weight").asDouble(1),
                node.path("metered").asBoolean(),
                AddedAddress.By.valueOf(node.path("by").asText("api").toUpperCase(Locale.ROOT)),
                node.path("at").asLong());
    }

    /** Of the addresses given, those that were not added yet. */
    public List<AddedAddress> unknown(List<AddedAddress> addresses) {
        List<AddedAddress> unknown = new ArrayList<>();
        for (AddedAddress address : addresses) {
            if (!all.containsKey(new Key(address.pool(), address.endpoint()))) {
                unknown.add(address);
            }
        }
        return unknown;
    }
}
