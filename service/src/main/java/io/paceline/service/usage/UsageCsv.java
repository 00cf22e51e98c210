package io.paceline.service.usage;

import io.paceline.Outcome;
import io.paceline.pace.Spending;
import java.math.BigDecimal;
import java.util.List;
import java.util.StringJoiner;

/** Usage as a table for spreadsheets (RFC 4180): a line of names, then one a row. */
public final class UsageCsv {
    private UsageCsv() {}

    public static String of(List<UsageRow> rows) {
        StringBuilder csv = new StringBuilder("day,tenant,pool,target,permits,refused");
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            csv.append(',').append(kind.word());
        }
        csv.append(",expired,bytes,lease_seconds,money\r\n");
        rows.forEach(row -> csv.append(line(row)).append("\r\n"));
        return csv.toString();
    }

    private static String line(UsageRow row) {
        StringJoiner line = new StringJoiner(",");
        line.add(row.day().toString())
                .add(quoted(row.tenant()))
                .add(quoted(row.pool()))
                .add(quoted(row.target()))
                .add(Long.toString(row.permits()))
                .add(Long.toString(row.refused()));
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            line.add(Long.toString(row.outcomes(kind)));
        }
        return line.add(Long.toString(row.expired()))
                .add(Long.toString(row.bytes()))
                .add(seconds(row.leaseMicros()).toPlainString())
                .add(Spending.money(row.money()))
                .toString();
    }

    /** With three decimals. */
    public static BigDecimal seconds(long micros) {
        return BigDecimal.valueOf(micros / 1_000, 3);
    }

    /** A text that a spreadsheet would take for a formula is made none. */
    private static String quoted(String text) {
        String harmless = !text.isEmpty() && "=+-@".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return harmless.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? harmless
                : '"' + harmless.replace("\"", "\"\"") + '"';
    }
}
