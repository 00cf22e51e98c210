package io.paceline.service.reload;

import io.paceline.Address;
import io.paceline.pace.Rule;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.service.config.ProxyConfig;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.config.TokenConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What is otherwise in one configuration than in another, in sentences without a secret. */
final class ConfigChanges {

    private final List<String> changes = new ArrayList<>();
    private final Map<String, String> before;
    private final Map<String, String> after;

    private ConfigChanges(ServiceConfig before, ServiceConfig after) {
        this.before = before.described();
        this.after = after.described();
    }

    /** Between two that could both run here: what needs a restart is for {@link #restart}. */
    static List<String> between(ServiceConfig before, ServiceConfig after) {
        ConfigChanges all = new ConfigChanges(before, after);
        all.things("token ", before.api().tokens(), after.api().tokens(), TokenConfig::name);
        all.things("proxy", List.of(before.proxy()), List.of(after.proxy()), proxy -> "");
        all.things("reload", List.of(before.reload()), List.of(after.reload()), reload -> "");
        all.things(
                "pool ",
                before.pools().stream().map(PoolConfig::settings).toList(),
                after.pools().stream().map(PoolConfig::settings).toList(),
                settings -> settings.name());
        all.things("list ", before.urlLists(), after.urlLists(), list -> list.shown() + " of pool " + list.pool());
        all.things("supply of pool ", before.supplies(), after.supplies(), supply -> supply.pool());
        all.things(
                "target ",
                before.targets(),
                after.targets(),
                target -> target.match().toString());
        all.order("targets", before.targets(), after.targets(), TargetSettings::match);
        all.order(
                "pools", before.pools(), after.pools(), pool -> pool.settings().name());
        all.things("rule ", before.rules(), after.rules(), Rule::name);
        all.order("rules", before.rules(), after.rules(), Rule::name);
        all.things("tenant ", before.tenants(), after.tenants(), TenantSettings::name);
        return all.changes;
    }

    private <T> void things(String kind, Collection<T> old, Collection<T> now, Function<T, String> name) {
        Map<String, T> known = new LinkedHashMap<>();
        old.forEach(thing -> known.put(name.apply(thing), thing));
        for (T thing : now) {
            String about = kind + name.apply(thing);
            T twin = known.remove(name.apply(thing));
            if (twin == null) {
                changes.add("new " + after.getOrDefault(about, about));
            } else if (!twin.equals(thing)) {
                String line = after.getOrDefault(about, about + " is another");
                changes.add(line.equals(before.get(about)) ? line + " (in what is not shown here)" : line);
            }
        }
        known.keySet().forEach(gone -> changes.add(kind + gone + " is gone"));
    }

    /** Where two have equal rank the first in the file wins. */
    private <T> void order(String kind, List<T> old, List<T> now, Function<T, Object> name) {
        List<Object> was = new ArrayList<>(old.stream().map(name).toList());
        List<Object> is = new ArrayList<>(now.stream().map(name).toList());
        Set<Object> both = new HashSet<>(was);
        both.retainAll(new HashSet<>(is));
        was.retainAll(both);
        is.retainAll(both);
        if (!was.equals(is)) {
            changes.add("the " + kind + " stand in another order");
        }
    }

    /** How many addresses came and went, pool by pool. */
    static List<String> ofAddresses(List<PoolConfig> before, List<PoolConfig> after) {
        Map<String, Map<String, Address>> old = new LinkedHashMap<>();
        before.forEach(pool -> old.put(pool.settings().name(), byId(pool)));
        List<String> changes = new ArrayList<>();
        for (PoolConfig pool : after) {
            Map<String, Address> were = old.getOrDefault(pool.settings().name(), Map.of());
            Map<String, Address> are = byId(pool);
            long added =
                    are.keySet().stream().filter(id -> !were.containsKey(id)).count();
            long removed =
                    were.keySet().stream().filter(id -> !are.containsKey(id)).count();
            long changed = are.values().stream()
                    .filter(address -> were.containsKey(address.id()) && !address.equals(were.get(address.id())))
                    .count();
            List<String> words = new ArrayList<>();
            count(words, added, "added");
            count(words, removed, "removed");
            count(words, changed, "changed");
            if (!words.isEmpty()) {
                changes.add("pool " + pool.settings().name() + ": addresses " + String.join(", ", words) + ", now "
                        + are.size());
            }
        }
        return changes;
    }

    private static void count(List<String> words, long count, String word) {
        if (count > 0) {
            words.add(count + " " + word);
        }
    }

    private static Map<String, Address> byId(PoolConfig pool) {
        Map<String, Address> byId = new LinkedHashMap<>();
        pool.addresses().forEach(address -> byId.put(address.id(), address));
        return byId;
    }

    /** What one says and what runs cannot become without a restart. */
    static List<String> restart(ServiceConfig running, ServiceConfig wanted) {
        List<String> needed = new ArrayList<>();
        differs(needed, "api.listen", running.api().listen(), wanted.api().listen());
        differs(
                needed,
                "api.on_refusal",
                running.api().refusalAs200() ? "200" : "status",
                wanted.api().refusalAs200() ? "200" : "status");
        boolean open = running.api().tokens().isEmpty();
        if (open != wanted.api().tokens().isEmpty()) {
            needed.add(
                    open
                            ? "api.tokens: everyone is operator, the configuration has tokens"
                            : "api.tokens: tokens are in force, the configuration has none");
        }
        ProxyConfig proxy = running.proxy();
        differs(needed, "proxy.listen", proxy.listen(), wanted.proxy().listen());
        differs(
                needed,
                "proxy.allow_private_targets",
                proxy.allowPrivateTargets(),
                wanted.proxy().allowPrivateTargets());
        if (!running.journal().equals(wanted.journal())) {
            needed.add("journal: the configuration names other settings than those in force");
        }
        if (!running.store().equals(wanted.store())) {
            needed.add("store: the configuration names another than the one in force"); // its URL may hold a password
        }
        differs(needed, "journal", running.journal(), wanted.journal());
        differs(needed, "robots.agent", running.robotsAgent(), wanted.robotsAgent());
        return needed;
    }

    private static void differs(List<String> needed, String key, Object running, Object wanted) {
        if (!running.equals(wanted)) {
            needed.add(key + ": " + running + " is in force, the configuration has " + wanted);
        }
    }
}
