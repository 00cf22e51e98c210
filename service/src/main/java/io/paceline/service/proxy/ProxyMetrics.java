package io.paceline.service.proxy;

import io.paceline.Lease;

/** Hears what the proxy does, for {@code paceline_proxy_*}. Called on event loops: it must neither block nor throw. */
public interface ProxyMetrics {

    /** Hears nothing. */
    ProxyMetrics NONE = new ProxyMetrics() {};

    /** What a client asked for. */
    enum Kind {
        /** An absolute-form request. */
        HTTP,
        /** A tunnel. */
        CONNECT,
        /** What was refused before it was known. */
        NONE;

        /** The word used as a label. */
        public String word() {
            return this == HTTP ? "http" : this == CONNECT ? "connect" : "none";
        }
    }

    /**
     * A request ended.
     *
     * @param result {@code ok}, {@code canceled}, or the code of our own error: a bounded set of words
     */
    default void request(Kind kind, String result) {}

    /** The first octet of an answer came through the lease's address. */
    default void answered(Lease lease, long latencyMicros) {}

    /** A request ended: body octets that were passed on from the client and to the client. */
    default void bytes(Kind kind, long fromClient, long toClient) {}

    /** A failed address was replaced by another for the same request. */
    default void retried(Kind kind) {}

    default void connectionOpened() {}

    default void connectionClosed() {}

    default void tunnelOpened() {}

    default void tunnelClosed() {}
}
