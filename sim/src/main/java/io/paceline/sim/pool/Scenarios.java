package io.paceline.sim.pool;

import static io.paceline.sim.pool.Fault.FOR_EVER;

import io.paceline.health.ProbeSettings;
import io.paceline.pool.PoolSettings;
import io.paceline.sim.Dice;
import io.paceline.sim.pool.Scenario.Plan;
import io.paceline.sim.pool.Site.Ban;
import io.paceline.store.DelayedStore;
import io.paceline.store.OnAddressDeath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every scenario: the exam's table as it stands in the targets, then those that are asked for by name. */
final class Scenarios {
    private static final double NOISE = 0.02;
    private static final int PROVIDERS = 4;
    /** Where the measured time begins. */
    private static final long MEASURED = Time.START + 5 * Time.MINUTE;

    private static final List<Scenario> ALL = List.of(
            exam("dead-and-flaky", "15 of 100 addresses dead, 15 fail half of the time", Scenarios::deadAndFlaky),
            exam("slow-and-hanging", "10 of 100 addresses accept and hang, 10 are five times slower", Scenarios::slow),
            exam("captcha-drift", "20 of 200 addresses drift to 60 % captchas on one target", Scenarios::drift),
            exam("bans", "a target bans an address for 30 min after 100 requests in 10 min", Scenarios::bans),
            exam("platform-incident", "one of 5 targets fails 90 % for all for 10 min", Scenarios::platformIncident),
            exam("captcha-wave", "one of 5 targets shows captchas to all for 10 min", Scenarios::captchaWave),
            exam("own-outage", "our uplink fails everything for 3 min", Scenarios::ownOutage),
            exam(
                    "control-url-dead",
                    "one of 2 control URLs is dead for the hour, the other for half",
                    Scenarios::control),
            exam("provider-down", "one of 4 providers fails all for 15 min", Scenarios::providerDown),
            exam("mixed-blame", "single faults of address, cell, target, provider and own side", Scenarios::mixedBlame),
            exam("small-pool", "3 addresses: one fails for 10 min, then a target does", Scenarios::smallPool),
            exam("trickle", "20 requests an hour, 5 of 30 addresses dead", Scenarios::trickle),
            exam("churn", "an address leaves or joins every minute, 500 sessions, restarts", Scenarios::churn),
            extra("storm", "random pools, faults, lost leases, churn and restarts, for invariants", Scenarios::storm),
            extra("fleet", "dead-and-flaky decided by three gatekeepers over a slow network", Scenarios::fleet),
            extra("batch", "200 requests at one instant every 20 s, 15 % dead", Scenarios::batch),
            extra("day", "24 h of 200 requests/s over 1,000 addresses, for speed", Scenarios::day),
            extra(
                    "hundredth",
                    "a hundredth of docs/scale.md: 1,000 requests/s, 10,000 addresses, 100,000 sessions, three gatekeepers",
                    Scenarios::hundredth));

    private Scenarios() {}

    static List<Scenario> all() {
        return ALL;
    }

    private static Scenario exam(String name, String story, java.util.function.Function<Dice, Plan> plan) {
        return new Scenario(name, story, true, plan);
    }

    private static Scenario extra(String name, String story, java.util.function.Function<Dice, Plan> plan) {
        return new Scenario(name, story, false, plan);
    }

    // ---- the exam

