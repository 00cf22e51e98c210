package io.paceline.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.Endpoint.Scheme;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ids are short, stable and all different. */
class AddressIdsTest {

    private static final Endpoint OPEN = new Endpoint(Scheme.HTTP, "198.51.100.7", 80, null);
    private static final Endpoint EMPTY = new Endpoint(Scheme.HTTP, "198.51.100.7", 80, new Credentials("", ""));
    private static final Endpoint ONE = new Endpoint(Scheme.HTTP, "198.51.100.7", 80, new Credentials("ab", "c"));
    private static final Endpoint TWO = new Endpoint(Scheme.HTTP, "198.51.100.7", 80, new Credentials("a", "bc"));

    @Test
    void an_id_is_a_and_ten_base32_characters() {
        assertThat(Configs.IDS.assign(List.of(OPEN)).get(OPEN)).matches("a[a-z2-7]{10}");
    }

    @Test
    void every_part_of_the_identity_counts() {
        List<Endpoint> all = List.of(
                OPEN,
                EMPTY,
                ONE,
                TWO,
                Endpoint.DIRECT,
                new Endpoint(Scheme.SOCKS5, "198.51.100.7", 80, null),
                new Endpoint(Scheme.SOCKS5H, "198.51.100.7", 80, null),
                new Endpoint(Scheme.HTTP, "198.51.100.7", 81, null));
        assertThat(new HashSet<>(Configs.IDS.assign(all).values())).hasSize(all.size());
    }

    @Test
    void ids_depend_on_the_key_and_not_on_the_order() {
        List<Endpoint> endpoints = new ArrayList<>(List.of(OPEN, ONE, TWO));
        Map<Endpoint, String> ids = Configs.IDS.assign(endpoints);
        Collections.reverse(endpoints);
        assertThat(Configs.IDS.assign(endpoints)).isEqualTo(ids);
        assertThat(Configs.IDS.assign(List.of(ONE)).get(ONE)).isEqualTo(ids.get(ONE));
        assertThat(AddressIds.keyed(new byte[16]).assign(endpoints).get(ONE)).isNotEqualTo(ids.get(ONE));
    }

    @Test
    void a_short_key_is_refused() {
        assertThatThrownBy(() -> AddressIds.keyed(new byte[15])).hasMessageContaining("16");
    }
}
