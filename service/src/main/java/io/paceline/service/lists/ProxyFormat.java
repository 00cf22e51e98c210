package io.paceline.service.lists;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.Endpoint.Scheme;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Writes proxies as lines that {@link ProxyLine} reads back to the same proxy. Passwords are written out. */
public enum ProxyFormat {
    /** {@code scheme://user:password@host:port}, percent-encoded where need be. */
    URL {
        @Override
        String proxy(Endpoint endpoint) {
            Credentials credentials = endpoint.credentials();
            return endpoint.scheme().word() + "://"
                    + (credentials == null
                            ? ""
                            : encode(credentials.user()) + ":" + encode(credentials.password()) + "@")
                    + endpoint.authority();
        }
    },
    /** {@code host:port:user:password}, with the scheme in front unless it is http; as a URL where colons cannot say it. */
    COLON {
        @Override
        String proxy(Endpoint endpoint) {
            Credentials credentials = endpoint.credentials();
            String text =
                    (endpoint.scheme() == Scheme.HTTP ? "" : endpoint.scheme().word() + "://")
                            + endpoint.authority()
                            + (credentials == null ? "" : ":" + credentials.user() + ":" + credentials.password());
            return readsBack(text, endpoint) ? text : URL.proxy(endpoint);
        }
    },
    /** One JSON object a line. */
    JSON {
        @Override
        String proxy(Endpoint endpoint) {
            throw new UnsupportedOperationException("an object is written whole");
        }

        @Override
        public String write(ProxyEntry entry) {
            return json(entry).toString();
        }
    };

    private static final String UNRESERVED = "-._~";

    abstract String proxy(Endpoint endpoint);

    /** The line for one proxy, its tags behind a hash. */
    public String write(ProxyEntry entry) {
        if (entry.endpoint().isDirect()) {
            return "direct";
        }
        StringBuilder line = new StringBuilder(proxy(entry.endpoint()));
        String remark = " #";
        for (Map.Entry<String, String> tag : new TreeMap<>(entry.tags()).entrySet()) {
            if (tag.getKey().matches("[a-z][a-z0-9_-]*") && tag.getValue().matches("[^\\s\\p{Cntrl}]+")) {
                line.append(remark).append(' ').append(tag.getKey()).append('=').append(tag.getValue());
                remark = "";
            }
        }
        return line.toString();
    }

    private static ObjectNode json(ProxyEntry entry) {
        Endpoint endpoint = entry.endpoint();
        ObjectNode object = ProxyJson.object();
        object.put("scheme", endpoint.scheme().word());
        object.put("host", endpoint.host());
        object.put("port", endpoint.port());
        Credentials credentials = endpoint.credentials();
        if (credentials != null) {
            object.put("username", credentials.user());
            object.put("password", credentials.password());
        }
        if (entry.label() != null) {
            object.put("label", entry.label());
        }
        new TreeMap<>(entry.tags()).forEach(object::put);
        return object;
    }

    private static boolean readsBack(String text, Endpoint endpoint) {
        return ProxyLine.parse(text)
                .match(
                        read -> read.entries().size() == 1
                                && read.entries().get(0).equals(ProxyEntry.of(endpoint)),
                        skip -> false,
                        bad -> false);
    }

    private static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xFF);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || UNRESERVED.indexOf(c) >= 0;
            if (plain) {
                encoded.append(c);
            } else {
                encoded.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return encoded.toString();
    }
}
