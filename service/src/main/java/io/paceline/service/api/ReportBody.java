package io.paceline.service.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code POST /proxy/report} is sent: a client's word about an address, outside any lease.
 *
 * @param address the id that {@code /acquire} gave, or null
 * @param proxy the proxy's URL or {@code host:port}, or null; exactly one of the two is there
 * @param good true for {@code "good"}
 * @param target the URL or host that it is about; null for the address as a whole
 * @param reason free text for the log, or null
 */
record ReportBody(
        @Nullable String address,
        @Nullable String proxy,
        boolean good,
        @Nullable String target,
        @Nullable String reason) {

    private static final List<String> FIELDS = List.of("address", "proxy", "status", "target", "reason");
    private static final int MAX_PROXY_CHARS = 1_024;
    private static final int MAX_REASON_CHARS = 256;

    static ReportBody read(byte[] octets) {
        Reader reader = new Reader();
        JsonIn.body(octets, FIELDS, in -> name -> reader.take(in, name));
        return reader.finish();
    }

    /** The octets of the URL are a secret where it has a password. */
    @Override
    public String toString() {
        return "report of " + (address == null ? "a proxy" : address) + ": " + (good ? "good" : "bad");
    }

    private static final class Reader {
        private @Nullable String address;
        private @Nullable String proxy;
        private @Nullable String status;
        private @Nullable String target;
        private @Nullable String reason;

        boolean take(JsonIn in, String name) {
            switch (name) {
                case "address" -> address = in.text(name, AcquireBody.MAX_NAME_CHARS);
                case "proxy" -> proxy = in.text(name, MAX_PROXY_CHARS);
                case "status" -> status = in.text(name, AcquireBody.MAX_NAME_CHARS);
                case "target" -> target = in.text(name, AcquireBody.MAX_TARGET_CHARS);
                case "reason" -> reason = in.text(name, MAX_REASON_CHARS);
                default -> {
                    return false;
                }
            }
            return true;
        }

        ReportBody finish() {
            if ((address == null) == (proxy == null)) {
                throw HttpProblem.field(
                        "address",
                        "send either `address` (the id that /acquire gave) or `proxy` (its URL or host:port)");
            }
            if (status == null) {
                throw HttpProblem.field("status", "`status` is missing: send \"bad\" or \"good\"");
            }
            boolean good = status.equals("good");
            if (!good && !status.equals("bad")) {
                throw HttpProblem.field("status", "`status` is \"" + status + "\": it must be \"bad\" or \"good\"");
            }
            return new ReportBody(address, proxy, good, target, reason);
        }
    }
}
