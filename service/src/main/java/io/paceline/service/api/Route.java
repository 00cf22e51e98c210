package io.paceline.service.api;

import io.vertx.core.http.HttpMethod;
import java.util.function.Consumer;

/**
 * One thing that the API can be asked.
 *
 * @param path as in the OpenAPI document; at most one segment is a parameter in braces
 * @param body what kind of body it takes
 */
record Route(HttpMethod method, String path, Access access, Body body, Consumer<Call> handler) {

    /** What a route takes as its body. */
    enum Body {
        /** None; one that comes is ignored. */
        NONE(0),
        /** A JSON object. */
        JSON(64 * 1024),
        /** A JSON object, or nothing. */
        JSON_OR_NONE(64 * 1024),
        /** A JSON object that may be a long list. */
        JSON_LIST(1024 * 1024);

        private final int maxOctets;

        Body(int maxOctets) {
            this.maxOctets = maxOctets;
        }

        int maxOctets() {
            return maxOctets;
        }
    }

    /** True where the route may change something. */
    boolean changes() {
        return !method.equals(HttpMethod.GET);
    }
}
