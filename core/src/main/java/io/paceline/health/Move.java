package io.paceline.health;

/**
 * A change of standing that the judgement asks for.
 *
 * @param to the new standing
 * @param cause a word for metrics: {@code failures}, {@code relapse}, {@code dead}, {@code credentials},
 *     {@code wait_over}, ...
 * @param reason a sentence with the figures, for logs and explanations
 */
public record Move(Standing to, String cause, String reason) {

    /** True where the move takes its subject out of service: the store's budget applies. */
    public boolean ejects() {
        return to.ejected();
    }
}
