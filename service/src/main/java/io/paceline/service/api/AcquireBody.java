package io.paceline.service.api;

import io.paceline.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code POST /acquire} is sent: a request for permits, or a ticket to redeem.
 *
 * @param request null where a ticket is redeemed
 * @param ticket null where permits are asked for
 * @param refusalAs200 true: refusals come with status 200; false: with their own; null: as the server is set
 */
record AcquireBody(
        @Nullable Request request,
        @Nullable String ticket,
        @Nullable Boolean refusalAs200) {

    /** The longest wait that a call may be held for. */
    private static final long MAX_WAIT_MILLIS = 3_600_000;

    static final int MAX_TARGET_CHARS = 8_192;
    static final int MAX_SESSION_CHARS = 256;
    static final int MAX_NAME_CHARS = 128;
    private static final int MAX_TAGS = 16;

    static final List<String> FIELDS = List.of(
            "target",
            "ticket",
            "session",
            "client_id",
            "pool",
            "tags",
            "task",
            "max_wait_ms",
            "hold",
            "count",
            "cost",
            "lease",
            "priority",
            "on_refusal");

    /**
     * Reads a body.
     *
     * @param tenant the caller's
     * @param caller the client id of a body that names none
     * @throws HttpProblem 400 with the field and what to write instead
     */
    static AcquireBody read(byte[] octets, String tenant, String caller) {
        Reader reader = new Reader();
        JsonIn.body(octets, FIELDS, in -> name -> reader.take(in, name));
        return reader.finish(tenant, caller);
    }

    /** The members as they come. */
    private static final class Reader {
        private @Nullable String target;
        private @Nullable String ticket;
        private @Nullable String clientId;
        private @Nullable Boolean refusalAs200;
        /** The first field that means nothing beside a ticket. */
        private @Nullable String permitOnly;

        private @Nullable String session;
        private @Nullable String pool;
        private @Nullable String task;
        private Map<String, String> tags = Map.of();
        private @Nullable Duration maxWait;
        private Request.Hold hold = Request.Hold.BY_RULE;
        private Request.Priority priority = Request.Priority.NORMAL;
        private int count = 1;
        private int cost = 1;
        private boolean lease = true;

        boolean take(JsonIn in, String name) {
            switch (name) {
                case "target" -> target = in.text(name, MAX_TARGET_CHARS);
                case "ticket" -> ticket = in.text(name, MAX_NAME_CHARS);
                case "client_id" -> clientId = in.text(name, MAX_NAME_CHARS);
                case "on_refusal" -> refusalAs200 = onRefusal(in.text(name, MAX_NAME_CHARS));
                case "callback", "deliver_to" -> throw notYet(name);
                default -> {
                    permitOnly = permitOnly == null ? name : permitOnly;
                    return takeOption(in, name);
                }
            }
            return true;
        }

        private boolean takeOption(JsonIn in, String name) {
            switch (name) {
                case "session" -> session = in.text(name, MAX_SESSION_CHARS);
                case "pool" -> pool = in.text(name, MAX_NAME_CHARS);
                case "task" -> task = in.text(name, MAX_NAME_CHARS);
                case "tags" -> tags = in.texts(name, MAX_TAGS, MAX_NAME_CHARS);
                case "max_wait_ms" -> maxWait = Duration.ofMillis(in.integer(name, 0, MAX_WAIT_MILLIS));
                case "hold" -> hold = in.bool(name) ? Request.Hold.ALWAYS : Request.Hold.NEVER;
                case "lease" -> lease = in.bool(name);
                case "count" -> count = (int) in.integer(name, 1, Request.MAX_COUNT);
                case "cost" -> cost = (int) in.integer(name, 1, Request.MAX_COST);
                case "priority" -> priority = priority(in.text(name, MAX_NAME_CHARS));
                default -> {
                    return false;
                }
            }
            return true;
        }

        AcquireBody finish(String tenant, String caller) {
            if (ticket != null) {
                if (target != null || permitOnly != null) {
                    String other = target != null ? "target" : permitOnly;
                    throw HttpProblem.field(
                            "ticket",
                            "`ticket` and `" + other + "`: a ticket already says what it is for, send it alone");
                }
                return new AcquireBody(null, ticket, refusalAs200);
            }
            if (target == null) {
                throw HttpProblem.field(
                        "target", "`target` is missing: send the URL that you want to request (or a `ticket`)");
            }
            if (count > 1 && session != null) {
                throw HttpProblem.field(
                        "count", "`count` " + count + " with a `session`: ask for a session's permits one by one");
            }
            Request request = Request.builder(target)
                    .session(session)
                    .clientId(clientId == null ? caller : clientId)
                    .tenant(tenant)
                    .pool(pool)
                    .task(task)
                    .tags(tags)
                    .maxWait(maxWait)
                    .hold(hold)
                    .priority(priority)
                    .count(count)
                    .cost(cost)
                    .lease(lease)
                    .build();
            return new AcquireBody(request, null, refusalAs200);
        }

        private static boolean onRefusal(String word) {
            return switch (word) {
                case "200" -> true;
                case "status" -> false;
                default ->
                    throw HttpProblem.field(
                            "on_refusal",
                            "`on_refusal` is \"" + word + "\": it must be \"status\" (refusals come as 4xx or 5xx) or"
                                    + " \"200\"");
            };
        }

        private static Request.Priority priority(String word) {
            return switch (word) {
                case "low" -> Request.Priority.LOW;
                case "normal" -> Request.Priority.NORMAL;
                case "high" -> Request.Priority.HIGH;
                default ->
                    throw HttpProblem.field(
                            "priority", "`priority` is \"" + word + "\": it must be \"low\", \"normal\" or \"high\"");
            };
        }

        private static HttpProblem notYet(String name) {
            return HttpProblem.notSupported(
                    name,
                    "`" + name + "` is not supported by this version: hold the call with `max_wait_ms`, or send"
                            + " \"hold\": false and redeem the ticket later");
        }
    }
}
