package io.paceline.scale;

import java.util.List;

/**
 * One budget for several fleets: what the others hold or are owed, and what is left.
 *
 * <p>Each fleet's minimum is kept for it. Who comes first keeps what it has, until another fleet goes hungry: then nobody
 * keeps more than an even share of what the content ones leave.
 *
 * @param total the common budget
 * @param others one claim for each other fleet
 */
public record SharedBudget(Budget total, List<Claim> others) {

    public static final SharedBudget NONE = new SharedBudget(Budget.UNLIMITED, List.of());

    /**
     * What another fleet has of the budget.
     *
     * @param workers all its workers, starting and draining included, or what it has decided to start, if more
     * @param min its minimum
     * @param hungry its last wish was cut by this budget
     */
    public record Claim(int workers, int min, boolean hungry) {

        int owed() {
            return Math.max(workers, min);
        }
    }

    public SharedBudget {
        others = List.copyOf(others);
    }

    /** The most workers that this fleet may have, draining ones included. */
    int allowed(int min) {
        long affordable = total.affordable();
        long left = affordable - others.stream().mapToLong(Claim::owed).sum();
        long hungry = others.stream().filter(Claim::hungry).count();
        if (hungry > 0) {
            long content = others.stream()
                    .filter(c -> !c.hungry)
                    .mapToLong(Claim::owed)
                    .sum();
            long fair = (affordable - content) / (hungry + 1);
            left = Math.min(left, Math.max(fair, min));
        }
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, left));
    }
}
