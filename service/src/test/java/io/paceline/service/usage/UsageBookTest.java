package io.paceline.service.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.Decision;
import io.paceline.Endpoint;
import io.paceline.GateConfig;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.Target;
import io.paceline.pace.Prices;
import io.paceline.pace.Prices.Price;
import io.paceline.pace.Quota;
import io.paceline.pace.Quota.Amount;
import io.paceline.pace.RuleBook;
import io.paceline.pace.Spending;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tenants have used: counted, priced, bounded, and kept over restarts. */
class UsageBookTest {
    /** 2026-03-01T12:00:00Z. */
    private static final long NOON = 1_772_366_400_000_000L;

    private static final LocalDate DAY = LocalDate.of(2026, 3, 1);
    private static final long GIB = 1L << 30;

    @TempDir
    private Path folder;

    private long now = NOON;
    private long leases;
    private final Spending spending = new Spending();
    private final TenantSettings shop = new TenantSettings(
            "shop",
            List.of("default"),
            List.of(),
            new Quota(
                    null,
                    null,
                    new Amount(10 * GIB, Duration.ofDays(1)),
                    new Amount(5_000_000_000L, Duration.ofDays(1)),
                    ZoneOffset.UTC),
            new Prices(
                    new Price(1_000_000L, 500_000_000L),
                    Map.of(),
                    Map.of("residential", new Price(null, 8_000_000_000L))));
    private final UsageBook book = book(spending);

