package io.paceline.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.demo.Chronicle.Entry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a crawl that met trouble has shown, in figures and in a few sentences.
 *
 * @param failedThrough addresses through which a request met the trouble
 * @param sickRequests requests that the sick site got while it was sick
 * @param requests of the whole crawl
 * @param pages that came
 */
record TroubleReport(
        Trouble trouble,
        long seed,
        Chronicle chronicle,
        int failedThrough,
        long sickRequests,
        long requests,
        long pages) {

    String text() {
        StringBuilder text = new StringBuilder(1_024);
        line(text, "The trouble lasted from second %.1f to second %.1f.", chronicle.beganAt(), chronicle.endedAt());
        if (chronicle.verdictSeconds() < 0) {
            line(text, "Paceline did not find out what it was.");
        } else {
            line(
                    text,
                    "Paceline named %s %.1f s after it had begun.",
                    trouble.verdicts() > 1 ? "the first of it" : "it",
                    chronicle.verdictSeconds());
        }
        line(text, "Healthy addresses put out: %d.%s", chronicle.falseQuarantines(), putOut());
        if (chronicle.wrongVerdicts() > 0) {
            line(text, "Others that were found guilty, and were not: %d.", chronicle.wrongVerdicts());
        }
        line(text, "%s", recovery());
        line(text, "%s", otherwise());
        line(text, "%,d of %,d requests of the whole crawl brought their page.", pages, requests);
        return text.toString().stripTrailing();
    }

    private static void line(StringBuilder text, String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private String putOut() {
        return trouble == Trouble.PROVIDER_DOWN
                ? " Addresses of provider " + Stage.LOST_PROVIDER + " put out: " + chronicle.rightQuarantines() + "."
                : "";
    }

    private String recovery() {
        double seconds = chronicle.recoverySeconds();
        return seconds < 0
                ? "When the crawl ended, not all was as before yet."
                : String.format(Locale.ROOT, "All was as before %.1f s after the trouble had ended.", seconds);
    }

    /** What the usual ways would have done: only what follows from what was counted. */
    private String otherwise() {
        String banned = String.format(
                Locale.ROOT,
                "A list that bans an address at its first failure would have put out %d of %d",
                failedThrough,
                Stage.PROXIES);
        double lasted = chronicle.endedAt() - chronicle.beganAt();
        return switch (trouble) {
            case INCIDENT ->
                String.format(
                        Locale.ROOT,
                        "%s, none of them guilty; the site got %d requests while it was sick, where its rule alone would have sent"
                                + " up to %.0f.",
                        banned,
                        sickRequests,
                        Stage.PACE * lasted);
            case OWN_OUTAGE -> banned + ", none of them guilty, and would have gone on without them after the outage.";
            case CONTROL_URL_DEAD ->
                String.format(
                        Locale.ROOT,
                        "Who believes a control URL whatever happens would have put out all %d, while their requests succeeded.",
                        Stage.PROXIES);
            case PROVIDER_DOWN ->
                String.format(
                        Locale.ROOT,
                        "A random line of the list would have failed a third of the requests all the while, some %.0f;"
                                + " here %d failed.",
                        Stage.PACE * Stage.WELL.sites().size() * lasted / 3,
                        requests - pages);
        };
    }

    /** The object of the contract, on several lines; null stands for what has not happened. */
    String json() {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode()
                .put("seed", seed)
                .put("scenario", trouble.word())
                .put("began", seconds(chronicle.beganAt()))
                .put("ended", seconds(chronicle.endedAt()))
                .put("verdict_seconds", seconds(chronicle.verdictSeconds()))
                .put("wrong_verdicts", chronicle.wrongVerdicts())
                .put("false_quarantines", chronicle.falseQuarantines())
                .put("quarantines", chronicle.falseQuarantines() + chronicle.rightQuarantines())
                .put("recovery_seconds", seconds(chronicle.recoverySeconds()))
                .put("requests", requests)
                .put("pages", pages);
        for (Entry entry : chronicle.entries()) {
            root.withArray("events")
                    .addObject()
                    .put("second", seconds(entry.second()))
                    .put("what", entry.what())
                    .put("text", entry.text());
        }
        return root.toPrettyString();
    }

    private static @Nullable Double seconds(double value) {
        return value < 0 ? null : Math.round(value * 100) / 100.0;
    }
}
