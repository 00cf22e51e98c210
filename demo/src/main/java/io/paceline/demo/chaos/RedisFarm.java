package io.paceline.demo.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The Redis of a run: one server, a master and its replica under Sentinel, or a cluster of three; and what may befall it. */
final class RedisFarm implements AutoCloseable {
    private static final String MASTER = "pacelinemaster";
    private static final int SLOTS = 16_384;
    private static final int KEYS_A_MOVE = 50;
    private static final long AGREE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How it is set up. */
    enum Shape {
        SINGLE,
        SENTINEL,
        CLUSTER;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Shape shape;
    private final List<RedisServer> servers = new ArrayList<>();
    /** One for each gatekeeper; none where nothing is to befall the wires. */
    private final List<Relay> relays = new ArrayList<>();

    private RedisFarm(Shape shape) {
        this.shape = shape;
    }

    /** @param wires how many gatekeepers reach it by a wire of their own; 0 for straight ways */
    static RedisFarm start(Children children, Shape shape, int wires) throws IOException {
        RedisFarm farm = new RedisFarm(shape);
        switch (shape) {
            case SINGLE -> farm.servers.add(RedisServer.start(children, "redis"));
            case SENTINEL -> farm.sentinel(children);
            case CLUSTER -> farm.cluster(children);
        }
        for (int i = 0; i < wires; i++) {
            farm.relays.add(new Relay(farm.servers.get(0).port()));
        }
        return farm;
    }

    Shape shape() {
        return shape;
    }

    /** What a gatekeeper is told with {@code --store}. */
    String address(int gatekeeper) {
        return switch (shape) {
            case SINGLE ->
                "redis://127.0.0.1:"
                        + (relays.isEmpty()
                                ? servers.get(0).port()
                                : relays.get(gatekeeper).port());
            case SENTINEL -> "redis-sentinel://127.0.0.1:" + servers.get(2).port() + "/0#" + MASTER;
            case CLUSTER ->
                "redis-cluster://127.0.0.1:" + servers.get(0).port() + ",127.0.0.1:"
                        + servers.get(1).port();
        };
    }

    // ---- one server

    void kill() {
        servers.get(0).kill();
    }

    void begin() throws IOException {
        servers.get(0).begin();
    }

    void pause(boolean now) throws IOException {
        servers.get(0).signal(now ? "STOP" : "CONT");
    }

    /** @param kind of connections: {@code normal}, {@code pubsub} */
    void drop(String kind) throws IOException {
        servers.get(0).ask("CLIENT", "KILL", "TYPE", kind);
    }

    void delay(long millis) {
        relays.forEach(relay -> relay.delay(millis));
    }

    void cutOff(int gatekeeper, boolean now) {
        relays.get(gatekeeper).cut(now);
    }

    // ---- Sentinel: master, replica, the one who watches

    private void sentinel(Children children) throws IOException {
        servers.add(RedisServer.start(children, "redis-1"));
        String master = Integer.toString(servers.get(0).port());
        servers.add(RedisServer.start(children, "redis-2", "--replicaof", "127.0.0.1", master));
        Path file = children.folder().resolve("sentinel.conf");
        Files.writeString(
                file,
                "sentinel monitor " + MASTER + " 127.0.0.1 " + master + " 1\nsentinel down-after-milliseconds " + MASTER
                        + " 1000\nsentinel failover-timeout " + MASTER + " 5000\n");
        servers.add(RedisServer.start(children, "sentinel", file.toString(), "--sentinel"));
        await(
                "the replica has not the master's data",
                () -> text(servers.get(1).ask("INFO", "replication")).contains("master_link_status:up"));
        await(
                "Sentinel does not know the replica",
                () -> text(servers.get(2).ask("INFO", "sentinel")).contains("slaves=1"));
    }

    /** Once the replica has taken over, who was the master begins again as a replica. */
    void rejoin(RedisServer before) throws IOException {
        await("Sentinel names no new master", () -> master() != before);
        before.begin("REPLICAOF", "127.0.0.1", Integer.toString(master().port()));
    }

    RedisServer master() throws IOException {
        List<?> found = (List<?>) servers.get(2).ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
        int port = Integer.parseInt(text(found.get(1)));
        return servers.get(0).port() == port ? servers.get(0) : servers.get(1);
    }

    // ---- a cluster

    private void cluster(Children children) throws IOException {
        for (int i = 0; i < 3; i++) {
            servers.add(RedisServer.start(
                    children,
                    "node-" + i,
                    "--cluster-enabled",
                    "yes",
                    "--cluster-config-file",
                    "node-" + i + ".conf",
                    "--cluster-announce-ip",
                    "127.0.0.1"));
        }
        for (int i = 0; i < 3; i++) {
            List<String> slots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            for (int slot = i * SLOTS / 3; slot < (i + 1) * SLOTS / 3; slot++) {
                slots.add(Integer.toString(slot));
            }
            servers.get(i).ask(slots.toArray(String[]::new));
            servers.get(i)
                    .ask(
                            "CLUSTER",
                            "MEET",
                            "127.0.0.1",
                            Integer.toString(servers.get(0).port()));
        }
        for (RedisServer node : servers) {
            await("the nodes do not agree", () -> {
                String info = text(node.ask("CLUSTER", "INFO"));
                return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3");
            });
        }
    }

    /** Moves the slot of all keys to another node, while they are used. */
    void moveSlot() throws IOException {
        String slot = text(servers.get(0).ask("CLUSTER", "KEYSLOT", "{paceline}"));
        RedisServer from = servers.get(Math.min(2, Integer.parseInt(slot) * 3 / SLOTS));
        RedisServer to = servers.get((servers.indexOf(from) + 1) % 3);
        String fromId = text(from.ask("CLUSTER", "MYID"));
        String toId = text(to.ask("CLUSTER", "MYID"));
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
        from.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
        try (Resp source = new Resp(from.port())) {
            List<?> keys = keys(source, slot);
            while (!keys.isEmpty()) {
                List<String> move = new ArrayList<>(List.of(
                        "MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", "5000", "REPLACE", "KEYS"));
                keys.forEach(key -> move.add(text(key)));
                source.call(move.toArray(String[]::new));
                keys = keys(source, slot);
            }
        }
        for (RedisServer node : List.of(to, from, servers.get((servers.indexOf(to) + 1) % 3))) {
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", toId);
        }
    }

    private static List<?> keys(Resp source, String slot) throws IOException {
        return (List<?>) source.call("CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(KEYS_A_MOVE));
    }

    private static String text(Object answer) {
        return String.valueOf(answer);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(String otherwise, Condition condition) throws IOException {
        long deadline = System.nanoTime() + AGREE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("Redis: " + otherwise);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** The wires; the servers end with the other children. */
    @Override
    public void close() throws IOException {
        for (Relay relay : relays) {
            relay.close();
        }
    }
}
