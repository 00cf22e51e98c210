package io.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisSettingsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis://127.0.0.1:7000                        | 127.0.0.1:7000
            redis://bob:s3cret@store.example:6379/2       | store.example:6379
            rediss://:p%40ss@[::1]:6380                   | [::1]:6380
            redis-sentinel://s3cret@a:26379,b:26379/0#m   | a:26379, b:26379
            redis-cluster://bob:s3cret@a:7000,b:7001      | a:7000, b:7001
            rediss-cluster://a                            | a
            """)
    void what_is_told_of_an_address_is_where_it_is(String uri, String places) {
        RedisSettings settings = RedisSettings.of(uri);

        assertThat(settings.places()).isEqualTo(places);
        assertThat(settings.toString()).contains(places).doesNotContain("s3cret", "bob", "p%40ss");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis                        | begins with
            http://x                     | begins with 'http'
            redis://                     | names no host
            redis-sentinel://a:26379     | names no master
            """)
    void what_cannot_be_meant_is_refused_with_what_to_write(String uri, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisSettings.of(uri))
                .withMessageContaining(message)
                .withMessageContaining("write");
    }

    @Test
    void each_node_of_a_cluster_is_asked_with_the_same_credentials() {
        assertThat(RedisSettings.of("rediss-cluster://bob:pw@a:1,b:2").nodeUris())
                .containsExactly("rediss://bob:pw@a:1", "rediss://bob:pw@b:2");
    }

    @Test
    void a_prefix_that_would_change_the_slot_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisSettings.of("redis://a").withPrefix("{x}"))
                .withMessageContaining("prefix");
    }
}
