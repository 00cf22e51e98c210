package io.paceline.service.api;

import io.paceline.Order;
import io.paceline.Order.Verb;
import io.paceline.service.config.DurationText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an order about an address is sent; no body at all is as good as an empty object.
 *
 * @param reason free text for logs and the list of addresses; may be empty
 * @param lasting how long a ban lasts; null for until it is lifted
 * @param target the one target that a ban is about; null for the address as a whole
 */
record OrderBody(
        String reason, @Nullable Duration lasting, @Nullable String target) {

    static final List<String> BAN_FIELDS = List.of("reason", "for", "target");
    static final List<String> UNBAN_FIELDS = List.of("reason", "target");
    static final List<String> OTHER_FIELDS = List.of("reason");

    private static final int MAX_REASON_CHARS = 256;
    private static final int MAX_DURATION_CHARS = 32;

    static OrderBody read(Verb verb, byte[] octets) {
        Reader reader = new Reader();
        List<String> fields = fields(verb);
        if (octets.length > 0) {
            JsonIn.body(octets, fields, in -> name -> fields.contains(name) && reader.take(in, name));
        }
        return new OrderBody(reader.reason, reader.lasting, reader.target);
    }

    static List<String> fields(Verb verb) {
        if (verb == Verb.BAN) {
            return BAN_FIELDS;
        }
        return verb.takesTarget() ? UNBAN_FIELDS : OTHER_FIELDS;
    }

    Order order(Verb verb, String address) {
        return new Order(verb, address, target, lasting, reason);
    }

    private static final class Reader {
        private String reason = "";
        private @Nullable Duration lasting;
        private @Nullable String target;

        boolean take(JsonIn in, String name) {
            switch (name) {
                case "reason" -> reason = in.text(name, MAX_REASON_CHARS);
                case "for" -> lasting = duration(in.text(name, MAX_DURATION_CHARS));
                case "target" -> target = in.text(name, AcquireBody.MAX_TARGET_CHARS);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private static Duration duration(String text) {
            Duration duration;
            try {
                duration = DurationText.parse(text);
            } catch (IllegalArgumentException e) {
                throw HttpProblem.field("for", "`for` \"" + text + "\" " + e.getMessage());
            }
            if (duration.isZero()) {
                throw HttpProblem.field(
                        "for", "`for` is 0: leave it out for a ban that lasts until it is lifted, or unban");
            }
            return duration;
        }
    }
}
