package io.paceline.sim.pool;

import io.paceline.sim.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The users behind the requests of a session load: each works on one site, 10 to 30 minutes a session, then begins anew. */
final class Clients {
    private static final double SHORTEST_SECONDS = 600;
    private static final double LONGEST_SECONDS = 1_800;

    private final List<Client> all = new ArrayList<>();
    private final Dice dice;
    private int named;

    /** One user. */
    static final class Client {
        final int target;
        String session = "";
        private long endsAt = Long.MIN_VALUE;
        /** Where the site saw the session last; -1 while it has not. */
        private int address = -1;

        Client(int target) {
            this.target = target;
        }

        /** True where the site knows the session by another address than this one. */
        boolean rotatesTo(String inSession, int other) {
            return inSession.equals(session) && address >= 0 && address != other;
        }

        /** A try has come as far as the site. */
        void seen(String inSession, int from) {
            if (inSession.equals(session)) {
                address = from;
            }
        }
    }

    Clients(int count, int targets, Dice dice) {
        this.dice = dice.stream("clients");
        for (int i = 0; i < count; i++) {
            all.add(new Client(i % targets));
        }
    }

    /** The client that a draw between 0 and 1 falls on; with a new session where the old one is over. */
    Client drawn(double draw, long nowMicros, Consumer<String> ended) {
        Client client = all.get((int) (draw * all.size()));
        if (nowMicros >= client.endsAt) {
            if (!client.session.isEmpty()) {
                ended.accept(client.session);
            }
            renew(client, nowMicros);
        }
        return client;
    }

    void renew(Client client, long nowMicros) {
        client.session = "s" + named++;
        client.address = -1;
        client.endsAt = nowMicros + Time.micros(SHORTEST_SECONDS + (LONGEST_SECONDS - SHORTEST_SECONDS) * dice.next());
    }
}