    private UsageBook book(Spending told) {
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), List.of())),
                TargetBook.empty(),
                RuleBook.empty(),
                TenantBook.of(List.of(shop)));
        return new UsageBook(() -> now, () -> config, id -> id.equals("home") ? "residential" : null, told);
    }

    private static Request request(String tenant, int cost) {
        return Request.builder("https://www.example.com/p/1")
                .tenant(tenant)
                .cost(cost)
                .build();
    }

    private LeaseId grant(String tenant, String target, String address, int cost) {
        Map<String, String> tags = address.equals("home") ? Map.of("kind", "residential") : Map.of();
        LeaseId id = new LeaseId(++leases, 1, 0, 7, now + 60_000_000);
        Lease lease = new Lease(
                id,
                new Address(address, Endpoint.DIRECT, tags, 1, false),
                Target.of(target),
                "default",
                null,
                now,
                now + 60_000_000,
                false);
        book.decided(request(tenant, cost), "default", new Decision.Granted(List.of(lease)), now, now);
        return id;
    }

    private void settle(LeaseId id, String address, Kind kind, long bytes) {
        book.settled(id, "default", address, "example.com", new Outcome(kind, 1_000, 200, bytes, false), true);
    }

    private UsageRow only() {
        List<UsageRow> rows = book.usage("shop", DAY, DAY);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    @Test
    void permits_outcomes_bytes_time_and_money_are_added_up() {
        LeaseId first = grant("shop", "example.com", "home", 1);
        LeaseId second = grant("shop", "example.com", "plain", 3);
        now += 2_000_000;
        settle(first, "home", Kind.SUCCESS, GIB / 4);
        settle(second, "plain", Kind.CAPTCHA, GIB);

        UsageRow row = only();
        assertThat(row.pool()).isEqualTo("default");
        assertThat(row.target()).isEqualTo("example.com");
        assertThat(row.permits()).isEqualTo(4);
        assertThat(row.outcomes()).isEqualTo(Map.of(Kind.SUCCESS, 1L, Kind.CAPTCHA, 1L));
        assertThat(row.bytes()).isEqualTo(GIB + GIB / 4);
        assertThat(row.leaseMicros()).isEqualTo(4_000_000);
        // 4 permits at 0.001, a quarter of a GiB at 8.00, a GiB at 0.50.
        assertThat(Spending.money(row.money())).isEqualTo("2.504");
        assertThat(book.used("shop", Spending.Kind.MONEY)).isEqualTo(row.money());
        assertThat(book.used("shop", Spending.Kind.BYTES)).isEqualTo(row.bytes());
    }

    @Test
    void an_unused_permit_costs_nothing() {
        settle(grant("shop", "example.com", "plain", 3), "plain", Kind.CANCELED, -1);

        assertThat(only().permits()).isZero();
        assertThat(only().money()).isZero();
        assertThat(only().outcomes(Kind.CANCELED)).isEqualTo(1);
        assertThat(book.used("shop", Spending.Kind.MONEY)).isZero();
    }

    @Test
    void a_lease_that_nobody_released_counts_its_time() {
        LeaseId id = grant("shop", "example.com", "plain", 1);
        assertThat(book.leases("shop")).isEqualTo(1);
        now += 60_000_000;
        book.expired(id.value(), "default", "plain");

        assertThat(only().expired()).isEqualTo(1);
        assertThat(only().leaseMicros()).isEqualTo(60_000_000);
        assertThat(book.leases("shop")).isZero();
    }

    @Test
    void refusals_are_counted_at_their_target_and_strangers_not_at_all() {
        Decision no = new Decision.Refused(Reason.RATE_LIMITED, 1, "r", "no");
        book.decided(request("shop", 1), "default", no, now, now);
        book.decided(request("", 1), "default", no, now, now);
        book.decided(request("nobody", 1), "default", no, now, now);

        assertThat(only().refused()).isEqualTo(1);
        assertThat(only().target()).isEqualTo("example.com");
        assertThat(book.save()).hasSize(1);
    }

    @Test
    void targets_beyond_the_bound_are_counted_together() {
        for (int i = 0; i < UsageBook.TARGETS + 50; i++) {
            grant("shop", "site" + i + ".test", "plain", 1);
        }

        List<UsageRow> rows = book.usage("shop", DAY, DAY);
        assertThat(rows).hasSize(UsageBook.TARGETS + 1);
        assertThat(rows.stream()
                        .filter(row -> row.target().equals(UsageRow.OTHER))
                        .mapToLong(UsageRow::permits))
                .containsExactly(50L);
    }

    @Test
    void what_is_older_than_two_months_is_forgotten() {
        grant("shop", "example.com", "plain", 1);
        now += Duration.ofDays(UsageBook.DAYS).toNanos() / 1_000;
        grant("shop", "example.com", "plain", 1);

        assertThat(book.save()).singleElement().extracting(UsageRow::day).isEqualTo(DAY.plusDays(UsageBook.DAYS));
    }

    @Test
    void a_table_has_a_line_a_row() {
        settle(grant("shop", "example.com", "home", 1), "home", Kind.SUCCESS, GIB);

        assertThat(UsageCsv.of(book.usage("shop", DAY, DAY))).isEqualTo("""
                day,tenant,pool,target,permits,refused,success,connect_error,timeout,proxy_error,blocked,captcha,\
                rate_limited,target_error,neutral,canceled,expired,bytes,lease_seconds,money\r
                2026-03-01,shop,default,example.com,1,0,1,0,0,0,0,0,0,0,0,0,0,1073741824,0.000,8.001\r
                """);
    }

    // ---- the file

    private Path file() {
        return folder.resolve("usage.jsonl");
    }

    @Test
    void a_restart_goes_on_where_the_file_left_off() throws IOException {
        UsageFile file = UsageFile.open(file(), book);
        settle(grant("shop", "example.com", "home", 2), "home", Kind.SUCCESS, 1_000);
        UsageRow before = only();
        file.close();

        Spending later = new Spending();
        UsageBook next = book(later);
        UsageFile.open(file(), next).close();
        assertThat(next.usage("shop", DAY, DAY)).containsExactly(before);
        assertThat(later.used("shop", Spending.Kind.BYTES, now)).isEqualTo(1_000);
        assertThat(folder.toFile().list()).containsExactly("usage.jsonl");
    }

    @Test
    void a_broken_file_is_kept_beside_and_refuses_nothing() throws IOException {
        grant("shop", "example.com", "home", 2);
        UsageFile.open(file(), book).close();
        String good = Files.readString(file());
        Files.writeString(file(), good + "{\"day\": \"2026-03-0");

        UsageBook next = book(new Spending());
        UsageFile.open(file(), next).close();
        assertThat(next.usage("shop", DAY, DAY)).hasSize(1);
        assertThat(folder.resolve("usage.jsonl.broken")).hasContent(good + "{\"day\": \"2026-03-0");

        Files.write(file(), new byte[] {(byte) 0xff, 0, 1, 2});
        UsageBook empty = book(new Spending());
        UsageFile.open(file(), empty).close();
        assertThat(empty.save()).isEmpty();
        assertThat(folder.resolve("usage.jsonl.broken")).hasBinaryContent(new byte[] {(byte) 0xff, 0, 1, 2});
    }
}
