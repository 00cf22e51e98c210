package io.paceline.service.api;

import io.paceline.service.config.Nearest;
import io.vertx.core.http.HttpMethod;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the route of a request. Immutable: exact paths by one look-up, the few with a parameter one after another. */
final class Routes {

    /** A route and the parameter in its path, if it has one. */
    record Match(Route route, @Nullable String parameter) {}

    private final List<Route> all;
    private final Map<String, Map<HttpMethod, Match>> exact = new HashMap<>();
    private final List<Template> templates = new ArrayList<>();

    Routes(List<Route> routes) {
        all = List.copyOf(routes);
        for (Route route : all) {
            if (route.path().indexOf('{') >= 0) {
                templates.add(Template.of(route));
            } else {
                exact.computeIfAbsent(route.path(), path -> new HashMap<>())
                        .put(route.method(), new Match(route, null));
            }
        }
    }

    List<Route> all() {
        return all;
    }

    /** @throws HttpProblem 404 where there is no such path, 405 (see {@link #allowed}) where it takes other methods */
    Match find(HttpMethod method, String path) {
        HttpMethod wanted = method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method;
        Map<HttpMethod, Match> byMethod = exact.get(path);
        if (byMethod == null) {
            byMethod = byTemplate(path);
        }
        if (byMethod.isEmpty()) {
            throw HttpProblem.of(404, "not_found", "there is no " + cut(path) + hint(path));
        }
        Match match = byMethod.get(wanted);
        if (match == null) {
            throw HttpProblem.of(
                    405, "method_not_allowed", path + " takes " + allowed(path) + ", not " + cut(method.name()));
        }
        return match;
    }

    /** The methods that the path takes, for the header {@code Allow}. */
    String allowed(String path) {
        Map<HttpMethod, Match> byMethod = exact.get(path);
        TreeMap<String, Boolean> names = new TreeMap<>();
        (byMethod == null ? byTemplate(path) : byMethod).keySet().forEach(method -> {
            names.put(method.name(), true);
            if (method.equals(HttpMethod.GET)) {
                names.put("HEAD", true);
            }
        });
        return String.join(", ", names.keySet());
    }

    private Map<HttpMethod, Match> byTemplate(String path) {
        Map<HttpMethod, Match> found = new HashMap<>();
        for (Template template : templates) {
            String parameter = template.match(path);
            if (parameter != null) {
                found.put(template.route.method(), new Match(template.route, parameter));
            }
        }
        return found;
    }

    private String hint(String path) {
        return Nearest.to(path, all.stream().map(Route::path).toList())
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("; /openapi.yaml lists what there is");
    }

    private static String cut(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    /** A path with one parameter: what stands before it and after it. */
    private record Template(Route route, String before, String after) {

        static Template of(Route route) {
            String path = route.path();
            return new Template(route, path.substring(0, path.indexOf('{')), path.substring(path.indexOf('}') + 1));
        }

        /** The parameter, decoded; null where the path is another one. */
        @Nullable
        String match(String path) {
            int length = path.length() - before.length() - after.length();
            if (length < 1 || !path.startsWith(before) || !path.endsWith(after)) {
                return null;
            }
            String raw = path.substring(before.length(), before.length() + length);
            return raw.indexOf('/') >= 0 ? null : decode(raw);
        }

        private static String decode(String raw) {
            try {
                // A plus is a plus in a path.
                return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw HttpProblem.of(400, "invalid_path", "the path has a % that two hexadecimal digits do not follow");
            }
        }
    }
}