    private static Plan deadAndFlaky(Dice dice) {
        List<Integer> shuffled = shuffled(100, dice);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            faults.add(Fault.ofAddress(shuffled.get(i), 1, Face.NO_CONNECTION));
            faults.add(Fault.ofAddress(shuffled.get(15 + i), 0.5, Face.BAD_GATEWAY));
        }
        return Plan.of(pool(100, 5), Load.open(50), faults);
    }

    private static Plan slow(Dice dice) {
        List<Integer> shuffled = shuffled(100, dice);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            faults.add(Fault.ofAddress(shuffled.get(i), 1, Face.SILENCE));
            faults.add(Fault.slow(shuffled.get(10 + i), 5));
        }
        return Plan.of(pool(100, 5), Load.open(50), faults);
    }

    private static Plan drift(Dice dice) {
        List<Integer> shuffled = shuffled(200, dice);
        int target = draw(dice, 3);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            faults.add(Fault.ofCell(shuffled.get(i), target, 0.6, Face.CHALLENGE)
                    .during(MEASURED + 10 * Time.MINUTE, FOR_EVER)
                    .growingOver(20 * Time.MINUTE));
        }
        return Plan.of(pool(200, 3), Load.open(50), faults).withCaptchas();
    }

    private static Plan bans(Dice dice) {
        Ban ban = new Ban(100, 10 * Time.MINUTE, 30 * Time.MINUTE);
        Layout layout = Layout.of(50, 0, PROVIDERS, List.of(site(0, ban), site(1, null)), NOISE);
        return Plan.of(layout, Load.inSessions(20, 200), List.of());
    }

    private static Plan platformIncident(Dice dice) {
        int target = draw(dice, 5);
        long from = MEASURED + 20 * Time.MINUTE;
        long until = from + 10 * Time.MINUTE;
        Looks looks = Looks.breakdown(0.1 + dice.next(), 0.1 + dice.next(), 0.1 + dice.next());
        return Plan.of(
                        pool(100, 5),
                        Load.open(50),
                        List.of(Fault.ofTarget(target, 0.9, looks).during(from, until)))
                .withEpisode(from, until, Set.of(target));
    }

    private static Plan captchaWave(Dice dice) {
        int target = draw(dice, 5);
        long from = MEASURED + 20 * Time.MINUTE;
        long until = from + 10 * Time.MINUTE;
        return Plan.of(
                        pool(100, 5),
                        Load.open(50),
                        List.of(Fault.ofTarget(target, 1, Looks.only(Face.CHALLENGE))
                                .during(from, until)))
                .withEpisode(from, until, Set.of(target))
                .withCaptchas();
    }

    private static Plan ownOutage(Dice dice) {
        long from = MEASURED + 20 * Time.MINUTE;
        long until = from + 3 * Time.MINUTE;
        Face face = dice.next() < 0.5 ? Face.NO_CONNECTION : Face.SILENCE;
        return Plan.of(
                        pool(100, 5),
                        Load.open(50),
                        List.of(Fault.ofOwnSide(1, face).during(from, until)))
                .withEpisode(from, until, allTargets(5));
    }

    /** Few requests, so that many addresses are idle and probed. */
    private static Plan control(Dice dice) {
        List<Control> controls = List.of(
                new Control("http://control-a.example/ok", MEASURED, FOR_EVER),
                new Control("http://control-b.example/ok", MEASURED + 30 * Time.MINUTE, FOR_EVER));
        ProbeSettings probe = ProbeSettings.defaults()
                .withUrls(controls.stream().map(Control::url).toList());
        Setup alone = Setup.DEFAULTS;
        Setup probing = new Setup(
                alone.settings().withProbe(probe), alone.rules(), alone.instances(), alone.network(), alone.maxWait());
        return Plan.of(pool(100, 5).withControls(controls), Load.open(5), List.of())
                .withSetup(probing);
    }

    private static Plan providerDown(Dice dice) {
        long from = MEASURED + 20 * Time.MINUTE;
        long until = from + 15 * Time.MINUTE;
        String provider = "p" + draw(dice, PROVIDERS);
        Face face = dice.next() < 0.5 ? Face.NO_CONNECTION : Face.BAD_GATEWAY;
        return Plan.of(
                        pool(100, 5),
                        Load.open(50),
                        List.of(Fault.ofProvider(provider, 1, face).during(from, until)))
                .withEpisode(from, until, allTargets(5));
    }

    /** A fault begins every 90 s on average and lasts a while, so that some overlap; half of them are partial. */
    private static Plan mixedBlame(Dice dice) {
        List<Fault> faults = new ArrayList<>();
        long at = MEASURED + Time.micros(dice.exponential(90));
        while (at < MEASURED + 55 * Time.MINUTE) {
            double share = dice.next() < 0.5 ? 1 : 0.5 + 0.5 * dice.next();
            double kind = dice.next();
            long length = Time.micros(180 + 420 * dice.next());
            faults.add(randomFault(dice, kind, share).during(at, at + (kind >= 0.9 ? length / 4 : length)));
            at += Time.micros(dice.exponential(90));
        }
        return Plan.of(pool(60, 6), Load.open(30), faults);
    }

    private static Fault randomFault(Dice dice, double kind, double share) {
        if (kind < 0.35) {
            Face face = one(dice, Face.NO_CONNECTION, Face.SILENCE, Face.BAD_GATEWAY);
            return Fault.ofAddress(draw(dice, 60), share, face);
        }
        if (kind < 0.65) {
            Face face = one(dice, Face.FORBIDDEN, Face.CHALLENGE, Face.SILENCE);
            return Fault.ofCell(draw(dice, 60), draw(dice, 6), share, face);
        }
        if (kind < 0.80) {
            Looks looks = Looks.breakdown(dice.next(), dice.next(), 0.1 + dice.next());
            return Fault.ofTarget(draw(dice, 6), share, looks);
        }
        if (kind < 0.90) {
            return Fault.ofProvider(
                    "p" + draw(dice, PROVIDERS), share, one(dice, Face.NO_CONNECTION, Face.BAD_GATEWAY));
        }
        return Fault.ofOwnSide(share, one(dice, Face.NO_CONNECTION, Face.SILENCE));
    }

    private static Plan smallPool(Dice dice) {
        long first = MEASURED + 10 * Time.MINUTE;
        long second = MEASURED + 35 * Time.MINUTE;
        int target = draw(dice, 2);
        Looks looks = Looks.breakdown(1, 1, 1);
        return Plan.of(
                        pool(3, 2),
                        Load.open(2),
                        List.of(
                                Fault.ofAddress(draw(dice, 3), 1, Face.NO_CONNECTION)
                                        .during(first, first + 10 * Time.MINUTE),
                                Fault.ofTarget(target, 0.9, looks).during(second, second + 10 * Time.MINUTE)))
                .withEpisode(second, second + 10 * Time.MINUTE, Set.of(target));
    }

    private static Plan trickle(Dice dice) {
        List<Integer> shuffled = shuffled(30, dice);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            faults.add(Fault.ofAddress(shuffled.get(i), 1, Face.NO_CONNECTION));
        }
        return Plan.of(pool(30, 3), Load.open(20.0 / 3_600), faults).lasting(24 * Time.HOUR);
    }

    /** Alternately one leaves and one joins, every minute; the process begins anew every quarter of an hour. */
    private static Plan churn(Dice dice) {
        Layout layout = Layout.of(100, 40, PROVIDERS, sites(3), NOISE);
        return Plan.of(layout, Load.inSessions(20, 500), List.of())
                .withChanges(changes(dice, 100, 140, 65 * Time.MINUTE, Time.MINUTE, 15 * Time.MINUTE));
    }

    private static List<Change> changes(Dice dice, int members, int all, long length, long every, long restartEvery) {
        List<Integer> in = new ArrayList<>();
        List<Integer> away = new ArrayList<>();
        for (int i = 0; i < all; i++) {
            (i < members ? in : away).add(i);
        }
        List<Change> changes = new ArrayList<>();
        boolean leaves = true;
        for (long at = every; at < length; at += every) {
            List<Integer> from = leaves ? in : away;
            Integer address = from.remove(draw(dice, from.size()));
            (leaves ? away : in).add(address);
            changes.add(new Change(Time.START + at, leaves ? Change.Kind.REMOVE : Change.Kind.ADD, address));
            leaves = !leaves;
        }
        for (long at = restartEvery; at < length; at += restartEvery) {
            changes.add(new Change(Time.START + at + Time.MINUTE / 2, Change.Kind.RESTART, -1));
        }
        return changes;
    }

    // ---- asked for by name

    /**
     * For what must never be: small caps, a rule that binds, leases that are lost, faults of every kind, churn, restarts; one
     * instance, or three over a bad network.
     */
    private static Plan storm(Dice dice) {
        int members = 3 + draw(dice, 46);
        int targets = 1 + draw(dice, 5);
        int spare = 1 + members / 3;
        List<Fault> faults = new ArrayList<>();
        long at = Time.START + Time.micros(dice.exponential(120));
        while (at < Time.START + 55 * Time.MINUTE) {
            faults.add(stormFault(dice, members, targets).during(at, at + Time.micros(60 + dice.exponential(300))));
            at += Time.micros(dice.exponential(120));
        }
        PoolSettings defaults = PoolSettings.defaults("default");
        int cap = 1 + draw(dice, 3);
        PoolSettings settings = new PoolSettings(
                "default",
                defaults.strategy(),
                defaults.tasks(),
                cap,
                1 + draw(dice, cap),
                Duration.ofSeconds(15),
                defaults.session(),
                defaults.health(),
                defaults.quarantine());
        boolean fleet = dice.next() < 0.5;
        DelayedStore.Faults network = fleet ? new DelayedStore.Faults(40_000, 0.02, 0.02, 0.05) : null;
        double perSecond = 0.5 + 4.5 * dice.next();
        int limit = 3 + draw(dice, 20);
        Setup setup = new Setup(
                settings, Setup.limit(limit, Duration.ofSeconds(10)), fleet ? 3 : 1, network, Duration.ofSeconds(2));
        Layout layout = Layout.of(members, spare, PROVIDERS, sites(targets), NOISE);
        Load load = new Load(perSecond, dice.next() < 0.5 ? 20 : 0, 1, 0.02);
        OnAddressDeath death = List.of(OnAddressDeath.values()).get(draw(dice, 3));
        return Plan.of(layout, load, faults)
                .lasting(55 * Time.MINUTE)
                .withChanges(changes(dice, members, members + spare, Time.HOUR, 2 * Time.MINUTE, 20 * Time.MINUTE))
                .withSetup(setup.withSessions(death));
    }

    private static Fault stormFault(Dice dice, int members, int targets) {
        double kind = dice.next();
        double share = 0.3 + 0.7 * dice.next();
        if (kind < 0.5) {
            return Fault.ofAddress(draw(dice, members), share, one(dice, Face.NO_CONNECTION, Face.SILENCE));
        }
        if (kind < 0.8) {
            return Fault.ofCell(draw(dice, members), draw(dice, targets), share, Face.FORBIDDEN);
        }
        if (kind < 0.9) {
            return Fault.ofTarget(draw(dice, targets), share, Looks.breakdown(1, 1, 1));
        }
        return kind < 0.95
                ? Fault.ofProvider("p" + draw(dice, PROVIDERS), share, Face.NO_CONNECTION)
                : Fault.ofOwnSide(share, Face.NO_CONNECTION);
    }

    private static Plan fleet(Dice dice) {
        Setup alone = Setup.DEFAULTS;
        DelayedStore.Faults network = new DelayedStore.Faults(20_000, 0.001, 0.001, 0.01);
        return deadAndFlaky(dice).withSetup(new Setup(alone.settings(), alone.rules(), 3, network, alone.maxWait()));
    }

    private static Plan batch(Dice dice) {
        List<Integer> shuffled = shuffled(100, dice);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            faults.add(Fault.ofAddress(shuffled.get(i), 1, Face.NO_CONNECTION));
        }
        return Plan.of(pool(100, 5), new Load(10, 0, 200, 0), faults);
    }

    private static Plan day(Dice dice) {
        List<Integer> shuffled = shuffled(1_000, dice);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            faults.add(Fault.ofAddress(shuffled.get(i), i % 2 == 0 ? 1 : 0.5, Face.NO_CONNECTION));
        }
        return Plan.of(pool(1_000, 20), Load.open(200), faults).lasting(24 * Time.HOUR);
    }

    /** A tenth of the addresses is bad; two minutes of warm-up, five measured. */
    private static Plan hundredth(Dice dice) {
        List<Integer> shuffled = shuffled(10_000, dice);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            faults.add(Fault.ofAddress(shuffled.get(i), i % 2 == 0 ? 1 : 0.5, Face.NO_CONNECTION));
        }
        Setup alone = Setup.DEFAULTS;
        DelayedStore.Faults network = new DelayedStore.Faults(5_000, 0, 0, 0);
        Setup three = new Setup(alone.settings(), alone.rules(), 3, network, alone.maxWait());
        return new Plan(
                pool(10_000, 100),
                Load.inSessions(1_000, 100_000),
                2 * Time.MINUTE,
                5 * Time.MINUTE,
                faults,
                List.of(),
                null,
                false,
                three);
    }

    // ---- parts

    private static Layout pool(int members, int targets) {
        return Layout.of(members, 0, PROVIDERS, sites(targets), NOISE);
    }

    private static List<Site> sites(int count) {
        List<Site> sites = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sites.add(site(i, null));
        }
        return sites;
    }

    /** Sites differ in speed: 300 ms to 700 ms in steps. */
    private static Site site(int number, @Nullable Ban ban) {
        return new Site("site-" + number + ".example", 0.3 + 0.1 * (number % 5), ban);
    }

    private static Set<Integer> allTargets(int count) {
        Set<Integer> all = new java.util.LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            all.add(i);
        }
        return all;
    }

    private static List<Integer> shuffled(int count, Dice dice) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(draw(dice, i + 1), i);
        }
        return all;
    }

    private static int draw(Dice dice, int bound) {
        return (int) (dice.next() * bound);
    }

    private static Face one(Dice dice, Face... faces) {
        return faces[draw(dice, faces.length)];
    }
}
