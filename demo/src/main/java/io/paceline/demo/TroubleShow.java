package io.paceline.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.demo.Chronicle.Entry;
import io.paceline.demo.Chronicle.Known;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One crawl through Paceline that meets {@link Trouble}, with a time line while it runs: each second how the sites answer and
 * how the addresses stand, and between them what Paceline's decision log says.
 */
final class TroubleShow implements Show {
    private static final long LOOK_MILLIS = 100;
    private static final Duration TRY_TIMEOUT = Duration.ofSeconds(2);

    /** More events than come in a look. */
    private static final int EVENTS = 1_000;

    /** What is still shown once all is well. */
    private static final double QUIET_SECONDS = 2;

    private final Trouble trouble;
    private final TroubleTiming timing;
    private final long seed;
    private final boolean json;
    private final Progress progress;
    private final ObjectMapper mapper = new ObjectMapper();

    TroubleShow(Trouble trouble, TroubleTiming timing, long seed, boolean json, Progress progress) {
        this.trouble = trouble;
        this.timing = timing;
        this.seed = seed;
        this.json = json;
        this.progress = progress;
    }

    @Override
    public String run() throws IOException, InterruptedException {
        TroubleReport report = watch(chronicle -> false);
        return json ? report.json() : "\n" + report.text();
    }

    /**
     * Runs it.
     *
     * @param enough when it may end, though not all is well yet
     */
    TroubleReport watch(Predicate<Chronicle> enough) throws IOException, InterruptedException {
        try (Stage stage = Stage.start(seed);
                LocalPaceline paceline = LocalPaceline.start(stage.config(), TRY_TIMEOUT)) {
            introduce(stage);
            Way way = new ApiWay(stage.world(), new Fetcher(TRY_TIMEOUT), paceline.api());
            Map<String, Known> addresses = addresses(stage, paceline.api());
            Chronicle chronicle = new Chronicle(trouble, addresses, System.currentTimeMillis());
            try (Crowd crowd = Crowd.start(way, Stage.WELL.sites())) {
                return new Run(stage, paceline.api(), crowd, chronicle).until(enough);
            }
        }
    }

    private void introduce(Stage stage) {
        progress.say(String.format(
                Locale.ROOT,
                "%s: %s. 12 good proxies of 3 providers, %d sites, seed %d; it ends once all is well again",
                trouble.word(),
                trouble.sentence(),
                Stage.WELL.sites().size(),
                seed));
        progress.say("Paceline is given the list of proxies with their providers as tags, and this:");
        stage.config().yaml().lines().forEach(line -> progress.say("    " + line));
    }

    private Map<String, Known> addresses(Stage stage, ApiClient api) throws IOException {
        Map<String, Known> known = new HashMap<>();
        for (JsonNode address : mapper.readTree(api.get("/api/addresses")).path("addresses")) {
            String proxy = address.path("proxy").asText();
            for (Upstream upstream : stage.world().upstreams()) {
                if (proxy.contains(upstream.address() + ":" + upstream.port())) {
                    known.put(address.path("id").asText(), new Known(upstream.address(), stage.providerOf(upstream)));
                }
            }
        }
        return known;
    }

    /** One crawl while it goes on. */
    private final class Run {
        private final Stage stage;
        private final ApiClient api;
        private final Crowd crowd;
        private final Chronicle chronicle;
        private final long startNanos = System.nanoTime();
        private long lastEvent;
        private int rows;
        private boolean worsened;
        private long sickBefore;
        private long sickRequests;

        Run(Stage stage, ApiClient api, Crowd crowd, Chronicle chronicle) {
            this.stage = stage;
            this.api = api;
            this.crowd = crowd;
            this.chronicle = chronicle;
        }

        TroubleReport until(Predicate<Chronicle> enough) throws IOException, InterruptedException {
            while (!isOver() && !enough.test(chronicle)) {
                Thread.sleep(LOOK_MILLIS);
                direct();
                chronicle.take(news()).forEach(this::say);
                double now = seconds();
                if (now >= rows) {
                    progress.say(String.format(Locale.ROOT, "%5.1f s  %s|  %s", now, crowd.lately(), states()));
                    rows = (int) now + 1;
                }
            }
            return new TroubleReport(
                    trouble,
                    seed,
                    chronicle,
                    stage.failedThrough().size(),
                    sickRequests,
                    crowd.requests(),
                    crowd.pagesGot());
        }

        private double seconds() {
            return (System.nanoTime() - startNanos) / 1e9;
        }

        private boolean isOver() {
            double now = seconds();
            return now >= timing.latest()
                    || (chronicle.recoverySeconds() >= 0
                            && now >= chronicle.endedAt() + chronicle.recoverySeconds() + QUIET_SECONDS);
        }

        /** Lets the trouble come and go. */
        private void direct() {
            double now = seconds();
            if (chronicle.beganAt() < 0 && now >= timing.begins()) {
                sickBefore = crowd.requests(Stage.SICK_SITE_NUMBER);
                say(chronicle.began(now));
                trouble.begin(stage);
            } else if (!worsened && chronicle.isNoticed()) {
                worsened = true;
                String text = trouble.worsen(stage);
                if (!text.isEmpty()) {
                    say(chronicle.worsened(now, text));
                }
            } else if (chronicle.beganAt() >= 0 && chronicle.endedAt() < 0 && isTimeToEnd(now)) {
                trouble.end(stage);
                sickRequests = crowd.requests(Stage.SICK_SITE_NUMBER) - sickBefore;
                say(chronicle.ended(now));
            }
        }

        private boolean isTimeToEnd(double now) {
            return now >= (chronicle.isFound() ? timing.ends() : timing.givenUp());
        }

        private List<LogEntry> news() throws IOException {
            List<LogEntry> news = new ArrayList<>();
            String path = "/api/events?since=" + lastEvent + "&limit=" + EVENTS;
            for (JsonNode event : mapper.readTree(api.get(path)).path("events")) {
                LogEntry entry = LogEntry.of(event);
                lastEvent = entry.id();
                news.add(entry);
            }
            return news;
        }

        /** {@code 9 healthy, 3 quarantined}. */
        private String states() throws IOException {
            Map<String, Integer> counts = new TreeMap<>();
            for (JsonNode address : mapper.readTree(api.get("/api/addresses")).path("addresses")) {
                counts.merge(address.path("state").asText(), 1, Integer::sum);
            }
            List<String> parts = new ArrayList<>();
            counts.forEach((state, count) -> parts.add(count + " " + state));
            return String.join(", ", parts);
        }

        private void say(Entry entry) {
            String mark = entry.what().startsWith("trouble") ? "***" : " ->";
            progress.say(String.format(Locale.ROOT, "%5.1f s  %s %s", entry.second(), mark, entry.text()));
        }
    }
}
