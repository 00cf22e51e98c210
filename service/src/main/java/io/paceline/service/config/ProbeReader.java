package io.paceline.service.config;

import io.paceline.health.HealthSettings;
import io.paceline.health.ProbeSettings;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.TargetUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code pools[].probe}. */
final class ProbeReader {

    private static final Pattern RATE = Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,3})?) */ *(s|m|h)");
    private static final double MOST_PER_SECOND = 10_000;
    private static final String URLS = "urls: [\"http://198.51.100.1/ok\", \"http://203.0.113.9/ok\"]";

    private ProbeReader() {}

    /**
     * What stands there.
     *
     * @param rise good tests in a row that end the half-open phase, by probes or by leases
     */
    record Read(ProbeSettings settings, int rise) {
        static Read defaults() {
            return new Read(ProbeSettings.defaults(), HealthSettings.defaults().rise());
        }
    }

    private record Range(Duration min, Duration max) {}

    static Read read(Section probe) {
        try (probe) {
            ProbeSettings defaults = ProbeSettings.defaults();
            List<String> urls = urls(probe);
            Range idle = probe.value("idle")
                    .flatMap(value -> value.parsed(ProbeReader::range))
                    .orElse(new Range(defaults.idleMin(), defaults.idleMax()));
            double rate = probe.value("rate")
                    .flatMap(value -> value.parsed(ProbeReader::perSecond))
                    .orElse(defaults.perSecond());
            int rise = probe.integer("rise", HealthSettings.defaults().rise(), 1, Integer.MAX_VALUE);
            return new Read(new ProbeSettings(urls, idle.min(), idle.max(), rate), rise);
        }
    }

    private static List<String> urls(Section probe) {
        List<String> urls = new ArrayList<>();
        Set<String> hosts = new HashSet<>();
        probe.value("urls").filter(value -> !value.isOff()).ifPresent(list -> {
            for (Value element : list.list(URLS)) {
                element.parsed(ProbeReader::url).ifPresent(url -> {
                    if (urls.contains(url)) {
                        element.errorAsIs("this control URL stands in the list twice: keep one of them");
                    } else {
                        urls.add(url);
                        hosts.add(TargetUrl.parse(url).host());
                    }
                });
            }
            if (urls.size() == 1) {
                list.warning(
                        "one control URL cannot be told from its own failure, so that probes seldom prove anything:"
                                + " add a second one at another host");
            } else if (urls.size() > 1 && hosts.size() == 1) {
                list.warning("all control URLs are at one host, which may fail them together: put one at another host");
            }
        });
        return urls;
    }

    /** The text is not quoted: a query may hold a key. */
    private static String url(String text) {
        TargetUrl url;
        try {
            url = TargetUrl.parse(text);
        } catch (BadTargetException unfit) {
            throw new IllegalArgumentException(
                    "a control URL cannot be used: " + unfit.getMessage() + ", such as http://198.51.100.1/ok", unfit);
        }
        int start = text.indexOf("://") + 3;
        int end = start;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        if (text.substring(start, end).indexOf('@') >= 0) {
            throw new IllegalArgumentException("a control URL with user or password cannot be asked: write "
                    + url.scheme() + "://" + url.authority() + "/...");
        }
        return text;
    }

    private static Range range(String text) {
        int dots = text.indexOf("..");
        try {
            Duration min = DurationText.parse(dots < 0 ? text : text.substring(0, dots));
            Duration max = dots < 0 ? min : DurationText.parse(text.substring(dots + 2));
            if (min.isZero()) {
                throw new IllegalArgumentException("begins at 0: write idle: 30s..60s");
            }
            if (max.compareTo(min) < 0) {
                throw new IllegalArgumentException(
                        "is upside down: write idle: " + DurationText.format(max) + ".." + DurationText.format(min));
            }
            return new Range(min, max);
        } catch (IllegalArgumentException unfit) {
            String why = String.valueOf(unfit.getMessage());
            throw new IllegalArgumentException(
                    "idle \"" + text + "\" " + (why.contains("idle:") ? why : why + "; a range is 30s..60s"), unfit);
        }
    }

    private static double perSecond(String text) {
        Matcher rate = RATE.matcher(text);
        if (rate.matches()) {
            double count = Double.parseDouble(rate.group(1));
            double perSecond = count
                    / switch (rate.group(2)) {
                        case "s" -> 1;
                        case "m" -> 60;
                        default -> 3_600;
                    };
            if (perSecond > 0 && perSecond <= MOST_PER_SECOND) {
                return perSecond;
            }
        }
        throw new IllegalArgumentException(
                "rate \"" + text + "\" is no rate above 0 and up to 10000/s: write rate: 10/s, 30/m or 100/h");
    }

    /** The shortest text that reads as the rate. */
    static String rate(double perSecond) {
        if (perSecond >= 1) {
            return plain(perSecond) + "/s";
        }
        return perSecond * 60 >= 1 ? plain(perSecond * 60) + "/m" : plain(perSecond * 3_600) + "/h";
    }

    private static String plain(double number) {
        double rounded = Math.round(number * 1_000) / 1_000.0;
        return rounded == Math.rint(rounded) ? String.valueOf((long) rounded) : String.valueOf(rounded);
    }
}
