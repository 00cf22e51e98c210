package io.paceline;

import static io.paceline.PoolsOfATest.addresses;
import static io.paceline.PoolsOfATest.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Choice.Way;
import io.paceline.Outcome.Kind;
import io.paceline.PoolsOfATest.Pool;
import io.paceline.store.SessionRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener that wants reasons is told why each lease went where it went; people who look see the same. */
class ChoicesTest {

    private final List<Choice> heard = new ArrayList<>();
    private final PoolsOfATest pools = new PoolsOfATest()
            .pool(Pool.named("default").fallback("spare"), addresses("a", 2))
            .pool(Pool.named("spare"), addresses("b", 2))
            .heardBy(new GateListener() {
                @Override
                public boolean wantsChoices() {
                    return true;
                }

                @Override
                public void chosen(Lease lease, Choice choice) {
                    heard.add(choice);
                }
            })
            .start();

    private Choice last() {
        return heard.get(heard.size() - 1);
    }

    @Test
    void the_strategy_chooses_of_what_it_proposed() {
        Lease lease = pools.lease(to().build());

        assertThat(last().way()).isEqualTo(Way.STRATEGY);
        assertThat(last().pool()).isEqualTo("default");
        assertThat(last().proposals())
                .extracting(Choice.Proposal::addressId)
                .contains(lease.address().id());
    }

    @Test
    void a_fallback_is_named_with_the_addresses_that_it_proposed() {
        pools.fail("a0");
        pools.fail("a1");
        Lease lease = pools.lease(to().build());

        assertThat(last().way()).isEqualTo(Way.FALLBACK);
        assertThat(last().pool()).isEqualTo("spare").isEqualTo(lease.pool());
        assertThat(last().proposals())
                .extracting(Choice.Proposal::addressId)
                .contains(lease.address().id())
                .allMatch(id -> id.startsWith("b"));
    }

    @Test
    void a_session_is_seen_in_the_pool_that_serves_it() {
        pools.fail("a0");
        pools.fail("a1");
        Lease lease = pools.visit("s1");
        assertThat(last().way()).isEqualTo(Way.SESSION);

        Inspection.Binding seen = pools.gate()
                .inspectSession("", null, "s1")
                .toCompletableFuture()
                .join()
                .orElseThrow();
        assertThat(seen.pool()).isEqualTo("default");
        assertThat(seen.servedBy()).isEqualTo("spare");
        assertThat(seen.addressId()).isEqualTo(lease.address().id());
        assertThat(seen.state()).isEqualTo(SessionRow.State.BOUND);
    }

    @Test
    void what_is_half_open_is_tested() {
        pools.fail("a0");
        pools.time.advance(Duration.ofMinutes(13));
        for (int i = 0; i < 20 && heard.stream().noneMatch(choice -> choice.way() == Way.PROBE); i++) {
            pools.settle(pools.lease(to().build()), Kind.SUCCESS);
        }

        assertThat(heard)
                .anyMatch(choice -> choice.way() == Way.PROBE
                        && choice.proposals().get(0).addressId().equals("a0"));
    }

    @Test
    void who_looks_at_an_address_sees_what_people_have_set_and_its_bad_stretch() {
        for (int i = 0; i < 2; i++) {
            pools.gate().report("a0", null, false);
            pools.time.advance(Duration.ofSeconds(1));
        }
        pools.gate().freeze("a0").toCompletableFuture().join();

        List<Inspection> seen = pools.gate().inspect("a0").toCompletableFuture().join();
        assertThat(seen).hasSize(1);
        assertThat(seen.get(0).row().standing().word()).isEqualTo("frozen");
        assertThat(seen.get(0)
                        .row()
                        .trail()
                        .faultsAmong(seen.get(0).row().trail().stretch()))
                .isEqualTo(2);
        assertThat(seen.get(0).guilty()).isEmpty();
    }
}
