package io.paceline.service.supply;

import io.paceline.service.config.Secret;
import io.paceline.service.config.SupplyConfig;
import io.paceline.service.lists.ProxyEntry;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks providers for more addresses while a pool has fewer in service than its low-water mark.
 *
 * <p>Bounds, in this order: one request at a time; {@code every} between two, doubled with each failure in a row up to an
 * hour; never more addresses asked for in any period than the budget, over reloads and restarts too. A request is charged
 * before it is sent, with what it asks for, and stays charged whatever comes back, unless it certainly bought nothing: nobody
 * was reached, or the provider refused it (4xx). Who gives more than was asked for is charged for what it gave.
 *
 * <p>Confined to the executor it is given.
 */
public final class SupplyHook {

    private static final long MOST_PAUSE_MICROS = 3_600L * 1_000_000;
    private static final int MOST_DOUBLINGS = 16;

    private final Web web;
    private final Ledger ledger;
    private final Executor home;
    private final SupplyListener listener;
    private final ToIntBiFunction<String, List<ProxyEntry>> taker;
    private final Map<String, Source> byPool = new LinkedHashMap<>();

    /** The provider of one pool. */
    private static final class Source {
        private SupplyConfig config;
        private int failures;
        private long triedMicros;
        private @Nullable String fault;
        private boolean asking;
        private boolean toldOfBudget;

        Source(SupplyConfig config) {
            this.config = config;
        }
    }

    /**
     * @param home runs everything that changes state, one after another
     * @param taker adds addresses to a pool and says how many of them it did not have
     * @throws IOException where nobody knows what was spent before; the message is for a person
     */
    public SupplyHook(
            Web web,
            Vault vault,
            Executor home,
            SupplyListener listener,
            ToIntBiFunction<String, List<ProxyEntry>> taker)
            throws IOException {
        this.web = web;
        this.ledger = new Ledger(vault);
        this.home = home;
        this.listener = listener;
        this.taker = taker;
    }

    /** Asks these from now on; what was spent and when is not forgotten, be a pool's supply taken away and given back. */
    public void configure(List<SupplyConfig> supplies) {
        Map<String, Source> kept = new LinkedHashMap<>();
        for (SupplyConfig supply : supplies) {
            Source source = byPool.get(supply.pool());
            if (source == null) {
                source = new Source(supply);
                source.triedMicros = ledger.lastMicros(supply.pool());
            } else if (!source.config.url().equals(supply.url())) {
                source.failures = 0;
            }
            source.config = supply;
            kept.put(supply.pool(), source);
        }
        byPool.clear();
        byPool.putAll(kept);
    }

    /** How each provider stands. */
    public List<SupplyState> states(long nowMicros) {
        return byPool.values().stream().map(source -> state(source, nowMicros)).toList();
    }

    private SupplyState state(Source source, long nowMicros) {
        SupplyConfig config = source.config;
        return new SupplyState(
                config.pool(),
                config.shown(),
                config.below(),
                left(config, nowMicros),
                source.triedMicros,
                source.fault);
    }

    private int left(SupplyConfig config, long nowMicros) {
        long period = config.period().toNanos() / 1_000;
        return Math.max(0, config.most() - ledger.spent(config.pool(), nowMicros, period));
    }

    /**
     * Asks where it is time to.
     *
     * @param inService how many addresses of a pool are in service
     */
    public void tick(long nowMicros, ToIntFunction<String> inService) {
        for (Source source : List.copyOf(byPool.values())) {
            if (!source.asking && nowMicros >= source.triedMicros + pauseMicros(source)) {
                int serving = inService.applyAsInt(source.config.pool());
                if (serving < source.config.below()) {
                    ask(source, serving, nowMicros);
                }
            }
        }
    }

    private static long pauseMicros(Source source) {
        if (source.triedMicros == 0) {
            return 0;
        }
        long every = source.config.every().toNanos() / 1_000;
        return Math.max(every, Math.min(MOST_PAUSE_MICROS, every << source.failures));
    }

    private void ask(Source source, int serving, long nowMicros) {
        SupplyConfig config = source.config;
        int wanted = Math.min(config.below() - serving, left(config, nowMicros));
        if (wanted <= 0) {
            if (!source.toldOfBudget) {
                source.toldOfBudget = true;
                source.fault = "its budget is used up";
                listener.asked(
                        state(source, nowMicros),
                        "budget",
                        serving + " in service, below " + config.below() + ", and the budget of " + config.most()
                                + " is used up",
                        0);
            }
            return;
        }
        source.toldOfBudget = false;
        source.triedMicros = nowMicros;
        try {
            ledger.charge(config.pool(), nowMicros, wanted);
        } catch (IOException unwritable) {
            failed(source, "what it is asked for cannot be written down: " + unwritable.getMessage(), nowMicros);
            return;
        }
        source.asking = true;
        Secret url = new Secret(filled(config, wanted, serving));
        CompletionStage<Void> unused = web.get(new Web.Ask(url, null, null))
                .handleAsync(
                        (answer, failure) -> {
                            source.asking = false;
                            heard(source, wanted, serving, answer, failure, nowMicros);
                            return null;
                        },
                        home);
    }

    private static String filled(SupplyConfig config, int wanted, int serving) {
        return config.url()
                .value()
                .replace("{missing}", Integer.toString(wanted))
                .replace(
                        "{pool}",
                        URLEncoder.encode(config.pool(), StandardCharsets.UTF_8).replace("+", "%20"))
                .replace("{below}", Integer.toString(config.below()))
                .replace("{in_service}", Integer.toString(serving));
    }

    private void heard(
            Source source,
            int wanted,
            int serving,
            Web.@Nullable Answer answer,
            @Nullable Throwable failure,
            long askedMicros) {
        String pool = source.config.pool();
        if (answer == null || failure != null) {
            Throwable cause =
                    failure != null && failure.getCause() instanceof Web.WebException ? failure.getCause() : failure;
            Web.WebException why = cause instanceof Web.WebException ours ? ours : null;
            if (why != null && why.neverAsked()) {
                correct(pool, 0);
            }
            failed(source, why == null ? "it cannot be asked" : String.valueOf(why.getMessage()), askedMicros);
            return;
        }
        if (answer.status() < 200 || answer.status() >= 300) {
            if (answer.status() >= 400 && answer.status() < 500) {
                correct(pool, 0);
            }
            failed(source, "it answered " + answer.status(), askedMicros);
            return;
        }
        List<ProxyEntry> given;
        try {
            given = Items.read(answer.body(), source.config.items());
        } catch (IOException nothing) {
            failed(source, String.valueOf(nothing.getMessage()), askedMicros);
            return;
        }
        if (given.size() > wanted) {
            correct(pool, given.size());
        }
        int added = taker.applyAsInt(pool, given);
        if (added == 0) {
            failed(source, "it gave " + given.size() + ", all of which the pool has already", askedMicros);
            return;
        }
        source.fault = null;
        source.failures = 0;
        listener.asked(
                state(source, askedMicros),
                "supplied",
                serving + " in service, below " + source.config.below() + ": asked for " + wanted + ", " + added
                        + " new",
                added);
    }

    private void correct(String pool, int addresses) {
        try {
            ledger.correct(pool, addresses);
        } catch (IOException unwritable) {
            // The next charge is refused for the same reason, and says so.
        }
    }

    private void failed(Source source, String fault, long nowMicros) {
        source.failures = Math.min(MOST_DOUBLINGS, source.failures + 1);
        source.fault = fault;
        listener.asked(state(source, nowMicros), "failed", fault, 0);
    }
}
