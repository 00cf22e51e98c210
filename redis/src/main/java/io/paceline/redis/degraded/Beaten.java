package io.paceline.redis.degraded;

/**
 * What the shared store answers a beat.
 *
 * @param roster everybody who beats, the caller too unless it leaves
 * @param sequence the caller's last beat but this one that the store knows; 0 where it knows none
 * @param counted false where the beat came too late to count
 * @param nowMicros the store's time
 */
public record Beaten(Roster roster, long sequence, boolean counted, long nowMicros) {}
