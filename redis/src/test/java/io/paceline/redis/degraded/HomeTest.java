package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Which addresses an instance proposes first: each is one instance's, and the same until somebody joins or leaves. */
class HomeTest {
    private final VirtualTime time = new VirtualTime();
    private final SharedInVirtualTime shared = new SharedInVirtualTime(time, 1_000);
    private final List<EnduringStore> stores = new ArrayList<>();

    private void join(int instances) {
        for (int i = 0; i < instances; i++) {
            EnduringStore.join(
                            shared.new Way(Seeds.random(i)).store,
                            time,
                            time,
                            Seeds.random(100 + i),
                            StoreState.Listener.NONE)
                    .thenAccept(stores::add);
        }
        time.advance(Duration.ofSeconds(2));
        assertThat(stores).hasSize(instances);
    }

    @Test
    void whoIsAloneHasThePoolForHimself() {
        join(1);
        assertThat(stores.get(0).home()).isNull();
    }

    @Test
    void eachAddressIsOneInstancesAndAllHaveAboutAsMany() {
        join(3);
        for (long address = 0; address < 3_000; address++) {
            int owners = 0;
            for (EnduringStore store : stores) {
                LongPredicate home = store.home();
                owners += home != null && home.test(address) ? 1 : 0;
            }
            assertThat(owners).isEqualTo(1);
        }
    }

    @Test
    void itIsTheSameUntilSomebodyLeaves() {
        join(2);
        LongPredicate home = stores.get(0).home();
        time.advance(Duration.ofSeconds(5));
        assertThat(stores.get(0).home()).isSameAs(home).isNotNull();

        stores.get(1).close();
        time.advance(Duration.ofSeconds(2));
        assertThat(stores.get(0).home()).isNull();
    }
}
