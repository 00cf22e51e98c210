package io.paceline.service.api;

import io.paceline.Choice;
import io.paceline.Inspection;
import io.paceline.Outcome;
import io.paceline.service.events.LeaseBook.Remembered;
import io.paceline.store.SessionRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Why a lease went to its address, and where a session lives: as JSON, and in sentences for people. */
final class LeaseExplanation {
    private LeaseExplanation() {}

    static void write(JsonOut out, Remembered lease) {
        Choice choice = lease.choice();
        out.put("address", lease.address())
                .put("target", lease.target())
                .put("pool", lease.pool())
                .put("session", lease.session())
                .time("granted", lease.grantedAtMicros())
                .time("expires", lease.expiresAtMicros())
                .put("chosen_by", choice.way().name().toLowerCase(Locale.ROOT))
                .put("proposed_from", choice.pool())
                .put("strategy", choice.strategy().word())
                .put("tries", choice.tries())
                .openArray("candidates");
        for (Choice.Proposal proposal : choice.proposals()) {
            out.openItem()
                    .put("address", proposal.addressId())
                    .ratio("weight", proposal.weight())
                    .put("leases", proposal.live())
                    .close();
        }
        out.closeArray();
        Outcome outcome = lease.outcome();
        if (outcome != null) {
            out.put("outcome", outcome.kind().word()).time("released", lease.endedAtMicros());
        }
        out.openArray("explanation");
        sentences(lease).forEach(out::item);
        out.closeArray();
    }

    private static List<String> sentences(Remembered lease) {
        List<String> said = new ArrayList<>();
        said.add("leased " + lease.address() + " of pool " + lease.pool() + " for " + lease.target() + " at "
                + AddressExplanation.second(lease.grantedAtMicros()) + ", until "
                + AddressExplanation.second(lease.expiresAtMicros()));
        said.add(why(lease));
        List<Choice.Proposal> proposals = lease.choice().proposals();
        if (!proposals.isEmpty()) {
            List<String> words = new ArrayList<>();
            proposals.forEach(p -> words.add(
                    String.format(Locale.ROOT, "%s (weight %.3f, %d live)", p.addressId(), p.weight(), p.live())));
            said.add("proposed, best first: " + String.join(", ", words));
        }
        if (lease.choice().tries() > 1) {
            said.add("the store was asked " + lease.choice().tries()
                    + " times: what was proposed before had been taken meanwhile");
        }
        Outcome outcome = lease.outcome();
        said.add(
                outcome == null
                        ? "nobody has released it so far"
                        : "released with " + outcome.kind().word() + " after "
                                + Math.max(0, lease.endedAtMicros() - lease.grantedAtMicros()) / 1_000 + " ms");
        return said;
    }

    private static String why(Remembered lease) {
        Choice choice = lease.choice();
        boolean first = !choice.proposals().isEmpty()
                && choice.proposals().get(0).addressId().equals(lease.address());
        return switch (choice.way()) {
            case PROBE -> "it is half-open, and this lease tests it";
            case SESSION ->
                first
                        ? "session " + lease.session() + " lives there: the first choice of its key's hash"
                        : "session " + lease.session() + " is bound to it";
            case STRATEGY -> byStrategy(choice, first);
            case FALLBACK ->
                "its own pool had nobody to serve, so pool " + choice.pool() + " does: " + byStrategy(choice, first);
            case PANIC -> "nobody in pool " + choice.pool() + " is in service, and it would rather lease what is out";
        };
    }

    private static String byStrategy(Choice choice, boolean first) {
        return "chosen by " + choice.strategy().word()
                + (first ? ", its first choice" : ", the first of its choices that was free");
    }

    static List<String> sentences(Inspection.Binding binding) {
        List<String> said = new ArrayList<>();
        String address = binding.addressId() == null ? "an address that has left the pool" : binding.addressId();
        boolean elsewhere = binding.servedBy() != null && !binding.servedBy().equals(binding.pool());
        said.add("bound to " + address
                + (elsewhere ? " of the fallback pool " + binding.servedBy() + ", for pool " : " in pool ")
                + binding.pool() + " until " + AddressExplanation.second(binding.untilMicros())
                + " unless use renews it; " + binding.live() + " live leases");
        if (binding.state() == SessionRow.State.ENDED) {
            said.add("its address is gone or was out for too long: it is told session_ended until somebody ends it");
        } else if (binding.state() == SessionRow.State.MOVING) {
            said.add("somebody has re-pinned it: its next request goes to another address, if there is one");
        } else if (!binding.confirmed()) {
            said.add("no request has reached the address yet: the binding lasts as long as its leases");
        }
        return said;
    }
}
