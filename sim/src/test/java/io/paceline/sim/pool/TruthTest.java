package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.sim.Dice;
import io.paceline.sim.pool.Site.Ban;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the world answers, fault by fault. */
class TruthTest {
    private static final long NOW = Time.START;

    private static Truth truth(double noise, @Nullable Ban ban, Fault... faults) {
        List<Site> sites = List.of(new Site("one.example", 0.3, ban), new Site("two.example", 0.3, null));
        return new Truth(Layout.of(8, 0, 4, sites, noise), List.of(faults), Dice.of(1));
    }

    private static double failing(Truth truth, int address, int target, long now) {
        int failed = 0;
        for (int i = 0; i < 10_000; i++) {
            failed += truth.answer(i, address, target, now).face() == Face.OK ? 0 : 1;
        }
        return failed / 10_000.0;
    }

    @Test
    void aHealthyAddressFailsByNoiseAlone() {
        Truth truth = truth(0.02, null);

        assertThat(failing(truth, 0, 0, NOW)).isBetween(0.015, 0.025);
        assertThat(truth.ownShare(0, 0, NOW)).isZero();
        assertThat(truth.addressHealthy(0, NOW)).isTrue();
    }

    @Test
    void aDeadAddressFailsEverywhereAndAFlakyOneHalfOfTheTime() {
        Truth truth =
                truth(0, null, Fault.ofAddress(0, 1, Face.NO_CONNECTION), Fault.ofAddress(1, 0.5, Face.BAD_GATEWAY));

        assertThat(failing(truth, 0, 1, NOW)).isEqualTo(1);
        assertThat(failing(truth, 1, 0, NOW)).isBetween(0.48, 0.52);
        assertThat(failing(truth, 2, 0, NOW)).isZero();
        assertThat(truth.wasted(0, 0, NOW)).isTrue();
        assertThat(truth.wasted(1, 0, NOW)).isTrue();
    }

    @Test
    void aHangingAddressIsSilentForTheWholeTimeOut() {
        Truth truth = truth(0, null, Fault.ofAddress(0, 1, Face.SILENCE));

        Truth.Answer answer = truth.answer(7, 0, 0, NOW);

        assertThat(answer.face()).isEqualTo(Face.SILENCE);
        assertThat(answer.latencyMicros()).isEqualTo(10_000_000);
    }

    @Test
    void aSlowAddressIsSlowerByItsFactorAndNotSick() {
        Truth plain = truth(0, null);
        Truth slow = truth(0, null, Fault.slow(0, 5));

        long usual = plain.answer(3, 0, 0, NOW).latencyMicros();

        assertThat(slow.answer(3, 0, 0, NOW).latencyMicros()).isBetween(5 * usual - 5, 5 * usual + 5);
        assertThat(slow.wasted(0, 0, NOW)).isFalse();
    }

    @Test
    void captchasOfADriftingCellGrowAndStayInTheCell() {
        Truth truth = truth(
                0,
                null,
                Fault.ofCell(0, 0, 0.6, Face.CHALLENGE)
                        .during(NOW, Fault.FOR_EVER)
                        .growingOver(20 * Time.MINUTE));

        assertThat(failing(truth, 0, 0, NOW)).isZero();
        assertThat(failing(truth, 0, 0, NOW + 10 * Time.MINUTE)).isBetween(0.28, 0.32);
        assertThat(failing(truth, 0, 0, NOW + Time.HOUR)).isBetween(0.58, 0.62);
        assertThat(failing(truth, 0, 1, NOW + Time.HOUR)).isZero();
        assertThat(truth.cellHealthy(0, 0, NOW + Time.HOUR)).isFalse();
        assertThat(truth.cellHealthy(0, 1, NOW + Time.HOUR)).isTrue();
        assertThat(truth.addressHealthy(0, NOW + Time.HOUR)).isTrue();
    }

    @Test
    void aBanFallsOnTheHundredAndFirstInTheWindowAndLifts() {
        Truth truth = truth(0, new Ban(100, 10 * Time.MINUTE, 30 * Time.MINUTE));
        for (int i = 0; i < 100; i++) {
            assertThat(truth.answer(i, 0, 0, NOW + i).face()).isEqualTo(Face.OK);
        }
        assertThat(truth.onTheBrink(0, 0, NOW + 100)).isTrue();

        assertThat(truth.answer(100, 0, 0, NOW + 100).face()).isEqualTo(Face.FORBIDDEN);
        assertThat(truth.answer(101, 0, 1, NOW + 101).face()).isEqualTo(Face.OK);
        assertThat(truth.answer(102, 1, 0, NOW + 102).face()).isEqualTo(Face.OK);
        assertThat(truth.wasted(0, 0, NOW + 20 * Time.MINUTE)).isTrue();
        assertThat(truth.answer(103, 0, 0, NOW + 31 * Time.MINUTE).face()).isEqualTo(Face.OK);
    }

    @Test
    void aProviderTakesItsAddressesAndOurSideTakesAll() {
        Truth provider = truth(0, null, Fault.ofProvider("p1", 1, Face.NO_CONNECTION));
        Truth own = truth(0, null, Fault.ofOwnSide(1, Face.NO_CONNECTION));

        assertThat(failing(provider, 5, 0, NOW)).isEqualTo(1);
        assertThat(failing(provider, 4, 0, NOW)).isZero();
        assertThat(provider.addressHealthy(5, NOW)).isFalse();
        assertThat(failing(own, 4, 0, NOW)).isEqualTo(1);
        assertThat(own.addressHealthy(4, NOW)).isTrue();
        assertThat(own.wasted(4, 0, NOW)).isFalse();
    }

    @Test
    void aFaultThatHasJustEndedStillExcusesAVerdict() {
        Truth truth = truth(0, null, Fault.ofAddress(0, 1, Face.SILENCE).during(NOW, NOW + Time.MINUTE));

        assertThat(truth.addressHealthy(0, NOW + Time.MINUTE + 10_000_000)).isFalse();
        assertThat(truth.addressHealthy(0, NOW + Time.MINUTE + 20_000_000)).isTrue();
    }

    @Test
    void allPoliciesMeetTheSameLuck() {
        Truth one = truth(0.1, null);
        Truth other = truth(0.1, null);
        other.answer(17, 3, 1, NOW);

        for (int i = 0; i < 100; i++) {
            assertThat(one.answer(i, 0, 0, NOW)).isEqualTo(other.answer(i, 0, 0, NOW));
        }
    }
}
