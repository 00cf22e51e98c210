package io.paceline.service.api;

import io.paceline.service.config.ConfigError;
import io.paceline.service.reload.ConfigState;
import io.paceline.service.reload.ConfigStatus;
import io.paceline.service.supply.ListState;
import io.paceline.service.supply.SupplyState;
import java.util.List;

/** The configuration in force as JSON: whether the files still say so, and how lists and providers stand. */
final class ConfigView {

    private ConfigView() {}

    static void write(JsonOut out, ConfigStatus status) {
        ConfigState state = status.state();
        out.openObject("configuration")
                .put("generation", state.generation())
                .time("since", state.sinceMicros())
                .put("valid", state.valid());
        if (!state.valid()) {
            out.time("broken_since", state.brokenSinceMicros());
        }
        errors(out, "errors", state.errors());
        texts(out, "needs_restart", state.needsRestart());
        out.openArray("lists");
        status.lists().forEach(list -> list(out, list));
        out.closeArray().openArray("supply");
        status.supplies().forEach(supply -> supply(out, supply));
        out.closeArray().close();
    }

    private static void list(JsonOut out, ListState list) {
        out.openItem()
                .put("pool", list.pool())
                .put("source", list.source())
                .put("addresses", list.addresses())
                .put("bad_lines", list.badLines());
        if (list.fetchedMicros() > 0) {
            out.time("fetched_at", list.fetchedMicros());
        }
        out.put("fault", list.fault()).close();
    }

    private static void supply(JsonOut out, SupplyState supply) {
        out.openItem()
                .put("pool", supply.pool())
                .put("source", supply.source())
                .put("below", supply.below())
                .put("budget_left", supply.budgetLeft());
        if (supply.askedMicros() > 0) {
            out.time("asked_at", supply.askedMicros());
        }
        out.put("fault", supply.fault()).close();
    }

    static void errors(JsonOut out, String name, List<ConfigError> errors) {
        out.openArray(name);
        for (ConfigError error : errors) {
            out.openItem().put("file", error.file());
            if (error.line() > 0) {
                out.put("line", error.line()).put("column", error.column());
            }
            out.put("message", error.message()).close();
        }
        out.closeArray();
    }

    static void texts(JsonOut out, String name, List<String> texts) {
        out.openArray(name);
        texts.forEach(out::item);
        out.closeArray();
    }
}
