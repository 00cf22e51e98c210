package io.paceline.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The store's contract, on a cluster of three nodes. */
class RedisClusterStoreIT extends ContractOnRedis {
    private static final int SLOTS = 16_384;
    static final List<TestRedis> NODES = cluster();
    private static final RedisClusterClient CLIENT =
            RedisClusterClient.create(RedisURI.create(NODES.get(0).uri()));
    private static final RedisAdvancedClusterCommands<byte[], byte[]> COMMANDS =
            CLIENT.connect(ByteArrayCodec.INSTANCE).sync();
    private static final Link LINK = LettuceLink.connect(new RedisSettings(
            "redis-cluster://127.0.0.1:" + NODES.get(0).port() + ",127.0.0.1:"
                    + NODES.get(1).port(),
            "contract",
            Duration.ofSeconds(10),
            RedisSettings.DEFAULT_QUEUE));

    RedisClusterStoreIT() {
        super(LINK, COMMANDS);
    }

    private static List<TestRedis> cluster() {
        List<TestRedis> nodes = new ArrayList<>();
        try {
            Path folder = Files.createTempDirectory("paceline-cluster");
            for (int i = 0; i < 3; i++) {
                String file = folder.resolve("node-" + i + ".conf").toString();
                nodes.add(TestRedis.start(
                        "--cluster-enabled",
                        "yes",
                        "--cluster-config-file",
                        file,
                        "--cluster-announce-ip",
                        "127.0.0.1"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> nodes.forEach(TestRedis::close)));
        for (int i = 0; i < 3; i++) {
            int from = i * SLOTS / 3;
            int to = (i + 1) * SLOTS / 3;
            RedisCommands<byte[], byte[]> node = nodes.get(i).commands();
            node.clusterAddSlots(IntStream.range(from, to).toArray());
            node.clusterMeet("127.0.0.1", nodes.get(0).port());
        }
        nodes.forEach(RedisClusterStoreIT::awaitAgreement);
        return nodes;
    }

    private static void awaitAgreement(TestRedis node) {
        RedisCommands<byte[], byte[]> commands = node.commands();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!commands.clusterInfo().contains("cluster_state:ok")
                || !commands.clusterInfo().contains("cluster_known_nodes:3")) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the nodes do not agree: " + commands.clusterInfo());
            }
            Thread.onSpinWait();
        }
    }
}
