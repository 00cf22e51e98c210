package io.paceline.demo;

import io.paceline.demo.Scenario.SiteSpec;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A world in which all is well: a dozen good proxies of three providers, four sites, two control URLs; and what may befall it. */
final class Stage implements Closeable {
    static final String SICK_SITE = "127.0.0.3";
    /** Its place in the list. */
    static final int SICK_SITE_NUMBER = 1;

    static final String LOST_PROVIDER = "birch";
    static final List<String> CONTROL_HOSTS = List.of("127.0.0.20", "127.0.0.21");

    private static final List<String> PROVIDERS = List.of("acme", LOST_PROVIDER, "cedar");
    static final int PROXIES = 12;

    /** A busy machine of two cores must bear it. */
    static final int PACE = 8;

    private static final int WORKERS = 6;

    static final Scenario WELL = new Scenario(
            "well",
            Collections.nCopies(PROXIES, Temper.GOOD),
            List.of(
                    site("news", "127.0.0.2"),
                    site("shop", SICK_SITE),
                    site("tickets", "127.0.0.4"),
                    site("forum", "127.0.0.5")));

    private static SiteSpec site(String name, String host) {
        return new SiteSpec(name, host, 0, 0, PACE, WORKERS, 0);
    }

    private final World world;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "demo-control");
        thread.setDaemon(true);
        return thread;
    });
    private final List<ControlPage> controls = new ArrayList<>();

    private Stage(World world) {
        this.world = world;
    }

    /** @throws IOException where the machine does not lend the addresses */
    static Stage start(long seed) throws IOException {
        Stage stage = new Stage(World.start(WELL, seed));
        try {
            for (String host : CONTROL_HOSTS) {
                stage.controls.add(ControlPage.start(host, stage.threads));
            }
            return stage;
        } catch (IOException e) {
            stage.close();
            throw e;
        }
    }

    World world() {
        return world;
    }

    List<String> controlUrls() {
        return controls.stream().map(ControlPage::url).toList();
    }

    DemoConfig config() {
        return DemoConfig.watched(WELL, world.upstreams(), this::providerOf, controlUrls());
    }

    String providerOf(Upstream upstream) {
        return PROVIDERS.get(world.upstreams().indexOf(upstream) * PROVIDERS.size() / PROXIES);
    }

    // ---- what may befall it

    void sickSite(boolean now) {
        sick().sick(now);
    }

    void uplinkDown(boolean now) {
        world.upstreams().forEach(upstream -> upstream.cutOff(now));
        controls.forEach(control -> control.gone(now));
    }

    void controlGone(int which, boolean now) {
        controls.get(which).gone(now);
    }

    void providerDown(boolean now) {
        world.upstreams().stream()
                .filter(upstream -> providerOf(upstream).equals(LOST_PROVIDER))
                .forEach(upstream -> upstream.cutOff(now));
    }

    private Site sick() {
        return world.sites().get(SICK_SITE_NUMBER);
    }

    /** The addresses through which somebody met the trouble. */
    Set<String> failedThrough() {
        Set<String> failed = new HashSet<>(sick().failedFor());
        world.upstreams().stream().filter(Upstream::hasDropped).forEach(upstream -> failed.add(upstream.address()));
        return failed;
    }

    @Override
    public void close() {
        controls.forEach(ControlPage::close);
        world.close();
        threads.shutdownNow();
    }
}
