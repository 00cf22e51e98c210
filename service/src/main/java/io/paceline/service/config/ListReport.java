package io.paceline.service.config;

/**
 * What one source of addresses gave.
 *
 * @param pool the pool that it is in
 * @param source the file as the user wrote it, {@code inline} or {@code direct}
 * @param addresses how many it added to the pool
 * @param duplicates how many lines named an address that the pool had
 * @param badLines how many lines cannot be read
 */
public record ListReport(String pool, String source, int addresses, int duplicates, int badLines) {}
