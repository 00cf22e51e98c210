package io.paceline.pace;

import java.util.Map;

/**
 * How a target is to be treated: {@code robots}, {@code hints}, {@code pace} and {@code headers} of {@code targets[]}.
 *
 * @param headers fields that requests should carry
 */
public record TargetPolicy(RobotsMode robots, HintScope hints, LimitSpec.Pace pace, Map<String, String> headers) {}
