package io.paceline.pace;

import org.jspecify.annotations.Nullable;

/**
 * How a target is to be treated: {@code robots}, {@code hints}, {@code pace} and {@code user_agent} of {@code targets[]}.
 *
 * @param userAgent what requests should call themselves; null where nothing is configured
 */
public record TargetPolicy(
        RobotsMode robots,
        HintScope hints,
        LimitSpec.Pace pace,
        @Nullable String userAgent) {}
