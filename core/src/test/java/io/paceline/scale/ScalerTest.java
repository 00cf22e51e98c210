package io.paceline.scale;

import static io.paceline.scale.SnapshotFixture.SETTINGS;
import static io.paceline.scale.SnapshotFixture.T0;
import static io.paceline.scale.SnapshotFixture.at;
import static io.paceline.scale.SnapshotFixture.ready;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Brakes, orders and the binding rule, one decision at a time. */
class ScalerTest {

    private static ScaleDecision decide(
            ScalerSettings settings, Snapshot snapshot, Orders orders, SharedBudget shared) {
        Scaler<PlannerState> scaler = new Scaler<>(new Planner(settings), settings);
        return scaler.decide(snapshot, orders, shared, scaler.initial()).decision();
    }

    private static ScaleDecision decide(ScalerSettings settings, Snapshot snapshot) {
        return decide(settings, snapshot, Orders.NONE, SharedBudget.NONE);
    }

    @Test
    void theLastBrakeThatChangedTheCountIsTheBindingRule() {
        ScaleDecision decision = decide(SETTINGS.withSlots(16), at(0, 1000, 8, ready(4)));
        assertThat(decision.binding()).isEqualTo("slots");
        assertThat(decision.allowed()).isEqualTo(8);
        assertThat(decision.start()).isEqualTo(4);
        assertThat(decision.brakes()).extracting(ScaleDecision.Brake::rule).containsExactly("max", "slots");
        assertThat(decision.toLine())
                .startsWith("4 -> 8 (slots): planner wanted ")
                .contains("16 slots feed 8 workers");
    }

    @Test
    void withoutABrakeThePolicysOwnRuleBinds() {
        ScaleDecision decision = decide(SETTINGS, at(0, 100, 8, ready(4)));
        assertThat(decision.binding()).isEqualTo("need");
        assertThat(decision.allowed()).isBetween(11, 13);
    }

    @Test
    void drainersAreCalledBackBeforeAnythingIsStartedAndCountAgainstTheMaximum() {
        ScaleDecision decision = decide(SETTINGS, at(0, 5000, 20, new FleetView(0, 10, 6, 10, 0)));
        assertThat(decision.undrain()).isEqualTo(6);
        assertThat(decision.start()).isEqualTo(4);
    }

    @Test
    void wantTenWithFiveRunningAndFiveStartingStartsNothing() {
        ScaleDecision decision = decide(SETTINGS.withWorkers(2, 10), at(0, 5000, 10, new FleetView(5, 5, 0, 5, 0)));
        assertThat(decision.start()).isZero();
    }

    @Test
    void pausesHoldTheirDirectionOnly() {
        Snapshot full = at(0, 1000, 8, ready(4));
        assertThat(decide(SETTINGS, full, new Orders(true, false, Orders.NOT_FROZEN), SharedBudget.NONE)
                        .binding())
                .isEqualTo("up_paused");
        assertThat(decide(SETTINGS, full, new Orders(false, true, Orders.NOT_FROZEN), SharedBudget.NONE)
                        .start())
                .isPositive();
    }

    @Test
    void aFrozenFleetHoldsItsNumberButNeverPassesAHardLimit() {
        Snapshot full = at(0, 1000, 8, ready(4));
        assertThat(decide(SETTINGS, full, Orders.freezeAt(7), SharedBudget.NONE).allowed())
                .isEqualTo(7);
        assertThat(decide(SETTINGS, full, Orders.freezeAt(0), SharedBudget.NONE).drain())
                .isEqualTo(4);
        assertThat(decide(SETTINGS, full, Orders.freezeAt(50), SharedBudget.NONE)
                        .binding())
                .isEqualTo("max");
    }

