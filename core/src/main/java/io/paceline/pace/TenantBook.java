package io.paceline.pace;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All tenants, by name. Immutable and thread-safe. */
public final class TenantBook {
    private static final TenantBook EMPTY = new TenantBook(List.of());

    private final Map<String, TenantSettings> byName = new LinkedHashMap<>();

    private TenantBook(List<TenantSettings> tenants) {
        for (TenantSettings tenant : tenants) {
            if (byName.putIfAbsent(tenant.name(), tenant) != null) {
                throw new IllegalArgumentException(
                        "two tenants are called \"" + tenant.name() + "\": give each its own name");
            }
        }
    }

    /** @throws IllegalArgumentException where two have one name */
    public static TenantBook of(List<TenantSettings> tenants) {
        return tenants.isEmpty() ? EMPTY : new TenantBook(tenants);
    }

    /** Nobody is told from anybody. */
    public static TenantBook empty() {
        return EMPTY;
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** In file order. */
    public Collection<TenantSettings> tenants() {
        return List.copyOf(byName.values());
    }

    /** What is configured of a tenant; null where nothing is: then everybody's pools and rules are its own. */
    public @Nullable TenantSettings find(String name) {
        return byName.get(name);
    }

    /** Whether a pool serves this tenant and no other. */
    public boolean isOnlyUserOf(String tenant, String pool) {
        for (TenantSettings other : byName.values()) {
            if (!other.name().equals(tenant) && other.pools().contains(pool)) {
                return false;
            }
        }
        TenantSettings own = byName.get(tenant);
        return own != null && own.pools().contains(pool);
    }
}
