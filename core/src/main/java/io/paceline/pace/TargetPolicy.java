package io.paceline.pace;

/** What is configured of a target's pace: {@code robots}, {@code hints} and {@code pace} of {@code targets[]}. */
public record TargetPolicy(RobotsMode robots, HintScope hints, LimitSpec.Pace pace) {}
