package io.paceline.scale;

/**
 * How many workers a policy wants, which of its rules said so, and why, in words.
 *
 * @param workers starting and ready ones together
 * @param rule a stable word for logs and metrics, such as {@code need}
 * @param reason one sentence with the figures
 */
public record Wish(int workers, String rule, String reason) {

    public Wish {
        if (workers < 0) {
            throw new IllegalArgumentException("a wish for " + workers + " workers is below 0");
        }
    }
}
