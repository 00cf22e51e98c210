package io.paceline.service.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.service.Site;
import io.paceline.service.config.Secret;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The bounds of what we ask the web, over real sockets. */
class HttpWebIT {

    private final HttpWeb web = new HttpWeb(Duration.ofSeconds(20), 1_000);

    private Web.Answer get(Web client, String url) throws Exception {
        return client.get(new Web.Ask(new Secret(url), null, null))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    @Test
    void an_answer_comes_with_its_version() throws Exception {
        try (Site site = new Site()) {
            site.replies = request ->
                    Site.Reply.ok("text", "ETag", "\"v1\"", "Last-Modified", "Mon, 30 Nov 2026 00:00:00 GMT");
            Web.Answer answer = get(web, site.url() + "/list");
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("text");
            assertThat(answer.etag()).isEqualTo("\"v1\"");
            assertThat(answer.lastModified()).isEqualTo("Mon, 30 Nov 2026 00:00:00 GMT");
        }
    }

    @Test
    void redirects_are_followed_to_a_bound_and_the_password_stays_with_its_host() throws Exception {
        try (Site site = new Site();
                Site other = new Site()) {
            other.replies = request -> Site.Reply.ok("there");
            site.replies = request -> new Site.Reply(302, "", List.of("Location", other.url() + "/x"));
            String withPassword = site.url().replace("//", "//u:hunter2@");
            assertThat(new String(get(web, withPassword + "/a").body(), StandardCharsets.UTF_8))
                    .isEqualTo("there");
            assertThat(site.asked.get(0).authorization()).startsWith("Basic ");
            assertThat(other.asked.get(0).authorization()).isNull();

            site.replies = request -> new Site.Reply(302, "", List.of("Location", "/again"));
            assertThatThrownBy(() -> get(web, site.url() + "/a")).hasRootCauseMessage("it redirects more than 5 times");
            site.replies = request -> new Site.Reply(302, "", List.of("Location", "ftp://127.0.0.1/s3cret"));
            assertThatThrownBy(() -> get(web, site.url() + "/a"))
                    .hasRootCauseMessage("it redirects to another scheme than http");
        }
    }

    @Test
    void a_body_past_the_bound_is_not_read() throws Exception {
        try (Site site = new Site()) {
            site.replies = request -> Site.Reply.ok("x".repeat(1_001));
            assertThatThrownBy(() -> get(web, site.url() + "/s3cret"))
                    .hasRootCauseMessage("its answer is too long")
                    .satisfies(failure -> assertThat(failure.toString()).doesNotContain("s3cret"));
        }
    }

    @Test
    void who_says_nothing_is_given_up_and_who_is_not_there_was_never_asked() throws Exception {
        int free;
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = silent.getLocalPort();
            Web hasty = new HttpWeb(Duration.ofMillis(200), 1_000);
            assertThatThrownBy(() -> get(hasty, "http://127.0.0.1:" + free + "/"))
                    .rootCause()
                    .isInstanceOfSatisfying(
                            Web.WebException.class,
                            why -> assertThat(why.neverAsked()).isFalse())
                    .hasMessage("no answer in time");
        }
        assertThatThrownBy(() -> get(web, "http://127.0.0.1:" + free + "/"))
                .rootCause()
                .isInstanceOfSatisfying(
                        Web.WebException.class,
                        why -> assertThat(why.neverAsked()).isTrue())
                .hasMessage("no connection");
    }
}
