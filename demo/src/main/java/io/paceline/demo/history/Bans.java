package io.paceline.demo.history;

import io.paceline.demo.history.Event.Order;
import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Finding.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * From the answer to a ban until somebody begins to lift it, nobody leases the address: at any instance, and through whatever
 * befalls the store once all have heard of it. A ban that falls into a time without the store is told to the others when all
 * are together again, unless its instance was killed before.
 */
final class Bans implements Checker.Check {
    private final History history;

    Bans(History history) {
        this.history = history;
    }

    @Override
    public void into(List<Finding> found) {
        Map<String, List<Permit>> byAddress = new HashMap<>();
        history.all(Permit.class)
                .forEach(permit -> byAddress
                        .computeIfAbsent(permit.address(), address -> new ArrayList<>())
                        .add(permit));
        List<Order> orders = history.all(Order.class).toList();
        for (Order ban : orders) {
            if (ban.ban() && ban.carriedOut()) {
                long until = lifted(orders, ban);
                for (Permit permit : byAddress.getOrDefault(ban.address(), List.of())) {
                    if (permit.calledMicros() > ban.answeredMicros() && permit.answeredMicros() < until) {
                        found.add(leased(ban, permit));
                    }
                }
            }
        }
    }

    private static long lifted(List<Order> orders, Order ban) {
        return orders.stream()
                .filter(order -> !order.ban()
                        && order.address().equals(ban.address())
                        && order.answeredMicros() > ban.answeredMicros())
                .mapToLong(Order::calledMicros)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private Finding leased(Order ban, Permit permit) {
        Modes modes = history.modes();
        boolean heard = modes.allShared(ban.calledMicros(), ban.answeredMicros() + Checker.VIEW_AGE_MICROS);
        boolean together = modes.allShared(permit.calledMicros() - Checker.VIEW_AGE_MICROS, permit.answeredMicros());
        boolean soon = modes.allShared(ban.calledMicros(), permit.answeredMicros());
        boolean orphan = !heard && modes.goneBy(ban.instance(), permit.answeredMicros());
        return new Finding(
                Kind.BAN,
                permit.answeredMicros(),
                !(heard || soon || together) || orphan,
                permit.address() + " was leased while it was banned",
                List.of(ban, permit));
    }
}
