package io.paceline.redis;

/** A {@link TestRedis} for tests of the packages beside this one. */
public final class RedisForTests implements AutoCloseable {
    private final TestRedis redis;

    private RedisForTests(TestRedis redis) {
        this.redis = redis;
    }

    public static RedisForTests start() {
        return new RedisForTests(TestRedis.start());
    }

    public String uri() {
        return redis.uri();
    }

    /** Ends without a farewell. */
    public void kill() {
        redis.kill();
    }

    /** Begins again, empty. */
    public void begin() {
        redis.begin();
    }

    @Override
    public void close() {
        redis.close();
    }
}
