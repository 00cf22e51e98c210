package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists and providers over real HTTP. */
class SupplyIT {

    @TempDir
    private Path folder;

    private static String pools(String source) {
        return "pools: [ { name: default, addresses: [ " + source + " ] } ]\n";
    }

    @Test
    void a_list_is_fetched_before_the_service_is_ready_followed_and_kept_for_the_time_that_it_is_down()
            throws Exception {
        DataFolder kept = new DataFolder(folder.resolve("data"));
        Site site = new Site();
        String source = "{ url: \"" + site.url().replace("//", "//u:hunter3@") + "/mine?key=s3cret\", refresh: 1s }";
        try (site;
                Running running = startWith(site, source, kept)) {
            assertThat(running.service.readyLine()).endsWith("addresses=2");
            assertThat(site.asked.get(0).authorization()).isEqualTo("Basic dTpodW50ZXIz");
            running.await(now -> site.asked.size() > 2);
            assertThat(site.asked.get(2).etag()).isEqualTo("\"v1\"");

            site.replies = request -> Site.Reply.ok("198.51.100.1:80:u:hunter2\n198.51.100.3:80\n198.51.100.4:80\n");
            running.awaitGeneration(2);
            assertThat(running.addresses()).isEqualTo(3);

            site.replies = request -> Site.Reply.ok("<html>Your plan has ended</html>");
            JsonNode failing = running.await(now -> !now.at("/lists/0/fault").isNull());
            assertThat(failing.at("/lists/0/fault").asText()).startsWith("it has no usable line");
            assertThat(failing.at("/lists/0/source").asText()).isEqualTo(site.url());
            assertThat(running.addresses()).isEqualTo(3);
            assertThat(running.get("/api/events").toString()
                            + failing
                            + running.answer("GET", "/metrics", "").body())
                    .contains("list_failed")
                    .doesNotContain("s3cret")
                    .doesNotContain("hunter");
        }
        try (Stream<Path> files = Files.list(folder.resolve("data").resolve("supply"))) {
            List<Path> copies = files.toList();
            assertThat(copies).hasSize(1);
            assertThat(copies.get(0).toString()).doesNotContain("s3cret");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copies.get(0))))
                    .isEqualTo("rw-------");
        }
    }

    private Running startWith(Site site, String source, DataFolder kept) throws Exception {
        site.replies = request -> request.etag() != null
                ? new Site.Reply(304, "", List.of())
                : request.path().startsWith("/mine")
                        ? new Site.Reply(302, "", List.of("Location", "/moved"))
                        : Site.Reply.ok("198.51.100.1:80:u:hunter2\n198.51.100.2:80\n", "ETag", "\"v1\"");
        return Running.start(folder, pools(source), kept);
    }

    @Test
    void a_service_whose_only_list_was_never_there_starts_empty_and_serves_as_soon_as_it_comes() throws Exception {
        Site site = new Site();
        String source = "{ url: \"" + site.url() + "/list\", refresh: 1s }";
        try (site;
                Running running = Running.start(folder, pools(source))) {
            assertThat(running.service.readyLine()).endsWith("addresses=0");
            running.post("/acquire", "{\"target\": \"https://www.example.com/\"}", 503);
            site.replies = request -> Site.Reply.ok("198.51.100.1:80");
            running.awaitGeneration(2);
            running.post("/acquire", "{\"target\": \"https://www.example.com/\"}", 200);
        }
    }

    @Test
    void a_reload_never_exchanges_a_pool_for_a_list_that_is_not_there() throws Exception {
        Site site = new Site();
        try (site;
                Running running = Running.start(folder, pools("{ inline: \"198.51.100.1:80\" }"))) {
            running.write(pools("{ url: \"" + site.url() + "/list\" }"));
            JsonNode refused = running.await(now -> !now.path("valid").asBoolean());
            assertThat(refused.at("/errors/0/message").asText())
                    .contains("pool \"default\" would have no address")
                    .contains("it answered 404");
            assertThat(running.addresses()).isEqualTo(1);

            site.replies = request -> Site.Reply.ok("198.51.100.2:80\n198.51.100.3:80");
            assertThat(running.post("/api/reload", "", 200).path("result").asText())
                    .isEqualTo("applied");
            assertThat(running.addresses()).isEqualTo(2);
        }
    }

    @Test
    void a_pool_below_its_mark_asks_its_provider_within_the_budget_also_over_a_restart() throws Exception {
        DataFolder kept = new DataFolder(folder.resolve("data"));
        Site provider = new Site();
        provider.replies = request -> {
            int wanted = Integer.parseInt(request.path().replaceFirst(".*n=", ""));
            StringBuilder items = new StringBuilder();
            for (int i = 0; i < wanted; i++) {
                items.append(i == 0 ? "" : ",")
                        .append("{\"host\": \"203.0.")
                        .append(provider.asked.size())
                        .append('.')
                        .append(i + 1)
                        .append("\", \"port\": 8080, \"username\": \"u\", \"password\": \"hunter2\"}");
            }
            return Site.Reply.ok("{\"data\": [" + items + "]}");
        };
        String yaml =
                "pools: [ { name: default, addresses: [ { inline: \"198.51.100.1:80\" } ], supply: { below: 4, url: \""
                        + provider.url()
                        + "/s3cret/buy?n={missing}\", items: \"/data/*\", every: 1s, budget: 5/day } } ]\n";
        try (provider) {
            try (Running running = Running.start(folder, yaml, kept)) {
                running.awaitGeneration(2);
                assertThat(provider.asked).extracting(Site.Asked::path).containsExactly("/s3cret/buy?n=3");
                assertThat(running.addresses()).isEqualTo(4);
                JsonNode all = running.get("/api/addresses").path("addresses");
                for (JsonNode address : all) {
                    running.post("/api/addresses/" + address.path("id").asText() + "/ban", "{}", 200);
                }
                running.awaitGeneration(3);
                assertThat(provider.asked).extracting(Site.Asked::path).endsWith("/s3cret/buy?n=2");
                running.await(now -> now.at("/supply/0/budget_left").asInt() == 0);
                running.post("/api/reload", "", 200);
                running.await(now -> now.at("/supply/0/fault").asText().contains("budget"));
                String told = running.get("/api/events").toString()
                        + running.configuration()
                        + running.answer("GET", "/metrics", "").body();
                assertThat(told)
                        .contains("supply_supplied")
                        .contains("paceline_supply_addresses_total{pool=\"default\"} 5.0")
                        .doesNotContain("s3cret")
                        .doesNotContain("hunter2");
            }
            try (Running running = Running.start(folder, yaml.replace("below: 4", "below: 40"), kept)) {
                assertThat(running.addresses()).isEqualTo(6);
                running.await(now -> now.at("/supply/0/fault").asText().contains("budget"));
                assertThat(provider.asked).hasSize(2);
            }
        }
    }
}
