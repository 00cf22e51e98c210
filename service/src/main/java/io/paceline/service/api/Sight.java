package io.paceline.service.api;

import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
import io.paceline.service.events.Event;
import io.paceline.service.usage.TenantTraces;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What callers may see: nothing of one tenant is visible to another. Operators, and callers without a tenant, see
 * everything. A viewer of a tenant sees its own pools, sessions, leases and rules. Where a pool serves other tenants too,
 * it sees the pool's addresses and what befell them as a whole, but of targets only those that its own requests went to.
 */
public final class Sight {

    private final Supplier<TenantBook> tenants;
    private final TenantTraces traces;

    /** @param tenants those that are configured now */
    public Sight(Supplier<TenantBook> tenants, TenantTraces traces) {
        this.tenants = tenants;
        this.traces = traces;
    }

    /** Of a gatekeeper without tenants. */
    public static Sight ofNoTenants() {
        return new Sight(TenantBook::empty, new TenantTraces());
    }

    View of(Caller caller) {
        return caller.seesAll() ? View.ALL : new View(caller.tenant(), tenants.get(), traces);
    }

    /** What one caller may see at this moment. */
    static final class View {
        static final View ALL = new View("", TenantBook.empty(), new TenantTraces());

        private final String tenant;
        private final TenantBook book;
        private final @Nullable TenantSettings own;
        private final TenantTraces traces;

        private View(String tenant, TenantBook book, TenantTraces traces) {
            this.tenant = tenant;
            this.book = book;
            this.own = book.find(tenant);
            this.traces = traces;
        }

        boolean all() {
            return tenant.isEmpty();
        }

        /** Whether the pool serves this caller. */
        boolean pool(String pool) {
            return all() || own == null || own.pools().contains(pool);
        }

        /**
         * The pool that a caller names, or the first that serves it; null means the first of the configuration.
         *
         * @throws IllegalArgumentException where it is none of the caller's
         */
        @Nullable
        String poolOr(@Nullable String named) {
            if (own == null || all()) {
                return named;
            }
            if (named != null && !pool(named)) {
                throw new IllegalArgumentException("pool \"" + named + "\" is none of tenant " + tenant + "; it has "
                        + String.join(", ", own.pools()));
            }
            return named == null ? own.pools().get(0) : named;
        }

        /** Whether a caller may know that the target is asked for through the pool. */
        boolean target(String pool, String target) {
            return all() || (pool(pool) && (book.isOnlyUserOf(tenant, pool) || traces.hasAsked(tenant, target)));
        }

        /** @param session a hash of tenant and key */
        boolean session(long session) {
            return all() || traces.owns(tenant, session);
        }

        boolean tenant(String name) {
            return all() || tenant.equals(name);
        }

        /** Events of the house as a whole are for its operators. */
        boolean event(Event event) {
            if (all()) {
                return true;
            }
            String pool = event.pool();
            if (pool == null || !pool(pool)) {
                return false;
            }
            return switch (event.kind()) {
                case REFUSAL, SESSION -> tenant.equals(event.tenant());
                case TRANSITION, VERDICT -> event.target() == null || target(pool, event.target());
                case CONTROL_URL, STORE, CONFIGURATION -> false;
            };
        }
    }
}
