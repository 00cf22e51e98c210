package io.paceline.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetTest {

    /** How many of a pool the budget lets go, one after another. */
    private static int mayGo(Budget budget, int members) {
        int out = 0;
        while (out < members && budget.allows(members, out + 1)) {
            out++;
        }
        return out;
    }

    @ParameterizedTest(name = "of {0} members {1} may be out")
    @CsvSource({"1, 0", "2, 0", "3, 1", "4, 1", "6, 1", "7, 2", "9, 2", "10, 3", "20, 6", "1000, 300", "100000, 30000"})
    void thirty_percent_after_the_step_one_from_three_members_on_and_two_stay(int members, int mostOut) {
        assertThat(mayGo(new Budget(0.30, 2), members)).isEqualTo(mostOut);
    }

    @ParameterizedTest(name = "of {0} members {1} may be out")
    @CsvSource({"1, 1", "2, 2", "3, 3", "10, 10"})
    void a_share_of_one_and_a_floor_of_none_switch_both_off(int members, int mostOut) {
        assertThat(mayGo(new Budget(1, 0), members)).isEqualTo(mostOut);
    }

    @Test
    void the_floor_holds_where_the_share_would_not() {
        assertThat(mayGo(new Budget(1, 2), 10)).isEqualTo(8);
        assertThat(mayGo(new Budget(1, 5), 3)).as("all, where there are fewer").isZero();
        assertThat(mayGo(new Budget(0.5, 1), 2)).isEqualTo(1);
    }

    @Test
    void one_of_three_at_half_and_not_a_second_which_would_make_67_percent() {
        // Case Q-S04: the share is counted after the ejection is added.
        assertThat(mayGo(new Budget(0.5, 0), 3)).isEqualTo(1);
    }

    @Test
    void of_two_at_a_tenth_none_goes() {
        // Case Q-S05, our choice: below three members the share alone decides, and the last one never goes.
        assertThat(mayGo(new Budget(0.1, 2), 2)).isZero();
        assertThat(mayGo(new Budget(0.1, 0), 2)).isZero();
        assertThat(mayGo(new Budget(0.5, 1), 1)).isZero();
    }

    @Test
    void a_share_that_binary_fractions_miss_by_a_hair_is_met_exactly() {
        for (int tens = 1; tens <= 100; tens++) {
            assertThat(mayGo(new Budget(0.30, 0), 10 * tens)).isEqualTo(3 * tens);
            assertThat(mayGo(new Budget(0.70, 0), 10 * tens)).isEqualTo(7 * tens);
        }
    }

    @Test
    void a_share_of_nothing_still_lets_one_of_three_go() {
        assertThat(mayGo(new Budget(0, 2), 3)).isEqualTo(1);
        assertThat(mayGo(new Budget(0, 2), 100)).isEqualTo(1);
    }
}
