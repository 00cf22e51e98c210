package io.paceline.redis.degraded;

/**
 * How instances divide the work, as one of them knows it.
 *
 * @param instance what others call it when they send somebody there; another at each start
 * @param instances how many there are, this one too
 * @param detail a sentence
 */
public record DivisionState(Division division, String instance, int instances, String detail) {}
