package io.paceline.service.config;

import io.paceline.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads {@code pools[].addresses}. */
final class AddressReader {

    private static final String EXAMPLE =
            "addresses: [{file: proxies.txt}, {inline: \"http://user:password@198.51.100.7:8080\"}, direct]";
    private static final Duration DEFAULT_REFRESH = Duration.ofMinutes(10);
    private static final Duration LEAST_REFRESH = Duration.ofSeconds(1);
    private static final double MIN_WEIGHT = 0.001;
    private static final double MAX_WEIGHT = 1_000_000;

    private final AddressSources sources;
    private final Path folder;
    private final Path shownFolder;

    /**
     * @param folder where relative paths start from
     * @param shownFolder the same folder as the user wrote it
     */
    AddressReader(AddressSources sources, Path folder, Path shownFolder) {
        this.sources = sources;
        this.folder = folder;
        this.shownFolder = shownFolder;
    }

    void read(Section pool, String poolName) {
        boolean given = pool.value("addresses").isPresent();
        var elements = pool.list("addresses", EXAMPLE);
        if (elements.isEmpty()
                && (!given || pool.value("addresses").orElseThrow().isOff())) {
            pool.error("addresses", "pool \"" + poolName + "\" has no addresses: write " + EXAMPLE);
        }
        elements.forEach(this::element);
    }

    private void element(Value element) {
        if (element.isMapping()) {
            element.section("pools[].addresses[]").ifPresent(this::described);
            return;
        }
        Optional<String> text = element.isScalar() ? element.text() : Optional.empty();
        if (text.isPresent() && text.get().equals("direct")) {
            sources.direct(AddressDraft.of(Endpoint.DIRECT));
        } else if (text.isPresent()) {
            element.errorAsIs("an address is the word direct or a mapping: write {file: proxies.txt} for a list,"
                    + " {inline: \"http://user:password@198.51.100.7:8080\"} for one proxy");
        } else if (!element.isScalar()) {
            element.errorAsIs("an address is " + element.kind() + " where a mapping is expected: write " + EXAMPLE);
        }
    }

    private void described(Section address) {
        try (address) {
            Optional<Value> file = address.value("file");
            Optional<Value> inline = address.value("inline");
            Optional<Value> url = address.value("url");
            AddressDraft description = new AddressDraft(
                    Endpoint.DIRECT,
                    tags(address),
                    address.decimal("weight", AddressDraft.DEFAULT_WEIGHT, MIN_WEIGHT, MAX_WEIGHT),
                    address.flag("metered", false));
            Duration refresh = address.positive("refresh", DEFAULT_REFRESH);
            if (Stream.of(file, inline, url).filter(Optional::isPresent).count() != 1) {
                address.error("inline", "an address needs one of file, inline and url: write " + EXAMPLE);
                return;
            }
            if (url.isEmpty() && address.value("refresh").isPresent()) {
                address.error("refresh", "refresh means nothing without url: files are read again when they change");
            } else if (refresh.compareTo(LEAST_REFRESH) < 0) {
                address.error(
                        "refresh", "refresh " + DurationText.format(refresh) + " is below 1s: write refresh: 10m");
            }
            url.ifPresent(value -> value.parsed(AddressReader::url)
                    .ifPresent(text -> sources.url(text, refresh, description, value::errorAsIs)));
            file.ifPresent(value -> value.text()
                    .ifPresent(path -> sources.file(
                            folder.resolve(path),
                            shownFolder.resolve(path).toString(),
                            description,
                            value::errorAsIs)));
            inline.ifPresent(
                    value -> value.text().ifPresent(text -> sources.inline(text, description, value::errorAsIs)));
        }
    }

    private static String url(String text) {
        WebUrl.check(text, "url");
        return text;
    }

    private static Map<String, String> tags(Section address) {
        Map<String, String> tags = new HashMap<>();
        address.value("tags")
                .ifPresent(value -> value.entries("tags: {country: de, kind: datacenter}")
                        .forEach((name, tag) -> tag.text().ifPresent(text -> tags.put(name, text))));
        return tags;
    }
}
