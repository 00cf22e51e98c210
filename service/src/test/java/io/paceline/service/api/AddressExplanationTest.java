package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Inspection;
import io.paceline.health.Hold;
import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.Trail;
import io.paceline.health.Verdict.Guilty;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.WeightParts;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressExplanationTest {
    private static final long NOW = 1_772_366_400_000_000L;

    private static String explained(Hold hold, Trail trail, List<Inspection.Group> guilty) {
        Standing standing = Standing.fresh(1, NOW - 60_000_000).under(hold);
        SubjectRow row =
                new SubjectRow(standing, 10, 6, 2, 0, 6, 180_000, 1, trail, new Latency(170_000, 2_400_000, 3.6f), 20);
        AddressStatus status = new AddressStatus(
                FakeGatekeeper.ADDRESS,
                standing,
                1,
                10,
                1,
                0.6,
                180_000,
                170_000,
                2_400_000,
                3.6,
                10,
                NOW,
                0,
                NOW - 5_000_000,
                120_000);
        Inspection.Cell cell = new Inspection.Cell("example.com", row);
        Inspection seen =
                new Inspection("default", status, new WeightParts(1, 0.67, 1, 1), row, List.of(cell), guilty, NOW);
        JsonOut out = new JsonOut();
        AddressExplanation.write(out, seen, List.of());
        return out.end().toString();
    }

    @Test
    void what_people_have_set_is_told_with_its_reason_and_its_end() {
        Hold hold = Hold.NONE.withFrozen(true).withBan(new Hold.Ban("abuse mail", NOW + 600_000_000));

        assertThat(explained(hold, Trail.NONE, List.of()))
                .contains("\"state\":\"banned\",\"judgement\":\"healthy\"")
                .contains("\"ban\":{\"reason\":\"abuse mail\",\"until\":\"2026-03-01T12:10:00")
                .contains("in pool default it is banned until 2026-03-01T12:10:00Z (600s left)")
                .contains("banned by people until 2026-03-01T12:10:00Z: abuse mail")
                .contains("frozen by people until thaw");
    }

    @Test
    void the_present_bad_stretch_is_told_in_figures() {
        Trail trail = new Trail(0b1011, 0, 10, 0, 0, 5, NOW - 9_000_000, 5, 3);

        assertThat(explained(Hold.NONE, trail, List.of()))
                .contains("\"bad_stretch\":{\"faults\":3,\"outcomes\":5,\"since\":\"2026-03-01T11:59:51")
                .contains("in its present bad stretch, since 2026-03-01T11:59:51Z, 3 of 5 outcomes were failures");
    }

    @Test
    void whoever_else_is_guilty_is_named_and_so_is_the_last_probe() {
        List<Inspection.Group> guilty = List.of(
                new Inspection.Group(Guilty.TARGET, "example.com", NOW - 30_000_000),
                new Inspection.Group(Guilty.TAG, "provider=acme", NOW - 20_000_000));

        assertThat(explained(Hold.NONE, Trail.NONE, guilty))
                .contains("{\"guilty\":\"target\",\"name\":\"example.com\",\"since\":\"2026-03-01T11:59:30")
                .contains("site example.com is guilty since 2026-03-01T11:59:30Z")
                .contains("tag provider=acme is guilty since 2026-03-01T11:59:40Z")
                .contains("probed by control URLs last at 2026-03-01T11:59:55Z; it last answered after 120 ms");
    }
}
