package io.paceline.service.lists;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.Endpoint.Scheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A proxy whose parts have names: a JSON object, or a CSV row under a header.
 *
 * @param values by canonical name; fields that say nothing about the proxy are ignored
 */
record ProxyFields(Map<String, String> values) {

    static final String SCHEME = "scheme";
    static final String HOST = "host";
    static final String PORT = "port";
    static final String USER = "user";
    static final String PASSWORD = "password";
    static final String LABEL = "label";
    static final String TYPE = "type";
    private static final List<String> TAGS = List.of("country", "city", "kind", "provider");

    /** The one name of a field that exports call by many. */
    static String canonicalName(String written) {
        String name = written.toLowerCase(Locale.ROOT).replace(' ', '_').replace('-', '_');
        String bare = name.startsWith("proxy_") ? name.substring("proxy_".length()) : name;
        return switch (bare) {
            case "scheme", "protocol", "protocols" -> SCHEME;
            case "host", "ip", "ip_address", "ipaddress", "address", "addr", "server", "hostname", "proxy", "url" ->
                HOST;
            case "port" -> PORT;
            case "user", "username", "user_name", "login" -> USER;
            case "password", "pass", "pw", "pwd" -> PASSWORD;
            case "label", "name", "title" -> LABEL;
            case "country", "country_code", "countrycode", "cc" -> "country";
            default -> bare;
        };
    }

    List<ProxyEntry> entries() throws BadLineException {
        Map<String, String> tags = new LinkedHashMap<>();
        for (String tag : TAGS) {
            given(tag).ifPresent(value -> tags.put(tag, value));
        }
        Optional<Scheme> typeAsScheme = given(TYPE).flatMap(Schemes::ofWord);
        if (typeAsScheme.isEmpty()) {
            given(TYPE).ifPresent(kind -> tags.putIfAbsent("kind", kind));
        }
        @Nullable String label = given(LABEL).or(() -> given("country")).orElse(null);
        List<ProxyEntry> entries = new ArrayList<>();
        for (Endpoint endpoint : endpoints(typeAsScheme)) {
            entries.add(new ProxyEntry(endpoint, label, tags));
        }
        return entries;
    }

    private List<Endpoint> endpoints(Optional<Scheme> typeAsScheme) throws BadLineException {
        Optional<String> host = given(HOST);
        if (host.isEmpty()) {
            throw new BadLineException(
                    Fault.BAD_HOST, "no host among the fields: write {\"host\": \"198.51.100.7\", \"port\": 8080}");
        }
        Optional<String> word = given(SCHEME);
        Optional<Scheme> scheme = word.isPresent() ? Optional.of(Schemes.require(word.get())) : typeAsScheme;
        Optional<String> port = given(PORT);
        if (port.isPresent() && host.get().indexOf('/') < 0) {
            HostPort where = HostPort.of(host.get(), port.get());
            return reading(where).endpoints(scheme.orElse(Scheme.HTTP));
        }
        List<Endpoint> endpoints = new ArrayList<>();
        for (Endpoint whole : LineReader.url(host.get())) {
            boolean schemeWritten = host.get().contains("://");
            endpoints.add(new Endpoint(
                    schemeWritten ? whole.scheme() : scheme.orElse(whole.scheme()),
                    whole.host(),
                    whole.port(),
                    credentials(whole.credentials())));
        }
        return endpoints;
    }

    private Reading reading(HostPort where) {
        return Reading.literal(where, given(USER).orElse(""), given(PASSWORD).orElse(""));
    }

    private @Nullable Credentials credentials(@Nullable Credentials inUrl) {
        Optional<String> user = given(USER);
        return user.isEmpty()
                ? inUrl
                : new Credentials(user.get(), given(PASSWORD).orElse(""));
    }

    private Optional<String> given(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
    }
}
