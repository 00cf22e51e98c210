package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SiteLogTest {
    private final SiteLog log = new SiteLog();

    @Test
    void a_change_of_address_inside_a_session_is_a_rotation_and_the_way_back_another() {
        log.arrived("127.0.1.1", "a");
        log.arrived("127.0.1.1", "a");
        log.arrived("127.0.1.2", "a");
        log.arrived("127.0.1.1", "a");
        assertThat(log.counts()).isEqualTo(new SiteLog.Counts(4, 0, 0, 2));
    }

    @Test
    void sessions_do_not_mix_and_requests_without_one_rotate_as_they_like() {
        log.arrived("127.0.1.1", "a");
        log.arrived("127.0.1.2", "b");
        log.arrived("127.0.1.1", "");
        log.arrived("127.0.1.2", "");
        assertThat(log.counts().rotations()).isZero();
    }
}