    @Test
    void aDryRunDecidesAndRemembersNoOrder() {
        ScalerSettings dry = SETTINGS.withDryRun(true);
        Scaler<PlannerState> scaler = new Scaler<>(new Planner(dry), dry);
        Scaler.Turn<PlannerState> turn =
                scaler.decide(at(0, 1000, 8, ready(4)), Orders.NONE, SharedBudget.NONE, scaler.initial());
        assertThat(turn.decision().dryRun()).isTrue();
        assertThat(turn.decision().start()).isPositive();
        assertThat(turn.state().commandMicros()).isEqualTo(ScalerState.NEVER);
    }

    @Test
    void nothingIsOrderedAgainBeforeTheLastOrderCanBeSeen() {
        Scaler<PlannerState> scaler = new Scaler<>(new Planner(SETTINGS), SETTINGS);
        Scaler.Turn<PlannerState> first =
                scaler.decide(at(0, 1000, 8, ready(4)), Orders.NONE, SharedBudget.NONE, scaler.initial());
        ScaleDecision second = scaler.decide(at(1, 1000, 8, ready(4)), Orders.NONE, SharedBudget.NONE, first.state())
                .decision();
        assertThat(first.decision().start()).isEqualTo(16);
        assertThat(second.start()).isZero();
        assertThat(second.note()).contains("not visible");
    }

    @Test
    void aFleetThatRefusesIsFullAndNoReasonForMore() {
        Scaler<PlannerState> scaler = new Scaler<>(new Planner(SETTINGS), SETTINGS);
        FleetView refusing = new FleetView(0, 4, 0, 4, 3);
        ScaleDecision decision = scaler.decide(
                        at(0, 1000, 8, refusing), Orders.NONE, SharedBudget.NONE, scaler.initial())
                .decision();
        assertThat(decision.binding()).isEqualTo("refused");
        assertThat(decision.start()).isZero();
    }

    @Test
    void aFleetThatCannotBeReadIsLeftAlone() {
        Snapshot good = at(0, 1000, 8, ready(4));
        Snapshot blind = new Snapshot(
                good.nowMicros(),
                good.waiting(),
                good.paused(),
                good.inFlight(),
                good.ages(),
                good.tally(),
                Figure.unknown("no daemon"),
                good.startupSeconds(),
                good.permittedPerSecond());
        ScaleDecision decision = decide(SETTINGS, blind);
        assertThat(decision.acts()).isFalse();
        assertThat(decision.wish().reason()).contains("no daemon");
    }

    @Test
    void fleetsThatShareABudgetKeepTheirMinimumAndShareEvenlyWhenHungry() {
        Budget twelve = new Budget(0.60, 0.05);
        SharedBudget other = new SharedBudget(twelve, List.of(new SharedBudget.Claim(9, 2, false)));
        assertThat(other.allowed(2)).isEqualTo(3);
        SharedBudget idle = new SharedBudget(twelve, List.of(new SharedBudget.Claim(0, 2, false)));
        assertThat(idle.allowed(2)).isEqualTo(10);
        SharedBudget hungry = new SharedBudget(twelve, List.of(new SharedBudget.Claim(3, 2, true)));
        assertThat(hungry.allowed(2)).isEqualTo(6);
    }

    @Test
    void anHourThatWasOverspentIsPaidBack() {
        Budget forty = new Budget(2.00, 0.05);
        Ledger steady = Ledger.EMPTY.with(T0, 40);
        assertThat(steady.allowed(forty, T0 + 2 * Micros.HOUR)).isEqualTo(40);
        Ledger over = Ledger.EMPTY.with(T0, 44);
        assertThat(over.allowed(forty, T0 + 2 * Micros.HOUR)).isZero();
        assertThat(Ledger.EMPTY.allowed(forty, T0)).isGreaterThan(40);
    }

    @Test
    void aPartialCountMayRaiseAndNeverLower() {
        assertThat(decide(SETTINGS, at(0, Figure.atLeast(1000, T0), 8, ready(4)))
                        .start())
                .isPositive();
        assertThat(decide(SETTINGS, at(0, Figure.atLeast(0, T0), 1, ready(10))).drain())
                .isZero();
    }
}
