package io.paceline.service.config;

import io.paceline.redis.RedisSettings;
import io.paceline.redis.degraded.Division;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where state is kept: in this process, or in a Redis that several gatekeepers share. As text it is what may be told: a
 * password is never in it.
 *
 * @param redis null for the memory of this process
 * @param division how the gatekeepers divide the work; means nothing in memory
 */
public record StoreChoice(@Nullable RedisSettings redis, Division division) {
    private static final String MEMORY_WORD = "memory";

    private static final Pattern NODE =
            Pattern.compile("(?<scheme>rediss?)://(?<user>(?:[^@/,]*@)?)(?<place>[^@/,?#]+)/?");

    public static final StoreChoice MEMORY = new StoreChoice(null, Division.BROKER);

    /** @throws IllegalArgumentException where it is neither; the message says what to write */
    static StoreChoice parse(String text) {
        if (text.equals(MEMORY_WORD)) {
            return MEMORY;
        }
        if (!text.contains("://")) {
            throw new IllegalArgumentException("store is unknown: write store: memory, or store: redis://host:6379");
        }
        return new StoreChoice(RedisSettings.of(text), Division.BROKER);
    }

    /**
     * A cluster, by some of its nodes.
     *
     * @throws IllegalArgumentException where one is no node of the same cluster; the message says what to write
     */
    static StoreChoice cluster(List<String> nodes) {
        Set<String> schemes = new LinkedHashSet<>();
        Set<String> users = new LinkedHashSet<>();
        List<String> places = new ArrayList<>();
        for (String node : nodes) {
            Matcher parts = NODE.matcher(node);
            if (!parts.matches()) {
                throw new IllegalArgumentException("store is a list, so each of it is a node of a cluster: write"
                        + " redis://[user:password@]host:6379, with no database; Sentinels are one text,"
                        + " redis-sentinel://host1,host2#master");
            }
            schemes.add(parts.group("scheme"));
            users.add(parts.group("user"));
            places.add(parts.group("place"));
        }
        users.remove("");
        if (schemes.size() != 1 || users.size() > 1) {
            throw new IllegalArgumentException(
                    "store lists nodes of one cluster, so all are reached alike: write redis:// or"
                            + " rediss:// before each, and one user and password");
        }
        return new StoreChoice(
                RedisSettings.of(
                        schemes.iterator().next() + "-cluster://" + String.join("", users) + String.join(",", places)),
                Division.BROKER);
    }

    public boolean isMemory() {
        return redis == null;
    }

    /** What people read: the store, and how it is divided where it is shared. */
    public String described() {
        return isMemory() ? toString() : this + ", division " + division.word();
    }

    @Override
    public String toString() {
        return isMemory()
                ? MEMORY_WORD
                : "redis(" + Objects.requireNonNull(redis).places() + ")";
    }
}
