package io.paceline.scale;

/**
 * What a scaler remembers between decisions: the policy's memory and that of the brakes.
 *
 * @param policy the policy's own state
 * @param commandMicros when something was ordered last
 * @param commanded workers that were to be present after that
 * @param ledger what was paid for in the last hour
 * @param refusals whether the fleet is full
 */
public record ScalerState<S>(S policy, long commandMicros, int commanded, Ledger ledger, Refusals refusals) {

    static final long NEVER = Long.MIN_VALUE / 2;

    /** One line, without the policy's part, which has a line of its own. */
    public String brakesToLine() {
        return commandMicros + ";" + commanded + ";" + ledger.toText() + ";" + refusals.toText();
    }

    /** The state that {@link #brakesToLine} and the policy's own text described. */
    public static <S> ScalerState<S> parse(S policy, String brakesLine) {
        String[] p = brakesLine.split(";", -1);
        if (p.length != 4) {
            throw new IllegalArgumentException("a scaler's brakes have 4 fields, this line has " + p.length);
        }
        return new ScalerState<>(
                policy, Long.parseLong(p[0]), Integer.parseInt(p[1]), Ledger.parse(p[2]), Refusals.parse(p[3]));
    }
}
