package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.pace.RuleBook;
import io.paceline.redis.degraded.Reshard.Work;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReshardTest {
    private static final Work WORK = new Work(names("a", 4_000), names("s", 4_000), names("t", 1_000));

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    private static Reshard of(Division division, int now, int then) {
        return Reshard.of(division, now, then, WORK, List.of(RuleBook.DEFAULT_PACE));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 40})
    void oneMoreInstanceTakesItsPartAndNoMore(int n) {
        double most = 1.3 / (n + 1);
        Reshard hash = of(Division.HASH, n, n + 1);
        assertThat(hash.addressesMoved()).isPositive().isLessThanOrEqualTo((int) (4_000 * most));
        assertThat(hash.sessionsMoved()).isLessThanOrEqualTo((int) (4_000 * most));
        assertThat(hash.sessionsBroken()).isZero();
        assertThat(hash.targetsMoved()).isZero();
        Reshard domain = of(Division.DOMAIN, n, n + 1);
        assertThat(domain.addressesMoved()).isEqualTo(hash.addressesMoved());
        assertThat(domain.targetsMoved()).isPositive().isLessThanOrEqualTo((int) (1_000 * 1.5 / (n + 1)));
        assertThat(domain.sessionsBroken()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8})
    void moduloMovesMost(int n) {
        Reshard modulo = of(Division.MODULO, n, n + 1);
        assertThat(modulo.addressesMoved())
                .isGreaterThan(of(Division.HASH, n, n + 1).addressesMoved());
        assertThat(modulo.addressesMoved()).isGreaterThan(2_000);
        assertThat(modulo.sessionsBroken()).isZero();
    }

    @Test
    void theBrokerMovesNothing() {
        Reshard broker = of(Division.BROKER, 3, 7);
        assertThat(broker.addressesMoved() + broker.sessionsMoved() + broker.sessionsBroken() + broker.targetsMoved())
                .isZero();
        assertThat(broker.limits().get(0).then().least()).isEqualTo(1);
    }

    @Test
    void sharesAreEvenAndALimitBelowTheNumberOfInstancesIsNotForAll() {
        Reshard hash = of(Division.HASH, 4, 5);
        assertThat(hash.addressesNow().least()).isGreaterThan(850);
        assertThat(hash.addressesNow().most()).isLessThan(1_150);
        assertThat(hash.limits()).extracting(Reshard.LimitShares::withoutThen).containsExactly(4, 3);
        assertThat(of(Division.DOMAIN, 4, 5).limits())
                .extracting(Reshard.LimitShares::withoutThen)
                .containsExactly(0, 0);
    }

    @Test
    void fewerInstancesMoveWhatTheOneThatGoesHad() {
        Reshard up = of(Division.HASH, 3, 4);
        assertThat(of(Division.HASH, 4, 3).addressesMoved()).isEqualTo(up.addressesMoved());
    }
}
