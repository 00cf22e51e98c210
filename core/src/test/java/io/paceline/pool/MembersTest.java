package io.paceline.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.health.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A member is found by slot and by id, and all of them in list order. */
class MembersTest {
    private static Member member(int slot, String id) {
        Endpoint endpoint = new Endpoint(Endpoint.Scheme.HTTP, "192.0.2.1", 8080, null);
        return new Member(slot, new Address(id, endpoint, Map.of(), 1, false), Standing.fresh(0, 0));
    }

    @Test
    void each_is_found_by_slot_and_by_id_and_all_come_in_list_order() {
        int count = 1_000;
        Members members = new Members(count);
        List<Member> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Member member = member(2 * (count - i), "a" + i);
            members.add(member, member.slot);
            list.add(member);
        }
        assertThat(members).containsExactlyElementsOf(list);
        for (Member member : list) {
            assertThat(members.at(member.slot)).isSameAs(member);
            assertThat(members.at(member.slot + 1)).isNull();
            assertThat(members.named(member.address().id())).isSameAs(member);
        }
        assertThat(members.named("b1")).isNull();
        assertThat(members.at(-1)).isNull();
        assertThat(members.at(10 * count)).isNull();
    }

    @Test
    void an_empty_list_has_nobody() {
        Members none = new Members(0);
        assertThat(none).isEmpty();
        assertThat(none.named("a")).isNull();
        assertThat(none.at(0)).isNull();
    }
}
