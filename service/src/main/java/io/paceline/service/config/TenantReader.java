package io.paceline.service.config;

import io.paceline.pace.Prices;
import io.paceline.pace.Prices.Price;
import io.paceline.pace.Quota;
import io.paceline.pace.Quota.Amount;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.Spending;
import io.paceline.pace.TenantSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code tenants}. */
final class TenantReader {

    private static final String EXAMPLE =
            "tenants: [{name: shop, pools: [default], quota: {permits: 100000/day, leases: 200}}]";
    private static final int MAX_LEASES = 1_000_000;

    private final Set<String> pools;
    private final List<Rule> everybodys;

    private TenantReader(Set<String> pools, List<Rule> everybodys) {
        this.pools = pools;
        this.everybodys = everybodys;
    }

    /** @param everybodys the rules that hold for all, for faults that show only together with a tenant's own */
    static List<TenantSettings> read(Value tenants, Set<String> pools, List<Rule> everybodys) {
        TenantReader reader = new TenantReader(pools, everybodys);
        List<TenantSettings> read = new ArrayList<>();
        Map<String, Integer> lines = new LinkedHashMap<>();
        for (Value element : tenants.list(EXAMPLE)) {
            if (!element.isMapping()) {
                element.errorAsIs("a tenant is " + element.kind() + " where a mapping is expected: write " + EXAMPLE);
                continue;
            }
            element.section("tenants[]").flatMap(reader::tenant).ifPresent(tenant -> {
                Integer before = lines.putIfAbsent(tenant.name(), element.line());
                if (before != null) {
                    element.errorAsIs("two tenants are called \"" + tenant.name() + "\", the first in line " + before
                            + ": give each its own name");
                } else {
                    read.add(tenant);
                }
            });
        }
        return read;
    }

    private Optional<TenantSettings> tenant(Section section) {
        try (section) {
            if (section.value("name").isEmpty()) {
                section.error("name", "a tenant has no name: write name: shop, and tenant: shop at its tokens");
            }
            Optional<String> name = section.text("name");
            List<String> own = pools(section);
            List<Rule> rules = section.value("rules").map(RuleReader::read).orElse(List.of());
            Quota quota = section.section("quota").map(TenantReader::quota).orElse(Quota.NONE);
            Prices prices = section.section("prices").map(this::prices).orElse(Prices.NONE);
            if (quota.money() != null && !prices.any()) {
                section.warning(
                        "quota",
                        "a quota of money without prices is never used up: write for example prices: {per_gib: 0.50}");
            }
            if (name.isEmpty() || own.isEmpty() || section.failed()) {
                return Optional.empty();
            }
            try {
                TenantSettings tenant = new TenantSettings(name.get(), own, rules, quota, prices);
                checkTogether(section, tenant);
                return Optional.of(tenant);
            } catch (IllegalArgumentException unfit) {
                section.error(unfit);
                return Optional.empty();
            }
        }
    }

    private void checkTogether(Section section, TenantSettings tenant) {
        RuleBook shared;
        try {
            shared = RuleBook.of(everybodys);
        } catch (IllegalArgumentException toldAlready) {
            return;
        }
        try {
            tenant.ruleBook(shared);
        } catch (IllegalArgumentException unfit) {
            section.error("rules", String.valueOf(unfit.getMessage()));
        }
    }

    private List<String> pools(Section section) {
        List<String> own = new ArrayList<>();
        if (section.value("pools").isEmpty()) {
            section.error(
                    "pools",
                    "a tenant has no pools: write pools: [" + pools.iterator().next() + "]");
        }
        for (Value element : section.list("pools", "pools: [default]")) {
            element.text().ifPresent(name -> {
                if (!pools.contains(name)) {
                    element.errorAsIs("no pool is called \"" + name + "\": " + near(name, pools));
                } else if (!own.contains(name)) {
                    own.add(name);
                }
            });
        }
        return own;
    }

    private static String near(String name, Set<String> names) {
        return Nearest.to(name, names)
                .map(word -> "did you mean \"" + word + "\"?")
                .orElse("there are " + String.join(", ", names));
    }

    private static Quota quota(Section section) {
        try (section) {
            Amount permits = amount(section, "permits", QuotaText::permits);
            Integer leases = section.value("leases")
                    .flatMap(value -> value.integer(1, MAX_LEASES, 200))
                    .orElse(null);
            Amount bytes = amount(section, "bytes", QuotaText::bytes);
            Amount money = amount(section, "money", QuotaText::money);
            var zone = section.value("zone").flatMap(RuleReader::zone).orElse(Quota.NONE.zone());
            try {
                return new Quota(permits, leases, bytes, money, zone);
            } catch (IllegalArgumentException unfit) {
                section.error(unfit);
                return Quota.NONE;
            }
        }
    }

    private static @Nullable Amount amount(Section section, String key, Function<String, Amount> parser) {
        return section.value(key).flatMap(value -> value.parsed(parser)).orElse(null);
    }

    private Prices prices(Section section) {
        try (section) {
            Price usual = price(section);
            Map<String, Price> ofPools = new LinkedHashMap<>();
            section.value("pools")
                    .ifPresent(value -> value.entries("pools: {residential: {per_gib: 8.00}}")
                            .forEach((name, entry) -> {
                                if (!pools.contains(name)) {
                                    entry.errorAsIs("no pool is called \"" + name + "\": " + near(name, pools));
                                }
                                priceIn(entry, "tenants[].prices.pools.*").ifPresent(price -> ofPools.put(name, price));
                            }));
            Map<String, Price> ofKinds = new LinkedHashMap<>();
            section.value("kinds")
                    .ifPresent(value -> value.entries("kinds: {residential: {per_gib: 8.00}}")
                            .forEach((name, entry) -> priceIn(entry, "tenants[].prices.kinds.*")
                                    .ifPresent(price -> ofKinds.put(name, price))));
            return new Prices(usual, ofPools, ofKinds);
        }
    }

    private static Optional<Price> priceIn(Value entry, String place) {
        return entry.section(place).map(section -> {
            try (section) {
                return price(section);
            }
        });
    }

    private static Price price(Section section) {
        return new Price(priced(section, "per_permit"), priced(section, "per_gib"));
    }

    private static @Nullable Long priced(Section section, String key) {
        return section.value(key)
                .flatMap(value -> value.parsed(text -> QuotaText.price(key, text)))
                .orElse(null);
    }

    /** One line for people: what the tenant may use. */
    static String describe(TenantSettings tenant) {
        Quota quota = tenant.quota();
        List<String> parts = new ArrayList<>();
        parts.add("pools " + String.join(", ", tenant.pools()));
        if (quota.permits() != null) {
            parts.add(quota.permits().most() + " permits a " + quota.permits().windowWord());
        }
        if (quota.leases() != null) {
            parts.add(quota.leases() + " leases at once");
        }
        if (quota.bytes() != null) {
            parts.add(quota.bytes().most() + " bytes a " + quota.bytes().windowWord());
        }
        if (quota.money() != null) {
            parts.add(Spending.money(quota.money().most()) + " of money a "
                    + quota.money().windowWord());
        }
        if (quota.permits() != null || quota.bytes() != null || quota.money() != null) {
            parts.add("zone " + quota.zone().getId());
        }
        if (quota.equals(Quota.NONE)) {
            parts.add("no quota");
        }
        return String.join("; ", parts);
    }
}
