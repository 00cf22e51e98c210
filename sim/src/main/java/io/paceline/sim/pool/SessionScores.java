package io.paceline.sim.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sessions with scores, as Crawlee's SessionPool documents itself: up to 1,000 sessions, each with the next address of the
 * list; a bad answer adds 1, a good one takes 0.5 away, at 3 the session is retired; 401, 403 and 429 retire it at once; so
 * do 50 uses or 50 minutes. A request takes a random session. Judgement belongs to the session: the address is never put
 * out and comes round again.
 */
final class SessionScores implements Policy {
    private static final int MOST_SESSIONS = 1_000;
    private static final int MOST_USES = 50;
    private static final long MOST_AGE_MICROS = 3_000_000_000L;
    private static final double RETIRED_AT = 3;

    private final House house;
    private final List<Session> sessions = new ArrayList<>();
    private final Map<String, Session> named = new HashMap<>();
    private List<Integer> addresses = List.of();
    private int nextAddress;

    private static final class Session {
        final int address;
        final long bornMicros;
        int uses;
        double score;

        Session(int address, long bornMicros) {
            this.address = address;
            this.bornMicros = bornMicros;
        }
    }

    SessionScores(House house) {
        this.house = house;
    }

    @Override
    public void choose(Ask ask, Consumer<Choice> then) {
        Session session = ask.session() == null ? any() : ofName(ask.session());
        session.uses++;
        then.accept(new Choice.Use(session.address, session));
    }

    /** A client's own session keeps its crawler session until that is retired; then it goes on with another. */
    private Session ofName(String name) {
        Session session = named.get(name);
        // A client that names its session means to keep it: the limit of uses would only break it.
        if (session == null || session.score >= RETIRED_AT || !addresses.contains(session.address)) {
            session = fresh();
            named.put(name, session);
        }
        return session;
    }

    private Session any() {
        if (sessions.size() < MOST_SESSIONS) {
            Session session = fresh();
            sessions.add(session);
            return session;
        }
        int place = house.draw(sessions.size());
        Session session = sessions.get(place);
        if (!usable(session)) {
            session = fresh();
            sessions.set(place, session);
        }
        return session;
    }

    private Session fresh() {
        return new Session(addresses.get(nextAddress++ % addresses.size()), house.now());
    }

    private boolean usable(Session session) {
        return session.score < RETIRED_AT
                && session.uses < MOST_USES
                && house.now() - session.bornMicros < MOST_AGE_MICROS
                && addresses.contains(session.address);
    }

    @Override
    public void learn(Ask ask, Choice.Use use, Face face, long latencyMicros) {
        Session session = (Session) use.receipt();
        if (face.status == 401 || face.status == 403 || face.status == 429) {
            session.score = RETIRED_AT;
        } else if (face.status == 200) {
            session.score = Math.max(0, session.score - 0.5);
        } else {
            session.score++;
        }
    }

    @Override
    public void members(List<Integer> addresses) {
        this.addresses = addresses;
    }

    @Override
    public void restart() {
        sessions.clear();
        named.clear();
    }

    @Override
    public void endSession(String session) {
        named.remove(session);
    }
}
