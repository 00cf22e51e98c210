package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.FairLine.Place;
import io.paceline.Request.Priority;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class FairLineTest {
    private final FairLine<String> line = new FairLine<>();
    private final Map<String, Place> places = new HashMap<>();

    private void add(Priority priority, String tenant, String client, String name) {
        Place place = new Place(priority, tenant, client);
        places.put(name, place);
        line.add(place, name);
    }

    private Place place(String name) {
        return Objects.requireNonNull(places.get(name));
    }

    private List<String> serveAll() {
        List<String> served = new ArrayList<>();
        for (String head = line.head(); head != null; head = line.head()) {
            served.add(head);
            assertThat(line.remove(place(head), head)).isTrue();
        }
        return served;
    }

    @Test
    void one_client_is_served_first_come_first_served() {
        for (int i = 0; i < 4; i++) {
            add(Priority.NORMAL, "t", "c", "n" + i);
        }
        assertThat(serveAll()).containsExactly("n0", "n1", "n2", "n3");
        assertThat(line.size()).isZero();
    }

    @Test
    void high_goes_before_normal_before_low() {
        add(Priority.LOW, "t", "c", "low");
        add(Priority.NORMAL, "t", "c", "normal");
        add(Priority.HIGH, "t", "c", "high");
        assertThat(serveAll()).containsExactly("high", "normal", "low");
    }

    @Test
    void tenants_take_turns_however_many_one_of_them_sends() {
        for (int i = 0; i < 5; i++) {
            add(Priority.NORMAL, "many", "c", "m" + i);
        }
        add(Priority.NORMAL, "few", "c", "f0");
        assertThat(serveAll()).containsExactly("m0", "f0", "m1", "m2", "m3", "m4");
    }

    @Test
    void within_a_tenant_its_clients_take_turns_without_taking_from_another_tenant() {
        add(Priority.NORMAL, "a", "1", "a1x");
        add(Priority.NORMAL, "a", "1", "a1y");
        add(Priority.NORMAL, "a", "2", "a2x");
        add(Priority.NORMAL, "b", "1", "b1x");
        add(Priority.NORMAL, "b", "1", "b1y");
        assertThat(serveAll()).containsExactly("a1x", "b1x", "a2x", "b1y", "a1y");
    }

    @Test
    void who_gives_up_leaves_the_turns_as_they_were() {
        add(Priority.NORMAL, "a", "c", "a0");
        add(Priority.NORMAL, "a", "c", "a1");
        add(Priority.NORMAL, "b", "c", "b0");
        assertThat(line.remove(place("a1"), "a1")).isTrue();
        assertThat(line.remove(place("a1"), "a1")).isFalse();
        assertThat(line.remove(new Place(Priority.HIGH, "x", "y"), "a0")).isFalse();
        assertThat(serveAll()).containsExactly("a0", "b0");
    }

    @SeededTest(seeds = 200)
    void while_a_tenant_waits_no_other_is_served_twice_before_it(long seed) {
        RandomGenerator random = Seeds.random(seed);
        Map<String, Integer> waiting = new HashMap<>();
        Map<String, Map<String, Integer>> servedBefore = new HashMap<>();
        int next = 0;
        for (int step = 0; step < 500; step++) {
            String head = line.head();
            if (head == null || random.nextInt(5) > 1) {
                String tenant = "t" + random.nextInt(1 + random.nextInt(6));
                add(Priority.NORMAL, tenant, "c" + random.nextInt(3), tenant + "#" + next++);
                if (waiting.merge(tenant, 1, Integer::sum) == 1) {
                    servedBefore.put(tenant, new HashMap<>());
                }
                continue;
            }
            String served = place(head).tenant();
            line.remove(place(head), head);
            waiting.merge(served, -1, Integer::sum);
            servedBefore.put(served, new HashMap<>());
            waiting.forEach((tenant, count) -> {
                if (count > 0 && !tenant.equals(served)) {
                    assertThat(Objects.requireNonNull(servedBefore.get(tenant)).merge(served, 1, Integer::sum))
                            .as("%s before %s", served, tenant)
                            .isEqualTo(1);
                }
            });
        }
        assertThat(line.size())
                .isEqualTo(waiting.values().stream().mapToInt(count -> count).sum());
    }
}
